//! Several photos of the same hand, put together tile by tile.
//!
//! Input: the detections of each photo. Output: one [`Observation`] in the pixels of the photo that
//! shows most of the hand, the base, with [`FusedPhotos`] that says which photos show each tile. If
//! photos show different hands, the hand that most of them show is read. `register` finds where
//! every other photo shows the tiles of the base, and `fuse` puts their views together, so that one
//! photo settles what glare, a finger or a cut edge hides in another. The stages after the pixels
//! then run once, as for one photo. Invariants: a photo whose tiles are not those of the base, or
//! lie in another order, is left out and reported; the order of the photos does not change the
//! hand; a photo alone is not changed.

mod fuse;
mod register;

use super::observation::{FusedPhotos, LeftOut, Observation, TileView};
use crate::decide::doubts::HandScorer;
use crate::decide::joint;
use crate::effort::Effort;
use crate::layout;
use crate::options::ReadOptions;
use crate::params::Params;
use crate::pixels::seen_tile::SeenTile;

use fuse::Fusion;
use register::{Registration, Side, register};

/// Puts the photos together. The tiles of a single photo stay unchanged.
///
/// The options' points are in the first photo, which is then the base.
pub(crate) fn join(
    observations: Vec<Observation>,
    options: &ReadOptions,
    scorer: &HandScorer,
) -> Observation {
    join_onto(None, observations, options, scorer)
}

/// Like [`join`], with a photo that becomes the base if it shows the hand that most photos show.
pub(super) fn join_onto(
    preferred: Option<usize>,
    observations: Vec<Observation>,
    options: &ReadOptions,
    scorer: &HandScorer,
) -> Observation {
    if observations.len() < 2 {
        return observations.into_iter().next().unwrap_or_default();
    }
    let params = scorer.params();
    let order = PhotoOrder::new(&observations, preferred, options, scorer);
    let effort = Effort::new(params.together.steps);
    let join = Join { observations: &observations, order: &order, params, effort: &effort };
    let mut best = join.fuse_onto(order.bases[0]);
    for &base in &order.bases[1..] {
        // If more than half of the photos show a hand, no other hand can have more.
        if 2 * best.count_used() > observations.len() || effort.is_spent() {
            break;
        }
        if best.left_out[base].is_some() {
            let joined = join.fuse_onto(base);
            best = if joined.count_used() > best.count_used() { joined } else { best };
        }
    }
    let JoinedPhotos { base, left_out, fusion } = best;
    let (tiles, views) = fusion.into_tiles();
    let sizes = observations.iter().map(|observation| observation.size).collect();
    let together = FusedPhotos { base, sizes, left_out, views };
    let base = observations.into_iter().nth(base).unwrap_or_default();
    base.with_tiles(tiles, together)
}

/// Photos that show the hand of a base, fused with it.
struct JoinedPhotos<'a> {
    base: usize,
    left_out: Vec<Option<LeftOut>>,
    fusion: Fusion<'a>,
}

/// Photos to put together, and the budget of the search for the tiles of one in another.
struct Join<'a, 'b> {
    observations: &'b [Observation],
    order: &'b PhotoOrder,
    params: &'a Params,
    effort: &'b Effort,
}

impl<'a> Join<'a, '_> {
    /// Fuses the photos that show the hand of a base with it.
    fn fuse_onto(&self, base: usize) -> JoinedPhotos<'a> {
        let Join { observations, order, params, effort } = *self;
        let mut fusion = Fusion::new(views_alone(base, &observations[base]), &params.together);
        let mut left_out = vec![None; observations.len()];
        for &photo in order.photos.iter().filter(|&&photo| photo != base) {
            let views = views_alone(photo, &observations[photo]);
            let side = self.side(photo);
            let added = match register_views(self.side(base), side, params, effort) {
                Ok(registration) => {
                    add_views(views, side.tiles, &registration, &mut fusion);
                    None
                }
                Err(why) => Some(why),
            };
            left_out[photo] = added;
        }
        JoinedPhotos { base, left_out, fusion }
    }

    /// Returns what a photo shows.
    fn side(&self, photo: usize) -> Side<'_> {
        let observation = &self.observations[photo];
        Side { tiles: observation.tiles(), hand: &self.order.hands[photo], size: observation.size }
    }
}

impl JoinedPhotos<'_> {
    /// Returns the number of photos that show the hand.
    fn count_used(&self) -> usize {
        self.left_out.iter().filter(|why| why.is_none()).count()
    }
}

/// Returns the views of the tiles in a photo, in its own pixels.
fn views_alone(photo: usize, observation: &Observation) -> Vec<TileView> {
    let shown = observation.shown_tiles();
    let tiles = observation.tiles().iter().zip(shown);
    tiles.map(|(seen, shown)| TileView { photo, seen: seen.clone(), shown: shown.quad }).collect()
}

/// Finds where the base shows the tiles of a photo, if the photo shows the hand of the base.
fn register_views(
    base: Side<'_>,
    other: Side<'_>,
    params: &Params,
    effort: &Effort,
) -> Result<Registration, LeftOut> {
    if other.tiles.is_empty() {
        return Err(LeftOut::NoTiles);
    }
    register(base, other, &params.together, effort).ok_or(LeftOut::OtherTiles)
}

fn add_views(
    views: Vec<TileView>,
    tiles: &[SeenTile],
    registration: &Registration,
    fusion: &mut Fusion<'_>,
) {
    let mut is_paired = vec![false; tiles.len()];
    for pair in registration.pairs() {
        is_paired[pair.other] = true;
        if let Some(seen) = map_to_base(&tiles[pair.other], tiles, registration) {
            fusion.add_view(pair.base, TileView { seen, ..views[pair.other] });
        }
    }
    for (view, _) in views.into_iter().zip(is_paired).filter(|(_, paired)| !paired) {
        if let Some(seen) = map_to_base(&view.seen, tiles, registration) {
            fusion.add_elsewhere(TileView { seen, ..view });
        }
    }
}

/// Returns a tile of another photo as the base would show it.
fn map_to_base(
    tile: &SeenTile,
    tiles: &[SeenTile],
    registration: &Registration,
) -> Option<SeenTile> {
    let quad = registration.map(&tile.quad, tiles)?;
    let upright = quad.upright();
    let by = (0..4).find(|&by| quad.rotated(by) == upright).unwrap_or(0);
    let turns = fuse::rotate_turns(tile.turns, by);
    Some(SeenTile { quad: upright, turns, ..tile.clone() })
}

/// Order in which photos are tried as the base and added to it.
struct PhotoOrder {
    /// All photos, those that show most of a hand first.
    photos: Vec<usize>,
    /// Photos that may be the base; at least one.
    bases: Vec<usize>,
    /// Tiles of each photo's hand.
    hands: Vec<Vec<usize>>,
}

impl PhotoOrder {
    /// Sorts the photos: the preferred one comes first, then the one that shows most of the hand.
    /// Of several such photos, the one with the most probable hand comes first.
    fn new(
        observations: &[Observation],
        preferred: Option<usize>,
        options: &ReadOptions,
        scorer: &HandScorer,
    ) -> PhotoOrder {
        let is_base_given = options.focus.is_some() || options.region.is_some();
        let mut hands: Vec<Vec<usize>> = Vec::new();
        let mut sure: Vec<f32> = Vec::new();
        for (photo, observation) in observations.iter().enumerate() {
            let options = match photo {
                0 => observation.options_in_tiles(options.clone()),
                _ => (&options.ruleset).into(),
            };
            let (hand, p) = hand_of(observation, &options, scorer);
            hands.push(hand);
            sure.push(p);
        }
        let mut photos: Vec<usize> = (0..observations.len()).collect();
        photos.sort_by(|&a, &b| {
            let by_size = hands[b].len().cmp(&hands[a].len());
            by_size.then(sure[b].total_cmp(&sure[a]))
        });
        photos.sort_by_key(|&photo| Some(photo) != preferred);
        let bases = if is_base_given { vec![0] } else { photos.clone() };
        PhotoOrder { photos, bases, hands }
    }
}

/// Returns the tiles of the hand that a photo shows by itself, and its probability.
fn hand_of(
    observation: &Observation,
    options: &ReadOptions,
    scorer: &HandScorer,
) -> (Vec<usize>, f32) {
    let tiles = observation.tiles();
    let params = scorer.params();
    let layout = layout::lay_out_with(tiles, options, scorer.expects_a_win(), params);
    let decision = joint::decide_with(tiles, &layout, &params.joint);
    decision.best.map_or_else(Default::default, |best| {
        (best.faces.iter().map(|(tile, _)| *tile).collect(), best.p)
    })
}
