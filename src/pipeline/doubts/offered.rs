//! A tile that was seen, left out, and would complete the hand: is it the winner's?
//!
//! Input: a hand that does not win, and every tile that was seen. Output: a doubt for each tile beside the hand with which it
//! would win, the nearest first, its answers with their totals. Invariant: only what the photo shows is offered, and
//! one tile of a kind: three discards of it are one question.

use super::super::classify::SeenTile;
use super::super::doubt::{Doubt, DoubtKind};
use super::super::joint::Candidate;
use super::super::wins::wins;
use super::Judge;
use crate::hand::HandSetup;
use crate::tile::Tile;

/// Tiles that are offered; where more would complete the hand, a person sees sooner which is missing than by answering.
const MOST: usize = 3;

/// How probable it is that the nearest tile that completes a hand is its own. Chosen, not measured: a winner laid far off
/// and a discard that happens to fit are about as common.
const OWN: f32 = 0.5;

/// One doubt for each tile that would complete the hand.
pub(super) fn doubts(judge: &Judge, tiles: &[SeenTile], best: &Candidate) -> Vec<Doubt> {
    if wins(&best.setup, judge.ruleset) {
        return Vec::new();
    }
    let mut offers: Vec<(f32, usize, Tile, HandSetup)> = (0..tiles.len())
        .filter(|i| !is_of_hand(best, *i) && tiles[*i].score >= judge.params.visibility.dim)
        .filter_map(|i| Some((i, tiles[i].faces.best()?.tile()?)))
        .map(|(i, tile)| (i, tile, with(&best.setup, tile)))
        .filter(|(_, _, setup)| wins(setup, judge.ruleset))
        .map(|(i, tile, setup)| (away(tiles, best, i), i, tile, setup))
        .collect();
    offers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut offered: Vec<Tile> = Vec::new();
    offers.retain(|(_, _, tile, _)| {
        let is_new = !offered.contains(tile);
        offered.push(*tile);
        is_new
    });
    offers.truncate(MOST);
    offers.into_iter().map(|(_, i, tile, setup)| doubt(judge, best, i, tile, &setup)).collect()
}

fn is_of_hand(best: &Candidate, i: usize) -> bool {
    best.faces.iter().any(|&(at, _)| at == i)
        || best.plan.hidden.contains(&i)
        || best.plan.melds.iter().any(|meld| meld.tiles.contains(&i))
}

/// The hand with one tile more: where nothing lay apart as the winning tile, this one does.
fn with(setup: &HandSetup, tile: Tile) -> HandSetup {
    let mut setup = setup.clone();
    match setup.winning {
        None => setup.winning = Some(tile),
        Some(_) => setup.concealed.push(tile),
    }
    setup.concealed.sort_unstable();
    setup
}

/// How far a tile lies from the hand, in tiles of its own size.
fn away(tiles: &[SeenTile], best: &Candidate, i: usize) -> f32 {
    let quad = &tiles[i].quad;
    let gaps = best.faces.iter().map(|&(of_hand, _)| tiles[of_hand].quad.distance(quad));
    gaps.fold(f32::INFINITY, f32::min) / quad.short_side().max(1.0)
}

fn doubt(judge: &Judge, best: &Candidate, i: usize, tile: Tile, setup: &HandSetup) -> Doubt {
    let answers = [("yes", setup, OWN), ("no", &best.setup, 1.0 - OWN)];
    Doubt {
        kind: DoubtKind::TileCount,
        tiles: vec![i],
        question: format!("with this {tile} the hand wins: is it the winner's?"),
        alternatives: judge.alternatives(answers),
        field: None,
        affects_score: true,
    }
}
