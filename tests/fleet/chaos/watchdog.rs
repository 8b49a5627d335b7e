//! Terminates a test that hangs, with a line that says where.
//!
//! Input: the time limit for the whole test, and the name of each step as it begins. Output:
//! nothing, or a line on stderr and the end of the process: a hanging call may block the thread
//! that would fail the test, so nothing gentler is certain to work.

use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A timer that ends the process. Dropping it disarms it.
pub(crate) struct Watchdog {
    step: Arc<Mutex<&'static str>>,
}

impl Watchdog {
    /// Starts the timer.
    pub(crate) fn start(patience: Duration) -> Watchdog {
        let step = Arc::new(Mutex::new("the undisturbed run"));
        let (watched, deadline) = (Arc::downgrade(&step), Instant::now() + patience);
        thread::spawn(move || {
            while let Some(step) = watched.upgrade() {
                if Instant::now() >= deadline {
                    let step = *step.lock().unwrap_or_else(PoisonError::into_inner);
                    // Not `eprintln!`, whose output the test harness captures.
                    let _ = writeln!(std::io::stderr(), "not over after {patience:?}: {step}");
                    std::process::exit(101);
                }
                drop(step);
                thread::sleep(Duration::from_millis(500));
            }
        });
        Watchdog { step }
    }

    /// Sets the name of the current step.
    pub(crate) fn step(&self, name: &'static str) {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = name;
    }
}
