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
mod backs;
mod companions;
mod ignored;
mod manners;
mod mend;
mod options;
mod params;
mod plan;
mod raised;
mod select;

use serde::Serialize;

pub use arrange::Group;
pub use ignored::Ignored;
pub use manners::Manners;
pub use params::Params;
pub use plan::{MeldPlan, MeldShape, Plan};
pub use raised::Raised;
pub(super) use select::DIM;

use super::classify::{SeenTile, Sort};
use super::geometry::plane::{Mark, Plane};
use super::geometry::rows::Item;
use super::geometry::{Point, Quad};
use crate::rules::RulesetId;
use crate::tile::{Face, Tile};

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
    /// The tiles of the chosen hand, then those of every other complete hand in view, best first.
    pub hands: Vec<Vec<usize>>,
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

/// What hand is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Sought {
    /// The rule set by which tiles are laid and hands win.
    pub ruleset: RulesetId,
    /// A point in the tiles' own pixels: the hand is the one that holds the tile under it or nearest to it.
    pub focus: Option<Point>,
    /// What the choice weighs.
    pub params: Params,
    /// What the readings of its groups weigh.
    pub manners: Manners,
}

impl Sought {
    /// The best hand by a rule set, wherever it lies.
    #[must_use]
    pub fn by(ruleset: RulesetId) -> Sought {
        Sought { ruleset, focus: None, params: Params::default(), manners: Manners::USUAL }
    }
}

/// Finds the hand among the seen tiles and lists the readings of its layout, as the rule set has
/// tiles laid; what can be a winning hand is the rule set's as well. With a focus, the hand is the one that
/// holds the tile under that point or nearest to it, in the tiles' own pixels.
#[must_use]
pub fn lay_out(tiles: &[SeenTile], ruleset: RulesetId, focus: Option<Point>) -> Layout {
    lay_out_sought(tiles, &Sought { focus, ..Sought::by(ruleset) })
}

/// The same with other weights.
#[must_use]
pub fn lay_out_sought(tiles: &[SeenTile], sought: &Sought) -> Layout {
    let ruleset = sought.ruleset;
    let mut flat = from_above(tiles);
    companions::make_flowers(&mut flat);
    let items: Vec<Item> = flat.iter().map(item_of).collect();
    let sizes: Vec<f32> = tiles.iter().map(|tile| tile.quad.scale()).collect();
    let focus = sought.focus.and_then(|point| tile_at(tiles, point));
    let selection = select::select(&flat, &items, &sizes, sought, focus);
    let arrangement = arrange::arrange(&flat, &items, &selection.hand);
    let plans = plan::plans(&flat, &arrangement, ruleset.conventions(), &sought.manners);
    Layout {
        groups: arrangement.groups,
        tops: tiles.iter().zip(arrangement.tops).map(|(tile, turn)| tile.up(turn)).collect(),
        sideways: arrangement.sideways,
        plans,
        ignored: selection.ignored,
        doubtful_flowers: selection.doubtful_flowers,
        doubtful_tiles: selection.doubtful_tiles,
        hands: selection.hands,
        flower_gaps: arrangement.flower_gaps,
        ruleset,
    }
}

/// The face under a point, or the one nearest to it.
fn tile_at(tiles: &[SeenTile], point: Point) -> Option<usize> {
    let pixel = Quad::rectangle(point.x - 0.5, point.y - 0.5, 1.0, 1.0);
    let away = |i: &usize| {
        let quad = &tiles[*i].quad;
        // Tiles overlap by their loose corners: under both, the nearer centre decides.
        (quad.distance(&pixel), (quad.centre() - point).length())
    };
    let faces = (0..tiles.len()).filter(|&i| tiles[i].faces.sort().0 != Sort::Nothing);
    faces.min_by(|a, b| {
        let (a, b) = (away(a), away(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    })
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

/// How much of what the classifier says of up and down is believed of a face that is usually drawn the same upside down: its
/// training accepts either half turn of these. In 45 near-photographic tables it is right for 60 % of them, for 99 % of the
/// hand's other faces; on real sets it knows better. With 0.15, which the scenes alone would call for, one more real
/// hand is read upside down, with 1 eight drawn tables more in a hundred.
const REVERSIBLE: f32 = 0.4;

/// A tile as geometry sees it: its outline and the mean of where its top may be.
fn item_of(tile: &SeenTile) -> Item {
    let top = (0..4).fold(Point::default(), |sum, turn| sum + tile.up(turn) * tile.turns[turn]);
    let is_reversible = tile.faces.best().and_then(Face::tile).is_some_and(Tile::is_reversible);
    Item { quad: tile.quad, top, lopsided: if is_reversible { REVERSIBLE } else { 1.0 } }
}
