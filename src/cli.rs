//! The command line: its arguments and its exit codes.
//!
//! Input: the arguments of the process. Output: text or JSON on standard output, error messages on
//! standard error, and one of the exit codes of [`Exit`]. Each subcommand has its own file with an
//! `Args` struct and a function `run`, which returns an [`Exit`] or the reason to [`Stop`]; this
//! file lists them and prints the reason.

pub mod batch;
pub mod classify;
mod columns;
mod complaint;
pub mod completions;
pub mod context;
mod data_paths;
pub mod device;
pub mod doctor;
mod fleet;
pub mod game;
pub mod health;
pub mod keys;
mod log;
pub mod manual;
mod other;
mod output_file;
mod photo;
pub mod read;
pub mod review;
mod rights;
pub mod rules;
pub mod score;
pub mod serve;
pub mod set;
mod sets;
pub mod settings;
mod signals;
mod stop;
pub mod table;
mod terminal;
mod version;
#[cfg(feature = "fleet")]
pub mod worker;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use tilesight_core::printable::escaped_lines;

pub use self::stop::{Exit, Stop};

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

/// Subcommands, one variant each.
#[derive(Debug, Subcommand)]
enum Command {
    /// Scores a typed hand
    Score(score::Args),
    /// Lists, explains and checks rule sets
    Rules(rules::Args),
    /// Reads photos of hands and scores them
    Read(read::Args),
    /// Reads thousands of photos into files of results
    Batch(batch::Args),
    /// Opens the doubtful photos of a batch in the page, to correct them
    Review(review::Args),
    /// Names pictures of single tiles
    Classify(classify::Args),
    /// Teaches the program your own tile set from a photo of it
    Set(set::Args),
    /// Checks the installation, and prints what to run if something is missing
    Doctor(doctor::Args),
    /// Keeps the score sheet of an evening
    Game(game::Args),
    /// Runs the HTTP service
    Serve(serve::Args),
    /// Reads the photos of a fleet's jobs on this machine
    #[cfg(feature = "fleet")]
    Worker(worker::Args),
    /// Checks whether a service on this machine can read photos
    Health(health::Args),
    /// Creates keys for the service
    Keys(keys::Args),
    /// Prints a shell completion script
    Completions(completions::Args),
    /// Writes the manual pages of all subcommands into a folder
    Man(manual::Args),
}

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| misunderstood(&error));
    run(&cli).unwrap_or_else(Stop::report).into()
}

/// Prints clap's error and exits. Arguments may be file names from a shell pattern. Messages about
/// arguments with control characters are printed without colors, because clap would print these
/// characters unchanged.
fn misunderstood(error: &clap::Error) -> ! {
    let message = error.render().to_string();
    if error.use_stderr() && log::is_json_wanted(std::env::args_os().skip(1)) {
        let message = message.strip_prefix("error: ").unwrap_or(&message).trim_end().to_owned();
        let _ = log::fail(true, Exit::BadInput, &anyhow::Error::msg(message));
        std::process::exit(error.exit_code());
    }
    if escaped_lines(&message) == message {
        error.exit();
    }
    // If standard error is closed, the message can't be delivered.
    let _ = write!(terminal::stderr(), "{message}");
    std::process::exit(error.exit_code());
}

fn run(cli: &Cli) -> Result<Exit, Stop> {
    match &cli.command {
        Command::Score(args) => score::run(args),
        Command::Rules(args) => rules::run(args),
        Command::Read(args) => read::run(args),
        Command::Batch(args) => run_batch(args),
        Command::Review(args) => review::run(args),
        Command::Classify(args) => Ok(classify::run(args)?),
        Command::Set(args) => set::run(args),
        Command::Doctor(args) => Ok(doctor::run(args)?),
        Command::Game(args) => game::run(args),
        Command::Serve(args) => serve::run(args),
        #[cfg(feature = "fleet")]
        Command::Worker(args) => worker::run(args),
        Command::Health(args) => Ok(health::run(args)?),
        Command::Keys(args) => Ok(keys::run(args)?),
        Command::Completions(args) => Ok(completions::run(args, Cli::command())?),
        Command::Man(args) => manual::run(args, Cli::command()),
    }
}

/// Runs a batch and, if requested, its review.
fn run_batch(args: &batch::Args) -> Result<Exit, Stop> {
    let exit = batch::run(args)?;
    if let Some((out, book)) = args.review_after(exit) {
        return review::open_after(out, book);
    }
    Ok(exit)
}
