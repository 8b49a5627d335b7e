//! The hand of a player who has not won.
//!
//! Concealed tiles are read only for sets that count: three of a kind are a pung (a fourth tile was
//! never declared, so it makes no kong), two of a kind are a pair. Chows count nothing, so no
//! decomposition is better than this one. A hand with more tiles than a player can hold counts
//! nothing, unless an option says otherwise.

use crate::hand::Holding;
use crate::rules::Score;
use crate::rules::decompose::kinds::{HONORS, Kinds};
use crate::tile::{Tile, Wind};
use crate::tiles::Counts;

use super::Classical;
use super::everybody::{self, Formation, Player, Sink};
use super::items::ItemSink;
use super::line::Line;
use super::pieces::HandSets;
use super::scoring_sets::ScoringSets;
use super::tally::HandWorth;

/// Returns the itemized score of a hand that has not won.
pub(super) fn score(rules: &Classical, holding: &Holding, seat: Wind, prevalent: Wind) -> Score {
    let player = Player { seat, prevalent, flowers: holding.flowers() };
    let scoring = scoring_sets(holding);
    let mut lines = ItemSink::new(HandSets::from_holding(holding, &scoring));
    everybody::walk(&rules.options, &scoring, &player, &mut lines);
    if rules.options.long_hand_counts_nothing && holding.is_long() {
        lines.once(Line::LongHand, Formation::Whole);
        return lines.into_items(Some(Line::LongHand)).into_score(rules, &HandWorth::NOTHING);
    }
    let tally = HandWorth::for_other(rules, &scoring, &player);
    lines.into_items(None).into_score(rules, &tally)
}

/// Returns the sets of the hand that can count: its melds, and the pungs and pairs among its
/// concealed tiles. Pairs of numbers are never worth anything; pairs of winds may be (3.10).
fn scoring_sets(holding: &Holding) -> ScoringSets {
    let concealed = holding.concealed();
    ScoringSets {
        concealed_pungs: kinds_with(concealed, |count| count >= 3),
        pairs: kinds_with(concealed, |count| count == 2) & HONORS,
        ..ScoringSets::from_melds(holding.melds())
    }
}

/// Returns the kinds of which the hand holds a wanted number.
fn kinds_with(concealed: &Counts, wanted: fn(u8) -> bool) -> Kinds {
    let kinds = Tile::ALL.into_iter().filter(|&tile| wanted(concealed.count(tile)));
    kinds.fold(0, |kinds, tile| kinds | 1 << tile.index())
}
