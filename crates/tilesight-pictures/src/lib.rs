//! Pictures: the drawn tile set, the picture of a scored hand as SVG and PNG, and the overlay of a
//! reading on its photo.

mod letters;
pub mod overlay;
pub mod picture;
pub mod tile_art;
