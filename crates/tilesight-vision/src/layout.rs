//! Finds the hand among the seen tiles and the possible meanings of its parts.
//!
//! Input: [`SeenTile`]s. Output: a [`Layout`]: the chosen tiles in groups of reading order, the
//! tiles that were left out with the reasons, and the [`Plan`]s, which are the possible
//! interpretations of the groups as concealed tiles, winning tile, melds and flowers. `top_view`
//! first maps the tiles to a view from straight above the table. Then `select` finds the hand among
//! everything else, `arrange` sorts it into rows and groups (`raised` finds tiles that lie on
//! others), `interpretation` lists what each group can be (a row with a sideways tile: a claimed
//! meld, and from whom), and `plans` combines these for the whole hand. Invariant: every seen tile
//! is in exactly one group or ignored for one reason. A layout never fails; at worst it has no
//! plan. Its work is bounded: all searches together take at most
//! [`SearchParams::steps`](crate::params::SearchParams::steps) steps.

mod arrange;
mod backs;
mod companions;
mod faces;
mod heaps;
mod ignore_reason;
mod interpretation;
mod likelihood;
mod plan;
mod plans;
mod raised;
mod select;
pub(crate) mod sheet_rows;
mod slipped;
mod top_view;

use std::collections::HashSet;
use std::sync::Arc;

use serde::{Serialize, Serializer};

pub use arrange::{Group, TileAbove};
pub use ignore_reason::IgnoreReason;
pub(crate) use likelihood::CHOW_ORDERS;
pub use plan::{MeldPlan, MeldShape, Plan, Role};
pub use raised::RaisedTile;

use super::geometry::{Point, Quad};
use super::params::Params;
use crate::effort::Effort;
use crate::options::ReadOptions;
use crate::pixels::faces::Sort;
use crate::pixels::seen_tile::SeenTile;
use select::Target;
use tilesight_core::hand::HandSize;
use tilesight_core::rules::Profile;
use top_view::FlatTiles;

/// The hand's tiles and their possible plans.
#[derive(Debug, Clone, Serialize)]
pub struct Layout {
    /// Groups of the hand in reading order.
    pub groups: Vec<Group>,
    /// For every seen tile, whether it lies across its group.
    pub sideways: Vec<bool>,
    /// For every seen tile, the direction of its top.
    pub tops: Vec<Point>,
    /// Possible plans, the most plausible first.
    pub plans: Vec<Plan>,
    /// Tiles that do not belong to the hand, with the reasons.
    pub ignored: Vec<(usize, IgnoreReason)>,
    /// Tiles of the chosen hand, followed by those of every other whole hand in view, best first.
    pub hands: Vec<Vec<usize>>,
    /// Probability that the first of these hands is the one that is meant. Nothing in a photo tells
    /// whose hand is meant, so it is 1 only for a hand that is alone in view or was pointed at.
    pub chosen_p: f32,
    /// Flowers whose assignment is uncertain, in the hand or ignored: they lie alone but far from
    /// the hand, or close to the hand but among discards.
    pub doubtful_flowers: Vec<usize>,
    /// For each of these flowers, the probability that it is the hand's.
    pub doubtful_flower_p: Vec<f32>,
    /// Ignored tiles that may belong to the hand: it would also win with them (the fourth of a
    /// kong), or they touch it.
    pub doubtful_tiles: Vec<usize>,
    /// Tiles that lie face up in a wall: dora indicators, in games that have them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub indicators: Vec<usize>,
    /// Pairs of neighbours in a row of flowers with room for an undetected one between them.
    pub flower_gaps: Vec<(usize, usize)>,
    /// Tiles of sets beside the hand, with which it is a hand of a game with sixteen tiles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub larger: Vec<usize>,
    /// Whether the budget of the search ran out before everything was tried. The probability of the
    /// hand is lowered then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_partial: bool,
    /// Number of steps of the search: of combinations that were weighed.
    #[serde(skip)]
    pub steps: usize,
    /// Size of the hand: that of the rule set, or the larger one if the tiles fit no other.
    #[serde(skip)]
    pub size: HandSize,
    /// Rule set that says how tiles are laid and which hands win.
    #[serde(serialize_with = "id_of")]
    pub ruleset: Arc<Profile>,
}

impl Layout {
    /// Returns the layout of the same tiles if none of them is the hand's.
    pub(crate) fn without_hand(self) -> Layout {
        let Layout { mut ignored, .. } = self;
        let is_left_out: HashSet<usize> = ignored.iter().map(|&(i, _)| i).collect();
        let rest = (0..self.tops.len()).filter(|i| !is_left_out.contains(i));
        ignored.extend(rest.map(|i| (i, IgnoreReason::Elsewhere)));
        ignored.sort_by_key(|&(i, _)| i);
        Layout {
            groups: Vec::new(),
            plans: Vec::new(),
            ignored,
            hands: Vec::new(),
            doubtful_flowers: Vec::new(),
            doubtful_flower_p: Vec::new(),
            doubtful_tiles: Vec::new(),
            indicators: Vec::new(),
            flower_gaps: Vec::new(),
            larger: Vec::new(),
            ..self
        }
    }

    /// Returns whether no other tile of the hand lies in a tile's group.
    pub(crate) fn is_alone(&self, i: usize) -> bool {
        let with_others = self.groups.iter().filter(|group| group.tiles.len() > 1);
        with_others.map(|group| &group.tiles).all(|tiles| !tiles.contains(&i))
    }
}

fn id_of<S: Serializer>(ruleset: &Arc<Profile>, serializer: S) -> Result<S::Ok, S::Error> {
    ruleset.id().serialize(serializer)
}

/// Finds the hand among the seen tiles and lists the plans of its layout, by the conventions of the
/// rule set, which also decides which hands win. With a focus, the hand is the one that holds the
/// tile under that point or nearest to it, in the tiles' own pixels.
#[must_use]
pub fn lay_out(tiles: &[SeenTile], ruleset: &Arc<Profile>, focus: Option<Point>) -> Layout {
    let options = ReadOptions { focus, ..ruleset.into() };
    lay_out_with(tiles, &options, true, &Params::DEFAULT)
}

/// Like [`lay_out`], with other parameters, and for the hand of a player who did not win unless
/// `won`. Focus and region of the options are in the tiles' own pixels. With a region, only tiles
/// whose centres lie in it are part of a hand.
#[must_use]
pub fn lay_out_with(
    tiles: &[SeenTile],
    options: &ReadOptions,
    won: bool,
    params: &Params,
) -> Layout {
    let ReadOptions { ruleset, focus, region, .. } = options;
    let within: Vec<bool> = tiles
        .iter()
        .map(|tile| region.as_ref().is_none_or(|region| region.contains(tile.quad.centre())))
        .collect();
    let flat = FlatTiles::new(tiles, params);
    let effort = Effort::new(params.search.steps);
    let view = flat.view(params, &effort);
    let sizes: Vec<f32> = tiles.iter().map(|tile| tile.quad.scale()).collect();
    let focus = focus.map(|point| tiles_from(tiles, &within, point));
    let aim = Target { ruleset, focus: focus.as_deref(), within: &within, won };
    let selection = select::select(&view, &sizes, aim);
    let arrangement = arrange::arrange(&view, &selection.hand);
    let conventions = ruleset.rules().conventions();
    let plans = plans::plans(&view, &arrangement, conventions, selection.size);
    let sureness = if effort.is_spent() { params.search.unfinished } else { 1.0 };
    let of_hands = if focus.is_some() { 1.0 } else { 1.0 / selection.hands.len().max(1) as f32 };
    Layout {
        groups: arrangement.groups,
        tops: tiles.iter().zip(arrangement.tops).map(|(tile, turn)| tile.up(turn)).collect(),
        sideways: arrangement.sideways,
        plans,
        ignored: selection.ignored,
        doubtful_flowers: selection.doubtful_flowers.iter().map(|&(i, _)| i).collect(),
        doubtful_flower_p: selection.doubtful_flowers.iter().map(|&(_, p)| p).collect(),
        doubtful_tiles: selection.doubtful_tiles,
        chosen_p: of_hands * sureness,
        hands: selection.hands,
        indicators: selection.indicators,
        flower_gaps: arrangement.flower_gaps,
        larger: selection.larger,
        is_partial: effort.is_spent(),
        steps: effort.spent(),
        size: selection.size,
        ruleset: Arc::clone(ruleset),
    }
}

/// Returns the faces inside the region by their distance from a point: those under it come first.
fn tiles_from(tiles: &[SeenTile], within: &[bool], point: Point) -> Vec<usize> {
    let pixel = Quad::rectangle(point.x - 0.5, point.y - 0.5, 1.0, 1.0);
    let mut faces: Vec<usize> = (0..tiles.len())
        .filter(|&i| within[i] && tiles[i].faces.sort().0 != Sort::Nothing)
        .collect();
    faces.sort_by(|&i, &j| {
        let [a, b] = [i, j].map(|tile| &tiles[tile].quad);
        let by_distance = a.distance(&pixel).total_cmp(&b.distance(&pixel));
        // Inaccurate corners make tiles overlap. For a point under both, the nearer centre decides.
        let [from_a, from_b] = [a, b].map(|quad| (quad.centre() - point).length());
        by_distance.then(from_a.total_cmp(&from_b))
    });
    faces
}
