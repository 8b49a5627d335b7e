//! HEIC and AVIF files whose boxes are in another order, or name more than there is.

use std::path::{Path, PathBuf};

use image::RgbImage;
use tilesight_stills::{DecodeError, DecodeLimits, DecodingCost, Photo, without_metadata};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stills")
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn decode(bytes: &[u8]) -> Result<RgbImage, DecodeError> {
    Photo::decode(bytes, &DecodeLimits::default()).map(|photo| photo.image().clone())
}

/// Returns the position behind the type of the first box of this type.
fn behind(file: &[u8], kind: &[u8; 4]) -> usize {
    file.windows(4).position(|part| part == kind).expect("the box") + 4
}

fn number(file: &[u8], at: usize, length: usize) -> usize {
    file[at..at + length].iter().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

/// Returns the types of the properties, in the order in which they are stored.
fn properties(file: &[u8]) -> Vec<[u8; 4]> {
    let mut at = behind(file, b"ipco");
    let end = at - 8 + number(file, at - 8, 4);
    let mut kinds = Vec::new();
    while at < end {
        kinds.push(file[at + 4..at + 8].try_into().expect("four bytes"));
        at += number(file, at, 4);
    }
    kinds
}

/// Returns the file with the transformations of each item before its other properties, as a camera
/// of Sony writes them, and whether that moved any.
fn transformations_first(file: &[u8]) -> (Vec<u8>, bool) {
    let kinds = properties(file);
    let mut bytes = file.to_vec();
    let start = behind(file, b"ipma");
    assert_eq!(bytes[start..start + 4], [0; 4], "ids of two bytes, indices of one");
    let mut at = start + 8;
    let mut is_moved = false;
    for _ in 0..number(file, start + 4, 4) {
        let count = usize::from(bytes[at + 2]);
        let indices = &mut bytes[at + 3..at + 3 + count];
        let before = indices.to_vec();
        indices.sort_by_key(|index| {
            !matches!(&kinds[usize::from(index & 0x7f) - 1], b"irot" | b"imir" | b"clap")
        });
        is_moved |= indices != before;
        at += 3 + count;
    }
    (bytes, is_moved)
}

#[test]
fn properties_are_read_in_any_order() {
    let mut moved = 0;
    for name in [
        "turned.heic",
        "upside-down.heic",
        "mirrored-rows.heic",
        "turned-mirrored.heic",
        "cut.heic",
        "derived.heic",
        "grid.avif",
    ] {
        let whole = file(name);
        let (other, is_moved) = transformations_first(&whole);
        moved += usize::from(is_moved);
        let expected = decode(&whole).expect(name);
        assert!(decode(&other).expect(name) == expected, "{name}");
        let stored = without_metadata(&other, &DecodeLimits::default()).expect(name);
        assert!(decode(&stored).expect(name) == expected, "{name} is stored");
    }
    assert!(moved >= 6, "{moved}");
}

/// Returns a picture in a simple file, with the given extents of its item: offsets in the coded
/// picture, and lengths. The coded picture is repeated.
fn with_extents(
    name: &str,
    times: usize,
    extents: impl Fn(usize) -> Vec<(usize, usize)>,
) -> Vec<u8> {
    let plain = without_metadata(&file(name), &DecodeLimits::default()).expect("a photo");
    let (meta, places, data) =
        (behind(&plain, b"meta"), behind(&plain, b"iloc"), behind(&plain, b"mdat"));
    let extents = extents(plain.len() - data);
    // Version, sizes and the number of items; then the item, its method, its file, one extent.
    let count = places + 4 + 2 + 2 + 6;
    assert_eq!(plain[count..count + 2], [0, 1]);
    let added = 8 * extents.len() - 8;
    let list: Vec<u8> = extents
        .iter()
        .flat_map(|(at, length)| [data + added + at, *length])
        .flat_map(|number| u32::try_from(number).expect("short").to_be_bytes())
        .collect();
    let mut bytes = plain[..count].to_vec();
    bytes.extend(u16::try_from(extents.len()).expect("few").to_be_bytes());
    bytes.extend(list);
    bytes.extend(&plain[count + 10..data]);
    bytes.extend(plain[data..].repeat(times));
    for (at, more) in [
        (meta - 8, added),
        (places - 8, added),
        (data + added - 8, (times - 1) * (plain.len() - data)),
    ] {
        let length = u32::try_from(number(&bytes, at, 4) + more).expect("short");
        bytes[at..at + 4].copy_from_slice(&length.to_be_bytes());
    }
    bytes
}

#[test]
fn bytes_that_are_named_twice_are_refused() {
    for name in ["plain.avif", "plain.heic"] {
        let whole = decode(&file(name)).expect(name);
        let pieces = with_extents(name, 1, |length| vec![(0, 100), (100, 50), (150, length - 150)]);
        assert!(decode(&pieces).expect(name) == whole, "{name} in pieces");
        let unordered = with_extents(name, 2, |length| vec![(length, 100), (100, length - 100)]);
        assert!(decode(&unordered).expect(name) == whole, "{name} in pieces that lie apart");
        let expected =
            DecodeError::Broken("it contradicts itself about where its parts are".into());
        let repeated = with_extents(name, 1, |length| vec![(0, length); 500]);
        assert_eq!(decode(&repeated), Err(expected.clone()), "{name}");
        let overlapping = with_extents(name, 1, |length| vec![(0, 100), (99, length - 99)]);
        assert_eq!(decode(&overlapping), Err(expected), "{name}");
    }
}

#[test]
fn frames_cover_the_picture_only_a_few_times() {
    let layers = with_extents("plain.avif", 3, |length| vec![(0, 3 * length)]);
    assert!(decode(&layers).is_ok());
    let many = with_extents("plain.avif", 6_000, |length| vec![(0, 6_000 * length)]);
    let limits = DecodeLimits { bytes: many.len(), ..DecodeLimits::default() };
    let refused = Photo::decode(&many, &limits).expect_err("six thousand frames");
    assert_eq!(refused, DecodeError::TooManyParts { limit: 8192 });
    assert_eq!(DecodingCost::from_header(&many, &limits), DecodingCost::default(), "by its header");
}
