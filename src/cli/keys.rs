//! `tilesight keys new`: makes a key for the service.
//!
//! The key is printed once, on standard output; its line, with only a hash, goes into the file that
//! `serve --keys` reads. If a key is lost, make another and remove the line.

use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::Exit;
use crate::cli::terminal;
use crate::config::Limits;
use crate::http::{Keys, NewKey};
use crate::private;
use crate::trusted_file;

/// What `tilesight keys` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

/// What can be done with keys.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Makes a key, prints it once and adds its line to the file
    New {
        /// Name of the key's user, as it appears in the log
        name: String,
        /// The file that `serve --keys` reads
        #[arg(long, env = "TILESIGHT_KEYS", value_name = "FILE")]
        file: PathBuf,
        /// Requests a minute
        #[arg(long, value_name = "COUNT")]
        rate: Option<NonZeroU32>,
    },
}

/// Makes the key.
///
/// # Errors
/// When the file can't be read or written, or already has a key of this name.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let Command::New { name, file, rate } = &args.command;
    let key = NewKey::generate(name, *rate).context("the system has no random numbers")?;
    add(file, &key.line)?;
    writeln!(terminal::stdout(), "{}", key.secret)?;
    writeln!(
        terminal::stderr(),
        "This key is printed only once; {} has its hash.",
        file.display()
    )?;
    Ok(Exit::Done)
}

/// Adds a line, if the service can read the file with it.
fn add(file: &Path, line: &str) -> anyhow::Result<()> {
    let (before, is_new) = match trusted_file::read_to_string(file).map_err(io::Error::from) {
        Ok(text) => (text, false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (String::new(), true),
        Err(error) => return Err(error).with_context(|| file.display().to_string()),
    };
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    if let Err(error) = Keys::read(&format!("{before}{gap}{line}\n"), Limits::default().key_rate) {
        bail!("{}: {error}", file.display());
    }
    // Hashes tell nobody a key, but whose there are is nobody's business either.
    let mut options = private::options();
    // Not created where something is that leads nowhere, such as somebody else's link.
    options.create_new(is_new).append(true);
    let mut out = options.open(file).with_context(|| file.display().to_string())?;
    writeln!(out, "{gap}{line}").with_context(|| file.display().to_string())
}
