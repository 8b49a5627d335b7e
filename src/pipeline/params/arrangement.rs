//! How the hand's tiles are sorted into heaps, rows and groups, and which tiles lie on others.
//!
//! Input: none. Output: [`ArrangementParams`], [`SlippedParams`] and [`RaisedParams`]. Invariant:
//! distances are in tile widths unless a field says otherwise.

use serde::{Deserialize, Serialize};

/// How the hand's tiles are sorted into heaps, rows and groups.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ArrangementParams {
    /// A gap is a separation when it exceeds the usual gap between neighbours by this many tile
    /// widths. Neighbours that touch differ by 0.1 (corner noise of 0.07 on each side); sets and
    /// winning tiles are set apart by 0.4 and more.
    pub separation: f32,
    /// Tiles within this many widths of each other lie in one heap. Rows of a hand lie within one
    /// width of each other, sets that are scattered before it too; further off they need not share
    /// a line.
    pub near: f32,
    /// And within this angle, in radians: sets that are thrown down or pushed to the table's side
    /// have directions of their own. Not tuned.
    pub aligned: f32,
    /// Two runs of tiles lie across each other where the cosine of twice the angle between their
    /// lines is less: at sixty degrees.
    pub crossed: f32,
    /// Most tiles of a run lie one way where their number is less than this many times the length
    /// of the sum of their directions, as two of the three of a set do: of a kong of which two are
    /// turned it cannot be said.
    pub agreement: f32,
    /// How much a tile elsewhere in the hand counts for the way that the largest heap faces,
    /// against one of that heap. Not tuned.
    pub elsewhere_vote: f32,
    /// How wide a gap is at the least that a tile which was not seen leaves between two flowers.
    /// Not tuned.
    pub least_flower_gap: f32,
    /// How wide it is at the most. Not tuned.
    pub most_flower_gap: f32,
    /// The share of a tile's length that its width is: the ratio of extents changes by its inverse
    /// square when the tile is turned sideways.
    pub width_of_length: f32,
    /// A single tile touches the group below it within this share of its length. Not tuned.
    pub above_gap: f32,
    /// Its middle is above that of the tile below by at least this share of its length. Not tuned.
    pub least_above: f32,
    /// And by at most this share. Not tuned.
    pub most_above: f32,
    /// And lies aside of it by at most this share. Not tuned: half a tile.
    pub above_aside: f32,
}

impl ArrangementParams {
    /// The values in use.
    pub const DEFAULT: ArrangementParams = ArrangementParams {
        separation: 0.3,
        near: 1.5,
        aligned: 0.4,
        crossed: -0.5,
        agreement: 5.0,
        elsewhere_vote: 0.5,
        least_flower_gap: 0.75,
        most_flower_gap: 1.5,
        width_of_length: 0.75,
        above_gap: 0.2,
        least_above: 0.25,
        most_above: 1.2,
        above_aside: 0.5,
    };
}

/// How sets are joined whose turned tile slipped out of line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SlippedParams {
    /// How far aside from the line of the others a tile may lie: a row below or above is 1.3 away.
    pub aside: f32,
    /// How far apart the middles of two neighbours are along the line, at the least: a tile above
    /// another is not its neighbour. Not tuned.
    pub apart: f32,
    /// Two tiles lie across each other where the cosine of the angle between them is less: at sixty
    /// degrees.
    pub crossed: f32,
    /// And their edges are aligned within this angle, in radians, where a set is looked for in a
    /// block. Not tuned.
    pub aligned: f32,
}

impl SlippedParams {
    /// The values in use.
    pub const DEFAULT: SlippedParams =
        SlippedParams { aside: 0.75, apart: 0.55, crossed: 0.5, aligned: 0.35 };
}

/// Which tiles lie on others: the fourth tile of an added kong on the middle one of its pung.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RaisedParams {
    /// Below this probability it is not asked whether a tile lies beneath. Not tuned.
    pub least: f32,
    /// A raised tile is as likely as not when it lies this many widths off its place at the size of
    /// its neighbours. Tiles on the table lie within 0.1 widths of their places; one of the usual
    /// thickness of three quarters of a width shows 0.2 widths off from 75 degrees above the table,
    /// and 0.75 from 45.
    pub off: f32,
    /// How fast that grows: it is surely raised a third further.
    pub off_spread: f32,
    /// How much larger it shows when it is as likely as not, at its place: a raised tile shows
    /// larger by 3 to 7 %.
    pub larger: f32,
    /// How fast that grows: corners give a tile's size to 2 %.
    pub larger_spread: f32,
    /// A tile further off its place than this is not of that set: from 35 degrees a raised one is
    /// off by this much.
    pub farthest: f32,
    /// How far from the expected one the distance of the outer two may be. Not tuned.
    pub slack: f32,
    /// A sideways tile that stands on the line of the others has its middle this much lower.
    pub lower: f32,
    /// Tiles further away than this are not measured. It only saves time.
    pub reach: f32,
    /// The outer two lie in one line where the sine of the angle between it and an edge of each is
    /// less than this. Not tuned.
    pub aligned: f32,
    /// The place between them is taken where another tile's middle is nearer to it than this. Not
    /// tuned.
    pub taken: f32,
}

impl RaisedParams {
    /// The values in use.
    pub const DEFAULT: RaisedParams = RaisedParams {
        least: 0.05,
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
