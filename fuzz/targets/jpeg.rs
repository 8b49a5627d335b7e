//! Our own decoder of large JPEG files, at a half and a quarter of their size and in parts.
//!
//! Laws: a decoded picture has the size in its header, divided and rounded up, and is within the
//! limit; if the image library decodes the file too, both agree on the size; an area shows the same
//! as that part of the whole.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilesight_stills::Area;
use tilesight_vision::{DecodeLimits, Photo};

fuzz_target!(|bytes: &[u8]| {
    let limits = DecodeLimits { bytes: 1 << 20, pixels: 250_000, ..DecodeLimits::default() };
    for factor in [2, 4] {
        let Some(part) = Photo::decode_reduced(factor, bytes, &limits) else { continue };
        let (width, height) = part.size();
        let pixels = u64::from(width - 1) * u64::from(height - 1) * u64::from(factor * factor);
        assert!(pixels <= limits.pixels, "{width}x{height} by {factor}");
        if let Ok(whole) = Photo::decode(bytes, &limits) {
            let (whole_width, whole_height) = whole.size();
            let expected = (whole_width.div_ceil(factor), whole_height.div_ceil(factor));
            assert_eq!((width, height), expected, "by {factor}");
        }
    }
    let photo = || Photo::decode_in_parts(bytes, &limits);
    let (Some(parts), Some(whole)) = (photo(), photo()) else { return };
    let (width, height) = whole.size();
    // An arbitrary position that depends on the file.
    let at = bytes.iter().fold(0_u32, |at, &byte| at.wrapping_mul(31).wrapping_add(byte.into()));
    let (left, top) = (at % width, (at >> 12) % height);
    let area = Area { left, top, right: (left + 9).min(width), bottom: (top + 9).min(height) };
    parts.with_area(area, |image| {
        for (x, y) in (top..area.bottom).flat_map(|y| (left..area.right).map(move |x| (x, y))) {
            assert_eq!(image.get_pixel(x, y), whole.image().get_pixel(x, y), "({x}, {y})");
        }
    });
});
