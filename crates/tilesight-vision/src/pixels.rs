//! Stages that look at pixels: from an upright photo to named tiles.
//!
//! Input: a [`Photo`](tilesight_stills::Photo). Output: quads with the probabilities of their
//! faces.

mod blanks;
pub mod body;
mod bonus_tiles;
pub mod classify;
pub mod crop;
pub mod detect;
mod even_rows;
pub mod faces;
mod look;
pub(crate) mod mirror;
pub(crate) mod negative;
mod proportions;
pub mod red_ink;
pub(crate) mod refine;
mod rejoin;
mod second_look;
pub(crate) mod seen_tile;
pub(crate) mod strangers;

use tilesight_stills::Photo;

use crate::networks::{Model, ModelError};
use classify::SecondLooks;
use detect::Detection;
use seen_tile::SeenTile;

/// Names tiles with networks, joins tiles that were found in two halves, doubts those without the
/// proportions of their row, outlines doubtful ones by their row, and tells white dragons from
/// backs by the photo's colours.
///
/// # Errors
/// [`ModelError`] if a network cannot run.
pub(crate) fn name_tiles(
    photo: &Photo,
    tiles: &[Detection],
    model: &dyn Model,
) -> Result<Vec<SeenTile>, ModelError> {
    name_tiles_with(photo, tiles, model, None)
}

/// Like [`name_tiles`]; of a photo of a hand, `choose` selects the tiles that the large classifier
/// may look at.
///
/// # Errors
/// [`ModelError`] if a network cannot run.
pub(crate) fn name_tiles_with(
    photo: &Photo,
    tiles: &[Detection],
    model: &dyn Model,
    choose: Option<SecondLooks>,
) -> Result<Vec<SeenTile>, ModelError> {
    let classified = classify::classify_with(photo, tiles, model, choose)?;
    let mut seen = rejoin::rejoin(photo, classified, model)?;
    proportions::doubt_misfits(&mut seen);
    let mut seen = even_rows::outline_by_rows(photo, seen, model)?;
    blanks::name_blanks(photo, &mut seen);
    Ok(seen)
}
