//! Photos in wider gamuts than sRGB: every format and every way to decode shows their colours.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder, Rgb, RgbImage};
use moxcms::{ColorProfile, Layout, TransformOptions};
use tilesight_stills::resample::resize;
use tilesight_stills::{
    Area, DecodeLimits, Photo, PhotoInPart, jpeg_preview, to_jpeg, without_metadata,
};

/// Returns a picture that is large enough to be examined at a part of its size, with strong
/// colours.
fn picture() -> RgbImage {
    let wave = |at: u32, length: f32| ((at as f32 / length).sin() * 100.0 + 128.0) as u8;
    RgbImage::from_fn(3845, 243, |x, y| Rgb([wave(x, 119.0), wave(y, 123.0), wave(x + y, 131.0)]))
}

/// Returns the numbers by which a profile codes what a picture shows in sRGB.
fn coded(picture: &RgbImage, profile: &ColorProfile) -> RgbImage {
    let srgb = ColorProfile::new_srgb();
    let options = TransformOptions::default();
    let transform = srgb.create_transform_8bit(Layout::Rgb, profile, Layout::Rgb, options);
    let mut coded = picture.clone();
    transform.expect("two matrices").transform(picture, &mut coded).expect("whole pixels");
    coded
}

fn encoded(mut encoder: impl ImageEncoder, image: &RgbImage, profile: Option<&ColorProfile>) {
    if let Some(profile) = profile {
        let profile = profile.encode().expect("a profile");
        encoder.set_icc_profile(profile).expect("the format carries profiles");
    }
    let (width, height) = image.dimensions();
    encoder.write_image(image, width, height, ExtendedColorType::Rgb8).expect("encodes");
}

/// Returns a picture as JPEG, PNG and WebP.
fn files(image: &RgbImage, profile: Option<&ColorProfile>) -> [(&'static str, Vec<u8>); 3] {
    let (mut jpeg, mut png, mut webp) = (Vec::new(), Vec::new(), Vec::new());
    encoded(JpegEncoder::new_with_quality(&mut jpeg, 95), image, profile);
    encoded(PngEncoder::new(&mut png), image, profile);
    encoded(WebPEncoder::new_lossless(&mut webp), image, profile);
    [("JPEG", jpeg), ("PNG", png), ("WebP", webp)]
}

fn decode(bytes: &[u8]) -> RgbImage {
    Photo::decode(bytes, &DecodeLimits::default()).expect("a photo").image().clone()
}

/// Returns the mean difference of two pictures, in levels.
fn difference(one: &RgbImage, other: &RgbImage) -> f64 {
    assert_eq!(one.dimensions(), other.dimensions());
    let sum: u64 = one.iter().zip(other.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / one.len() as f64
}

/// Mean difference due to coding and rounding; with its profile ignored, Display P3 differs by 5 or
/// more.
const CODED: f64 = 2.5;

#[test]
fn profiles_are_applied_in_every_format() {
    let shown = picture();
    for (name, profile) in [
        ("Display P3", ColorProfile::new_display_p3()),
        ("Adobe RGB", ColorProfile::new_adobe_rgb()),
        ("ProPhoto", ColorProfile::new_pro_photo_rgb()),
    ] {
        let wide = coded(&shown, &profile);
        assert!(difference(&wide, &shown) > 2.0 * CODED, "{name} is another gamut");
        for (format, file) in files(&wide, Some(&profile)) {
            let off = difference(&decode(&file), &shown);
            assert!(off < CODED, "{name} in {format}: {off:.1}");
            let stored = without_metadata(&file, &DecodeLimits::default()).expect("a photo");
            assert!(
                decode(&stored) == decode(&file),
                "{name} in {format} is stored with its colours"
            );
            let again = without_metadata(&stored, &DecodeLimits::default()).expect("a photo");
            assert!(again == stored, "{name} in {format}: once is enough");
            let words = b"Public Domain";
            assert!(!stored.windows(words.len()).any(|part| part == words), "and nothing else");
        }
    }
}

#[test]
fn parts_and_reduced_pictures_show_the_same_colours() {
    let (shown, profile) = (picture(), ColorProfile::new_display_p3());
    let [(_, jpeg), ..] = files(&coded(&shown, &profile), Some(&profile));
    let limits = DecodeLimits::default();
    let part = PhotoInPart::decode(&jpeg, &limits).expect("a photo");
    assert!(part.factor > 1.0);
    let (width, height) = part.photo.size();
    let reduced = difference(part.photo.image(), &resize(&shown, width, height));
    assert!(reduced < CODED, "reduced: {reduced:.1}");
    let full = part.decode_full(&jpeg, &limits).expect("a photo");
    let area = Area { left: 1000, top: 100, right: 1100, bottom: 140 };
    full.with_area(area, |image| {
        let [found, expected] = [image, &shown]
            .map(|image| image::imageops::crop_imm(image, area.left, area.top, 100, 40).to_image());
        let off = difference(&found, &expected);
        assert!(off < CODED, "an area: {off:.1}");
    });
    let whole = difference(full.image(), &shown);
    assert!(whole < CODED, "all areas: {whole:.1}");
    let preview = decode(&jpeg_preview(&jpeg, &limits).expect("a photo"));
    let preview = difference(&preview, &resize(&shown, preview.width(), preview.height()));
    assert!(preview < CODED, "a preview: {preview:.1}");
}

#[test]
fn a_profile_of_srgb_changes_no_pixel() {
    let image = picture();
    let srgb = ColorProfile::new_srgb();
    for ((format, with), (_, without)) in
        files(&image, Some(&srgb)).iter().zip(files(&image, None).iter())
    {
        assert!(with.len() > without.len());
        assert!(decode(with) == decode(without), "{format}");
        let stored = without_metadata(with, &DecodeLimits::default()).expect("a photo");
        assert!(!stored.windows(4).any(|part| part == b"acsp" || part == b"iCCP"), "{format}");
    }
}

/// Returns a PNG with another chunk behind its header.
fn with_chunk(png: &[u8], kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut chunk = (data.len() as u32).to_be_bytes().to_vec();
    chunk.extend(kind);
    chunk.extend(data);
    chunk.extend(crc32fast::hash(&chunk[4..]).to_be_bytes());
    [&png[..33], &chunk, &png[33..]].concat()
}

#[test]
fn a_png_names_its_colours_by_code_points_or_numbers() {
    let shown = picture();
    let [_, (_, png), _] = files(&coded(&shown, &ColorProfile::new_display_p3()), None);
    let named = with_chunk(&png, b"cICP", &[12, 13, 0, 1]);
    let of_p3 = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000_u32];
    let described = with_chunk(&png, b"cHRM", &of_p3.map(u32::to_be_bytes).concat());
    for (way, file) in [("cICP", named), ("cHRM", described)] {
        let off = difference(&decode(&file), &shown);
        assert!(off < CODED, "{way}: {off:.1}");
        let stored = without_metadata(&file, &DecodeLimits::default()).expect("a photo");
        assert!(decode(&stored) == decode(&file), "{way} is stored");
    }
}

#[test]
fn broken_profiles_are_ignored() {
    let image = picture();
    let plain = to_jpeg(&image, 90).expect("a JPEG");
    for profile in [&b"nothing"[..], &[0; 200], &[0xff; 60_000]] {
        let data = [b"ICC_PROFILE\0\x01\x01", profile].concat();
        let length = u16::try_from(data.len() + 2).expect("a segment").to_be_bytes();
        let file = [&plain[..2], &[0xff, 0xe2], &length, &data, &plain[2..]].concat();
        assert!(decode(&file) == decode(&plain));
    }
}
