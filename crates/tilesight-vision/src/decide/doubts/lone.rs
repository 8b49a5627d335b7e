//! Doubt about a winning tile that lies alone and has no sure name.
//!
//! Input: the name that the hand gives the tile, and those that its picture alone suggests. Output:
//! a doubt whose answers are the names, and that it is no tile of the hand. All hands that were
//! weighed give the same name to a thing that completes them, even if it has a third of that tile's
//! likeness: a win does not tell that the thing is a tile. In a row its neighbours tell.

use tilesight_core::hand::HandSetup;
use tilesight_core::tile::{Face, Tile};

use super::super::doubt::{Alternative, Doubt, DoubtKind};
use super::super::joint::Decision;
use super::super::question::Question;
use super::{HandScorer, differ};
use crate::pixels::faces::name;
use crate::pixels::seen_tile::SeenTile;

/// Returns the doubt about a tile, if it lies alone, wins, and its own picture leaves its name
/// open.
pub(super) fn doubt(
    scorer: &HandScorer,
    tiles: &[SeenTile],
    decision: &Decision,
    i: usize,
    face: Face,
) -> Option<Doubt> {
    let best = decision.best.as_ref()?;
    if best.plan.winning != Some(i) || !decision.alone.contains(&i) {
        return None;
    }
    let own = &tiles[i].faces;
    let min_p = scorer.params.doubts.doubtful_face;
    if own.probability(Some(face)) >= 1.0 - min_p {
        return None;
    }
    let others = own.candidates(min_p).into_iter().filter_map(|(other, p)| {
        let tile = other.filter(|&other| other != face)?.tile()?;
        Some((Some(tile), p))
    });
    let mut alternatives =
        vec![answer(scorer, &best.setup, face.tile(), own.probability(Some(face)))];
    alternatives.extend(others.map(|(tile, p)| answer(scorer, &best.setup, tile, p)));
    alternatives.push(answer(scorer, &best.setup, None, own.probability(None)));
    differ(&alternatives).then(|| Doubt {
        kind: DoubtKind::Tile,
        tiles: vec![i],
        question: Question::Face { face },
        alternatives,
        field: None,
        affects_score: true,
    })
}

/// Returns the answer that the hand is won by a tile, or that the thing is no tile of it.
fn answer(scorer: &HandScorer, setup: &HandSetup, tile: Option<Tile>, p: f32) -> Alternative {
    let hand = HandSetup { winning: tile, ..setup.clone() };
    Alternative::new(name(tile.map(Face::Tile)), p, scorer.total(&hand)).making(&hand)
}
