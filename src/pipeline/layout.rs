//! Which of the seen tiles are the hand, and as what parts.
//!
//! Input: [`SeenTile`]s. Output: a [`Layout`]: the chosen tiles in groups of reading order, what
//! was left out and why, and the [`Plan`]s, the possible readings of the groups as concealed
//! tiles, winning tile, melds and flowers. The tiles are first put as they would be seen from straight
//! above the table. Then `select` finds the hand among everything else, `arrange` sorts it into rows
//! and groups (`raised` finds tiles that lie on others), `plan` lists the readings.
//! Invariant: every seen tile is in exactly one group or ignored for one reason; a layout never
//! fails, at worst it has no plan.

mod arrange;
mod options;
mod plan;
mod raised;
mod select;

use serde::Serialize;

pub use arrange::Group;
pub use plan::{MeldPlan, MeldShape, Plan};
pub use raised::Raised;
pub(super) use select::DIM;

use super::classify::{SeenTile, Sort};
use super::geometry::Point;
use super::geometry::plane::{Mark, Plane};
use super::geometry::rows::Item;
use super::reading::Ignored;
use crate::rules::RulesetId;

/// The hand's tiles and their possible readings.
#[derive(Debug, Clone, Serialize)]
pub struct Layout {
    /// The groups of the hand in reading order.
    pub groups: Vec<Group>,
    /// For every seen tile: whether it lies across its group.
    pub sideways: Vec<bool>,
    /// For every seen tile: where its top points.
    pub tops: Vec<Point>,
    /// The possible readings, the most plausible first.
    pub plans: Vec<Plan>,
    /// The tiles that are not the hand's, and why.
    pub ignored: Vec<(usize, Ignored)>,
    /// Flowers, in the hand or ignored, that may as well be the other: they lie far from it though
    /// alone, or close to it though among discards.
    pub doubtful_flowers: Vec<usize>,
    /// Tiles that were left out, though a winning hand would win with them as well (the fourth of a kong), or they
    /// touch it.
    pub doubtful_tiles: Vec<usize>,
    /// Neighbours in a row of flowers with room for one more between them: it may not have been seen.
    pub flower_gaps: Vec<(usize, usize)>,
    /// The rule set by which tiles are laid and hands win.
    pub ruleset: RulesetId,
}

/// Finds the hand among the seen tiles and lists the readings of its layout, as the rule set has
/// tiles laid; what can be a winning hand is the rule set's as well.
#[must_use]
pub fn lay_out(tiles: &[SeenTile], ruleset: RulesetId) -> Layout {
    let flat = from_above(tiles);
    let items: Vec<Item> = flat.iter().map(item_of).collect();
    let sizes: Vec<f32> = tiles.iter().map(|tile| tile.quad.scale()).collect();
    let selection = select::select(&flat, &items, &sizes, ruleset);
    let arrangement = arrange::arrange(&flat, &items, &selection.hand);
    let plans = plan::plans(&flat, &arrangement, ruleset.conventions());
    Layout {
        groups: arrangement.groups,
        tops: tiles.iter().zip(arrangement.tops).map(|(tile, turn)| tile.up(turn)).collect(),
        sideways: arrangement.sideways,
        plans,
        ignored: selection.ignored,
        doubtful_flowers: selection.doubtful_flowers,
        doubtful_tiles: selection.doubtful_tiles,
        flower_gaps: arrangement.flower_gaps,
        ruleset,
    }
}

/// The tiles as they would be seen from straight above the table: then distances, angles and sizes are the same all
/// over it.
fn from_above(tiles: &[SeenTile]) -> Vec<SeenTile> {
    // Backs and what looks like white dragons are often the sides of tiles, which lie in other planes.
    let is_face = |tile: &&SeenTile| {
        let is_clear = tile.inside >= 1.0 && tile.score >= select::DIM;
        is_clear && select::shows_print(tile) && tile.faces.top().1 > 0.5
    };
    let marks: Vec<Mark> = tiles.iter().filter(is_face).map(mark_of).collect();
    let plane = Plane::of(&marks);
    let flat = |tile: &SeenTile| SeenTile {
        quad: tile.quad.map(|corner| plane.flat(corner)),
        ..tile.clone()
    };
    tiles.iter().map(flat).collect()
}

/// A tile's outline, and along which sides its print says that it is long.
fn mark_of(tile: &SeenTile) -> Mark {
    let upright = tile.turns[0] + tile.turns[2];
    let is_known = tile.faces.sort().0 != Sort::Back && (upright - 0.5).abs() > 0.3;
    Mark { quad: tile.quad, is_upright: is_known.then_some(upright > 0.5) }
}

/// A tile as geometry sees it: its outline and the mean of where its top may be.
fn item_of(tile: &SeenTile) -> Item {
    let top = (0..4).fold(Point::default(), |sum, turn| sum + tile.up(turn) * tile.turns[turn]);
    Item { quad: tile.quad, top }
}
