//! Touching tiles of one row, and what they count for.
//!
//! Input: everything that was seen and can be named. Output: [`Block`]s. Invariant: every tile is in exactly one block,
//! and a block's tiles stand in the order of their row.

use super::super::super::classify::{SeenTile, Sort};
use super::super::super::geometry::Point;
use super::super::super::geometry::rows::{Frame, Item, Row, TOUCHING, blocks, rows};
use super::super::super::geometry::{edge_angle_between, median};
use super::super::backs::{hidden_in, is_blank, is_dragon_kong};
use super::super::mend::mend;
use super::super::options::{may_be_one_kind, may_be_set};
use super::{DIM, DIM_BACK, SURELY_BACK, is_printed, sort, sureness};
use crate::tile::Tile;

/// Touching tiles of one row, with what they count for.
pub(super) struct Block {
    pub(super) members: Vec<usize>,
    /// Playing tiles, but for those of [`Block::kongs`], and what they most likely show.
    pub(super) playing: usize,
    pub(super) faces: Vec<Tile>,
    /// Backs, but for those of [`Block::kongs`].
    pub(super) backs: usize,
    /// Concealed kongs that show some of their tiles and hide the others, or hide all.
    pub(super) kongs: Vec<Vec<usize>>,
    /// The size of its tiles on the table and in the photo.
    pub(super) scale: f32,
    pub(super) size: f32,
    /// How surely these are tiles and have these names, on average.
    pub(super) quality: f32,
    /// Playing tiles other than white dragons: those cannot be mistaken for a tile's top or back.
    pub(super) printed: usize,
    /// How many sets it is when it is nothing else: three or four tiles each, from one end to the other.
    pub(super) sets: usize,
    /// In how many of these some tiles lie across the others.
    pub(super) claimed: usize,
    /// A row of backs, whatever they look like, perhaps with a tile that was turned over among them.
    pub(super) is_wall: bool,
    /// Where the top of most of its tiles is, of length one.
    pub(super) up: Point,
}

impl Block {
    /// Flowers and seasons, and perhaps a shadow beside them that looks like a back.
    pub(super) fn is_flowers(&self) -> bool {
        self.playing == 0 && self.kongs.is_empty() && 2 * self.backs < self.members.len()
    }

    /// White dragons, or what looks like them, and perhaps backs.
    pub(super) fn is_blank(&self) -> bool {
        self.playing > 0 && self.printed == 0
    }

    /// Whether it can be a part of a hand at all: backs lie in kongs alone.
    pub(super) fn can_belong(&self) -> bool {
        self.backs == 0 && !self.is_wall
    }

    /// Whether a hand may be looked for around it: its heart shows faces.
    pub(super) fn can_be_heart(&self) -> bool {
        self.printed > 0 && !self.is_wall
    }

    /// Four of a kind that all lie open.
    pub(super) fn is_open_kong(&self) -> bool {
        self.sets == 1 && self.members.len() == 4 && self.kongs.is_empty()
    }

    /// How likely it is the heart of the hand: many sure faces, large in the picture. More than a hand's fourteen add
    /// nothing: a row of forty is the table's wall.
    pub(super) fn weight(&self) -> f32 {
        let faces = (self.playing + 4 * self.kongs.len()).min(14) as f32;
        faces * self.size * self.quality * if self.playing > 22 { 0.5 } else { 1.0 }
    }
}

fn dim_below(tile: &SeenTile) -> f32 {
    match tile.faces.sort() {
        (Sort::Back, p) if p >= SURELY_BACK => DIM_BACK,
        _ => DIM,
    }
}

/// Parts what touches into rows: a wall may touch the hand, and a second row may be discards.
pub(super) fn blocks_of(
    tiles: &[SeenTile],
    items: &[Item],
    sizes: &[f32],
    usable: &[usize],
) -> Vec<Block> {
    let (dim, clear): (Vec<usize>, Vec<usize>) =
        usable.iter().partition(|&&i| tiles[i].score < dim_below(&tiles[i]));
    let chosen: Vec<Item> = clear.iter().map(|&i| items[i]).collect();
    let mut found = Vec::new();
    for members in blocks(&chosen) {
        let block: Vec<Item> = members.iter().map(|&m| chosen[m]).collect();
        let frame = Frame::of(&block);
        for row in rows(&chosen, &members, &frame) {
            let seen = |run: Vec<usize>| run.into_iter().map(|m| clear[m]).collect::<Vec<_>>();
            found.extend(runs(&row).into_iter().map(seen));
        }
    }
    let alone = dim.into_iter().map(|i| vec![i]);
    let runs = mend(tiles, items, found).into_iter().chain(alone);
    runs.map(|run| block_of(tiles, items, sizes, run)).collect()
}

/// A row's runs without wide gaps: its ends may touch the same other row and not each other.
fn runs(row: &Row) -> Vec<Vec<usize>> {
    let mut runs = vec![vec![row.items[0]]];
    for (&item, &gap) in row.items[1..].iter().zip(&row.gaps) {
        if gap > TOUCHING {
            runs.push(Vec::new());
        }
        runs.last_mut().expect("a row starts with a run").push(item);
    }
    runs
}

fn block_of(tiles: &[SeenTile], items: &[Item], sizes: &[f32], members: Vec<usize>) -> Block {
    let kongs = kongs_in(tiles, &members);
    let is_free = |i: &&usize| kongs.iter().all(|kong: &Vec<usize>| !kong.contains(i));
    let count =
        |of: Sort| members.iter().filter(is_free).filter(|&&i| sort(tiles, i) == of).count();
    let sure = |&i: &usize| tiles[i].score * sureness(&tiles[i]);
    let cut = sets_in(tiles, &members).unwrap_or_default();
    let claimed = cut.iter().filter(|set| has_turned(items, set)).count();
    // Whose tiles these are, reversible faces tell as well as others: without them 38 of 60 near-photographic hands have the
    // right tiles, with them 40.
    let told: Vec<Item> = members.iter().map(|&i| Item { lopsided: 1.0, ..items[i] }).collect();
    let up = Frame::of(&told).down * -1.0;
    Block {
        is_wall: kongs.is_empty() && is_wall(tiles, &members),
        up,
        playing: count(Sort::Playing),
        faces: members
            .iter()
            .filter(is_free)
            .filter_map(|&i| tiles[i].faces.best()?.tile())
            .collect(),
        backs: count(Sort::Back),
        scale: median(members.iter().map(|&i| items[i].quad.scale())).unwrap_or(1.0),
        size: median(members.iter().map(|&i| sizes[i])).unwrap_or(1.0),
        quality: members.iter().map(sure).sum::<f32>() / members.len().max(1) as f32,
        printed: members.iter().filter(|&&i| is_printed(&tiles[i])).count(),
        sets: cut.len(),
        claimed,
        kongs,
        members,
    }
}

/// The kongs of a row of which some tiles lie face down. Three or four backs alone are one that shows nothing.
fn kongs_in(tiles: &[SeenTile], members: &[usize]) -> Vec<Vec<usize>> {
    let is_back = |&i: &usize| sort(tiles, i) == Sort::Back;
    let is_whole = (3..=4).contains(&members.len());
    let is_of_dragons = is_dragon_kong(tiles, members) && members.iter().any(is_back);
    let is_hidden = members.iter().all(is_back) || hidden_in(tiles, members).is_some();
    if is_whole && (is_hidden || is_of_dragons) {
        return vec![members.to_vec()];
    }
    let mut kongs: Vec<Vec<usize>> = Vec::new();
    for four in members.windows(4) {
        let is_free = kongs.last().is_none_or(|kong| !four.iter().any(|i| kong.contains(i)));
        if is_free && hidden_in(tiles, four).is_some() {
            kongs.push(four.to_vec());
        }
    }
    kongs
}

/// This many tiles without print side by side are a wall: there are four white dragons; beside a back three are enough.
const WALL: usize = 5;
const WALL_WITH_BACK: usize = 3;

fn is_wall(tiles: &[SeenTile], members: &[usize]) -> bool {
    let blank = members.iter().filter(|&&i| is_blank(&tiles[i])).count();
    let has_back = members.iter().any(|&i| sort(tiles, i) == Sort::Back);
    let least = if has_back { WALL_WITH_BACK } else { WALL };
    blank >= least && 2 * blank > members.len()
}

/// The sets that a row is, if it is nothing else.
fn sets_in<'a>(tiles: &[SeenTile], row: &'a [usize]) -> Option<Vec<&'a [usize]>> {
    if row.is_empty() {
        return Some(Vec::new());
    }
    [3, 4].into_iter().find_map(|length| {
        let (set, rest) = row.split_at_checked(length)?;
        let is_hidden =
            hidden_in(tiles, set).is_some() || set.iter().all(|&i| sort(tiles, i) == Sort::Back);
        let is_set = match length {
            3 => may_be_set(tiles, set),
            _ => may_be_one_kind(tiles, set),
        };
        let sets = (is_hidden || is_set).then(|| sets_in(tiles, rest)).flatten()?;
        Some(std::iter::once(set).chain(sets).collect())
    })
}

/// Whether one tile, or two of four, lie across the others.
fn has_turned(items: &[Item], members: &[usize]) -> bool {
    let is_across = |a: usize, b: usize| {
        let (a, b) = (&items[a].quad, &items[b].quad);
        // Both are upright: their longer sides run down.
        let is_crossed = a.down().unit().dot(b.down().unit()).abs() < 0.5;
        is_crossed && edge_angle_between(a, b) < 0.35
    };
    let against = |&i: &usize| members.iter().filter(|&&other| is_across(i, other)).count();
    members.iter().filter(|i| 2 * against(i) >= members.len()).count() > 0
}
