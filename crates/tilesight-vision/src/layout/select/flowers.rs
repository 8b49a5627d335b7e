//! Selection of the flowers that belong to the hand.
//!
//! Flowers lie further from the hand than its other tiles, and nothing else looks like them, so
//! they have rules of their own. They select the blocks of flowers that are the hand's, those that
//! may be, and the tiles that may be misread flowers.

use tilesight_core::tile::{Bonus, Face};

use super::super::super::geometry::Point;
use super::super::super::params::{LIKELY, Params};
use super::block_view::BlockView;
use super::steps::nearest_of;
use crate::pixels::seen_tile::SeenTile;

/// Blocks of flowers by their owner.
#[derive(Default)]
pub(super) struct OwnFlowers {
    /// Blocks that count as the hand's own.
    pub(super) taken: Vec<usize>,
    /// Blocks whose owner is open, with the probability that it is the hand's.
    pub(super) open: Vec<(usize, f32)>,
}

/// Returns the blocks of flowers that are more likely the hand's own than not, and those whose
/// owner is open.
pub(super) fn own_flowers(table: &BlockView, hand: &[usize]) -> OwnFlowers {
    let params = &table.params.flowers;
    let mut own = OwnFlowers::default();
    let hand = HandAmongOthers::new(table, hand);
    let flowers = (0..table.blocks.len()).filter(|&b| table.blocks[b].is_flowers());
    for b in flowers.filter(|&b| !table.taken[b]) {
        let Some(place) = FlowerPlace::new(&hand, b) else { continue };
        let p = place.own_probability(table.params);
        if p >= LIKELY {
            own.taken.push(b);
        }
        if (params.surely_others..params.surely_own).contains(&p) {
            own.open.push((b, p));
        }
    }
    own
}

/// A hand, and the faces on the table that are not the hand's.
struct HandAmongOthers<'a> {
    table: &'a BlockView<'a>,
    hand: &'a [usize],
    others: Vec<usize>,
    /// Direction of the top of most of the hand's tiles.
    up: Point,
}

impl<'a> HandAmongOthers<'a> {
    fn new(table: &'a BlockView<'a>, hand: &'a [usize]) -> HandAmongOthers<'a> {
        let sure = table.params.visibility.sure_block;
        // False alarms, walls and other flowers, of which one may have the name of a playing tile,
        // are no evidence for the flowers' owner.
        let others = (0..table.blocks.len()).filter(|b| !hand.contains(b)).filter(|&b| {
            let block = &table.blocks[b];
            block.printed > 0 && block.quality > sure && !block.is_flowers()
        });
        let up = hand.iter().fold(Point::default(), |sum, &b| {
            sum + table.blocks[b].up * table.blocks[b].members.len() as f32
        });
        HandAmongOthers { table, hand, others: others.collect(), up: up.unit() }
    }

    /// Returns whether a block beside the hand may hold a misread flower: it is small, near, and
    /// not among discards.
    fn may_hold_flower(&self, b: usize) -> bool {
        let params = &self.table.params.flowers;
        let block = &self.table.blocks[b];
        !self.hand.contains(&b)
            && block.playing > 0
            && block.backs == 0
            && block.members.len() <= params.max_block
            && self.to_hand(b).0 <= params.straight_reach
            && !self.is_clutter(b)
    }

    /// Returns the distance and the angle of a block from the hand.
    fn to_hand(&self, b: usize) -> (f32, f32) {
        nearest_of(&self.table.between, self.hand, b)
    }

    /// Returns the distance of a block from faces that are not the hand's.
    fn to_others(&self, b: usize) -> f32 {
        let gaps = self.others.iter().filter(|&&other| other != b);
        gaps.map(|&other| self.table.between[b][other].gap).fold(f32::INFINITY, f32::min)
    }

    /// Returns whether flowers lie among tiles that are not the hand's: then they are discards
    /// themselves, or another player's.
    fn is_clutter(&self, flowers: usize) -> bool {
        let (gap, angle) = self.to_hand(flowers);
        let params = &self.table.params.flowers;
        let is_straight = angle < self.table.params.selection.angle_noise;
        let among = if is_straight { params.among_straight } else { params.among };
        let others = self.to_others(flowers);
        others < among && others < gap
    }
}

/// Place of a block of flowers relative to a hand and to everything else.
struct FlowerPlace {
    /// Distance from the hand.
    gap: f32,
    /// Angle to the hand's nearest tile, in degrees.
    angle: f32,
    /// Share of a quarter turn by which the flowers lie across the hand's own direction.
    across: f32,
    /// Distance by which another face is nearer than the hand.
    nearer: f32,
    /// Whether the flowers lie among tiles that are not the hand's.
    is_clutter: bool,
}

impl FlowerPlace {
    /// Measures the place of a block; `None` if it has another size than the hand's tiles, is too
    /// unclear to be a flower, or lies far off and nearer to something else.
    fn new(around: &HandAmongOthers, flowers: usize) -> Option<FlowerPlace> {
        let table = around.table;
        let params = &table.params.flowers;
        let block = &table.blocks[flowers];
        let cost = table.flower_cost(flowers, around.hand)?;
        let is_clear = block.quality > table.params.visibility.sure_block
            || block.quality > params.quality_in_line && cost <= params.in_line;
        if is_clear { FlowerPlace::measure(around, flowers) } else { None }
    }

    /// Measures the place of a block that need not be clear; `None` if it lies far off and nearer
    /// to something else.
    fn measure(around: &HandAmongOthers, flowers: usize) -> Option<FlowerPlace> {
        let params = &around.table.params.flowers;
        let block = &around.table.blocks[flowers];
        let (gap, angle) = around.to_hand(flowers);
        let others = around.to_others(flowers);
        if gap > params.straight_reach && others < gap {
            return None;
        }
        Some(FlowerPlace {
            gap: gap.min(params.straight_reach),
            angle,
            across: 1.0 - block.up.dot(around.up).abs(),
            nearer: (gap - others).clamp(0.0, params.max_nearer),
            is_clutter: around.is_clutter(flowers),
        })
    }

    /// Returns the probability that the flowers are the hand's.
    fn own_probability(&self, params: &Params) -> f32 {
        let askew = (self.angle - params.selection.angle_noise).max(0.0);
        let flowers = &params.flowers;
        let evidence = flowers.beside
            - flowers.each_width * self.gap
            - flowers.each_degree * askew
            - flowers.lies_across * self.across
            - flowers.each_nearer * self.nearer
            - if self.is_clutter { flowers.among_others } else { 0.0 };
        1.0 / (1.0 + (-evidence).exp())
    }
}

/// Returns tiles in small ignored blocks near the hand, away from discards, that may be flowers
/// although the block shows another face, with the probability that they are the hand's. A misread
/// flower must become a doubt, and so must the flower beside it.
///
/// Of the 123 held-out photos of hands seven had such a tile that was asked about with a
/// probability of 0.25: a die, and tiles at the far ends of other rows. None was a flower of the
/// hand.
pub(super) fn mixed_flowers(table: &BlockView, hand: &[usize]) -> Vec<(usize, f32)> {
    let params = &table.params.flowers;
    let dim = table.params.visibility.dim;
    let around = HandAmongOthers::new(table, hand);
    let mut doubtful = Vec::new();
    for b in (0..table.blocks.len()).filter(|&b| around.may_hold_flower(b)) {
        let own =
            FlowerPlace::measure(&around, b).map_or(0.0, |at| at.own_probability(table.params));
        for &i in table.blocks[b].members.iter().filter(|&&i| table.tiles[i].score >= dim) {
            let flower = flower_probability(&table.tiles[i]);
            let p = own * flower;
            if flower >= params.maybe && p >= params.surely_others {
                doubtful.push((i, p.min(LIKELY)));
            }
        }
    }
    doubtful
}

fn flower_probability(tile: &SeenTile) -> f32 {
    let names = Bonus::ALL.into_iter();
    names.map(|bonus| tile.faces.probability(Some(Face::Bonus(bonus)))).sum()
}
