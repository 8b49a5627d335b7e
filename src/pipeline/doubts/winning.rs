//! The winning tile that nothing sets apart.
//!
//! Any of the concealed tiles may have won. Which one matters for waits, and seldom for more, so
//! each kind is scored; the total that most tiles give is the one that is reported.

use super::super::joint::Candidate;
use super::super::reading::{Alternative, Doubt, DoubtKind};
use super::Judge;
use crate::hand::HandSetup;
use crate::tile::{Face, Tile};

/// The doubt about the winning tile, and the tile that the score supposes.
pub(super) fn unknown(judge: &Judge, best: &Candidate) -> (Option<Doubt>, Option<Tile>) {
    let supposed = likeliest(judge, &best.setup).map(|(tile, _)| tile);
    let all = totals(judge, &best.setup);
    let alternatives: Vec<Alternative> =
        all.iter().map(|&(tile, p, total)| Alternative::new(tile.to_string(), p, total)).collect();
    // Where no tile makes it win, asking for the winning tile would not help.
    let wins = alternatives.iter().any(|answer| answer.total.is_some());
    let affects_score = alternatives.windows(2).any(|pair| pair[0].total != pair[1].total);
    let tiles = best
        .plan
        .concealed
        .iter()
        .copied()
        .filter(|i| best.faces.iter().any(|(at, face)| at == i && matches!(face, Face::Tile(_))))
        .collect();
    let doubt = wins.then(|| Doubt {
        kind: DoubtKind::WinningTile,
        tiles,
        question: "nothing sets the winning tile apart: which tile won?".to_owned(),
        alternatives,
        field: None,
        affects_score,
    });
    (doubt, supposed)
}

/// The winning tile to suppose, and its total: of the total that the most tiles give, the last in
/// reading order (a drawn or claimed tile is laid at the right end); of equally common totals the
/// lower one.
pub(super) fn likeliest(judge: &Judge, setup: &HandSetup) -> Option<(Tile, Option<u32>)> {
    let all = totals(judge, setup);
    let share = |total: Option<u32>| -> f32 {
        all.iter().filter(|(_, _, other)| *other == total).map(|(_, p, _)| p).sum()
    };
    let common = all
        .iter()
        .map(|&(_, _, total)| total)
        .filter(Option::is_some)
        .max_by(|a, b| share(*a).total_cmp(&share(*b)).then(b.cmp(a)))?;
    let last = setup.concealed.iter().rev().copied();
    last.into_iter()
        .find(|tile| all.iter().any(|(other, _, total)| other == tile && *total == common))
        .map(|tile| (tile, common))
}

/// The total for each kind of concealed tile as the winning one, with the share of the tiles that
/// are of this kind.
fn totals(judge: &Judge, setup: &HandSetup) -> Vec<(Tile, f32, Option<u32>)> {
    let mut kinds = setup.concealed.clone();
    kinds.sort();
    kinds.dedup();
    let count = setup.concealed.len() as f32;
    kinds
        .into_iter()
        .map(|tile| {
            let copies = setup.concealed.iter().filter(|&&other| other == tile).count();
            let mut with = setup.clone();
            suppose(&mut with, Some(tile));
            let total = judge.score_of(&with).ok().flatten().map(|score| score.total);
            (tile, copies as f32 / count, total)
        })
        .collect()
}

/// Takes one of the concealed tiles for the winning one.
pub(super) fn suppose(setup: &mut HandSetup, tile: Option<Tile>) {
    let tile = tile.or(setup.concealed.last().copied());
    if let Some(at) = setup.concealed.iter().rposition(|&other| Some(other) == tile) {
        setup.winning = Some(setup.concealed.remove(at));
    }
}
