//! `tilesight completions`: a script with which a shell completes subcommands and options.
//!
//! Input: the name of a shell. Output: the script on standard output, made from the same
//! definitions as the text of `--help`.

use std::io::Write as _;

use clap::Command;
use clap_complete::{Shell, generate};

use crate::cli::output::{Exit, terminal};

const INSTALL: &str = "\
Load it once per shell:
  bash:  tilesight completions bash > ~/.local/share/bash-completion/completions/tilesight
  zsh:   tilesight completions zsh > FOLDER/_tilesight, where $fpath names FOLDER
  fish:  tilesight completions fish > ~/.config/fish/completions/tilesight.fish";

/// Arguments of `tilesight completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = INSTALL)]
pub(in crate::cli) struct Args {
    /// Shell to print the script for
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the completion script for a command.
///
/// # Errors
/// When standard output is closed.
pub(super) fn run(args: &Args, mut command: Command) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    generate(args.shell, &mut command, "tilesight", &mut script);
    let mut out = terminal::data();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn every_shell_has_a_name_in_the_help() {
        let names: Vec<String> = Shell::value_variants().iter().map(Shell::to_string).collect();
        assert_eq!(names, ["bash", "elvish", "fish", "powershell", "zsh"]);
    }
}
