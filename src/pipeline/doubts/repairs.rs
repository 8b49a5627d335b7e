//! Which one tile would have to be another for the hand to win.
//!
//! A hand that is complete and does not win has most often one tile named wrongly. Every exchange of one tile that
//! makes it win is found, and asked about where the picture allows it most.

use super::super::classify::{SeenTile, name};
use super::super::doubt::{Alternative, Doubt, DoubtKind};
use super::super::joint::Candidate;
use super::super::wins::wins;
use super::Judge;
use crate::hand::{HandFault, HandSetup};
use crate::rules::RulesetId;
use crate::tile::{Face, Tile};

/// Tiles that are asked about; more, and the question whether the photo shows a winning hand at all is the better one.
const MOST: usize = 3;

/// What an answer counts at the least: the classifier was wrong before.
const LEAST: f32 = 1e-4;

/// A tile that would make the hand win in place of another, the picture's probability for it, and that hand.
type Answer = (Tile, f32, HandSetup);

/// One doubt for each tile that may be the wrong one, the likeliest first.
pub(super) fn doubts(judge: &Judge, tiles: &[SeenTile], best: &Candidate) -> Vec<Doubt> {
    let is_complete = best.setup.faults().iter().all(|fault| *fault == HandFault::NoWinningTile);
    if !is_complete || wins(&best.setup, judge.ruleset) {
        return Vec::new();
    }
    let mut found: Vec<(usize, Tile, Vec<Answer>)> = best
        .faces
        .iter()
        .filter_map(|&(i, face)| {
            Some((i, face.tile()?, answers(tiles, best, i, face.tile()?, judge.ruleset)))
        })
        .filter(|(.., answers)| !answers.is_empty())
        .collect();
    let likeliest = |answers: &[Answer]| answers.first().map_or(0.0, |first| first.1);
    found.sort_by(|a, b| likeliest(&b.2).total_cmp(&likeliest(&a.2)));
    found.truncate(MOST);
    found.into_iter().map(|(i, face, answers)| doubt(judge, tiles, i, face, answers)).collect()
}

/// The tiles that would make the hand win in place of one, with the picture's probability for each.
fn answers(
    tiles: &[SeenTile],
    best: &Candidate,
    i: usize,
    from: Tile,
    ruleset: RulesetId,
) -> Vec<Answer> {
    let copies = best.setup.all();
    let mut answers: Vec<_> = Tile::ALL
        .into_iter()
        .filter(|&to| to != from && copies.of(to) < 4)
        .filter_map(|to| Some((to, exchanged(best, i, from, to)?)))
        .filter(|(_, setup)| wins(setup, ruleset))
        .map(|(to, setup)| (to, tiles[i].faces.of(Some(Face::Tile(to))).max(LEAST), setup))
        .collect();
    answers.sort_by(|a, b| b.1.total_cmp(&a.1));
    answers
}

/// The hand with one concealed or winning tile exchanged; `None` for a tile of a set.
fn exchanged(best: &Candidate, i: usize, from: Tile, to: Tile) -> Option<HandSetup> {
    let mut setup = best.setup.clone();
    if best.plan.winning == Some(i) {
        setup.winning = Some(to);
    } else if best.plan.concealed.contains(&i) {
        let at = setup.concealed.iter().position(|&tile| tile == from)?;
        setup.concealed[at] = to;
    } else {
        return None;
    }
    Some(setup)
}

fn doubt(judge: &Judge, tiles: &[SeenTile], i: usize, face: Tile, answers: Vec<Answer>) -> Doubt {
    let seen = tiles[i].faces.of(Some(Face::Tile(face))).max(LEAST);
    let sum: f32 = seen + answers.iter().map(|(_, p, _)| p).sum::<f32>();
    let as_read = Alternative::new(name(Some(Face::Tile(face))), seen / sum, None);
    let others = answers.into_iter().map(|(to, p, setup)| {
        Alternative::new(to.to_string(), p / sum, judge.total(&setup)).making(&setup)
    });
    Doubt {
        kind: DoubtKind::Tile,
        tiles: vec![i],
        question: format!("this is no winning hand with {face} here: is this tile another?"),
        alternatives: std::iter::once(as_read).chain(others).collect(),
        field: None,
        affects_score: true,
    }
}
