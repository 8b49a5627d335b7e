//! Fans of the win context, of concealment and of kongs.

use crate::context::WinSource;
use crate::rules::decompose::facts::Facts;

use super::fan::Fan::*;
use super::fan::FanSet;

pub(super) fn find_win_context_fans(facts: &Facts) -> FanSet {
    let mut fans = FanSet::EMPTY;
    let last_tile = facts.context.last_wall_tile;
    let concealed = facts.melds.is_concealed();
    fans.add_if(SelfDrawn, facts.self_drawn);
    fans.add_if(FullyConcealedHand, facts.self_drawn && concealed);
    fans.add_if(ConcealedHand, !facts.self_drawn && concealed);
    fans.add_if(LastTileDraw, facts.self_drawn && last_tile);
    fans.add_if(LastTileClaim, !facts.self_drawn && last_tile);
    fans.add_if(OutWithReplacementTile, facts.context.win == WinSource::KongReplacement);
    fans.add_if(RobbingTheKong, facts.is_robbed());
    fans.add_if(LastTile, facts.last_of_kind);
    let all_melded = facts.melds.count == 4 && facts.melds.concealed_kongs == 0;
    fans.add_if(MeldedHand, all_melded && !facts.self_drawn);
    fans
}

/// Returns the fans of kongs. Three Kongs and Four Kongs leave concealment to the fans of concealed
/// pungs; an option ([`super::Options`]) decides about a single concealed kong among them.
pub(super) fn find_kong_fans(facts: &Facts) -> FanSet {
    let mut fans = FanSet::EMPTY;
    if facts.melds.kongs == 0 {
        return fans;
    }
    let concealed = facts.melds.concealed_kongs.count_ones();
    let melded = facts.melds.melded_kongs().count_ones();
    fans.add_if(FourKongs, concealed + melded == 4);
    fans.add_if(ThreeKongs, concealed + melded >= 3);
    fans.add_if(TwoConcealedKongs, concealed >= 2);
    fans.add_if(MeldedAndConcealedKong, concealed >= 1 && melded >= 1);
    fans.add_if(TwoMeldedKongs, melded >= 2);
    fans.add_if(ConcealedKong, concealed == 1);
    fans.add_if(MeldedKong, melded >= 1);
    fans
}
