//! Pictures of mahjong tiles, of scored hands, and of readings on their photos.
//!
//! ```
//! use tilesight_core::tile::Face;
//! use tilesight_pictures::tile_art;
//!
//! let face: Face = "5p".parse().expect("a face");
//! assert!(tile_art::svg(face).starts_with("<svg"));
//! assert_eq!(tile_art::raster(face, 30).dimensions(), (30, 40));
//! ```
//!
//! - [`tile_art`]: the drawn tile set, as SVG and as pixels.
//! - [`picture`]: a scored hand with its fans and its total, as SVG and PNG; needs no photo.
//! - [`overlay`]: what was read, drawn on the photo that it was read from.
//! - [`sheet`]: the tiles of a set that is learned, named on their photo.
//!
//! Equal input gives equal bytes on every machine: fonts and tiles are embedded. There are no
//! features; `resvg` draws the SVGs and is most of the crate's 108 dependencies.

mod letters;
pub mod overlay;
pub mod picture;
pub mod sheet;
pub mod tile_art;
