//! The result for one photo: the hand, its probability, and the doubts.
//!
//! The types here are the pipeline's own; `contract::reading` turns them into the JSON that every
//! front end shares. Invariant: `tiles` holds every tile that was seen, in one order, and every
//! index in doubts and groups points into it.

pub(crate) mod clock;
mod compose;
pub(crate) mod frames;
pub(crate) mod in_play;
pub(crate) mod in_view;
pub(crate) mod interpretation;
pub(crate) mod no_score;
pub(crate) mod observation;
pub(crate) mod photo_fault;
pub(crate) mod read_tile;
pub(crate) mod table;
pub(crate) mod together;
pub(crate) mod trace;

use std::sync::Arc;
use std::time::Duration;

use in_view::HandInView;
use observation::LeftOut;
use read_tile::ReadTile;
use serde::{Deserialize, Serialize};
use tilesight_core::context::{Context, ContextField, ContextSetup};
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::{Conventions, Profile, Score, TotalRange};
use tilesight_core::tile::{Tile, Wind};

use crate::decide::budget::ScoreBudget;
use crate::decide::doubt::Doubt;
use crate::decide::doubts::HandScorer;
use crate::decide::possible_totals::{MAX_SCORES_OF_TOTALS, OpenDoubt, PossibleTotals};
use crate::decide::repair::{self, Repair, TileCandidates};
use crate::geometry::Point;
use crate::sets::SetUse;

/// The reading of one photo.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Width and height of the upright photo.
    pub size: (u32, u32),
    /// Whether the photo is mirrored. The hand is given as it really lies, the outlines as the
    /// photo shows them.
    pub mirrored: bool,
    /// Whether the photo shows no hand, but tiles that look like none that the networks know: a set
    /// that must be taught first, or other things.
    pub unfamiliar: bool,
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
    /// Use of own sets, if one was asked for.
    pub set: Option<SetUse>,
    /// Whole hands in the photo, starting with the one that was read. With at most one hand
    /// there is no choice.
    pub hands_in_view: Vec<HandInView>,
    /// Number of tiles in the region that was given for the hand; `None` without a region.
    pub in_region: Option<usize>,
    /// Tiles that lie face up in a wall, if the rules have dora indicators.
    pub indicators: Vec<usize>,
    /// Doubts that the photo leaves open.
    pub doubts: Vec<Doubt>,
    /// Score of the hand as it was read, if it is a winning hand.
    pub score: Option<Score>,
    /// Possible totals, if the total depends on something that was not given or not seen.
    pub range: Option<TotalRange>,
    /// Seats whose hands would count for the payments and are not in the photo; empty without a
    /// score.
    pub unsettled: Vec<Wind>,
    /// Fields of the win context as they were given.
    pub given: ContextSetup,
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

impl Reading {
    /// Returns the smallest box in whole pixels of the photo that holds the given tiles: its left,
    /// top, right and bottom edge. `None` if no tiles are given.
    #[must_use]
    pub fn bounds(&self, tiles: &[usize]) -> Option<[u32; 4]> {
        let (left, right) = self.span(tiles, Point::new(1.0, 0.0), self.size.0)?;
        let (top, bottom) = self.span(tiles, Point::new(0.0, 1.0), self.size.1)?;
        Some([left, top, right, bottom])
    }

    /// Returns the first and the last pixel of tiles along a side of the photo.
    fn span(&self, tiles: &[usize], axis: Point, side: u32) -> Option<(u32, u32)> {
        let spans = tiles.iter().map(|&i| self.tiles[i].seen.quad.span(axis));
        let (low, high) = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        let [low, high] = [low.floor(), high.ceil()].map(|at| at.clamp(0.0, side as f32) as u32);
        Some((low, high))
    }

    /// Returns the totals that are possible with any answers to the doubts and any values of the
    /// win context's missing fields; `None` if at most one total is possible.
    #[must_use]
    pub fn possible_totals(&self) -> Option<TotalRange> {
        self.all_totals().range
    }

    /// Returns, for every doubt, the lowest and the highest total that remain after each of its
    /// answers; `None` for an answer with which the hand would not win.
    #[must_use]
    pub fn totals_by_answer(&self) -> Vec<Vec<Option<(u32, u32)>>> {
        self.all_totals().by_answer
    }

    /// Returns the single changes that turn a hand that does not win into a winning hand, the most
    /// probable first.
    #[must_use]
    pub fn repairs(&self) -> Vec<Repair> {
        if self.score.is_some() || !self.won {
            return Vec::new();
        }
        let views: Vec<TileCandidates> =
            self.tiles.iter().enumerate().filter_map(tile_look).collect();
        repair::repairs(&self.scorer(), &self.hand, &views, &self.open_doubts())
    }

    /// Computes the totals with all doubts open.
    pub(crate) fn all_totals(&self) -> PossibleTotals {
        let budget = ScoreBudget::new(MAX_SCORES_OF_TOTALS);
        PossibleTotals::new(&self.scorer(), &self.hand, &self.open_doubts(), budget)
    }

    fn open_doubts(&self) -> Vec<OpenDoubt> {
        self.doubts.iter().map(|doubt| OpenDoubt::new(doubt, &self.hand)).collect()
    }

    /// Creates a scorer for the win context of this reading.
    fn scorer(&self) -> HandScorer {
        HandScorer::for_complete(&self.ruleset, self.context, self.assumed.clone(), self.won)
    }

    /// Returns the hand that was scored: with the supposed winning tile if the photo sets none
    /// apart.
    #[must_use]
    pub fn scored_hand(&self) -> HandSetup {
        let supposed = self.supposed_winning.filter(|_| self.hand.winning.is_none());
        supposed.and_then(|tile| self.hand.won_by(tile)).unwrap_or_else(|| self.hand.clone())
    }
}

/// Returns the faces that the photo suggests for a tile; `None` for a tile without a face.
fn tile_look((at, tile): (usize, &ReadTile)) -> Option<TileCandidates> {
    let candidates = tile.seen.faces.candidates(0.0).into_iter();
    Some(TileCandidates {
        at: Some(at),
        face: tile.face?,
        role: tile.role,
        candidates: candidates.filter_map(|(face, p)| Some((face?, p))).collect(),
    })
}
