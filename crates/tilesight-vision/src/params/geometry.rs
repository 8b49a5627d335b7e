//! Parameters for the fit of the plane, and for joining quads into blocks and rows.
//!
//! Invariant: they describe quads and angles, and nothing of mahjong except the sizes of tiles.

use serde::{Deserialize, Serialize};

/// Parameters for the fit of the table's plane.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlaneParams {
    /// Length of a tile relative to its width: 1.24 to 1.42 in the sets that were measured.
    pub proportion: f32,
    /// Noise of a size from a quad's area, 2 %: corners are found to 0.03 of a width
    /// (`make evaluate`).
    pub size_noise: f32,
    /// Noise of the change of size from a quad's opposite sides, 5 % by the same measurement.
    pub sides_noise: f32,
    /// Usual change of size from one tile's width to the next. A hand as wide as fourteen tiles,
    /// seen from as far as it is wide and from 45 degrees, changes by 0.05. Without evidence the
    /// plane does not recede.
    pub usual_recession: f32,
    /// A mark whose size is off by this many times [`PlaneParams::size_noise`], a sixth, lies
    /// elsewhere or is not a tile (Tukey's biweight). Not tuned.
    pub outlier: f32,
    /// Noise of right angles and proportions. Not tuned; set when the plane was first fitted.
    pub angle_noise: f32,
    /// Usual stretch. From 40 degrees above the table lengths shrink to 0.64, which is 0.4 here.
    pub usual_stretch: f32,
    /// Marks that are off by this many times [`PlaneParams::angle_noise`] count half. Not tuned.
    pub tolerance: f32,
    /// Maximum stretch of the plane: a metric is valid only within the unit circle. Not tuned.
    pub max_stretch: f32,
    /// Number of rounds of the fit, in which marks that do not agree lose their weight. Not tuned.
    pub rounds: usize,
    /// Relative size, against that in the middle, at which the plane ends: beyond it no point is
    /// mapped further away. Not tuned.
    pub horizon: f32,
}

impl PlaneParams {
    /// The values in use.
    pub const DEFAULT: PlaneParams = PlaneParams {
        proportion: 1.34,
        size_noise: 0.02,
        sides_noise: 0.05,
        usual_recession: 0.05,
        outlier: 8.0,
        angle_noise: 0.06,
        usual_stretch: 0.5,
        tolerance: 4.0,
        max_stretch: 0.85,
        rounds: 5,
        horizon: 0.25,
    };
}

/// Parameters for joining quads into blocks and rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RowParams {
    /// Quads touch if the distance between them is below this share of their width. Tiles laid side
    /// by side show gaps of up to 0.15 between their printed faces (their edges are rounded), and
    /// corners are found to about 0.1.
    pub touching: f32,
    /// Neighbours in one block differ in scale by less than this factor: perspective changes the
    /// scale by a few per cent from tile to tile, and turning a claimed tile sideways does not
    /// change it.
    pub same_scale: f32,
    /// Neighbours in one block are aligned within this angle, in radians. Sloppily laid tiles
    /// differ by up to ten degrees; thrown discards by 45 at random.
    pub aligned: f32,
    /// Quads whose centres are further apart than this many times their scale do not touch. It only
    /// saves time.
    pub neighbour_reach: f32,
    /// The middle of a neighbour is off the line by less than this share of the side: a second row
    /// may be shifted by half a tile.
    pub off_line: f32,
    /// Vote of one pair of neighbours for the axis of a row, relative to one item's certain vote
    /// for its top. Low, because stacked rows and turned items make neighbours in both directions.
    pub pair_vote: f32,
    /// Vote against a direction if other items face the opposite way: as much as three items'
    /// certain votes, so that two tiles of a set that lie upside down neither turn the set nor
    /// change the player whom it was claimed from. Between a direction and one across it, the other
    /// items are no evidence.
    pub facing_vote: f32,
    /// Items further apart than this many widths are not compared for rows: a row's direction at
    /// one item is weak evidence for items far away.
    pub row_reach: f32,
    /// Maximum offset of neighbours from the line of their row, as a share of an item's height. Not
    /// tuned.
    pub row_offset: f32,
    /// Further offset that is allowed, as a share of the neighbours' distance: a row that runs away
    /// in perspective turns by some degrees. Not tuned.
    pub row_drift: f32,
    /// Maximum of both offsets together, as a share of the height: more would reach the next row.
    /// Not tuned.
    pub max_row_offset: f32,
}

impl RowParams {
    /// The values in use.
    pub const DEFAULT: RowParams = RowParams {
        touching: 0.45,
        same_scale: 1.4,
        aligned: 0.35,
        neighbour_reach: 2.5,
        off_line: 0.65,
        pair_vote: 0.3,
        facing_vote: 3.0,
        row_reach: 4.0,
        row_offset: 0.4,
        row_drift: 0.06,
        max_row_offset: 0.6,
    };
}
