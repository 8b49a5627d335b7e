//! Options for the questions that the rules leave open, one for each ruling.
//!
//! The supplement is short, and clubs read it differently. The defaults are the rulings that this
//! program recommends; every field can be set alone. Invariant: each field has a text
//! (`core.mmm.options` in the catalogues) that describes what is scored when it is set.

use serde::{Deserialize, Serialize};

/// An interpretation of the rules. Each field describes the ruling that holds when it is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "every ruling is a yes or no question")]
pub struct Options {
    /// The parts of 1.2.11 to 1.2.14 and of 1.2.20 add up; otherwise the best part of each counts.
    pub parts_add_up: bool,
    /// Four identical chows also count as two sets of two (1.2.11): three doublings instead of two.
    pub four_identical_chows_are_two_sets: bool,
    /// A pung that a discard completes is open for its points, for 1.2.18 and for 1.2.28.
    pub won_pung_is_open: bool,
    /// A pair of a wind that is both own and round wind counts twice: 4 points.
    pub double_wind_pair_counts_twice: bool,
    /// The 10 points for a self-draw also count in a fully concealed hand (1.2.1).
    pub self_draw_points_when_fully_concealed: bool,
    /// Only chows (1.2.2) needs a concealed hand.
    pub only_chows_must_be_concealed: bool,
    /// Seven pairs combine with the lines of tiles: 1.2.10, 14, 20, 25, 26 and 30.
    pub seven_pairs_combine: bool,
    /// Four identical tiles may be two of the seven pairs.
    pub four_alike_are_two_pairs: bool,
    /// The pairs of seven pairs score their points.
    pub seven_pairs_have_points: bool,
    /// Seven pairs on a self-draw are a fully concealed hand (1.2.1).
    pub seven_pairs_are_fully_concealed: bool,
    /// Under the sea (1.2.3) counts also on a replacement tile, beside 1.2.5.
    pub replacement_tile_can_be_the_last: bool,
    /// A robbed kong is a self-draw: 10 points, and all players pay. Otherwise the robbed player
    /// feeds.
    pub robbing_is_self_draw: bool,
    /// The feeder of the third pung of dragons or the fourth of winds also pays a self-draw alone.
    pub liability_on_self_draw: bool,
    /// Concealed sets count among the two earlier sets of dragons or the three earlier sets of
    /// winds.
    pub liability_beside_concealed_sets: bool,
    /// After four called chows the player to the left also pays a self-draw alone.
    pub four_chows_liability_on_self_draw: bool,
    /// The fourth chow may be called with the winning tile.
    pub winning_tile_can_be_the_fourth_chow: bool,
    /// The pair of only officers (1.2.14) must be an officer too.
    pub officers_in_pair: bool,
    /// Nine lanterns (1.2.29) needs 1112345678999 in the hand before the winning tile; otherwise
    /// the fourteen tiles count, whichever of them came last.
    pub lanterns_before_the_winning_tile: bool,
    /// Treatment of a half doubling.
    pub half_steps: HalfSteps,
    /// A whole doubling of extra score (1.2.31) reaches the minimum.
    pub extra_score_reaches_minimum: bool,
    /// Flowers and seasons are ignored; otherwise a hand with some is refused.
    pub flowers_are_passed_over: bool,
}

/// The treatment of a half doubling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HalfSteps {
    /// Count it as a half: the table of values has a column for it.
    #[default]
    Column,
    /// Drop it.
    Down,
    /// Round it up to a whole doubling.
    Up,
}

impl Options {
    /// The recommended rulings.
    pub const DEFAULT: Options = Options {
        parts_add_up: true,
        four_identical_chows_are_two_sets: true,
        won_pung_is_open: true,
        double_wind_pair_counts_twice: true,
        self_draw_points_when_fully_concealed: true,
        only_chows_must_be_concealed: true,
        seven_pairs_combine: true,
        four_alike_are_two_pairs: true,
        seven_pairs_have_points: true,
        seven_pairs_are_fully_concealed: true,
        replacement_tile_can_be_the_last: true,
        robbing_is_self_draw: false,
        liability_on_self_draw: true,
        liability_beside_concealed_sets: true,
        four_chows_liability_on_self_draw: true,
        winning_tile_can_be_the_fourth_chow: false,
        officers_in_pair: true,
        lanterns_before_the_winning_tile: false,
        half_steps: HalfSteps::Column,
        extra_score_reaches_minimum: false,
        flowers_are_passed_over: false,
    };

    /// Returns an option that another option makes meaningless, and the reason; `None` if all
    /// options agree.
    pub(super) const fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        if !self.parts_add_up && !self.four_identical_chows_are_two_sets {
            return Some((
                "four_identical_chows_are_two_sets",
                "only the best part of 1.2.11 counts without `parts_add_up`, so there is no second \
                 part to leave out",
            ));
        }
        if self.extra_score_reaches_minimum && matches!(self.half_steps, HalfSteps::Up) {
            return Some((
                "half_steps",
                "with `extra_score_reaches_minimum` half a doubling would reach the minimum by \
                 being rounded up",
            ));
        }
        None
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::DEFAULT
    }
}
