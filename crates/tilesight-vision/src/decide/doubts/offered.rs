//! Doubts about ignored tiles that would complete the hand.
//!
//! Input: a hand that does not win, and every tile that was seen. Output: a doubt for each tile
//! beside the hand with which it would win, the nearest first; the answers have their totals.
//! Invariant: only tiles in the photo are offered, and only one of each kind: three discards of a
//! kind are one doubt.

use tilesight_core::hand::HandSetup;
use tilesight_core::tile::Tile;

use super::super::doubt::{Doubt, DoubtKind};
use super::super::joint::Candidate;
use super::super::question::Question;
use super::HandScorer;
use crate::pixels::seen_tile::SeenTile;
use crate::wins::wins;

/// Returns a doubt for each tile that would complete the hand.
pub(super) fn doubts(scorer: &HandScorer, tiles: &[SeenTile], best: &Candidate) -> Vec<Doubt> {
    if wins(&best.setup, &scorer.ruleset) {
        return Vec::new();
    }
    let params = scorer.params;
    let missing: Vec<Tile> = Tile::ALL
        .into_iter()
        .filter(|tile| wins(&add_tile(&best.setup, *tile), &scorer.ruleset))
        .collect();
    let mut nearby: Vec<NearbyTile> = (0..tiles.len())
        .filter(|i| !is_of_hand(best, *i) && tiles[*i].score >= params.visibility.dim)
        .filter_map(|i| NearbyTile::new(tiles, best, i))
        .filter(|near| missing.contains(&near.tile))
        .collect();
    nearby.sort_by(|a, b| a.away.total_cmp(&b.away));
    let mut offered: Vec<Tile> = Vec::new();
    nearby.retain(|near| {
        let is_new = !offered.contains(&near.tile);
        offered.push(near.tile);
        is_new
    });
    nearby.truncate(params.doubts.max_tiles);
    nearby.iter().map(|near| doubt(scorer, best, near)).collect()
}

/// A tile beside the hand.
struct NearbyTile {
    i: usize,
    tile: Tile,
    /// Hand with the tile added.
    setup: HandSetup,
    /// Distance of the tile from the hand.
    away: f32,
}

impl NearbyTile {
    fn new(tiles: &[SeenTile], best: &Candidate, i: usize) -> Option<NearbyTile> {
        let tile = tiles[i].faces.best()?.tile()?;
        Some(NearbyTile { i, tile, setup: add_tile(&best.setup, tile), away: away(tiles, best, i) })
    }
}

fn is_of_hand(best: &Candidate, i: usize) -> bool {
    best.faces.iter().any(|&(at, _)| at == i)
        || best.plan.hidden.contains(&i)
        || best.plan.melds.iter().any(|meld| meld.tiles.contains(&i))
}

/// Returns the hand with one tile more, as its winning tile if it has none.
fn add_tile(setup: &HandSetup, tile: Tile) -> HandSetup {
    let mut setup = setup.clone();
    match setup.winning {
        None => setup.winning = Some(tile),
        Some(_) => setup.concealed.push(tile),
    }
    setup.concealed.sort_unstable();
    setup
}

/// Returns the distance of a tile from the hand, in widths of the tile.
fn away(tiles: &[SeenTile], best: &Candidate, i: usize) -> f32 {
    let quad = &tiles[i].quad;
    let gaps = best.faces.iter().map(|&(of_hand, _)| tiles[of_hand].quad.distance(quad));
    gaps.fold(f32::INFINITY, f32::min) / quad.short_side().max(1.0)
}

fn doubt(scorer: &HandScorer, best: &Candidate, near: &NearbyTile) -> Doubt {
    let own = scorer.params.doubts.undecided;
    let answers = [("yes", &near.setup, own), ("no", &best.setup, 1.0 - own)];
    Doubt {
        kind: DoubtKind::TileCount,
        tiles: vec![near.i],
        question: Question::Offered { tile: near.tile },
        alternatives: scorer.alternatives(answers),
        field: None,
        affects_score: true,
    }
}
