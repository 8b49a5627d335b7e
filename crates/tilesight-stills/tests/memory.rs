//! Memory that decoding takes, counted, against what the header says beforehand.
//!
//! One test in a program of its own: the allocator counts for the whole process.

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use peak_alloc::PeakAlloc;
use tilesight_stills::{DecodeLimits, DecodingCost, Photo, PhotoInPart, jpeg_preview};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Returns a picture with some structure and some transparency.
fn picture() -> DynamicImage {
    let shade = |x: u32, y: u32| Rgba([(x * 7) as u8, (y * 5) as u8, (x ^ y) as u8, (x + y) as u8]);
    RgbaImage::from_fn(1000, 800, shade).into()
}

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("encodes");
    bytes.into_inner()
}

fn file(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    std::fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn files() -> Vec<(String, Vec<u8>)> {
    let image = picture();
    let rgb = DynamicImage::from(image.to_rgb8());
    let pngs = [
        ("grey", image.to_luma8().into()),
        ("grey and opacity", image.to_luma_alpha8().into()),
        ("colour", rgb.clone()),
        ("colour and opacity", image.clone()),
        ("colour of 16 bits", image.to_rgb16().into()),
        ("colour and opacity of 16 bits", image.to_rgba16().into()),
    ];
    let pngs =
        pngs.map(|(name, image)| (format!("PNG: {name}"), encoded(&image, ImageFormat::Png)));
    let mut files = Vec::from(pngs);
    files.push(("JPEG".to_owned(), encoded(&rgb, ImageFormat::Jpeg)));
    files.push(("grey JPEG".to_owned(), encoded(&image.to_luma8().into(), ImageFormat::Jpeg)));
    files.push(("lossless WebP".to_owned(), encoded(&rgb, ImageFormat::WebP)));
    files.push(("lossless WebP with opacity".to_owned(), encoded(&image, ImageFormat::WebP)));
    for name in [
        "tests/data/webp/lossy.webp",
        "tests/data/webp/opacity.webp",
        "tests/data/webp/animated.webp",
        "tests/data/webp/lossless.webp",
        "tests/data/jpeg/progressive-420.jpg",
        "tests/data/jpeg/progressive-grey.jpg",
        "tests/data/jpeg/apart-420.jpg",
        "tests/data/stills/full.heic",
        "tests/data/stills/full.avif",
        "tests/data/stills/grid.heic",
        "datasets/samples/demo.heic",
        "datasets/samples/demo.avif",
        "datasets/samples/demo.jpg",
    ] {
        files.push((name.to_owned(), file(name)));
    }
    files
}

/// Returns the number of bytes that work held at most, beyond those held before.
fn held(work: impl FnOnce() -> bool) -> u64 {
    let before = PeakAlloc.current_usage();
    PeakAlloc.reset_peak_usage();
    assert!(work(), "it decodes");
    (PeakAlloc.peak_usage() - before) as u64
}

#[test]
fn decoding_holds_no_more_than_the_header_says() {
    let limits = DecodeLimits::default();
    let mut wrong = Vec::new();
    for (name, bytes) in files() {
        let cost = DecodingCost::from_header(&bytes, &limits);
        assert!(cost.memory <= cost.pixels * 20 + (96 << 20), "{name}: {cost:?}");
        let mut ways = vec![("whole", held(|| Photo::decode(&bytes, &limits).is_ok()))];
        // Only a JPEG is decoded in part.
        if name.ends_with("jpg") || name.ends_with("JPEG") {
            ways.push(("in part", held(|| PhotoInPart::decode(&bytes, &limits).is_ok())));
            ways.push(("as a preview", held(|| jpeg_preview(&bytes, &limits).is_ok())));
        }
        for (way, held) in ways {
            if held > cost.memory {
                wrong.push(format!("{name}, {way}: {held} of {} bytes", cost.memory));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
