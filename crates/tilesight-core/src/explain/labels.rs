//! Labels of the printed score. A name in braces, such as `{count}`, stands for a number or a name
//! that a label carries: [`fill`](super::fill) puts it there. A pair of labels is for the singular
//! and the plural.
//!
//! The build fills one struct for each language from the table `core.labels` of the catalogues,
//! which has a text for each field.

use crate::rules::Halves;

/// The words around the figures of a printed score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Labels {
    /// Label of the hand.
    pub hand: &'static str,
    /// Label of the concealed tiles.
    pub concealed: &'static str,
    /// Label of the melds.
    pub melds: &'static str,
    /// Label of the winning tile.
    pub winning: &'static str,
    /// Label of the flowers.
    pub flowers: &'static str,
    /// Label of the chosen reading.
    pub reading: &'static str,
    /// Label of the winner's seat.
    pub seat: &'static str,
    /// Label of the wind of the round.
    pub prevalent: &'static str,
    /// Label of the way in which the hand was won.
    pub win: &'static str,
    /// Label of the rule set.
    pub rules: &'static str,
    /// Names of the winds: East, South, West, North.
    pub winds: [&'static str; 4],
    /// Sources of the winning tile: drawn, discard, replacement tile, robbed kong.
    pub wins: [&'static str; 4],
    /// Origins of a claimed tile: from the left, from across, from the right.
    pub from: [&'static str; 3],
    /// The tile was the last of the wall, or the discard after it.
    pub last_wall_tile: &'static str,
    /// The tile was the last of its kind.
    pub last_of_kind: &'static str,
    /// Declarations, in the order of [`Declaration::ALL`](crate::context::Declaration::ALL).
    pub declared: [&'static str; 13],
    /// The set that the winning tile completed; carries the set.
    pub completes: &'static str,
    /// The player who completed the last of the sets that make their feeder pay: left, across,
    /// right, nobody.
    pub feeders: [&'static str; 4],
    /// Head of the column of fan names.
    pub fan: &'static str,
    /// Head of the column of line names, for rules whose lines are not fans.
    pub line: &'static str,
    /// Head of the column of points.
    pub points: &'static str,
    /// Head of the column of sets.
    pub sets: &'static str,
    /// The whole hand forms the fan.
    pub whole_hand: &'static str,
    /// Label of the sum.
    pub total: &'static str,
    /// The sum without flowers; carries the sum.
    pub without_flowers: &'static str,
    /// Largest amount that takes the singular: one ("½ doubling", but "1½ doublings"), or in Danish
    /// and Swedish one and a half ("halvanden fordobling", "en och en halv dubbling").
    pub singular_up_to: Halves,
    /// Points in a sentence, singular and plural; carries the number.
    pub points_phrase: [&'static str; 2],
    /// Doublings in a sentence, singular and plural; carries the number.
    pub doublings_phrase: [&'static str; 2],
    /// Doublings in a column of figures; carries the number.
    pub doublings_short: &'static str,
    /// Faan; carries the number.
    pub faan: &'static str,
    /// Tai; carries the number.
    pub tai: &'static str,
    /// Tai of the dealer beside those of the hand; carries the number.
    pub dealer_tai: &'static str,
    /// Limits in a column of figures, singular and plural; carries the number.
    pub limits_short: [&'static str; 2],
    /// A limit or the highest doubling reduced the total.
    pub capped: &'static str,
    /// A minimum in points; carries the number.
    pub minimum_points: &'static str,
    /// The minimum is met; carries the minimum.
    pub minimum_met: &'static str,
    /// The minimum is not met; carries the minimum and the sentence of
    /// [`missing`](Labels::missing).
    pub minimum_missed: &'static str,
    /// Only some answers to the open questions meet the minimum; carries the minimum.
    pub minimum_met_by_some: &'static str,
    /// No answer meets the minimum; carries the minimum.
    pub minimum_met_by_none: &'static str,
    /// Not all combinations of answers were tried, so that other totals are possible.
    pub partial_range: &'static str,
    /// The amount missing to the minimum, singular and plural; carries the amount.
    pub missing: [&'static str; 2],
    /// A change would have been enough for the minimum; carries the change.
    pub enough: &'static str,
    /// The changes of a hand: the winning tile drawn, nothing called, both.
    pub changes: [&'static str; 3],
    /// The total would reach the limit with one more doubling; carries the limit.
    pub limit_is_near: &'static str,
    /// Label of the fans that do not count.
    pub excluded: &'static str,
    /// Excluded because the other fan implies it; carries the other fan.
    pub implied: &'static str,
    /// Excluded because a set was used for the same fan already; carries the other fan.
    pub same_fan_twice: &'static str,
    /// Excluded because its sets are combined already; carries the other fan.
    pub account_once: &'static str,
    /// Excluded because the other line counts alone; carries the other line.
    pub counts_alone: &'static str,
    /// Excluded because the winning tile is a knitted one of the other line; carries the other
    /// line.
    pub knitted_tile: &'static str,
    /// Label of the other readings.
    pub runners_up: &'static str,
    /// A worse reading; carries the difference.
    pub worth_less: &'static str,
    /// A reading that is worth the same.
    pub worth_the_same: &'static str,
    /// The lines that another reading does not have; carries the lines.
    pub without: &'static str,
    /// The lines that another reading has in their place; carries the lines.
    pub instead: &'static str,
    /// Label of the hand of a player who did not win; carries the seat.
    pub other: &'static str,
    /// Label of the possible totals, where a field is not given.
    pub possible: &'static str,
    /// Label of the payments.
    pub payments: &'static str,
    /// Label of the assumed fields.
    pub assumed: &'static str,
    /// Head of the column of line names in riichi.
    pub yaku: &'static str,
    /// Han in a column of figures; carries the number.
    pub han_short: &'static str,
    /// Han and fu of a hand; carries both.
    pub han_and_fu: &'static str,
    /// Limits of riichi: mangan, haneman, baiman, sanbaiman, yakuman.
    pub riichi_limits: [&'static str; 5],
    /// A yakuman by 13 han and more.
    pub counted_yakuman: &'static str,
    /// Several yakuman; carries the number.
    pub several_yakuman: &'static str,
    /// A minimum in yaku; carries the number.
    pub minimum_yaku: &'static str,
    /// Label of the parts of the fu.
    pub fu_parts: &'static str,
    /// Label of the riichi sticks that the winner takes; carries the points.
    pub sticks: &'static str,
    /// Riichi, and riichi on the first discard.
    pub riichi_calls: [&'static str; 2],
    /// No riichi.
    pub no_riichi: &'static str,
    /// Won within one go-around after riichi.
    pub ippatsu: &'static str,
    /// Not won within one go-around after riichi.
    pub no_ippatsu: &'static str,
    /// No dora indicators are known.
    pub no_indicators: &'static str,
    /// Face-up dora indicators; carries the tiles.
    pub dora_indicators: &'static str,
    /// Indicators under them; carries the tiles.
    pub ura_indicators: &'static str,
    /// Number of counters; carries it.
    pub honba: &'static str,
    /// Number of riichi sticks on the table, singular and plural; carries it.
    pub riichi_sticks: [&'static str; 2],
    /// Number of norths that were set aside, singular and plural; carries it.
    pub norths: [&'static str; 2],
    /// No norths that were set aside are known.
    pub no_norths: &'static str,
    /// No ready hand was declared.
    pub no_ready: &'static str,
    /// Seat of the dealer; carries it.
    pub dealer: &'static str,
    /// Number of deals that the dealer stayed on; carries it.
    pub dealer_streak: &'static str,
    /// Red fives that nobody named, of a hand with all four fives; carries the tiles.
    pub assumed_reds: &'static str,
    /// Text between the members of a list.
    pub list: &'static str,
    /// Text between the parts of a sentence.
    pub clauses: &'static str,
    /// Text between a head and what stands behind it.
    pub colon: &'static str,
}
