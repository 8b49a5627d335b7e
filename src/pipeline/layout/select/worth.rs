//! What a combination of blocks is worth as a hand: how near its tiles are to a winning one.
//!
//! Input: the tiles and the chosen blocks. Output: a number, at best [`Params::wins`]. Invariant: it depends on the
//! likeliest faces alone, and on whether four of a kind lie together, never on where the blocks lie.

use super::super::super::geometry::rows::TOUCHING;
use super::super::super::lacking::{lacking_for_orphans, may_win_otherwise, orphans};
use super::super::super::wins::wins;
use super::super::params::Params;
use super::TableView;
use crate::hand::HandSetup;
use crate::rules::RulesetId;
use crate::tile::{Face, Tile};
use crate::tiles::Counts;

/// The most that a combination can be worth by the number of its tiles alone: to know it costs nothing.
pub(super) fn most_value(view: &TableView, chosen: &[usize]) -> f32 {
    let Params { wins, lack, short, surplus, .. } = *view.params;
    let faces: usize = chosen.iter().map(|&b| view.blocks[b].playing).sum();
    let kongs: usize = chosen.iter().map(|&b| view.blocks[b].kongs.len()).sum();
    let tiles = faces + 3 * kongs;
    if tiles < 14 {
        // Each tile that is not there is lacking.
        let lacks = (14 - tiles) as f32;
        wins - lack * (lacks + 1.0) - short * lacks
    } else {
        // Four of them may be the fourth tiles of kongs.
        wins - surplus * tiles.saturating_sub(14 + 4) as f32
    }
}

/// How near to a winning hand the tiles are by their likeliest faces, however they are parted into sets: at best
/// [`Params::wins`].
pub(super) fn count_value(view: &TableView, chosen: &[usize]) -> f32 {
    let mut key = Blocks::default();
    chosen.iter().for_each(|&b| key.insert(b));
    if let Some(&known) = view.known.borrow().get(&key) {
        return known;
    }
    let worth = worth_of(view, chosen);
    view.known.borrow_mut().insert(key, worth);
    worth
}

/// A set of blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Blocks(Vec<u64>);

impl Blocks {
    fn insert(&mut self, block: usize) {
        if self.0.len() <= block / 64 {
            self.0.resize(block / 64 + 1, 0);
        }
        self.0[block / 64] |= 1 << (block % 64);
    }
}

fn worth_of(view: &TableView, chosen: &[usize]) -> f32 {
    let mut faces = Counts::new();
    let mut kongs = 0;
    for &b in chosen {
        let block = &view.blocks[b];
        kongs += block.kongs.len();
        faces.extend(block.faces.iter().copied());
    }
    // More than fourteen tiles are a hand with kongs: of the kinds that are there four times those that leave the
    // best rest. Four of a kind that lie apart are rather a kong than not.
    let is_apart = |tile: Tile| {
        chosen.iter().any(|&b| {
            let block = &view.blocks[b];
            block.is_open_kong() && shows(view, block.members[0], tile)
        })
    };
    let is_kong =
        |&tile: &Tile| faces.of(tile) == 4 && lie_together(view, &with_tile(view, chosen, tile));
    let fours: Vec<(Tile, bool)> =
        Tile::ALL.into_iter().filter(is_kong).map(|tile| (tile, is_apart(tile))).collect();
    let wanted = (faces.total() + 3 * kongs).saturating_sub(14).min(fours.len());
    let apart = fours.iter().filter(|(_, is_apart)| *is_apart).count();
    let worth = (0..1_usize << fours.len())
        .filter(|taken| (wanted..=wanted.max(apart)).contains(&(taken.count_ones() as usize)))
        .map(|taken| {
            let is_taken = |n: usize| taken >> n & 1 == 1;
            let loose = (0..fours.len()).filter(|&n| fours[n].1 && !is_taken(n)).count();
            let kong = |tile: &Tile| (0..fours.len()).any(|n| fours[n].0 == *tile && is_taken(n));
            let rest: Counts = faces.iter().filter(|tile| !kong(tile)).collect();
            rest_value(view, &rest, kongs + taken.count_ones() as usize)
                - view.params.no_kong * loose as f32
        });
    worth.fold(f32::NEG_INFINITY, f32::max)
}

fn shows(view: &TableView, i: usize, tile: Tile) -> bool {
    view.tiles[i].faces.best() == Some(Face::Tile(tile))
}

/// The chosen blocks that show a tile.
fn with_tile(view: &TableView, chosen: &[usize], tile: Tile) -> Vec<usize> {
    let has = |&b: &usize| view.blocks[b].members.iter().any(|&i| shows(view, i, tile));
    chosen.iter().copied().filter(has).collect()
}

/// Whether each of some blocks touches another of them.
fn lie_together(view: &TableView, blocks: &[usize]) -> bool {
    let touches = |&a: &usize| blocks.iter().any(|&b| a != b && view.between[a][b].gap <= TOUCHING);
    blocks.len() == 1 || blocks.iter().all(touches)
}

/// How near to a winning hand tiles are that lie beside a number of kongs.
fn rest_value(view: &TableView, faces: &Counts, kongs: usize) -> f32 {
    let Params { wins, lack, short: each_short, surplus: each_surplus, .. } = *view.params;
    let sets = 4_usize.saturating_sub(kongs);
    let room = 3 * sets + 2;
    let surplus = faces.total().saturating_sub(room) + kongs.saturating_sub(4);
    let short = room.saturating_sub(faces.total());
    let lacks = view.lacking.borrow_mut().of(faces, sets, view.ruleset.rules().shapes());
    let lacks =
        if kongs == 0 && view.orphans_win { lacks.min(lacking_for_orphans(faces)) } else { lacks };
    let lacks = if lacks > 0 && wins_otherwise(faces, kongs, view.ruleset) { 0 } else { lacks };
    let lacks = if lacks > 0 { lacks + 1 } else { 0 };
    wins - lack * lacks as f32 - each_surplus * surplus as f32 - each_short * short as f32
}

/// Whether thirteen orphans win by the rule set.
pub(super) fn orphans_win(ruleset: RulesetId) -> bool {
    let concealed = orphans().chain(orphans().take(1)).collect();
    wins(&HandSetup { concealed, ..HandSetup::default() }, ruleset)
}

/// Whether tiles win by the rule set in another way than by sets and a pair or seven pairs: thirteen orphans, knitted tiles.
fn wins_otherwise(faces: &Counts, kongs: usize, ruleset: RulesetId) -> bool {
    let tiles = || HandSetup { concealed: faces.iter().collect(), ..HandSetup::default() };
    kongs == 0 && faces.total() == 14 && may_win_otherwise(faces) && wins(&tiles(), ruleset)
}
