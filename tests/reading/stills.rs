//! HEIC and AVIF: one picture in all the ways that cameras write it, and files that claim too much.
//!
//! `scripts/stills.py` wrote the files with libheif and libavif; the decoded pictures are compared
//! with the original picture, before and after their metadata is removed.

use std::path::{Path, PathBuf};

use image::{RgbImage, imageops};
use tilesight_core::rules::Book;
use tilesight_stills::without_metadata;
use tilesight_vision::{DecodeError, DecodeLimits, Photo};

use crate::common::{describe, reader};

/// Text that the generator put into every Exif block.
const SECRET: &[u8] = b"GPS 52.5200 N SERIAL 4711";

/// Maximum mean difference of a channel due to lossy coding. A picture that is turned the wrong way
/// differs by more than 30, one whose primaries are taken for those of sRGB by 6.
const CODED: f64 = 3.5;

fn folder() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tests/data/stills")
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn source() -> RgbImage {
    image::open(folder().join("source.png")).expect("the picture").into_rgb8()
}

fn decode(bytes: &[u8]) -> Result<RgbImage, DecodeError> {
    Photo::decode(bytes, &DecodeLimits::default()).map(|photo| photo.image().clone())
}

/// Returns the picture that each file should show.
fn shown(name: &str) -> RgbImage {
    let source = source();
    let part = |x, y, width, height| imageops::crop_imm(&source, x, y, width, height).to_image();
    match name.split('.').next().expect("a name") {
        "grey" => grey(&source),
        "odd" => part(0, 0, 127, 95),
        "cut" => part(24, 12, 96, 64),
        "turned" => imageops::rotate90(&source),
        "upside-down" => imageops::rotate180(&source),
        "mirrored-rows" => imageops::flip_vertical(&source),
        "turned-mirrored" | "derived" => imageops::flip_horizontal(&imageops::rotate270(&source)),
        "grid" if name.ends_with("avif") => imageops::rotate270(&source),
        _ => source,
    }
}

/// Returns the brightness of ITU-R BT.601, which the encoders use.
fn grey(image: &RgbImage) -> RgbImage {
    let mut grey = image.clone();
    for pixel in grey.pixels_mut() {
        let [red, green, blue] = pixel.0.map(f64::from);
        *pixel = image::Rgb([(0.299 * red + 0.587 * green + 0.114 * blue).round() as u8; 3]);
    }
    grey
}

/// Returns the mean difference of a channel.
fn difference(one: &RgbImage, other: &RgbImage) -> f64 {
    assert_eq!(one.dimensions(), other.dimensions());
    let sum: u64 = one.iter().zip(other.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / one.len() as f64
}

fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).expect("the files");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    let mut names: Vec<String> = names.filter(|name| !name.ends_with("png")).collect();
    names.sort();
    assert!(names.len() > 20, "{names:?}");
    names
}

#[test]
fn every_way_to_write_a_picture_shows_it() {
    let mut wrong = Vec::new();
    for name in names() {
        match decode(&file(&name)) {
            Ok(image) if image.dimensions() != shown(&name).dimensions() => {
                wrong.push(format!("{name}: {:?}", image.dimensions()));
            }
            Ok(image) => {
                let difference = difference(&image, &shown(&name));
                if difference > CODED {
                    wrong.push(format!("{name}: {difference:.1} off"));
                }
            }
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn stored_photos_show_the_same_without_metadata() {
    let has_secret = |bytes: &[u8]| bytes.windows(SECRET.len()).any(|part| part == SECRET);
    let mut secrets = 0;
    for name in names() {
        let photo = file(&name);
        secrets += usize::from(has_secret(&photo));
        let kept = without_metadata(&photo, &DecodeLimits::default()).expect(&name);
        assert!(!has_secret(&kept), "{name}");
        assert!(!kept.windows(4).any(|kind| kind == b"Exif"), "{name}");
        assert!(decode(&kept) == decode(&photo), "{name}");
        let again = without_metadata(&kept, &DecodeLimits::default()).expect(&name);
        assert!(again == kept, "{name}: once is enough");
        // Encoders sign their work.
        assert!(!kept.windows(4).any(|word| word == b"x265"), "{name}");
    }
    assert!(secrets > 4, "{secrets}");
}

#[test]
fn a_hand_is_read_alike_from_every_kind_of_file() {
    let samples = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("datasets/samples");
    let reader = reader();
    let read = |name: &str| {
        let bytes = std::fs::read(samples.join(name)).expect("a sample");
        let text = std::fs::read_to_string(samples.join("demo.context.json")).expect("a context");
        let context: tilesight_core::contract::ContextDto =
            serde_json::from_str(&text).expect("JSON");
        let book = Book::shipped();
        let reading = reader.read(&bytes, &context.setup, book.usual()).expect("a photo");
        let total = reading.score.as_ref().map(|score| score.total);
        (describe(&reading.hand), total)
    };
    let jpeg = read("demo.jpg");
    assert!(jpeg.1.is_some());
    assert_eq!(read("demo.heic"), jpeg);
    assert_eq!(read("demo.avif"), jpeg);
}

/// Returns the file with the bytes after the first occurrence of a box's type changed.
fn changed(name: &str, kind: &[u8], at: usize, to: &[u8]) -> Vec<u8> {
    let mut bytes = file(name);
    let found = bytes.windows(kind.len()).position(|part| part == kind).expect("the box");
    bytes[found + kind.len() + at..][..to.len()].copy_from_slice(to);
    bytes
}

#[test]
fn claims_are_checked_before_anything_is_decoded() {
    let huge = 50_000_u32.to_be_bytes();
    let too_many = DecodeError::TooManyPixels { width: 50_000, height: 50_000, limit: 50_000_000 };
    for name in ["plain.heic", "plain.avif"] {
        let claim = changed(name, b"ispe", 4, &[huge, huge].concat());
        assert_eq!(decode(&claim), Err(too_many.clone()), "{name}");
        // A size within the limits that differs from that of the coded picture.
        let claim = changed(name, b"ispe", 4, &[0, 0, 16, 0, 0, 0, 16, 0]);
        assert!(matches!(decode(&claim), Err(DecodeError::Broken(_))), "{name}");
        let claim = changed(name, b"ispe", 4, &[0; 8]);
        assert_eq!(decode(&claim), Err(DecodeError::TooSmall { width: 0, height: 0 }), "{name}");
        // A size smaller than the coded picture: its decoder may not allocate more.
        let limits = DecodeLimits { pixels: 1000, ..DecodeLimits::default() };
        let claim = changed(name, b"ispe", 4, &[0, 0, 0, 16, 0, 0, 0, 16]);
        assert!(Photo::decode(&claim, &limits).is_ok(), "{name}: rounded up to whole blocks");
    }
    // A grid of 256 by 256 tiles, of which six exist.
    let claim = changed("grid.heic", b"idat", 2, &[255, 255]);
    assert!(matches!(decode(&claim), Err(DecodeError::Broken(_))));
    let claim = changed("grid.heic", b"idat", 4, &[255, 255, 255, 255]);
    assert!(matches!(decode(&claim), Err(DecodeError::Broken(_))));
}

#[test]
fn parts_and_metadata_are_limited() {
    let photo = file("grid.heic");
    let limits = DecodeLimits { parts: 20, ..DecodeLimits::default() };
    let error = Photo::decode(&photo, &limits).expect_err("more parts");
    assert_eq!(error, DecodeError::TooManyParts { limit: 20 });
    let limits = DecodeLimits { metadata: 100, ..DecodeLimits::default() };
    let error = Photo::decode(&photo, &limits).expect_err("more metadata");
    assert_eq!(error, DecodeError::TooMuchMetadata { limit: 100 });
}

#[test]
fn unsupported_features_are_named() {
    let cases = [
        (changed("plain.heic", b"infe", 8, b"vvc1"), "vvc1"),
        (changed("plain.heic", b"infe", 8, b"iovl"), "iovl"),
        (changed("upside-down.heic", b"irot", 0, &[2]), ""),
    ];
    for (bytes, feature) in cases {
        match decode(&bytes) {
            Err(DecodeError::UnsupportedFeature { feature: named, .. }) => {
                assert_eq!(named, feature);
            }
            other => assert!(feature.is_empty() && other.is_ok(), "{feature}: {:?}", other.err()),
        }
    }
    let mut unknown = file("upside-down.heic");
    let at = unknown.windows(4).position(|kind| kind == b"irot").expect("a turn");
    unknown[at..at + 4].copy_from_slice(b"warp");
    let error = decode(&unknown).expect_err("an essential property");
    let text = error.to_string();
    assert!(text.starts_with("this HEIC file uses warp, which is not"), "{text}");
}

#[test]
fn half_a_file_is_damaged_and_no_file_panics() {
    for name in ["plain.heic", "grid.heic", "plain.avif", "grid.avif", "sequence.avif"] {
        let whole = file(name);
        for length in (12..whole.len()).step_by(whole.len() / 200 + 1) {
            let _ = decode(&whole[..length]);
        }
        let error = decode(&whole[..whole.len() / 3]).expect_err(name);
        assert!(matches!(error, DecodeError::Broken(_)), "{name}: {error}");
        for at in (0..whole.len()).step_by(whole.len() / 300 + 1) {
            for value in [0x00, 0xff, 0x41] {
                let mut damaged = whole.clone();
                damaged[at] = value;
                let _ = decode(&damaged);
            }
        }
    }
}

/// Sizes are checked against the limits and against the number of coded bytes before a decoder
/// starts: a white picture of 49 megapixels in 1,105 bytes took seconds.
#[test]
fn an_implausibly_large_picture_is_not_decoded() {
    let flat = std::fs::read(folder().with_file_name("flat.avif")).expect("the file");
    let refused = decode(&flat).expect_err("it is no photo");
    let expected = DecodeError::Implausible { width: 8064, height: 6048, bytes: 830 };
    assert_eq!(refused, expected);
    assert!(without_metadata(&flat, &DecodeLimits::default()).is_err(), "and it is not stored");
    let mut thin = std::io::Cursor::new(Vec::new());
    let grey = image::DynamicImage::new_luma8(1, 50_000_000);
    grey.write_to(&mut thin, image::ImageFormat::Png).expect("encodes");
    let limits = DecodeLimits { bytes: thin.get_ref().len(), ..DecodeLimits::default() };
    let refused = Photo::decode(thin.get_ref(), &limits).expect_err("it shows no tile");
    assert_eq!(refused, DecodeError::TooSmall { width: 1, height: 50_000_000 });
    // Flat pictures of a phone's usual size are valid.
    for format in [image::ImageFormat::WebP, image::ImageFormat::Png, image::ImageFormat::Jpeg] {
        let mut white = std::io::Cursor::new(Vec::new());
        image::DynamicImage::new_rgb8(4032, 3024).write_to(&mut white, format).expect("encodes");
        let size = decode(white.get_ref()).map(|image| image.dimensions());
        assert_eq!(size, Ok((4032, 3024)), "{format:?}");
    }
}

/// A phone's second picture after the first one: the HDR gain map of an "ultra HDR" JPEG, found by
/// a directory (MPF) in the first.
#[test]
fn a_second_picture_behind_a_jpeg_is_left_alone() {
    let jpeg = |image: &RgbImage| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image.write_to(&mut bytes, image::ImageFormat::Jpeg).expect("encodes");
        bytes.into_inner()
    };
    let (first, map) = (jpeg(&source()), jpeg(&RgbImage::new(64, 48)));
    let directory = [&b"\xff\xe2\0\x0eMPF\0II*\0\x08\0\0\0"[..]].concat();
    let photo = [&first[..2], &directory, &first[2..], &map].concat();
    assert!(decode(&photo) == decode(&first));
    let kept = without_metadata(&photo, &DecodeLimits::default()).expect("a photo");
    assert!(kept.len() < first.len() + 64 && decode(&kept) == decode(&first));
}
