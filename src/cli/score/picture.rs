//! `--picture FILE`: the scored hand drawn into a file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::contract::ScoredHand;
use crate::explain::Lang;
use crate::picture::{Format, Picture, UnknownFormat};

/// Pixels across a PNG: half as much again as the picture's own units, sharp on a phone.
const WIDTH: u32 = 1440;

/// Where a picture goes, and as what.
#[derive(Debug, Clone)]
pub(super) struct PictureFile {
    path: PathBuf,
    format: Format,
}

impl PictureFile {
    /// Reads the argument; clap says what is wrong with it.
    pub(super) fn parse(path: &str) -> Result<PictureFile, UnknownFormat> {
        Ok(PictureFile { path: PathBuf::from(path), format: Format::of(Path::new(path))? })
    }

    /// Draws a scored hand.
    ///
    /// # Errors
    /// When the file can't be written.
    pub(super) fn write(&self, scored: &ScoredHand, lang: Lang) -> anyhow::Result<()> {
        let prepared = &scored.prepared;
        let picture = Picture {
            setup: &prepared.setup,
            context: &prepared.context,
            assumed: &prepared.assumed,
            score: scored.score(),
            range: scored.range.as_ref(),
            ruleset: &prepared.ruleset,
            lang,
        };
        let bytes = match self.format {
            Format::Svg => picture.svg().into_bytes(),
            Format::Png => picture.png(WIDTH)?,
        };
        fs::write(&self.path, bytes)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}
