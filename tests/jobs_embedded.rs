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

use jobs_suite::Opened;
use tilesight::jobs::Embedded;

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
