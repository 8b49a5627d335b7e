//! The lines that replace others, as a table. All other lines add up.

use super::line::{Line, LineSet};
use super::options::{Options, Ruling};

/// A condition under which a line replaces others.
enum Condition {
    /// By any rules.
    Always,
    /// If the ruling of this option is that the line includes the others.
    Included(fn(&Options) -> Ruling),
    /// Unless this option adds the others.
    Unless(fn(&Options) -> bool),
}

use Condition::{Always, Included, Unless};
use Line::*;

/// Lines, the lines that they replace, and the condition.
const REPLACED: [(Line, &[Line], Condition); 13] = [
    (SevenPairs, &[ConcealedHand], Included(|options| options.seven_pairs_concealed)),
    (SmallThreeDragons, &[Dragon], Included(|options| options.small_dragons_pungs)),
    (BigThreeDragons, &[Dragon], Always),
    (SmallFourWinds, &[SeatWind, PrevalentWind], Included(|options| options.small_winds_pungs)),
    (BigFourWinds, &[SeatWind, PrevalentWind], Always),
    (AllHonors, &[AllPungs], Included(|options| options.honors_pungs)),
    (AllTerminals, &[AllPungs], Included(|options| options.terminals_pungs)),
    (NineGates, &[FullFlush, AllChows], Always),
    (FourConcealedPungs, &[AllPungs], Always),
    (AllKongs, &[AllPungs], Always),
    (DoubleKong, &[KongReplacement], Always),
    (AllFlowers, &[OwnFlower], Unless(|options| options.own_flower_in_set)),
    (AllSeasons, &[OwnSeason], Unless(|options| options.own_flower_in_set)),
];

/// Lines that can replace others.
pub(super) const REPLACING: LineSet = {
    let mut lines = LineSet::NONE;
    let mut at = 0;
    while at < REPLACED.len() {
        lines.add_if(REPLACED[at].0, true);
        at += 1;
    }
    lines
};

/// Returns the lines that each line replaces under the options, by position.
pub(super) fn table(options: &Options) -> [LineSet; Line::COUNT] {
    let mut table = [LineSet::NONE; Line::COUNT];
    for (line, others, condition) in &REPLACED {
        let holds = match condition {
            Always => true,
            Included(ruling) => ruling(options) == Ruling::Included,
            Unless(added) => !added(options),
        };
        if holds {
            table[*line as usize] = LineSet::new(others);
        }
    }
    table
}
