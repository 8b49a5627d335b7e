//! The result for one photo: the hand, its probability, and the doubts.
//!
//! These are the pipeline's own types; `contract::reading` turns them into the JSON that every
//! front end shares. Invariant: `tiles` holds every tile that was seen, in one order, and every
//! index in doubts and groups points into it.

pub mod frames;
pub mod in_view;
pub mod options;
pub mod photo_fault;
pub mod read_tile;
pub mod table;
pub mod together;
pub mod trace;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilesight_core::context::{Context, ContextField};
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::{Conventions, Profile, RulesError, Score, TotalRange, unknown_seats};
use tilesight_core::tile::{Face, Tile, Wind};

use super::geometry::Point;
use super::layout::{Layout, Plan};
use crate::decide::doubt::Doubt;
use crate::decide::doubts::Verdict;
use crate::decide::joint::{Candidate, Decision};
use crate::decide::possible_totals::PossibleTotals;
use crate::decide::repair::{Repair, repairs_of_reading};
use crate::pixels::classify::SeenTile;
use crate::reading::in_view::{HandInView, hands_in_view};
use crate::reading::read_tile::{ReadTile, Role};
use crate::reading::together::{LeftOut, Together};
use crate::reading::trace::Trace;

/// The reading of one photo.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Width and height of the upright photo.
    pub size: (u32, u32),
    /// Whether the photo is mirrored. The hand is given as it really lies, the outlines as the
    /// photo shows them.
    pub mirrored: bool,
    /// Whether the hand can be relied on.
    pub status: Status,
    /// Every tile that was seen: those of the hand first, in reading order.
    pub tiles: Vec<ReadTile>,
    /// Hand, complete or not.
    pub hand: HandSetup,
    /// Winning tile that the score supposes if the photo sets none apart.
    pub supposed_winning: Option<Tile>,
    /// Probability that the whole hand is right: its tiles, its exposed sets and its winning tile.
    pub probability: f32,
    /// Probability that the tiles are right, however they are divided into sets.
    pub tiles_probability: f32,
    /// Probability that the score is right, even if the hand is not; 0 without a score.
    pub score_probability: f32,
    /// Conventions of the rule set for laying tiles, which give turned tiles their meaning.
    pub conventions: Conventions,
    /// Rule set that the hand was read and scored by.
    pub ruleset: Arc<Profile>,
    /// Complete hands in the photo, starting with the one that was read. With at most one hand
    /// there is no choice.
    pub hands_in_view: Vec<HandInView>,
    /// Number of tiles in the region that was given for the hand; `None` without a region.
    pub in_region: Option<usize>,
    /// Doubts that the photo leaves open.
    pub doubts: Vec<Doubt>,
    /// Score of the hand as it was read, if it is a winning hand.
    pub score: Option<Score>,
    /// Possible totals, if the total depends on something that was not given or not seen.
    pub range: Option<TotalRange>,
    /// Seats whose hands would count for the payments and are not in the photo; empty without a
    /// score.
    pub unsettled: Vec<Wind>,
    /// Win context that the score was computed with.
    pub context: Context,
    /// Fields of the win context that were not given and have default values.
    pub assumed: Vec<ContextField>,
    /// Whether the hand was read as the one that won.
    pub won: bool,
    /// Use of each photo, in the order in which they were sent, if several photos of the hand were
    /// put together; otherwise empty.
    pub photos: Vec<PhotoOfHand>,
    /// Duration of each stage, in the order of the stages.
    pub timings: Vec<(&'static str, Duration)>,
}

/// Photo of a hand among several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhotoOfHand {
    /// Width and height of the upright photo.
    pub size: (u32, u32),
    /// Whether the reading is in the pixels of this photo.
    pub is_base: bool,
    /// Reason why the photo was left out, if it was.
    pub left_out: Option<LeftOut>,
    /// Number of tiles of the hand that the photo shows; 0 if it was left out.
    pub tiles: usize,
}

/// Reliability of a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A winning hand, or one that need not win, without a doubt that its score depends on.
    Ok,
    /// A person should look at the doubts.
    NeedsReview,
    /// No hand was found in the photo.
    NoHand,
}

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
        let mirrored = trace.sight.is_mirrored();
        let Trace { sight, layout, decision, verdict, in_region, timings } = trace;
        let (verdict, size) = (verdict?, sight.size);
        let (sight, together) = sight.without_looks();
        let tiles = sight.into_tiles();
        let order = ReadingOrder::new(&layout, tiles.len());
        let status = Status::from_decision(&decision, &verdict);
        let unsettled = unsettled(&layout.ruleset, &verdict);
        let mut doubts = verdict.doubts;
        doubts.iter_mut().for_each(|doubt| order.renumber(&mut doubt.tiles));
        let tiles_probability = decision.tiles_probability();
        let best = decision.best;
        let probability = best.as_ref().map_or(0.0, |best| best.p);
        let read = order.tiles.iter().map(|&i| read_tile(&tiles, &layout, best.as_ref(), i));
        let read = read.map(|tile| if mirrored { tile.into_mirror(size.0) } else { tile });
        let mut read: Vec<ReadTile> = read.collect();
        let photos = together.map_or_else(Vec::new, |all| order.add_looks(all, &mut read));
        let hand = best.map(|best| best.setup).unwrap_or_default();
        let hands = layout.hands.iter().map(|hand| order.sorted(hand));
        let hands_in_view = hands_in_view(hands, &read, &hand);
        Ok(Reading {
            size,
            mirrored,
            status,
            tiles: read,
            hand,
            supposed_winning: verdict.supposed_winning,
            probability,
            tiles_probability,
            score_probability: verdict.probability,
            conventions: layout.ruleset.rules().conventions(),
            ruleset: Arc::clone(&layout.ruleset),
            hands_in_view,
            in_region,
            doubts,
            unsettled,
            score: verdict.score,
            range: verdict.range,
            context: verdict.context,
            assumed: verdict.assumed,
            won: verdict.won,
            photos,
            timings,
        })
    }
}

impl Reading {
    /// Returns the smallest box in whole pixels of the photo that holds the given tiles: its left,
    /// top, right and bottom edge. `None` if no tiles are given.
    #[must_use]
    pub fn bounds(&self, tiles: &[usize]) -> Option<[u32; 4]> {
        let span = |axis: Point, side: u32| {
            let spans = tiles.iter().map(|&i| self.tiles[i].seen.quad.span(axis));
            let (low, high) = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
            let within = |at: f32| at.clamp(0.0, side as f32) as u32;
            Some((within(low.floor()), within(high.ceil())))
        };
        let (left, right) = span(Point::new(1.0, 0.0), self.size.0)?;
        let (top, bottom) = span(Point::new(0.0, 1.0), self.size.1)?;
        Some([left, top, right, bottom])
    }

    /// Returns the totals that are possible with any answers to the doubts and any values of the
    /// win context's missing fields; `None` if at most one total is possible.
    #[must_use]
    pub fn possible_totals(&self) -> Option<TotalRange> {
        PossibleTotals::of_reading(self).range
    }

    /// Returns, for every doubt, the lowest and the highest total that remain after each of its
    /// answers; `None` for an answer with which the hand would not win.
    #[must_use]
    pub fn totals_by_answer(&self) -> Vec<Vec<Option<(u32, u32)>>> {
        PossibleTotals::of_reading(self).by_answer
    }

    /// Returns the single changes that turn a hand that does not win into a winning hand, the most
    /// probable first.
    #[must_use]
    pub fn repairs(&self) -> Vec<Repair> {
        repairs_of_reading(self)
    }

    /// Returns the hand that was scored: with the supposed winning tile if the photo sets none
    /// apart.
    #[must_use]
    pub fn scored_hand(&self) -> HandSetup {
        let supposed = self.supposed_winning.filter(|_| self.hand.winning.is_none());
        supposed.and_then(|tile| self.hand.won_by(tile)).unwrap_or_else(|| self.hand.clone())
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
    fn add_looks(&self, together: Together, read: &mut [ReadTile]) -> Vec<PhotoOfHand> {
        let Together { base, sizes, left_out, looks } = together;
        for (place, looks) in self.places.iter().zip(looks) {
            read[*place].looks = Some(looks);
        }
        let of_hand = || read.iter().filter(|tile| tile.role != Role::Ignored);
        let shows = |photo: usize, tile: &ReadTile| {
            tile.looks.as_ref().is_some_and(|looks| looks.photos().contains(&photo))
        };
        let all = sizes.into_iter().zip(left_out).enumerate();
        let photos = all.map(|(photo, (size, left_out))| PhotoOfHand {
            size,
            is_base: photo == base,
            left_out,
            tiles: of_hand().filter(|tile| shows(photo, tile)).count(),
        });
        photos.collect()
    }

    /// Turns indices of seen tiles into positions in this order.
    fn renumber(&self, tiles: &mut [usize]) {
        tiles.iter_mut().for_each(|i| *i = self.places[*i]);
    }

    /// Returns the positions of some tiles, in order.
    fn sorted(&self, tiles: &[usize]) -> Vec<usize> {
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
        role: best.map_or(Role::Ignored, |best| role_in(&best.plan, i)),
        group,
        meld: best.and_then(|best| meld_of(best, i)),
        ignored: layout.ignored.iter().find(|(tile, _)| *tile == i).map(|(_, why)| *why),
        seen: tiles[i].clone(),
        looks: None,
    }
}

/// Returns the position, among the hand's melds, of the meld that a tile is part of. The hand's
/// melds are those of the plan that are sets.
fn meld_of(best: &Candidate, i: usize) -> Option<usize> {
    let is_set = |place: &usize| {
        let is_printed = |(tile, face): &(usize, Face)| {
            best.plan.melds[*place].tiles.contains(tile) && *face != Face::Back
        };
        !best.broken.contains(place) && best.faces.iter().any(is_printed)
    };
    let mut sets = (0..best.plan.melds.len()).filter(is_set);
    sets.position(|place| best.plan.melds[place].tiles.contains(&i))
}

fn role_in(plan: &Plan, i: usize) -> Role {
    if plan.winning == Some(i) {
        Role::Winning
    } else if plan.flowers.contains(&i) {
        Role::Flower
    } else if plan.melds.iter().any(|meld| meld.tiles.contains(&i)) {
        Role::Meld
    } else if plan.concealed.contains(&i) {
        Role::Concealed
    } else {
        Role::Ignored
    }
}
