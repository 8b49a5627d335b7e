//! Plans of a hand, which combine the interpretations of its groups.
//!
//! Input: the groups. Output: [`Plan`]s with a weight each, the most plausible first: which tiles
//! are concealed, which won, which form melds and how those were claimed, which are flowers.
//! `interpretation` interprets one group; here the interpretations of all groups are combined and
//! checked against the number of tiles that a hand has. Invariant: each of the hand's tiles is in
//! exactly one part of every plan, and there is at least one plan when there are tiles.

use tilesight_core::hand::HandSize;
use tilesight_core::rules::Conventions;

use super::super::params::InterpretationParams;
use super::arrange::Arrangement;
use super::faces::is_bonus;
use super::interpretation::{Interpretation, interpret};
use super::plan::{MeldShape, Plan};
use super::top_view::TopView;

/// Lists the plans of an arrangement as a hand of a size, the most plausible first.
pub(super) fn plans(
    view: &TopView,
    arrangement: &Arrangement,
    conventions: Conventions,
    size: HandSize,
) -> Vec<Plan> {
    let params = &view.params.interpretation;
    if arrangement.groups.is_empty() {
        return Vec::new();
    }
    let mut plans = vec![Plan { weight: 1.0, ..Plan::default() }];
    for group in &arrangement.groups {
        let options = interpret(view, &arrangement.sideways, group, conventions, size.sets());
        plans = extend_best(&plans, &options, params);
    }
    for plan in &mut plans {
        plan.weight *= fitness(plan, size, params);
    }
    favour_coherence(&mut plans, params);
    favour_solitary_winner(&mut plans, view, arrangement);
    keep_best(&mut plans, params.plans);
    let sum: f32 = plans.iter().map(|plan| plan.weight).sum();
    plans.iter_mut().for_each(|plan| plan.weight /= sum.max(f32::MIN_POSITIVE));
    plans
}

/// Extends every plan by every interpretation of one more group, and keeps the best of these plans.
/// Extensions are compared before they are made: a long row has hundreds of interpretations.
fn extend_best(
    plans: &[Plan],
    options: &[Interpretation],
    params: &InterpretationParams,
) -> Vec<Plan> {
    let pairs = plans.iter().flat_map(|plan| options.iter().map(move |option| (plan, option)));
    let mut weighed: Vec<(f32, &Plan, &Interpretation)> =
        pairs.map(|(plan, option)| (weight_of(plan, option, params), plan, option)).collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0));
    weighed.truncate(params.max_plans);
    weighed.into_iter().map(|(weight, plan, option)| extend(plan, option, weight)).collect()
}

/// Returns the weight of a plan with the interpretation of one more group.
fn weight_of(plan: &Plan, option: &Interpretation, params: &InterpretationParams) -> f32 {
    let weight = plan.weight * option.weight;
    let has_two_winners = plan.winning.is_some() && option.winning.is_some();
    if has_two_winners { weight * params.second_winner } else { weight }
}

fn keep_best(plans: &mut Vec<Plan>, count: usize) {
    plans.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    plans.truncate(count);
}

/// Extends a plan by the interpretation of one more group.
fn extend(plan: &Plan, option: &Interpretation, weight: f32) -> Plan {
    let mut plan = Plan { weight, ..plan.clone() };
    plan.concealed.extend(&option.concealed);
    plan.melds.extend(option.melds.iter().cloned());
    plan.flowers.extend(&option.flowers);
    plan.hidden.extend(&option.hidden);
    match (plan.winning, option.winning) {
        (None, won) => plan.winning = won,
        (Some(_), None) => {}
        // Only one tile wins; a second tile apart is a concealed tile that slipped.
        (Some(_), Some(second)) => plan.concealed.push(second),
    }
    plan
}

/// Returns how well the number of tiles fits a hand of a size.
fn fitness(plan: &Plan, size: HandSize, params: &InterpretationParams) -> f32 {
    let Some(room) = size.tiles().checked_sub(3 * plan.melds.len()) else {
        return params.impossible;
    };
    let found = plan.concealed.len() + usize::from(plan.winning.is_some());
    let miscount = i32::try_from(room.abs_diff(found)).unwrap_or(i32::MAX);
    let apart = if plan.winning.is_some() { 1.0 } else { params.unmarked_winner };
    params.miscount.powi(miscount).max(params.min_miscount) * apart
}

/// Lowers the weights of incoherent plans, because players lay out their hand in one way. Sets
/// apart without turned tiles are all exposed or all concealed: a plan that mixes both for sets
/// that look alike is less plausible, and so are plans in which only a part of the claimed sets has
/// a turned tile.
fn favour_coherence(plans: &mut [Plan], params: &InterpretationParams) {
    let max_apart = plans.iter().map(apart).max().unwrap_or(0);
    for plan in plans {
        let apart = apart(plan);
        let shows_sources = plan.melds.iter().any(|meld| meld.shape.turned().is_some());
        if shows_sources {
            plan.weight *= params.unturned.powi(apart as i32);
        } else if apart > 0 && apart < max_apart {
            plan.weight *= params.mixed;
        }
    }
}

/// Raises the relative weights of plans in which the single tile farther from all others wins:
/// concealed tiles slip aside, or are laid in groups of which one is a single tile.
fn favour_solitary_winner(plans: &mut [Plan], view: &TopView, arrangement: &Arrangement) {
    let mut alone: Vec<(usize, f32)> = Vec::new();
    for group in &arrangement.groups {
        if let [tile] = group.tiles[..]
            && !is_bonus(&view.tiles[tile])
        {
            alone.push((tile, distance_from_others(view, arrangement, tile)));
        }
    }
    let farthest = alone.iter().map(|&(_, distance)| distance).fold(0.0, f32::max);
    for plan in plans {
        let won = alone.iter().find(|&&(tile, _)| plan.winning == Some(tile));
        plan.weight *= won.map_or(1.0, |(_, distance)| distance / farthest);
    }
}

/// Returns the distance of a tile from the nearest other one of the hand.
fn distance_from_others(view: &TopView, arrangement: &Arrangement, tile: usize) -> f32 {
    let quad = &view.tiles[tile].quad;
    let hand = arrangement.groups.iter().flat_map(|group| &group.tiles);
    let others = hand.filter(|other| **other != tile);
    let distances = others.map(|&other| quad.distance(&view.tiles[other].quad));
    distances.fold(f32::INFINITY, f32::min).max(f32::MIN_POSITIVE)
}

fn apart(plan: &Plan) -> usize {
    plan.melds.iter().filter(|meld| meld.shape == MeldShape::Apart).count()
}
