//! Doubts about more copies of a tile than exist, in hands read from several photos.
//!
//! Each hand may be legal alone but not together with the others. It is not known which of them was
//! misread, so each photo that shows the tile gets a question. Invariant: the first answer is that
//! the tile was read correctly. Every other answer contains the resulting hand, unless the tile is
//! part of a set.

use std::sync::Arc;

use tilesight_core::hand::HandSetup;
use tilesight_core::rules::Profile;
use tilesight_core::tile::Face;

use crate::decide::doubt::{Alternative, Doubt, DoubtKind};
use crate::decide::doubts::{HandScorer, differ, flowers};
use crate::decide::question::Question;
use crate::layout::Role;
use crate::pixels::faces::name;
use crate::reading::Reading;

/// Returns the doubt about a face that occurs `found` times on the table; `None` if this photo does
/// not show it.
pub(super) fn doubt(
    reading: &Reading,
    ruleset: &Arc<Profile>,
    face: Face,
    found: usize,
) -> Option<Doubt> {
    let of_hand = reading.tiles.iter().enumerate().filter(|(_, tile)| tile.role != Role::Ignored);
    let same: Vec<usize> =
        of_hand.filter(|(_, tile)| tile.face == Some(face)).map(|(at, _)| at).collect();
    let scorer = HandScorer::for_complete(ruleset, reading.context, Vec::new(), reading.won);
    // The tile that is least like the face is the likeliest to have another.
    let likeness =
        same.iter().map(|&at| (at, reading.tiles[at].seen.faces.probability(Some(face))));
    let (weakest, _) = likeness.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let alternatives = alternatives(&scorer, reading, weakest, face);
    Some(Doubt {
        kind: DoubtKind::TooManyCopies,
        tiles: same,
        question: Question::TooManyOnTable { face, count: found },
        // If the picture has no other candidate, the score with another face is not known.
        affects_score: alternatives.len() < 2 || differ(&alternatives),
        alternatives,
        field: None,
    })
}

/// Returns the answers: the face that was read, then the other candidates, one at least: it is
/// certain that one of the tiles is another.
fn alternatives(scorer: &HandScorer, reading: &Reading, at: usize, face: Face) -> Vec<Alternative> {
    let tile = &reading.tiles[at];
    let p = tile.seen.faces.probability(Some(face));
    let read = Alternative::new(name(Some(face)), p, scorer.total(&reading.hand));
    let mut others = tile.seen.faces.candidates(0.0);
    others.retain(|(other, _)| *other != Some(face));
    let offered = others.iter().filter(|(_, p)| *p >= scorer.params().doubts.offered).count();
    others.truncate(offered.max(1));
    let others = others.into_iter().map(|(other, p)| {
        match other.and_then(|other| with_another(&reading.hand, tile.role, face, other)) {
            Some(hand) => Alternative::new(name(other), p, scorer.total(&hand)).making(&hand),
            None => Alternative::new(name(other), p, None),
        }
    });
    std::iter::once(read.making(&reading.hand)).chain(others).collect()
}

/// Returns the hand with one tile read as another; `None` for a tile of a set.
fn with_another(hand: &HandSetup, role: Role, from: Face, to: Face) -> Option<HandSetup> {
    let mut hand = hand.clone();
    match (role, from, to) {
        (Role::Flower, Face::Bonus(from), Face::Bonus(to)) => {
            flowers::add_flower(&flowers::remove_flower(&hand, from), to)
        }
        (Role::Winning, Face::Tile(_), Face::Tile(to)) => {
            hand.winning = Some(to);
            Some(hand)
        }
        (Role::Concealed, Face::Tile(from), Face::Tile(to)) => {
            let at = hand.concealed.iter().position(|&tile| tile == from)?;
            hand.concealed[at] = to;
            Some(hand)
        }
        _ => None,
    }
}
