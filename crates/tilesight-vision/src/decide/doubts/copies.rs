//! Doubts about more copies of a tile than exist: five of a kind, or a flower twice.

use tilesight_core::hand::HandSetup;
use tilesight_core::tile::Face;

use super::super::doubt::{Alternative, Doubt, DoubtKind};
use super::super::joint::Candidate;
use super::super::question::Question;
use super::HandScorer;
use crate::pixels::faces::name;
use crate::pixels::seen_tile::SeenTile;

/// Returns a doubt for every face that occurs too often.
pub(super) fn doubts(scorer: &HandScorer, tiles: &[SeenTile], best: &Candidate) -> Vec<Doubt> {
    let mut faces: Vec<Face> = best.faces.iter().map(|&(_, face)| face).collect();
    faces.sort();
    faces.dedup();
    faces.into_iter().filter_map(|face| doubt(scorer, tiles, best, face)).collect()
}

fn doubt(scorer: &HandScorer, tiles: &[SeenTile], best: &Candidate, face: Face) -> Option<Doubt> {
    let max = match face {
        Face::Tile(_) => 4,
        Face::Bonus(_) => 1,
        Face::Back => return None,
    };
    let same: Vec<usize> =
        best.faces.iter().filter(|(_, other)| *other == face).map(|&(i, _)| i).collect();
    if same.len() <= max {
        return None;
    }
    // The tile that is least like the face is the likeliest to have another.
    let weakest = *same.iter().min_by(|&&a, &&b| {
        tiles[a].faces.probability(Some(face)).total_cmp(&tiles[b].faces.probability(Some(face)))
    })?;
    let alternatives: Vec<Alternative> = tiles[weakest]
        .faces
        .candidates(scorer.params.doubts.offered)
        .into_iter()
        .filter(|(other, _)| *other != Some(face))
        .map(|(other, p)| match read_as(best, face, other) {
            Some(hand) => Alternative::new(name(other), p, scorer.total(&hand)).making(&hand),
            None => Alternative::new(name(other), p, None),
        })
        .collect();
    let count = same.len();
    Some(Doubt {
        kind: DoubtKind::TooManyCopies,
        tiles: same,
        question: Question::TooManyCopies { face, count },
        // More than four of a kind cannot be scored without an answer. A flower counts the same
        // whatever its name, but a tile that is not a flower counts differently.
        affects_score: matches!(face, Face::Tile(_)) || !all_flowers(&alternatives),
        alternatives,
        field: None,
    })
}

fn all_flowers(alternatives: &[Alternative]) -> bool {
    alternatives.iter().all(|other| matches!(other.answer.parse(), Ok(Face::Bonus(_))))
}

/// Returns the hand with one of its concealed tiles read as another.
fn read_as(best: &Candidate, face: Face, other: Option<Face>) -> Option<HandSetup> {
    let from = face.tile()?;
    let to = other?.tile()?;
    let mut setup = best.setup.clone();
    let at = setup.concealed.iter().position(|&tile| tile == from)?;
    setup.concealed[at] = to;
    Some(setup)
}
