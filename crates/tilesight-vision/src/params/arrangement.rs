//! Parameters for sorting the hand's tiles into heaps, rows and groups, and for tiles that lie on
//! others.
//!
//! Invariant: distances are in tile widths unless a field says otherwise.

use serde::{Deserialize, Serialize};

/// Parameters for sorting the hand's tiles into heaps, rows and groups.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ArrangementParams {
    /// A gap is a separation if it exceeds the usual gap between neighbours by this many tile
    /// widths. Neighbours that touch differ by 0.1 (corner noise of 0.07 on each side); sets and
    /// winning tiles are set apart by 0.4 and more.
    pub separation: f32,
    /// Maximum distance, in widths, between tiles of one heap. Rows of a hand, and sets scattered
    /// before it, lie within one width of each other; tiles further away need not share a line.
    pub near: f32,
    /// Maximum angle, in radians, between tiles of one heap: sets that are thrown down or pushed to
    /// the table's side have directions of their own. Not tuned.
    pub aligned: f32,
    /// The direction of a run is known if its number of tiles is less than this many times the
    /// length of the sum of their directions, as when two of the three tiles of a set lie the same
    /// way. A kong with two turned tiles has no known direction.
    pub agreement: f32,
    /// Vote of a tile elsewhere in the hand for the direction that the largest heap faces, relative
    /// to a tile of that heap. Without it two of 300 drawn tables fewer are read exactly and none
    /// more; 95 photos and 30 renders stay as they are (2026-11-30). Not tuned.
    pub elsewhere_vote: f32,
    /// Minimum width of the gap that an undetected tile leaves between two flowers. Not tuned.
    pub min_flower_gap: f32,
    /// Maximum width of that gap. Not tuned.
    pub max_flower_gap: f32,
    /// Width of a tile as a share of its length. The ratio of extents changes by the inverse square
    /// of this when the tile is turned sideways.
    pub width_of_length: f32,
    /// Maximum distance of a single tile to the group below it, as a share of the tile's length.
    /// Not tuned.
    pub above_gap: f32,
    /// Minimum height of the single tile's middle above that of the tile below, as a share of its
    /// length. Not tuned.
    pub min_above: f32,
    /// Maximum height of the single tile's middle above that of the tile below, as a share of its
    /// length. Not tuned.
    pub max_above: f32,
    /// Maximum sideways offset between the two middles, as a share of the single tile's length. Not
    /// tuned: half a tile.
    pub above_aside: f32,
}

impl ArrangementParams {
    /// The values in use.
    pub const DEFAULT: ArrangementParams = ArrangementParams {
        separation: 0.3,
        near: 1.5,
        aligned: 0.4,
        agreement: 5.0,
        elsewhere_vote: 0.5,
        min_flower_gap: 0.75,
        max_flower_gap: 1.5,
        width_of_length: 0.75,
        above_gap: 0.2,
        min_above: 0.25,
        max_above: 1.2,
        above_aside: 0.5,
    };
}

/// Parameters for joining sets whose turned tile slipped out of line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SlippedParams {
    /// Maximum sideways offset of a tile from the line of the others. A row below or above is 1.3
    /// away.
    pub aside: f32,
    /// Minimum distance between the middles of two neighbours along the line: a tile above another
    /// is not its neighbour. Not tuned.
    pub apart: f32,
    /// Two tiles lie across each other if the cosine of the angle between them is below this: at
    /// more than sixty degrees.
    pub crossed: f32,
}

impl SlippedParams {
    /// The values in use.
    pub const DEFAULT: SlippedParams = SlippedParams { aside: 0.75, apart: 0.55, crossed: 0.5 };
}

/// Parameters for tiles that lie on others: the fourth tile of an added kong on the middle one of
/// its pung.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RaisedParams {
    /// Minimum probability with which a tile is reported as lying on another. Not tuned.
    pub min_p: f32,
    /// Distance from its place, in widths, at which a tile of its neighbours' size is as likely
    /// raised as not. Tiles on the table lie within 0.1 widths of their places. Seen from 75
    /// degrees above the table, a raised tile of the usual thickness, three quarters of a width,
    /// shows 0.2 widths off; from 45 degrees, 0.75.
    pub off: f32,
    /// Further distance over which the odds of being raised grow by a factor of e. A third of a
    /// width further off, the tile is surely raised.
    pub off_spread: f32,
    /// Size relative to its neighbours at which a tile at its place is as likely raised as not. A
    /// raised tile shows larger by 3 to 7 %.
    pub larger: f32,
    /// Further size over which the odds of being raised grow by a factor of e. Corners give a
    /// tile's size to 2 %.
    pub larger_spread: f32,
    /// Maximum distance of a raised tile from its place; a tile further off does not belong to that
    /// set. From 35 degrees a raised tile is off by this much.
    pub farthest: f32,
    /// Maximum deviation of the distance between the outer two from the expected one. Not tuned.
    pub slack: f32,
    /// Distance by which a sideways tile that stands on the line of the others has its middle
    /// lower.
    pub lower: f32,
    /// Maximum distance of tiles that are measured. It only saves time.
    pub reach: f32,
    /// The outer two lie in one line if the sine of the angle between the line and an edge of each
    /// is below this. Not tuned.
    pub aligned: f32,
    /// The place between the outer two is taken if another tile's middle is nearer to it than this.
    /// Not tuned.
    pub taken: f32,
}

impl RaisedParams {
    /// The values in use.
    pub const DEFAULT: RaisedParams = RaisedParams {
        min_p: 0.05,
        off: 0.3,
        off_spread: 0.08,
        larger: 1.03,
        larger_spread: 0.04,
        farthest: 1.1,
        slack: 0.35,
        lower: 0.17,
        reach: 2.2,
        aligned: 0.25,
        taken: 0.5,
    };
}
