//! The lines that replace others, as a table. All other lines add up.

use super::line::{Line, LineSet};
use super::options::{EightInWin, Extra, Options, Ruling};

/// A condition under which a line replaces others.
enum Condition {
    /// By any rules.
    Always,
    /// If the ruling of this option is that the line includes the others.
    Included(fn(&Options) -> Ruling),
    /// If this option leaves no other line of bonus tiles.
    Instead(fn(&Options) -> EightInWin),
}

use Condition::{Always, Included, Instead};
use Line::*;

/// Lines, the lines that they replace, and the condition.
const REPLACED: [(Line, &[Line], Condition); 13] = [
    (AllMelded, &[SingleWait], Included(|options| options.melded_wait)),
    (HalfMelded, &[SingleWait], Included(|options| options.melded_wait)),
    (HeavenlyHand, &[SingleWait, AllChows], Always),
    (FourConcealedPungs, &[ThreeConcealedPungs], Always),
    (FiveConcealedPungs, &[ThreeConcealedPungs, FourConcealedPungs], Always),
    (AllHonors, &[AllPungs], Included(|options| options.honors_pungs)),
    (SmallThreeDragons, &[Dragon], Included(|options| options.dragon_pungs)),
    (BigThreeDragons, &[Dragon], Included(|options| options.dragon_pungs)),
    (SmallFourWinds, WIND_PUNGS, Included(|options| options.small_winds_pungs)),
    (BigFourWinds, WIND_PUNGS, Included(|options| options.big_winds_pungs)),
    (FiveKongs, &[FourKongs], Always),
    (NoFlowersNoHonors, &[NoFlowers], Always),
    (
        EightFlowers,
        &[OwnFlower, Flower, FlowerSet],
        Instead(|options| options.eight_flowers_in_win),
    ),
];

const WIND_PUNGS: &[Line] = &[SeatWind, PrevalentWind, Wind];

/// Option that says which ways of winning count beside a line.
type Limit = fn(&Options) -> Extra;

/// Lines beside which options say what is left of the ways of winning.
const LIMITING: [(Line, Limit); 7] = [
    (HeavenlyHand, |options| options.heaven_extra),
    (EarthlyHand, |options| options.heaven_extra),
    (HumanHand, |options| options.heaven_extra),
    (EarthlyReady, |options| options.ready_extra),
    (HeavenlyReady, |options| options.ready_extra),
    (SevenPairs, |options| options.special_extra),
    (ThirteenOrphans, |options| options.special_extra),
];

/// Lines that a concealed and self-drawn hand replaces, unless it is replaced itself.
pub(super) const WITHIN_FULLY_CONCEALED: LineSet = LineSet::new(&[SelfDraw, ConcealedHand]);

/// Lines that can replace others, except a concealed and self-drawn hand.
pub(super) const REPLACING: LineSet = {
    let mut lines = LineSet::NONE;
    let mut at = 0;
    while at < REPLACED.len() {
        lines.add_if(REPLACED[at].0, true);
        at += 1;
    }
    at = 0;
    while at < LIMITING.len() {
        lines.add_if(LIMITING[at].0, true);
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
            Instead(ruling) => ruling(options) == EightInWin::Added,
        };
        if holds {
            table[*line as usize] = LineSet::new(others);
        }
    }
    for (line, extra) in LIMITING {
        let removed: &[Line] = match extra(options) {
            Extra::All => &[],
            Extra::SelfDraw => &[ConcealedHand, FullyConcealedHand],
            Extra::None => &[SelfDraw, ConcealedHand, FullyConcealedHand],
        };
        table[line as usize] = table[line as usize].or(LineSet::new(removed));
    }
    table
}
