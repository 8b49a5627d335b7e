//! The command line: its arguments and its exit codes.
//!
//! Input: the arguments of the process. Output: text or JSON on standard output, error messages on
//! standard error, and one of the exit codes of [`Exit`]. Each subcommand has its own file with an
//! `Args` struct and a function `run`, which returns an [`Exit`] or the reason to [`Stop`]; this
//! file lists them and prints the reason.

mod args;
mod commands;
mod output;
mod process;
mod version;

use std::error::Error as _;
use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser};
use tilesight_core::printable::escaped_lines;

use self::commands::Command;
use self::output::{Exit, Stop, log, terminal};

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  the input was understood, but there is nothing to score or read in it
  2  the arguments or the input cannot be used as they are
  3  something is missing or broken on this machine (models, ONNX Runtime, files, network)
130  a batch was interrupted; the same command continues it";

/// Reads a photo of a winning mahjong hand and scores it.
#[derive(Debug, Parser)]
#[command(name = "tilesight", version, long_version = version::detailed(), about)]
#[command(after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| misunderstood(&error));
    cli.command.run(Cli::command).unwrap_or_else(Stop::report).into()
}

/// Prints clap's error and exits. Arguments may be file names from a shell pattern. Messages about
/// arguments with control characters are printed without colors, because clap would print these
/// characters unchanged.
fn misunderstood(error: &clap::Error) -> ! {
    let message = error.render().to_string();
    if error.use_stderr() && log::is_json_wanted(std::env::args_os().skip(1)) {
        let _ = log::fail(true, Exit::BadInput, &anyhow::Error::msg(line_of(error)));
        std::process::exit(error.exit_code());
    }
    if escaped_lines(&message) == message {
        error.exit();
    }
    // If standard error is closed, the message can't be delivered.
    let _ = write!(terminal::stderr(), "{message}");
    std::process::exit(error.exit_code());
}

/// Returns clap's error as one line of a log: its kind, the arguments and values that it is about,
/// and its cause. The usage, which has no name, is left out.
fn line_of(error: &clap::Error) -> String {
    let context =
        error.context().filter_map(|(kind, value)| Some(format!("{}: {value}", kind.as_str()?)));
    let cause = error.source().map(ToString::to_string);
    let parts = std::iter::once(error.kind().to_string()).chain(context).chain(cause);
    parts.collect::<Vec<_>>().join("; ")
}
