//! Laws of looking: what lies around a hand does not hide it, and a photo of a whole hand is looked
//! at once.

use std::sync::Arc;

use image::{Rgb, RgbImage};
use tilesight_core::context::ContextSetup;
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::Book;
use tilesight_core::tile::Face;
use tilesight_vision::geometry::Quad;
use tilesight_vision::networks::fake::{PaintedTile, WatchedModel, paint};
use tilesight_vision::{Photo, Reader, Reading, Status};

/// Width and height of a photo in portrait, and the width of a tile in it: 5 pixels at 320.
const SIZE: (u32, u32) = (720, 1280);
const TILE: f32 = 20.0;

/// Colour of a thing that the detector takes for a tile and the classifier does not.
const NO_FACE: Rgb<u8> = Rgb([215, 230, 255]);

/// Paints a row of these tiles across the middle of a photo.
fn photo_with(codes: &str) -> RgbImage {
    let tile = |(n, code): (usize, &str)| PaintedTile {
        quad: Quad::rectangle(200.0 + 1.1 * TILE * n as f32, 640.0, TILE, 1.35 * TILE),
        face: code.parse::<Face>().expect("a face"),
    };
    let tiles: Vec<PaintedTile> = codes.split(' ').enumerate().map(tile).collect();
    paint(SIZE.0, SIZE.1, &tiles)
}

/// Puts things `width` wide in rows between two lines of a photo, side by side.
fn strew(photo: &mut RgbImage, (top, bottom): (u32, u32), width: u32) {
    let (pitch, height) = (width * 5 / 4, width * 4 / 3);
    for y in (top..bottom.saturating_sub(height)).step_by(height as usize * 5 / 4) {
        for x in (10..SIZE.0 - width).step_by(pitch as usize) {
            for (across, down) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                photo.put_pixel(x + across, y + down, NO_FACE);
            }
        }
    }
}

/// Reads a photo. Returns the reading and the pixels that the detector looked at.
fn read(photo: &RgbImage) -> (Reading, usize) {
    let model = Arc::new(WatchedModel::default());
    let photo = Photo::from_rgb(photo.clone()).expect("large enough");
    let reader = Reader::with_model(Arc::clone(&model));
    let book = Book::shipped();
    let reading = reader.read_pixels(photo, &ContextSetup::default(), book.usual());
    let pixels = model.views().iter().map(|(width, height)| width * height).sum();
    (reading.expect("it runs"), pixels)
}

fn hand(photo: &RgbImage) -> HandSetup {
    read(photo).0.hand
}

const WINNING: &str = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s E E";
const WAITING: &str = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s E";

#[test]
fn clutter_around_a_hand_does_not_hide_it() {
    for (codes, strip, width) in [
        (WINNING, (0, 300), 60),
        (WINNING, (0, 300), 80),
        (WINNING, (0, 560), 150),
        (WINNING, (900, 1280), 110),
        (WAITING, (0, 300), 80),
        (WAITING, (760, 1000), 60),
    ] {
        let alone = photo_with(codes);
        let expected = hand(&alone);
        assert!(expected.concealed.len() >= 12, "{expected:?}");
        let mut photo = alone.clone();
        strew(&mut photo, strip, width);
        assert_eq!(hand(&photo), expected, "{strip:?}, {width} pixels, {codes}");
    }
}

#[test]
fn a_photo_of_a_whole_hand_is_looked_at_once_and_others_everywhere() {
    let (whole, usual) = read(&photo_with(WINNING));
    assert_ne!(whole.status, Status::NoHand);
    let (missing, more) = read(&photo_with(WAITING));
    assert!(missing.score.is_none());
    // The most pixels of a close-up, and the edges of its picture.
    let most = 1_350_000;
    assert!(more <= usual + most && more > usual, "{usual} and {more} pixels");
    let (nothing, empty) = read(&RgbImage::from_pixel(SIZE.0, SIZE.1, Rgb([40, 110, 30])));
    assert_eq!(nothing.status, Status::NoHand);
    assert!(empty > 1_000_000, "there is no hand anywhere: {empty} pixels");
    assert!(usual < 800_000, "{usual} pixels");
}
