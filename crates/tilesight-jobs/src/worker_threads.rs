//! Threads for photos: never more of them than photos being processed at the same time.
//!
//! Input: work that takes a core and much memory. Output: its result. The threads of an ordinary
//! pool take turns, so after many small tasks hundreds of threads would each hold the memory blocks
//! that a photo needs, and the allocator returns those late. Here the thread that worked last works
//! next, and a new one is started only if all others are busy. Invariants: the number of threads
//! never exceeds the highest number of concurrent tasks; a panic ends the task, not the thread;
//! work that nobody waits for any more ends at its next checkpoint.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use tilesight_core::stop::StopSignal;
use tokio::sync::oneshot;

type BoxedWork = Box<dyn FnOnce() + Send>;

/// Idle threads, with the one that worked last at the end.
static IDLE: Mutex<Vec<SyncSender<BoxedWork>>> = Mutex::new(Vec::new());

/// Error when there is no result: the work panicked, or no thread could be started.
#[derive(Debug)]
pub struct WorkError(pub String);

/// Signal to work that is given when its caller stops waiting.
struct Waiting(StopSignal);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.give();
    }
}

/// Runs work on one of these threads. If the caller stops waiting, the work ends at its next
/// [`checkpoint`](tilesight_core::stop::checkpoint), and drops what it holds.
///
/// # Errors
/// [`WorkError`] if the work panicked; the panic hook has printed where.
pub async fn run<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, WorkError> {
    let (sender, receiver) = oneshot::channel();
    let signal = StopSignal::new();
    let _waiting = Waiting(signal.clone());
    let work = Box::new(move || {
        let done = match catch_unwind(AssertUnwindSafe(|| signal.run(work))) {
            Ok(done) => done.map_err(|stopped| WorkError(stopped.to_string())),
            Err(panic) => Err(WorkError(panic_message(panic.as_ref()))),
        };
        // The caller may have stopped waiting.
        let _ = sender.send(done);
    });
    hand_over(work)?;
    receiver.await.unwrap_or_else(|_| Err(WorkError("its thread ended".to_owned())))
}

/// Returns the message of a panic.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
}

/// Gives work to the idle thread that worked last, or to a new one.
fn hand_over(mut work: BoxedWork) -> Result<(), WorkError> {
    while let Some(idle) = idle().pop() {
        match idle.send(work) {
            Ok(()) => return Ok(()),
            // The thread has ended, so the next one gets the work.
            Err(back) => work = back.0,
        }
    }
    let (sender, receiver) = sync_channel(1);
    let first = sender.clone();
    let builder = thread::Builder::new().name("tilesight-photo".to_owned());
    let spawned = builder.spawn(move || serve(&sender, &receiver));
    spawned.map_err(|error| WorkError(format!("cannot start a thread: {error}")))?;
    first.send(work).map_err(|_| WorkError("its thread ended".to_owned()))
}

/// Processes work as long as the process lives.
fn serve(myself: &SyncSender<BoxedWork>, works: &Receiver<BoxedWork>) {
    while let Ok(work) = works.recv() {
        work();
        idle().push(myself.clone());
    }
}

fn idle() -> MutexGuard<'static, Vec<SyncSender<BoxedWork>>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread::ThreadId;

    use tilesight_core::stop::checkpoint;

    use super::*;

    #[tokio::test]
    async fn the_last_thread_works_next_and_a_panic_does_not_end_it() {
        let me = || thread::current().id();
        let mut threads: HashSet<ThreadId> = HashSet::new();
        for _ in 0..50 {
            threads.insert(run(me).await.expect("it works"));
            let broken = run(|| -> () { panic!("over this") }).await.expect_err("it panicked");
            assert_eq!(broken.0, "over this");
            // A thread becomes idle a moment after its result is available.
            while idle().is_empty() {
                thread::yield_now();
            }
        }
        // Other tests of this process work here too.
        assert!(threads.len() < 25, "{} threads for one piece of work at a time", threads.len());
    }

    #[tokio::test]
    async fn work_goes_on_to_its_next_checkpoint_when_its_caller_stops_waiting() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let (go, gone) = std::sync::mpsc::channel::<()>();
        drop(Box::pin(run(|| ())));
        let mut working = Box::pin(run(move || {
            let _ = gone.recv();
            sender.send("the step that it is in").expect("the test waits");
            checkpoint();
            sender.send("the next step").expect("the test waits");
        }));
        let _ = is_ready(working.as_mut()).await;
        drop(working);
        drop(go);
        let steps: Vec<_> = receiver.iter().collect();
        assert_eq!(steps, ["the step that it is in"]);
    }

    /// Polls a future once.
    async fn is_ready<F: Future>(mut future: std::pin::Pin<&mut F>) -> bool {
        std::future::poll_fn(|cx| std::task::Poll::Ready(future.as_mut().poll(cx).is_ready())).await
    }
}
