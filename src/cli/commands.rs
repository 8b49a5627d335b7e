//! The subcommands: a file for each, with its arguments and a function that runs it.

mod backup;
mod batch;
mod classify;
mod completions;
mod doctor;
mod game;
mod health;
mod journal;
mod keys;
mod manual;
mod read;
mod restore;
mod review;
mod rules;
mod score;
mod series;
mod serve;
mod set;
#[cfg(feature = "fleet")]
mod worker;

use clap::Subcommand;

use super::output::{Exit, Stop};

/// Subcommands, one variant each.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
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
    /// Keeps a league or a tournament: seats rounds, enters results, shows standings
    Series(series::Args),
    /// Runs the HTTP service
    Serve(serve::Args),
    /// Reads the photos of a fleet's jobs on this machine
    #[cfg(feature = "fleet")]
    Worker(worker::Args),
    /// Checks whether a service on this machine can read photos
    Health(health::Args),
    /// Creates keys for the service
    Keys(keys::Args),
    /// Saves everything that a service stores, also while it runs
    Backup(backup::Args),
    /// Restores what `backup` saved, or checks it
    Restore(restore::Args),
    /// Prints a shell completion script
    Completions(completions::Args),
    /// Writes the manual pages of all subcommands into a folder
    Man(manual::Args),
}

impl Command {
    /// Runs the subcommand of a command.
    pub(super) fn run(&self, whole: fn() -> clap::Command) -> Result<Exit, Stop> {
        match self {
            Command::Score(args) => score::run(args),
            Command::Rules(args) => rules::run(args),
            Command::Read(args) => read::run(args),
            Command::Batch(args) => run_batch(args),
            Command::Review(args) => review::run(args),
            Command::Classify(args) => Ok(classify::run(args)?),
            Command::Set(args) => set::run(args),
            Command::Doctor(args) => Ok(doctor::run(args)?),
            Command::Game(args) => game::run(args),
            Command::Series(args) => series::run(args),
            Command::Serve(args) => serve::run(args),
            #[cfg(feature = "fleet")]
            Command::Worker(args) => worker::run(args),
            Command::Health(args) => Ok(health::run(args)?),
            Command::Keys(args) => Ok(keys::run(args)?),
            Command::Backup(args) => backup::run(args),
            Command::Restore(args) => restore::run(args),
            Command::Completions(args) => Ok(completions::run(args, whole())?),
            Command::Man(args) => manual::run(args, whole()),
        }
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
