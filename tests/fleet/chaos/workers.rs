//! Workers as processes that die at points of their work: at the ones that the test names, one
//! after the other, and whenever one of them reads a photo that is poison.
//!
//! Input: the URL of the cluster, the ids of the poison and the points. Output: how often each kind
//! of death came. Invariant: a worker that died is started again under the same name at once.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use crate::waiting;

/// The worker processes.
pub(crate) struct Workers {
    shared: Arc<Shared>,
    keepers: Vec<JoinHandle<()>>,
}

struct Shared {
    /// URL of the cluster.
    url: String,
    /// Points at which every worker dies over a poison photo, as it is set in
    /// `TILESIGHT_FAILPOINTS`.
    poison: String,
    /// Points at which workers die next.
    deaths: Mutex<VecDeque<String>>,
    running: Vec<Mutex<Option<Child>>>,
    ending: AtomicBool,
    poisoned: AtomicUsize,
    killed: AtomicUsize,
}

impl Workers {
    /// Starts this number of workers that read two photos at a time each: a poison photo takes down
    /// a good one with it, which must not be given up.
    pub(crate) fn start(
        count: usize,
        url: &str,
        poison: impl Iterator<Item = String>,
        deaths: impl Iterator<Item = String>,
    ) -> Workers {
        let poison = poison.map(|photo| format!("worker.reading[photo={photo}]@1=abort,"));
        let shared = Arc::new(Shared {
            url: url.to_owned(),
            poison: poison.collect(),
            deaths: Mutex::new(deaths.collect()),
            running: (0..count).map(|_| Mutex::default()).collect(),
            ending: AtomicBool::new(false),
            poisoned: AtomicUsize::new(0),
            killed: AtomicUsize::new(0),
        });
        let keepers = (0..count)
            .map(|n| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || shared.keep(n))
            })
            .collect();
        Workers { shared, keepers }
    }

    /// Returns the number of workers that died at the points of the test, and over poison photos.
    pub(crate) fn deaths(&self) -> (usize, usize) {
        let Shared { killed, poisoned, .. } = &*self.shared;
        (killed.load(Ordering::Relaxed), poisoned.load(Ordering::Relaxed))
    }

    /// Stops all workers as a process manager does, and asserts that they exit with success.
    pub(crate) fn stop(mut self) {
        self.shared.ending.store(true, Ordering::SeqCst);
        for running in &self.shared.running {
            if let Some(process) = lock(running).as_ref() {
                tell_to_stop(process);
            }
        }
        for keeper in self.keepers.drain(..) {
            keeper.join().expect("a worker that was asked to stop ends well");
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.shared.ending.store(true, Ordering::SeqCst);
        for running in &self.shared.running {
            if let Some(process) = lock(running).as_mut() {
                // Only after a failed test is a process still running.
                let _ = process.kill();
            }
        }
    }
}

impl Shared {
    /// Runs one worker after the other.
    fn keep(&self, n: usize) {
        let mut next = None;
        while !self.ending.load(Ordering::SeqCst) {
            // One that died over poison has its other death still ahead.
            let death = next.take().or_else(|| lock(&self.deaths).pop_front()).unwrap_or_default();
            let mut process = self.spawn(n, &death);
            let log = BufReader::new(process.stderr.take().expect("a pipe")).split(b'\n');
            let mut running = lock(&self.running[n]);
            // The killer checked before this process existed.
            if self.ending.load(Ordering::SeqCst) {
                tell_to_stop(&process);
            }
            *running = Some(process);
            drop(running);
            // The output is read to the end, because a full pipe would block the process; a kill
            // may split a character.
            let mut poisoned = false;
            for line in log.map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line);
                if ["WARN", "ERROR", "error"].iter().any(|word| line.contains(word)) {
                    eprintln!("worker {n}: {line}");
                }
                poisoned |=
                    line.starts_with(tilesight_failpoint::ABORTS) && line.contains("photo=");
            }
            // The killer must not wait for the reader.
            let mut process = lock(&self.running[n]).take().expect("it was put there");
            let ended = process.wait().expect("a child that can be waited for");
            // A worker ends at a point or because it is asked to; by itself it must not.
            let stopping = self.ending.load(Ordering::SeqCst);
            let aborted = waiting::is_abort(ended);
            assert!(aborted || stopping && ended.success(), "worker {n}: {ended}");
            if aborted {
                let count = if poisoned { &self.poisoned } else { &self.killed };
                count.fetch_add(1, Ordering::Relaxed);
                next = Some(death).filter(|_| poisoned);
            }
        }
    }

    fn spawn(&self, n: usize, death: &str) -> Child {
        let mut program = Command::new(env!("CARGO_BIN_EXE_tilesight"));
        program
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["worker", "--nats", &self.url, "--workers", "2", "--name", &format!("w{n}")])
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let process = waiting::at(&mut program, &format!("{}{death}", self.poison)).spawn();
        process.expect("the program starts")
    }
}

/// Sends SIGTERM, as a process manager does.
fn tell_to_stop(process: &Child) {
    let stopping = Command::new("kill").args(["-TERM", &process.id().to_string()]).status();
    assert!(stopping.expect("kill is there").success());
}

fn lock<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A keeper thread that panicked has reported it already.
    shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
