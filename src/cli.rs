//! The command line: what can be typed, and how a command ends.
//!
//! Input: the arguments of the process. Output: text or JSON on standard output, complaints on
//! standard error, and one of the exit codes of [`Exit`]. Each subcommand has its own file with an
//! `Args` struct and a `run(&Args) -> anyhow::Result<Exit>`; this file only names them. An
//! `Err` is a failure of the machine (a missing model, a full disk): it is printed as one line
//! and ends with [`Exit::Unavailable`]. What is wrong with the *input* a subcommand reports itself.

#[cfg(feature = "batch")]
pub mod batch;
#[cfg(feature = "runtime")]
pub mod classify;
mod complaint;
pub mod completions;
pub mod context;
#[cfg(feature = "runtime")]
pub mod device;
#[cfg(feature = "runtime")]
pub mod doctor;
#[cfg(feature = "jobs")]
pub mod game;
#[cfg(feature = "http")]
pub mod health;
#[cfg(feature = "http")]
pub mod keys;
#[cfg(feature = "http")]
mod log;
pub mod manual;
mod other;
mod output_file;
#[cfg(feature = "runtime")]
mod photo;
#[cfg(feature = "http")]
mod places;
#[cfg(feature = "runtime")]
pub mod read;
#[cfg(all(feature = "batch", feature = "http"))]
pub mod review;
#[cfg(feature = "http")]
mod rights;
pub mod rules;
pub mod score;
#[cfg(feature = "http")]
pub mod serve;
#[cfg(feature = "http")]
pub mod settings;
#[cfg(feature = "batch")]
mod signals;
pub mod table;
mod terminal;
#[cfg(all(feature = "fleet", feature = "http"))]
pub mod worker;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use tilesight_core::printable::escaped_lines;

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  the input was understood, but there is nothing to score or read in it
  2  the arguments or the input cannot be used as they are
  3  something is missing or broken on this machine (models, ONNX Runtime, files, network)
130  a batch was interrupted; the same command continues it";

/// Reads a photo of a winning mahjong hand and scores it.
#[derive(Debug, Parser)]
#[command(name = "tilesight", version, about, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// One variant for each subcommand.
#[derive(Debug, Subcommand)]
enum Command {
    /// Scores a typed hand
    Score(score::Args),
    /// Lists, explains and checks rule sets
    Rules(rules::Args),
    /// Reads photos of hands and scores them
    #[cfg(feature = "runtime")]
    Read(read::Args),
    /// Reads thousands of photos into files of results
    #[cfg(feature = "batch")]
    Batch(batch::Args),
    /// Opens the photos of a batch that are in doubt in the page, to correct them
    #[cfg(all(feature = "batch", feature = "http"))]
    Review(review::Args),
    /// Names pictures of single tiles
    #[cfg(feature = "runtime")]
    Classify(classify::Args),
    /// Checks the installation, and says what to run when something is missing
    #[cfg(feature = "runtime")]
    Doctor(doctor::Args),
    /// Keeps the score sheet of an evening
    #[cfg(feature = "jobs")]
    Game(game::Args),
    /// Runs the HTTP service
    #[cfg(feature = "http")]
    Serve(serve::Args),
    /// Reads the photos of a fleet's jobs on this machine
    #[cfg(all(feature = "fleet", feature = "http"))]
    Worker(worker::Args),
    /// Checks whether a service on this machine can read photos
    #[cfg(feature = "http")]
    Health(health::Args),
    /// Makes keys for the service
    #[cfg(feature = "http")]
    Keys(keys::Args),
    /// Prints a script that completes the command's words in a shell
    Completions(completions::Args),
    /// Writes the manual pages of all subcommands into a folder
    Man(manual::Args),
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Success.
    Done = 0,
    /// The input was understood, but holds no hand that can be scored or read.
    NoResult = 1,
    /// The arguments or the input cannot be used; clap ends with the same code.
    BadInput = 2,
    /// Something is missing or broken on this machine.
    Unavailable = 3,
    /// It was interrupted, with the code that shells use for SIGINT.
    Stopped = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let exit = match run(&Cli::try_parse().unwrap_or_else(|error| misunderstood(&error))) {
        Ok(exit) => exit,
        Err(error) => complain(&error),
    };
    exit.into()
}

/// Arguments may be file names from a shell pattern. Messages about those with control characters
/// are printed without colours, because clap would print them as they are.
fn misunderstood(error: &clap::Error) -> ! {
    let message = error.render().to_string();
    #[cfg(feature = "http")]
    if error.use_stderr() && log::is_json_wanted(std::env::args_os().skip(1)) {
        let message = message.strip_prefix("error: ").unwrap_or(&message).trim_end().to_owned();
        let _ = log::fail(true, Exit::BadInput, &anyhow::Error::msg(message));
        std::process::exit(error.exit_code());
    }
    if escaped_lines(&message) == message {
        error.exit();
    }
    // Nobody is left to tell when standard error is closed.
    let _ = write!(terminal::stderr(), "{message}");
    std::process::exit(error.exit_code());
}

fn run(cli: &Cli) -> anyhow::Result<Exit> {
    match &cli.command {
        Command::Score(args) => score::run(args),
        Command::Rules(args) => rules::run(args),
        #[cfg(feature = "runtime")]
        Command::Read(args) => read::run(args),
        #[cfg(feature = "batch")]
        Command::Batch(args) => run_batch(args),
        #[cfg(all(feature = "batch", feature = "http"))]
        Command::Review(args) => review::run(args),
        #[cfg(feature = "runtime")]
        Command::Classify(args) => classify::run(args),
        #[cfg(feature = "runtime")]
        Command::Doctor(args) => doctor::run(args),
        #[cfg(feature = "jobs")]
        Command::Game(args) => game::run(args),
        #[cfg(feature = "http")]
        Command::Serve(args) => serve::run(args),
        #[cfg(all(feature = "fleet", feature = "http"))]
        Command::Worker(args) => worker::run(args),
        #[cfg(feature = "http")]
        Command::Health(args) => health::run(args),
        #[cfg(feature = "http")]
        Command::Keys(args) => keys::run(args),
        Command::Completions(args) => completions::run(args, Cli::command()),
        Command::Man(args) => manual::run(args, Cli::command()),
    }
}

/// A batch, and its review where that is wanted.
#[cfg(feature = "batch")]
fn run_batch(args: &batch::Args) -> anyhow::Result<Exit> {
    let exit = batch::run(args)?;
    #[cfg(feature = "http")]
    if let Some((out, book)) = args.review_after(exit) {
        return review::open_after(out, book);
    }
    Ok(exit)
}

/// One line on standard error; a closed pipe is how `| head` ends, and not a failure.
fn complain(error: &anyhow::Error) -> Exit {
    let closed_pipe = error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
    if closed_pipe {
        return Exit::Done;
    }
    // Nobody is left to tell when standard error is closed too.
    let _ = writeln!(terminal::stderr(), "error: {error:#}");
    Exit::Unavailable
}
