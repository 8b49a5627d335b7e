//! The stages around the networks, each alone: decoding, preparing the input, decoding the maps,
//! layout and choice, also of crowds of 300 quads; crops also by `imageproc`, for the comparison in
//! ARCHITECTURE.md. `cargo bench --bench pipeline`.

#[path = "../tests/support/tables/mod.rs"]
mod tables;

use std::io::Cursor;

use divan::Bencher;
use divan::counter::ItemsCount;
use image::{DynamicImage, ImageFormat, RgbImage};
use imageproc::geometric_transformations::{Border, Interpolation, warp_into_with};
use tables::{Kinds, Places, crowd};
use tilesight_core::rules::Book;
use tilesight_core::tile::Face;
use tilesight_vision::geometry::projection::Projection;
use tilesight_vision::geometry::{Point, Quad};
use tilesight_vision::networks::CropSpec;
use tilesight_vision::networks::fake::{PaintedModel, PaintedTile, paint};
use tilesight_vision::pixels::body::DarkSet;
use tilesight_vision::pixels::crop::crops_of;
use tilesight_vision::pixels::detect;
use tilesight_vision::{DecodeLimits, Photo, Reader, SeenTile};

fn main() {
    divan::main();
}

const HAND: [&str; 14] =
    ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "E", "E", "E", "C", "C"];

/// Returns a photo of 12 megapixels with a hand in a row, the last tile apart.
fn photo() -> DynamicImage {
    let place = |i: usize| 200.0 + 240.0 * i as f32 + if i == 13 { 160.0 } else { 0.0 };
    let tile = |(i, code): (usize, &&str)| PaintedTile {
        quad: Quad::rectangle(place(i), 1300.0, 230.0, 310.0),
        face: code.parse::<Face>().expect("a code"),
    };
    let tiles: Vec<PaintedTile> = HAND.iter().enumerate().map(tile).collect();
    DynamicImage::ImageRgb8(paint(4000, 3000, &tiles))
}

fn jpeg() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    photo().write_to(&mut bytes, ImageFormat::Jpeg).expect("encodes");
    bytes.into_inner()
}

fn decoded() -> Photo {
    Photo::from_rgb(photo().into_rgb8()).expect("large enough")
}

fn seen(reader: &Reader) -> Vec<SeenTile> {
    let photo = decoded();
    let detections = reader.detect(&photo).expect("the fake runs");
    reader.classify(&photo, &detections).expect("the fake runs")
}

/// Decodes a picture of 1.2 megapixels from each kind of file that cameras write.
#[divan::bench(sample_count = 10, args = ["demo.jpg", "demo.heic", "demo.avif"])]
fn decode_sample(bencher: Bencher<'_, '_>, name: &str) {
    let samples = concat!(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."), "/datasets/samples");
    let bytes = std::fs::read(format!("{samples}/{name}")).expect("a sample");
    bencher.bench(|| Photo::decode(&bytes, &DecodeLimits::default()));
}

#[divan::bench(sample_count = 10)]
fn decode_12_megapixels(bencher: Bencher<'_, '_>) {
    let bytes = jpeg();
    bencher.bench(|| Photo::decode(&bytes, &DecodeLimits::default()));
}

#[divan::bench(sample_count = 20)]
fn pyramid(bencher: Bencher<'_, '_>) {
    let photo = decoded();
    bencher.bench(|| detect::pyramid(&photo, &[640, 320, 160]));
}

/// Crops of the classifier's size; the faces have the same size.
const CROP: CropSpec = CropSpec { input: [80, 64], margin: 1.0 };

/// Returns faces in perspective, at fractional positions.
fn faces() -> Vec<Quad> {
    let face = |n: usize| {
        let (x, y) = (200.3 + 240.0 * n as f32, 1300.2);
        let corners = [(x, y), (x + 61.0, y + 4.4), (x + 57.7, y + 77.9), (x - 4.1, y + 73.3)];
        Quad(corners.map(|(x, y)| Point::new(x, y)))
    };
    (0..14).map(face).collect()
}

#[divan::bench(sample_count = 50)]
fn crop_faces(bencher: Bencher<'_, '_>) {
    let (photo, faces) = (decoded(), faces());
    bencher.bench(|| crops_of(&photo, faces.iter(), &CROP));
}

#[divan::bench(sample_count = 50)]
fn crop_faces_by_imageproc(bencher: Bencher<'_, '_>) {
    let (photo, faces) = (decoded(), faces());
    let crop = |face: &Quad| {
        let projection = Projection::from_quad(face);
        let place = |x: f32, y: f32| {
            let place = projection.point_at(f64::from(x) / 64.0, f64::from(y) / 80.0);
            (place.x, place.y)
        };
        let mut crop = RgbImage::new(64, 80);
        let (linear, edge) = (Interpolation::Bilinear, Border::Replicate);
        warp_into_with(photo.image(), place, linear, edge, &mut crop);
        crop
    };
    bencher.bench(|| faces.iter().map(crop).collect::<Vec<_>>());
}

#[divan::bench(sample_count = 50)]
fn recognise_dark_set(bencher: Bencher<'_, '_>) {
    let crops = crops_of(&decoded(), faces().iter(), &CROP);
    bencher.bench(|| DarkSet::from_crops(&crops));
}

#[divan::bench(sample_count = 20)]
fn merge_detections(bencher: Bencher<'_, '_>) {
    let reader = Reader::with_model(PaintedModel::default());
    let found = reader.detect(&decoded()).expect("the fake runs");
    let thrice: Vec<_> = found.iter().cycle().take(3 * found.len()).copied().collect();
    bencher
        .counter(ItemsCount::new(thrice.len()))
        .with_inputs(|| thrice.clone())
        .bench_values(detect::merge);
}

#[divan::bench(sample_count = 50)]
fn lay_out(bencher: Bencher<'_, '_>) {
    let reader = Reader::with_model(PaintedModel::default());
    let (tiles, book) = (seen(&reader), Book::shipped());
    bencher.bench(|| reader.lay_out(&tiles, book.usual()));
}

/// Crowds that the layout takes longest for: 300 quads, of which no detector finds as many.
const CROWDS: [(Places, Kinds); 4] = [
    (Places::Apart, Kinds::Mixed),
    (Places::Clutter, Kinds::Random),
    (Places::Clutter, Kinds::Equal),
    (Places::Row, Kinds::Quads),
];

#[divan::bench(sample_count = 5, args = 0..CROWDS.len())]
fn lay_out_crowd(bencher: Bencher<'_, '_>, which: usize) {
    let (places, kinds) = CROWDS[which];
    let tiles = crowd(places, kinds, 300, 0.6, 7);
    let reader = Reader::with_model(PaintedModel::default());
    let book = Book::shipped();
    bencher.bench(|| {
        let layout = reader.lay_out(&tiles, book.usual());
        reader.decide(&tiles, &layout)
    });
}

#[divan::bench(sample_count = 50)]
fn decide(bencher: Bencher<'_, '_>) {
    let reader = Reader::with_model(PaintedModel::default());
    let tiles = seen(&reader);
    let layout = reader.lay_out(&tiles, Book::shipped().usual());
    bencher.bench(|| reader.decide(&tiles, &layout));
}
