//! Photos of a phone's full size: they are decoded in part, and read like small ones.

use std::path::Path;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{DynamicImage, ImageEncoder, RgbImage};
use tilesight_core::context::ContextSetup;
use tilesight_core::rules::Book;
use tilesight_vision::Reading;

use crate::common::reader;
use crate::held;

const WIDTH: u32 = 4032;
const HIGH: u32 = 3024;

fn sample() -> RgbImage {
    let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("datasets/samples/900001.jpg");
    image::open(file).expect("the samples are committed").into_rgb8()
}

/// Returns the bytes of a JPEG that is stored in one of the eight orientations.
fn jpeg(upright: &RgbImage, orientation: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 92);
    encoder.set_exif_metadata(held::exif(orientation)).expect("it carries Exif");
    let stored: DynamicImage = held::stored(upright, orientation);
    encoder
        .write_image(stored.as_bytes(), stored.width(), stored.height(), stored.color().into())
        .expect("it encodes");
    bytes
}

fn read(bytes: &[u8]) -> Reading {
    let book = Book::shipped();
    reader().read(bytes, &ContextSetup::default(), book.usual()).expect("it is read")
}

/// Asserts that every tile of a photo lies where it lies in the same photo of another size.
fn assert_same_tiles(large: &Reading, small: &Reading, scale: f32, corner: (f32, f32)) {
    assert_eq!(large.hand, small.hand);
    for tile in &small.tiles {
        let centre = tile.seen.quad.centre() * scale;
        let near = large.tiles.iter().any(|other| {
            let apart = other.seen.quad.centre() - centre;
            (apart.x - corner.0).hypot(apart.y - corner.1)
                < 0.2 * scale * tile.seen.quad.short_side()
        });
        assert!(near, "{:?}", tile.seen.quad);
    }
}

#[test]
fn a_large_photo_is_read_like_a_small_one() {
    let small = read(&jpeg(&sample(), 1));
    let large = imageops::resize(&sample(), WIDTH, HIGH, FilterType::Triangle);
    for orientation in [1, 6] {
        let read = read(&jpeg(&large, orientation));
        assert_eq!(read.size, (WIDTH, HIGH));
        assert_same_tiles(&read, &small, WIDTH as f32 / sample().width() as f32, (0.0, 0.0));
    }
}

#[test]
fn small_tiles_of_a_large_photo_are_looked_at_in_full() {
    let small = read(&jpeg(&sample(), 1));
    let mut table = RgbImage::from_pixel(WIDTH, HIGH, *sample().get_pixel(5, 5));
    let corner = (1200, 900);
    imageops::replace(&mut table, &sample(), corner.0, corner.1);
    let read = read(&jpeg(&table, 1));
    assert_same_tiles(&read, &small, 1.0, (corner.0 as f32, corner.1 as f32));
}

#[test]
fn a_large_photo_that_ends_early_is_reported_as_a_small_one_is() {
    let bytes = jpeg(&RgbImage::new(WIDTH, 64), 1);
    let (book, end) = (Book::shipped(), bytes.len() / 2);
    for broken in [&bytes[..end], &bytes[..700]] {
        let whole = reader().decode(broken).expect_err("it ends early").to_string();
        let read = reader().read(broken, &ContextSetup::default(), book.usual());
        assert_eq!(read.expect_err("it ends early").to_string(), whole);
    }
}
