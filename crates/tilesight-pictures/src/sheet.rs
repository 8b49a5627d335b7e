//! The tiles of a sheet on their photo, each with the name that it is learned under.
//!
//! Input: the photo, and the outline and the name of every tile, of a sheet or of a hand. Output: a
//! copy of the photo with outlines, and a small drawn tile at the foot of each: blue where the name
//! is sure, red with a question mark where a person is asked. A tile without a name is grey.

use std::fmt::Write;

use image::{Pixel, Rgb, RgbImage};
use resvg::usvg::{Options, Tree};
use tilesight_core::tile::Face;
use tilesight_vision::geometry::{Point, Quad, median};
use tilesight_vision::sets::{HandLesson, SetSheet, UntaughtTile};

use crate::{letters, tile_art};

const SURE: &str = "#0072b2";
const OPEN: &str = "#e61414";
const UNNAMED: &str = "#969696";
const INK: &str = "#ffffff";

/// A tile of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetMark {
    /// Outline; corner 0 is the top left of the face.
    pub quad: Quad,
    /// Name of the tile; `None` for a tile that is left out.
    pub name: Option<String>,
    /// Whether a person need not be asked.
    pub is_sure: bool,
}

/// Marks the tiles of a sheet.
#[must_use]
pub fn marks_of_sheet(sheet: &SetSheet) -> Vec<SheetMark> {
    let tiles = sheet.rows().iter().flatten();
    tiles
        .map(|tile| SheetMark {
            quad: tile.seen.quad.rotated(tile.turn),
            name: tile.label.as_ref().map(ToString::to_string),
            is_sure: tile.is_sure,
        })
        .collect()
}

/// Marks the tiles of a hand: those that are learned as sure.
#[must_use]
pub fn marks_of_hand(lesson: &HandLesson) -> Vec<SheetMark> {
    let learned = lesson.tiles.iter().map(|tile| SheetMark {
        quad: tile.quad,
        name: Some(tile.label.to_string()),
        is_sure: true,
    });
    let left_out = lesson.left_out.iter().filter_map(|tile| match *tile {
        UntaughtTile::Unseen(_) => None,
        UntaughtTile::Unsure { face, quad, .. } => {
            Some(SheetMark { quad, name: Some(face.to_string()), is_sure: false })
        }
        UntaughtTile::Surplus { quad, .. } => Some(SheetMark { quad, name: None, is_sure: false }),
    });
    learned.chain(left_out).collect()
}

/// Draws the tiles onto a copy of their photo.
#[must_use]
pub fn draw(photo: &RgbImage, tiles: &[SheetMark]) -> RgbImage {
    let mut canvas = photo.clone();
    let (width, height) = photo.dimensions();
    let unit = median(tiles.iter().map(|tile| tile.quad.short_side())).unwrap_or(20.0).max(8.0);
    let mut body = String::new();
    tiles.iter().for_each(|tile| body += &marked(tile, unit));
    let document = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">{body}</svg>"#
    );
    let tree = Tree::from_str(&document, &Options::default());
    let layer = tile_art::draw(&tree.expect("our own drawing is valid SVG"), (width, height));
    for (below, above) in canvas.pixels_mut().zip(layer.pixels()) {
        let mut blended = below.to_rgba();
        blended.blend(above);
        *below = Rgb([blended[0], blended[1], blended[2]]);
    }
    canvas
}

/// Returns the shapes of one tile.
fn marked(tile: &SheetMark, unit: f32) -> String {
    let colour = match (&tile.name, tile.is_sure) {
        (None, _) => UNNAMED,
        (Some(_), true) => SURE,
        (Some(_), false) => OPEN,
    };
    let quad = tile.quad.grown(0.97);
    let points: Vec<String> = quad.0.iter().map(|p| format!("{:.1},{:.1}", p.x, p.y)).collect();
    let stroke = (unit / 18.0).max(1.5);
    let mut shapes = format!(
        r#"<polygon points="{}" fill="none" stroke="{colour}" stroke-width="{stroke:.1}" stroke-linejoin="round"/>"#,
        points.join(" ")
    );
    let foot = (quad.0[2] + quad.0[3]) * 0.5;
    let Some(name) = &tile.name else { return shapes };
    match name.parse::<Face>() {
        Ok(face) => {
            let wide = (0.42 * unit).max(12.0);
            let (of_wide, of_high) = tile_art::SIZE;
            let scale = wide / of_wide;
            let left = foot.x - wide / 2.0;
            let top = foot.y - scale * of_high / 2.0;
            let face = tile_art::shapes(face);
            let _ = write!(
                shapes,
                r#"<g transform="translate({left:.1} {top:.1}) scale({scale:.4})">{face}</g>"#
            );
        }
        Err(_) => shapes += &plate(name, foot, (0.3 * unit).max(10.0), colour),
    }
    if !tile.is_sure {
        shapes += &plate("?", (quad.0[0] + quad.0[1]) * 0.5, (0.4 * unit).max(12.0), OPEN);
    }
    shapes
}

/// Returns a text on a plate with its middle at a point.
fn plate(text: &str, middle: Point, size: f32, colour: &str) -> String {
    let outline = letters::outline(text, size);
    let letters = outline.element(middle.x - outline.width / 2.0, middle.y + 0.36 * size, INK);
    let wide = outline.width + 0.6 * size;
    let high = 1.34 * size;
    let x = middle.x - wide / 2.0;
    let y = middle.y - high / 2.0;
    let round = 0.25 * size;
    format!(
        r#"<rect x="{x:.1}" y="{y:.1}" width="{wide:.1}" height="{high:.1}" rx="{round:.1}" fill="{colour}"/>{letters}"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_is_marked_by_what_is_known_of_it() {
        let photo = RgbImage::from_pixel(300, 120, Rgb([20, 90, 60]));
        let names = [Some("5p"), Some("extra:joker"), None];
        let tiles: Vec<SheetMark> = names
            .into_iter()
            .enumerate()
            .map(|(at, name)| SheetMark {
                quad: Quad::rectangle(20.0 + 90.0 * at as f32, 20.0, 60.0, 80.0),
                name: name.map(str::to_owned),
                is_sure: at == 0,
            })
            .collect();
        let canvas = draw(&photo, &tiles);
        let changed = |at: u32| {
            let column = |x: &u32| (20 + 90 * at..90 + 90 * at).contains(x);
            let pixels = canvas.enumerate_pixels().zip(photo.pixels());
            pixels.filter(|((x, _, a), b)| column(x) && a != b).count()
        };
        assert!(changed(0) > changed(2), "a drawn tile lies at its foot");
        assert!((100..3000).contains(&changed(2)), "{}", changed(2));
    }
}
