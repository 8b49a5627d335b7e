//! Options for the points on which rule sets of riichi differ.
//!
//! The names are those of the specification's data, so that a club's file is `extends` and
//! `[options]`. Invariant: each field has a text (`core.riichi.options` in the catalogues) that
//! describes what is scored when it is set.

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::meld::Seats;
use crate::rules::law::{Abort, Bankruptcy, LeftSticks, SeveralWinners, Ties};
use crate::tile::{Suit, Tile};

/// The options. Each field describes the ruling that holds when it is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "every ruling is a yes or no question")]
pub struct Options {
    /// Number of players, 4 or 3. Three play without the 2 to 8 of characters, call no chows, and
    /// nobody sits North.
    pub players: u8,
    /// Norths may be set aside, and each of them is a dora. Three players alone.
    pub north_dora: bool,
    /// Payment of the share of the fourth player on a self-draw. Three players alone.
    pub missing_share: MissingShare,
    /// Points of a counter from a discarder: 300, or 200 where three play.
    pub honba_discard: u16,
    /// An open hand can have tanyao.
    pub open_tanyao: bool,
    /// Each red five is a dora.
    pub red_fives: bool,
    /// Number of red fives of dots in the set: 1, or 2 in a set with four red fives.
    pub red_fives_dots: u8,
    /// Four yakuman are worth two: the thirteen-sided thirteen orphans, the four concealed pungs
    /// on a pair, the pure nine gates and the big winds.
    pub double_yakuman: bool,
    /// Any of the fourteen tiles with which East wins by heaven may count as the last one.
    pub heaven_any_last_tile: bool,
    /// Several yakuman add up; otherwise the hand is paid the one that is worth most.
    pub stacked_yakuman: bool,
    /// Hands of 4 han 30 fu and of 3 han 60 fu are a mangan.
    pub kiriage: bool,
    /// Payment for a hand of 13 han and more by counting.
    pub kazoe: Kazoe,
    /// Fu of a pair of the wind that is both seat and prevalent wind: 2 or 4.
    pub double_wind_pair_fu: u8,
    /// Fu of an open hand on a discard that has nothing but the base: 30 or 20.
    pub open_pinfu_shape_fu: u8,
    /// The player who completed the third set of dragons is liable for the big dragons.
    pub liability_daisangen: bool,
    /// The player who completed the fourth set of winds is liable for the big winds.
    pub liability_daisuushii: bool,
    /// The player who completed the fourth kong is liable for the four kongs.
    pub liability_suukantsu: bool,
    /// A liable player is liable for all yakuman of the hand; otherwise for that one alone.
    pub liability_all_yakuman: bool,
    /// A liable player pays the counters of a win on another's discard; otherwise the discarder
    /// does.
    pub liability_counters: bool,
    /// A player with fewer than 1000 points may declare riichi.
    pub riichi_below_1000: bool,
    /// Number of rounds of an evening.
    pub rounds: u8,
    /// Points that each player has at the start of an evening.
    pub start_points: u32,
    /// Points that the result is counted from; what the players are short of it goes to the first.
    pub target_points: u32,
    /// Thousands that the first gains and the fourth loses in the end.
    pub uma_first: u8,
    /// Thousands that the second gains and the third loses in the end.
    pub uma_second: u8,
    /// Winners by one discard.
    pub several_winners: SeveralWinners,
    /// A deal with nine kinds of terminals and honors in a first hand.
    pub abort_nine_terminals: Abort,
    /// A deal whose first four discards are the same wind. Four players alone.
    pub abort_four_winds: Abort,
    /// A deal in which all four players declared riichi. Four players alone.
    pub abort_four_riichi: Abort,
    /// A deal with four kongs of several players.
    pub abort_four_kongs: Abort,
    /// Discards of terminals and honors alone are a mangan after an exhaustive draw.
    pub nagashi_mangan: bool,
    /// Points that the players who are not ready pay together.
    pub noten_points: u32,
    /// Points by which a player is bankrupt, which ends the evening.
    pub bankruptcy: Bankruptcy,
    /// The evening ends when the dealer, who won the last deal, is first.
    pub agari_yame: bool,
    /// The evening ends when the dealer, who is ready in the last deal, is first.
    pub tenpai_yame: bool,
    /// Points without which there is a further round; 0 for none.
    pub extension_points: u32,
    /// Owner of the sticks that are left in the end.
    pub left_sticks: LeftSticks,
    /// Places of players with equal points.
    pub ties: Ties,
    /// Thousands that a false win takes off the result; with 0 a mangan is paid.
    pub chombo_result: u8,
}

/// The share that a fourth player would pay on a self-draw, at a table of three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingShare {
    /// Not paid by anybody.
    #[default]
    Loss,
    /// The two others pay half of it each, rounded up to 100.
    Split,
}

/// The worth of a hand of 13 han and more that has no yakuman.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kazoe {
    /// A yakuman, never more than one.
    #[default]
    Yakuman,
    /// No more than three times a mangan.
    Sanbaiman,
}

/// Maximum number of points at the start.
const MAX_START: u32 = 100_000;
/// Maximum number of points that the players who are not ready pay together.
const MAX_NOTEN: u32 = 30_000;

impl Options {
    /// The options that most players online know.
    pub const TENHOU: Options = Options {
        players: 4,
        north_dora: false,
        missing_share: MissingShare::Loss,
        honba_discard: 300,
        open_tanyao: true,
        red_fives: true,
        red_fives_dots: 1,
        double_yakuman: false,
        heaven_any_last_tile: false,
        stacked_yakuman: true,
        kiriage: false,
        kazoe: Kazoe::Yakuman,
        double_wind_pair_fu: 4,
        open_pinfu_shape_fu: 30,
        liability_daisangen: true,
        liability_daisuushii: true,
        liability_suukantsu: false,
        liability_all_yakuman: true,
        liability_counters: true,
        riichi_below_1000: false,
        rounds: 2,
        start_points: 25_000,
        target_points: 30_000,
        uma_first: 20,
        uma_second: 10,
        several_winners: SeveralWinners::ThreeAbort,
        abort_nine_terminals: Abort::Stay,
        abort_four_winds: Abort::Stay,
        abort_four_riichi: Abort::Stay,
        abort_four_kongs: Abort::Stay,
        nagashi_mangan: true,
        noten_points: 3000,
        bankruptcy: Bankruptcy::BelowZero,
        agari_yame: true,
        tenpai_yame: true,
        extension_points: 30_000,
        left_sticks: LeftSticks::First,
        ties: Ties::Seats,
        chombo_result: 0,
    };

    /// Returns an option with a value that no table could play by, and the reason.
    pub(super) const fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        if let Some(contradiction) = self.contradiction_of_players() {
            return Some(contradiction);
        }
        if !matches!(self.double_wind_pair_fu, 2 | 4) {
            return Some(("double_wind_pair_fu", "a pair of the double wind is worth 2 or 4 fu"));
        }
        if !matches!(self.open_pinfu_shape_fu, 20 | 30) {
            let reason = "an open hand with nothing but the base has 20 or 30 fu";
            return Some(("open_pinfu_shape_fu", reason));
        }
        if !matches!(self.red_fives_dots, 1 | 2) {
            return Some(("red_fives_dots", "a set has 1 or 2 red fives of dots"));
        }
        if !matches!(self.rounds, 1..=4) {
            return Some(("rounds", "an evening has 1 to 4 rounds"));
        }
        if self.start_points > MAX_START || self.target_points > MAX_START {
            return Some(("target_points", "players start with at most 100000 points"));
        }
        if self.target_points < self.start_points {
            return Some((
                "target_points",
                "the result is counted from the points of the start, or from more",
            ));
        }
        if self.extension_points > MAX_START {
            let reason = "a further round is played for at most 100000 points";
            return Some(("extension_points", reason));
        }
        let shares = if self.players == 3 { 200 } else { 600 };
        if !self.noten_points.is_multiple_of(shares) || self.noten_points > MAX_NOTEN {
            let reason =
                "those who are not ready pay hundreds that any number of players can share";
            return Some(("noten_points", reason));
        }
        None
    }
}

/// Options that depend on the number of players.
impl Options {
    const fn contradiction_of_players(&self) -> Option<(&'static str, &'static str)> {
        match (self.players, self.honba_discard) {
            (3, 200 | 300) => None,
            (4, 300) => match (self.north_dora, self.missing_share) {
                (true, _) => Some(("north_dora", "norths are set aside only where three play")),
                (_, MissingShare::Split) => {
                    Some(("missing_share", "no player is missing where four play"))
                }
                _ => None,
            },
            (3, _) => Some(("honba_discard", "a discarder pays 200 or 300 for a counter")),
            (4, _) => Some(("honba_discard", "a discarder among four pays 300 for a counter")),
            _ => Some(("players", "riichi is played by 3 or 4")),
        }
    }

    /// Returns the maximum number of yakuman that a hand is paid. Four go together, such as big
    /// winds, all honors, four concealed pungs and four kongs; two of these count twice.
    pub(super) const fn max_yakuman(&self) -> u32 {
        match (self.stacked_yakuman, self.double_yakuman) {
            (true, true) => 6,
            (true, false) => 4,
            (false, true) => 2,
            (false, false) => 1,
        }
    }

    /// Returns whether a player can be liable for a yakuman.
    pub(super) const fn has_liability(&self) -> bool {
        self.liability_daisangen || self.liability_daisuushii || self.liability_suukantsu
    }

    /// Returns the seats that are taken.
    pub(super) const fn seats(&self) -> Seats {
        if self.players == 3 { Seats::Three } else { Seats::Four }
    }

    /// Returns whether a tile is in the wall.
    pub(super) fn plays(&self, tile: Tile) -> bool {
        let is_removed = tile.suit() == Some(Suit::Characters) && tile.is_simple();
        self.seats() == Seats::Four || !is_removed
    }

    /// Returns the number of red fives of a suit in the set.
    pub(super) const fn red_fives_of(&self, suit: Suit) -> u8 {
        match suit {
            Suit::Dots => self.red_fives_dots,
            Suit::Characters | Suit::Bamboo => 1,
        }
    }

    /// Returns the number of norths that the winner set aside; 0 where they are not set aside.
    pub(super) fn norths(&self, context: &Context) -> u32 {
        if self.north_dora { u32::from(context.norths) } else { 0 }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::TENHOU
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fu_that_no_table_counts_are_refused_by_name() {
        let refused = |options: Options| options.contradiction().map(|(name, _)| name);
        let base = Options::TENHOU;
        assert_eq!(refused(base), None);
        assert_eq!(
            refused(Options { double_wind_pair_fu: 3, ..base }),
            Some("double_wind_pair_fu")
        );
        assert_eq!(
            refused(Options { open_pinfu_shape_fu: 25, ..base }),
            Some("open_pinfu_shape_fu")
        );
    }

    #[test]
    fn more_red_fives_of_dots_than_two_are_refused() {
        for (red_fives_dots, refused) in [(0, true), (1, false), (2, false), (3, true)] {
            let options = Options { red_fives_dots, ..Options::TENHOU };
            assert_eq!(options.contradiction().is_some(), refused, "{red_fives_dots}");
        }
    }

    #[test]
    fn options_of_three_players_need_three() {
        let refused = |options: Options| options.contradiction().map(|(name, _)| name);
        let four = Options::TENHOU;
        let three = Options { players: 3, north_dora: true, ..four };
        assert_eq!(refused(three), None);
        assert_eq!(refused(Options { honba_discard: 200, ..three }), None);
        assert_eq!(refused(Options { missing_share: MissingShare::Split, ..three }), None);
        for (options, name) in [
            (Options { players: 2, ..four }, "players"),
            (Options { players: 5, ..three }, "players"),
            (Options { north_dora: true, ..four }, "north_dora"),
            (Options { missing_share: MissingShare::Split, ..four }, "missing_share"),
            (Options { honba_discard: 200, ..four }, "honba_discard"),
            (Options { honba_discard: 100, ..three }, "honba_discard"),
        ] {
            assert_eq!(refused(options), Some(name), "{options:?}");
        }
    }
}
