//! Several photos of one hand, made from the samples: other cameras, turned photos, covered tiles,
//! cut edges.
//!
//! The content of a view follows from the sample's ground truth: a covering object is painted onto
//! the true outlines of the tiles, and the warped photo is sent as a JPEG, as from a phone.

use std::io::Cursor;
use std::path::PathBuf;

use image::{ImageFormat, Rgb, RgbImage, imageops};
use imageproc::drawing::draw_polygon_mut;
use imageproc::geometric_transformations::{Border, Interpolation, Projection, warp};
use imageproc::point::Point as Pixel;
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::{ContextDto, HandDto};
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::Book;
use tilesight_vision::{LeftOut, PhotoView, Reader, Reading, Role, TogetherError};

use crate::common::{line, reader};
use crate::samples::{but_flowers, parts};

/// A sample with its ground truth.
struct Sample {
    name: String,
    photo: RgbImage,
    bytes: Vec<u8>,
    context: ContextSetup,
    hand: HandSetup,
    /// Outlines of the hand's tiles, as they were rendered.
    tiles: Vec<[(f32, f32); 4]>,
}

fn samples_folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("datasets/samples")
}

impl Sample {
    fn load(name: &str) -> Sample {
        let path = samples_folder().join(name).with_extension("jpg");
        let bytes = std::fs::read(&path).expect("the samples are committed");
        let photo = image::load_from_memory(&bytes).expect("a photo").to_rgb8();
        let text = std::fs::read_to_string(path.with_extension("json")).expect("a truth file");
        let truth: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let of_hand = |tile: &&serde_json::Value| {
            tile["role"].is_string() && tile["role"] != "ignored" && tile["role"] != "other"
        };
        let tiles = truth["tiles"].as_array().expect("tiles");
        let tiles = tiles
            .iter()
            .filter(of_hand)
            .map(|tile| serde_json::from_value(tile["polygon"].clone()).expect("four corners"));
        let hand: HandDto = serde_json::from_value(truth["hand"].clone()).expect("a hand");
        let context: ContextDto =
            serde_json::from_value(truth["context"].clone()).expect("a context");
        Sample {
            name: name.to_owned(),
            tiles: tiles.collect(),
            context: context.setup,
            hand: hand.to_setup().expect("a legal hand"),
            photo,
            bytes,
        }
    }

    fn all() -> Vec<Sample> {
        let files = std::fs::read_dir(samples_folder()).expect("the samples are committed");
        let names = files.map(|file| file.expect("readable").path());
        let photos = names.filter(|path| path.extension().is_some_and(|end| end == "jpg"));
        let mut names: Vec<String> = photos
            .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
            .collect();
        names.sort();
        names.iter().map(|name| Sample::load(name)).collect()
    }

    /// Returns the photo with some tiles covered by this color.
    fn covered(&self, tiles: &[usize], colour: Rgb<u8>) -> RgbImage {
        let mut photo = self.photo.clone();
        for &tile in tiles {
            let corners = self.tiles[tile].map(|(x, y)| Pixel::new(x as i32, y as i32));
            draw_polygon_mut(&mut photo, &corners, colour);
        }
        photo
    }

    fn read(&self, reader: &Reader, photo: &[u8]) -> Reading {
        reader.read(photo, &self.context, Book::shipped().usual()).expect("a photo")
    }

    fn read_together(&self, reader: &Reader, photos: &[Vec<u8>]) -> Reading {
        let photos: Vec<&[u8]> = photos.iter().map(Vec::as_slice).collect();
        let reading = reader.read_together(&photos, &self.context, Book::shipped().usual());
        reading.expect("photos of one hand")
    }
}

/// Colors of glare on a glossy tile and of a finger.
const GLARE: Rgb<u8> = Rgb([252, 252, 250]);
const SKIN: Rgb<u8> = Rgb([196, 142, 112]);

fn jpeg(photo: &RgbImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    photo.write_to(&mut bytes, ImageFormat::Jpeg).expect("encodes");
    bytes.into_inner()
}

/// Returns the photo as seen by a camera that moved: its corners move to these shares of the sides.
fn seen_from(photo: &RgbImage, corners: [(f32, f32); 4]) -> RgbImage {
    let (width, height) = (photo.width() as f32, photo.height() as f32);
    let from = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
    let to = corners.map(|(x, y)| (x * width, y * height));
    let moved = Projection::from_control_points(from, to).expect("a quad");
    warp(photo, moved, Interpolation::Bilinear, Border::Constant(Rgb([60, 70, 60])))
}

/// Views from the left, from the right and from further away.
const VIEWS: [[(f32, f32); 4]; 3] = [
    [(0.04, 0.02), (0.97, 0.08), (0.93, 0.96), (0.0, 1.0)],
    [(0.06, 0.1), (0.98, 0.0), (1.0, 0.98), (0.1, 0.9)],
    [(0.1, 0.06), (0.9, 0.08), (1.0, 0.97), (0.02, 1.0)],
];

fn tiles_of_hand(reading: &Reading) -> usize {
    reading.tiles.iter().filter(|tile| tile.role != Role::Ignored).count()
}

#[test]
fn one_photo_is_read_as_alone() {
    let (reader, sample) = (reader(), Sample::load("demo"));
    let alone = sample.read(&reader, &sample.bytes);
    let together = sample.read_together(&reader, std::slice::from_ref(&sample.bytes));
    let plain = |mut reading: Reading| {
        reading.timings.clear();
        format!("{reading:?}")
    };
    assert_eq!(plain(together), plain(alone));
}

#[test]
fn tiles_covered_in_one_photo_are_read_from_the_other() {
    let (reader, sample) = (reader(), Sample::load("demo"));
    let first = jpeg(&sample.covered(&[1, 6], SKIN));
    let second = jpeg(&seen_from(&sample.covered(&[3, 9], GLARE), VIEWS[0]));
    for photo in [&first, &second] {
        assert_ne!(line(&sample.read(&reader, photo).hand), line(&sample.hand), "covered alone");
    }
    let reading = sample.read_together(&reader, &[first.clone(), second.clone()]);
    assert_eq!(line(&reading.hand), line(&sample.hand));
    assert_eq!(reading.photos.iter().filter(|photo| photo.is_base).count(), 1);
    assert!(reading.photos.iter().all(|photo| photo.left_out.is_none()));
    let named: Vec<usize> = reading.tiles.iter().filter_map(|tile| tile.source_photo()).collect();
    assert!(named.contains(&0) && named.contains(&1), "{named:?}");
    // The order of the photos changes only their numbers.
    let swapped = sample.read_together(&reader, &[second, first]);
    assert_eq!(swapped.hand, reading.hand);
    let tiles = |reading: &Reading| -> Vec<usize> {
        reading.photos.iter().map(|photo| photo.tiles).collect()
    };
    assert_eq!(tiles(&swapped), tiles(&reading).into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn tiles_beyond_the_edge_are_added_from_the_other_photo() {
    let (reader, sample) = (reader(), Sample::load("demo"));
    let (width, height) = sample.photo.dimensions();
    let middle = |tile: &[(f32, f32); 4]| tile.iter().map(|corner| corner.0).sum::<f32>() / 4.0;
    let mut middles: Vec<f32> = sample.tiles.iter().map(middle).collect();
    middles.sort_by(f32::total_cmp);
    // The left photo ends after the last tile but one, the right one begins after the second tile.
    let (left, right) = (middles[1] as u32, middles[middles.len() - 2] as u32);
    let first = imageops::crop_imm(&sample.photo, 0, 0, right, height).to_image();
    let second = imageops::crop_imm(&sample.photo, left, 0, width - left, height).to_image();
    let photos = [jpeg(&first), jpeg(&second)];
    for photo in &photos {
        assert!(tiles_of_hand(&sample.read(&reader, photo)) < sample.tiles.len());
    }
    let reading = sample.read_together(&reader, &photos);
    assert_eq!(line(&reading.hand), line(&sample.hand));
    assert_eq!(tiles_of_hand(&reading), sample.tiles.len());
}

#[test]
fn photos_from_all_sides_are_one_hand() {
    let (reader, sample) = (reader(), Sample::load("demo"));
    let turned = [
        imageops::rotate90(&seen_from(&sample.covered(&[0, 5], SKIN), VIEWS[0])),
        imageops::rotate180(&seen_from(&sample.covered(&[2, 10], SKIN), VIEWS[1])),
        seen_from(&sample.covered(&[7, 11], GLARE), VIEWS[2]),
    ];
    let reading = sample.read_together(&reader, &turned.each_ref().map(jpeg));
    assert_eq!(line(&reading.hand), line(&sample.hand));
    assert!(reading.photos.iter().all(|photo| photo.left_out.is_none() && photo.tiles > 9));
}

/// Function from the position of a point to that in a turned or mirrored photo, given the sides of
/// the photo.
type Moved = fn((f32, f32), f32, f32) -> (f32, f32);

#[test]
fn each_photo_has_its_own_outlines() {
    let (reader, sample) = (reader(), Sample::load("demo"));
    let (width, height) = (sample.photo.width() as f32, sample.photo.height() as f32);
    let photos = [
        sample.photo.clone(),
        imageops::rotate180(&sample.photo),
        imageops::flip_horizontal(&sample.photo),
    ];
    let moved: [Moved; 3] =
        [|at, _, _| at, |(x, y), w, h| (w - x, h - y), |(x, y), w, _| (w - x, y)];
    let reading = sample.read_together(&reader, &photos.each_ref().map(jpeg));
    assert_eq!(line(&reading.hand), line(&sample.hand));
    let middle = |tile: &[(f32, f32); 4]| {
        let sum = tile.iter().fold((0.0, 0.0), |sum, corner| (sum.0 + corner.0, sum.1 + corner.1));
        (sum.0 / 4.0, sum.1 / 4.0)
    };
    for tile in reading.tiles.iter().filter(|tile| tile.role != Role::Ignored) {
        let views = tile.views.as_ref().expect("photos show it").photo_views(tile.face);
        assert_eq!(views.len(), 3, "every photo shows the whole hand");
        for PhotoView { photo, outline, .. } in views {
            let at = outline.centre();
            let truth = sample.tiles.iter().map(|tile| moved[photo](middle(tile), width, height));
            let off = truth.map(|(x, y)| (at.x - x).hypot(at.y - y)).fold(f32::INFINITY, f32::min);
            assert!(off < 8.0, "{off} pixels off in photo {photo}");
        }
    }
}

#[test]
fn another_hand_is_left_out_and_said() {
    let (reader, sample) = (reader(), Sample::load("demo"));
    let alone = sample.read(&reader, &sample.bytes);
    let mut found = Vec::new();
    for other in ["900001", "900008", "900012"] {
        let other = Sample::load(other);
        for photos in [[&sample.bytes, &other.bytes], [&other.bytes, &sample.bytes]] {
            let reading = sample.read_together(&reader, &photos.map(Clone::clone));
            let left_out: Vec<_> =
                reading.photos.iter().filter_map(|photo| photo.left_out).collect();
            assert_eq!(left_out, [LeftOut::OtherTiles], "{}", other.name);
            found.push(
                reading.hand == alone.hand
                    || reading.hand == sample.read(&reader, &other.bytes).hand,
            );
        }
    }
    assert!(found.iter().all(|is_one| *is_one), "never a mixture");
    // A stray photo is the one that is left out, even if its hand has more tiles.
    let (first, second) =
        (jpeg(&sample.covered(&[1, 6], SKIN)), jpeg(&sample.covered(&[3], GLARE)));
    let stray = Sample::load("900015");
    let reading = sample.read_together(&reader, &[stray.bytes, first, second]);
    assert_eq!(line(&reading.hand), line(&sample.hand));
    let left_out: Vec<_> = reading.photos.iter().map(|photo| photo.left_out).collect();
    assert_eq!(left_out, [Some(LeftOut::OtherTiles), None, None]);
    let empty = jpeg(&RgbImage::from_pixel(640, 480, Rgb([40, 90, 60])));
    let reading = sample.read_together(&reader, &[empty, sample.bytes.clone()]);
    assert_eq!(reading.photos[0].left_out, Some(LeftOut::NoTiles));
    assert_eq!(reading.hand, alone.hand);
}

#[test]
fn errors_name_the_photo() {
    let (reader, sample) = (reader(), Sample::load("demo"));
    let read = |photos: &[&[u8]]| {
        let reading = reader.read_together(photos, &sample.context, Book::shipped().usual());
        reading.map(|_| ()).expect_err("not readable")
    };
    let photo = sample.bytes.as_slice();
    assert!(matches!(read(&[photo, b"no photo"]), TogetherError::Photo { at: 1, .. }));
    assert!(matches!(read(&[]), TogetherError::Number { given: 0 }));
    assert!(matches!(read(&[photo; 9]), TogetherError::Number { given: 9 }));
}

/// Returns tiles of the hand to cover in a view, different for every view and sample.
fn covered(sample: usize, view: usize, tiles: usize, count: usize) -> Vec<usize> {
    (0..count).map(|n| (sample * 5 + view * 3 + n * 7 + 1) % tiles).collect()
}

#[test]
fn two_photos_with_covered_tiles_read_more_hands_than_one() {
    let reader = reader();
    let (mut alone, mut together, mut left_out, mut all) = (0, 0, 0, 0);
    let mut lines = String::new();
    // Every third sample, because all of them would take long.
    for (at, sample) in Sample::all().iter().enumerate().step_by(3) {
        let count = at / 3 % 3 + 1;
        let colours = if at / 3 % 2 == 0 { [SKIN, GLARE] } else { [GLARE, SKIN] };
        let views = [0, 1].map(|view| {
            let tiles = covered(at, view, sample.tiles.len(), count);
            jpeg(&seen_from(&sample.covered(&tiles, colours[view]), VIEWS[view]))
        });
        let one = sample.read(&reader, &views[0]);
        let both = sample.read_together(&reader, &views);
        let plain = |hand: &HandSetup| parts(&but_flowers(hand));
        let is_right = |reading: &Reading| usize::from(plain(&reading.hand) == plain(&sample.hand));
        alone += is_right(&one);
        together += is_right(&both);
        let unused = both.photos.iter().filter(|photo| photo.left_out.is_some()).count();
        left_out += unused;
        all += 1;
        let (before, after) = (is_right(&one), is_right(&both));
        lines += &format!(
            "{} {before} -> {after}, {unused} left out: {}\n",
            sample.name,
            line(&both.hand)
        );
    }
    println!("{lines}of {all} hands {alone} alone, {together} together; {left_out} left out");
    assert!(together > alone + all / 4, "{together} of {all} together, {alone} alone\n{lines}");
    assert!(left_out <= 1, "all show the same hand: {left_out} left out\n{lines}");
}
