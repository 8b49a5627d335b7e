//! Doubt about a winning tile that is not set apart.
//!
//! Any of the concealed tiles may have won. The winning tile matters for waits and rarely for other
//! fans. Each kind is therefore scored, and the most common total is reported.

use tilesight_core::hand::HandSetup;
use tilesight_core::meld::Meld;
use tilesight_core::tile::{Face, Tile};

use super::super::doubt::{Alternative, Doubt, DoubtKind};
use super::super::joint::Candidate;
use super::super::question::Question;
use super::{HandScorer, differ};

/// Returns the doubt about the winning tile, and the tile that the score supposes.
pub(super) fn doubt_if_unknown(
    scorer: &HandScorer,
    best: &Candidate,
) -> (Option<Doubt>, Option<Tile>) {
    let supposed = likeliest(scorer, &best.setup).map(|(tile, _)| tile);
    let all = totals(scorer, &best.setup);
    let mut alternatives: Vec<Alternative> = all
        .iter()
        .map(|&(tile, p, total)| {
            let mut hand = best.setup.clone();
            suppose(&mut hand, Some(tile));
            Alternative::new(tile.to_string(), p * (1.0 - scorer.params.doubts.won_in_set), total)
                .making(&hand)
        })
        .collect();
    // If the hand does not win with any tile, asking for the winning tile does not help.
    let wins = alternatives.iter().any(|answer| answer.total.is_some());
    let affects_score = differ(&alternatives);
    if affects_score {
        alternatives.extend(in_sets(scorer, &best.setup));
    }
    let tiles = best
        .plan
        .concealed
        .iter()
        .copied()
        .filter(|i| best.faces.iter().any(|(at, face)| at == i && matches!(face, Face::Tile(_))))
        .collect();
    let doubt = wins.then_some(Doubt {
        kind: DoubtKind::WinningTile,
        tiles,
        question: Question::NoWinningTile,
        alternatives,
        field: None,
        affects_score,
    });
    (doubt, supposed)
}

/// Returns as answers the turned tiles of sets that the last discard may have completed; until then
/// these sets were concealed. A winning tile never completes a kong. These answers are only offered
/// if the winning tile is asked for anyway.
fn in_sets(scorer: &HandScorer, setup: &HandSetup) -> Vec<Alternative> {
    let sets = setup.melds.iter().enumerate().filter_map(|(at, &meld)| {
        let is_set = matches!(meld, Meld::Chow(_) | Meld::Pung { .. });
        meld.claimed_tile().filter(|_| is_set).map(|tile| (at, meld, tile))
    });
    let mut won: Vec<Alternative> = sets
        .map(|(at, meld, tile)| {
            let mut hand = setup.clone();
            hand.melds.remove(at);
            hand.concealed.extend(meld.tiles());
            suppose(&mut hand, Some(tile));
            let total = scorer.points_of(&hand);
            let set: String = meld.tiles().map(|tile| tile.to_string()).collect();
            Alternative::new(format!("{tile} of {set}"), 0.0, total).making(&hand)
        })
        .filter(|answer| answer.total.is_some())
        .collect();
    let count = won.len() as f32;
    won.iter_mut().for_each(|answer| answer.p = scorer.params.doubts.won_in_set / count);
    won
}

/// Returns the winning tile to suppose, and its total. The total is the one that most tiles give,
/// the lower one of equally common totals. The tile is the last in reading order with this total,
/// because a drawn or claimed tile is laid at the right end.
pub(super) fn likeliest(scorer: &HandScorer, setup: &HandSetup) -> Option<(Tile, Option<u32>)> {
    let all = totals(scorer, setup);
    let common = all
        .iter()
        .map(|&(_, _, total)| total)
        .filter(Option::is_some)
        .max_by(|a, b| share(&all, *a).total_cmp(&share(&all, *b)).then(b.cmp(a)))?;
    let last = setup.concealed.iter().rev().copied();
    last.into_iter()
        .find(|tile| all.iter().any(|(other, _, total)| other == tile && *total == common))
        .map(|tile| (tile, common))
}

/// Returns the probability that the hand has this total.
fn share(all: &[(Tile, f32, Option<u32>)], total: Option<u32>) -> f32 {
    all.iter().filter(|(_, _, other)| *other == total).map(|(_, p, _)| p).sum()
}

/// Returns the total for each kind of concealed tile as the winning one, with the share of the
/// tiles that are of this kind.
fn totals(scorer: &HandScorer, setup: &HandSetup) -> Vec<(Tile, f32, Option<u32>)> {
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
            (tile, copies as f32 / count, scorer.points_of(&with))
        })
        .collect()
}

/// Makes one of the concealed tiles the winning tile.
pub(super) fn suppose(setup: &mut HandSetup, tile: Option<Tile>) {
    let tile = tile.or(setup.concealed.last().copied());
    if let Some(won) = tile.and_then(|tile| setup.won_by(tile)) {
        *setup = won;
    }
}
