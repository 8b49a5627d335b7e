//! The log of the long-running processes: `serve`, `worker` and `review`.
//!
//! Input: whether lines are JSON. Output: lines on standard error. Invariant: with `--log-json`
//! every line that the process writes is JSON, also on standard output: the address, an error that
//! ends the process, and the message of a panic.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _, Write as _};
use std::panic;

use serde_json::json;
use tilesight_jobs::worker_threads::panic_message;
use tracing_subscriber::EnvFilter;

use super::exit::Exit;
use super::terminal;

/// Logs to standard error; `TILESIGHT_LOG` sets the filter, such as `tilesight=debug`.
pub(in crate::cli) fn start(json: bool) {
    let filter = EnvFilter::try_from_env("TILESIGHT_LOG")
        .unwrap_or_else(|_| EnvFilter::new("tilesight=info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    // This fails only if a logger is set already, as in a test.
    if json {
        let _ = log.json().try_init();
        log_panics();
    } else {
        let _ = log.try_init();
    }
}

/// Returns whether arguments that can't be parsed request a log as JSON, by their flag or by the
/// environment.
pub(in crate::cli) fn is_json_wanted(mut args: impl Iterator<Item = OsString>) -> bool {
    if !args.next().is_some_and(|command| command == "serve" || command == "worker") {
        return false;
    }
    let in_environment = std::env::var_os("TILESIGHT_LOG_JSON");
    let mut wanted = in_environment.is_some_and(|value| !is_no(&value));
    let mut args = args.peekable();
    while let Some(arg) = args.next() {
        if arg == "--log-json" {
            wanted = !args.peek().is_some_and(|value| is_no(value));
        } else if let Some(value) = arg.to_str().and_then(|arg| arg.strip_prefix("--log-json=")) {
            wanted = !is_no(value.as_ref());
        }
    }
    wanted
}

fn is_no(value: &OsStr) -> bool {
    ["", "0", "f", "false", "n", "no", "off"].iter().any(|no| value.eq_ignore_ascii_case(no))
}

/// Logs the messages of panics. `RUST_BACKTRACE=1` adds a backtrace.
fn log_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let message = panic_message(info.payload());
        let backtrace = Backtrace::capture();
        let is_captured = backtrace.status() == BacktraceStatus::Captured;
        let calls = is_captured.then(|| backtrace.to_string());
        tracing::error!(place, calls, "panicked: {message}");
    }));
}

/// Prints a message for other programs, such as the address, on standard output.
///
/// # Errors
/// When standard output is closed.
pub(in crate::cli) fn announce(json: bool, line: &str) -> io::Result<()> {
    let mut out = terminal::stdout();
    if json {
        writeln!(out, "{}", json!({ "message": line }))?;
    } else {
        writeln!(out, "{line}")?;
    }
    out.flush()
}

/// Reports an error that ends the process, and returns the exit code.
///
/// # Errors
/// When standard error is closed.
pub(in crate::cli) fn fail(json: bool, exit: Exit, error: &anyhow::Error) -> io::Result<Exit> {
    if json {
        start(true);
        tracing::error!("{error:#}");
    } else {
        writeln!(terminal::stderr(), "error: {error:#}")?;
    }
    Ok(exit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_says_how_its_own_faults_are_printed() {
        for (args, expected) in [
            ("serve --log-json --wokers 4", true),
            ("worker --nats x --log-json", true),
            ("serve --log-json true --wokers", true),
            ("serve --log-json=false --wokers", false),
            ("serve --log-json false", false),
            ("serve --wokers", false),
            ("read --log-json", false),
            ("--log-json", false),
            ("", false),
        ] {
            let args = args.split_whitespace().map(OsString::from);
            assert_eq!(is_json_wanted(args.clone()), expected, "{:?}", args.collect::<Vec<_>>());
        }
    }
}
