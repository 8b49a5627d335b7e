//! Threads for photos: as few as there ever are photos in work at the same time.
//!
//! Input: work that takes a core and much memory. Output: what came of it. Threads of an ordinary pool take turns, so
//! that after a rush of small errands hundreds of threads would each keep the blocks of memory that a photo needs, and
//! the allocator gives those back late. Here whoever worked last works next, and a thread is made only where all
//! others are busy. Invariant: there are never more threads than there was work at the same time.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::sync::oneshot;

type Work = Box<dyn FnOnce() + Send>;

/// Threads without work, the one that worked last at the end.
static IDLE: Mutex<Vec<SyncSender<Work>>> = Mutex::new(Vec::new());

/// Why there is no result: a panic over it, or no thread.
#[derive(Debug)]
pub(crate) struct Broken(pub(crate) String);

/// Does some work on a thread of its own. Begun work goes on when nobody waits for it any more.
///
/// # Errors
/// [`Broken`] when the work panicked; the panic hook has printed where that was.
pub(crate) async fn run<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Broken> {
    let (tell, told) = oneshot::channel();
    let work = Box::new(move || {
        let done = catch_unwind(AssertUnwindSafe(work));
        // Nobody may wait for it any more.
        let _ = tell.send(done.map_err(|panic| Broken(words(panic.as_ref()))));
    });
    hand_over(work)?;
    told.await.unwrap_or_else(|_| Err(Broken("its thread ended".to_owned())))
}

/// What a panic said.
pub(crate) fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
}

/// Gives work to whoever worked last, or to a new thread.
fn hand_over(mut work: Work) -> Result<(), Broken> {
    while let Some(idle) = idle().pop() {
        match idle.send(work) {
            Ok(()) => return Ok(()),
            // That thread has ended: the next one has the work.
            Err(back) => work = back.0,
        }
    }
    let (sender, receiver) = sync_channel(1);
    let first = sender.clone();
    let named = thread::Builder::new().name("tilesight-photo".to_owned());
    let made = named.spawn(move || serve(&sender, &receiver));
    made.map_err(|error| Broken(format!("no thread can be made: {error}")))?;
    first.send(work).map_err(|_| Broken("its thread ended".to_owned()))
}

/// Works as long as the process lives.
fn serve(myself: &SyncSender<Work>, works: &Receiver<Work>) {
    while let Ok(work) = works.recv() {
        work();
        idle().push(myself.clone());
    }
}

fn idle() -> MutexGuard<'static, Vec<SyncSender<Work>>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread::ThreadId;

    use super::*;

    #[tokio::test]
    async fn who_worked_last_works_next_and_a_panic_ends_no_thread() {
        let me = || thread::current().id();
        let mut threads: HashSet<ThreadId> = HashSet::new();
        for _ in 0..50 {
            threads.insert(run(me).await.expect("it works"));
            let broken = run(|| -> () { panic!("over this") }).await.expect_err("it panicked");
            assert_eq!(broken.0, "over this");
            // A thread is idle a moment after its result is there.
            while idle().is_empty() {
                thread::yield_now();
            }
        }
        // Other tests of this process work here too.
        assert!(threads.len() < 25, "{} threads for one piece of work at a time", threads.len());
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_is_done() {
        let (tell, told) = std::sync::mpsc::channel();
        drop(Box::pin(run(|| ())));
        let mut working = Box::pin(run(move || tell.send(7)));
        let _ = is_ready(working.as_mut()).await;
        drop(working);
        assert_eq!(told.recv(), Ok(7));
    }

    /// Looks at a future once.
    async fn is_ready<F: Future>(mut future: std::pin::Pin<&mut F>) -> bool {
        std::future::poll_fn(|cx| std::task::Poll::Ready(future.as_mut().poll(cx).is_ready())).await
    }
}
