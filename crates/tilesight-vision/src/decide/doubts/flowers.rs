//! Doubts about flowers that may be the winner's or another player's.

use tilesight_core::hand::{Flowers, HandSetup};
use tilesight_core::tile::{Bonus, Face};

use super::super::doubt::{Doubt, DoubtKind};
use super::super::joint::{Candidate, Decision};
use super::super::question::Question;
use super::{HandScorer, differ};
use crate::pixels::seen_tile::SeenTile;

/// Returns a doubt for every flower whose owner is uncertain. The answers do not affect the winning
/// tile.
pub(super) fn doubts(scorer: &HandScorer, tiles: &[SeenTile], decision: &Decision) -> Vec<Doubt> {
    let Some(best) = &decision.best else { return Vec::new() };
    let open = decision.doubtful_flowers.iter().zip(&decision.doubtful_flower_p);
    let gaps = decision.flower_gaps.iter();
    open.filter_map(|(&i, &own)| owner_doubt(scorer, best, (i, &tiles[i]), own))
        .chain(gaps.filter_map(|&(a, b)| gap_doubt(scorer, a, b, &best.setup)))
        .collect()
}

/// Returns the doubt whether a flower is the hand's, which it is with the probability `own`.
fn owner_doubt(
    scorer: &HandScorer,
    best: &Candidate,
    (i, tile): (usize, &SeenTile),
    own: f32,
) -> Option<Doubt> {
    let setup = &best.setup;
    let named = face_of(best, i);
    let flower = named.and_then(Face::bonus).or_else(|| likeliest(tile))?;
    let answers = if named.is_some() {
        [("yes", setup.clone(), own), ("no", remove_flower(setup, flower), 1.0 - own)]
    } else {
        [("no", setup.clone(), 1.0 - own), ("yes", add_flower(setup, flower)?, own)]
    };
    let alternatives =
        scorer.alternatives(answers.iter().map(|(answer, setup, p)| (*answer, setup, *p)));
    Some(Doubt {
        kind: DoubtKind::Flower,
        tiles: vec![i],
        question: Question::Flower { flower },
        affects_score: differ(&alternatives),
        alternatives,
        field: None,
    })
}

/// Returns doubts about the flowers of a hand under rules without flowers: each may be a misread
/// tile or not belong to the hand.
pub(super) fn doubts_if_not_played(scorer: &HandScorer, best: &Candidate) -> Vec<Doubt> {
    let flowers = best.plan.flowers.iter();
    let named = flowers.filter_map(|&i| Some((i, face_of(best, i)?.bonus()?)));
    named.map(|(i, flower)| not_played(scorer, best, i, flower)).collect()
}

/// Returns the doubt about a flower that the rules do not know.
fn not_played(scorer: &HandScorer, best: &Candidate, i: usize, flower: Bonus) -> Doubt {
    let right = scorer.params.doubts.flower_right;
    let without = remove_flower(&best.setup, flower);
    let answers = [("yes", &best.setup, right), ("no", &without, 1.0 - right)];
    Doubt {
        kind: DoubtKind::Flower,
        tiles: vec![i],
        question: Question::FlowerNotPlayed { flower },
        alternatives: scorer.alternatives(answers),
        field: None,
        affects_score: true,
    }
}

/// Returns the face that a tile of the hand was read as.
pub(super) fn face_of(best: &Candidate, i: usize) -> Option<Face> {
    best.faces.iter().find(|(tile, _)| *tile == i).map(|&(_, face)| face)
}

/// Returns the flower that a tile is most like.
fn likeliest(tile: &SeenTile) -> Option<Bonus> {
    tile.faces.candidates(0.0).into_iter().find_map(|(face, _)| face?.bonus())
}

/// Returns the doubt about a gap in a row of flowers where an undetected one may lie.
fn gap_doubt(scorer: &HandScorer, a: usize, b: usize, setup: &HandSetup) -> Option<Doubt> {
    let flowers = setup.flowers.with_unnamed(setup.flowers.unnamed_count() + 1).ok()?;
    let more = HandSetup { flowers, ..setup.clone() };
    let p = scorer.params.doubts.undecided;
    let alternatives = scorer.alternatives([("no", setup, 1.0 - p), ("yes", &more, p)]);
    Some(Doubt {
        kind: DoubtKind::Flower,
        tiles: vec![a, b],
        question: Question::FlowerGap,
        affects_score: differ(&alternatives),
        alternatives,
        field: None,
    })
}

/// Returns the hand with one flower less: this one, or if the hand does not have it by name, one
/// without a name.
pub(crate) fn remove_flower(setup: &HandSetup, flower: Bonus) -> HandSetup {
    let flowers = setup.flowers;
    let unnamed = flowers.unnamed_count();
    let named: Vec<Bonus> = flowers.iter().filter(|&other| other != flower).collect();
    let fewer =
        if named.len() < flowers.iter().count() { unnamed } else { unnamed.saturating_sub(1) };
    let flowers = named.into_iter().fold(Flowers::NONE, |sum, one| sum.with(one).unwrap_or(sum));
    HandSetup { flowers: flowers.with_unnamed(fewer).unwrap_or(flowers), ..setup.clone() }
}

/// Returns the hand with one flower more; `None` when it has all eight.
pub(crate) fn add_flower(setup: &HandSetup, flower: Bonus) -> Option<HandSetup> {
    let flowers = setup.flowers;
    let more = flowers.with(flower).or_else(|_| flowers.with_unnamed(flowers.unnamed_count() + 1));
    Some(HandSetup { flowers: more.ok()?, ..setup.clone() })
}
