//! Decoding: a file that is not a usable photo gets a clear error of its own, and a photo gives the
//! same hand in every orientation of its file.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ExtendedColorType, ImageEncoder, ImageFormat, RgbImage};
use tilesight_core::context::{ContextSetup, WinKind};
use tilesight_core::meld::Relation;
use tilesight_core::rules::Book;
use tilesight_vision::networks::fake::{PaintedModel, paint};
use tilesight_vision::{DecodeError, DecodeLimits, Photo, ReadError, Reader};

use crate::common::{describe, placed};
use crate::held;

const HAND: &str = "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C | C";
const READ: &str = "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C +C";

fn picture() -> RgbImage {
    paint(640, 240, &placed(HAND))
}

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("encodes");
    bytes.into_inner()
}

fn decode(bytes: &[u8]) -> Result<Photo, DecodeError> {
    Photo::decode(bytes, &DecodeLimits::default())
}

fn hand_in(bytes: &[u8]) -> String {
    let reader = Reader::with_model(PaintedModel::default());
    let reading = reader.read(bytes, &ContextSetup::default(), Book::shipped().usual());
    describe(&reading.expect("a usable photo").hand)
}

#[test]
fn every_format_and_colour_type_gives_the_hand() {
    let image = DynamicImage::ImageRgb8(picture());
    assert_eq!(hand_in(&encoded(&image, ImageFormat::Png)), READ);
    assert_eq!(hand_in(&encoded(&image, ImageFormat::WebP)), READ);
    assert_eq!(hand_in(&encoded(&image, ImageFormat::Jpeg)), READ);
    let deep = DynamicImage::ImageRgb16(image.to_rgb16());
    assert_eq!(hand_in(&encoded(&deep, ImageFormat::Png)), READ);
    let clear = DynamicImage::ImageRgba8(image.to_rgba8());
    assert_eq!(hand_in(&encoded(&clear, ImageFormat::Png)), READ);
}

#[test]
fn grey_pictures_decode() {
    let grey = DynamicImage::ImageLuma8(DynamicImage::ImageRgb8(picture()).to_luma8());
    for format in [ImageFormat::Jpeg, ImageFormat::Png] {
        let photo = decode(&encoded(&grey, format)).expect("decodes");
        assert!(photo.image().pixels().all(|p| p[0] == p[1] && p[1] == p[2]));
    }
}

#[test]
fn all_eight_orientations_give_the_same_pixels() {
    let upright = picture();
    for value in 1..=8 {
        let png = held::png(&upright, value);
        assert_eq!(decode(&png).expect("decodes").image(), &upright, "PNG, orientation {value}");

        let stored = held::stored(&upright, value);
        let (width, height) = (stored.width(), stored.height());
        let mut jpeg = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut jpeg, 95);
        encoder.set_exif_metadata(held::exif(value)).expect("JPEG carries Exif");
        encoder
            .write_image(stored.as_bytes(), width, height, ExtendedColorType::Rgb8)
            .expect("encodes");
        assert_eq!(hand_in(&jpeg), READ, "JPEG, orientation {value}");
    }
}

#[test]
fn a_truncated_file_is_damaged() {
    let image = DynamicImage::ImageRgb8(picture());
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let whole = encoded(&image, format);
        for length in [whole.len() / 3, whole.len() / 2, whole.len() - 9] {
            let error = decode(&whole[..length]).expect_err("half a photo");
            assert!(matches!(error, DecodeError::Broken(_)), "{format:?} at {length}: {error}");
        }
    }
}

#[test]
fn a_damaged_file_never_panics() {
    let image = DynamicImage::ImageRgb8(paint(120, 60, &[]));
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let whole = encoded(&image, format);
        for at in (0..whole.len()).step_by(whole.len() / 150 + 1) {
            for value in [0x00, 0xff, 0xda] {
                let mut damaged = whole.clone();
                damaged[at] = value;
                let _ = decode(&damaged);
            }
        }
    }
}

#[test]
fn a_gigantic_claimed_size_is_rejected_before_decoding() {
    let mut png = encoded(&DynamicImage::ImageRgb8(paint(64, 64, &[])), ImageFormat::Png);
    // The header's width and height, then its checksum, which decoders check first.
    png[16..24].copy_from_slice(&[0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50]);
    let checksum = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&checksum.to_be_bytes());
    let error = decode(&png).expect_err("2.5 gigapixels");
    assert_eq!(
        error,
        DecodeError::TooManyPixels { width: 50_000, height: 50_000, limit: 50_000_000 }
    );
}

/// Returns the checksum of PNG chunks (CRC-32, reflected).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}

#[test]
fn too_many_bytes_are_rejected_unparsed() {
    let limits = DecodeLimits { bytes: 1_000, ..DecodeLimits::default() };
    let error = Photo::decode(&[0; 1_001], &limits).expect_err("too large");
    assert_eq!(error, DecodeError::TooLarge { bytes: 1_001, limit: 1_000 });
}

#[test]
fn other_formats_are_named_with_advice() {
    let text = decode(b"GIF89a").expect_err("GIF").to_string();
    assert_eq!(text, "GIF is not supported: send a JPEG, PNG, WebP, HEIC or AVIF");
    let film = decode(b"\0\0\0\x18ftypisom\0\0\0\0mp41isom").expect_err("a film").to_string();
    assert!(film.starts_with("a video is not supported"), "{film}");
}

#[test]
fn a_contradictory_context_is_rejected_before_anything_is_read() {
    let (win, from) = (Some(WinKind::SelfDrawn), Some(Relation::Left));
    let setup = ContextSetup { win, from, ..ContextSetup::default() };
    let reader = Reader::with_model(PaintedModel::default());
    let error =
        reader.read(b"no photo", &setup, Book::shipped().usual()).expect_err("a contradiction");
    assert!(matches!(error, ReadError::Context(_)), "{error}");
}
