//! Options for the points on which published interpretations of MCR differ.
//!
//! Two interpretations are in use at tables: that of the World Mahjong Organization's rules of 2006
//! ([`Options::WMO`], the default) and that of the Chinese rules of 1998 as most programs apply
//! them ([`Options::MIL`]). Every field can be set alone.

use serde::{Deserialize, Serialize};

/// An interpretation of the rules. Each field describes the rule that holds when it is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Points of Two Concealed Kongs (48): 8 in 2006, 6 in 1998.
    pub two_concealed_kongs_points: u8,
    /// Points of one melded and one concealed kong (82): 6 in 2006, 5 in 1998.
    pub melded_and_concealed_kong_points: u8,
    /// A self-drawn hand that is concealed by its nature (4, 6, 7, 12, 19, 20, 34) adds Fully
    /// Concealed Hand (56) rather than Self-Drawn (80).
    pub fully_concealed_special_hands: bool,
    /// All Green (3) with the green dragon adds Half Flush (50).
    pub half_flush_with_green_dragon: bool,
    /// All Terminals (8) adds Double Pung (65).
    pub double_pung_in_all_terminals: bool,
    /// Nine Gates (4) excludes every Pung of Terminals or Honors (73), instead of only one.
    pub nine_gates_excludes_all_terminal_pungs: bool,
    /// All Green (3) or All Terminals (8) made of seven pairs adds Tile Hog (64).
    pub tile_hog_in_green_or_terminal_pairs: bool,
    /// Three or Four Kongs (17, 5) of which exactly one is concealed add Concealed Kong (67).
    pub concealed_kong_beside_three_or_four_kongs: bool,
    /// A wait fan (77 to 79) counts beside a Knitted Straight (35) even when the winning tile is
    /// of one of the nine knitted kinds.
    pub wait_on_knitted_tile: bool,
    /// Lesser Honors and Knitted Tiles (34) with all nine knitted tiles adds Knitted Straight (35).
    pub knitted_straight_in_lesser_honors: bool,
    /// Pungs of Big Three Winds (38) that are neither the seat nor the prevalent wind also count as
    /// Pungs of Terminals or Honors (73).
    pub terminal_pungs_in_big_three_winds: bool,
    /// A tile of which the hand holds all four copies still counts as a tile it waits for.
    pub formal_waits: bool,
    /// Tile Hog (64) counts on honors, which only seven pairs can show.
    pub tile_hog_on_honors: bool,
}

impl Options {
    /// The rules of the World Mahjong Organization, 2006.
    pub const WMO: Options = Options {
        two_concealed_kongs_points: 8,
        melded_and_concealed_kong_points: 6,
        fully_concealed_special_hands: true,
        half_flush_with_green_dragon: true,
        double_pung_in_all_terminals: true,
        nine_gates_excludes_all_terminal_pungs: true,
        tile_hog_in_green_or_terminal_pairs: false,
        concealed_kong_beside_three_or_four_kongs: true,
        wait_on_knitted_tile: false,
        knitted_straight_in_lesser_honors: true,
        terminal_pungs_in_big_three_winds: false,
        formal_waits: true,
        tile_hog_on_honors: true,
    };

    /// The Chinese rules of 1998.
    pub const MIL: Options = Options {
        two_concealed_kongs_points: 6,
        melded_and_concealed_kong_points: 5,
        fully_concealed_special_hands: false,
        half_flush_with_green_dragon: false,
        double_pung_in_all_terminals: false,
        nine_gates_excludes_all_terminal_pungs: false,
        tile_hog_in_green_or_terminal_pairs: true,
        concealed_kong_beside_three_or_four_kongs: false,
        wait_on_knitted_tile: true,
        ..Options::WMO
    };

    /// Returns the number of Pungs of Terminals or Honors that Nine Gates excludes.
    pub(super) const fn terminal_pungs_excluded_by_nine_gates(&self) -> u32 {
        if self.nine_gates_excludes_all_terminal_pungs { u32::MAX } else { 1 }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::WMO
    }
}
