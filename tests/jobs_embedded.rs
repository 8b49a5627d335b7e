//! The embedded back end: the suite that every back end passes.

#![cfg(feature = "jobs")]

mod common;
#[macro_use]
mod jobs_suite;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use jobs_suite::worker::{Counting, Running, SCENES, finished, lines, photo, reader, submit};
use jobs_suite::{LONG, Opened};
use tilesight::jobs::{Ask, Embedded};

suite!(super::open);

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

async fn open(lease: Duration) -> Opened {
    let folder = Folder::new();
    let embedded = Arc::new(Embedded::open_with(&folder.0, lease).expect("a back end"));
    Opened { backend: embedded.backend(), _kept: Box::new(folder) }
}

/// Somebody puts another photo where one is kept.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_photo_that_was_replaced_is_not_read() {
    let folder = Folder::new();
    let backend = Arc::new(Embedded::open_with(&folder.0, LONG).expect("a back end")).backend();
    let job = submit(&backend, &[photo(SCENES[0])], &Ask::default()).await;
    for file in fs::read_dir(folder.0.join("photos")).expect("photos") {
        fs::write(file.expect("a photo").path(), photo(SCENES[1])).expect("replaced");
    }
    let counting = Arc::new(Counting::default());
    let worker = Running::start(&backend, reader(), counting.clone(), 1);
    finished(&backend, &job).await;
    worker.stop().await;
    assert_eq!(counting.0.load(Ordering::Relaxed), 0);
    let lines = lines(&backend, &job).await;
    assert!(lines[0].contains("failed 3 times"), "{}", lines[0]);
    let dead = backend.queue.dead(1).await.expect("the queue answers");
    assert!(dead[0].reason.contains("is not what was put"), "{}", dead[0].reason);
}
