//! The entry point of photos: sniffed, stripped and decoded within their limits.
//!
//! Laws: a stripped file has the picture size of the input, is larger by at most an orientation,
//! and has nothing left to strip. tests/reading/metadata.rs checks that intact files keep their
//! pixels; what broken ones show depends on where their decoder gives up.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilesight_stills::without_metadata;
use tilesight_vision::{DecodeLimits, Photo};

fuzz_target!(
    init: {
        // A decoder's panic is caught and counts as a broken picture; libFuzzer's own hook would
        // end the process here.
        drop(std::panic::take_hook());
    },
    |bytes: &[u8]| {
        let limits = DecodeLimits { bytes: 1 << 20, pixels: 250_000, ..DecodeLimits::default() };
        let photo = Photo::decode(bytes, &limits);
        if let Ok(photo) = &photo {
            let (width, height) = photo.size();
            assert!(u64::from(width) * u64::from(height) <= limits.pixels, "{width}x{height}");
        }
        let Ok(stripped) = without_metadata(bytes, &limits) else { return };
        // HEIC and AVIF have a target of their own.
        let boxes = if bytes.get(4..8) == Some(b"ftyp") { bytes.len() + 1024 } else { 64 };
        assert!(stripped.len() <= bytes.len() + boxes, "{} bytes of {}", stripped.len(), bytes.len());
        assert_eq!(without_metadata(&stripped, &limits).as_ref(), Ok(&stripped));
        if let (Ok(photo), Ok(again)) = (photo, Photo::decode(&stripped, &limits)) {
            assert_eq!(photo.size(), again.size());
        }
    }
);
