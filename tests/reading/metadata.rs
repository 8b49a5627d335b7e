//! Stripped photos: they are read exactly as before, and no metadata is left.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder, ImageFormat, RgbImage};
use tilesight_stills::without_metadata;
use tilesight_vision::{DecodeLimits, Photo};

use crate::files;
use crate::held;

const SECRET: &[u8] = b"GPS 52.5200 N SERIAL 4711";

fn stripped(photo: &[u8]) -> Vec<u8> {
    without_metadata(photo, &DecodeLimits::default()).expect("a photo")
}

fn pixels(photo: &[u8]) -> RgbImage {
    Photo::decode(photo, &DecodeLimits::default()).expect("a photo").image().clone()
}

fn has_secret(bytes: &[u8]) -> bool {
    bytes.windows(SECRET.len()).any(|part| part == SECRET)
}

/// Returns a picture in each kind of file, with a given Exif block and profile.
fn in_each_kind(exif: &[u8], profile: &[u8]) -> Vec<(ImageFormat, Vec<u8>)> {
    fn write(mut encoder: impl ImageEncoder, exif: &[u8], profile: &[u8]) {
        let image = files::picture(96).into_rgb8();
        encoder.set_exif_metadata(exif.to_vec()).expect("it carries Exif");
        encoder.set_icc_profile(profile.to_vec()).expect("it carries a profile");
        let pixels = image.as_raw();
        encoder.write_image(pixels, 96, 96, ExtendedColorType::Rgb8).expect("encodes");
    }
    let (mut jpeg, mut png, mut webp) = (Vec::new(), Vec::new(), Vec::new());
    write(JpegEncoder::new_with_quality(&mut jpeg, 90), exif, profile);
    write(PngEncoder::new(&mut png), exif, profile);
    write(WebPEncoder::new_lossless(&mut webp), exif, profile);
    vec![(ImageFormat::Jpeg, jpeg), (ImageFormat::Png, png), (ImageFormat::WebP, webp)]
}

#[test]
fn all_eight_orientations_are_kept_and_nothing_else() {
    for value in 1..=8 {
        let exif = [held::exif(value), SECRET.to_vec()].concat();
        for (kind, photo) in in_each_kind(&exif, SECRET) {
            assert!(has_secret(&photo), "{kind:?} carries it");
            let kept = stripped(&photo);
            assert!(!has_secret(&kept), "{kind:?}, orientation {value}");
            assert!(pixels(&kept) == pixels(&photo), "{kind:?}, orientation {value}");
            assert!(kept.len() < photo.len());
            assert_eq!(stripped(&kept), kept, "{kind:?}: once is enough");
        }
    }
}

/// Hidden places: a phone's film after the photo, texts between the scans of a progressive one, and
/// a thumbnail.
#[test]
fn hidden_places_are_stripped_too() {
    let plain = files::encoded(&files::picture(96), ImageFormat::Jpeg);
    let comment = |marker: u8| {
        let length = u16::try_from(SECRET.len() + 2).expect("short").to_be_bytes();
        [&[0xff, marker], &length[..], SECRET].concat()
    };
    let scan = plain.windows(2).position(|pair| pair == [0xff, 0xda]).expect("a scan");
    let end = plain.len() - 2;
    for marker in [0xe0, 0xe1, 0xe2, 0xed, 0xee, 0xef, 0xfe] {
        let segment = comment(marker);
        for (place, at) in
            [("the beginning", 2), ("the scan", scan), ("the end", end), ("beyond", end + 2)]
        {
            let photo = [&plain[..at], &segment, &plain[at..]].concat();
            let kept = stripped(&photo);
            assert!(!has_secret(&kept), "{marker:x} at {place}");
            assert!(pixels(&kept) == pixels(&plain), "{marker:x} at {place}");
        }
    }
    for kind in [ImageFormat::Png, ImageFormat::WebP] {
        let photo = [&files::encoded(&files::picture(96), kind)[..], SECRET].concat();
        if let Ok(kept) = without_metadata(&photo, &DecodeLimits::default()) {
            assert!(!has_secret(&kept), "{kind:?}");
        }
    }
}

/// A block in the midst of the pixels breaks a JPEG: decoders give up or continue after it, and do
/// the same once it is empty. Found by fuzzing.
#[test]
fn segments_inside_the_scan_still_interrupt_it() {
    let plain = files::encoded(&files::picture(96), ImageFormat::Jpeg);
    let scan = plain.windows(2).position(|pair| pair == [0xff, 0xda]).expect("a scan");
    let exif = [b"Exif\0\0", &held::exif(6)[..], SECRET].concat();
    let length = u16::try_from(exif.len() + 2).expect("short").to_be_bytes();
    let mut looked = 0;
    for at in (scan + 14..plain.len() - 2).step_by(97).filter(|&at| plain[at - 1] != 0xff) {
        for marker in [0xe1, 0xee, 0xfe] {
            let segment = [&[0xff, marker], &length[..], &exif].concat();
            let photo = [&plain[..at], &segment, &plain[at..]].concat();
            let kept = stripped(&photo);
            assert!(!has_secret(&kept), "{marker:x} at {at}");
            let decoded = |photo: &[u8]| Photo::decode(photo, &DecodeLimits::default()).ok();
            let (before, after) = (decoded(&photo), decoded(&kept));
            assert!(
                before.map(|photo| photo.image().clone())
                    == after.map(|photo| photo.image().clone()),
                "{marker:x} at {at}"
            );
            looked += 1;
        }
    }
    assert!(looked > 30);
}

/// Readable files give the same picture afterwards; unreadable ones are rejected before or after,
/// and nothing panics.
#[test]
fn hostile_files_show_the_same_picture_afterwards() {
    let limits = DecodeLimits::default();
    let mut read = 0;
    for (name, file) in files::hostile() {
        let before = Photo::decode(&file, &limits);
        let after = without_metadata(&file, &limits);
        match (before, after) {
            (Ok(before), Ok(kept)) => {
                let after = Photo::decode(&kept, &limits);
                let after = after.unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(before.image() == after.image(), "{name}");
                read += 1;
            }
            (Ok(_), Err(error)) => panic!("{name} was a photo: {error}"),
            (Err(_), _) => {}
        }
    }
    assert!(read > 30, "{read} of them are photos");
}

/// A few broken files were read differently after stripping.
#[test]
fn files_found_by_fuzzing_are_read_alike() {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("fuzz/corpus/pictures");
    let limits = DecodeLimits::default();
    let mut read = 0;
    for file in std::fs::read_dir(folder).expect("the corpus") {
        let path = file.expect("a file").path();
        let photo = std::fs::read(&path).expect("a file");
        let Ok(before) = Photo::decode(&photo, &limits) else { continue };
        let kept = without_metadata(&photo, &limits).expect("what can be read can be kept");
        let after = Photo::decode(&kept, &limits);
        let after = after.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(before.image() == after.image(), "{}", path.display());
        read += 1;
    }
    assert!(read > 5, "{read} of them are photos");
}

#[test]
fn our_samples_stay_as_they_are() {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("datasets/samples");
    let photos =
        std::fs::read_dir(folder).expect("our samples").map(|entry| entry.expect("it").path());
    let photos = photos.filter(|path| path.extension().is_some_and(|kind| kind == "jpg"));
    let mut seen = 0;
    for path in photos.take(8) {
        let photo = std::fs::read(&path).expect("a photo");
        assert!(pixels(&stripped(&photo)) == pixels(&photo), "{}", path.display());
        seen += 1;
    }
    assert_eq!(seen, 8);
}
