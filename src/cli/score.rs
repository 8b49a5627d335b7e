//! `tilesight score`: scores a typed hand.

use std::io::{self, Write};

use super::Exit;
use crate::notation::Notation;

/// What `tilesight score` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The hand, such as `[EEE,2][SSSS,1]WWWNN55pN|EE1000`
    hand: String,
}

/// Prints the hand in its canonical form.
///
/// # Errors
/// When standard output fails.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    match args.hand.parse::<Notation>() {
        Ok(notation) => writeln!(io::stdout(), "{notation}")?,
        Err(error) => {
            writeln!(io::stderr(), "error: {error}")?;
            return Ok(Exit::BadInput);
        }
    }
    Ok(Exit::Done)
}
