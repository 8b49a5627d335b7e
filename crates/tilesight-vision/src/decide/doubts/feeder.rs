//! Doubt about who fed the last of the sets that make their feeder pay.
//!
//! Turned tiles show who fed each set, not which set was last. The doubt arises only if the score
//! depends on it, because different players would pay.

use tilesight_core::context::{Context, ContextField, Feeder};
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::Score;

use super::super::doubt::{Alternative, Doubt, DoubtKind};
use super::super::joint::Candidate;
use super::super::question::Question;
use super::HandScorer;

/// Returns the doubt, if a feeder had to be supposed for the score; `setup` is the hand as it is
/// scored.
pub(super) fn doubt(
    scorer: &HandScorer,
    best: &Candidate,
    setup: &HandSetup,
    score: Option<&Score>,
) -> Option<Doubt> {
    let supposed = score?.assumed_feeder?;
    let others = Feeder::ALL.into_iter().filter(|&feeder| feeder != supposed);
    let scored: Vec<(Feeder, Score)> = std::iter::once(supposed)
        .chain(others)
        .filter_map(|feeder| Some((feeder, fed_by(scorer, setup, feeder)?)))
        .collect();
    // The table does not distinguish the feeders.
    let p = 1.0 / scored.len().max(1) as f32;
    let alternatives = scored.into_iter().map(|(feeder, score)| Alternative {
        payments: Some(score.payments),
        ..Alternative::new(feeder.name(), p, Some(score.total))
    });
    Some(Doubt {
        kind: DoubtKind::Feeder,
        tiles: called_honors(best),
        question: Question::Feeder,
        alternatives: alternatives.collect(),
        field: Some(ContextField::Feeder),
        affects_score: true,
    })
}

/// Returns the score if a player fed the last set; `None` if the table shows otherwise.
fn fed_by(scorer: &HandScorer, setup: &HandSetup, feeder: Feeder) -> Option<Score> {
    let context = Context { feeder: Some(feeder), ..scorer.context };
    HandScorer { context, ..scorer.clone() }.score_of(setup).ok().flatten()
}

/// Returns the winds and dragons that lie apart.
fn called_honors(best: &Candidate) -> Vec<usize> {
    let apart = best.plan.melds.iter().flat_map(|meld| meld.tiles.iter().copied());
    apart.filter(|&i| is_honor(best, i)).collect()
}

/// Returns whether a tile was read as a wind or a dragon.
fn is_honor(best: &Candidate, i: usize) -> bool {
    let mut faces = best.faces.iter().filter(|(tile, _)| *tile == i);
    faces.any(|(_, face)| face.tile().is_some_and(|tile| tile.is_honor()))
}
