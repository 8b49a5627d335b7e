//! The entry point of HEIC and AVIF: boxes, tiles, their decoders, colors and turns.
//!
//! Laws: a decoded picture is within its limits; a stripped file has the picture size of the input,
//! is larger by at most its boxes, and has nothing left to strip. tests/reading/stills.rs checks
//! that intact files keep their pixels.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilesight_stills::{is_heic_or_avif, without_metadata};
use tilesight_vision::{DecodeLimits, Photo};

fuzz_target!(
    init: {
        // A decoder's panic is caught and counts as a broken picture; libFuzzer's own hook would
        // end the process here.
        drop(std::panic::take_hook());
    },
    |bytes: &[u8]| {
        let limits = DecodeLimits { bytes: 1 << 20, pixels: 250_000, ..DecodeLimits::default() };
        if !is_heic_or_avif(bytes) {
            return;
        }
        let photo = Photo::decode(bytes, &limits);
        if let Ok(photo) = &photo {
            let (width, height) = photo.size();
            assert!(u64::from(width) * u64::from(height) <= limits.pixels, "{width}x{height}");
        }
        let Ok(stripped) = without_metadata(bytes, &limits) else { return };
        // Boxes shared by several tiles are written once too; defaults that a file leaves out are
        // written.
        assert!(stripped.len() <= 2 * bytes.len() + 1024, "{} bytes of {}", stripped.len(), bytes.len());
        assert_eq!(without_metadata(&stripped, &limits).as_ref(), Ok(&stripped));
        if let (Ok(photo), Ok(again)) = (photo, Photo::decode(&stripped, &limits)) {
            assert_eq!(photo.size(), again.size());
        }
    }
);
