//! Exclusions between fans, as data, and the one function that applies them.
//!
//! The non-repeat principle: a fan that a hand necessarily shows when it shows another fan does not
//! count beside that fan. [`EXCLUDES`] lists these fans for whole hands. Between fans of two or
//! three sets ([`combinations`](super::combinations)) the principle applies to the *same* sets
//! only; [`IMPLIED_BY_SAME_SETS`] lists them and the account-once principle enforces it. An
//! excluded fan excludes nothing itself.

use super::fan::Fan::{self, *};
use super::fan::FanSet;
use super::options::Options;

/// A fan and the fans that do not count beside it.
type ExcludedFans = (Fan, &'static [Fan]);

/// Fans that do not count anywhere in a hand that shows the first fan.
pub(super) const EXCLUDES: &[ExcludedFans] = &[
    (BigFourWinds, &[BigThreeWinds, AllPungs, PrevalentWind, SeatWind, PungOfTerminalsOrHonors]),
    (BigThreeDragons, &[TwoDragonPungs, DragonPung]),
    (NineGates, &[FullFlush, ConcealedHand, NoHonors]),
    (
        FourKongs,
        &[
            ThreeKongs,
            TwoConcealedKongs,
            AllPungs,
            MeldedAndConcealedKong,
            TwoMeldedKongs,
            MeldedKong,
            SingleWait,
        ],
    ),
    (SevenShiftedPairs, &[SevenPairs, FullFlush, ConcealedHand, NoHonors, SingleWait]),
    (ThirteenOrphans, &[AllTerminalsAndHonors, AllTypes, ConcealedHand, SingleWait]),
    (
        AllTerminals,
        &[AllTerminalsAndHonors, AllPungs, OutsideHand, PungOfTerminalsOrHonors, NoHonors],
    ),
    (LittleFourWinds, &[BigThreeWinds]),
    (LittleThreeDragons, &[TwoDragonPungs, DragonPung]),
    (AllHonors, &[AllTerminalsAndHonors, AllPungs, OutsideHand, PungOfTerminalsOrHonors]),
    (FourConcealedPungs, &[ThreeConcealedPungs, AllPungs, ConcealedHand, TwoConcealedPungs]),
    (PureTerminalChows, &[SevenPairs, FullFlush, AllChows, NoHonors]),
    (QuadrupleChow, &[TileHog]),
    (FourPureShiftedPungs, &[AllPungs]),
    (ThreeKongs, &[TwoConcealedKongs, MeldedAndConcealedKong, TwoMeldedKongs, MeldedKong]),
    (AllTerminalsAndHonors, &[AllPungs, OutsideHand, PungOfTerminalsOrHonors]),
    (SevenPairs, &[ConcealedHand, SingleWait]),
    (GreaterHonorsAndKnittedTiles, &[AllTypes, ConcealedHand]),
    (AllEvenPungs, &[AllPungs, AllSimples, NoHonors]),
    (FullFlush, &[NoHonors]),
    (UpperTiles, &[UpperFour, NoHonors]),
    (MiddleTiles, &[AllSimples, NoHonors]),
    (LowerTiles, &[LowerFour, NoHonors]),
    (ThreeSuitedTerminalChows, &[AllChows, NoHonors]),
    (AllFives, &[AllSimples, NoHonors]),
    (ThreeConcealedPungs, &[TwoConcealedPungs]),
    (LesserHonorsAndKnittedTiles, &[AllTypes, ConcealedHand]),
    (UpperFour, &[NoHonors]),
    (LowerFour, &[NoHonors]),
    (ReversibleTiles, &[OneVoidedSuit]),
    (LastTileDraw, &[SelfDrawn]),
    (OutWithReplacementTile, &[SelfDrawn]),
    (RobbingTheKong, &[LastTile]),
    (TwoConcealedKongs, &[TwoConcealedPungs, ConcealedKong]),
    (MeldedHand, &[SingleWait]),
    (TwoDragonPungs, &[DragonPung]),
    (MeldedAndConcealedKong, &[ConcealedKong, MeldedKong]),
    (FullyConcealedHand, &[ConcealedHand, SelfDrawn]),
    (TwoMeldedKongs, &[MeldedKong]),
    (AllChows, &[NoHonors]),
    (AllSimples, &[NoHonors]),
];

/// Fans that do not count on the sets that form the first fan, but may count on others.
pub(super) const IMPLIED_BY_SAME_SETS: &[ExcludedFans] = &[
    (PureTerminalChows, &[PureDoubleChow, TwoTerminalChows]),
    (QuadrupleChow, &[PureTripleChow, PureDoubleChow]),
    (FourPureShiftedPungs, &[PureShiftedPungs]),
    (FourPureShiftedChows, &[PureShiftedChows, ShortStraight, TwoTerminalChows]),
    (PureTripleChow, &[PureDoubleChow]),
    (PureStraight, &[ShortStraight, TwoTerminalChows]),
    (ThreeSuitedTerminalChows, &[MixedDoubleChow, TwoTerminalChows]),
    (PureShiftedChows, &[ShortStraight]),
    (TriplePung, &[DoublePung]),
    (MixedTripleChow, &[MixedDoubleChow]),
];

/// Fans that use pungs of winds: a pung that forms one of them is not a Pung of Terminals or Honors
/// (73) as well, while another pung may be one. Big Three Winds uses its pungs unless
/// [`Options::terminal_pungs_in_big_three_winds`] says otherwise.
pub(super) const USING_WIND_PUNGS: [Fan; 5] =
    [BigFourWinds, LittleFourWinds, BigThreeWinds, PrevalentWind, SeatWind];

/// Returns whether a fan that counts keeps another fan from counting on the same sets.
pub(super) fn implied_by_same_sets(by: Fan, fan: Fan) -> bool {
    IMPLIED_BY_SAME_SETS.iter().any(|(first, implied)| *first == by && implied.contains(&fan))
}

/// Fans that do not count beside two other fans together: pairs of only green tiles or only
/// terminals necessarily include four of a kind. An option
/// ([`Options::tile_hog_in_green_or_terminal_pairs`]) lets them count.
const EXCLUDED_TOGETHER: [(Fan, Fan, Fan); 2] =
    [(AllGreen, SevenPairs, TileHog), (AllTerminals, SevenPairs, TileHog)];

/// Hands that are concealed by their nature; an option decides what a self-draw adds to them.
const CONCEALED_BY_NATURE: [Fan; 7] = [
    NineGates,
    SevenShiftedPairs,
    ThirteenOrphans,
    FourConcealedPungs,
    SevenPairs,
    GreaterHonorsAndKnittedTiles,
    LesserHonorsAndKnittedTiles,
];

/// The fans that each fan excludes.
#[derive(Debug, Clone)]
pub(super) struct Exclusions {
    by: [FanSet; Fan::COUNT],
    /// Whether [`EXCLUDED_TOGETHER`] applies.
    together: bool,
    using_wind_pungs: FanSet,
}

impl Exclusions {
    /// Returns the table for an interpretation of the rules.
    pub(super) const fn new(options: &Options) -> Exclusions {
        let together = !options.tile_hog_in_green_or_terminal_pairs;
        let open = FanSet::EMPTY.with_if(BigThreeWinds, options.terminal_pungs_in_big_three_winds);
        let using_wind_pungs = FanSet::from_fans(&USING_WIND_PUNGS).difference(open);
        let mut table = Exclusions { by: [FanSet::EMPTY; Fan::COUNT], together, using_wind_pungs };
        let mut row = 0;
        while row < EXCLUDES.len() {
            let (fan, excluded) = EXCLUDES[row];
            table.by[fan as usize] = FanSet::from_fans(excluded);
            row += 1;
        }
        table.exclude_if(AllGreen, HalfFlush, !options.half_flush_with_green_dragon);
        table.exclude_if(AllTerminals, DoublePung, !options.double_pung_in_all_terminals);
        let kong = !options.concealed_kong_beside_three_or_four_kongs;
        table.exclude_if(FourKongs, ConcealedKong, kong);
        table.exclude_if(ThreeKongs, ConcealedKong, kong);
        let straight = !options.knitted_straight_in_lesser_honors;
        table.exclude_if(LesserHonorsAndKnittedTiles, KnittedStraight, straight);
        let mut index = 0;
        while index < CONCEALED_BY_NATURE.len() {
            let fan = CONCEALED_BY_NATURE[index];
            table.exclude_if(fan, FullyConcealedHand, !options.fully_concealed_special_hands);
            index += 1;
        }
        table
    }

    const fn exclude_if(&mut self, fan: Fan, excluded: Fan, condition: bool) {
        self.by[fan as usize].add_if(excluded, condition);
    }

    /// Returns the fans that a fan excludes.
    pub(super) const fn excluded_by(&self, fan: Fan) -> FanSet {
        self.by[fan as usize]
    }

    /// Returns whether the pungs of winds that form a fan do not count as Pungs of Terminals or
    /// Honors as well.
    pub(super) const fn uses_wind_pungs(&self, fan: Fan) -> bool {
        self.using_wind_pungs.contains(fan)
    }

    /// Returns the fans that the pairs of fans in a set exclude.
    pub(super) fn excluded_together(&self, fans: FanSet) -> FanSet {
        let mut excluded = FanSet::EMPTY;
        for (one, other, fan) in EXCLUDED_TOGETHER {
            excluded.add_if(fan, self.together && fans.contains(one) && fans.contains(other));
        }
        excluded
    }

    /// Applies the exclusions in falling order of the fans and returns the fans that remain.
    pub(super) fn apply(&self, fans: FanSet) -> FanSet {
        let mut rest = fans.difference(self.excluded_together(fans));
        let mut counted = FanSet::EMPTY;
        while let Some(fan) = rest.pop() {
            counted.add_if(fan, true);
            rest = rest.difference(self.excluded_by(fan));
        }
        counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fan_comes_before_those_that_it_excludes() {
        for (fan, excluded) in EXCLUDES.iter().chain(IMPLIED_BY_SAME_SETS) {
            for other in *excluded {
                assert!(fan < other, "{fan} excludes {other}");
            }
        }
    }

    #[test]
    fn no_fan_has_two_rows() {
        for table in [EXCLUDES, IMPLIED_BY_SAME_SETS] {
            let mut fans: Vec<Fan> = table.iter().map(|row| row.0).collect();
            fans.dedup();
            assert_eq!(fans.len(), table.len());
            assert!(fans.is_sorted());
        }
    }

    #[test]
    fn an_excluded_fan_excludes_nothing() {
        let table = Exclusions::new(&Options::MIL);
        let fans = FanSet::from_fans(&[SevenPairs, FullyConcealedHand, SelfDrawn]);
        assert_eq!(table.apply(fans), FanSet::from_fans(&[SevenPairs, SelfDrawn]));
    }
}
