//! Workers as processes that are killed: at random, and whenever one of them reads a poison photo.
//!
//! Input: the URL of the cluster and the ids of the poison photos. Output: the number of kills of
//! each kind. Invariant: a worker that was killed is restarted under the same name at once.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// The worker processes.
pub(crate) struct Workers {
    shared: Arc<Shared>,
    keepers: Vec<JoinHandle<()>>,
}

struct Shared {
    /// URL of the cluster.
    url: String,
    poison: HashSet<String>,
    running: Vec<Mutex<Option<Child>>>,
    ending: AtomicBool,
    poisoned: AtomicUsize,
    killed: AtomicUsize,
}

impl Workers {
    /// Starts this number of workers that read two photos at a time each: a poison photo takes down
    /// a good one with it, which must not be given up.
    pub(crate) fn start(count: usize, url: &str, poison: HashSet<String>) -> Workers {
        let shared = Arc::new(Shared {
            url: url.to_owned(),
            poison,
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

    /// Kills one of them with SIGKILL.
    pub(crate) fn kill(&self, n: usize) {
        if let Some(process) = lock(&self.shared.running[n]).as_mut() {
            self.shared.killed.fetch_add(1, Ordering::Relaxed);
            let _ = process.kill();
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.shared.running.len()
    }

    /// Returns the numbers of workers that were killed at random, and of those killed because of
    /// poison.
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
        while !self.ending.load(Ordering::SeqCst) {
            let mut process = self.spawn(n);
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
            for line in log.map_while(Result::ok) {
                self.look_at(n, &String::from_utf8_lossy(&line));
            }
            // The killer must not wait for the reader.
            let mut process = lock(&self.running[n]).take().expect("it was put there");
            let ended = process.wait().expect("a child that can be waited for");
            // A worker ends because it is killed or asked to; it must not end by itself.
            let stopping = self.ending.load(Ordering::SeqCst);
            assert!(ended.code().is_none() || stopping && ended.success(), "worker {n}: {ended}");
        }
    }

    fn spawn(&self, n: usize) -> Child {
        let process = Command::new(env!("CARGO_BIN_EXE_tilesight"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["worker", "--nats", &self.url, "--workers", "2", "--name", &format!("w{n}")])
            .env("TILESIGHT_LOG", "tilesight=debug")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        process.expect("the program starts")
    }

    /// Kills the worker if it is about to read poison.
    fn look_at(&self, n: usize, line: &str) {
        if line.contains("error") || line.contains("ERROR") {
            eprintln!("worker {n}: {line}");
        }
        let Some((_, photo)) = line.split_once("photo=") else { return };
        if self.poison.contains(photo.trim()) {
            self.poisoned.fetch_add(1, Ordering::Relaxed);
            if let Some(process) = lock(&self.running[n]).as_mut() {
                let _ = process.kill();
            }
        }
    }
}

/// Sends SIGTERM, as a process manager does.
fn tell_to_stop(process: &Child) {
    let stopping = Command::new("kill").args(["-TERM", &process.id().to_string()]).status();
    assert!(stopping.expect("kill is there").success());
}

fn lock(running: &Mutex<Option<Child>>) -> std::sync::MutexGuard<'_, Option<Child>> {
    // A keeper thread that panicked has reported it already.
    running.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
