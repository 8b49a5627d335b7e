//! The embedded back end: the suite that every back end passes.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tilesight_core::contract::PhotoFields;
use tilesight_jobs::{Backlog, Company, EmbeddedStore, MAX_ATTEMPTS, NewJob, Priority, PushResult};

use crate::jobs_suite::worker::{
    CountingHost, RunningWorker, SCENES, finished, lines, photo, reader, submit,
};
use crate::jobs_suite::{
    FreshBackend, LONG, assert_no_task_waits, begun, items, job, leased, name, refused, sealed,
    task,
};

suite!(super::open);

/// A large job of one client does not block another client's: their tasks take turns, and small
/// jobs go first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_take_turns() {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let submit = async |client: &str, numbers: std::ops::Range<u32>, priority| {
        let new = NewJob { client: Some(client.to_owned()), ..job() };
        backend.store.create(&new).await.expect("created");
        let tasks: Vec<_> = numbers.map(task).collect();
        backend.store.append(&new.id, 0, &items(&tasks)).await.expect("appended");
        backend.queue.push(&tasks, priority).await.expect("pushed");
    };
    let numbers: HashMap<_, _> = (0..303).map(|n| (task(n).key, n)).collect();
    let lease = async || {
        let lease = leased(&backend, "a").await;
        (numbers[&lease.task.key], lease)
    };
    let mut order = Vec::new();
    submit("heap", 0..100, Priority::Normal).await;
    for _ in 0..10 {
        order.push(lease().await.0);
    }
    assert_eq!(order, (0..10).collect::<Vec<_>>(), "alone it has every turn");
    // Two jobs of another client share its turns, and a third client has its own.
    submit("one", 100..104, Priority::Normal).await;
    submit("one", 104..106, Priority::Normal).await;
    submit("two", 200..203, Priority::Normal).await;
    let mut order = Vec::new();
    for _ in 0..12 {
        order.push(lease().await.0);
    }
    assert_eq!(order, [100, 200, 10, 101, 201, 11, 102, 202, 12, 103, 13, 104]);
    // Returned tasks queue last, and urgent ones first.
    let (back, given_back) = lease().await;
    assert_eq!(back, 14);
    backend.queue.give_back(given_back).await.expect("given back");
    submit("heap", 300..302, Priority::High).await;
    submit("one", 302..303, Priority::High).await;
    let mut order = Vec::new();
    for _ in 0..5 {
        order.push(lease().await.0);
    }
    assert_eq!(order, [300, 302, 301, 105, 15]);
    let mut last = None;
    for _ in 16..100 {
        last = Some(lease().await.0);
    }
    assert_ne!(last, Some(14), "84 others waited");
    assert_eq!(lease().await.0, 14);
    assert_no_task_waits(&backend).await;
}

/// Kills a process again and again in its first moments, while it reads two photos: neither is
/// given up, and at each start others are read before them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_killed_at_once_uses_up_no_attempt() {
    let folder = Folder::new();
    let open_resting = |rest: Duration| {
        let embedded = EmbeddedStore::open_with(&folder.0, LONG).expect("a back end");
        Arc::new(embedded.with_suspect_rest(rest))
    };
    let open = || open_resting(LONG);
    let pushed: Vec<_> = (0..12).map(task).collect();
    sealed(&open().backend(), &pushed).await;
    open().backend().queue.push(&pushed, Priority::Normal).await.expect("pushed");
    let mut begun = HashMap::new();
    for _ in 0..2 * MAX_ATTEMPTS {
        let embedded = open();
        embedded.reclaim(&name("batch")).await.expect("the queue answers");
        let queue = embedded.backend().queue;
        for _ in 0..2 {
            let lease = queue.lease(&name("batch"), Duration::ZERO).await;
            let lease = lease.expect("the queue answers").expect("one that was not tried");
            assert_eq!((lease.attempt, lease.failures), (1, 0));
            queue.begin(&lease, Company::Others).await.expect("it is held");
            *begun.entry(lease.task.key).or_insert(0) += 1;
        }
    }
    assert_eq!(begun.len(), pushed.len(), "{begun:?}");
    // Every photo is a suspect now: all rest, and then all are read.
    let embedded = open();
    assert_eq!(embedded.reclaim(&name("batch")).await, Ok(2));
    let queue = embedded.backend().queue;
    assert_eq!(queue.lease(&name("batch"), Duration::ZERO).await, Ok(None));
    let backend = open_resting(Duration::ZERO).backend();
    let queue = &backend.queue;
    for _ in &pushed {
        let lease = leased(&backend, "batch").await;
        assert_eq!((lease.attempt, lease.failures), (2, 0));
        queue.complete(lease).await.expect("done");
    }
}

/// Ends a process between the outcome of a photo and the report of its end: the photo is not in the
/// queue any more when somebody asks for it again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_with_an_outcome_is_not_taken_back() {
    let folder = Folder::new();
    let open = || Arc::new(EmbeddedStore::open_with(&folder.0, LONG).expect("a back end"));
    let embedded = open();
    let backend = embedded.backend();
    let job = sealed(&backend, &[task(0)]).await;
    backend.queue.push(&[task(0)], Priority::Normal).await.expect("pushed");
    begun(&backend, "batch").await;
    backend.store.put_outcome(&task(0).key, &refused("given up")).await.expect("written");
    let embedded = open();
    embedded.reclaim(&name("batch")).await.expect("the queue answers");
    let backend = embedded.backend();
    assert_eq!(backend.queue.backlog().await, Ok(Backlog::default()));
    backend.store.delete(&job).await.expect("deleted");
    sealed(&backend, &[task(0)]).await;
    assert_eq!(backend.queue.push(&[task(0)], Priority::Normal).await, Ok(vec![PushResult::New]));
    assert_eq!(leased(&backend, "batch").await.attempt, 1);
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(format!("tilesight-jobs-{process}-{count}"));
        fs::create_dir(&folder).expect("a new folder");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

async fn open(lease: Duration) -> FreshBackend {
    let folder = Folder::new();
    let embedded = Arc::new(EmbeddedStore::open_with(&folder.0, lease).expect("a back end"));
    FreshBackend { backend: embedded.backend(), _kept: Box::new(folder) }
}

/// Replaces a stored photo by another one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_photo_that_was_replaced_is_not_read() {
    let folder = Folder::new();
    let backend =
        Arc::new(EmbeddedStore::open_with(&folder.0, LONG).expect("a back end")).backend();
    let job = submit(&backend, &[photo(SCENES[0])], &PhotoFields::default()).await;
    for file in fs::read_dir(folder.0.join("photos")).expect("photos") {
        fs::write(file.expect("a photo").path(), photo(SCENES[1])).expect("replaced");
    }
    let counting = Arc::new(CountingHost::default());
    let worker = RunningWorker::start(&backend, reader(), counting.clone(), 1);
    finished(&backend, &job).await;
    worker.stop().await;
    assert_eq!(counting.0.load(Ordering::Relaxed), 0);
    let lines = lines(&backend, &job).await;
    assert!(lines[0].contains("failed 3 times"), "{}", lines[0]);
    let dead = backend.queue.dead_letters(1).await.expect("the queue answers");
    assert!(dead[0].reason.contains("have changed"), "{}", dead[0].reason);
}
