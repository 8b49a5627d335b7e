//! Options that each table decides for itself, apart from the tai of the lines
//! ([`TaiValues`](super::TaiValues)): the minimum, the cap, the stakes and rulings.
//!
//! Every field can be set alone. Invariant: [`check`](Options::check) refuses options that no table
//! could play by, and names the first of them.

use serde::{Deserialize, Serialize};

/// Maximum of the minimum and of the cap: no hand counts as many tai.
const MAX_TAI: u32 = 1_000;
/// Maximum stake, so that payments fit anything.
const MAX_STAKE: u32 = 1_000_000;

/// An interpretation of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "many rulings are a yes or no question")]
pub struct Options {
    /// Minimum of a legal win, in tai before the cap and without those of the dealer.
    pub minimum: u32,
    /// Maximum number of tai of a hand; 0 if there is none.
    pub cap: u32,
    /// Payment for a hand without tai (底).
    pub base: u32,
    /// Payment for each tai (台).
    pub unit: u32,
    /// The game is played with flowers and seasons.
    pub flowers: bool,
    /// The dealer sits East; otherwise the opened wall gives the winds.
    pub dealer_is_east: bool,
    /// Definition of a single wait (1.6).
    pub single_wait_by: SingleWait,
    /// A kind of which the hand holds all four is a wait too (1.6).
    pub exhausted_waits: bool,
    /// A single wait (1.6) beside five claimed sets (1.4, 1.5).
    pub melded_wait: Ruling,
    /// The wait of all chows (3.1).
    pub all_chows_wait: AllChowsWait,
    /// All chows (3.1) may have a pair of honors.
    pub all_chows_honors: bool,
    /// All chows (3.1) may have bonus tiles.
    pub all_chows_flowers: bool,
    /// All chows (3.1) may be self-drawn.
    pub all_chows_self_draw: bool,
    /// All chows (3.1) may be concealed.
    pub all_chows_concealed: bool,
    /// The pungs of small and big three dragons (4.2, 4.3).
    pub dragon_pungs: Ruling,
    /// The pungs of small four winds (4.7).
    pub small_winds_pungs: Ruling,
    /// The pungs of big four winds (4.8).
    pub big_winds_pungs: Ruling,
    /// All pungs (3.2) beside all honors (3.8).
    pub honors_pungs: Ruling,
    /// A concealed kong leaves a hand concealed (1.2, 1.3, 3.1).
    pub concealed_kongs_keep: bool,
    /// The replacement of a bonus tile counts as that of a kong (1.8).
    pub flower_replacement: bool,
    /// Tiles of a complete set (5.3) count by themselves too (5.1, 5.2).
    pub flower_set_own: Ruling,
    /// All eight bonus tiles in a hand that wins by its tiles (5.6).
    pub eight_flowers_in_win: EightInWin,
    /// A self-draw (1.1) beside a win by all eight bonus tiles (5.6).
    pub eight_flowers_extra: EightExtra,
    /// Ways of winning (1.1 to 1.3) beside first hands (2.4 to 2.6).
    pub heaven_extra: Extra,
    /// Ways of winning (1.1 to 1.3) beside an earthly or heavenly ready hand (2.2, 2.3).
    pub ready_extra: Extra,
    /// Ways of winning (1.1 to 1.3) beside special hands (6.1, 6.2).
    pub special_extra: Extra,
    /// The pung of seven pairs (6.1) counts as one of a dragon or a wind (4.1, 4.4 to 4.6).
    pub special_sets: bool,
    /// Special hands (6.1, 6.2) can have a single wait (1.6).
    pub special_wait: bool,
    /// The dealer stays on after a deal that nobody won; otherwise the deal passes.
    pub dealer_stays_after_draw: bool,
    /// Several players may win by one discard (一炮多響); otherwise the next in turn wins alone.
    pub several_winners: bool,
}

/// A ruling on a line beside another one that always shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// Included in the other line.
    Included,
    /// Both add up.
    Added,
}

/// Definition of a single wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SingleWait {
    /// Only one kind of tile completes the hand.
    Waits,
    /// The winning tile completes the pair, or a chow in its middle or at its edge.
    Shape,
}

/// The wait that all chows must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AllChowsWait {
    /// Any wait.
    Any,
    /// A wait for several kinds.
    NotSingle,
    /// A wait for both ends of a chow in the reading that counts, and for several kinds.
    TwoSided,
    /// A wait for both ends of a chow in every reading of five chows, and for several kinds.
    OnlyTwoSided,
}

/// Ways of winning that count beside a line. The later, the stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extra {
    /// All of them.
    All,
    /// A self-draw.
    SelfDraw,
    /// No way of winning.
    None,
}

/// Value of all eight bonus tiles in a hand that wins by its tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EightInWin {
    /// Two sets, and the rest as usual.
    Sets,
    /// The line of eight bonus tiles, instead of all others.
    Added,
}

/// Ways of winning that count beside a win by all eight bonus tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EightExtra {
    /// No way of winning.
    None,
    /// A self-draw.
    SelfDraw,
}

impl Options {
    /// The commonest rulings of public tables.
    pub const COMMON: Options = Options {
        minimum: 0,
        cap: 0,
        base: 100,
        unit: 20,
        flowers: true,
        dealer_is_east: false,
        single_wait_by: SingleWait::Waits,
        exhausted_waits: false,
        melded_wait: Ruling::Included,
        all_chows_wait: AllChowsWait::TwoSided,
        all_chows_honors: false,
        all_chows_flowers: false,
        all_chows_self_draw: false,
        all_chows_concealed: true,
        dragon_pungs: Ruling::Included,
        small_winds_pungs: Ruling::Included,
        big_winds_pungs: Ruling::Included,
        honors_pungs: Ruling::Added,
        concealed_kongs_keep: true,
        flower_replacement: true,
        flower_set_own: Ruling::Added,
        eight_flowers_in_win: EightInWin::Added,
        eight_flowers_extra: EightExtra::None,
        heaven_extra: Extra::None,
        ready_extra: Extra::SelfDraw,
        special_extra: Extra::SelfDraw,
        special_sets: false,
        special_wait: true,
        dealer_stays_after_draw: true,
        several_winners: true,
    };

    /// Returns tai cut at the cap.
    pub(super) fn cut(&self, tai: u32) -> u32 {
        if self.cap == 0 { tai } else { tai.min(self.cap) }
    }

    /// Checks that a table could play by these options.
    ///
    /// # Errors
    /// The name of the first option that no table could play by, and the reason.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        if self.cap > MAX_TAI {
            return Err(("cap", format!("the cap must be at most {MAX_TAI} tai")));
        }
        if self.minimum > self.cut(MAX_TAI) {
            let cap = self.cut(MAX_TAI);
            return Err(("minimum", format!("no hand reaches it: a hand has at most {cap} tai")));
        }
        for (name, stake) in [("base", self.base), ("unit", self.unit)] {
            if stake > MAX_STAKE {
                return Err((name, format!("a stake must be at most {MAX_STAKE}")));
            }
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
        assert_eq!(refused(Options { cap: 1_001, ..base }), "cap");
        assert_eq!(refused(Options { cap: 8, minimum: 9, ..base }), "minimum");
        assert_eq!(refused(Options { minimum: 1_001, ..base }), "minimum");
        assert_eq!(refused(Options { base: 1_000_001, ..base }), "base");
        assert_eq!(refused(Options { unit: 1_000_001, ..base }), "unit");
        assert_eq!((base.cut(77), Options { cap: 16, ..base }.cut(77)), (77, 16));
    }
}
