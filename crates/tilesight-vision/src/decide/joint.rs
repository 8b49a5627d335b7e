//! Chooses the hand: the names of all tiles together with the plan of the layout.
//!
//! Input: the seen tiles with their probabilities and the [`Layout`]'s plans. Output: a
//! [`Decision`]: the most probable hand and its rivals. For every plan, the most probable namings
//! of its parts are listed in descending order, and each is weighed by the limits of a hand: four
//! of each kind, each flower once, valid sets, and that the hand likely wins. Invariant: a face
//! comes from the classifier's own candidates, and a tile that is named with confidence keeps its
//! name.

mod parts;

use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap};

pub(super) use parts::surplus_reds;
use parts::{Naming, Part};
use serde::Serialize;
use tilesight_core::hand::{HandSetup, Reds};
use tilesight_core::meld::{KongKind, Meld};
use tilesight_core::tile::{Face, Tile};

use crate::layout::{Layout, Plan};
use crate::params::JointParams;
use crate::pixels::seen_tile::SeenTile;
use crate::wins::wins_as;

/// The hand that was chosen, and its rivals.
#[derive(Debug, Clone, Serialize)]
pub struct Decision {
    /// Most probable hand; `None` if the photo shows no hand.
    pub best: Option<Candidate>,
    /// Other hands, the most probable first.
    pub rivals: Vec<Candidate>,
    /// Flowers that may or may not belong to the hand.
    pub doubtful_flowers: Vec<usize>,
    /// For each of these flowers, the probability that it belongs to the hand.
    pub doubtful_flower_p: Vec<f32>,
    /// Tiles that the layout left out, although the hand could also win with them.
    pub doubtful_tiles: Vec<usize>,
    /// Tiles that lie face up in a wall.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub indicators: Vec<usize>,
    /// Tiles beside the hand with which it is one of a game with sixteen tiles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub larger: Vec<usize>,
    /// Tiles that lie across the others of their row.
    pub sideways: Vec<usize>,
    /// Winning tiles of the layout's plans that lie alone.
    #[serde(skip)]
    pub alone: Vec<usize>,
    /// Pairs of neighbours in a row of flowers with room for another one between them.
    pub flower_gaps: Vec<(usize, usize)>,
}

impl Decision {
    /// Converts the decision for a hand that has not won: a tile that lies apart like a winning
    /// tile becomes one of the concealed tiles, and candidates that differed only in that are
    /// merged.
    #[must_use]
    pub fn not_won(mut self) -> Decision {
        let Some(mut best) = self.best.take().map(Candidate::not_won) else { return self };
        let mut rivals: Vec<Candidate> = Vec::new();
        for rival in self.rivals.into_iter().map(Candidate::not_won) {
            let known = rivals.iter_mut().find(|other| other.is_same_hand(&rival));
            match known {
                _ if best.is_same_hand(&rival) => best.p += rival.p,
                Some(other) => other.p += rival.p,
                None => rivals.push(rival),
            }
        }
        Decision { best: Some(best), rivals, ..self }
    }

    /// Returns the probability that the best hand's tiles are right, summed over all candidates
    /// with the same tiles.
    #[must_use]
    pub fn tiles_probability(&self) -> f32 {
        let Some(best) = &self.best else { return 0.0 };
        let codes = best.sorted_codes();
        let same = self.rivals.iter().filter(|other| other.sorted_codes() == codes);
        best.p + same.map(|other| other.p).sum::<f32>()
    }
}

/// Possible reading of the whole hand.
#[derive(Debug, Clone, Serialize)]
pub struct Candidate {
    /// Plan of the layout.
    pub plan: Plan,
    /// Faces of the plan's tiles.
    pub faces: Vec<(usize, Face)>,
    /// Hand that results from the plan and the faces.
    #[serde(skip)]
    pub setup: HandSetup,
    /// Melds whose tiles form no set, as indices into the plan's melds. Their tiles count as
    /// concealed.
    pub broken: Vec<usize>,
    /// Probability of this hand among all that were weighed and all that are in view.
    pub p: f32,
}

impl Candidate {
    /// Returns the codes of the tiles' faces in order.
    fn sorted_codes(&self) -> Vec<String> {
        let mut codes: Vec<String> = self.faces.iter().map(|(_, face)| face.to_string()).collect();
        codes.sort_unstable();
        codes
    }

    fn not_won(mut self) -> Candidate {
        self.plan.concealed.extend(self.plan.winning.take());
        self.setup.reds = self.setup.reds.as_holding(self.setup.winning);
        self.setup.concealed.extend(self.setup.winning.take());
        self.setup.concealed.sort_unstable();
        self
    }

    /// Returns whether both candidates have the same tiles in the same sets. Of two fives of a kind
    /// it makes no hand of its own which one is red.
    fn is_same_hand(&self, other: &Candidate) -> bool {
        without_reds(&self.setup) == without_reds(&other.setup)
    }
}

/// Chooses the most probable hand.
#[must_use]
pub fn decide(tiles: &[SeenTile], layout: &Layout) -> Decision {
    decide_with(tiles, layout, &JointParams::DEFAULT)
}

/// Like [`decide`], with other parameters.
#[must_use]
pub fn decide_with(tiles: &[SeenTile], layout: &Layout, params: &JointParams) -> Decision {
    let mut hands = Hands::default();
    for plan in &layout.plans {
        hands.add(weigh(tiles, plan, hands.best * params.negligible, &Weights { layout, params }));
    }
    let mut candidates = hands.ranked(layout.chosen_p).into_iter();
    let winning = layout.plans.iter().filter_map(|plan| plan.winning);
    Decision {
        best: candidates.next(),
        rivals: candidates.collect(),
        doubtful_flowers: layout.doubtful_flowers.clone(),
        doubtful_flower_p: layout.doubtful_flower_p.clone(),
        doubtful_tiles: layout.doubtful_tiles.clone(),
        indicators: layout.indicators.clone(),
        larger: layout.larger.clone(),
        sideways: (0..tiles.len()).filter(|&i| layout.sideways[i]).collect(),
        alone: winning.filter(|&i| layout.is_alone(i)).collect(),
        flower_gaps: layout.flower_gaps.clone(),
    }
}

/// Layout and parameters that hands are weighed by.
struct Weights<'a> {
    layout: &'a Layout,
    params: &'a JointParams,
}

/// Hands of all plans, each listed once.
#[derive(Default)]
struct Hands {
    candidates: Vec<Candidate>,
    /// Positions of the hands in `candidates`, by the hand without its red fives.
    places: HashMap<HandSetup, usize>,
    /// Probability of all hands that were not weighed.
    rest: f32,
    /// Probability of the best hand so far.
    best: f32,
}

impl Hands {
    /// Adds the hands of one plan. The probabilities of the same hand in several plans add up.
    fn add(&mut self, plan: WeighedPlan) {
        self.rest += plan.rest;
        for candidate in plan.candidates {
            self.best = f32::max(self.best, candidate.p);
            match self.places.entry(without_reds(&candidate.setup)) {
                Entry::Occupied(at) => {
                    let other = &mut self.candidates[*at.get()];
                    if other.p >= candidate.p {
                        other.p += candidate.p;
                    } else {
                        *other = Candidate { p: candidate.p + other.p, ..candidate };
                    }
                }
                Entry::Vacant(at) => {
                    at.insert(self.candidates.len());
                    self.candidates.push(candidate);
                }
            }
        }
    }

    /// Returns the hands, the most probable first. Their probabilities and the rest sum to
    /// `chosen_p`, the probability that these tiles are the hand that is meant.
    fn ranked(self, chosen_p: f32) -> Vec<Candidate> {
        let mut candidates = self.candidates;
        let sum = candidates.iter().map(|candidate| candidate.p).sum::<f32>() + self.rest;
        for candidate in &mut candidates {
            candidate.p *= chosen_p / sum.max(f32::MIN_POSITIVE);
        }
        candidates.sort_by(|a, b| b.p.total_cmp(&a.p));
        candidates
    }
}

/// The most probable hands of one plan, with unnormalised probabilities.
struct WeighedPlan {
    candidates: Vec<Candidate>,
    /// Probability of all namings that were not weighed.
    rest: f32,
}

/// Weighs the hands of one plan, in descending order of probability, and stops at the first naming
/// less probable than `floor`.
fn weigh(tiles: &[SeenTile], plan: &Plan, floor: f32, weights: &Weights) -> WeighedPlan {
    let params = weights.params;
    let parts = parts::parts_of(tiles, plan, params);
    let mut left: f32 = 1.0;
    let mut candidates = Vec::new();
    // More parts than a hand has get fewer namings, so that the work of a naming is bounded too.
    let max_namings = params.max_namings.min(params.max_named / parts.len().max(1)).max(1);
    for Assignment { p, picks } in Assignments::new(&parts).take(max_namings) {
        if p * plan.weight < floor {
            break;
        }
        left -= p;
        let namings: Vec<&Naming> =
            parts.iter().zip(&picks).map(|(part, &pick)| &part.namings[pick].naming).collect();
        let candidate = candidate(tiles, plan, &namings);
        let hidden = namings.iter().filter(|naming| naming.is_hidden_kong()).count();
        let hand = with_kongs(&candidate.setup, hidden);
        let p = p * plan.weight * plausibility(&hand, &namings, weights);
        candidates.push(Candidate { p, ..candidate });
        // The remaining namings cannot change the order.
        if left < params.negligible {
            break;
        }
    }
    let rest = left.max(0.0) * plan.weight * params.not_winning;
    WeighedPlan { candidates, rest }
}

/// Creates the candidate that results from one naming for each part of a plan.
fn candidate(tiles: &[SeenTile], plan: &Plan, namings: &[&Naming]) -> Candidate {
    let hand = parts::assemble(plan, namings);
    let faces = namings.iter().flat_map(|naming| naming.faces()).collect();
    let setup = HandSetup { reds: parts::reds(tiles, namings), ..hand.setup };
    Candidate { plan: plan.clone(), faces, setup, broken: hand.broken, p: 0.0 }
}

/// Returns a hand in which every five is a plain one.
fn without_reds(setup: &HandSetup) -> HandSetup {
    HandSetup { reds: Reds::NONE, ..setup.clone() }
}

/// Returns how plausible a hand is by the rules of the game. `setup` includes the kongs that show
/// only backs.
fn plausibility(setup: &HandSetup, namings: &[&Naming], weights: &Weights) -> f32 {
    let copies = setup.all();
    let too_many = Tile::ALL.into_iter().any(|tile| copies.count(tile) > 4);
    if too_many || parts::has_flower_twice(namings) {
        weights.params.impossible
    } else if wins_as(setup, weights.layout.size, &weights.layout.ruleset) {
        1.0
    } else {
        weights.params.not_winning
    }
}

/// Adds kongs of arbitrary unseen tiles to the hand, for those that show only backs.
fn with_kongs(setup: &HandSetup, hidden: usize) -> HandSetup {
    let mut setup = setup.clone();
    let copies = setup.all();
    let unseen = Tile::ALL.into_iter().filter(|&tile| copies.count(tile) == 0).take(hidden);
    setup.melds.extend(unseen.map(|tile| Meld::Kong { tile, kind: KongKind::Concealed }));
    setup
}

/// Iterator over the combinations of one naming for each part, the most probable first (k-best
/// enumeration).
///
/// Namings are sorted, so every assignment is followed only by assignments that pick a later naming
/// in one part. A heap holds the frontier, each assignment as a change of one that was already
/// listed. Only the parts from the last changed one on are advanced, so that each assignment is
/// reached once.
struct Assignments<'a> {
    parts: &'a [Part],
    frontier: BinaryHeap<Successor>,
    /// Picks of the assignments that were listed.
    listed: Vec<Vec<usize>>,
}

/// Combination of one naming for each part.
struct Assignment {
    p: f32,
    /// Index of each part's naming.
    picks: Vec<usize>,
}

/// Assignment on the frontier.
struct Successor {
    p: f32,
    /// Place of the listed assignment that it changes.
    of: usize,
    /// Index of the part that picks its next naming.
    from: usize,
}

impl Assignments<'_> {
    fn new(parts: &[Part]) -> Assignments<'_> {
        Assignments { parts, frontier: BinaryHeap::new(), listed: Vec::new() }
    }

    /// Lists an assignment, and puts those that follow it onto the frontier.
    fn list(&mut self, assignment: Assignment, from: usize) -> Assignment {
        let Assignment { p, picks } = &assignment;
        for (at, part) in self.parts.iter().enumerate().skip(from) {
            let pick = picks[at];
            if let Some(next) = part.namings.get(pick + 1) {
                let p = p / part.namings[pick].p * next.p;
                self.frontier.push(Successor { p, of: self.listed.len(), from: at });
            }
        }
        self.listed.push(picks.clone());
        assignment
    }
}

impl Iterator for Assignments<'_> {
    type Item = Assignment;

    fn next(&mut self) -> Option<Assignment> {
        if self.listed.is_empty() {
            let p = self.parts.iter().map(|part| part.namings[0].p).product();
            let first = Assignment { p, picks: vec![0; self.parts.len()] };
            return Some(self.list(first, 0));
        }
        let Successor { p, of, from } = self.frontier.pop()?;
        let mut picks = self.listed[of].clone();
        picks[from] += 1;
        Some(self.list(Assignment { p, picks }, from))
    }
}

impl PartialEq for Successor {
    fn eq(&self, other: &Successor) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Successor {}

impl PartialOrd for Successor {
    fn partial_cmp(&self, other: &Successor) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Successor {
    fn cmp(&self, other: &Successor) -> Ordering {
        self.p.total_cmp(&other.p)
    }
}

#[cfg(test)]
mod tests {
    use super::parts::WeightedNaming;
    use super::*;

    #[test]
    fn assignments_come_best_first_and_once() {
        let naming = |&p: &f32| WeightedNaming { naming: Naming::Hidden(0), p };
        let part = |ps: &[f32]| Part { namings: ps.iter().map(naming).collect() };
        let parts = [part(&[0.6, 0.3, 0.1]), part(&[0.9, 0.1]), part(&[1.0])];
        let all: Vec<Assignment> = Assignments::new(&parts).collect();
        assert_eq!(all.len(), 6);
        assert!(all.windows(2).all(|pair| pair[0].p >= pair[1].p));
        let mut picks: Vec<_> = all.iter().map(|assignment| assignment.picks.clone()).collect();
        picks.sort();
        picks.dedup();
        assert_eq!(picks.len(), 6);
        assert!((all.iter().map(|assignment| assignment.p).sum::<f32>() - 1.0).abs() < 1e-5);
    }
}
