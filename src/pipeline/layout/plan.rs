//! The possible readings of a hand's groups.
//!
//! Input: the groups. Output: [`Plan`]s with a weight each, the most plausible first: which tiles
//! are concealed, which won, which form melds and how those were claimed, which are flowers.
//! `options` reads one group; here the readings of all groups are combined and checked
//! against the number of tiles that a hand has. Invariant: each of the hand's tiles is in exactly
//! one part of every plan, and there is at least one plan when there are tiles.

use serde::Serialize;

use super::super::classify::{SeenTile, Sort};
use super::arrange::Arrangement;
use super::manners::Manners;
use super::options::{Reading, readings};
use crate::rules::Conventions;

/// One reading of the whole layout, in indices of the seen tiles.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Plan {
    /// The concealed tiles without the winning tile, in reading order.
    pub concealed: Vec<usize>,
    /// The tile that lies apart as the one that won.
    pub winning: Option<usize>,
    /// The sets that lie apart.
    pub melds: Vec<MeldPlan>,
    /// Flowers and seasons.
    pub flowers: Vec<usize>,
    /// Backs that belong to no set: a tile laid face down shows nothing to score.
    pub hidden: Vec<usize>,
    /// How plausible this reading is against the others; the plans' weights sum to one.
    pub weight: f32,
}

/// A set that lies apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeldPlan {
    /// Its tiles in reading order; a fourth tile above the others comes last.
    pub tiles: Vec<usize>,
    /// What its look says of its kind.
    pub shape: MeldShape,
    /// Those of its tiles that lie face down, whatever they look like.
    pub hidden: Vec<usize>,
}

/// What the look of a set says of its kind and of who discarded the claimed tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MeldShape {
    /// The tile at this place lies sideways: it was claimed, from the left, across or right.
    Claimed {
        /// The place of the sideways tile.
        at: usize,
    },
    /// Nothing lies sideways: exposed, from whom nobody can see.
    Apart,
    /// Four of a kind drawn by oneself: two or four of them show their backs, or all lie open.
    ConcealedKong,
    /// A pung with a fourth tile above or beside the sideways one, or on its middle one: then three
    /// tiles are seen.
    AddedKong {
        /// The place of the sideways tile, if one lies sideways.
        at: Option<usize>,
    },
}

impl MeldShape {
    /// The place of the sideways tile.
    pub(in super::super) fn turned(self) -> Option<usize> {
        match self {
            MeldShape::Claimed { at } => Some(at),
            MeldShape::AddedKong { at } => at,
            MeldShape::Apart | MeldShape::ConcealedKong => None,
        }
    }
}

/// Readings that are kept while groups are combined, and at the end.
const MOST_PLANS: usize = 96;
const PLANS_KEPT: usize = 24;

/// Lists the readings of an arrangement, the most plausible first.
pub(super) fn plans(
    tiles: &[SeenTile],
    arrangement: &Arrangement,
    conventions: Conventions,
    manners: &Manners,
) -> Vec<Plan> {
    if arrangement.groups.is_empty() {
        return Vec::new();
    }
    let mut plans = vec![Plan { weight: 1.0, ..Plan::default() }];
    for group in &arrangement.groups {
        let options = readings(tiles, &arrangement.sideways, group, conventions, manners);
        plans = plans
            .iter()
            .flat_map(|plan| options.iter().map(|o| extend(plan, o, manners)))
            .collect();
        keep_best(&mut plans, MOST_PLANS);
    }
    for plan in &mut plans {
        plan.weight *= fitness(plan, manners);
    }
    coherence(&mut plans, manners);
    solitude(&mut plans, tiles, arrangement);
    keep_best(&mut plans, PLANS_KEPT);
    let sum: f32 = plans.iter().map(|plan| plan.weight).sum();
    plans.iter_mut().for_each(|plan| plan.weight /= sum.max(f32::MIN_POSITIVE));
    plans
}

fn keep_best(plans: &mut Vec<Plan>, count: usize) {
    plans.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    plans.truncate(count);
}

/// A plan with one more group read.
fn extend(plan: &Plan, reading: &Reading, manners: &Manners) -> Plan {
    let mut plan = plan.clone();
    plan.concealed.extend(&reading.concealed);
    plan.melds.extend(reading.melds.iter().cloned());
    plan.flowers.extend(&reading.flowers);
    plan.hidden.extend(&reading.hidden);
    plan.weight *= reading.weight;
    match (plan.winning, reading.winning) {
        (None, won) => plan.winning = won,
        (Some(_), None) => {}
        // Only one tile wins; a second one apart is a concealed tile that slipped.
        (Some(_), Some(second)) => {
            plan.concealed.push(second);
            plan.weight *= manners.second_winner;
        }
    }
    plan
}

/// How well a plan's numbers fit a hand.
fn fitness(plan: &Plan, manners: &Manners) -> f32 {
    if plan.melds.len() > 4 {
        return 1e-6;
    }
    let room = 14 - 3 * plan.melds.len();
    let found = plan.concealed.len() + usize::from(plan.winning.is_some());
    let miscount = i32::try_from(room.abs_diff(found)).unwrap_or(i32::MAX);
    let apart = if plan.winning.is_some() { 1.0 } else { manners.unmarked_winner };
    manners.miscount.powi(miscount).max(1e-30) * apart
}

/// People lay their hand out in one way. Sets apart with nothing turned are all exposed or all concealed: a plan that
/// mixes both for sets that look alike is less plausible, and so are plans in which some claimed sets have a turned
/// tile and others none.
fn coherence(plans: &mut [Plan], manners: &Manners) {
    let most_apart = plans.iter().map(apart).max().unwrap_or(0);
    for plan in plans {
        let apart = apart(plan);
        let shows_sources = plan.melds.iter().any(|meld| meld.shape.turned().is_some());
        if shows_sources {
            plan.weight *= manners.unturned.powi(apart as i32);
        } else if apart > 0 && apart < most_apart {
            plan.weight *= manners.mixed;
        }
    }
}

/// Of several tiles that lie alone, the one that is farther from all others is likelier the one that won: concealed tiles
/// slip aside, or are laid in groups of which one is a single tile.
fn solitude(plans: &mut [Plan], tiles: &[SeenTile], arrangement: &Arrangement) {
    let all = || arrangement.groups.iter().flat_map(|group| group.tiles.iter().copied());
    let alone = arrangement.groups.iter().filter_map(|group| match group.tiles[..] {
        [tile] if !is_bonus(&tiles[tile]) => Some(tile),
        _ => None,
    });
    let away = |tile: usize| {
        let quad = &tiles[tile].quad;
        let others = all().filter(|&other| other != tile);
        let nearest = others.map(|other| quad.distance(&tiles[other].quad));
        (tile, nearest.fold(f32::INFINITY, f32::min).max(f32::MIN_POSITIVE))
    };
    let alone: Vec<(usize, f32)> = alone.map(away).collect();
    let farthest = alone.iter().map(|&(_, distance)| distance).fold(0.0, f32::max);
    for plan in plans {
        let won = alone.iter().find(|&&(tile, _)| plan.winning == Some(tile));
        plan.weight *= won.map_or(1.0, |(_, distance)| distance / farthest);
    }
}

fn apart(plan: &Plan) -> usize {
    plan.melds.iter().filter(|meld| meld.shape == MeldShape::Apart).count()
}

/// Whether a tile is a flower or a season.
pub(super) fn is_bonus(tile: &SeenTile) -> bool {
    tile.faces.sort().0 == Sort::Bonus
}
