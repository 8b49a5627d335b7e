//! `tilesight man`: the manual pages of the command and of all its subcommands.
//!
//! Input: a folder, which is created if necessary. Output: `tilesight.1`, `tilesight-game-win.1`
//! and so on, made from the same definitions as the text of `--help`. Invariant: only manual pages
//! of this program are overwritten.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Command;
use clap_mangen::Man;

use crate::cli::output::{Exit, Stop, terminal};

/// Name of the manual, which each page has in its first line.
const MANUAL: &str = "Tilesight Manual";

/// Arguments of `tilesight man`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Folder for the pages, such as ~/.local/share/man/man1
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// A manual page and its path.
struct ManualPage {
    file: PathBuf,
    text: Vec<u8>,
}

/// Writes the manual pages of a command.
///
/// # Errors
/// When the folder can't be written.
pub(super) fn run(args: &Args, command: Command) -> Result<Exit, Stop> {
    // The pages are the same on every platform.
    let mut command = command.long_version(None::<&'static str>).disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    collect(&command, &args.folder, &mut pages)?;
    if let Some(page) = pages.iter().find(|page| is_foreign(&page.file)) {
        let file = page.file.display();
        return Err(Stop::bad_input(format!(
            "{file} is not a manual page of this program: name another folder"
        )));
    }
    fs::create_dir_all(&args.folder).with_context(|| unwritable(&args.folder))?;
    for page in &pages {
        fs::write(&page.file, &page.text).with_context(|| unwritable(&page.file))?;
    }
    let count = pages.len();
    let folder = args.folder.display();
    writeln!(terminal::stdout(), "{count} manual pages in {folder}: man {folder}/tilesight.1")?;
    Ok(Exit::Done)
}

fn unwritable(path: &Path) -> String {
    format!("{} can't be written", path.display())
}

/// Collects the pages of a command and of its subcommands, which are named after both.
fn collect(command: &Command, folder: &Path, pages: &mut Vec<ManualPage>) -> anyhow::Result<()> {
    for subcommand in command.get_subcommands().filter(|one| one.get_name() != "help") {
        collect(subcommand, folder, pages)?;
    }
    let source = concat!("tilesight ", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command.clone()).source(source).manual(MANUAL);
    let mut text = Vec::new();
    page.render(&mut text)?;
    pages.push(ManualPage { file: folder.join(page.get_filename()), text });
    Ok(())
}

/// Returns whether the path exists and is not a manual page of this program.
fn is_foreign(file: &Path) -> bool {
    match fs::read_to_string(file) {
        Ok(text) => !text.lines().any(|line| line.starts_with(".TH") && line.contains(MANUAL)),
        Err(_) => file.symlink_metadata().is_ok(),
    }
}
