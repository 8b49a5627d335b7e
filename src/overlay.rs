//! Draws a reading onto its photo: outlines, names, groups, the winning tile, doubts.
//!
//! Input: the upright photo and its [`Reading`]. Output: a picture of the same size. Strokes and
//! letters grow with the tiles, so that they can be read on a phone. Colours say the group, a
//! thick gold outline the winning tile, a red mark with a question mark a doubt; ignored tiles are
//! outlined thinly in grey.

use font8x8::UnicodeFonts;
use image::{Rgb, RgbImage};

use crate::pipeline::classify::name;
use crate::pipeline::geometry::rows::width;
use crate::pipeline::geometry::{Point, median};
use crate::pipeline::{ReadTile, Reading, Role, Status};

/// One colour for each group in turn: told apart by most colour-blind people too (Okabe and Ito,
/// 2008, without the yellow that is near the winning tile's gold).
const GROUPS: [Rgb<u8>; 6] = [
    Rgb([86, 180, 233]),
    Rgb([230, 159, 0]),
    Rgb([0, 158, 115]),
    Rgb([204, 121, 167]),
    Rgb([0, 114, 178]),
    Rgb([213, 94, 0]),
];
const WINNING: Rgb<u8> = Rgb([255, 215, 0]);
const DOUBT: Rgb<u8> = Rgb([230, 20, 20]);
const IGNORED: Rgb<u8> = Rgb([150, 150, 150]);
const PAPER: Rgb<u8> = Rgb([20, 20, 20]);

/// Pixels of a glyph's side before it is enlarged.
const GLYPH: u32 = 8;

/// Draws a reading onto a copy of its photo.
#[must_use]
pub fn draw(photo: &RgbImage, reading: &Reading) -> RgbImage {
    let mut canvas = photo.clone();
    let in_hand = reading.tiles.iter().filter(|tile| tile.group.is_some());
    let unit = median(in_hand.map(|tile| width(&tile.seen.quad)))
        .unwrap_or(photo.width() as f32 / 20.0)
        .max(8.0);
    // Three letters (`3m?`) should fit a tile's width.
    let zoom = (unit / (3.0 * GLYPH as f32)).round().max(1.0) as u32;
    let stroke = (unit / 22.0).max(1.0);
    for (i, tile) in reading.tiles.iter().enumerate() {
        draw_tile(&mut canvas, reading, i, tile, stroke, zoom);
    }
    draw_caption(&mut canvas, reading);
    canvas
}

fn draw_tile(
    canvas: &mut RgbImage,
    reading: &Reading,
    i: usize,
    tile: &ReadTile,
    stroke: f32,
    zoom: u32,
) {
    let colour = colour_of(tile);
    let is_ignored = tile.role == Role::Ignored;
    let thickness = match tile.role {
        Role::Winning => 2.5 * stroke,
        Role::Ignored => 0.5 * stroke,
        _ => stroke,
    };
    let corners = tile.seen.quad.grown(0.96).0;
    for side in 0..4 {
        line(canvas, corners[side], corners[(side + 1) % 4], thickness.max(1.0), colour);
    }
    if is_ignored && zoom < 2 {
        return;
    }
    let doubtful = is_doubtful(reading, i);
    let mut label = name(tile.face);
    if label == "back" {
        "##".clone_into(&mut label);
    }
    let centre = tile.seen.quad.centre();
    let below = centre + tile.up * (-0.36 * tile.seen.quad.down().length());
    let label_colour = if doubtful { DOUBT } else { colour };
    let text = if doubtful { format!("{label}?") } else { label };
    write(canvas, &text, below, if is_ignored { zoom / 2 } else { zoom }.max(1), label_colour);
    if doubtful {
        let above = centre + tile.up * (0.5 * tile.seen.quad.down().length());
        disc(canvas, above, 3.0 * stroke, DOUBT);
    }
}

/// Whether a doubt is about this tile and not about the hand as a whole.
fn is_doubtful(reading: &Reading, i: usize) -> bool {
    reading.doubts.iter().any(|doubt| doubt.tiles.len() <= 6 && doubt.tiles.contains(&i))
}

fn colour_of(tile: &ReadTile) -> Rgb<u8> {
    match (tile.role, tile.group) {
        (Role::Winning, _) => WINNING,
        (Role::Ignored, _) | (_, None) => IGNORED,
        (_, Some(group)) => GROUPS[group % GROUPS.len()],
    }
}

/// The status and the total in the top left corner.
fn draw_caption(canvas: &mut RgbImage, reading: &Reading) {
    let zoom = (canvas.width() / (44 * GLYPH)).max(1);
    let status = match reading.status {
        Status::Ok => "ok",
        Status::NeedsReview => "needs review",
        _ => "no hand",
    };
    let points =
        reading.score.as_ref().map_or(String::new(), |score| format!(" {} points", score.total));
    let text = format!("{status}{points} {:.0}%", reading.probability * 100.0);
    let half = (text.len() as u32 * GLYPH * zoom) as f32 / 2.0;
    let colour = if reading.status == Status::Ok { WINNING } else { DOUBT };
    let at = Point::new(half + 6.0, (GLYPH * zoom) as f32 / 2.0 + 6.0);
    write(canvas, &text, at, zoom, colour);
}

/// A straight line of some thickness: every pixel nearer to it than half of that.
fn line(canvas: &mut RgbImage, from: Point, to: Point, thickness: f32, colour: Rgb<u8>) {
    let along = to - from;
    let steps = (along.length() * 1.5).ceil().max(1.0);
    for step in 0..=steps as u32 {
        disc(canvas, from + along * (step as f32 / steps), thickness / 2.0, colour);
    }
}

fn disc(canvas: &mut RgbImage, centre: Point, radius: f32, colour: Rgb<u8>) {
    let reach = radius.max(0.5);
    let range = |at: f32| (at - reach).floor() as i64..=(at + reach).ceil() as i64;
    for y in range(centre.y) {
        for x in range(centre.x) {
            let from = Point::new(x as f32 + 0.5, y as f32 + 0.5) - centre;
            if from.length() <= reach {
                put(canvas, x, y, colour);
            }
        }
    }
}

/// Text on a dark plate, centred at a point.
fn write(canvas: &mut RgbImage, text: &str, centre: Point, zoom: u32, colour: Rgb<u8>) {
    let side = i64::from(GLYPH * zoom);
    let wide = side * text.chars().count() as i64;
    let (left, top) = (centre.x as i64 - wide / 2, centre.y as i64 - side / 2);
    let pad = i64::from(zoom);
    for y in top - pad..top + side + pad {
        for x in left - pad..left + wide + pad {
            put(canvas, x, y, PAPER);
        }
    }
    for (n, letter) in text.chars().enumerate() {
        let glyph = font8x8::BASIC_FONTS.get(letter).unwrap_or([0; 8]);
        let from = left + side * n as i64;
        for y in 0..side {
            for x in 0..side {
                let (row, column) = (y / i64::from(zoom), x / i64::from(zoom));
                if glyph[row as usize] >> column & 1 == 1 {
                    put(canvas, from + x, top + y, colour);
                }
            }
        }
    }
}

/// Sets a pixel if it is inside the picture.
fn put(canvas: &mut RgbImage, x: i64, y: i64, colour: Rgb<u8>) {
    if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y))
        && let Some(pixel) = canvas.get_pixel_mut_checked(x, y)
    {
        *pixel = colour;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_lines_stay_inside_the_picture() {
        let mut canvas = RgbImage::new(40, 30);
        write(&mut canvas, "5p?", Point::new(0.0, 0.0), 2, WINNING);
        line(&mut canvas, Point::new(-50.0, 10.0), Point::new(90.0, 10.0), 3.0, DOUBT);
        assert_eq!(canvas.get_pixel(20, 10), &DOUBT);
        assert!(canvas.pixels().any(|pixel| *pixel == WINNING));
    }
}
