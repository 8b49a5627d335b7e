//! Options that each table decides for itself, apart from the faan of the lines
//! ([`FaanValues`](super::FaanValues)): the limit, the minimum, rulings, and who pays.
//!
//! Every field can be set alone. Invariant: [`check`](Options::check) refuses options that no table
//! could play by, and names the first of them.

use serde::{Deserialize, Serialize};

use super::line::Line;

/// Maximum limit in faan: the tables of payments end there.
pub(super) const MAX_LIMIT: u32 = 13;

/// An interpretation of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "many rulings are a yes or no question")]
pub struct Options {
    /// Minimum of a legal win, in faan; bonus tiles count towards it.
    pub minimum: u32,
    /// Maximum number of faan of a hand.
    pub limit: u32,
    /// The game is played with flowers and seasons.
    pub flowers: bool,
    /// A hand without bonus tiles counts (5.1).
    pub no_flowers_counts: bool,
    /// Seven different pairs win (1.6).
    pub seven_pairs: bool,
    /// Pair of all chows (1.1).
    pub all_chows_pair: AllChowsPair,
    /// Pungs of ones, nines and honors count beside all pungs (1.3).
    pub mixed_terminals: bool,
    /// The own flower or season counts beside all four of them (5.4, 5.5).
    pub own_flower_in_set: bool,
    /// Wait of nine gates (3.3).
    pub nine_gates_wait: NineGatesWait,
    /// The two pungs of small three dragons (2.4).
    pub small_dragons_pungs: Ruling,
    /// The seat and the prevalent wind among the pungs of small four winds (2.6).
    pub small_winds_pungs: Ruling,
    /// All pungs (1.2) beside all honors (3.1).
    pub honors_pungs: Ruling,
    /// All pungs (1.2) beside all terminals (3.2).
    pub terminals_pungs: Ruling,
    /// A concealed hand (4.2) beside seven pairs (1.6), which are always concealed.
    pub seven_pairs_concealed: Ruling,
    /// Concealed kongs are among four concealed pungs (3.4).
    pub hidden_kongs_in_four: bool,
    /// Table that turns faan into a value.
    pub table: PaymentTable,
    /// Share of the player who discarded the winning tile.
    pub responsibility: Responsibility,
    /// Wins for which the player is liable who let the last set of a group be called (6.3).
    pub liability: Liability,
    /// East deals again after a deal that nobody won; otherwise the deal passes.
    pub dealer_stays_after_draw: bool,
}

/// The pair that all chows may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AllChowsPair {
    /// Any pair.
    Any,
    /// A pair of a suit.
    Suited,
}

/// The wait that nine gates must have had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NineGatesWait {
    /// Any: the fourteen tiles decide.
    Any,
    /// All nine numbers: 1112345678999 were in the hand before the winning tile.
    NineSided,
}

/// A ruling on a line beside a rarer one that always shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// The rarer line includes the other.
    Included,
    /// Both add up.
    Added,
}

/// The table that turns faan into a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentTable {
    /// Doubled with each faan up to four, then with every second one (半辣上).
    HalfSpicy,
    /// Doubled with each faan (辣辣上).
    Spicy,
    /// A step for 4 to 6, for 7 to 9, and for 10 faan or more.
    Tiers,
}

/// The share of the player who discarded the winning tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Responsibility {
    /// The discarder pays for all (全銃).
    Full,
    /// The discarder pays twice what each of the others pays (半銃).
    Half,
}

/// The wins for which a player is liable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Liability {
    /// No wins.
    None,
    /// Self-draws.
    SelfDraw,
    /// Self-draws, and discards of any player.
    Always,
}

impl Options {
    /// The commonest rulings of public tables.
    pub const COMMON: Options = Options {
        minimum: 3,
        limit: 13,
        flowers: true,
        no_flowers_counts: true,
        seven_pairs: false,
        all_chows_pair: AllChowsPair::Suited,
        mixed_terminals: false,
        own_flower_in_set: false,
        nine_gates_wait: NineGatesWait::NineSided,
        small_dragons_pungs: Ruling::Included,
        small_winds_pungs: Ruling::Included,
        honors_pungs: Ruling::Included,
        terminals_pungs: Ruling::Included,
        seven_pairs_concealed: Ruling::Included,
        hidden_kongs_in_four: false,
        table: PaymentTable::HalfSpicy,
        responsibility: Responsibility::Half,
        liability: Liability::None,
        dealer_stays_after_draw: true,
    };

    /// Returns whether the options leave a line in the game.
    pub(super) const fn allow(&self, line: Line) -> bool {
        match line {
            Line::SevenPairs => self.seven_pairs,
            Line::MixedTerminals => self.mixed_terminals,
            Line::NoFlowers => self.flowers && self.no_flowers_counts,
            Line::OwnFlower | Line::OwnSeason | Line::AllFlowers | Line::AllSeasons => self.flowers,
            _ => true,
        }
    }

    /// Checks that a table could play by these options.
    ///
    /// # Errors
    /// The name of the first option that no table could play by, and the reason.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        if self.limit == 0 || self.limit > MAX_LIMIT {
            return Err(("limit", format!("the limit must be 1 to {MAX_LIMIT} faan")));
        }
        if self.minimum > self.limit {
            let reason = format!("no hand reaches it: the limit is {} faan", self.limit);
            return Err(("minimum", reason));
        }
        Ok(())
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::COMMON
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unplayable_options_are_refused_by_name() {
        let refused = |options: Options| options.check().expect_err("refused").0;
        let base = Options::COMMON;
        assert_eq!(base.check(), Ok(()));
        assert_eq!(refused(Options { limit: 0, ..base }), "limit");
        assert_eq!(refused(Options { limit: 14, ..base }), "limit");
        assert_eq!(refused(Options { limit: 8, minimum: 9, ..base }), "minimum");
    }
}
