//! `--picture FILE`: the scored hand drawn into a file.

use std::path::{Path, PathBuf};

use tilesight_core::contract::ScoredHand;
use tilesight_core::explain::Lang;
use tilesight_pictures::picture::{Format, Picture, UnknownFormat};

use crate::cli::output::file::{OutputError, OutputFile, OutputOption};

/// Width of a PNG in pixels: half as much again as in the picture's own units, sharp on a phone.
const WIDTH: u32 = 1440;

/// Path and format of a picture.
#[derive(Debug, Clone)]
pub(super) struct PictureFile {
    path: PathBuf,
    format: Format,
}

impl PictureFile {
    /// Parses the argument; clap reports an error.
    pub(super) fn parse(path: &str) -> Result<PictureFile, UnknownFormat> {
        Ok(PictureFile { path: PathBuf::from(path), format: Format::from_path(Path::new(path))? })
    }

    /// Checks that the file may be written.
    ///
    /// # Errors
    /// [`OutputError`].
    pub(super) fn output<'p>(
        &self,
        force: bool,
        inputs: impl IntoIterator<Item = &'p Path>,
    ) -> Result<OutputFile, OutputError> {
        let option = OutputOption { name: "--picture", endings: &["svg", "png"], force };
        option.check(&self.path, inputs)
    }

    /// Draws a scored hand.
    ///
    /// # Errors
    /// When the file can't be written.
    pub(super) fn write(
        &self,
        file: &OutputFile,
        scored: &ScoredHand,
        lang: Lang,
    ) -> anyhow::Result<()> {
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
        file.write(&bytes)
    }
}
