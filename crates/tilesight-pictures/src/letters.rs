//! Texts as outlines, for pictures that must not depend on the fonts of a machine.
//!
//! Input: a text and a size. Output: SVG path data of its glyphs, and their total width. The font
//! is Noto Sans reduced to the characters of the program's texts (`scripts/subset_font.py`). The
//! languages need no shaping, so each glyph is placed at the advance of the previous one.
//! Invariant: a character that is not in the font is drawn as the font's placeholder box, never
//! omitted.

use std::fmt::Write;
use std::sync::LazyLock;

use ttf_parser::{Face, OutlineBuilder};

static FONT: LazyLock<Face<'static>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../assets/fonts/tilesight-sans.otf");
    Face::parse(bytes, 0).expect("the font is tested to be one")
});

/// Path data in font units, with y growing upwards as in fonts.
pub(crate) struct GlyphOutline {
    data: String,
    /// Distance from the start of the first glyph to the end of the last.
    pub(crate) width: f32,
    /// Picture units per font unit.
    scale: f32,
}

/// Returns the outline of a text whose em is `size` high.
pub(crate) fn outline(text: &str, size: f32) -> GlyphOutline {
    let mut pen = Pen { data: String::new(), x: 0.0 };
    for letter in text.chars() {
        let glyph = FONT.glyph_index(letter).unwrap_or_default();
        FONT.outline_glyph(glyph, &mut pen);
        pen.x += f32::from(FONT.glyph_hor_advance(glyph).unwrap_or_default());
    }
    let scale = size / f32::from(FONT.units_per_em());
    GlyphOutline { data: pen.data, width: pen.x * scale, scale }
}

impl GlyphOutline {
    /// Returns the SVG element of the text in one color, with its baseline starting at the given
    /// position.
    pub(crate) fn element(&self, x: f32, y: f32, colour: &str) -> String {
        let GlyphOutline { data, scale, .. } = self;
        format!(
            r#"<path fill="{colour}" transform="translate({x:.1} {y:.1}) scale({scale:.4} -{scale:.4})" d="{data}"/>"#
        )
    }
}

/// Builder that writes glyphs one after the other.
struct Pen {
    data: String,
    x: f32,
}

impl Pen {
    fn command(&mut self, letter: char, points: &[(f32, f32)]) {
        self.data.push(letter);
        for &(x, y) in points {
            write!(self.data, "{} {} ", self.x + x, y).expect("a String grows");
        }
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.command('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.command('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.command('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.command('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.command('Z', &[]);
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::explain::Lang;
    use tilesight_core::rules::Book;

    use super::*;

    /// A character without a glyph would be a box in the PNG: `scripts/subset_font.py` adds it.
    #[test]
    fn the_font_has_every_character_of_our_words() {
        let missing = missing(&every_word());
        assert!(missing.is_empty(), "run scripts/subset_font.py: no glyph for {missing:?}");
    }

    fn every_word() -> String {
        let mut words = String::from("0123456789 ×·:;");
        for lang in Lang::ALL {
            for profile in Book::shipped().profiles() {
                words.extend(profile.rules().lines().iter().map(|(rule, _)| rule.name(lang)));
            }
            words += &format!("{:?}", lang.labels());
        }
        words
    }

    fn missing(text: &str) -> Vec<char> {
        text.chars().filter(|&letter| FONT.glyph_index(letter).is_none()).collect()
    }

    #[test]
    fn a_character_without_a_glyph_is_a_box() {
        assert_eq!(missing("a\u{1F004}"), ['\u{1F004}']);
        assert!(!outline("\u{1F004}", 20.0).data.is_empty());
    }

    #[test]
    fn texts_are_as_wide_as_their_letters() {
        let width = |text| outline(text, 20.0).width;
        assert_eq!(width(""), 0.0);
        assert_eq!(width("番番"), 40.0, "a Chinese character is as wide as the em");
        assert!((width("Fan") - width("F") - width("a") - width("n")).abs() < 1e-3);
        assert_eq!(outline(" ", 20.0).data, "");
    }
}
