//! The program's own pictures of the tiles, as SVG and as pixels.
//!
//! `scripts/tile_art` draws the set into `assets/tiles`, and this module embeds it. Input: a face.
//! Output: its SVG, or an image of it at a given width ([`Rasters`]). Invariant: every face has a
//! picture with an aspect ratio of 3:4 and a drawn tile body, so that it is visible on any
//! background.

use std::cell::OnceCell;

use image::RgbaImage;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use tilesight_core::tile::{Face, Suit, Tile};

/// Width and height of a picture in its own units.
pub const SIZE: (f32, f32) = (60.0, 80.0);

/// Minimum and maximum width of an image in pixels. Below, faces look alike; no use needs more.
const WIDTHS: (u32, u32) = (8, 1024);

macro_rules! pictures {
    ($($code:literal)*) => {
        [$(include_str!(concat!("../../../assets/tiles/", $code, ".svg"))),*]
    };
}

/// Pictures in the order of [`Tile::ALL`].
static TILES: [&str; Tile::KINDS] = pictures! {
    "1m" "2m" "3m" "4m" "5m" "6m" "7m" "8m" "9m"
    "1p" "2p" "3p" "4p" "5p" "6p" "7p" "8p" "9p"
    "1s" "2s" "3s" "4s" "5s" "6s" "7s" "8s" "9s"
    "E" "S" "W" "N" "C" "F" "P"
};

/// Pictures in the order of the bonus tiles.
static BONUS: [&str; 8] = pictures! { "f1" "f2" "f3" "f4" "s1" "s2" "s3" "s4" };

/// Pictures in the order of [`Suit::ALL`].
static RED_FIVES: [&str; 3] = pictures! { "0m" "0p" "0s" };

static BACK: &str = include_str!("../../../assets/tiles/back.svg");

/// Returns the picture of a face as an SVG document.
#[must_use]
pub fn svg(face: Face) -> &'static str {
    match face {
        Face::Tile(tile) => TILES[tile.index()],
        Face::Bonus(bonus) => BONUS[bonus.index()],
        Face::Back => BACK,
    }
}

/// Returns the picture of a suit's red five. Everywhere else a red five counts as an ordinary five.
#[must_use]
pub fn red_five(suit: Suit) -> &'static str {
    RED_FIVES[suit as usize]
}

/// Returns the shapes of a picture without the surrounding document, for use in another document.
#[must_use]
pub(crate) fn shapes(face: Face) -> &'static str {
    let text = svg(face);
    let inner = text.split_once('\n').and_then(|(_, rest)| rest.trim_end().strip_suffix("</svg>"));
    inner.expect("the generator puts the document's tags on lines of their own").trim_end()
}

/// Images of tiles at one width. Each is drawn when it is first used.
#[derive(Debug)]
pub struct Rasters {
    width: u32,
    images: [OnceCell<RgbaImage>; Face::PRINTED + 1],
}

impl Rasters {
    /// Creates a set of images of a width in pixels, limited to 8 to 1024. Their height is 4/3 of
    /// it.
    #[must_use]
    pub fn new(width: u32) -> Rasters {
        Rasters {
            width: width.clamp(WIDTHS.0, WIDTHS.1),
            images: [const { OnceCell::new() }; Face::PRINTED + 1],
        }
    }

    /// Returns the width and height of every image.
    #[must_use]
    pub const fn size(&self) -> (u32, u32) {
        (self.width, (self.width * 4).div_ceil(3))
    }

    /// Returns the image of a face: transparent outside its round corners, with alpha not
    /// premultiplied.
    pub fn get(&self, face: Face) -> &RgbaImage {
        let place = match face {
            Face::Tile(tile) => tile.index(),
            Face::Bonus(bonus) => Tile::KINDS + bonus.index(),
            Face::Back => Face::PRINTED,
        };
        self.images[place].get_or_init(|| {
            let tree = Tree::from_str(svg(face), &Options::default());
            draw(&tree.expect("the set is tested to be valid SVG"), self.size())
        })
    }
}

/// Returns the image of a face at a width in pixels. To draw many images, keep a [`Rasters`].
#[must_use]
pub fn raster(face: Face, width: u32) -> RgbaImage {
    Rasters::new(width).get(face).clone()
}

/// Draws a document so that it fills an image. Both sides of `size` must be above 0.
pub(crate) fn draw(tree: &Tree, size: (u32, u32)) -> RgbaImage {
    let (width, height) = size;
    let scale = (width as f32 / tree.size().width(), height as f32 / tree.size().height());
    let mut pixels = Pixmap::new(width, height).expect("the callers bound both sides");
    resvg::render(tree, Transform::from_scale(scale.0, scale.1), &mut pixels.as_mut());
    RgbaImage::from_raw(width, height, pixels.take_demultiplied())
        .expect("four bytes for every pixel")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use super::*;

    fn faces() -> impl Iterator<Item = Face> {
        let printed = Face::printed();
        printed.chain([Face::Back])
    }

    #[test]
    fn every_face_has_the_picture_of_its_code() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("assets/tiles");
        for face in faces() {
            let file = folder.join(format!("{face}.svg"));
            let text = std::fs::read_to_string(&file).expect("one file for each code");
            assert!(text == svg(face), "{face} has another tile's picture");
            assert!(shapes(face).starts_with("<rect"), "{face}");
            assert!(!shapes(face).contains("svg"), "{face}");
        }
        for suit in Suit::ALL {
            let file = folder.join(format!("0{}.svg", suit.letter()));
            let text = std::fs::read_to_string(&file).expect("one file for each code");
            assert!(text == red_five(suit), "{suit:?}");
        }
    }

    #[test]
    fn every_face_looks_different_at_24_pixels() {
        let small = Rasters::new(24);
        let different: HashSet<_> = faces().map(|face| small.get(face).as_raw().clone()).collect();
        assert_eq!(different.len(), Face::PRINTED + 1);
    }

    #[test]
    fn images_have_the_size_asked_for_and_clear_corners() {
        for (asked, size) in [(24, (24, 32)), (60, (60, 80)), (0, (8, 11)), (9000, (1024, 1366))] {
            let image = raster(Face::Back, asked);
            assert_eq!(image.dimensions(), size);
            let corner = image.get_pixel(0, 0).0[3];
            assert!(corner == 0 || size.0 < 24, "{size:?}: the corner is not part of the tile");
            assert_eq!(image.get_pixel(size.0 / 2, size.1 / 2).0[3], 255);
        }
    }

    #[test]
    fn an_image_is_drawn_once() {
        let rasters = Rasters::new(40);
        let face = Face::Tile(Tile::ALL[0]);
        assert!(std::ptr::eq(rasters.get(face), rasters.get(face)));
    }
}
