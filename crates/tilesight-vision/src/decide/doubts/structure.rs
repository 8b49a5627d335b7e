//! Doubts about the layout: exposed or concealed, which tile won, kongs of backs, broken sets.

use tilesight_core::hand::HandSetup;
use tilesight_core::meld::{Chow, KongKind, Meld};
use tilesight_core::tile::{Face, Tile};

use super::super::doubt::{Alternative, Doubt, DoubtKind};
use super::super::joint::{Candidate, Decision};
use super::super::question::Question;
use super::{HandScorer, differ, is_hidden};
use crate::layout::{MeldPlan, MeldShape, Plan};
use crate::pixels::classify::SeenTile;
use crate::wins::wins;

/// Returns the doubts that follow from the layout.
pub(super) fn doubts(scorer: &HandScorer, best: &Candidate, rivals: &[Candidate]) -> Vec<Doubt> {
    let mut doubts: Vec<Doubt> = best
        .broken
        .iter()
        .map(
            |&m| if is_hidden(best, m) { hidden_kong(scorer, best, m) } else { not_a_set(best, m) },
        )
        .collect();
    for rival in rivals.iter().filter(|rival| rival.p >= scorer.params.doubts.rival * best.p) {
        let same_faces = rival.faces.iter().all(|face| best.faces.contains(face));
        if !same_faces {
            continue;
        }
        let doubt = difference(scorer, best, rival);
        if let Some(doubt) = doubt.filter(|new| !doubts.iter().any(|old| is_same(old, new))) {
            doubts.push(doubt);
        }
    }
    let open = open_kongs(scorer, best);
    let is_new = |kong: &Doubt| doubts.iter().all(|doubt| doubt.tiles != kong.tiles);
    let asked: Vec<Doubt> = open.into_iter().filter(is_new).collect();
    doubts.extend(asked);
    doubts
}

/// Returns doubts about kongs of which every tile lies face up and none across: nothing shows
/// whether they were claimed, wherever they lie.
fn open_kongs(scorer: &HandScorer, best: &Candidate) -> Vec<Doubt> {
    let sets = (0..best.plan.melds.len()).filter(|place| !best.broken.contains(place));
    let kong = |(at, place): (usize, usize)| {
        let plan = &best.plan.melds[place];
        let is_unmarked = plan.hidden.is_empty()
            && matches!(plan.shape, MeldShape::Apart | MeldShape::ConcealedKong);
        let Some(&Meld::Kong { tile, kind }) = best.setup.melds.get(at) else { return None };
        let is_seen = |i: &usize| best.faces.contains(&(*i, Face::Tile(tile)));
        (is_unmarked && plan.tiles.iter().all(is_seen))
            .then(|| open_kong(scorer, best, at, kind, plan))
    };
    sets.enumerate().filter_map(kong).collect()
}

/// Returns the doubt whether an open kong was claimed; the first answer is what it was read as.
fn open_kong(
    scorer: &HandScorer,
    best: &Candidate,
    at: usize,
    kind: KongKind,
    plan: &MeldPlan,
) -> Doubt {
    let as_kind = |kind: KongKind| {
        let mut setup = best.setup.clone();
        if let Meld::Kong { kind: own, .. } = &mut setup.melds[at] {
            *own = kind;
        }
        setup
    };
    let claimed = scorer.params.doubts.open_kong_claimed;
    let concealed = as_kind(KongKind::Concealed);
    let exposed = as_kind(KongKind::Exposed { from: None });
    let mut answers = [("concealed", &concealed, 1.0 - claimed), ("claimed", &exposed, claimed)];
    if kind != KongKind::Concealed {
        answers.reverse();
    }
    let alternatives = scorer.alternatives(answers);
    Doubt {
        kind: DoubtKind::ConcealedKong,
        tiles: plan.tiles.clone(),
        question: Question::ConcealedKong,
        affects_score: differ(&alternatives),
        alternatives,
        field: None,
    }
}

/// Returns the doubt about a tile that lies across the others, as claimed ones do, in a set that
/// was read as concealed.
pub(super) fn across(
    scorer: &HandScorer,
    tiles: &[SeenTile],
    decision: &Decision,
) -> Option<Doubt> {
    let best = decision.best.as_ref()?;
    let is_across =
        |(i, _): &&(usize, Face)| decision.sideways.contains(i) && best.plan.concealed.contains(i);
    let &(turned, face) = best.faces.iter().find(is_across)?;
    let claimed = face.tile()?;
    let exposed = exposed(scorer, &best.setup, claimed)?;
    let set = exposed.melds.last()?.tiles();
    let p = scorer.params.doubts.claimed_across;
    let alternatives =
        scorer.alternatives([("concealed", &best.setup, 1.0 - p), ("claimed", &exposed, p)]);
    Some(Doubt {
        kind: DoubtKind::ExposedSet,
        tiles: nearest(tiles, best, turned, set),
        question: Question::LiesAcross,
        // If the winning tile is part of the set, another tile won.
        affects_score: exposed.winning.is_none() || differ(&alternatives),
        alternatives,
        field: None,
    })
}

/// Returns the tiles of a set that lie nearest to one of them.
fn nearest(
    tiles: &[SeenTile],
    best: &Candidate,
    to: usize,
    set: impl Iterator<Item = Tile>,
) -> Vec<usize> {
    let away = |i: usize| tiles[i].quad.distance(&tiles[to].quad);
    let mut chosen: Vec<usize> = Vec::new();
    for tile in set {
        let shown = best.faces.iter().filter(|(_, face)| *face == Face::Tile(tile));
        let free = shown.map(|&(i, _)| i).filter(|i| !chosen.contains(i));
        chosen.extend(free.min_by(|&a, &b| away(a).total_cmp(&away(b))));
    }
    chosen
}

/// Returns the hand with the set exposed for which the tile was claimed, as its last meld, if the
/// hand still wins.
fn exposed(scorer: &HandScorer, setup: &HandSetup, claimed: Tile) -> Option<HandSetup> {
    let chows = Tile::ALL.into_iter().filter_map(|low| Chow::new(low)?.claiming(claimed));
    let sets = chows.map(Meld::Chow).chain([Meld::Pung { tile: claimed, from: None }]);
    let exposing = |set: Meld| {
        let mut setup = setup.clone();
        for tile in set.tiles() {
            match setup.concealed.iter().position(|&other| other == tile) {
                Some(at) => _ = setup.concealed.remove(at),
                None => _ = setup.winning.take_if(|winning| *winning == tile)?,
            }
        }
        setup.melds.push(set);
        Some(setup)
    };
    sets.filter_map(exposing).find(|setup| wins(setup, &scorer.ruleset))
}

/// Returns doubts about tiles that were left out and may be the hand's: the fourth of a kong, or
/// one that touches the hand.
pub(super) fn left_out(scorer: &HandScorer, tiles: &[SeenTile], decision: &Decision) -> Vec<Doubt> {
    let Some(best) = &decision.best else { return Vec::new() };
    let doubt = |&i: &usize| {
        let tile = tiles[i].faces.best()?.tile()?;
        let is_pung =
            |meld: &Meld| matches!(meld, Meld::Pung { tile: other, .. } if *other == tile);
        let Some(at) = best.setup.melds.iter().position(is_pung) else {
            return Some(touching(i, tile));
        };
        let p = scorer.params.doubts.not_a_kong;
        let mut kong = best.setup.clone();
        let from = kong.melds[at].from();
        kong.melds[at] = Meld::Kong { tile, kind: KongKind::Added { from } };
        let alternatives = scorer.alternatives([("no", &best.setup, p), ("yes", &kong, 1.0 - p)]);
        Some(Doubt {
            kind: DoubtKind::AddedKong,
            tiles: vec![i],
            question: Question::FourthTile { tile },
            affects_score: differ(&alternatives),
            alternatives,
            field: None,
        })
    };
    decision.doubtful_tiles.iter().filter_map(doubt).collect()
}

/// Returns the doubt about a tile that touches the hand without fitting: it is misread, or another
/// player's.
fn touching(i: usize, tile: Tile) -> Doubt {
    Doubt {
        kind: DoubtKind::TileCount,
        tiles: vec![i],
        question: Question::Touching { tile },
        alternatives: Vec::new(),
        field: None,
        affects_score: true,
    }
}

fn is_same(a: &Doubt, b: &Doubt) -> bool {
    a.kind == b.kind && a.tiles == b.tiles
}

/// Returns the doubt that decides between two candidates with the same faces.
fn difference(scorer: &HandScorer, best: &Candidate, rival: &Candidate) -> Option<Doubt> {
    let shape_of = |plan: &Plan, tiles: &[usize]| {
        plan.melds.iter().find(|meld| meld.tiles == tiles).map(|meld| meld.shape)
    };
    for meld in &best.plan.melds {
        match shape_of(&rival.plan, &meld.tiles) {
            Some(shape) if shape != meld.shape => {
                let words = [shape_word(meld.shape), shape_word(shape)];
                let is_added = |shape| matches!(shape, MeldShape::AddedKong { .. });
                let kind = if is_added(meld.shape) != is_added(shape) {
                    DoubtKind::AddedKong
                } else {
                    DoubtKind::ConcealedKong
                };
                return Some(ask(scorer, [best, rival], kind, &meld.tiles, words));
            }
            None => {
                let words = [shape_word(meld.shape), "concealed"];
                return Some(ask(scorer, [best, rival], DoubtKind::ExposedSet, &meld.tiles, words));
            }
            Some(_) => {}
        }
    }
    for meld in &rival.plan.melds {
        if shape_of(&best.plan, &meld.tiles).is_none() {
            let words = ["concealed", shape_word(meld.shape)];
            return Some(ask(scorer, [best, rival], DoubtKind::ExposedSet, &meld.tiles, words));
        }
    }
    let (ours, theirs) = (best.plan.winning, rival.plan.winning);
    (ours != theirs).then(|| {
        let tiles: Vec<usize> = ours.into_iter().chain(theirs).collect();
        let word = |setup: &HandSetup| {
            setup.winning.map_or_else(|| "another tile".to_owned(), |tile| tile.to_string())
        };
        let words = [word(&best.setup), word(&rival.setup)];
        let words = [words[0].as_str(), words[1].as_str()];
        ask(scorer, [best, rival], DoubtKind::WinningTile, &tiles, words)
    })
}

fn shape_word(shape: MeldShape) -> &'static str {
    match shape {
        MeldShape::Claimed { .. } | MeldShape::Apart => "claimed",
        MeldShape::ConcealedKong => "concealed",
        MeldShape::AddedKong { .. } => "added to a pung",
    }
}

/// Returns a doubt with two answers, one for each candidate.
fn ask(
    scorer: &HandScorer,
    rivals: [&Candidate; 2],
    kind: DoubtKind,
    tiles: &[usize],
    words: [&str; 2],
) -> Doubt {
    let both = rivals[0].p + rivals[1].p;
    let answers = rivals.into_iter().zip(words);
    let answers = answers.map(|(candidate, word)| (word, &candidate.setup, candidate.p / both));
    let alternatives = scorer.alternatives(answers);
    let question = match kind {
        DoubtKind::ExposedSet => Question::ExposedSet,
        DoubtKind::AddedKong => Question::AddedKong,
        DoubtKind::ConcealedKong => Question::ConcealedKong,
        _ => Question::WinningTile,
    };
    Doubt {
        kind,
        tiles: tiles.to_vec(),
        question,
        affects_score: differ(&alternatives),
        alternatives,
        field: None,
    }
}

/// Returns the doubt about a kong that shows four backs: every tile that is nowhere else in the
/// hand is possible.
fn hidden_kong(scorer: &HandScorer, best: &Candidate, meld: usize) -> Doubt {
    let seen = best.setup.all();
    let possible: Vec<Tile> = Tile::ALL.into_iter().filter(|&tile| seen.count(tile) == 0).collect();
    let p = 1.0 / possible.len().max(1) as f32;
    let alternatives: Vec<Alternative> = possible
        .into_iter()
        .map(|tile| {
            let mut setup = best.setup.clone();
            setup.melds.push(Meld::Kong { tile, kind: KongKind::Concealed });
            Alternative::new(tile.to_string(), p, scorer.total(&setup)).making(&setup)
        })
        .collect();
    Doubt {
        kind: DoubtKind::HiddenKong,
        tiles: best.plan.melds[meld].tiles.clone(),
        question: Question::HiddenKong,
        alternatives,
        field: None,
        affects_score: true,
    }
}

/// Returns the doubt about tiles that lie together as a set but do not form one.
fn not_a_set(best: &Candidate, meld: usize) -> Doubt {
    let tiles = best.plan.melds[meld].tiles.clone();
    let faces: Vec<Face> = tiles
        .iter()
        .filter_map(|i| best.faces.iter().find(|(at, _)| at == i))
        .map(|&(_, face)| face)
        .collect();
    Doubt {
        kind: DoubtKind::NotASet,
        question: Question::NotASet { faces },
        tiles,
        alternatives: Vec::new(),
        field: None,
        affects_score: true,
    }
}
