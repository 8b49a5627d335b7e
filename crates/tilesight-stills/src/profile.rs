//! Colour profiles that files describe in other words, written as ICC profiles.
//!
//! Input: the chromaticities and the exponent of a PNG, or the mark of Adobe RGB in Exif. Output:
//! the bytes of a profile. Invariant: a profile that is written here reveals neither time nor
//! place.

use moxcms::{Chromaticity, ColorPrimaries, ColorProfile, ToneReprCurve};

/// Position of the creation date in a profile's header. The profiles written here have the first of
/// January 2000, as six numbers of 16 bits (ICC.1:2022, 7.2.8).
pub(super) const CREATED: std::ops::Range<usize> = 24..36;
pub(super) const SOME_DAY: [u8; 12] = [7, 208, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0];

/// Writes a profile without texts and without the time.
pub(super) fn write(mut profile: ColorProfile) -> Option<Vec<u8>> {
    profile.description = None;
    profile.copyright = None;
    let mut written = profile.encode().ok()?;
    // The library writes the current time, which would reveal when the photo was sent.
    written.get_mut(CREATED)?.copy_from_slice(&SOME_DAY);
    Some(written)
}

/// Returns the profile of Adobe RGB.
pub(super) fn adobe_rgb() -> Option<Vec<u8>> {
    write(ColorProfile::new_adobe_rgb())
}

/// Returns the profile that exponent and chromaticities of a PNG describe, both times 100,000;
/// `None` for those of sRGB.
pub(super) fn chromaticity_profile(
    gamma: Option<u32>,
    chromaticities: Option<[u32; 8]>,
) -> Option<Vec<u8>> {
    /// Exponents of ordinary screens: 1 / 2.2, which is written for the curve of sRGB too.
    const ORDINARY: std::ops::RangeInclusive<u32> = 45_000..=46_000;
    /// Exponents that a picture can have: from that of light itself to one of a dark cinema.
    const MEANT: std::ops::RangeInclusive<u32> = 30_000..=100_000;
    let gamma = gamma.filter(|gamma| !ORDINARY.contains(gamma) && MEANT.contains(gamma));
    if gamma.is_none() && chromaticities.is_none() {
        return None;
    }
    let mut profile = ColorProfile::new_srgb();
    profile.cicp = None;
    if let Some(numbers) = chromaticities {
        let parts = numbers.map(|number| number as f32 / 100_000.0);
        // Neither a white that has no light nor colours beyond all light can be meant.
        if parts.iter().any(|part| *part > 1.0) || parts[1] < 0.01 {
            return None;
        }
        let [white, red, green, blue] =
            [0, 2, 4, 6].map(|at| Chromaticity::new(parts[at], parts[at + 1]));
        let primaries = ColorPrimaries { red, green, blue };
        profile.update_rgb_colorimetry(white.to_xyyb(), primaries);
        let colorants = [profile.red_colorant, profile.green_colorant, profile.blue_colorant];
        // Primaries on one line span no gamut.
        if colorants.iter().any(|xyz| ![xyz.x, xyz.y, xyz.z].iter().all(|part| part.is_finite())) {
            return None;
        }
    }
    if let Some(gamma) = gamma {
        let exponent = 100_000.0 / f64::from(gamma);
        let curve = Some(table(|signal| signal.powf(exponent)));
        (profile.red_trc, profile.green_trc, profile.blue_trc) =
            (curve.clone(), curve.clone(), curve);
    }
    write(profile)
}

/// Tabulates a curve from signal to light, both from 0 to 1.
pub(super) fn table(light: impl Fn(f64) -> f64) -> ToneReprCurve {
    /// Number of entries, finer than the 8 bits of a sample.
    const STEPS: u16 = 1024;
    let lights = (0..STEPS).map(|step| light(f64::from(step) / f64::from(STEPS - 1)));
    ToneReprCurve::Lut(
        lights.map(|light| (light.clamp(0.0, 1.0) * 65535.0).round() as u16).collect(),
    )
}
