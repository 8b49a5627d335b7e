//! The table as blocks, with a cache of the worth of their combinations.
//!
//! Input: the table seen from above and its blocks. Output: a [`BlockView`]. Invariant: cached
//! values depend only on blocks, so they are valid around every anchor.

use std::cell::RefCell;
use std::collections::HashMap;

use tilesight_core::hand::HandSize;
use tilesight_core::rules::{Profile, Shapes};
use tilesight_core::tiles::Counts;

use super::super::super::params::Params;
use super::super::faces::shows_print;
use super::super::top_view::TopView;
use super::Target;
use super::blocks::Block;
use super::steps::{Steps, steps_between};
use crate::effort::Effort;
use crate::pixels::seen_tile::SeenTile;
use crate::wins::distance::WinDistance;
use crate::wins::orphans_win;

/// The table as blocks, with the data that their combinations are judged by.
pub(super) struct BlockView<'a> {
    pub(super) tiles: &'a [SeenTile],
    pub(super) blocks: &'a [Block],
    pub(super) between: Steps,
    /// For each block of one or two tiles the blocks of clear faces that lie near, the nearest
    /// first, with their distances.
    pub(super) near_faces: Vec<Vec<(f32, usize)>>,
    /// Blocks that are rows as long as a player's closed tiles.
    pub(super) long_rows: Vec<usize>,
    /// Whether each block is in a hand that was already found.
    pub(super) taken: Vec<bool>,
    pub(super) ruleset: &'a Profile,
    /// Size of the hand that is searched.
    pub(super) size: HandSize,
    /// Whether the hand that is searched is the one that won.
    pub(super) won: bool,
    pub(super) orphans_win: bool,
    pub(super) params: &'a Params,
    /// Budget of the search.
    pub(super) effort: &'a Effort,
    pub(super) distance: RefCell<WinDistance>,
    /// Cache of the worth of combinations: the same ones are weighed around several anchors.
    pub(super) known: RefCell<HashMap<BlockSet, f32>>,
    /// Cache of whether tiles, beside a number of kongs, may win.
    pub(super) may_win: RefCell<HashMap<(Counts, usize), bool>>,
}

impl<'a> BlockView<'a> {
    /// Creates the view of a table on which hands of a size are searched within a budget.
    pub(super) fn new(
        view: &TopView<'a>,
        blocks: &'a [Block],
        aim: Target<'a>,
        size: HandSize,
        effort: &'a Effort,
    ) -> BlockView<'a> {
        let between = steps_between(blocks, view.items, view.params.flowers.straight_reach);
        let search = &view.params.search;
        BlockView {
            tiles: view.tiles,
            blocks,
            near_faces: near_faces(blocks, &between, view.params),
            long_rows: (0..blocks.len()).filter(|&b| blocks[b].is_row_of_hand(search)).collect(),
            between,
            taken: vec![false; blocks.len()],
            ruleset: aim.ruleset,
            size,
            won: aim.won,
            orphans_win: aim.ruleset.rules().size() == size && orphans_win(aim.ruleset),
            params: view.params,
            effort,
            distance: RefCell::default(),
            known: RefCell::default(),
            may_win: RefCell::default(),
        }
    }

    /// Returns the number of printed faces that blocks show, each counted by its score times its
    /// confidence. White dragons and backs are left out: every blank key and box looks like one.
    pub(super) fn evidence(&self, blocks: &[usize]) -> f32 {
        let members = blocks.iter().flat_map(|&b| &self.blocks[b].members);
        let printed = members.map(|&i| &self.tiles[i]).filter(|tile| shows_print(tile));
        printed.map(|tile| tile.score * tile.faces.top().1).sum()
    }

    /// Returns the number of tiles of the hand that is searched, without the fourth tiles of kongs.
    pub(super) fn tiles_of_hand(&self) -> usize {
        if self.won { self.size.tiles() } else { self.size.waiting() }
    }

    /// Returns the maximum number of kongs in a hand; each has a fourth tile beyond the hand's.
    pub(super) fn max_kongs(&self) -> usize {
        self.size.sets()
    }

    /// Returns the maximum number of tiles in a combination.
    pub(super) fn max_tiles(&self) -> usize {
        self.size.tiles() + self.max_kongs()
    }

    /// Returns the number of sets that a hand needs beside kongs.
    pub(super) fn sets_beside(&self, kongs: usize) -> usize {
        self.size.sets().saturating_sub(kongs)
    }

    /// Returns the winning shapes of hands of this size, other than sets and a pair.
    fn shapes(&self) -> Shapes {
        let rules = self.ruleset.rules();
        if rules.size() == self.size { rules.shapes() } else { Shapes::default() }
    }

    /// Returns the distance of tiles beside kongs to sets and a pair, or to pairs.
    pub(super) fn distance_to_win(&self, faces: &Counts, kongs: usize) -> usize {
        let all = self.shapes();
        let shapes = Shapes { seven_pairs: all.seven_pairs && kongs == 0, ..all };
        self.distance.borrow_mut().measure(faces, self.sets_beside(kongs), shapes)
    }

    /// Returns how suitable a block is as an anchor.
    pub(super) fn weight(&self, b: usize) -> f32 {
        self.blocks[b].weight(self.size, &self.params.search)
    }

    /// Returns the number of tiles of blocks.
    pub(super) fn count(&self, blocks: &[usize]) -> usize {
        blocks.iter().map(|&b| self.size(b)).sum()
    }

    /// Returns the tiles of blocks.
    pub(super) fn members(&self, blocks: &[usize]) -> Vec<usize> {
        blocks.iter().flat_map(|&b| self.blocks[b].members.iter().copied()).collect()
    }
}

/// Returns for each block of one or two tiles the blocks of clear faces that lie near enough for it
/// to be among them, the nearest first.
fn near_faces(blocks: &[Block], between: &Steps, params: &Params) -> Vec<Vec<(f32, usize)>> {
    let mut near = vec![Vec::new(); blocks.len()];
    for b in (0..blocks.len()).filter(|&b| blocks[b].members.len() <= 2) {
        for (other, block) in blocks.iter().enumerate().filter(|(other, _)| *other != b) {
            let is_face = block.printed > 0 && block.quality > params.visibility.sure_block;
            let gap = between[b][other].gap;
            if is_face && gap < params.selection.among {
                near[b].push((gap, other));
            }
        }
        near[b].sort_by(|x: &(f32, usize), y| x.0.total_cmp(&y.0));
    }
    near
}

/// A set of blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct BlockSet(Vec<u64>);

impl BlockSet {
    pub(super) fn from_blocks(blocks: &[usize]) -> BlockSet {
        let mut set = BlockSet::default();
        blocks.iter().for_each(|&block| set.insert(block));
        set
    }

    fn insert(&mut self, block: usize) {
        if self.0.len() <= block / 64 {
            self.0.resize(block / 64 + 1, 0);
        }
        self.0[block / 64] |= 1 << (block % 64);
    }
}
