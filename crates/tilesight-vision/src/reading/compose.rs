//! Composition of a reading from the results of all stages.
//!
//! Input: a [`Trace`]. Output: a [`Reading`], with the hand's tiles first in reading order.
//! Invariant: every index in the reading is a position in that order.

use std::sync::Arc;

use tilesight_core::context::ContextField;
use tilesight_core::rules::{Profile, RulesError, unknown_seats};
use tilesight_core::tile::{Face, Wind};

use super::in_view::hands_in_view;
use super::observation::{FusedPhotos, TileViews};
use super::read_tile::ReadTile;
use super::trace::Trace;
use super::{PhotoOfHand, Reading, Status};
use crate::decide::doubts::Verdict;
use crate::decide::joint::{Candidate, Decision};
use crate::layout::{Layout, Role};
use crate::params::VisibilityParams;
use crate::pixels::seen_tile::SeenTile;
use crate::sets::unfamiliar::are_unfamiliar;

impl Status {
    /// Returns the status that follows from a decision and its verdict.
    #[must_use]
    pub fn from_decision(decision: &Decision, verdict: &Verdict) -> Status {
        let settled = verdict.doubts.iter().all(|doubt| !doubt.affects_score);
        match (&decision.best, verdict.score.is_some() || !verdict.won) {
            (None, _) => Status::NoHand,
            (Some(_), true) if verdict.is_probable && settled => Status::Ok,
            _ => Status::NeedsReview,
        }
    }
}

impl Reading {
    /// Composes the reading from the results of all stages, with the hand's tiles first in reading
    /// order.
    ///
    /// # Errors
    /// [`RulesError`] if the win context contradicts the hand.
    pub fn compose(trace: Trace) -> Result<Reading, RulesError> {
        let mirrored = trace.observation.is_mirrored();
        let Trace { observation, layout, decision, verdict, in_region, timings } = trace;
        let verdict = verdict?;
        let size = observation.size;
        let set = observation.set.clone();
        let (observation, together) = observation.without_views();
        let uses_own_set = observation.uses_own_set();
        let tiles = observation.into_tiles();
        let order = ReadingOrder::new(&layout, tiles.len());
        let status = Status::from_decision(&decision, &verdict);
        let unfamiliar = status == Status::NoHand
            && !uses_own_set
            && are_unfamiliar(
                tiles.iter().filter(|tile| tile.score >= VisibilityParams::DEFAULT.dim),
            );
        let unsettled = unsettled(&layout.ruleset, &verdict);
        let mut doubts = verdict.doubts;
        doubts.iter_mut().for_each(|doubt| order.renumber(&mut doubt.tiles));
        let tiles_probability = decision.tiles_probability();
        let mut indicators = decision.indicators;
        let has_dora =
            layout.ruleset.rules().context_fields().contains(&ContextField::DoraIndicators);
        indicators.retain(|_| has_dora);
        order.renumber(&mut indicators);
        let best = decision.best;
        let probability = best.as_ref().map_or(0.0, |best| best.p);
        let mut read: Vec<ReadTile> = order
            .tiles
            .iter()
            .map(|&i| read_tile(&tiles, &layout, best.as_ref(), i))
            .map(|tile| if mirrored { tile.into_mirror(size.0) } else { tile })
            .collect();
        let photos = together.map_or_else(Vec::new, |all| order.add_views(all, &mut read));
        let hand = best.map(|best| best.setup).unwrap_or_default();
        let hands = layout.hands.iter().map(|hand| order.sort(hand));
        let hands_in_view = hands_in_view(hands, &read, &hand);
        Ok(Reading {
            size,
            mirrored,
            unfamiliar,
            status,
            tiles: read,
            hand,
            supposed_winning: verdict.supposed_winning,
            probability,
            tiles_probability,
            score_probability: verdict.probability,
            conventions: layout.ruleset.rules().conventions(),
            ruleset: Arc::clone(&layout.ruleset),
            set,
            hands_in_view,
            in_region,
            indicators,
            doubts,
            unsettled,
            score: verdict.score,
            range: verdict.range,
            given: verdict.given,
            context: verdict.context,
            assumed: verdict.assumed,
            won: verdict.won,
            photos,
            timings,
        })
    }
}

/// Returns the seats whose hands are missing. A photo shows one hand: if every hand counts, those
/// of the other players must still be given.
fn unsettled(ruleset: &Profile, verdict: &Verdict) -> Vec<Wind> {
    let seats = verdict.score.as_ref().map(|_| unknown_seats(ruleset, &verdict.context, &[]));
    seats.unwrap_or_default()
}

/// Order of the tiles in a reading: the hand's tiles group by group, then all others.
struct ReadingOrder {
    tiles: Vec<usize>,
    /// For every seen tile, its position in that order.
    places: Vec<usize>,
}

impl ReadingOrder {
    fn new(layout: &Layout, count: usize) -> ReadingOrder {
        let in_groups = layout.groups.iter().flat_map(|group| {
            group.tiles.iter().copied().chain(group.above.map(|above| above.tile))
        });
        let mut tiles: Vec<usize> = in_groups.collect();
        tiles.extend((0..count).filter(|i| layout.ignored.iter().any(|(ignored, _)| ignored == i)));
        let mut places = vec![0; count];
        for (place, &i) in tiles.iter().enumerate() {
            places[i] = place;
        }
        ReadingOrder { tiles, places }
    }

    /// Adds to every tile the photos that show it, and returns the use of every photo.
    fn add_views(&self, together: FusedPhotos, read: &mut [ReadTile]) -> Vec<PhotoOfHand> {
        let FusedPhotos { base, sizes, left_out, views } = together;
        for (place, views) in self.places.iter().zip(views) {
            read[*place].views = Some(views);
        }
        let of_hand = read.iter().filter(|tile| tile.role != Role::Ignored);
        let seen: Vec<&TileViews> = of_hand.filter_map(|tile| tile.views.as_ref()).collect();
        let all = sizes.into_iter().zip(left_out).enumerate();
        let photos = all.map(|(photo, (size, left_out))| PhotoOfHand {
            size,
            is_base: photo == base,
            left_out,
            tiles: seen.iter().filter(|views| views.photos().contains(&photo)).count(),
        });
        photos.collect()
    }

    /// Turns indices of seen tiles into positions in this order.
    fn renumber(&self, tiles: &mut [usize]) {
        tiles.iter_mut().for_each(|i| *i = self.places[*i]);
    }

    /// Returns the positions of some tiles, in order.
    fn sort(&self, tiles: &[usize]) -> Vec<usize> {
        let mut places = tiles.to_vec();
        self.renumber(&mut places);
        places.sort_unstable();
        places
    }
}

fn read_tile(tiles: &[SeenTile], layout: &Layout, best: Option<&Candidate>, i: usize) -> ReadTile {
    let decided = best.and_then(|best| best.faces.iter().find(|(tile, _)| *tile == i));
    let group = layout.groups.iter().position(|group| {
        group.tiles.contains(&i) || group.above.is_some_and(|above| above.tile == i)
    });
    ReadTile {
        face: decided.map(|(_, face)| *face).or_else(|| tiles[i].faces.best()),
        up: layout.tops[i],
        sideways: layout.sideways[i],
        role: best.map_or(Role::Ignored, |best| best.plan.role(i)),
        group,
        meld: best.and_then(|best| meld_of(best, i)),
        ignored: layout.ignored.iter().find(|(tile, _)| *tile == i).map(|(_, why)| *why),
        seen: tiles[i].clone(),
        views: None,
    }
}

/// Returns the position, among the hand's melds, of the meld that a tile is part of. The hand's
/// melds are those of the plan that are sets.
fn meld_of(best: &Candidate, i: usize) -> Option<usize> {
    let mut sets = (0..best.plan.melds.len()).filter(|&place| is_set(best, place));
    sets.position(|place| best.plan.melds[place].tiles.contains(&i))
}

/// Returns whether a meld of the plan is a set, and shows a face.
fn is_set(best: &Candidate, place: usize) -> bool {
    let tiles = &best.plan.melds[place].tiles;
    let mut shown = best.faces.iter().filter(|(tile, _)| tiles.contains(tile));
    !best.broken.contains(&place) && shown.any(|(_, face)| *face != Face::Back)
}
