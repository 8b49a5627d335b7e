//! Parameters for the flowers that belong to the hand.
//!
//! Invariant: distances are in tile widths, angles in degrees.

use serde::{Deserialize, Serialize};

/// Parameters for the flowers that belong to the hand.
///
/// The evidence is a logistic regression on 5,935 rows of flowers of 6,000 drawn tables, tidy ones
/// and tables as players leave them, with other players' flowers and with flowers among the
/// discards; it names the owner of 98 % of the rows in tables that the fit has not seen, leaves 7 %
/// open, and is wrong without a question about 1 %. The direction of the flowers' tops, how far
/// they lie beyond the ends of the hand's rows, how many lie side by side, and whether another face
/// lies close by add nothing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FlowerParams {
    /// Evidence, in nats, that a flower beside the hand is the hand's: one that touches it, lies as
    /// straight and faces the same way.
    pub beside: f32,
    /// Evidence against it for each width of distance. The fit gives 1.1, but in the held-out
    /// photos the flowers from five widths on are not the winner's.
    pub each_width: f32,
    /// Evidence against it for each degree beyond
    /// [`SelectionParams::angle_noise`](super::SelectionParams::angle_noise). The fit gives 0.02.
    pub each_degree: f32,
    /// Evidence against flowers that lie across the hand, as those of the neighbours do. Upside
    /// down says nothing: players put flowers down either way.
    pub lies_across: f32,
    /// Evidence against it for each width by which another face is nearer than the hand.
    pub each_nearer: f32,
    /// Maximum number of these widths. Not tuned.
    pub max_nearer: f32,
    /// Evidence against flowers that lie among tiles that are not the hand's. Not fitted: too few
    /// drawn tables have flowers among the discards. In three of 123 held-out photos there is one,
    /// and without this it was taken or asked about.
    pub among_others: f32,
    /// Minimum probability that a flower is the hand's at which it is taken without a question.
    pub surely_own: f32,
    /// Probability that a flower is the hand's below which it is left out without a question.
    pub surely_others: f32,
    /// Maximum distance of tiles that may be misnamed flowers, and of ignored flowers that are not
    /// elsewhere. Flowers farther off are another player's if something else is nearer to them;
    /// those that lie alone and straight count like others at this distance, so that they are asked
    /// about. Not tuned.
    pub straight_reach: f32,
    /// Maximum ratio of the sizes of the hand's nearest tile and of flowers of less than
    /// [`SelectionParams::sure_quality`](super::SelectionParams::sure_quality), seen from above. A
    /// die beside a hand, 1.67 times as small as its tiles, was taken for a flower. As a limit for
    /// sure flowers too it makes three more of 2,857 drawn tables silently wrong.
    pub dim_scale_factor: f32,
    /// Minimum quality of flowers that continue the row. Not tuned.
    pub quality_in_line: f32,
    /// Maximum cost of flowers that continue the row, that is, touch it and have its size and
    /// direction. Not tuned.
    pub in_line: f32,
    /// A flower within this many widths of a discard lies among the discards. Not tuned.
    pub among: f32,
    /// Limit like [`FlowerParams::among`] for a tile that may be a misnamed flower and lies as
    /// straight as the hand. Not tuned.
    pub among_straight: f32,
    /// Maximum length of a row of sets from which flowers at its ends are split: two sets. Not
    /// tuned.
    pub max_sets: usize,
    /// Maximum number of tiles in a block that may be flowers with one of them misnamed; larger
    /// blocks are a table's discards. Not tuned.
    pub max_block: usize,
    /// Minimum probability of any flower for a tile that may be one: a flower whose picture is new
    /// is easily taken for a bird or a character. Not tuned.
    pub maybe: f32,
}

impl FlowerParams {
    /// The values in use.
    pub const DEFAULT: FlowerParams = FlowerParams {
        beside: 6.9,
        each_width: 1.3,
        each_degree: 0.01,
        lies_across: 2.6,
        each_nearer: 0.5,
        max_nearer: 4.0,
        among_others: 2.5,
        surely_own: 0.9,
        surely_others: 0.1,
        straight_reach: 6.0,
        dim_scale_factor: 1.6,
        quality_in_line: 0.3,
        in_line: 1.0,
        among: 1.5,
        among_straight: 0.8,
        max_sets: 8,
        max_block: 4,
        maybe: 0.08,
    };
}
