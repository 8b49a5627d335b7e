//! The progress of a batch: a bar on a terminal, otherwise a plain line at intervals.
//!
//! Everything goes to standard error; standard output is for the summary. Invariant: the bar is
//! never drawn into a file or a pipe, and log messages never break it.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tilesight_core::plural::{choose_form, format_count};

use crate::cli::output::terminal;

/// Interval of the plain lines: short enough to show progress, long enough for a log.
const LINES: Duration = Duration::from_secs(10);
/// Interval at which the bar is redrawn.
const TICK: Duration = Duration::from_millis(250);

/// Progress of a batch.
#[derive(Debug)]
pub(super) struct BatchProgress {
    bar: ProgressBar,
    state: Mutex<BarState>,
    lines: bool,
    quiet: bool,
    total: u64,
}

#[derive(Debug)]
struct BarState {
    began: Instant,
    printed: Instant,
    /// Photos that were done when the first one was read: they do not count for the speed.
    before: Option<u64>,
}

impl BatchProgress {
    /// Starts the display for a number of photos.
    pub(super) fn new(total: u64, quiet: bool) -> BatchProgress {
        let terminal = io::stderr().is_terminal() && !quiet;
        let target =
            if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template(&format!(
            "{{bar:32}} {{pos}} of {{len}} {}{{msg}}",
            choose_form(total, "photo", "photos")
        ))
        .expect("the template is right");
        let bar = ProgressBar::with_draw_target(Some(total), target).with_style(style);
        if terminal {
            bar.enable_steady_tick(TICK);
        }
        let now = Instant::now();
        let state = Mutex::new(BarState { began: now, printed: now, before: None });
        BatchProgress { bar, state, lines: !terminal && !quiet, quiet, total }
    }

    /// Sets the number of photos that are done, from an earlier run or this one.
    pub(super) fn set_done(&self, done: u64) {
        if done > self.bar.position() {
            self.bar.set_position(done);
        }
    }

    /// Sets the number of photos that are done while others are being read, and shows rate and time
    /// left.
    pub(super) fn show_done(&self, done: u64) {
        self.set_done(done);
        let done = self.bar.position();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(before) = state.before else {
            // Photos that were done before the first wait were read in an earlier run.
            state.before = Some(done);
            state.began = Instant::now();
            return;
        };
        let speed = speed(done - before, self.total - done, state.began.elapsed());
        self.bar.set_message(speed.clone());
        if self.lines && state.printed.elapsed() >= LINES {
            state.printed = Instant::now();
            let total = format_count(self.total, "photo", "photos");
            self.print(&format!("{done} of {total}{speed}"));
        }
    }

    /// Prints a message without breaking the bar.
    pub(super) fn print(&self, text: &str) {
        // If standard error is closed there is nobody to inform.
        self.bar.suspend(|| drop(writeln!(terminal::stderr(), "{text}")));
    }

    /// Removes the bar to make room for the summary, and prints the number of photos read by this
    /// process, if it reads any.
    pub(super) fn end(&self, read: Option<u64>) {
        self.bar.finish_and_clear();
        if let Some(read) = read.filter(|_| !self.quiet) {
            let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let took = state.began.elapsed().as_secs_f64();
            let rate = read as f64 / took.max(0.001);
            let read = format_count(read, "photo", "photos");
            self.print(&format!("{read} read in {}, {rate:.1} a second", time(took)));
        }
    }
}

/// Returns the rate of reading, and the time left.
fn speed(read: u64, left: u64, took: Duration) -> String {
    let rate = read as f64 / took.as_secs_f64().max(0.001);
    let mut text = format!(", {rate:.1} a second");
    if read > 0 {
        let _ = write!(text, ", {} left", time(left as f64 / rate));
    }
    text
}

/// Formats a time in its two largest units.
fn time(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// Destination of the log: above the bar.
#[derive(Debug, Clone)]
pub(super) struct Log(pub(super) std::sync::Arc<BatchProgress>);

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.print(String::from_utf8_lossy(line).trim_end());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_time_left_are_printed() {
        let text = speed(1_000, 1_800, Duration::from_secs(100));
        assert_eq!(text, ", 10.0 a second, 3 min 0 s left");
        assert_eq!(speed(0, 5, Duration::from_secs(3)), ", 0.0 a second");
        assert_eq!([time(59.4), time(3600.0 * 25.0)], ["59 s", "25 h 0 min"]);
    }
}
