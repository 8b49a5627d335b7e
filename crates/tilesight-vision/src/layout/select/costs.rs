//! Costs of including a block in a hand.
//!
//! Input: the table's blocks. Output: costs in nats, negative if there is evidence for the block.
//! Invariant: costs depend on places and likeliest faces, not on whether the hand wins.

use tilesight_core::tile::Tile;
use tilesight_core::tiles::Counts;

use super::super::super::params::SelectionParams;
use super::block_view::BlockView;
use super::steps::Step;

impl BlockView<'_> {
    /// Returns the number of a hand's tiles that a block counts for. The fourth tile of an
    /// open kong counts too.
    pub(super) fn size(&self, b: usize) -> usize {
        self.blocks[b].playing + 3 * self.blocks[b].kongs.len()
    }

    /// Returns the least number of a hand's tiles that a block takes the place of: four of a kind
    /// are a kong, and so is a single tile beside three of its kind.
    pub(super) fn min_size(&self, b: usize, others: &[usize]) -> usize {
        if others.iter().any(|&other| other != b && self.is_fourth(b, other)) {
            return 0;
        }
        let faces: Counts = self.blocks[b].faces.iter().copied().collect();
        let fours = Tile::ALL.into_iter().filter(|&tile| faces.count(tile) == 4).count();
        self.size(b) - fours
    }

    /// Returns whether a block has the anchor's scale; otherwise it is another row of the table.
    pub(super) fn is_of_scale(&self, b: usize, anchor: usize) -> bool {
        let octaves = (self.blocks[b].scale / self.blocks[anchor].scale).ln().abs();
        octaves <= self.params.search.scale_factor.ln()
    }

    /// Returns the cost of a step to a block: sets are carried further than tiles.
    pub(super) fn cost(&self, b: usize, step: Step) -> f32 {
        let SelectionParams { far, far_single, set, .. } = self.params.selection;
        let block = &self.blocks[b];
        let is_small = block.members.len() <= 2;
        let cost = step.cost(&self.params.selection, if is_small { far + far_single } else { far });
        cost - set * block.sets as f32 - set * block.claimed as f32
    }

    /// Returns the cost of including the block in a hand, wherever it lies.
    pub(super) fn own_cost(&self, b: usize) -> f32 {
        let block = &self.blocks[b];
        let params = &self.params.selection;
        let unsure = params.unsure * (params.sure_quality - block.quality).max(0.0);
        let shows_nothing = block.printed == 0 && !block.is_flowers();
        unsure + if shows_nothing { params.blank } else { 0.0 }
    }

    /// Returns the part of [`BlockView::own_cost`] that a block does not cost as one of two equal
    /// ones that make the hand win: white dragons that are too sure to be backs or tops of tiles
    /// show their frames.
    pub(super) fn refund(&self, b: usize) -> f32 {
        let block = &self.blocks[b];
        let params = &self.params.selection;
        let mut confidences = block.members.iter().map(|&i| self.tiles[i].faces.top().1);
        let is_sure = block.is_blank() && confidences.all(|p| p >= params.sure_dragon);
        if is_sure { params.blank } else { 0.0 }
    }

    /// Returns the cost of flowers by their distance from a hand; `None` if they have another size,
    /// like dice and counting sticks. The limit is lower for dim ones.
    pub(super) fn flower_cost(&self, b: usize, hand: &[usize]) -> Option<f32> {
        let steps = hand.iter().map(|&other| self.between[b][other]);
        let nearest = steps.min_by(|x, y| x.gap.total_cmp(&y.gap))?;
        let is_dim = self.blocks[b].quality < self.params.selection.sure_quality;
        let max_factor = if is_dim {
            self.params.flowers.dim_scale_factor
        } else {
            self.params.search.scale_factor
        };
        let is_tile = nearest.octaves <= max_factor.ln();
        is_tile.then(|| nearest.near_cost(&self.params.selection) + self.own_cost(b))
    }

    /// Returns the cost of a block for facing another way than the anchor, as another player's
    /// tiles do, and for lying before such a player. Single tiles and pairs cost less.
    pub(super) fn facing(&self, b: usize, anchor: usize) -> f32 {
        let away = (1.0 - self.blocks[b].up.dot(self.blocks[anchor].up)) / 2.0;
        let params = &self.params.selection;
        let share = if self.blocks[b].members.len() <= 2 { params.facing_small } else { 1.0 };
        let another = if self.is_of_another(b, anchor) { params.of_another } else { 0.0 };
        params.facing * share * away + another
    }

    /// Returns whether a set lies before another player: a long row that faces as it does lies
    /// nearer to it than the anchor, which faces another way.
    fn is_of_another(&self, b: usize, anchor: usize) -> bool {
        let away = self.between[b][anchor].gap;
        let mut others = self.long_rows.iter().filter(|&&row| row != b && row != anchor);
        self.blocks[b].sets > 0
            && !self.faces_like(b, anchor)
            && others.any(|&row| self.between[b][row].gap < away && self.faces_like(b, row))
    }

    /// Returns whether two blocks face nearly the same way.
    fn faces_like(&self, b: usize, other: usize) -> bool {
        self.blocks[b].up.dot(self.blocks[other].up) > self.params.search.same_way
    }

    /// Returns whether a block is a single tile that touches three of its kind.
    pub(super) fn is_fourth(&self, b: usize, set: usize) -> bool {
        let tile = &self.blocks[b];
        let three = &self.blocks[set];
        let is_same = three.faces.iter().all(|face| tile.faces == [*face]);
        tile.members.len() == 1
            && three.faces.len() == 3
            && is_same
            && self.between[b][set].gap <= self.params.rows.touching
    }

    /// Returns whether two blocks of white dragons touch.
    pub(super) fn are_dragons(&self, a: usize, b: usize) -> bool {
        self.blocks[a].is_blank()
            && self.blocks[b].is_blank()
            && self.between[a][b].gap <= self.params.rows.touching
    }

    /// Returns the cost of a block beside others.
    pub(super) fn cost_beside(&self, b: usize, others: impl Iterator<Item = usize>) -> f32 {
        let mut nearest = f32::INFINITY;
        let mut is_of_dragons = false;
        for other in others {
            nearest = nearest.min(self.cost(b, self.between[b][other]));
            // A white dragon beside others is not the top of a tile.
            is_of_dragons |= self.are_dragons(b, other);
        }
        nearest + if is_of_dragons { 0.0 } else { self.own_cost(b) }
    }

    /// Returns the cost of a tile or a pair for lying among tiles that are not the hand's.
    pub(super) fn crowd(&self, b: usize, hand: &[usize]) -> f32 {
        if self.blocks[b].members.len() > 2 {
            return 0.0;
        }
        let to_hand = hand
            .iter()
            .filter(|&&other| other != b)
            .map(|&other| self.between[b][other].gap)
            .fold(f32::INFINITY, f32::min);
        let of_others = self.near_faces[b].iter().find(|(_, other)| !hand.contains(other));
        let is_among = of_others.is_some_and(|&(gap, _)| gap < to_hand);
        if is_among { self.params.selection.crowd } else { 0.0 }
    }

    /// Returns the cost of blocks that lie far from all others, are not sets and do not make the
    /// hand win.
    pub(super) fn strays(&self, hand: &[usize]) -> f32 {
        let strays = hand[1..].iter().filter(|&&b| self.is_stray(b, hand)).count();
        self.params.selection.stray * strays as f32
    }

    /// Returns whether a block is no set and lies far from the others of a hand.
    fn is_stray(&self, b: usize, hand: &[usize]) -> bool {
        let others = hand.iter().filter(|other| **other != b);
        let near = others
            .map(|&other| self.between[b][other].near_cost(&self.params.selection))
            .fold(f32::INFINITY, f32::min);
        self.blocks[b].sets == 0 && near > self.params.selection.belongs
    }
}
