//! A back end that can't be reached for a while, and a worker that reads meanwhile.
//!
//! Input: a real back end and a line to it. Output: the same back end, whose every call fails while
//! the line is cut, as over a broken network. Invariant: over an intact line every call does the
//! same as on the back end itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tilesight_core::contract::PhotoFields;
use tilesight_jobs::{
    Backend, Backlog, Company, DeadLetter, Documents, ExpiryReport, FailResult, Host, Item, Job,
    JobId, Lease, MAX_ATTEMPTS, Name, NewItem, NewJob, Outcome, PhotoId, Priority, PushResult,
    Queue, QueueError, Revision, Selection, Standing, Store, StoreError, Task, TaskKey, Timestamp,
    Usage, WorkerPermit, WriteResult,
};
use tilesight_vision::Reading;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::worker::{RunningWorker, SCENES, expected, finished, lines, photo, reader, submit};
use super::{COMING, FreshBackend, SHORT, leased};

/// Connection of a worker to its back end, which can be cut.
#[derive(Debug, Default)]
struct Link {
    cut: AtomicBool,
}

impl Link {
    fn whole(&self) -> Result<(), &'static str> {
        if self.cut.load(Ordering::SeqCst) { Err("the line is cut") } else { Ok(()) }
    }
}

/// A queue or a store at the end of a line.
#[derive(Debug)]
struct RemoteEnd<T: ?Sized> {
    line: Arc<Link>,
    end: Arc<T>,
}

fn over(line: &Arc<Link>, backend: &Backend) -> Backend {
    let queue = RemoteEnd { line: Arc::clone(line), end: Arc::clone(&backend.queue) };
    let store = RemoteEnd { line: Arc::clone(line), end: Arc::clone(&backend.store) };
    Backend { queue: Arc::new(queue), store: Arc::new(store) }
}

/// Implements every method of a trait: through the connection, or with the error of an unreachable
/// server.
macro_rules! far {
    ($trait:ident for $end:ident, $error:ident:
        $($method:ident($($given:ident: $type:ty),*) -> $result:ty;)*) => {
        #[async_trait]
        impl $trait for RemoteEnd<dyn $end> {
            $(async fn $method(&self, $($given: $type),*) -> Result<$result, $error> {
                self.line.whole().map_err(|reason| $error::unavailable(&reason))?;
                self.end.$method($($given),*).await
            })*
        }
    };
}

far! { Queue for Queue, QueueError:
    push(tasks: &[Task], priority: Priority) -> Vec<PushResult>;
    lease(worker: &Name, wait: Duration) -> Option<Lease>;
    extend(lease: &Lease) -> ();
    begin(lease: &Lease, company: Company) -> ();
    complete(lease: Lease) -> ();
    fail(lease: Lease, reason: &str) -> FailResult;
    give_back(lease: Lease) -> ();
    forget_attempts(key: &TaskKey) -> ();
    dead_letters(max: usize) -> Vec<DeadLetter>;
    delete_dead_letter(key: &TaskKey) -> ();
    backlog() -> Backlog;
}

far! { Store for Store, StoreError:
    create(job: &NewJob) -> ();
    put_photo(job: &JobId, bytes: &[u8]) -> PhotoId;
    photo(photo: &PhotoId) -> Option<Vec<u8>>;
    drop_photos(job: &JobId) -> ();
    append(job: &JobId, from: u64, items: &[NewItem]) -> u64;
    seal(job: &JobId) -> ();
    job(job: &JobId) -> Option<Job>;
    jobs(which: &Selection) -> Vec<Job>;
    usage(client: &str) -> Usage;
    items(job: &JobId, from: u64, max: usize) -> Vec<Item>;
    cancel(job: &JobId) -> ();
    delete(job: &JobId) -> ();
    expire(now: Timestamp) -> ExpiryReport;
    standing(key: &TaskKey) -> Standing;
    put_outcome(key: &TaskKey, outcome: &Outcome) -> WriteResult;
    outcome(key: &TaskKey) -> Option<Outcome>;
}

far! { Documents for Store, StoreError:
    load(kind: &Name, id: &Name) -> Option<(Revision, Vec<u8>)>;
    save(kind: &Name, id: &Name, expected: Option<Revision>, bytes: &[u8]) -> Revision;
    list(kind: &Name) -> Vec<Name>;
    remove(kind: &Name, id: &Name) -> ();
}

/// A host that reports when a reading is complete, and holds it until it is released.
#[derive(Debug)]
struct SlowHost {
    read: Arc<Notify>,
    end: Mutex<Receiver<()>>,
}

#[async_trait]
impl Host for SlowHost {
    async fn permit(&self, _photo: &[u8]) -> WorkerPermit {
        WorkerPermit::new(())
    }

    fn read(&self, _task: &Task, _reading: &Reading) {
        self.read.notify_one();
        let released = self.end.lock().expect("nobody panicked").recv_timeout(COMING);
        released.expect("the case tells it");
    }
}

/// Lets a worker read the same good photo through more outages than a task has attempts, each
/// longer than its lease.
pub(crate) async fn an_outage_is_not_an_attempt(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(SHORT).await;
    let picture = photo(SCENES[0]);
    let job = submit(&backend, std::slice::from_ref(&picture), &PhotoFields::default()).await;
    let (line, read, (tell, end)) = (Arc::new(Link::default()), Arc::new(Notify::new()), channel());
    let host = SlowHost { read: Arc::clone(&read), end: Mutex::new(end) };
    let worker = RunningWorker::start(&over(&line, &backend), reader(), Arc::new(host), 1);
    for _ in 0..=MAX_ATTEMPTS {
        timeout(COMING, read.notified()).await.expect("it is read");
        line.cut.store(true, Ordering::SeqCst);
        tell.send(()).expect("it is being read");
        // The photo was read, and its end can't be reported: to others it looks as if the photo had
        // crashed its reader.
        let other = leased(&backend, "other").await;
        assert_eq!(other.attempt, 2);
        backend.queue.give_back(other).await.expect("given back");
        line.cut.store(false, Ordering::SeqCst);
    }
    timeout(COMING, read.notified()).await.expect("it is read");
    tell.send(()).expect("it is being read");
    finished(&backend, &job).await;
    assert_eq!(worker.stop().await.failed, 0);
    let expected = expected(&picture, &PhotoFields::default()).line("photo 0", 0);
    assert_eq!(lines(&backend, &job).await, [expected]);
    assert_eq!(backend.queue.backlog().await, Ok(Backlog::default()));
}
