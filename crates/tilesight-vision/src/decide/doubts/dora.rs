//! Doubts about dora: the indicator on a wall, and fives that may be red.
//!
//! Input: the hand as it is scored, and every tile that was seen. Output: a doubt about the tiles
//! that lie face up in a wall, if the rules have dora and no indicators were given, and one about
//! each five whose print may be red, if the total depends on it. Invariants: an indicator counts
//! only once a person confirms it; the score of a reading never uses it; no answer makes more red
//! fives than a set has.

use tilesight_core::context::{Context, ContextField, Indicators};
use tilesight_core::hand::{HandSetup, Reds};
use tilesight_core::tile::{PrintedTile, Tile};

use super::super::doubt::{Alternative, Doubt, DoubtKind};
use super::super::joint::{Candidate, Decision, surplus_reds};
use super::super::question::Question;
use super::{HandScorer, differ};
use crate::layout::Role;
use crate::pixels::seen_tile::SeenTile;

/// Answer to the doubt about indicators: the tiles on the wall do not count.
pub(crate) const NO_INDICATORS: &str = "none";

/// Returns the doubt whether the tiles on a wall are the indicators; `setup` is the hand as it is
/// scored. Indicators that contradict the hand are not offered.
pub(super) fn indicators(
    scorer: &HandScorer,
    tiles: &[SeenTile],
    decision: &Decision,
    setup: &HandSetup,
) -> Option<Doubt> {
    if !scorer.assumed.contains(&ContextField::DoraIndicators) {
        return None;
    }
    let shown: Vec<Tile> =
        decision.indicators.iter().filter_map(|&i| tiles[i].faces.best()?.tile()).collect();
    let found = shown.iter().try_fold(Indicators::NONE, |all, &tile| all.with(tile)).ok()?;
    if found.is_empty() {
        return None;
    }
    let right = scorer.params.indicators.right;
    let total = scorer.with_indicators(found).points_of(setup);
    let total_without = scorer.with_indicators(Indicators::NONE).points_of(setup);
    let alternatives = vec![
        Alternative::new(found.to_string(), right, total),
        Alternative::new(NO_INDICATORS, 1.0 - right, total_without),
    ];
    alternatives[0].total?;
    Some(Doubt {
        kind: DoubtKind::Indicator,
        tiles: decision.indicators.clone(),
        question: Question::Indicator { tiles: shown },
        affects_score: differ(&alternatives),
        alternatives,
        field: Some(ContextField::DoraIndicators),
    })
}

/// Returns a doubt for each five of the hand that may be red. One that looks red beside as many as
/// a set has is a plain one in the hand, so that there is nothing to take back.
pub(super) fn red_fives(scorer: &HandScorer, tiles: &[SeenTile], best: &Candidate) -> Vec<Doubt> {
    let surplus = surplus_reds(tiles, best.faces.iter().copied());
    let limit = scorer.params.indicators.doubtful_red;
    let doubtful = limit..=1.0 - limit;
    best.faces
        .iter()
        .filter_map(|&(i, face)| Some((i, face.tile()?)))
        .filter(|&(i, tile)| doubtful.contains(&tiles[i].red_probability(tile)))
        .filter(|(i, _)| !surplus.contains(i))
        .filter_map(|(i, tile)| red_five(scorer, &tiles[i], best, (i, tile)))
        .collect()
}

fn red_five(
    scorer: &HandScorer,
    seen: &SeenTile,
    best: &Candidate,
    (i, tile): (usize, Tile),
) -> Option<Doubt> {
    let read = seen.printed(tile);
    let other = PrintedTile { red: !read.red, ..read };
    let red = seen.red_probability(tile);
    let p = if read.red { red } else { 1.0 - red };
    let changed = HandSetup {
        reds: exchanged(best.setup.reds, best.plan.role(i), read, other),
        ..best.setup.clone()
    };
    let as_read = read.to_string();
    let as_other = other.to_string();
    let answers = [(as_read.as_str(), &best.setup, p), (as_other.as_str(), &changed, 1.0 - p)];
    let alternatives = scorer.alternatives(answers);
    let makes_too_many = alternatives[0].total.is_some() && alternatives[1].total.is_none();
    (differ(&alternatives) && !makes_too_many).then(|| Doubt {
        kind: DoubtKind::Tile,
        tiles: vec![i],
        question: Question::RedFive { tile },
        alternatives,
        field: None,
        affects_score: true,
    })
}

/// Returns the red fives of a hand in which one five has another print.
fn exchanged(reds: Reds, role: Role, was: PrintedTile, is: PrintedTile) -> Reds {
    reds.moved(reds_of(role, was), reds_of(role, is))
}

/// Returns the red fives of a hand of which only one tile is known.
fn reds_of(role: Role, tile: PrintedTile) -> Reds {
    match role {
        Role::Winning => Reds::new(&[], Some(tile), &[]),
        Role::Meld => Reds::new(&[], None, &[tile]),
        _ => Reds::new(&[tile], None, &[]),
    }
}

impl HandScorer {
    /// Returns this scorer with other indicators.
    pub(crate) fn with_indicators(&self, indicators: Indicators) -> HandScorer {
        let context = Context { dora_indicators: indicators, ..self.context };
        HandScorer { context, ..self.clone() }
    }
}
