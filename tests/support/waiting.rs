//! Waits that end with a condition, however busy the machine is, and points at which a child ends
//! or is held.
//!
//! A limit here is only for what hangs: it is many times what a step takes beside four busy loops,
//! and no test measures how long something took. The points are those of
//! `crates/tilesight-failpoint`.

#![allow(dead_code, reason = "each test binary uses some of it")]

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// Limit of every wait: only a hang exceeds it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(180);
/// Interval at which a condition is checked.
const LOOK: Duration = Duration::from_millis(10);

/// Waits for a condition, and fails the test if it never comes.
#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "it never came to be that {what}");
        thread::sleep(LOOK);
    }
}

/// Like [`until`], in a task.
pub(crate) async fn until_async(what: &str, holds: impl AsyncFn() -> bool) {
    let start = Instant::now();
    while !holds().await {
        assert!(start.elapsed() < PATIENCE, "it never came to be that {what}");
        tokio::time::sleep(LOOK).await;
    }
}

/// Waits for the end of a child.
#[track_caller]
pub(crate) fn ended(child: &mut Child) -> ExitStatus {
    let mut ended = None;
    until("a child has ended", || {
        ended = child.try_wait().expect("our child");
        ended.is_some()
    });
    ended.expect("it has ended")
}

/// Says what happens at which points of a child, as `crates/tilesight-failpoint` reads it.
pub(crate) fn at<'a>(child: &'a mut Command, points: &str) -> &'a mut Command {
    // Without points a test would wait for what never happens.
    if !tilesight_failpoint::ARMED {
        panic!("a release has no points: build with --profile chaos");
    }
    child.env(tilesight_failpoint::VARIABLE, points)
}

/// Asserts that a child ended at a point where it was to abort.
#[track_caller]
pub(crate) fn aborted(child: &mut Child) {
    let status = ended(child);
    assert!(is_abort(status), "it ended elsewhere: {status}");
}

/// Returns whether a child ended at a point at which it had to abort.
pub(crate) fn is_abort(status: ExitStatus) -> bool {
    const SIGABRT: i32 = 6;
    status.signal() == Some(SIGABRT)
}

/// A point at which a child is held, by the file that the child creates there.
#[derive(Debug)]
pub(crate) struct Hold(PathBuf);

impl Hold {
    /// A hold whose file is in this folder.
    pub(crate) fn new(folder: &Path, name: &str) -> Hold {
        Hold(folder.join(format!("{name}.held")))
    }

    /// The setting that holds a child at an arrival, such as `worker.reading@3`.
    pub(crate) fn at(&self, arrival: &str) -> String {
        format!("{arrival}=hold:{}", self.0.display())
    }

    /// Returns whether the child is at the point.
    pub(crate) fn is_reached(&self) -> bool {
        self.0.exists()
    }

    /// Waits until the child is at the point.
    #[track_caller]
    pub(crate) fn reached(&self) {
        until(&format!("a child is held: {}", self.0.display()), || self.is_reached());
    }

    /// Lets the child go on.
    pub(crate) fn release(&self) {
        fs::remove_file(&self.0).expect("the child is held there");
    }
}
