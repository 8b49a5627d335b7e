//! Doubts about the layout: exposed or concealed, which tile won, kongs of backs, broken sets.

use tilesight_core::hand::HandSetup;
use tilesight_core::meld::{Chow, KongKind, Meld};
use tilesight_core::tile::{Face, Tile};

use super::super::doubt::{Alternative, Doubt, DoubtKind};
use super::super::joint::{Candidate, Decision};
use super::super::question::Question;
use super::{HandScorer, differ, is_hidden};
use crate::layout::{MeldPlan, MeldShape, Plan};
use crate::pixels::seen_tile::SeenTile;
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
    let mut kongs = open_kongs(scorer, best);
    kongs.retain(|kong| doubts.iter().all(|doubt| doubt.tiles != kong.tiles));
    doubts.extend(kongs);
    doubts
}

/// Returns doubts about kongs of which every tile lies face up and none across: nothing shows
/// whether they were claimed, wherever they lie.
fn open_kongs(scorer: &HandScorer, best: &Candidate) -> Vec<Doubt> {
    let sets = (0..best.plan.melds.len()).filter(|place| !best.broken.contains(place));
    let mut doubts = Vec::new();
    for (at, place) in sets.enumerate() {
        let plan = &best.plan.melds[place];
        if let Some(&Meld::Kong { tile, kind }) = best.setup.melds.get(at)
            && is_unmarked(plan)
            && plan.tiles.iter().all(|&i| best.faces.contains(&(i, Face::Tile(tile))))
        {
            doubts.push(open_kong(scorer, best, at, kind, plan));
        }
    }
    doubts
}

/// Returns whether neither a tile face down nor the arrangement shows how a kong was made.
fn is_unmarked(plan: &MeldPlan) -> bool {
    plan.hidden.is_empty() && matches!(plan.shape, MeldShape::Apart | MeldShape::ConcealedKong)
}

/// Returns the doubt whether an open kong was claimed; the first answer is what it was read as.
fn open_kong(
    scorer: &HandScorer,
    best: &Candidate,
    at: usize,
    kind: KongKind,
    plan: &MeldPlan,
) -> Doubt {
    let claimed = scorer.params.doubts.undecided;
    let concealed = with_kong(&best.setup, at, KongKind::Concealed);
    let exposed = with_kong(&best.setup, at, KongKind::Exposed { from: None });
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

/// Returns the hand with a kong of another kind.
fn with_kong(setup: &HandSetup, at: usize, kind: KongKind) -> HandSetup {
    let mut setup = setup.clone();
    if let Meld::Kong { kind: own, .. } = &mut setup.melds[at] {
        *own = kind;
    }
    setup
}

/// Returns the doubt about a tile that lies across the others, as claimed ones do, in a set that
/// was read as concealed.
pub(super) fn across(
    scorer: &HandScorer,
    tiles: &[SeenTile],
    decision: &Decision,
) -> Option<Doubt> {
    let best = decision.best.as_ref()?;
    let &(turned, face) = best
        .faces
        .iter()
        .find(|(i, _)| decision.sideways.contains(i) && best.plan.concealed.contains(i))?;
    let claimed = face.tile()?;
    let exposed = exposed(scorer, &best.setup, claimed)?;
    let set = exposed.melds.last()?.tiles();
    let p = scorer.params.doubts.undecided;
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

/// Returns doubts about pungs that were read as concealed and lie among kongs, as called sets do:
/// between two of them, or beside one and no other tile of the hand.
pub(super) fn among_kongs(
    scorer: &HandScorer,
    tiles: &[SeenTile],
    decision: &Decision,
) -> Vec<Doubt> {
    let Some(best) = &decision.best else { return Vec::new() };
    let runs = best.plan.concealed.windows(3).filter(|run| lies_among_kongs(tiles, best, run));
    runs.filter_map(|run| called_pung(scorer, best, run)).collect()
}

/// Widest gap between a pung and a kong in one row of called sets, in widths of a tile. Chosen, not
/// measured: sets that lie further apart are read as called without this.
const MAX_GAP: f32 = 0.35;

/// Returns whether tiles touch two kongs, or one kong and no other tile of the hand.
fn lies_among_kongs(tiles: &[SeenTile], best: &Candidate, run: &[usize]) -> bool {
    let kongs = best.plan.melds.iter().filter(|meld| meld.tiles.len() == 4);
    let beside = kongs.filter(|kong| touch(tiles, run, &kong.tiles)).count();
    let loose = best.plan.concealed.iter().chain(&best.plan.winning);
    let others: Vec<usize> = loose.filter(|i| !run.contains(i)).copied().collect();
    beside >= 2 || (beside == 1 && !touch(tiles, run, &others))
}

/// Returns whether a tile of one row touches a tile of the other.
fn touch(tiles: &[SeenTile], some: &[usize], others: &[usize]) -> bool {
    some.iter().any(|&one| {
        others.iter().any(|&other| tiles[one].quad.gap(&tiles[other].quad, 1.0) <= MAX_GAP)
    })
}

/// Returns the doubt whether three tiles alike were called, if the hand wins either way.
fn called_pung(scorer: &HandScorer, best: &Candidate, run: &[usize]) -> Option<Doubt> {
    let &(_, face) = best.faces.iter().find(|(i, _)| *i == run[0])?;
    let tile = face.tile()?;
    if !run.iter().all(|&i| best.faces.contains(&(i, face))) {
        return None;
    }
    let called = expose(&best.setup, Meld::Pung { tile, from: None })?;
    if !wins(&called, &scorer.ruleset) {
        return None;
    }
    let p = scorer.params.doubts.undecided;
    let alternatives =
        scorer.alternatives([("concealed", &best.setup, 1.0 - p), ("claimed", &called, p)]);
    Some(Doubt {
        kind: DoubtKind::ExposedSet,
        tiles: run.to_vec(),
        question: Question::ExposedSet,
        affects_score: called.winning.is_none() || differ(&alternatives),
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
    let to = &tiles[to].quad;
    let mut chosen: Vec<usize> = Vec::new();
    for tile in set {
        let shown = best.faces.iter().filter(|(_, face)| *face == Face::Tile(tile));
        let free = shown.map(|&(i, _)| i).filter(|i| !chosen.contains(i));
        let away = free.map(|i| (i, tiles[i].quad.distance(to)));
        chosen.extend(away.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i));
    }
    chosen
}

/// Returns the hand with the set exposed for which the tile was claimed, as its last meld, if the
/// hand still wins.
fn exposed(scorer: &HandScorer, setup: &HandSetup, claimed: Tile) -> Option<HandSetup> {
    let chows = Tile::ALL.into_iter().filter_map(|low| Chow::new(low)?.claiming(claimed));
    let sets = chows.map(Meld::Chow).chain([Meld::Pung { tile: claimed, from: None }]);
    sets.filter_map(|set| expose(setup, set)).find(|setup| wins(setup, &scorer.ruleset))
}

/// Returns the hand with a set of its loose tiles exposed, if it has them.
fn expose(setup: &HandSetup, set: Meld) -> Option<HandSetup> {
    let mut setup = setup.clone();
    for tile in set.tiles() {
        match setup.concealed.iter().position(|&other| other == tile) {
            Some(at) => _ = setup.concealed.remove(at),
            None => _ = setup.winning.take_if(|winning| *winning == tile)?,
        }
    }
    setup.melds.push(set);
    Some(setup)
}

/// Returns doubts about tiles that were left out and may be the hand's: the fourth of a kong, one
/// that touches the hand, or a set of tiles without print.
pub(super) fn left_out(scorer: &HandScorer, tiles: &[SeenTile], decision: &Decision) -> Vec<Doubt> {
    let Some(best) = &decision.best else { return Vec::new() };
    let mut doubts = Vec::new();
    let (blank, mut others): (Vec<usize>, Vec<usize>) =
        decision.doubtful_tiles.iter().partition(|&&i| tiles[i].faces.is_blank());
    if blank.len() >= 3 {
        doubts.push(blank_set(blank));
    } else {
        others.extend(blank);
    }
    for i in others {
        if let Some(tile) = tiles[i].faces.best().and_then(Face::tile) {
            let fourth = fourth_tile(scorer, best, i, tile);
            doubts.push(fourth.unwrap_or_else(|| touching(i, tile)));
        }
    }
    doubts
}

/// Returns the doubt about tiles without print that lie beside the hand like a set.
fn blank_set(tiles: Vec<usize>) -> Doubt {
    Doubt {
        kind: DoubtKind::TileCount,
        tiles,
        question: Question::BlankSet,
        alternatives: Vec::new(),
        field: None,
        affects_score: true,
    }
}

/// Returns the doubt whether a tile belongs to a pung of the hand, if there is one of its kind.
fn fourth_tile(scorer: &HandScorer, best: &Candidate, i: usize, tile: Tile) -> Option<Doubt> {
    let mut kong = best.setup.clone();
    let meld = kong
        .melds
        .iter_mut()
        .find(|meld| matches!(meld, Meld::Pung { tile: other, .. } if *other == tile))?;
    *meld = Meld::Kong { tile, kind: KongKind::Added { from: meld.from() } };
    let p = scorer.params.doubts.not_a_kong;
    let alternatives = scorer.alternatives([("no", &best.setup, p), ("yes", &kong, 1.0 - p)]);
    Some(Doubt {
        kind: DoubtKind::AddedKong,
        tiles: vec![i],
        question: Question::FourthTile { tile },
        affects_score: differ(&alternatives),
        alternatives,
        field: None,
    })
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
    for meld in &best.plan.melds {
        match shape_of(&rival.plan, &meld.tiles) {
            Some(shape) if shape != meld.shape => {
                let words = [shape_word(meld.shape), shape_word(shape)];
                let kind = if is_added_kong(meld.shape) != is_added_kong(shape) {
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
    let ours = best.plan.winning;
    let theirs = rival.plan.winning;
    (ours != theirs).then(|| {
        let tiles: Vec<usize> = ours.into_iter().chain(theirs).collect();
        let words = [winning_word(&best.setup), winning_word(&rival.setup)];
        ask(scorer, [best, rival], DoubtKind::WinningTile, &tiles, [&words[0], &words[1]])
    })
}

/// Returns the shape of the set that a plan makes of these tiles, if it makes one.
fn shape_of(plan: &Plan, tiles: &[usize]) -> Option<MeldShape> {
    plan.melds.iter().find(|meld| meld.tiles == tiles).map(|meld| meld.shape)
}

fn is_added_kong(shape: MeldShape) -> bool {
    matches!(shape, MeldShape::AddedKong { .. })
}

fn winning_word(setup: &HandSetup) -> String {
    setup.winning.map_or_else(|| "another tile".to_owned(), |tile| tile.to_string())
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
    let alternatives = scorer.alternatives(
        rivals.into_iter().zip(words).map(|(rival, word)| (word, &rival.setup, rival.p / both)),
    );
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
