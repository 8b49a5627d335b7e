//! Blocks: touching tiles of one row, with their properties.
//!
//! Input: all seen tiles that can be named. Output: [`Block`]s. Invariant: every tile is in exactly
//! one block, and a block's tiles are in the order of their row.

use tilesight_core::hand::HandSize;
use tilesight_core::tile::{Face, Tile};

use super::super::super::geometry::rows::{RowAxes, RowQuad, TileRow, blocks, rows};
use super::super::super::geometry::{Point, edge_angle_between, median};
use super::super::super::params::{Params, SearchParams};
use super::super::backs::{hidden_in, is_dragon_kong};
use super::super::faces::{confidence, is_printed, min_score};
use super::super::likelihood::{may_be_one_kind, may_be_set};
use super::super::slipped::join_slipped;
use super::super::top_view::TopView;
use crate::pixels::faces::Sort;
use crate::pixels::seen_tile::SeenTile;

/// Touching tiles of one row, with their properties.
pub(super) struct Block {
    pub(super) members: Vec<usize>,
    /// Number of playing tiles outside of [`Block::kongs`], and their likeliest faces.
    pub(super) playing: usize,
    pub(super) faces: Vec<Tile>,
    /// Other faces that these tiles may have.
    pub(super) exchanges: Vec<Exchange>,
    /// Number of backs outside of [`Block::kongs`].
    pub(super) backs: usize,
    /// Concealed kongs with a part or all of their tiles face down.
    pub(super) kongs: Vec<Vec<usize>>,
    /// Size of the block's tiles on the table and in the photo.
    pub(super) scale: f32,
    pub(super) size: f32,
    /// Mean certainty that these are tiles and have these names.
    pub(super) quality: f32,
    /// Number of playing tiles other than white dragons, which could be mistaken for a tile's top
    /// or back.
    pub(super) printed: usize,
    /// Number of sets in the block, if it consists of sets from one end to the other; else 0.
    pub(super) sets: usize,
    /// Number of these sets in which tiles lie across the others.
    pub(super) claimed: usize,
    /// Whether the block is a row of backs, even if they look like white dragons, perhaps with a
    /// tile among them that was turned over.
    pub(super) is_wall: bool,
    /// Direction of the top of most of the block's tiles, of length one.
    pub(super) up: Point,
}

/// Exchange of a tile's likeliest face for another that it may have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exchange {
    pub(super) from: Tile,
    pub(super) to: Tile,
    /// Logarithm of how much more probable the likeliest face is.
    pub(super) cost: f32,
}

impl Block {
    /// Measures touching tiles.
    fn new(view: &TopView, sizes: &[f32], members: Vec<usize>) -> Block {
        let TopView { tiles, items, .. } = *view;
        let kongs = kongs_in(view, &members);
        let mut free = members.clone();
        free.retain(|i| kongs.iter().all(|kong| !kong.contains(i)));
        let sure = members.iter().map(|&i| tiles[i].score * confidence(&tiles[i]));
        let sets = sets_in(view, &members).unwrap_or_default();
        Block {
            is_wall: kongs.is_empty() && is_wall(view, &members),
            up: up(view, &members),
            playing: free.iter().filter(|&&i| view.sort(i) == Sort::Playing).count(),
            faces: free.iter().filter_map(|&i| tiles[i].faces.best()?.tile()).collect(),
            exchanges: free.iter().flat_map(|&i| exchanges_of(&tiles[i], view.params)).collect(),
            backs: free.iter().filter(|&&i| view.is_back(i)).count(),
            scale: median(members.iter().map(|&i| items[i].quad.scale())).unwrap_or(1.0),
            size: median(members.iter().map(|&i| sizes[i])).unwrap_or(1.0),
            quality: sure.sum::<f32>() / members.len().max(1) as f32,
            printed: members.iter().filter(|&&i| is_printed(&tiles[i])).count(),
            sets: sets.len(),
            claimed: sets.iter().filter(|set| has_turned(view, set)).count(),
            kongs,
            members,
        }
    }

    /// Returns whether the block consists of flowers and seasons, perhaps with a shadow beside them
    /// that looks like a back.
    pub(super) fn is_flowers(&self) -> bool {
        self.playing == 0 && self.kongs.is_empty() && 2 * self.backs < self.members.len()
    }

    /// Returns whether the block consists of tiles that look like white dragons, and perhaps backs.
    pub(super) fn is_blank(&self) -> bool {
        self.playing > 0 && self.printed == 0
    }

    /// Returns whether the block can be part of a hand: backs are only in kongs.
    pub(super) fn can_belong(&self) -> bool {
        self.backs == 0 && !self.is_wall
    }

    /// Returns whether a hand may be searched around the block: an anchor shows faces.
    pub(super) fn can_be_anchor(&self) -> bool {
        self.printed > 0 && !self.is_wall
    }

    /// Returns whether the block is four of a kind that all lie open.
    pub(super) fn is_open_kong(&self) -> bool {
        self.sets == 1 && self.members.len() == 4 && self.kongs.is_empty()
    }

    /// Returns whether the block is a row as long as a player's closed tiles.
    pub(super) fn is_row_of_hand(&self, params: &SearchParams) -> bool {
        self.playing >= params.row_of_hand && !self.is_wall
    }

    /// Returns how suitable the block is as an anchor: many sure faces, large in the picture.
    /// A row of forty is the table's wall.
    pub(super) fn weight(&self, size: HandSize, params: &SearchParams) -> f32 {
        let faces = (self.playing + 4 * self.kongs.len()).min(size.tiles()) as f32;
        let is_hand = self.playing <= params.row_of_discards;
        faces * self.size * self.quality * if is_hand { 1.0 } else { params.discards_weight }
    }
}

/// Splits touching tiles into rows: a wall may touch the hand, and a second row may be discards.
pub(super) fn blocks_of(view: &TopView, sizes: &[f32], usable: &[usize]) -> Vec<Block> {
    let TopView { tiles, items, params, .. } = *view;
    let (dim, clear): (Vec<usize>, Vec<usize>) =
        usable.iter().partition(|&&i| tiles[i].score < min_score(&tiles[i], &params.visibility));
    let chosen: Vec<RowQuad> = clear.iter().map(|&i| items[i]).collect();
    let mut found: Vec<Vec<usize>> = Vec::new();
    for members in blocks(&chosen, &params.rows) {
        let block: Vec<RowQuad> = members.iter().map(|&m| chosen[m]).collect();
        let axes = RowAxes::new(&block, &params.rows);
        for row in rows(&chosen, &members, &axes, &params.rows) {
            for run in runs(&row, params.rows.touching) {
                found.push(run.into_iter().map(|m| clear[m]).collect());
            }
        }
    }
    let alone = dim.into_iter().map(|i| vec![i]);
    let found = join_slipped(view, found).into_iter().flat_map(|run| without_flowers(view, run));
    found.chain(alone).map(|run| Block::new(view, sizes, run)).collect()
}

/// Splits flowers off the ends of a short row: a player's flowers lie at the head of the sets, and
/// sets that are left out must not take them along. A long row is a hand's own, with its flowers.
/// Flowers within a row, and those that are not clearly flowers, may be misread tiles and stay.
fn without_flowers(view: &TopView, row: Vec<usize>) -> Vec<Vec<usize>> {
    let first = row.iter().take_while(|&&i| is_sure_flower(view, i)).count();
    let last = row[first..].iter().rev().take_while(|&&i| is_sure_flower(view, i)).count();
    let (head, rest) = row.split_at(first);
    let (rest, tail) = rest.split_at(rest.len() - last);
    if rest.len() > view.params.flowers.max_sets {
        return vec![row];
    }
    [head, rest, tail].into_iter().filter(|part| !part.is_empty()).map(<[usize]>::to_vec).collect()
}

fn is_sure_flower(view: &TopView, i: usize) -> bool {
    let (sort, p) = view.tiles[i].faces.sort();
    sort == Sort::Bonus && p >= view.params.visibility.sure_flower
}

/// Returns a row's runs without wide gaps: two runs may touch the same other row without touching
/// each other.
fn runs(row: &TileRow, touching: f32) -> Vec<Vec<usize>> {
    let mut runs = vec![vec![row.items[0]]];
    for (&item, &gap) in row.items[1..].iter().zip(&row.gaps) {
        if gap > touching {
            runs.push(Vec::new());
        }
        runs.last_mut().expect("a row starts with a run").push(item);
    }
    runs
}

/// Returns the direction of the top of most of the tiles. Reversible faces count in full here:
/// without them 38 of 60 near-photographic hands have the right tiles, with them 40.
fn up(view: &TopView, members: &[usize]) -> Point {
    let items: Vec<RowQuad> =
        members.iter().map(|&i| RowQuad { lopsided: 1.0, ..view.items[i] }).collect();
    RowAxes::new(&items, &view.params.rows).down * -1.0
}

/// Returns the kongs of a row of which some tiles lie face down. Three or four backs alone are a
/// kong of unknown tiles.
fn kongs_in(view: &TopView, members: &[usize]) -> Vec<Vec<usize>> {
    let backs = members.iter().filter(|&&i| view.is_back(i)).count();
    let is_whole = (3..=4).contains(&members.len());
    let is_of_dragons = is_dragon_kong(view, members) && backs > 0;
    let is_hidden = backs == members.len() || hidden_in(view, members).is_some();
    if is_whole && (is_hidden || is_of_dragons) {
        return vec![members.to_vec()];
    }
    let mut kongs: Vec<Vec<usize>> = Vec::new();
    for four in members.windows(4) {
        let is_free = kongs.last().is_none_or(|kong| !four.iter().any(|i| kong.contains(i)));
        if is_free && hidden_in(view, four).is_some() {
            kongs.push(four.to_vec());
        }
    }
    kongs
}

/// Number of white dragons of a set.
const WHITE_DRAGONS: usize = 4;

/// Returns whether a row consists of backs, or of tiles without print that may be backs.
fn is_wall(view: &TopView, members: &[usize]) -> bool {
    let params = view.params;
    let blank = members.iter().filter(|&&i| view.tiles[i].faces.is_blank()).count();
    let has_back = members.iter().any(|&i| view.is_back(i));
    let min_blank = if has_back { params.search.wall_with_back } else { WHITE_DRAGONS + 1 };
    blank >= min_blank && 2 * blank > members.len()
}

/// Returns the other faces of a tile that cost less than a tile that a hand is short of.
fn exchanges_of(tile: &SeenTile, params: &Params) -> Vec<Exchange> {
    let (Some(Face::Tile(from)), p) = tile.faces.top() else { return Vec::new() };
    let min_p = p * (-params.selection.cost_to_win(1)).exp();
    let candidates = tile.faces.candidates(min_p).into_iter();
    let others = candidates.filter_map(|(face, other_p)| Some((face?.tile()?, other_p)));
    others
        .filter(|(to, _)| *to != from)
        .map(|(to, other_p)| Exchange { from, to, cost: (p / other_p).ln() })
        .collect()
}

/// Returns the sets that a row consists of, if it consists of sets. From the right end of the row
/// to the left, each place learns whether sets begin there that reach the end, so that every
/// stretch of tiles is looked at once.
fn sets_in<'a>(view: &TopView, row: &'a [usize]) -> Option<Vec<&'a [usize]>> {
    // Length of the first set from each place on; zero at the end of the row.
    let mut lengths: Vec<Option<usize>> = vec![None; row.len()];
    lengths.push(Some(0));
    for at in (0..row.len()).rev() {
        lengths[at] = [3, 4].into_iter().find(|length| {
            let ends = lengths.get(at + length).is_some_and(Option::is_some);
            ends && is_set(view, &row[at..at + length])
        });
    }
    let mut sets = Vec::new();
    let mut at = 0;
    while at < row.len() {
        let length = lengths[at]?;
        sets.push(&row[at..at + length]);
        at += length;
    }
    Some(sets)
}

/// Returns whether three or four tiles may be a set, face up or down.
fn is_set(view: &TopView, set: &[usize]) -> bool {
    let is_hidden = hidden_in(view, set).is_some() || set.iter().all(|&i| view.is_back(i));
    is_hidden || if set.len() == 3 { may_be_set(view, set) } else { may_be_one_kind(view, set) }
}

/// Returns whether one tile, or two of four, lie across the others.
fn has_turned(view: &TopView, members: &[usize]) -> bool {
    members.iter().any(|&i| {
        let across = members.iter().filter(|&&other| are_crossed(view, i, other));
        2 * across.count() >= members.len()
    })
}

fn are_crossed(view: &TopView, i: usize, j: usize) -> bool {
    let a = &view.items[i].quad;
    let b = &view.items[j].quad;
    // The longer sides of both tiles run down.
    let is_crossed = a.down().unit().dot(b.down().unit()).abs() < view.params.slipped.crossed;
    is_crossed && edge_angle_between(a, b) < view.params.rows.aligned
}
