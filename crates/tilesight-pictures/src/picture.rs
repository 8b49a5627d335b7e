//! A scored hand as a picture, without any photo: its tiles, its fans with their points, the total.
//!
//! Input: a hand, its win context and its score. Output: an SVG document, or the same as PNG. The
//! tiles are drawn from [`tile_art`](crate::tile_art). The SVG contains its text as text, in a font
//! of the viewer; the PNG draws it with outlines of the program's own font, the same on every
//! machine.
//! Invariant: the picture shows exactly the hand's tiles (unnamed flowers as a number), and the
//! points add up to the total.

mod page;
mod table;

use std::path::Path;

use image::{ImageFormat, RgbaImage};
use resvg::usvg::{Options, Tree};
use tilesight_core::context::{Context, ContextField};
use tilesight_core::explain::Lang;
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::{Profile, Score, TotalRange};

use self::page::Writing;
use crate::tile_art;

/// Maximum width of a PNG. Pictures are at most a small multiple of their width high, so this
/// bounds the memory.
pub const MAX_WIDTH: u32 = 8192;

/// A scored hand to draw.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'a> {
    /// The hand as it was given.
    pub setup: &'a HandSetup,
    /// The win context.
    pub context: &'a Context,
    /// Fields of the win context that got a default.
    pub assumed: &'a [ContextField],
    /// The score.
    pub score: &'a Score,
    /// Possible totals, if a missing value changes the total.
    pub range: Option<&'a TotalRange>,
    /// Rule set that the hand was scored by.
    pub ruleset: &'a Profile,
    /// Language of names and labels.
    pub lang: Lang,
}

/// Format of a picture file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Vector graphics: sharp at any size.
    Svg,
    /// Pixels.
    Png,
}

/// Error when the extension of a file name is not a supported picture format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a picture is written as .svg or .png")]
pub struct UnknownFormat;

impl Format {
    /// Returns the format for a file's extension.
    ///
    /// # Errors
    /// [`UnknownFormat`] for any other extension.
    pub fn from_path(path: &Path) -> Result<Format, UnknownFormat> {
        match path.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("svg") => Ok(Format::Svg),
            Some(extension) if extension.eq_ignore_ascii_case("png") => Ok(Format::Png),
            _ => Err(UnknownFormat),
        }
    }
}

impl Picture<'_> {
    /// Returns the picture as an SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        page::draw(self, Writing::Text)
    }

    /// Returns the picture as PNG, `width` pixels wide (1 to [`MAX_WIDTH`]) and as high as it
    /// needs.
    ///
    /// # Errors
    /// An [`image::ImageError`] if the encoder fails.
    pub fn png(&self, width: u32) -> Result<Vec<u8>, image::ImageError> {
        let mut file = std::io::Cursor::new(Vec::new());
        self.image(width).write_to(&mut file, ImageFormat::Png)?;
        Ok(file.into_inner())
    }

    /// Renders the picture to pixels.
    fn image(&self, width: u32) -> RgbaImage {
        let svg = page::draw(self, Writing::Outlines);
        let tree =
            Tree::from_str(&svg, &Options::default()).expect("our own document is valid SVG");
        let width = width.clamp(1, MAX_WIDTH);
        let height = (width as f32 * tree.size().height() / tree.size().width()).round();
        tile_art::draw(&tree, (width, (height as u32).max(1)))
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::contract::{HandInput, PreparedHand, ScoreRequest, ScoredHand};

    use super::*;

    fn scored() -> ScoredHand {
        let hand = HandInput::Notation("[EEE,2][345s,2][CCCC]78m99p6m|SE1000|f1s2".to_owned());
        let request = ScoreRequest::from(hand);
        request
            .prepare(&tilesight_core::rules::Book::shipped())
            .and_then(|prepared| prepared.score())
            .expect("a winning hand")
    }

    fn picture(scored: &ScoredHand, lang: Lang) -> Picture<'_> {
        let PreparedHand { setup, context, assumed, ruleset, .. } = &scored.prepared;
        let range = scored.range.as_ref();
        Picture { setup, context, assumed, score: scored.score(), range, ruleset, lang }
    }

    #[test]
    fn a_png_decodes_and_is_as_wide_as_asked() {
        let scored = scored();
        for (asked, wide) in [(960, 960), (320, 320), (0, 1)] {
            let png = picture(&scored, Lang::En).png(asked).expect("the encoder has memory");
            let image = image::load_from_memory(&png).expect("a PNG");
            assert_eq!(image.width(), wide);
        }
    }

    /// Dark pixels below the felt show that the texts of every language are drawn in the PNG.
    #[test]
    fn words_are_drawn_in_every_language() {
        let scored = scored();
        for lang in Lang::ALL {
            let image = picture(&scored, lang).image(960);
            let names = (128..500).flat_map(|x| (280..500).map(move |y| (x, y)));
            let dark = names.filter(|&(x, y)| image.get_pixel(x, y).0[..3].iter().all(|&c| c < 90));
            assert!(dark.count() > 500, "{lang}");
        }
    }

    #[test]
    fn formats_follow_from_the_extension() {
        assert_eq!(Format::from_path(Path::new("a/hand.SVG")), Ok(Format::Svg));
        assert_eq!(Format::from_path(Path::new("hand.png")), Ok(Format::Png));
        assert_eq!(Format::from_path(Path::new("hand.jpg")), Err(UnknownFormat));
        assert_eq!(Format::from_path(Path::new("svg")), Err(UnknownFormat));
    }
}
