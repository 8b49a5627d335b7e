//! Variants of the crop of a learned tile: smaller, and in less light.
//!
//! Input: a crop, as the classifier gets it. Output: the crop as it is, and altered copies.
//! Invariant: all have the size of the crop. A sheet is photographed near and in good light, and
//! the hands that are read with it often are not.

use image::RgbImage;
use image::imageops::{FilterType, resize};

use crate::params::VariantParams;

const PARAMS: VariantParams = VariantParams::DEFAULT;

/// Number of variants of each crop.
pub(super) const VARIANTS: usize = 3;

/// Returns the variants of a crop: as it is, coarse, and dim.
pub(super) fn vary(crop: RgbImage) -> [RgbImage; VARIANTS] {
    let coarse = coarse(&crop);
    let dim = dim(&crop);
    [crop, coarse, dim]
}

/// Returns the crop as if the tile were smaller in the photo.
fn coarse(crop: &RgbImage) -> RgbImage {
    let (width, height) = crop.dimensions();
    let [few_columns, few_rows] =
        [width, height].map(|side| ((side as f32 * PARAMS.coarse).round() as u32).max(1));
    let few = resize(crop, few_columns, few_rows, FilterType::Triangle);
    resize(&few, width, height, FilterType::Triangle)
}

/// Returns the crop in less light.
fn dim(crop: &RgbImage) -> RgbImage {
    let mut dim = crop.clone();
    dim.iter_mut().for_each(|value| *value = (f32::from(*value) * PARAMS.dim).round() as u8);
    dim
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn variants_keep_the_size_and_change_detail_and_light() {
        let stripes = |x: u32, _| Rgb([if x.is_multiple_of(2) { 240 } else { 40 }; 3]);
        let crop = RgbImage::from_fn(64, 80, stripes);
        let [same, coarse, dim] = vary(crop.clone());
        assert_eq!(same, crop);
        assert_eq!((coarse.dimensions(), dim.dimensions()), (crop.dimensions(), (64, 80)));
        let middle = |picture: &RgbImage| [31, 32].map(|x| picture.get_pixel(x, 40)[0]);
        assert!(middle(&coarse).iter().all(|value| (130..150).contains(value)), "{coarse:?}");
        assert_eq!(middle(&dim), [30, 180]);
    }

    #[test]
    fn a_crop_of_one_pixel_has_variants_too() {
        let crop = RgbImage::from_pixel(1, 1, Rgb([100, 40, 0]));
        let [_, coarse, dim] = vary(crop.clone());
        assert_eq!((coarse, dim.get_pixel(0, 0).0), (crop, [75, 30, 0]));
    }
}
