//! Doubts about single tiles that would have to be another for the hand to win.
//!
//! A complete hand that does not win usually has one misread tile. Every exchange of one tile that
//! makes it win is tried, and the most probable exchanges become doubts.

use tilesight_core::hand::HandSetup;
use tilesight_core::tile::{Face, Tile};

use super::super::doubt::{Alternative, Doubt, DoubtKind};
use super::super::joint::Candidate;
use super::super::question::Question;
use super::HandScorer;
use crate::pixels::faces::name;
use crate::pixels::seen_tile::SeenTile;
use crate::wins::wins;

/// A tile that would make the hand win in place of another.
struct Substitution {
    to: Tile,
    /// Probability of the tile by the picture.
    p: f32,
    /// Hand after the exchange.
    setup: HandSetup,
}

/// A tile that may be misread, with the exchanges that make the hand win, the most probable first.
struct Substitutions {
    i: usize,
    face: Tile,
    exchanges: Vec<Substitution>,
}

impl Substitutions {
    /// Returns the probability of the likeliest exchange.
    fn p(&self) -> f32 {
        self.exchanges.first().map_or(0.0, |first| first.p)
    }
}

/// Returns a doubt for each tile that may be misread, the likeliest first.
pub(super) fn doubts(scorer: &HandScorer, tiles: &[SeenTile], best: &Candidate) -> Vec<Doubt> {
    if !scorer.is_complete(&best.setup) || wins(&best.setup, &scorer.ruleset) {
        return Vec::new();
    }
    let named = best.faces.iter().filter_map(|&(i, face)| Some((i, face.tile()?)));
    let mut found: Vec<Substitutions> = named
        .map(|(i, face)| (i, face, exchanges(scorer, tiles, best, i, face)))
        .filter(|(_, _, exchanges)| !exchanges.is_empty())
        .map(|(i, face, exchanges)| Substitutions { i, face, exchanges })
        .collect();
    found.sort_by(|a, b| b.p().total_cmp(&a.p()));
    found.truncate(scorer.params.doubts.max_tiles);
    found.into_iter().map(|repair| doubt(scorer, tiles, best, repair)).collect()
}

/// Returns the tiles that would make the hand win in place of the i-th, which was read as `from`.
fn exchanges(
    scorer: &HandScorer,
    tiles: &[SeenTile],
    best: &Candidate,
    i: usize,
    from: Tile,
) -> Vec<Substitution> {
    let copies = best.setup.all();
    let min_p = scorer.params.joint.negligible;
    let mut exchanges: Vec<Substitution> = Tile::ALL
        .into_iter()
        .filter(|&to| to != from && copies.count(to) < 4)
        .filter_map(|to| Some((to, exchange_tile(best, i, from, to)?)))
        .filter(|(_, setup)| wins(setup, &scorer.ruleset))
        .map(|(to, setup)| {
            let p = tiles[i].faces.probability(Some(Face::Tile(to))).max(min_p);
            Substitution { to, p, setup }
        })
        .collect();
    exchanges.sort_by(|a, b| b.p.total_cmp(&a.p));
    exchanges
}

/// Returns the hand with one concealed or winning tile exchanged; `None` for a tile of a set.
fn exchange_tile(best: &Candidate, i: usize, from: Tile, to: Tile) -> Option<HandSetup> {
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

fn doubt(
    scorer: &HandScorer,
    tiles: &[SeenTile],
    best: &Candidate,
    repair: Substitutions,
) -> Doubt {
    let Substitutions { i, face, exchanges } = repair;
    let seen =
        tiles[i].faces.probability(Some(Face::Tile(face))).max(scorer.params.joint.negligible);
    let sum: f32 = seen + exchanges.iter().map(|exchange| exchange.p).sum::<f32>();
    let unchanged =
        Alternative::new(name(Some(Face::Tile(face))), seen / sum, None).making(&best.setup);
    let others = exchanges.into_iter().map(|Substitution { to, p, setup }| {
        Alternative::new(to.to_string(), p / sum, scorer.total(&setup)).making(&setup)
    });
    Doubt {
        kind: DoubtKind::Tile,
        tiles: vec![i],
        question: Question::Repair { face },
        alternatives: std::iter::once(unchanged).chain(others).collect(),
        field: None,
        affects_score: true,
    }
}
