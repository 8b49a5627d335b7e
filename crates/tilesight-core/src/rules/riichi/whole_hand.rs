//! Lines that do not depend on the reading: of the win context, of the kinds of tiles and of the
//! kongs.

use crate::context::{Declaration, RiichiCall, WinSource};
use crate::rules::decompose::facts::{Facts, HONOR_GROUP};
use crate::rules::decompose::kinds::{
    BAMBOO, CHARACTERS, DOTS, GREEN, HONORS, SIMPLES, TERMINALS, TERMINALS_AND_HONORS, is_within,
};
use crate::rules::decompose::packed::PackedCounts;

use super::line::Line::*;
use super::line::LineSet;
use super::options::Options;

/// The lines that all readings of a hand share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shared {
    pub(super) yaku: LineSet,
    pub(super) yakuman: LineSet,
}

/// Returns the lines that all readings of a hand share.
pub(super) fn find_lines(facts: &Facts, options: &Options) -> Shared {
    let mut shared = Shared { yaku: LineSet::NONE, yakuman: LineSet::NONE };
    let closed = facts.melds.is_concealed();
    add_win(facts, closed, &mut shared.yaku);
    add_kinds(facts, closed || options.open_tanyao, &mut shared);
    if facts.melds.kongs != 0 {
        let kongs = facts.melds.kongs.count_ones();
        shared.yaku.add_if(Sankantsu, kongs == 3);
        shared.yakuman.add_if(Suukantsu, kongs == 4);
    }
    if facts.melds.count == 0 {
        add_nine_gates(facts, options, &mut shared.yakuman);
    }
    let declared = facts.context.declared;
    shared.yakuman.add_if(Tenhou, declared.contains(Declaration::Heaven));
    shared.yakuman.add_if(Chiihou, declared.contains(Declaration::Earth));
    shared
}

/// Adds the yaku of the win context.
fn add_win(facts: &Facts, closed: bool, yaku: &mut LineSet) {
    let context = &facts.context;
    yaku.add_if(Riichi, context.riichi == RiichiCall::Riichi);
    yaku.add_if(DoubleRiichi, context.riichi == RiichiCall::Double);
    yaku.add_if(Ippatsu, context.ippatsu);
    yaku.add_if(MenzenTsumo, closed && facts.self_drawn);
    yaku.add_if(Haitei, context.last_wall_tile && facts.self_drawn);
    yaku.add_if(Houtei, context.last_wall_tile && !facts.self_drawn);
    yaku.add_if(Rinshan, context.win == WinSource::KongReplacement);
    yaku.add_if(Chankan, facts.is_robbed());
}

/// Adds the lines of the kinds of tiles.
fn add_kinds(facts: &Facts, tanyao: bool, shared: &mut Shared) {
    let all = facts.kinds;
    let [characters, dots, bamboo] =
        [CHARACTERS, DOTS, BAMBOO].map(|suit| u8::from(all & suit != 0));
    let suits = characters + dots + bamboo;
    let honors = all & HONORS != 0;
    shared.yaku.add_if(Tanyao, tanyao && is_within(all, SIMPLES));
    shared.yaku.add_if(Honroutou, is_within(all, TERMINALS_AND_HONORS));
    shared.yaku.add_if(Honitsu, suits == 1 && honors);
    shared.yaku.add_if(Chinitsu, suits == 1 && !honors);
    shared.yakuman.add_if(Tsuuiisou, suits == 0);
    shared.yakuman.add_if(Chinroutou, is_within(all, TERMINALS));
    shared.yakuman.add_if(Ryuuiisou, is_within(all, GREEN));
}

/// Returns whether any tile of the hand may count as the last one: those that East was dealt have
/// no order.
pub(super) fn allows_any_last_tile(facts: &Facts, options: &Options) -> bool {
    options.heaven_any_last_tile && facts.context.declared.contains(Declaration::Heaven)
}

/// Adds the nine gates of a hand without melds.
fn add_nine_gates(facts: &Facts, options: &Options, yakuman: &mut LineSet) {
    let gates = PackedCounts::NINE_GATES;
    if facts.hidden[..HONOR_GROUP].iter().any(|suit| suit.total() == 14 && suit.holds(gates)) {
        let pure =
            facts.waiting()[..HONOR_GROUP].contains(&gates) || allows_any_last_tile(facts, options);
        yakuman.add_if(JunseiChuuren, pure);
        yakuman.add_if(Chuuren, !pure);
    }
}
