//! Hostile files, generated here: truncated, contradictory, with gigantic claims, padded.
//!
//! None of them is a photo of a person. Every file has a name, so that a failure says which it was.

#![allow(dead_code, reason = "each test binary uses some of it")]

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ExtendedColorType, ImageEncoder, ImageFormat, RgbImage};

/// Returns a picture with some structure, so that every format has content to write.
pub(crate) fn picture(side: u32) -> DynamicImage {
    let shade = |x: u32, y: u32| {
        image::Rgb([(x * 7 % 256) as u8, (y * 5 % 256) as u8, ((x ^ y) % 256) as u8])
    };
    DynamicImage::ImageRgb8(RgbImage::from_fn(side, side, shade))
}

pub(crate) fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("encodes");
    bytes.into_inner()
}

/// Returns a picture as a JPEG with a given Exif block.
pub(crate) fn jpeg_with_exif(image: &RgbImage, exif: Vec<u8>) -> Vec<u8> {
    let mut jpeg = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut jpeg, 95);
    encoder.set_exif_metadata(exif).expect("JPEG carries Exif");
    let (width, height) = image.dimensions();
    encoder.write_image(image.as_raw(), width, height, ExtendedColorType::Rgb8).expect("encodes");
    jpeg
}

/// Returns a PNG chunk with the correct checksum.
fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut bytes = u32::try_from(data.len()).expect("fits").to_be_bytes().to_vec();
    bytes.extend(kind);
    bytes.extend(data);
    let mut checksum = flate2::Crc::new();
    checksum.update(&bytes[4..]);
    bytes.extend(checksum.sum().to_be_bytes());
    bytes
}

/// Returns a PNG whose header claims a size, followed by `pixels` compressed zeros.
fn png(width: u32, height: u32, depth: u8, colour: u8, pixels: usize) -> Vec<u8> {
    let mut header = width.to_be_bytes().to_vec();
    header.extend(height.to_be_bytes());
    header.extend([depth, colour, 0, 0, 0]);
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    let zeros = vec![0; 1 << 16];
    for at in (0..pixels).step_by(zeros.len()) {
        packed.write_all(&zeros[..zeros.len().min(pixels - at)]).expect("in memory");
    }
    let parts = [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        chunk(b"IDAT", &packed.finish().expect("in memory")),
        chunk(b"IEND", b""),
    ];
    parts.concat()
}

/// Returns a segment of a JPEG.
fn segment(marker: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xff, marker];
    bytes.extend(u16::try_from(data.len() + 2).expect("fits").to_be_bytes());
    bytes.extend(data);
    bytes
}

/// Inserts segments after a JPEG's start marker.
fn inserted(jpeg: &[u8], segments: &[u8]) -> Vec<u8> {
    [&jpeg[..2], segments, &jpeg[2..]].concat()
}

/// Changes the size in a JPEG's frame header.
fn claiming(jpeg: &[u8], height: u16, width: u16) -> Vec<u8> {
    let mut bytes = jpeg.to_vec();
    let at = bytes.windows(2).position(|pair| pair == [0xff, 0xc0]).expect("a baseline frame");
    bytes[at + 5..at + 7].copy_from_slice(&height.to_be_bytes());
    bytes[at + 7..at + 9].copy_from_slice(&width.to_be_bytes());
    bytes
}

/// A white AVIF of 8064 by 6048 pixels, as libaom writes it.
pub(crate) const FLAT: &[u8] = include_bytes!("../data/flat.avif");

/// Returns every file with its name.
pub(crate) fn hostile() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut add = |name: String, bytes: Vec<u8>| files.push((name, bytes));
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let whole = encoded(&picture(160), format);
        for part in [1, 3, 11, 25, 60, whole.len() / 4, whole.len() / 2, whole.len() - 2] {
            add(format!("{format:?} cut at {part}"), whole[..part].to_vec());
        }
        for seed in 0..24_u64 {
            add(format!("{format:?} damaged by {seed}"), damaged(&whole, seed));
        }
        let doubled = [whole.clone(), whole.clone()].concat();
        add(format!("{format:?} twice"), doubled);
        add(format!("{format:?} with a megabyte behind"), [whole, vec![0xff; 1 << 20]].concat());
    }
    for (kind, whole) in [
        ("HEIC", &include_bytes!("../data/stills/grid.heic")[..]),
        ("AVIF", include_bytes!("../data/stills/plain.avif")),
    ] {
        for part in [11, 40, 200, 600, whole.len() / 2, whole.len() - 2] {
            add(format!("{kind} cut at {part}"), whole[..part].to_vec());
        }
        for seed in 0..24_u64 {
            add(format!("{kind} damaged by {seed}"), damaged(whole, seed));
        }
        add(format!("{kind} twice"), [whole, whole].concat());
        add(format!("{kind} with a megabyte behind"), [whole, &[0xff; 1 << 20]].concat());
    }
    add_claims(&mut add);
    add_padding(&mut add);
    add_foreign(&mut add);
    files
}

/// Overwrites bytes at random positions after the signature, chosen by a seed.
fn damaged(whole: &[u8], seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut bytes = whole.to_vec();
    for _ in 0..1 + seed % 12 {
        let at = random.usize(12..bytes.len());
        bytes[at] = random.u8(..);
    }
    bytes
}

/// Adds files whose headers claim more than the file contains, and bombs that contain what they
/// claim.
fn add_claims(add: &mut impl FnMut(String, Vec<u8>)) {
    for (width, height) in
        [(0, 0), (1, 1), (1, 40_000_000), (50_000, 50_000), (u32::MAX, u32::MAX), (7_000, 7_000)]
    {
        add(format!("PNG that claims {width}x{height}"), png(width, height, 8, 2, 100));
    }
    add("PNG bomb of 60 megapixels in grey".into(), png(10_000, 6_000, 1, 0, 6_000 * 1_251));
    add("PNG bomb beyond its claim".into(), png(64, 64, 8, 2, 100_000_000));
    add("PNG of 16 bits".into(), png(64, 64, 16, 6, 64 * (64 * 8 + 1)));
    add("PNG of a colour type that there is not".into(), png(64, 64, 8, 5, 100));
    let jpeg = encoded(&picture(64), ImageFormat::Jpeg);
    for (height, width) in [(0, 64), (64, 0), (65_535, 65_535), (7_000, 7_000)] {
        add(format!("JPEG that claims {width}x{height}"), claiming(&jpeg, height, width));
    }
    add("PNG of one pixel by 50 million".into(), png(1, 50_000_000, 8, 0, 100_000_000));
    add("AVIF of 49 megapixels in 1105 bytes".into(), FLAT.to_vec());
    let mut webp = encoded(&picture(64), ImageFormat::WebP);
    // Both sides are in four bytes, 14 bits each, after the chunk's head and a byte.
    let at = webp.windows(4).position(|kind| kind == b"VP8L").expect("it is lossless") + 9;
    let mut large = webp.clone();
    large[at..at + 4].copy_from_slice(&(6_999_u32 | 6_999 << 14).to_le_bytes());
    add("WebP that claims 7000x7000".into(), large);
    webp[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
    add("WebP that claims 4 GB".into(), webp);
}

/// Adds files with unusual data in addition to their pixels.
fn add_padding(add: &mut impl FnMut(String, Vec<u8>)) {
    let jpeg = encoded(&picture(64), ImageFormat::Jpeg);
    let scan = jpeg.windows(2).position(|pair| pair == [0xff, 0xda]).expect("a scan");
    let scans = jpeg[scan..jpeg.len() - 2].repeat(5_000);
    add("JPEG of 5000 scans".into(), [&jpeg[..scan], &scans, &[0xff, 0xd9]].concat());
    let profile = segment(0xe2, &vec![7; 60_000]).repeat(60);
    add("JPEG with 3.6 MB of profiles".into(), inserted(&jpeg, &profile));
    for seed in 0..12 {
        let mut random = fastrand::Rng::with_seed(seed);
        let garbage: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(400).collect();
        let exif = [&b"Exif\0\0II*\0\x08\0\0\0"[..], &garbage].concat();
        add(format!("JPEG with Exif garbage {seed}"), inserted(&jpeg, &segment(0xe1, &exif)));
    }
    // An entry that points to itself: readers that follow it never end.
    let circle = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\x08\0\0\0";
    add("JPEG with circular Exif".into(), inserted(&jpeg, &segment(0xe1, circle)));
    let mut text = ZlibEncoder::new(Vec::new(), Compression::best());
    text.write_all(&vec![b'a'; 64 << 20]).expect("in memory");
    let text = [&b"x\0\0"[..], &text.finish().expect("in memory")].concat();
    let whole = encoded(&picture(64), ImageFormat::Png);
    let bomb =
        [&whole[..33], &chunk(b"zTXt", &text), &chunk(b"iCCP", &text), &whole[33..]].concat();
    add("PNG with 128 MB of text".into(), bomb);
}

/// Adds files of other types, and an empty one.
fn add_foreign(add: &mut impl FnMut(String, Vec<u8>)) {
    let kinds: [(&str, &[u8]); 9] = [
        ("nothing", b""),
        ("one byte", b"\xff"),
        ("HEIC without a picture", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"),
        ("a GIF", b"GIF89a\x01\0\x01\0\0\0\0;"),
        ("an SVG that reads a file", b"<svg xmlns:x='http://www.w3.org/1999/xlink'><image x:href='file:///etc/passwd'/></svg>"),
        ("a script", b"#!/bin/sh\nreboot\n"),
        ("a ZIP", b"PK\x03\x04\x14\0\0\0"),
        ("an address", b"http://169.254.169.254/latest/meta-data"),
        ("TIFF", b"II*\0\x08\0\0\0\xff\xff"),
    ];
    for (name, bytes) in kinds {
        add(name.to_owned(), bytes.to_vec());
    }
}
