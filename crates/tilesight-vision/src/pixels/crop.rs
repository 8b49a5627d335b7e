//! Straightens the content of a quad into a network's input.
//!
//! Input: a photo, quads and a [`CropSpec`]. Output: crops of the size of the spec, the side from
//! corner 0 to corner 1 at the top, as one input. If a face is larger than the crop, its part of
//! the photo is first shrunk to the crop's scale, so that no pixel is skipped. Invariant: the crop
//! equals the one that `crop` of `scripts/vision/frontend.py` takes from the whole photo shrunk.

use image::RgbImage;
use tilesight_stills::Area;
use tilesight_stills::resample::{Window, sample, shrink};

use crate::Photo;
use crate::geometry::projection::Projection;
use crate::geometry::{Point, Quad};
use crate::networks::{CropSpec, Planes};

/// Returns the content of a quad and of the margin around it, straightened.
fn crop(photo: &Photo, quad: &Quad, spec: &CropSpec) -> RgbImage {
    let quad = quad.grown(spec.margin);
    let factor = quad.down().length() / spec.input[0] as f32;
    if factor <= 1.0 {
        let across = quad.span(Point::new(1.0, 0.0));
        let down = quad.span(Point::new(0.0, 1.0));
        return photo.with_area(area(across, down, photo), |image| straighten(image, &quad, spec));
    }
    let (width, height) = photo.size();
    let small_width = (width as f32 / factor).round().max(1.0);
    let small_height = (height as f32 / factor).round().max(1.0);
    let scale_x = small_width / width as f32;
    let scale_y = small_height / height as f32;
    let small_quad = quad.map(|corner| Point::new(corner.x * scale_x, corner.y * scale_y));
    let (left, right) = pixels(small_quad.span(Point::new(1.0, 0.0)), small_width);
    let (top, bottom) = pixels(small_quad.span(Point::new(0.0, 1.0)), small_height);
    let step_x = f64::from(width) / f64::from(small_width);
    let step_y = f64::from(height) / f64::from(small_height);
    let window = Window {
        left: f64::from(left) * step_x,
        top: f64::from(top) * step_y,
        width: f64::from(right - left) * step_x,
        height: f64::from(bottom - top) * step_y,
    };
    let across = (window.left as f32, (window.left + window.width) as f32);
    let down = (window.top as f32, (window.top + window.height) as f32);
    let small = photo.with_area(area(across, down, photo), |image| {
        shrink(image, window, right - left, bottom - top)
    });
    let start = Point::new(left as f32, top as f32);
    straighten(&small, &small_quad.map(|corner| corner - start), spec)
}

/// Returns the pixels of a photo between these columns and rows, and their neighbours, since
/// coordinates are rounded.
fn area((left, right): (f32, f32), (top, bottom): (f32, f32), photo: &Photo) -> Area {
    let (width, height) = photo.size();
    let (left, right) = pixels((left - 1.0, right + 1.0), width as f32);
    let (top, bottom) = pixels((top - 1.0, bottom + 1.0), height as f32);
    Area { left, top, right, bottom }
}

/// Returns the range of pixels, at least one, that bilinear sampling between two positions touches
/// on a line of `side` pixels.
fn pixels((low, high): (f32, f32), side: f32) -> (u32, u32) {
    let first = low.floor().clamp(0.0, side - 1.0);
    (first as u32, (high.floor() + 2.0).clamp(first + 1.0, side) as u32)
}

/// Straightens the content of a quad by the inverse projection and bilinear sampling. A quad
/// without area gives a black crop, which does not show a face.
fn straighten(image: &RgbImage, quad: &Quad, spec: &CropSpec) -> RgbImage {
    let [height, width] = spec.input;
    let projection = Projection::from_quad(quad);
    if !projection.is_finite() {
        return RgbImage::new(width as u32, height as u32);
    }
    let step_v = 1.0 / height as f64;
    sample(image, [width as u32, height as u32], |y, right, down| {
        projection.line(f64::from(y) * step_v, right, down);
    })
}

/// Returns the crops of all quads of a photo.
#[must_use]
pub fn crops_of<'a>(
    photo: &Photo,
    quads: impl Iterator<Item = &'a Quad>,
    spec: &CropSpec,
) -> Vec<RgbImage> {
    quads.map(|quad| crop(photo, quad, spec)).collect()
}

/// Packs crops into one input.
#[must_use]
pub fn planes(crops: &[RgbImage], spec: &CropSpec) -> Planes {
    let [height, width] = spec.input;
    let mut planes = Planes::filled(crops.len(), 3, height, width, 0.0);
    for (n, crop) in crops.iter().enumerate() {
        planes.put(n, crop);
    }
    planes
}

#[cfg(test)]
mod tests {
    use image::Rgb;
    use tilesight_stills::resample::resize;

    use super::*;
    use crate::DecodeLimits;

    fn photo(width: u32, height: u32) -> Photo {
        let colour = |x: u32, y: u32| Rgb([(x * 7) as u8, (y * 5) as u8, (x * y) as u8]);
        Photo::from_rgb(RgbImage::from_fn(width, height, colour)).expect("large enough")
    }

    fn spec(margin: f32) -> CropSpec {
        CropSpec { input: [80, 64], margin }
    }

    #[test]
    fn a_face_of_the_crops_own_size_is_copied() {
        let (photo, spec) = (photo(200, 160), spec(1.0));
        let [height, width] = spec.input;
        let crop = crop(&photo, &Quad::rectangle(30.0, 20.0, width as f32, height as f32), &spec);
        for (x, y, pixel) in crop.enumerate_pixels() {
            assert_eq!(pixel, photo.image().get_pixel(x + 30, y + 20), "({x}, {y})");
        }
    }

    #[test]
    fn a_large_face_looks_as_in_the_photo_shrunk_as_a_whole() {
        let (photo, spec) = (photo(900, 600), spec(1.0));
        let quad = Quad(
            [(310.0, 90.0), (560.0, 130.0), (540.0, 410.0), (280.0, 370.0)]
                .map(|(x, y)| Point::new(x, y)),
        );
        let factor = quad.down().length() / spec.input[0] as f32;
        let small = |side: f32| (side / factor).round();
        let whole = resize(photo.image(), small(900.0) as u32, small(600.0) as u32);
        let scaled = |p: Point| Point::new(p.x * small(900.0) / 900.0, p.y * small(600.0) / 600.0);
        assert!(factor > 2.0);
        let expected = straighten(&whole, &quad.map(scaled), &spec);
        for (found, expected) in crop(&photo, &quad, &spec).iter().zip(expected.iter()) {
            assert!(found.abs_diff(*expected) <= 1, "the window is cut to other places");
        }
    }

    #[test]
    fn crops_of_a_photo_decoded_in_parts_are_those_of_the_whole() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/jpeg/sequential-420.jpg");
        let bytes = std::fs::read(path).expect("it is there");
        let in_parts =
            || Photo::decode_in_parts(&bytes, &DecodeLimits::default()).expect("it is sequential");
        let whole = in_parts().image().clone();
        let whole = Photo::from_rgb(whole).expect("large enough");
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..60 {
            // Small and large quads, some of them beyond the photo's edges.
            let corner = Point::new(random.f32() * 180.0 - 20.0, random.f32() * 130.0 - 20.0);
            let (across, down) = (random.f32() * 60.0 + 12.0, random.f32() * 60.0 + 12.0);
            let lean = random.f32() * 9.0 - 4.5;
            let quad = Quad(
                [(0.0, lean), (across, -lean), (across + lean, down), (lean, down)]
                    .map(|(x, y)| corner + Point::new(x, y)),
            );
            assert!(quad.is_convex(), "{quad:?}");
            for spec in [CropSpec { input: [20, 16], margin: 1.7 }, spec(1.15)] {
                let found = crop(&in_parts(), &quad, &spec);
                assert!(found == crop(&whole, &quad, &spec), "{quad:?} {spec:?}");
            }
        }
    }

    #[test]
    fn beyond_the_photo_its_edge_repeats() {
        let photo = Photo::from_rgb(RgbImage::from_pixel(60, 60, Rgb([9, 8, 7]))).expect("fits");
        for (x, y) in [(-40.0, 10.0), (50.0, -200.0), (500.0, 500.0)] {
            let crop = crop(&photo, &Quad::rectangle(x, y, 150.0, 220.0), &spec(1.15));
            assert!(crop.pixels().all(|pixel| pixel.0 == [9, 8, 7]), "at ({x}, {y})");
        }
    }

    #[test]
    fn a_quad_without_area_is_black() {
        let line = Quad([10.0, 20.0, 30.0, 40.0].map(|x| Point::new(x, 30.0)));
        let crop = crop(&photo(60, 60), &line, &spec(1.15));
        assert!(crop.pixels().all(|pixel| pixel.0 == [0; 3]));
    }
}
