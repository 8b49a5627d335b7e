//! A note of how a batch was run, kept in its folder for reviewers.
//!
//! Output: `state/run.json` with the command and its language. Invariant: nothing in the results
//! depends on it.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tilesight_core::explain::Lang;
use tilesight_jobs::plan::STATE;
use tilesight_vision::DecodeLimits;

/// Name of the file.
const NOTE: &str = "run.json";

/// Command and settings of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::cli) struct RunNote {
    /// Arguments of the process, without the program's name.
    args: Vec<String>,
    /// Language of names and questions.
    pub(in crate::cli) lang: Lang,
    /// Maximum numbers of bytes and pixels of a photo.
    limits: (usize, u64),
}

impl RunNote {
    /// Returns the note for this process, without the argument that opens the review.
    pub(super) fn new(lang: Lang, limits: &DecodeLimits) -> RunNote {
        let args = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned());
        let limits = (limits.bytes, limits.pixels);
        RunNote { args: args.filter(|arg| arg != "--review").collect(), lang, limits }
    }

    /// Writes the note into a folder of results.
    pub(super) fn write(&self, out: &Path) -> io::Result<()> {
        fs::write(out.join(STATE).join(NOTE), serde_json::to_vec(self)?)
    }

    /// Reads the note from a folder of results.
    pub(in crate::cli) fn read(out: &Path) -> io::Result<RunNote> {
        Ok(serde_json::from_slice(&fs::read(out.join(STATE).join(NOTE))?)?)
    }

    /// Returns the limits on a photo.
    pub(in crate::cli) fn limits(&self) -> DecodeLimits {
        let (bytes, pixels) = self.limits;
        DecodeLimits::new(Some(bytes), Some(pixels), None)
    }

    /// Returns the command as it is typed in a shell.
    pub(in crate::cli) fn command(&self) -> String {
        let quoted = self.args.iter().map(|arg| quote(arg));
        std::iter::once("tilesight".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
    }
}

/// Returns an argument as it is typed in a shell.
fn quote(arg: &str) -> String {
    let is_plain = arg.chars().all(|c| c.is_alphanumeric() || "-_./,=:@%+".contains(c));
    if is_plain && !arg.is_empty() {
        return arg.to_owned();
    }
    format!("'{}'", arg.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_can_be_typed_again() {
        let args = ["batch", "club 1/*.jpg", "--out", "out", "--names", "it's"];
        let args = args.map(str::to_owned).to_vec();
        let note = RunNote { args, lang: Lang::En, limits: (1, 1) };
        assert_eq!(note.command(), r"tilesight batch 'club 1/*.jpg' --out out --names 'it'\''s'");
    }
}
