//! Lines that do not depend on the decomposition: the kinds of tiles, the kongs, and how the hand
//! was won.

use crate::context::WinSource;
use crate::rules::decompose::facts::{Facts, HONOR_GROUP};
use crate::rules::decompose::kinds::{self, Kinds, is_within};
use crate::rules::decompose::packed::PackedCounts;

use super::line::Line::*;
use super::line::LineCounts;
use super::options::Options;

/// Suits that a hand can hold.
const SUITS: [Kinds; 3] = [kinds::CHARACTERS, kinds::DOTS, kinds::BAMBOO];

/// Returns the counts that all decompositions of a hand share.
pub(super) fn counts(facts: &Facts, options: &Options) -> LineCounts {
    let mut counts = LineCounts::NONE;
    add_win(facts, options, &mut counts);
    add_kongs(facts, &mut counts);
    add_kinds(facts, &mut counts);
    counts.set_if(NineLanterns, is_nine_lanterns(facts, options));
    counts
}

/// Adds the lines of the win context and of concealment.
fn add_win(facts: &Facts, options: &Options, counts: &mut LineCounts) {
    let last_tile = facts.context.last_wall_tile;
    let replacement = facts.context.win == WinSource::KongReplacement;
    let robbed = facts.is_robbed();
    let concealed = facts.melds.is_concealed();
    let all_called = facts.melds.count == 4 && facts.melds.concealed_kongs == 0;
    let can_be_last = !replacement || options.replacement_tile_can_be_the_last;
    counts.set_if(SelfDraw, facts.self_drawn || robbed && options.robbing_is_self_draw);
    counts.set_if(FullyConcealed, facts.self_drawn && concealed);
    counts.set_if(UnderTheSea, facts.self_drawn && last_tile && can_be_last);
    counts.set_if(UnderTheRiver, !facts.self_drawn && last_tile);
    counts.set_if(AfterAKong, replacement);
    counts.set_if(RobbingAKong, robbed);
    counts.set_if(FullyOpen, all_called && !facts.self_drawn);
}

fn add_kongs(facts: &Facts, counts: &mut LineCounts) {
    let kongs = facts.melds.kongs.count_ones();
    counts.set_if(ThreeKongs, kongs >= 3);
    counts.set_if(FourKongs, kongs == 4);
}

fn add_kinds(facts: &Facts, counts: &mut LineCounts) {
    let all = facts.kinds;
    let one_suit = SUITS.iter().filter(|&suit| all & suit != 0).count() == 1;
    let honors = all & kinds::HONORS != 0;
    counts.set_if(NoOfficers, is_within(all, kinds::SIMPLES));
    counts.set_if(OneSuit, one_suit);
    counts.set_if(OneSuitWithoutHonours, one_suit && !honors);
    counts.set_if(OneSuitConcealed, one_suit && facts.melds.is_concealed());
    counts.set_if(OnlyOnesAndNines, is_within(all, kinds::TERMINALS));
    counts.set_if(OnlyHonours, is_within(all, kinds::HONORS));
    counts.set_if(Jade, is_within(all, kinds::GREEN));
}

/// Returns whether the hand is nine lanterns (1.2.29): 1112345678999 of one suit and one more tile
/// of it, nothing called and no kong.
fn is_nine_lanterns(facts: &Facts, options: &Options) -> bool {
    let lanterns = PackedCounts::NINE_GATES;
    if facts.melds.count > 0 {
        return false;
    }
    if options.lanterns_before_the_winning_tile {
        return facts.waiting()[..HONOR_GROUP].contains(&lanterns);
    }
    facts.hidden[..HONOR_GROUP].iter().any(|suit| suit.holds(lanterns))
}
