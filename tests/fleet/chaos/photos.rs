//! Small renders of hands, all different, and the questions about them.
//!
//! Input: a number. Output: the bytes of a picture, the same for the same number. The picture shows
//! a row of fourteen tiles of our own tile set on green cloth; the reading does not matter here,
//! only that it is the same every time.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage, imageops};
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::ContextDto;
use tilesight_core::tile::{Face, Tile, Wind};
use tilesight_jobs::PhotoId;
use tilesight_pictures::tile_art::Rasters;
use tilesight_vision::contract::TableRequest;

/// Width of a tile in pixels: as small as in phone photos of a whole table.
const TILE: u32 = 36;
const TILES: u32 = 14;
const MARGIN: u32 = 24;
const CLOTH: Rgb<u8> = Rgb([38, 92, 62]);

/// Returns the picture of a hand.
pub(crate) fn photo(rasters: &Rasters, seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut picture = RgbImage::from_pixel(TILES * (TILE + 2) + 2 * MARGIN, 110, CLOTH);
    for place in 0..TILES {
        let tile = Tile::ALL[random.usize(..Tile::ALL.len())];
        let raster = rasters.get(Face::Tile(tile));
        let raster = image::DynamicImage::ImageRgba8(raster.clone()).to_rgb8();
        let x = MARGIN + place * (TILE + 2);
        imageops::overlay(&mut picture, &raster, i64::from(x), i64::from(MARGIN));
    }
    png(&picture)
}

/// A picture without a tile, over which every worker dies.
pub(crate) fn poison(seed: u8) -> Vec<u8> {
    png(&RgbImage::from_pixel(160, 120, Rgb([90, seed, 90])))
}

fn png(picture: &RgbImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).expect("a picture in memory");
    bytes.into_inner()
}

/// Returns the drawn tiles, rendered once.
pub(crate) fn rasters() -> Rasters {
    Rasters::new(TILE)
}

/// Returns one of sixteen questions about a photo: another seat has another answer.
pub(crate) fn ask(photo: PhotoId, n: usize) -> TableRequest<PhotoId> {
    const WINDS: [Wind; 4] = [Wind::East, Wind::South, Wind::West, Wind::North];
    let context = ContextDto::from(ContextSetup {
        seat: Some(WINDS[n % 4]),
        prevalent: Some(WINDS[n / 4 % 4]),
        ..ContextSetup::default()
    });
    TableRequest { fields: context.into(), ..TableRequest::from_photo(photo) }
}
