//! Conversion of a camera's colours to sRGB, which the networks were trained with.
//!
//! Input: the colour information of a file, and 8-bit RGB. Output: the same pixels in sRGB. A
//! profile takes precedence over code points. Only the primaries and curves of a profile are used,
//! which is all that cameras, phones and editors write; a profile without them is ignored like an
//! unreadable one. High dynamic range is clipped at the white of ordinary screens. Invariant: a
//! profile that shows what sRGB shows costs no pixel anything.

use std::sync::Arc;

use moxcms::{ColorProfile, DataColorSpace, Layout, Transform8BitExecutor, TransformOptions};

use super::colour::{CodePoints, Colour, MAX_PROFILE};
use super::profile::{table, write};
use super::unless_it_panics;

/// Number of samples that are transformed at a time: they stay in the cache.
const CHUNK: usize = 4096 * 3;

/// Maximum difference of a level between sRGB and a profile that counts as sRGB. Profiles of sRGB
/// by different authors round curves and primaries differently, by at most two levels; a JPEG
/// changes colours more. Display P3, the narrowest other gamut in use, differs by 20.
const SAME: u8 = 2;

/// Transform of pixels to sRGB.
pub(super) struct ToSrgb {
    transform: Arc<Transform8BitExecutor>,
    scratch: Vec<u8>,
}

impl ToSrgb {
    /// Returns the transform for the colours of a file, or else those of the coded picture; `None`
    /// if they are those of sRGB.
    pub(super) fn new(colour: &Colour<'_>, coded: Option<CodePoints>) -> Option<ToSrgb> {
        unless_it_panics(|| ToSrgb::read(colour, coded))
    }

    fn read(colour: &Colour<'_>, coded: Option<CodePoints>) -> Option<ToSrgb> {
        let points = colour.code_points.or(coded);
        let profile = colour
            .profile
            .as_deref()
            .and_then(camera_profile)
            .or_else(|| named_profile(points?))?;
        let srgb = ColorProfile::new_srgb();
        let options = TransformOptions::default();
        let transform =
            profile.create_transform_8bit(Layout::Rgb, &srgb, Layout::Rgb, options).ok()?;
        let to_srgb = ToSrgb { transform, scratch: vec![0; CHUNK] };
        (!to_srgb.is_srgb()).then_some(to_srgb)
    }

    /// Returns whether no colour changes by more than [`SAME`] levels: checked are greys, and
    /// colours at regular distances.
    fn is_srgb(&self) -> bool {
        const STEPS: [u8; 6] = [0, 51, 102, 153, 204, 255];
        let mut given: Vec<u8> = (0..=255).flat_map(|grey| [grey; 3]).collect();
        for red in STEPS {
            for green in STEPS {
                given.extend(STEPS.iter().flat_map(|&blue| [red, green, blue]));
            }
        }
        let mut shown = vec![0; given.len()];
        let is_done = self.transform.transform(&given, &mut shown).is_ok();
        is_done && given.iter().zip(&shown).all(|(given, shown)| given.abs_diff(*shown) <= SAME)
    }

    /// Transforms pixels in place.
    pub(super) fn apply(&mut self, pixels: &mut [u8]) {
        for chunk in pixels.chunks_mut(CHUNK) {
            let from = &mut self.scratch[..chunk.len()];
            from.copy_from_slice(chunk);
            // The transform fails only for lengths that are not whole pixels, and these are. A
            // panic leaves the colours of the chunk as they are, or half of them.
            let _ = unless_it_panics(|| self.transform.transform(from, chunk).ok());
        }
    }
}

/// Returns a profile with the primaries and curves of the given one.
fn camera_profile(bytes: &[u8]) -> Option<ColorProfile> {
    let read = ColorProfile::new_from_slice(&needed_tags(bytes)?).ok()?;
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

/// Copies the header of a profile, and the first tag of each kind that is used.
///
/// The library reads all tags: thousands of them that share one table would take minutes, and one
/// that it does not understand would spoil the rest.
fn needed_tags(bytes: &[u8]) -> Option<Vec<u8>> {
    const TAGS: [&[u8; 4]; 6] = [b"rXYZ", b"gXYZ", b"bXYZ", b"rTRC", b"gTRC", b"bTRC"];
    /// Length of the header, and position of the number of tags.
    const HEADER: usize = 128;
    /// Length of an entry: the tag's kind, its position and its length.
    const ENTRY: usize = 12;
    if bytes.len() > MAX_PROFILE {
        return None;
    }
    let count = number(bytes.get(HEADER..)?)?;
    let entries = bytes.get(HEADER + 4..)?.as_chunks::<ENTRY>().0;
    let mut copy = bytes[..HEADER].to_vec();
    copy.extend((TAGS.len() as u32).to_be_bytes());
    let mut tags = Vec::new();
    for kind in TAGS {
        let entry = entries.iter().take(count).find(|entry| entry.starts_with(kind))?;
        let from = number(&entry[4..])?;
        let length = number(&entry[8..])?;
        let tag = bytes.get(from..from.checked_add(length)?)?;
        let at = HEADER + 4 + TAGS.len() * ENTRY + tags.len();
        copy.extend(kind);
        copy.extend(u32::try_from(at).ok()?.to_be_bytes());
        copy.extend_from_slice(&entry[8..]);
        tags.extend_from_slice(tag);
        tags.resize(tags.len().next_multiple_of(4), 0);
    }
    copy.extend(tags);
    let length = u32::try_from(copy.len()).ok()?;
    copy[..4].copy_from_slice(&length.to_be_bytes());
    Some(copy)
}

/// Returns the first four bytes as a number.
fn number(bytes: &[u8]) -> Option<usize> {
    bytes.first_chunk().map(|&four| u32::from_be_bytes(four) as usize)
}

/// Returns a profile with the same primaries and curves, and nothing else.
pub(super) fn essence(bytes: &[u8]) -> Option<Vec<u8>> {
    unless_it_panics(|| write(camera_profile(bytes)?))
}

/// Returns what [`essence`] does of a file's profile, unless the file shows the same without it.
pub(super) fn needed_profile(colour: &Colour<'_>) -> Option<Vec<u8>> {
    let profile = colour.profile.as_deref()?;
    ToSrgb::new(colour, None).and_then(|_| essence(profile))
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

/// Luminance of white in ordinary pictures, in candelas per square metre (ITU-R BT.2408).
const REFERENCE_WHITE: f64 = 203.0;

/// Returns the light for a signal by SMPTE ST 2084, relative to the reference white.
fn perceptual_quantizer(signal: f64) -> f64 {
    const M1: f64 = 2610.0 / 16384.0;
    const M2: f64 = 2523.0 / 32.0;
    const C1: f64 = 3424.0 / 4096.0;
    const C2: f64 = 2413.0 / 128.0;
    const C3: f64 = 2392.0 / 128.0;
    let power = signal.powf(1.0 / M2);
    let light = ((power - C1).max(0.0) / (C2 - C3 * power)).powf(1.0 / M1);
    light * 10_000.0 / REFERENCE_WHITE
}

/// Returns the light for a signal by hybrid log-gamma (ITU-R BT.2100), relative to the reference
/// white, which is the signal 0.75.
fn hybrid_log_gamma(signal: f64) -> f64 {
    scene_light(signal) / scene_light(0.75)
}

/// Returns the light of the scene for a signal by hybrid log-gamma, from 0 to 1.
fn scene_light(signal: f64) -> f64 {
    const A: f64 = 0.178_832_77;
    const B: f64 = 0.284_668_92;
    const C: f64 = 0.559_910_73;
    if signal <= 0.5 { signal * signal / 3.0 } else { (((signal - C) / A).exp() + B) / 12.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{CREATED, SOME_DAY, chromaticity_profile};

    fn shown(primaries: u16, transfer: u16, colour: [u8; 3]) -> [u8; 3] {
        let points = CodePoints { primaries, transfer, matrix: 6, full_range: true };
        let colours = Colour { profile: None, code_points: Some(points) };
        let mut pixel = colour;
        if let Some(mut to_srgb) = ToSrgb::new(&colours, Some(points)) {
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
            let colour = Colour { profile: Some(profile.into()), code_points: None };
            let mut pixel = [234, 51, 35];
            ToSrgb::new(&colour, None).expect("another gamut").apply(&mut pixel);
            pixel
        };
        assert!(near(shown(&profile), [255, 0, 0]));
        assert_eq!(shown(&profile), shown(&kept));
        assert_eq!(essence(b"no profile"), None);
    }

    #[test]
    fn profiles_of_srgb_cost_nothing_and_those_of_wider_gamuts_are_used() {
        let transform = |profile: &[u8]| {
            ToSrgb::new(&Colour { profile: Some(profile.into()), code_points: None }, None)
        };
        let srgb = ColorProfile::new_srgb().encode().expect("a profile");
        assert!(transform(&srgb).is_none());
        // The curve of sRGB in an older profile: a table with an entry for each signal.
        let mut tabulated = ColorProfile::new_srgb();
        let curve = table(|signal| {
            if signal <= 0.04045 { signal / 12.92 } else { ((signal + 0.055) / 1.055).powf(2.4) }
        });
        (tabulated.red_trc, tabulated.green_trc, tabulated.blue_trc) =
            (Some(curve.clone()), Some(curve.clone()), Some(curve));
        assert!(transform(&tabulated.encode().expect("a profile")).is_none());
        for wide in [
            ColorProfile::new_display_p3(),
            ColorProfile::new_adobe_rgb(),
            ColorProfile::new_pro_photo_rgb(),
        ] {
            assert!(transform(&wide.encode().expect("a profile")).is_some());
        }
        assert!(transform(b"no profile").is_none());
    }

    #[test]
    fn a_png_describes_its_colours_by_numbers() {
        let srgb = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
        let adobe = [31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000];
        let shown = |gamma, chromaticities| {
            let profile = chromaticity_profile(gamma, chromaticities)?;
            let colour = Colour { profile: Some(profile.into()), code_points: None };
            let mut pixel = [180, 60, 60];
            ToSrgb::new(&colour, None)?.apply(&mut pixel);
            Some(pixel)
        };
        assert_eq!(shown(None, None), None);
        assert_eq!(shown(Some(45_455), None), None);
        assert_eq!(shown(Some(45_455), Some(srgb)), None);
        assert_eq!(shown(Some(0), None), None);
        assert_eq!(shown(None, Some([0; 8])), None);
        assert_eq!(shown(None, Some([u32::MAX; 8])), None);
        let wide = shown(Some(45_455), Some(adobe)).expect("another gamut");
        assert!(wide[0] > 200, "{wide:?}");
        let bright = shown(Some(100_000), None).expect("another curve");
        assert!(near(bright, [218, 132, 132]), "{bright:?}");
    }

    /// Checks that the work for a profile is bounded by its length: forty thousand tags that share
    /// one table would be read one by one.
    #[test]
    fn tags_that_share_a_table_are_not_read_one_by_one() {
        let profile = ColorProfile::new_display_p3().encode().expect("a profile");
        let count = u32::from_be_bytes(profile[128..132].try_into().expect("four bytes"));
        let entry =
            profile[132..].as_chunks::<12>().0.iter().find(|entry| entry.starts_with(b"rTRC"));
        let many = vec![*entry.expect("a curve"); 40_000 - count as usize].concat();
        let mut large = [&profile[..128], &40_000_u32.to_be_bytes(), &many].concat();
        assert!(needed_tags(&large).is_none(), "the primaries are missing");
        large.extend(&profile[132..]);
        assert_eq!(needed_tags(&large).map(|needed| needed.len() < profile.len()), Some(true));
    }
}
