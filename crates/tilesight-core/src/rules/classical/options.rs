//! Options that each table decides for itself: limit, special hands and their worth, house rules.
//!
//! The default is [`Options::DMJL`], the rules of clubs that follow the German league. Every field
//! can be set alone. Invariant: [`check`](Options::check) refuses options that no table could play
//! by, and names the first of them.

use serde::{Deserialize, Serialize};

use super::line::Line;
use crate::rules::Halves;

/// Highest limit that can be set: ten times the highest of any published table, and low enough that
/// sums can't overflow.
const HIGHEST_LIMIT: u32 = 100_000;
/// Highest worth of a special hand, in limits.
const MAX_LIMITS: Halves = Halves::whole(4);

macro_rules! options {
    ($($line:ident => $limits:ident = $default:expr,)*) => {
        /// An interpretation of the rules. A field that ends in `_limits` is the worth of a special
        /// hand in whole or half limits; 0 where the hand isn't played.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Options {
            /// Maximum total of a hand, and the unit in which special hands are measured.
            pub limit: u32,
            /// Points and doubles are never cut to the limit; special hands keep their worth.
            pub roof_off: bool,
            /// A kong claimed onto a concealed pung leaves the hand concealed, and counts among the
            /// concealed pungs. Its points are those of an exposed kong in any case.
            pub claimed_kong_stays_concealed: bool,
            /// A hand whose sets and pair count nothing is a zero-point hand even with bonus tiles.
            pub zero_point_hand_with_bonus_tiles: bool,
            /// A tile of which the hand holds all four copies still counts as a tile it waits for.
            pub formal_waits: bool,
            /// Four tiles of a kind are two of the seven pairs.
            pub same_pair_twice: bool,
            /// A hand of 14 tiles or more that has not won counts nothing.
            pub long_hand_counts_nothing: bool,
            /// East pays and receives double.
            pub east_doubles: bool,
            /// Players who did not win pay each other the difference of their totals.
            pub losers_settle: bool,
            /// The winner pays the other players the totals of their hands.
            pub winner_pays_losers: bool,
            /// The player who makes a dangerous discard pays for all, if it is declared.
            pub dangerous_game: bool,
            /// Players who did not win settle even if one player pays for all.
            pub losers_settle_in_dangerous_game: bool,
            $(
                #[doc = concat!("What the special hand `", stringify!($line), "` is worth.")]
                pub $limits: Halves,
            )*
        }

        impl Options {
            /// Rules of clubs that follow the German league.
            pub const DMJL: Options = Options {
                limit: 500,
                roof_off: false,
                claimed_kong_stays_concealed: true,
                zero_point_hand_with_bonus_tiles: true,
                formal_waits: false,
                same_pair_twice: true,
                long_hand_counts_nothing: true,
                east_doubles: true,
                losers_settle: true,
                winner_pays_losers: false,
                dangerous_game: true,
                losers_settle_in_dangerous_game: false,
                $($limits: $default,)*
            };

            /// Special hands, each with the option that sets its worth.
            pub(super) const SPECIAL: &'static [(Line, &'static str)] =
                &[$((Line::$line, stringify!($limits)),)*];

            /// Returns the worth of a special hand in limits; `None` for any other line.
            #[must_use]
            pub const fn limits(&self, line: Line) -> Option<Halves> {
                match line {
                    $(Line::$line => Some(self.$limits),)*
                    _ => None,
                }
            }
        }
    };
}

const ONE: Halves = Halves::whole(1);

options! {
    ThirteenOrphans => thirteen_orphans_limits = ONE,
    NineGates => nine_gates_limits = ONE,
    SquirmingSnake => squirming_snake_limits = ONE,
    ConcealedOneSuit => concealed_one_suit_limits = ONE,
    OnlyHonors => only_honors_limits = ONE,
    OnlyTerminals => only_terminals_limits = ONE,
    FourKongs => four_kongs_limits = ONE,
    ThreeDragonPungs => three_dragon_pungs_limits = ONE,
    FourWindPungs => four_wind_pungs_limits = ONE,
    ImperialJade => imperial_jade_limits = ONE,
    FourConcealedPungs => four_concealed_pungs_limits = ONE,
    TwofoldFortune => twofold_fortune_limits = ONE,
    BlessingOfHeaven => blessing_of_heaven_limits = ONE,
    BlessingOfEarth => blessing_of_earth_limits = ONE,
    NinthEastWin => ninth_east_win_limits = ONE,
    PlumBlossom => plum_blossom_limits = ONE,
    MoonFromTheSea => moon_from_the_sea_limits = ONE,
    CarryingPole => carrying_pole_limits = ONE,
    SevenPairs => seven_pairs_limits = Halves(0),
}

impl Options {
    /// Returns whether a special hand is worth anything.
    pub(super) fn play(&self, line: Line) -> bool {
        self.limits(line).is_some_and(|limits| limits.0 > 0)
    }

    /// Checks that a table could play by these options.
    ///
    /// # Errors
    /// The name of the first option that no table could play by, and the reason.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        if self.limit == 0 || self.limit > HIGHEST_LIMIT {
            return Err(("limit", format!("the limit must be 1 to {HIGHEST_LIMIT}")));
        }
        for &(line, option) in Options::SPECIAL {
            if self.limits(line).is_some_and(|limits| limits > MAX_LIMITS) {
                let reason = format!("a special hand is worth {MAX_LIMITS} limits at the most");
                return Err((option, reason));
            }
        }
        if self.losers_settle_in_dangerous_game && !self.dangerous_game {
            let reason = "says how a dangerous game is settled, and `dangerous_game` is not played";
            return Err(("losers_settle_in_dangerous_game", reason.to_owned()));
        }
        if self.losers_settle_in_dangerous_game && !self.losers_settle {
            let reason = "contradicts `losers_settle`: those who did not win never settle";
            return Err(("losers_settle_in_dangerous_game", reason.to_owned()));
        }
        Ok(())
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::DMJL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_special_hand_has_its_option() {
        let special: Vec<Line> = Line::ALL.into_iter().filter(|line| line.is_special()).collect();
        let named: Vec<Line> = Options::SPECIAL.iter().map(|(line, _)| *line).collect();
        assert_eq!(named, special);
    }

    #[test]
    fn unplayable_options_are_refused_by_name() {
        let refused = |options: Options| options.check().expect_err("refused").0;
        let base = Options::DMJL;
        assert_eq!(base.check(), Ok(()));
        assert_eq!(refused(Options { limit: 0, ..base }), "limit");
        assert_eq!(refused(Options { limit: 100_001, ..base }), "limit");
        let many = Options { four_kongs_limits: Halves(9), ..base };
        assert_eq!(refused(many), "four_kongs_limits");
        let settling = Options { losers_settle_in_dangerous_game: true, ..base };
        assert_eq!(settling.check(), Ok(()));
        for wrong in [
            Options { dangerous_game: false, ..settling },
            Options { losers_settle: false, ..settling },
        ] {
            assert_eq!(refused(wrong), "losers_settle_in_dangerous_game");
        }
    }
}
