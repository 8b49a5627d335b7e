//! Photos of Mahjong Masters Million through the committed networks: tiles are cut out of the sample
//! photos, which know where each lies, and laid anew by the rules of this game, tilted and unevenly lit.
//!
//! The samples were rendered for rules that turn one tile of a kong; no photo of two turned tiles is
//! among them, and every pixel of a tile here comes from one.

#![cfg(feature = "vision")]

mod common;

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::PathBuf;

use common::{describe, reader};
use image::codecs::jpeg::JpegEncoder;
use image::{Rgb, RgbImage};
use serde::Deserialize;
use tilesight::context::ContextSetup;
use tilesight::pipeline::{DoubtKind, Reader, Reading, Status};
use tilesight::rules::RulesetId;
use tilesight::tile::Wind;

/// A tile of a collage in pixels, and what is taken around it: its rim belongs to it.
const TILE: (u32, u32) = (84, 116);
const RIM: u32 = 2;
/// Between tiles of a set, between sets, between rows, around everything.
const SEAM: u32 = 4;
const GAP: u32 = 70;
const ROW: u32 = TILE.1 + 70;
const MARGIN: u32 = 150;
const SIZE: (u32, u32) = (1500, 900);
const FELT: [f32; 3] = [40.0, 95.0, 70.0];

/// Patches narrower than this in their photo are too coarse to be laid anew.
const LEAST_WIDTH: f32 = 38.0;

#[derive(Deserialize)]
struct Truth {
    #[serde(default)]
    tiles: Vec<TileTruth>,
}

#[derive(Deserialize)]
struct TileTruth {
    tile: String,
    /// Top left, top right, bottom right and bottom left of the face.
    polygon: [[f32; 2]; 4],
    visible: f32,
    face_up: bool,
    #[serde(default)]
    standing: bool,
}

impl TileTruth {
    fn width(&self) -> f32 {
        let side = |a: [f32; 2], b: [f32; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let [a, b, c, _] = self.polygon;
        side(a, b).min(side(b, c))
    }

    fn is_clear(&self) -> bool {
        self.visible >= 0.97 && self.face_up && !self.standing && self.width() >= LEAST_WIDTH
    }

    /// Its pixels, upright, with the rim.
    fn cut(&self, photo: &RgbImage) -> RgbImage {
        let (width, height) = (TILE.0 + 2 * RIM, TILE.1 + 2 * RIM);
        RgbImage::from_fn(width, height, |x, y| {
            let across = (x as f32 - RIM as f32) / TILE.0 as f32;
            let down = (y as f32 - RIM as f32) / TILE.1 as f32;
            let [a, b, c, d] = self.polygon;
            let at = |axis: usize| {
                let top = a[axis] + (b[axis] - a[axis]) * across;
                let bottom = d[axis] + (c[axis] - d[axis]) * across;
                top + (bottom - top) * down
            };
            sample(photo, at(0), at(1))
        })
    }
}

/// A pixel between pixels.
fn sample(image: &RgbImage, x: f32, y: f32) -> Rgb<u8> {
    let (right, bottom) = (image.width() as f32 - 1.001, image.height() as f32 - 1.001);
    let (x, y) = (x.clamp(0.0, right), y.clamp(0.0, bottom));
    let (left, top) = (x as u32, y as u32);
    let (u, v) = (x.fract(), y.fract());
    let pixel = |x: u32, y: u32, channel: usize| f32::from(image.get_pixel(x, y).0[channel]);
    Rgb([0, 1, 2].map(|c| {
        let above = pixel(left, top, c) * (1.0 - u) + pixel(left + 1, top, c) * u;
        let below = pixel(left, top + 1, c) * (1.0 - u) + pixel(left + 1, top + 1, c) * u;
        (above * (1.0 - v) + below * v) as u8
    }))
}

/// The largest clear tile of each face among the samples.
fn library() -> BTreeMap<String, RgbImage> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("datasets/samples");
    let mut photos: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the samples are committed")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|end| end == "jpg"))
        .collect();
    photos.sort();
    let mut best: BTreeMap<String, (f32, RgbImage)> = BTreeMap::new();
    for photo in photos {
        let text = std::fs::read_to_string(photo.with_extension("json")).expect("a truth file");
        let truth: Truth = serde_json::from_str(&text).expect("JSON");
        let image = image::open(&photo).expect("a photo").into_rgb8();
        for tile in truth.tiles.into_iter().filter(TileTruth::is_clear) {
            let width = tile.width();
            if best.get(&tile.tile).is_none_or(|(other, _)| *other < width) {
                let patch = tile.cut(&image);
                best.insert(tile.tile, (width, patch));
            }
        }
    }
    best.into_iter().map(|(face, (_, patch))| (face, patch)).collect()
}

/// Lays rows of tiles on felt; `2m_` lies turned, `|` is a gap.
fn collage(library: &BTreeMap<String, RgbImage>, rows: &[&str]) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut felt = RgbImage::from_fn(SIZE.0, SIZE.1, |_, _| {
        let grain = random.f32() * 12.0 - 6.0;
        Rgb(FELT.map(|channel| (channel + grain) as u8))
    });
    let mut y = MARGIN;
    for row in rows {
        let mut x = MARGIN;
        for token in row.split_whitespace() {
            let Some(code) = token.strip_suffix('_').or(Some(token)).filter(|code| *code != "|")
            else {
                x += GAP;
                continue;
            };
            let turned = token.ends_with('_');
            let patch =
                library.get(code).unwrap_or_else(|| panic!("no clear {code} in the samples"));
            let patch = if turned { image::imageops::rotate270(patch) } else { patch.clone() };
            let (left, top) = (x - RIM, y + TILE.1 - (patch.height() - 2 * RIM) - RIM);
            image::imageops::overlay(&mut felt, &patch, left.into(), top.into());
            x += patch.width() - 2 * RIM + SEAM;
        }
        y += ROW;
    }
    photographed(&felt)
}

/// The table as a camera sees it from a little to one side, with light from the right, as a JPEG.
fn photographed(table: &RgbImage) -> Vec<u8> {
    let (width, height) = (SIZE.0 as f32, SIZE.1 as f32);
    let photo = RgbImage::from_fn(SIZE.0, SIZE.1, |x, y| {
        // Farther rows are narrower, and everything is turned by some four degrees.
        let (x, y) = (x as f32 - width / 2.0, y as f32 - height / 2.0);
        let (x, y) = (x * 0.9976 + y * 0.0698, y * 0.9976 - x * 0.0698);
        let depth = 1.08 - 0.12 * (y / height);
        let Rgb(seen) = sample(table, x * depth + width / 2.0, y * depth + height / 2.0);
        let light = 0.95 + 0.1 * (x / width);
        Rgb(seen.map(|channel| (f32::from(channel) * light).min(255.0) as u8))
    });
    let mut jpeg = Cursor::new(Vec::new());
    JpegEncoder::new_with_quality(&mut jpeg, 90).encode_image(&photo).expect("encodes");
    jpeg.into_inner()
}

fn read(reader: &Reader, photo: &[u8], context: &str) -> Reading {
    let context: ContextSetup = serde_json::from_str(context).expect(context);
    let ruleset: RulesetId = "mmm".parse().expect("a rule set");
    reader.read(photo, &context, ruleset).expect("a usable photo")
}

/// What is laid, how it was won, what it must be read as, and what East, South, West and North get.
type Case = (&'static [&'static str], &'static str, &'static str, [i32; 4]);

const DRAWN: &str = r#"{ "seat": "S", "prevalent": "E", "win": "self_drawn" }"#;
const DISCARD: &str = r#"{ "seat": "S", "prevalent": "E", "win": "discard", "from": "right" }"#;

const CASES: &[Case] = &[
    (
        &["3p 4p 5p 7s 8s 5m 5m | 9s", "2m_ 2m_ 2m 2m | C_ C C"],
        DRAWN,
        "5m 5m 3p 4p 5p 7s 8s +9s [2m2m2m2m left] [CCC left]",
        [-14, 28, -7, -7],
    ),
    (
        &["3p 4p 5p 7s 8s 5m 5m | 9s", "2m 2m_ 2m_ 2m | C C_ C"],
        DRAWN,
        "5m 5m 3p 4p 5p 7s 8s +9s [2m2m2m2m across] [CCC across]",
        [-14, 28, -7, -7],
    ),
    (
        &["5m 6m 7m 9s | 9s", "3m 3m_ 3m_ 3m | F F F_ F_ | 8p_ 8p 8p"],
        DRAWN,
        "5m 6m 7m 9s +9s [3m3m3m3m across] [FFFF right] [8p8p8p left]",
        [-14, 28, -7, -7],
    ),
    // Four called chows: East, to the left of South, pays what North discarded.
    (
        &["5p | 5p", "2m_ 3m 4m | 3p_ 4p 5p", "6s_ 7s 8s | 4s_ 5s 6s"],
        DISCARD,
        "5p +5p [2m3m4m 2m] [3p4p5p 3p] [6s7s8s 6s] [4s5s6s 4s]",
        [-40, 40, 0, 0],
    ),
];

#[test]
fn collages_are_read_and_settled_as_they_were_laid() {
    let (reader, library) = (reader(), library());
    let mut wrong = Vec::new();
    for &(rows, context, expected, payments) in CASES {
        let reading = read(&reader, &collage(&library, rows), context);
        let found = describe(&reading.hand);
        let paid = reading.score.as_ref().map(|score| Wind::ALL.map(|s| score.payments.of(s)));
        let asked = reading.doubts.iter().any(|doubt| doubt.kind == DoubtKind::Feeder);
        if found != expected || paid != Some(payments) || asked {
            wrong.push(format!("{rows:?}: {found} {paid:?}, expected {expected} {payments:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Three pungs of dragons from two players: the one question is who completed the third.
#[test]
fn a_collage_with_two_feeders_asks_one_question() {
    let rows = ["2m 3m 4m 5p | 5p", "C_ C C | F F_ F | P P_ P"];
    let reading = read(&reader(), &collage(&library(), &rows), DISCARD);
    let found = describe(&reading.hand);
    assert_eq!(found, "2m 3m 4m 5p +5p [CCC left] [FFF across] [PPP across]");
    assert_eq!(reading.status, Status::NeedsReview);
    let kinds: Vec<_> = reading.doubts.iter().map(|doubt| doubt.kind).collect();
    assert!(kinds.contains(&DoubtKind::Feeder), "{kinds:?}");
}
