//! Drawing of a reading onto its photo, to show at a glance what was recognized.
//!
//! Input: the upright photo and its [`Reading`]. Output: a picture of the same size. Every tile of
//! the hand has a colored outline and a small drawn tile at its foot; a band joins the tiles of a
//! set, with its kind and the player it was claimed from; the winning tile is gold; a doubtful tile
//! has a red mark, and the questions are at the bottom. Ignored tiles have a thin gray outline.
//! Sizes are proportional to the tiles, so that everything is readable on a phone. Invariant: the
//! drawing is one SVG document, rendered and blended over the photo.

use std::fmt::Write;

use image::{Pixel, Rgb, RgbImage};
use resvg::usvg::{Options, Tree};
use tilesight_core::explain::Lang;
use tilesight_core::meld::{KongKind, Meld};
use tilesight_core::plural::format_count;
use tilesight_vision::geometry::{Point, median};
use tilesight_vision::{ReadTile, Reading, Role, Status};

use crate::letters;
use crate::tile_art;

/// Colors of the groups, used in turn. Most color-blind people can distinguish them too (Okabe and
/// Ito, 2008, without the yellow that is near the winning tile's gold).
const GROUPS: [&str; 6] = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#0072b2", "#d55e00"];
const WINNING: &str = "#ffd700";
const DOUBT: &str = "#e61414";
const IGNORED: &str = "#969696";
const PAPER: &str = "#141414";
const INK: &str = "#ffffff";

/// Maximum number of questions at the bottom; more would hide the photo.
const MAX_QUESTIONS: usize = 4;

/// Maximum number of tiles that a question marks. A question about more tiles is about the whole
/// hand and marks no tile.
const MAX_MARKED: usize = 6;

/// Draws a reading onto a copy of its photo, with texts in a language where they are translated.
#[must_use]
pub fn draw(photo: &RgbImage, reading: &Reading, lang: Lang) -> RgbImage {
    let mut canvas = photo.clone();
    let tree = Tree::from_str(&document(photo.dimensions(), reading, lang), &Options::default());
    let layer = tile_art::draw(&tree.expect("our own drawing is valid SVG"), photo.dimensions());
    for (below, above) in canvas.pixels_mut().zip(layer.pixels()) {
        let mut blended = below.to_rgba();
        blended.blend(above);
        *below = Rgb([blended[0], blended[1], blended[2]]);
    }
    canvas
}

/// A drawing under construction.
struct Drawing<'a> {
    reading: &'a Reading,
    lang: Lang,
    size: (f32, f32),
    /// Usual width of the hand's tiles.
    unit: f32,
    body: String,
}

/// Returns the whole drawing as an SVG document in the photo's pixels.
fn document(size: (u32, u32), reading: &Reading, lang: Lang) -> String {
    let size = (size.0 as f32, size.1 as f32);
    let in_hand = reading.tiles.iter().filter(|tile| tile.group.is_some());
    let unit =
        median(in_hand.map(|tile| tile.seen.quad.short_side())).unwrap_or(size.0 / 20.0).max(8.0);
    let mut drawing = Drawing { reading, lang, size, unit, body: String::new() };
    drawing.bands();
    drawing.outlines();
    drawing.pictures();
    drawing.claims();
    drawing.marks();
    drawing.caption();
    let (width, height) = size;
    let body = drawing.body;
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">{body}</svg>"#
    )
}

impl Drawing<'_> {
    /// Returns the melds with their tiles, in their order on the table.
    fn melds(&self) -> impl Iterator<Item = (Meld, Vec<&ReadTile>)> {
        self.reading.hand.melds.iter().enumerate().map(|(place, &meld)| {
            let tiles = self.reading.tiles.iter().filter(|tile| tile.meld == Some(place));
            (meld, tiles.collect())
        })
    }

    /// Draws broad translucent bands through the tiles of each set.
    fn bands(&mut self) {
        let bands: Vec<(String, &str)> = self
            .melds()
            .filter(|(_, tiles)| tiles.len() > 1)
            .map(|(_, tiles)| {
                (polyline(tiles.iter().map(|tile| tile.seen.quad.centre())), colour_of(tiles[0]))
            })
            .collect();
        let broad = 1.7 * self.unit;
        for (points, colour) in bands {
            self.element(format_args!(
                r#"<polyline points="{points}" fill="none" stroke="{colour}" stroke-opacity=".3" stroke-width="{broad:.1}" stroke-linecap="round" stroke-linejoin="round"/>"#
            ));
        }
    }

    fn outlines(&mut self) {
        let stroke = (self.unit / 18.0).max(1.5);
        // The winning tile comes last, so that no neighbor's outline covers its own.
        let mut tiles: Vec<&ReadTile> = self.reading.tiles.iter().collect();
        tiles.sort_by_key(|tile| (tile.role == Role::Winning, tile.role != Role::Ignored));
        for tile in tiles {
            let wide = match tile.role {
                Role::Winning => 2.2 * stroke,
                Role::Ignored => (0.4 * stroke).max(1.0),
                _ => stroke,
            };
            let points = polyline(tile.seen.quad.grown(0.97).0);
            let colour = colour_of(tile);
            self.element(format_args!(
                r#"<polygon points="{points}" fill="none" stroke="{colour}" stroke-width="{wide:.1}" stroke-linejoin="round"/>"#
            ));
        }
    }

    /// Draws small tiles at the feet of the tiles of the hand, upright for any orientation of the
    /// photo.
    fn pictures(&mut self) {
        let wide = (0.46 * self.unit).max(14.0);
        let (of_wide, of_high) = tile_art::SIZE;
        let scale = wide / of_wide;
        let high = of_high * scale;
        for tile in self.reading.tiles.iter().filter(|tile| tile.role != Role::Ignored) {
            let Some(face) = tile.face else { continue };
            let Point { x, y } = foot(tile);
            let left = x - wide / 2.0;
            let top = y - high / 2.0;
            let shapes = tile_art::shapes(face);
            self.element(format_args!(
                r#"<g transform="translate({left:.1} {top:.1}) scale({scale:.4})">{shapes}</g>"#
            ));
        }
    }

    /// Labels each meld with its kind and the player it was claimed from.
    fn claims(&mut self) {
        let labels = self.lang.labels();
        let claims: Vec<(String, Point, &str)> = self
            .melds()
            .filter(|(_, tiles)| !tiles.is_empty())
            .map(|(meld, tiles)| {
                let how = match meld.from() {
                    Some(from) => labels.from[from as usize].to_owned(),
                    None if meld.is_concealed() => labels.concealed.to_lowercase(),
                    None => "?".to_owned(),
                };
                (format!("{} {how}", kind_of(meld)), head(&tiles, 1.5), colour_of(tiles[0]))
            })
            .collect();
        for (text, at, colour) in claims {
            self.plate(&text, at, (0.34 * self.unit).max(11.0), colour);
        }
    }

    /// Draws a red mark at the head of every doubtful tile.
    fn marks(&mut self) {
        let radius = (0.2 * self.unit).max(7.0);
        let marked: Vec<Point> = (0..self.reading.tiles.len())
            .filter(|&i| self.is_doubtful(i))
            .map(|i| head(&[&self.reading.tiles[i]], 1.0))
            .collect();
        for Point { x, y } in marked {
            let letter = letters::outline("?", 1.7 * radius);
            let sign = letter.element(x - letter.width / 2.0, y + 0.6 * radius, INK);
            self.element(format_args!(
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}" fill="{DOUBT}"/>{sign}"#
            ));
        }
    }

    fn is_doubtful(&self, tile: usize) -> bool {
        let mut doubts = self.reading.doubts.iter();
        doubts.any(|doubt| doubt.tiles.len() <= MAX_MARKED && doubt.tiles.contains(&tile))
    }

    /// Draws the status and the total in the top left corner, and the questions at the bottom.
    fn caption(&mut self) {
        let reading = self.reading;
        let (status, colour) = match reading.status {
            Status::Ok => ("ok", WINNING),
            Status::NeedsReview => ("needs review", DOUBT),
            _ => ("no hand", DOUBT),
        };
        let total = reading.score.as_ref().map_or(String::new(), |score| {
            format!(" · {}", format_count(score.total, "point", "points"))
        });
        let text = format!("{status}{total} · {:.0} % sure", reading.probability * 100.0);
        let (wide, high) = self.size;
        let size = (wide.min(high) / 32.0).max(11.0);
        self.line(&text, Point::new(size, 1.6 * size), size, colour);
        let scoring = reading.doubts.iter().filter(|doubt| doubt.affects_score);
        let questions: Vec<String> =
            scoring.map(|doubt| doubt.question.to_string()).take(MAX_QUESTIONS).collect();
        for (n, question) in questions.iter().rev().enumerate() {
            // Long questions are written smaller.
            let room = (wide - 2.0 * size) / letters::outline(question, 0.8 * size).width;
            let foot = high - size * (0.8 + 1.5 * n as f32);
            self.line(question, Point::new(size, foot), 0.8 * size * room.min(1.0), INK);
        }
    }

    /// Draws a text centered on a dark plate at a point, moved to stay within the picture.
    fn plate(&mut self, text: &str, middle: Point, size: f32, colour: &str) {
        let wide = letters::outline(text, size).width;
        let left = clamp_with_room(middle.x, wide / 2.0 + size / 2.0, self.size.0) - wide / 2.0;
        let foot = clamp_with_room(middle.y, size, self.size.1) + 0.36 * size;
        self.line(text, Point::new(left, foot), size, colour);
    }

    /// Draws a text on a dark plate, starting from the left end of its baseline.
    fn line(&mut self, text: &str, start: Point, size: f32, colour: &str) {
        let outline = letters::outline(text, size);
        let letters = outline.element(start.x, start.y, colour);
        let x = start.x - 0.3 * size;
        let y = start.y - size;
        let wide = outline.width + 0.6 * size;
        let high = 1.34 * size;
        let round = 0.25 * size;
        self.element(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{wide:.1}" height="{high:.1}" rx="{round:.1}" fill="{PAPER}" fill-opacity=".82"/>{letters}"#
        ));
    }

    fn element(&mut self, element: std::fmt::Arguments) {
        writeln!(self.body, "{element}").expect("a String takes all that fits into memory");
    }
}

/// Returns the place on a side of the picture that is nearest to `at` and has this room on both
/// sides, if there is so much.
fn clamp_with_room(at: f32, room: f32, side: f32) -> f32 {
    at.clamp(room.min(side / 2.0), (side - room).max(side / 2.0))
}

fn polyline(points: impl IntoIterator<Item = Point>) -> String {
    let points: Vec<String> =
        points.into_iter().map(|p| format!("{:.1},{:.1}", p.x, p.y)).collect();
    points.join(" ")
}

/// Returns half of a tile's length towards its top, measured along its sides in the photo.
fn half_up(tile: &ReadTile) -> Point {
    let quad = &tile.seen.quad;
    let sides = [quad.across() * 0.5, quad.across() * -0.5, quad.down() * 0.5, quad.down() * -0.5];
    let highest =
        sides.into_iter().max_by(|a, b| a.unit().dot(tile.up).total_cmp(&b.unit().dot(tile.up)));
    highest.unwrap_or_default()
}

/// Returns the middle of a tile's lower edge.
fn foot(tile: &ReadTile) -> Point {
    tile.seen.quad.centre() - half_up(tile)
}

/// Returns the point above the middle of some tiles, `lengths` half lengths up. A sideways tile
/// must not tilt the others.
fn head(tiles: &[&ReadTile], lengths: f32) -> Point {
    let centres = tiles.iter().map(|tile| tile.seen.quad.centre());
    let middle = centres.fold(Point::default(), |sum, centre| sum + centre)
        * (1.0 / tiles.len().max(1) as f32);
    let upright = tiles.iter().find(|tile| !tile.sideways).or(tiles.first());
    middle + upright.map_or(Point::default(), |tile| half_up(tile)) * lengths
}

fn kind_of(meld: Meld) -> &'static str {
    match meld {
        Meld::Chow(_) => "chow",
        Meld::Pung { .. } => "pung",
        Meld::Kong { kind: KongKind::Added { .. }, .. } => "pung + 1 = kong",
        Meld::Kong { .. } => "kong",
    }
}

fn colour_of(tile: &ReadTile) -> &'static str {
    match (tile.role, tile.group) {
        (Role::Winning, _) => WINNING,
        (Role::Ignored, _) | (_, None) => IGNORED,
        (_, Some(group)) => GROUPS[tile.meld.map_or(group, |meld| meld + 1) % GROUPS.len()],
    }
}

#[cfg(test)]
mod tests {
    use image::RgbImage;
    use tilesight_core::context::ContextSetup;
    use tilesight_core::rules::Book;
    use tilesight_vision::Reader;
    use tilesight_vision::geometry::Quad;
    use tilesight_vision::networks::fake::{PaintedModel, PaintedTile, paint};

    use super::*;

    /// Returns a reading of a pung claimed from the left beside a row with its winning tile after a
    /// gap, as the painted model sees it.
    fn read() -> (RgbImage, Reading) {
        let row = "2m 3m 4m 5m 6m 7m 2p 3p 4p 5s - 5s";
        let upright = row.split_whitespace().enumerate().filter(|&(_, code)| code != "-");
        let upright = upright
            .map(|(at, code)| (Quad::rectangle(20.0 + 36.0 * at as f32, 300.0, 36.0, 48.0), code));
        let set = [
            (Quad::rectangle(60.0, 212.0, 48.0, 36.0), "E"),
            (Quad::rectangle(108.0, 200.0, 36.0, 48.0), "E"),
            (Quad::rectangle(144.0, 200.0, 36.0, 48.0), "E"),
        ];
        let tiles: Vec<PaintedTile> = upright
            .chain(set)
            .map(|(quad, code)| PaintedTile { quad, face: code.parse().expect("a face") })
            .collect();
        let photo = paint(640, 480, &tiles);
        let mut png = std::io::Cursor::new(Vec::new());
        photo.write_to(&mut png, image::ImageFormat::Png).expect("PNG holds RGB");
        let reader = Reader::with_model(PaintedModel::default());
        let reading = reader.read(png.get_ref(), &ContextSetup::default(), Book::shipped().usual());
        (photo, reading.expect("a reading"))
    }

    #[test]
    fn sets_claims_and_the_winning_tile_are_drawn() {
        let (photo, reading) = read();
        let document = document(photo.dimensions(), &reading, Lang::En);
        assert_eq!(reading.hand.melds.len(), 1, "{:?}", reading.hand);
        assert_eq!(document.matches("<polyline").count(), 1, "a band for the one set");
        assert_eq!(document.matches("<polygon").count(), reading.tiles.len());
        assert_eq!(document.matches(&format!(r#"fill="none" stroke="{WINNING}""#)).count(), 1);
        let canvas = draw(&photo, &reading, Lang::De);
        assert_eq!(canvas.dimensions(), photo.dimensions());
        let changed = canvas.pixels().zip(photo.pixels()).filter(|(a, b)| a != b).count();
        assert!((1000..200_000).contains(&changed), "{changed} pixels changed");
    }

    #[test]
    fn a_photo_without_tiles_only_has_a_caption() {
        let photo = RgbImage::from_pixel(320, 200, Rgb([90, 90, 90]));
        let (_, mut reading) = read();
        reading.tiles.clear();
        reading.doubts.clear();
        reading.hand = tilesight_core::hand::HandSetup::default();
        let canvas = draw(&photo, &reading, Lang::En);
        let lower = canvas.rows().skip(60).flatten();
        assert!(lower.into_iter().all(|pixel| *pixel == Rgb([90, 90, 90])));
        assert_ne!(canvas, photo);
    }
}
