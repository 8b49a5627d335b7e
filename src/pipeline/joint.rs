//! Chooses the hand: the names of all tiles and the reading of the layout together.
//!
//! Input: the seen tiles with their probabilities and the [`Layout`]'s plans. Output: a
//! [`Decision`]: the most probable hand and its rivals. For every plan the most probable
//! combinations of faces are listed best first, and each is weighed by what limits a hand: four of
//! each kind, each flower once, sets that are sets, and a winning hand being likely. Invariant: a
//! face comes from the classifier's own candidates, and a tile named with confidence keeps its
//! name, whatever the hand would gain.

mod units;

use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap};

use serde::Serialize;

use super::classify::SeenTile;
use super::layout::{Layout, Plan};
use super::wins::wins;
use crate::hand::HandSetup;
use crate::meld::{KongKind, Meld};
use crate::rules::RulesetId;
use crate::tile::{Face, Tile};
use units::{Choice, Unit};

/// The hand as it was decided.
#[derive(Debug, Clone, Serialize)]
pub struct Decision {
    /// The most probable reading; `None` when there is no hand at all.
    pub best: Option<Candidate>,
    /// Other readings, the most probable first.
    pub rivals: Vec<Candidate>,
    /// Flowers of which the layout doubts whose they are.
    pub doubtful_flowers: Vec<usize>,
    /// Tiles that the layout left out, though the hand could win with them as well.
    pub doubtful_tiles: Vec<usize>,
    /// Tiles that lie across the others of their row.
    pub sideways: Vec<usize>,
    /// Neighbours in a row of flowers with room for one more.
    pub flower_gaps: Vec<(usize, usize)>,
}

impl Decision {
    /// The same of a hand that has not won: what lies apart like a winning tile is a tile of the hand, and readings that
    /// differed in nothing else are one.
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

    /// The probability that the best reading's tiles are right, summed over all that part the same
    /// tiles in other ways.
    #[must_use]
    pub fn tiles_probability(&self) -> f32 {
        let tiles = |candidate: &Candidate| {
            let mut codes: Vec<String> =
                candidate.faces.iter().map(|(_, face)| face.to_string()).collect();
            codes.sort_unstable();
            codes
        };
        let Some(best) = &self.best else { return 0.0 };
        let same = tiles(best);
        best.p + self.rivals.iter().filter(|other| tiles(other) == same).map(|c| c.p).sum::<f32>()
    }
}

/// One way to read the whole hand.
#[derive(Debug, Clone, Serialize)]
pub struct Candidate {
    /// The reading of the layout.
    pub plan: Plan,
    /// The faces of the plan's tiles.
    pub faces: Vec<(usize, Face)>,
    /// The hand that this makes.
    #[serde(skip)]
    pub setup: HandSetup,
    /// Melds whose tiles form no set, as indices into the plan's melds: their tiles count as
    /// concealed ones.
    pub broken: Vec<usize>,
    /// The probability of this hand against all others that were weighed.
    pub p: f32,
}

impl Candidate {
    fn not_won(mut self) -> Candidate {
        self.plan.concealed.extend(self.plan.winning.take());
        self.setup.concealed.extend(self.setup.winning.take());
        self.setup.concealed.sort_unstable();
        self
    }

    /// Whether the same tiles lie in the same sets.
    fn is_same_hand(&self, other: &Candidate) -> bool {
        self.setup == other.setup
    }
}

/// A combination of faces that is no hand at all, more than four of a kind or a flower twice, is
/// this much less probable than one that is possible. Not zero: when nothing else is left, the
/// tiles are reported as they were seen, with a doubt.
const IMPOSSIBLE: f32 = 1e-6;

/// A complete hand that does not win is this much less probable than one that does. Photos of
/// hands are nearly always photos of winning hands, but not always: strong evidence must win.
const NOT_WINNING: f32 = 0.03;

/// What is this much less probable than the best hand so far changes no answer and no question: rivals are asked about from
/// a twentieth on.
const NEGLIGIBLE: f32 = 1e-4;

/// Combinations of faces that are weighed for one plan.
const MOST_COMBINATIONS: usize = 160;

/// Chooses the most probable hand.
#[must_use]
pub fn decide(tiles: &[SeenTile], layout: &Layout) -> Decision {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut known: HashMap<HandSetup, usize> = HashMap::new();
    let (mut rest, mut best) = (0.0, 0.0);
    for plan in &layout.plans {
        let (weighed, unseen) = weigh(tiles, plan, best * NEGLIGIBLE, layout.ruleset);
        rest += unseen;
        for candidate in weighed {
            best = f32::max(best, candidate.p);
            // Different plans can make the same hand: it is then as probable as both.
            match known.entry(candidate.setup.clone()) {
                Entry::Occupied(at) => {
                    let other = &mut candidates[*at.get()];
                    if other.p >= candidate.p {
                        other.p += candidate.p;
                    } else {
                        *other = Candidate { p: candidate.p + other.p, ..candidate };
                    }
                }
                Entry::Vacant(at) => {
                    at.insert(candidates.len());
                    candidates.push(candidate);
                }
            }
        }
    }
    let sum = candidates.iter().map(|candidate| candidate.p).sum::<f32>() + rest;
    for candidate in &mut candidates {
        candidate.p /= sum.max(f32::MIN_POSITIVE);
    }
    candidates.sort_by(|a, b| b.p.total_cmp(&a.p));
    let mut candidates = candidates.into_iter();
    Decision {
        best: candidates.next(),
        rivals: candidates.collect(),
        doubtful_flowers: layout.doubtful_flowers.clone(),
        doubtful_tiles: layout.doubtful_tiles.clone(),
        sideways: (0..tiles.len()).filter(|&i| layout.sideways[i]).collect(),
        flower_gaps: layout.flower_gaps.clone(),
    }
}

/// The most probable hands of one plan, with unnormalised probabilities, and the probability of
/// all combinations that were not weighed.
///
/// Combinations less probable than `floor`, and all after them, are not weighed.
fn weigh(tiles: &[SeenTile], plan: &Plan, floor: f32, ruleset: RulesetId) -> (Vec<Candidate>, f32) {
    let units = units::units_of(tiles, plan);
    let mut left: f32 = 1.0;
    let mut candidates = Vec::new();
    for (p, picks) in Combinations::of(&units).take(MOST_COMBINATIONS) {
        if p * plan.weight < floor {
            break;
        }
        left -= p;
        let choices: Vec<&Choice> =
            units.iter().zip(&picks).map(|(unit, &pick)| &unit.choices[pick].0).collect();
        let (setup, broken) = units::assemble(plan, &choices);
        let faces = choices.iter().flat_map(|choice| choice.faces()).collect();
        let hidden = choices.iter().filter(|choice| choice.is_hidden_kong()).count();
        let p = p * plan.weight * plausibility(&with_kongs(&setup, hidden), &choices, ruleset);
        candidates.push(Candidate { plan: plan.clone(), faces, setup, broken, p });
        // What is left could no longer change the order.
        if left < 1e-4 {
            break;
        }
    }
    (candidates, left.max(0.0) * plan.weight * NOT_WINNING)
}

/// How plausible a hand is by the rules of the game, kongs that show nothing but backs among it.
fn plausibility(setup: &HandSetup, choices: &[&Choice], ruleset: RulesetId) -> f32 {
    let copies = setup.all();
    let too_many = Tile::ALL.into_iter().any(|tile| copies.of(tile) > 4);
    if too_many || units::has_flower_twice(choices) {
        IMPOSSIBLE
    } else if wins(setup, ruleset) {
        1.0
    } else {
        NOT_WINNING
    }
}

/// The hand with kongs of tiles that are not in it, for those that nobody can see.
fn with_kongs(setup: &HandSetup, hidden: usize) -> HandSetup {
    let mut setup = setup.clone();
    let copies = setup.all();
    let unseen = Tile::ALL.into_iter().filter(|&tile| copies.of(tile) == 0).take(hidden);
    setup.melds.extend(unseen.map(|tile| Meld::Kong { tile, kind: KongKind::Concealed }));
    setup
}

/// The combinations of one choice from each unit, the most probable first.
///
/// Choices are sorted, so every combination is followed only by ones that pick a later choice at
/// one place; a heap holds the frontier (the usual k-best enumeration). To reach each combination
/// once, only the places from the last changed one on are advanced.
struct Combinations<'a> {
    units: &'a [Unit],
    frontier: BinaryHeap<Ranked>,
}

struct Ranked {
    p: f32,
    picks: Vec<usize>,
    from: usize,
}

impl Combinations<'_> {
    fn of(units: &[Unit]) -> Combinations<'_> {
        let p = units.iter().map(|unit| unit.choices[0].1).product();
        let first = Ranked { p, picks: vec![0; units.len()], from: 0 };
        Combinations { units, frontier: BinaryHeap::from([first]) }
    }
}

impl Iterator for Combinations<'_> {
    type Item = (f32, Vec<usize>);

    fn next(&mut self) -> Option<(f32, Vec<usize>)> {
        let entry = self.frontier.pop()?;
        for at in entry.from..self.units.len() {
            let choices = &self.units[at].choices;
            let pick = entry.picks[at];
            if let Some(next) = choices.get(pick + 1) {
                let mut picks = entry.picks.clone();
                picks[at] = pick + 1;
                let p = entry.p / choices[pick].1 * next.1;
                self.frontier.push(Ranked { p, picks, from: at });
            }
        }
        Some((entry.p, entry.picks))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        self.p.total_cmp(&other.p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_come_best_first_and_once() {
        let unit =
            |ps: &[f32]| Unit { choices: ps.iter().map(|&p| (Choice::Hidden(0), p)).collect() };
        let units = [unit(&[0.6, 0.3, 0.1]), unit(&[0.9, 0.1]), unit(&[1.0])];
        let all: Vec<_> = Combinations::of(&units).collect();
        assert_eq!(all.len(), 6);
        assert!(all.windows(2).all(|pair| pair[0].0 >= pair[1].0));
        let mut picks: Vec<_> = all.iter().map(|(_, picks)| picks.clone()).collect();
        picks.sort();
        picks.dedup();
        assert_eq!(picks.len(), 6);
        assert!((all.iter().map(|(p, _)| p).sum::<f32>() - 1.0).abs() < 1e-5);
    }
}
