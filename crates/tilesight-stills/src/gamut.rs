//! Conversion of a camera's colours to sRGB, which the networks were trained with.
//!
//! Input: the colour information of a HEIC or AVIF file, and 8-bit RGB. Output: the same pixels in
//! sRGB. A profile takes precedence over code points. Only the primaries and curves of a profile
//! are used, which is all that cameras write; a profile without them is ignored like an unreadable
//! one. High dynamic range is clipped at the white of ordinary screens.

use moxcms::{
    ColorProfile, DataColorSpace, Layout, ToneReprCurve, Transform8BitExecutor, TransformOptions,
};
use std::sync::Arc;

use super::heif::{CodePoints, Colour};

/// Number of samples that are transformed at a time: they stay in the cache.
const CHUNK: usize = 4096 * 3;

/// Transform of pixels to sRGB.
pub(super) struct ToSrgb {
    transform: Arc<Transform8BitExecutor>,
    scratch: Vec<u8>,
}

impl ToSrgb {
    /// Returns the transform for the colours of a file; `None` if they are already sRGB.
    pub(super) fn new(colour: &Colour<'_>, coded: CodePoints) -> Option<ToSrgb> {
        let points = colour.code_points.unwrap_or(coded);
        let profile = colour.profile.and_then(camera_profile).or_else(|| named_profile(points))?;
        let srgb = ColorProfile::new_srgb();
        let options = TransformOptions::default();
        let transform =
            profile.create_transform_8bit(Layout::Rgb, &srgb, Layout::Rgb, options).ok()?;
        Some(ToSrgb { transform, scratch: vec![0; CHUNK] })
    }

    /// Transforms pixels in place.
    pub(super) fn apply(&mut self, pixels: &mut [u8]) {
        for chunk in pixels.chunks_mut(CHUNK) {
            let from = &mut self.scratch[..chunk.len()];
            from.copy_from_slice(chunk);
            // The transform fails only for lengths that are not whole pixels, and these are.
            let _ = self.transform.transform(from, chunk);
        }
    }
}

/// Returns a profile with the primaries and curves of the given one.
fn camera_profile(bytes: &[u8]) -> Option<ColorProfile> {
    let read = ColorProfile::new_from_slice(bytes).ok()?;
    let mut profile = ColorProfile::new_srgb();
    profile.red_colorant = read.red_colorant;
    profile.green_colorant = read.green_colorant;
    profile.blue_colorant = read.blue_colorant;
    // A profile that consists of tables has no curves.
    (profile.red_trc, profile.green_trc, profile.blue_trc) =
        (Some(read.red_trc?), Some(read.green_trc?), Some(read.blue_trc?));
    profile.cicp = None;
    (read.color_space == DataColorSpace::Rgb).then_some(profile)
}

/// Position of the creation date in a profile's header. The profiles written here have the first of
/// January 2000, as six numbers of 16 bits (ICC.1:2022, 7.2.8).
const CREATED: std::ops::Range<usize> = 24..36;
const SOME_DAY: [u8; 12] = [7, 208, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0];

/// Returns a profile with the same primaries and curves, and nothing else.
pub(super) fn essence(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut profile = camera_profile(bytes)?;
    profile.description = None;
    profile.copyright = None;
    let mut written = profile.encode().ok()?;
    // The library writes the current time, which would reveal when the photo was sent.
    written.get_mut(CREATED)?.copy_from_slice(&SOME_DAY);
    Some(written)
}

/// Returns the profile of code points; `None` for sRGB and for code points that no camera writes.
fn named_profile(points: CodePoints) -> Option<ColorProfile> {
    let primaries = match points.primaries {
        9 => Some(ColorProfile::new_bt2020()),
        11 => Some(ColorProfile::new_dci_p3()),
        12 => Some(ColorProfile::new_display_p3()),
        _ => None,
    };
    // The curves of ordinary screens differ little from that of sRGB, and players treat them alike.
    let curve = match points.transfer {
        16 => Some(table(perceptual_quantizer)),
        18 => Some(table(hybrid_log_gamma)),
        _ => None,
    };
    if primaries.is_none() && curve.is_none() {
        return None;
    }
    let mut profile = primaries.unwrap_or_else(ColorProfile::new_srgb);
    let curve = curve.or_else(|| ColorProfile::new_srgb().red_trc);
    (profile.red_trc, profile.green_trc, profile.blue_trc) = (curve.clone(), curve.clone(), curve);
    profile.cicp = None;
    Some(profile)
}

/// Tabulates a curve from signal to light, both from 0 to 1.
fn table(light: fn(f64) -> f64) -> ToneReprCurve {
    /// Number of entries, finer than the 8 bits of a sample.
    const STEPS: u16 = 1024;
    let value = |step: u16| {
        let light = light(f64::from(step) / f64::from(STEPS - 1));
        (light.clamp(0.0, 1.0) * 65535.0).round() as u16
    };
    ToneReprCurve::Lut((0..STEPS).map(value).collect())
}

/// Luminance of white in ordinary pictures, in candelas per square metre (ITU-R BT.2408).
const REFERENCE_WHITE: f64 = 203.0;

/// Returns the light for a signal by SMPTE ST 2084, relative to the reference white.
fn perceptual_quantizer(signal: f64) -> f64 {
    let (m1, m2) = (2610.0 / 16384.0, 2523.0 / 32.0);
    let (c1, c2, c3) = (3424.0 / 4096.0, 2413.0 / 128.0, 2392.0 / 128.0);
    let power = signal.powf(1.0 / m2);
    let light = ((power - c1).max(0.0) / (c2 - c3 * power)).powf(1.0 / m1);
    light * 10_000.0 / REFERENCE_WHITE
}

/// Returns the light for a signal by hybrid log-gamma (ITU-R BT.2100), relative to the reference
/// white, which is the signal 0.75.
fn hybrid_log_gamma(signal: f64) -> f64 {
    let (a, b, c) = (0.178_832_77, 0.284_668_92, 0.559_910_73);
    let scene = |signal: f64| {
        if signal <= 0.5 { signal * signal / 3.0 } else { (((signal - c) / a).exp() + b) / 12.0 }
    };
    scene(signal) / scene(0.75)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(primaries: u16, transfer: u16, colour: [u8; 3]) -> [u8; 3] {
        let points = CodePoints { primaries, transfer, matrix: 6, full_range: true };
        let colours = Colour { profile: None, code_points: Some(points) };
        let mut pixel = colour;
        if let Some(mut to_srgb) = ToSrgb::new(&colours, points) {
            to_srgb.apply(&mut pixel);
        }
        pixel
    }

    fn near(one: [u8; 3], other: [u8; 3]) -> bool {
        one.iter().zip(other).all(|(one, other)| one.abs_diff(other) <= 3)
    }

    #[test]
    fn greys_stay_and_wide_colours_are_brought_in() {
        for primaries in [1, 2, 9, 12] {
            assert!(near(shown(primaries, 13, [128; 3]), [128; 3]), "{primaries}");
        }
        // Code values in Display P3 of two sRGB colours: pure red, and an orange.
        assert!(near(shown(12, 13, [234, 51, 35]), [255, 0, 0]));
        assert!(near(shown(12, 13, [217, 140, 69]), [230, 135, 49]));
        // Code value in BT.2020 of the red of sRGB.
        assert!(
            near(shown(9, 13, [208, 74, 34]), [255, 0, 0]),
            "{:?}",
            shown(9, 13, [208, 74, 34])
        );
        assert_eq!(shown(1, 13, [234, 51, 35]), [234, 51, 35]);
    }

    /// Checks that white of 203 candelas per square metre is 58 % of the signal of PQ and 75 % of
    /// HLG's (ITU-R BT.2408), and that brighter light is clipped.
    #[test]
    fn high_dynamic_range_is_shown_from_black_to_reference_white() {
        for (transfer, white) in [(16, 148), (18, 191)] {
            assert!(near(shown(9, transfer, [white; 3]), [255; 3]), "{transfer}");
            assert!(near(shown(9, transfer, [0; 3]), [0; 3]), "{transfer}");
            assert_eq!(shown(9, transfer, [255; 3]), [255; 3], "{transfer}");
            let grey = shown(9, transfer, [white / 2; 3])[0];
            assert!((20..200).contains(&grey), "{transfer}: {grey}");
        }
    }

    #[test]
    fn a_profile_is_reduced_to_its_colours() {
        let profile = ColorProfile::new_display_p3().encode().expect("a profile");
        let kept = essence(&profile).expect("a profile");
        assert!(kept.len() < profile.len());
        assert_eq!(essence(&kept), Some(kept.clone()), "once is enough");
        assert_eq!(kept[CREATED], SOME_DAY, "it says when it was written");
        let shown = |profile: &[u8]| {
            let points = CodePoints { primaries: 2, transfer: 2, matrix: 6, full_range: true };
            let colour = Colour { profile: Some(profile), code_points: None };
            let mut pixel = [234, 51, 35];
            ToSrgb::new(&colour, points).expect("another gamut").apply(&mut pixel);
            pixel
        };
        assert!(near(shown(&profile), [255, 0, 0]));
        assert_eq!(shown(&profile), shown(&kept));
        assert_eq!(essence(b"no profile"), None);
    }
}
