//! A scored hand as a picture, without any photo: its tiles, its fans with their points, the total.
//!
//! Input: a hand, its circumstances and its score. Output: an SVG document, or the same as PNG. The
//! tiles are our own ([`tile_art`](crate::tile_art)). The text of the SVG is text, set in whatever
//! the viewer has; the PNG brings its own font, so that it looks the same on every machine.
//! Invariant: the picture shows exactly the hand's tiles (unnamed flowers as a number), and the
//! points it shows add up to the total.

mod page;
mod table;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use image::{ImageFormat, RgbaImage};
use resvg::usvg::{Options, Tree, fontdb};

use crate::context::Context;
use crate::explain::Lang;
use crate::hand::HandSetup;
use crate::rules::Score;
use crate::tile_art;

/// Noto Sans cut down to the characters of our words, see `scripts/subset_font.py`.
static FONT: &[u8] = include_bytes!("../assets/fonts/tilesight-sans.otf");

/// The family name in it.
const FAMILY: &str = "Tilesight Sans";

static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(FONT.to_vec());
    fonts.set_sans_serif_family(FAMILY);
    Arc::new(fonts)
});

/// The widest PNG: pictures are at most a few times as high, so that every size stays in bounds.
pub const MAX_WIDTH: u32 = 8192;

/// A scored hand to be drawn.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'a> {
    /// The hand as it was given.
    pub setup: &'a HandSetup,
    /// The circumstances.
    pub context: &'a Context,
    /// The score.
    pub score: &'a Score,
    /// The language of names and labels.
    pub lang: Lang,
}

/// What a picture can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Lines and text: sharp at any size.
    Svg,
    /// Pixels.
    Png,
}

/// A file name that says no format a picture can be written as.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a picture is written as .svg or .png")]
pub struct UnknownFormat;

impl Format {
    /// The format that a file's extension asks for.
    ///
    /// # Errors
    /// [`UnknownFormat`] for any other extension; who named the file can fix it.
    pub fn of(path: &Path) -> Result<Format, UnknownFormat> {
        match path.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("svg") => Ok(Format::Svg),
            Some(extension) if extension.eq_ignore_ascii_case("png") => Ok(Format::Png),
            _ => Err(UnknownFormat),
        }
    }
}

impl Picture<'_> {
    /// The picture as an SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        page::draw(self)
    }

    /// The picture as PNG, so many pixels wide (1 to [`MAX_WIDTH`]) and as high as it needs.
    ///
    /// # Errors
    /// When the encoder fails.
    pub fn png(&self, width: u32) -> Result<Vec<u8>, image::ImageError> {
        let mut file = std::io::Cursor::new(Vec::new());
        self.image(width).write_to(&mut file, ImageFormat::Png)?;
        Ok(file.into_inner())
    }

    /// The picture's pixels.
    fn image(&self, width: u32) -> RgbaImage {
        let options =
            Options { fontdb: FONTS.clone(), font_family: FAMILY.to_owned(), ..Options::default() };
        let tree = Tree::from_str(&self.svg(), &options).expect("our own document is valid SVG");
        let width = width.clamp(1, MAX_WIDTH);
        let height = (width as f32 * tree.size().height() / tree.size().width()).round();
        tile_art::draw(&tree, (width, (height as u32).max(1)))
    }
}

#[cfg(test)]
mod tests {
    use resvg::usvg::{self, Node};
    use skrifa::{FontRef, MetadataProvider};

    use super::*;
    use crate::contract::{ContextDto, HandInput, ScoreRequest, Scored};
    use crate::explain;
    use crate::rules::Fan;

    fn scored() -> Scored {
        let hand = HandInput::Notation("[EEE,2][345s,2][CCCC]78m99p6m|SE1000|f1s2".to_owned());
        let request = ScoreRequest { hand, context: ContextDto::default() };
        request.prepare().and_then(|prepared| prepared.score()).expect("a winning hand")
    }

    fn picture(scored: &Scored, lang: Lang) -> Picture<'_> {
        let (setup, context) = (&scored.prepared.setup, &scored.prepared.context);
        Picture { setup, context, score: &scored.score, lang }
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

    /// A character without a glyph would leave a hole in the PNG: `scripts/subset_font.py` adds it.
    #[test]
    fn the_font_has_every_character_of_our_words() {
        let missing = missing_characters(&every_word());
        assert!(missing.is_empty(), "run scripts/subset_font.py: no glyph for {missing:?}");
        assert_eq!(missing_characters("a\u{1F004}"), ['\u{1F004}'], "the check can fail");
    }

    fn every_word() -> String {
        let mut words = String::from("0123456789 ×·:;");
        for lang in Lang::ALL {
            for fan in Fan::ALL {
                words += explain::fan(fan, lang).name;
            }
            let labels = format!("{:?}", lang.labels());
            words.extend(labels.chars().filter(|char| !char.is_control()));
        }
        words
    }

    /// Characters that the font draws as its box for what is missing.
    fn missing_characters(text: &str) -> Vec<char> {
        let glyphs = FontRef::new(FONT).expect("a font").charmap();
        text.chars().filter(|&char| glyphs.map(char).is_none()).collect()
    }

    #[test]
    fn all_text_becomes_outlines_in_the_png() {
        fn texts(group: &usvg::Group) -> (usize, usize) {
            group.children().iter().fold((0, 0), |(all, drawn), node| match node {
                Node::Text(text) => {
                    (all + 1, drawn + usize::from(!text.flattened().children().is_empty()))
                }
                Node::Group(inner) => {
                    let (a, d) = texts(inner);
                    (all + a, drawn + d)
                }
                _ => (all, drawn),
            })
        }
        let scored = scored();
        let options = Options { fontdb: FONTS.clone(), ..Options::default() };
        let tree = Tree::from_str(&picture(&scored, Lang::Zh).svg(), &options).expect("valid SVG");
        let (all, drawn) = texts(tree.root());
        assert!(all > 10, "{all} texts");
        assert_eq!(all, drawn);
    }

    #[test]
    fn formats_are_told_by_extension() {
        assert_eq!(Format::of(Path::new("a/hand.SVG")), Ok(Format::Svg));
        assert_eq!(Format::of(Path::new("hand.png")), Ok(Format::Png));
        assert_eq!(Format::of(Path::new("hand.jpg")), Err(UnknownFormat));
        assert_eq!(Format::of(Path::new("svg")), Err(UnknownFormat));
    }
}
