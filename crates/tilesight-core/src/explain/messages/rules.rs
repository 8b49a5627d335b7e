//! Errors of a hand that can't be scored, and of several hands that can't lie on one table.

use crate::explain::{Lang, Message, display_english};
use crate::rules::{
    Contradiction, InvalidRulesetId, MAX_RULESET_ID, Requirement, RulesError, RulesetId,
    TableError, UnknownRuleset,
};
use crate::texts;

display_english!(RulesError);

impl Message for RulesError {
    fn text(&self, lang: Lang) -> String {
        match self {
            RulesError::NotAWin => texts::rules_error::not_a_win(lang).to_owned(),
            RulesError::WrongSize(fault) => fault.text(lang),
            RulesError::FlowersNotPlayed { count } => {
                texts::rules_error::flowers_not_played(lang, count)
            }
            RulesError::TileNotPlayed { tile } => texts::rules_error::tile_not_played(lang, tile),
            RulesError::TooManyReds { tile, found, max } => {
                texts::rules_error::too_many_reds(lang, found, tile, max)
            }
            RulesError::ChowNotCallable => texts::rules_error::chow_not_callable(lang).to_owned(),
            RulesError::Contradictions(all) => {
                let labels = lang.labels();
                let reasons = all
                    .iter()
                    .map(|one| format!("{}{}{}", one.field(), labels.colon, one.text(lang)));
                reasons.collect::<Vec<_>>().join(labels.clauses)
            }
        }
    }
}

display_english!(InvalidRulesetId);

impl Message for InvalidRulesetId {
    fn text(&self, lang: Lang) -> String {
        let InvalidRulesetId(text) = self;
        let max = MAX_RULESET_ID;
        texts::invalid::ruleset_id(lang, text, max)
    }
}

display_english!(UnknownRuleset);

impl Message for UnknownRuleset {
    fn text(&self, lang: Lang) -> String {
        let ids: Vec<&str> = self.known.iter().map(RulesetId::as_str).collect();
        let known = ids.join(lang.labels().list);
        let id = self.id;
        texts::invalid::unknown_ruleset(lang, id, known)
    }
}

display_english!(Contradiction);

impl Message for Contradiction {
    fn text(&self, lang: Lang) -> String {
        match self {
            Contradiction::ReplacementWithoutKong => {
                texts::contradiction::replacement_without_kong(lang).to_owned()
            }
            Contradiction::RobbedTileInHand { tile } => {
                texts::contradiction::robbed_tile_in_hand(lang, tile)
            }
            Contradiction::RobbedAfterLastTile => {
                texts::contradiction::robbed_after_last_tile(lang).to_owned()
            }
            Contradiction::LastOfKindInHand { tile } => {
                texts::contradiction::last_of_kind_in_hand(lang, tile)
            }
            Contradiction::NoSetToFeed => texts::contradiction::no_set_to_feed(lang).to_owned(),
            Contradiction::FedByAnother { feeder } => {
                texts::contradiction::fed_by_another(lang, feeder)
            }
            Contradiction::ReplacementAtEndOfWall => {
                texts::contradiction::replacement_at_end_of_wall(lang).to_owned()
            }
            Contradiction::Declared { declared, needs } => {
                let needs = needs.text(lang);
                texts::contradiction::declared(lang, declared, needs)
            }
            Contradiction::RiichiWithCalledMeld => {
                texts::contradiction::riichi_with_called_meld(lang).to_owned()
            }
            Contradiction::IppatsuWithoutRiichi => {
                texts::contradiction::ippatsu_without_riichi(lang).to_owned()
            }
            Contradiction::IppatsuAfterReplacement => {
                texts::contradiction::ippatsu_after_replacement(lang).to_owned()
            }
            Contradiction::TooManyUraIndicators { face_up, found } => {
                texts::contradiction::too_many_ura_indicators(lang, found, face_up)
            }
            Contradiction::TooManyCopies { tile, found, .. } => {
                texts::contradiction::too_many_copies(lang, found, tile)
            }
            Contradiction::TooFewIndicators { needed, found } => {
                texts::contradiction::too_few_indicators(lang, found, needed)
            }
            Contradiction::SeatNotTaken => texts::contradiction::seat_not_taken(lang).to_owned(),
            Contradiction::DealerNotEast => texts::contradiction::dealer_not_east(lang).to_owned(),
            Contradiction::NobodyOpposite { .. } => {
                texts::contradiction::nobody_opposite(lang).to_owned()
            }
            Contradiction::IndicatorNotPlayed { tile, .. } => {
                texts::contradiction::indicator_not_played(lang, tile)
            }
            Contradiction::TooManyNorths { found } => {
                texts::contradiction::too_many_norths(lang, found)
            }
            Contradiction::NotCompleted { set, tile } => {
                texts::contradiction::not_completed(lang, tile, set)
            }
        }
    }
}

display_english!(Requirement);

impl Message for Requirement {
    fn text(&self, lang: Lang) -> String {
        match self {
            Requirement::SeatEast => texts::requirement::seat_east(lang).to_owned(),
            Requirement::OtherSeat => texts::requirement::other_seat(lang).to_owned(),
            Requirement::SelfDraw => texts::requirement::self_draw(lang).to_owned(),
            Requirement::Discard => texts::requirement::discard(lang).to_owned(),
            Requirement::KongReplacement => texts::requirement::kong_replacement(lang).to_owned(),
            Requirement::TwoKongs => texts::requirement::two_kongs(lang).to_owned(),
            Requirement::NoMelds => texts::requirement::no_melds(lang).to_owned(),
            Requirement::NoRiichi => texts::requirement::no_riichi(lang).to_owned(),
            Requirement::NoNorths => texts::requirement::no_norths(lang).to_owned(),
            Requirement::FewOpenSets => texts::requirement::few_open_sets(lang).to_owned(),
            Requirement::BonusTile => texts::requirement::bonus_tile(lang).to_owned(),
            Requirement::Dealer => texts::requirement::dealer(lang).to_owned(),
            Requirement::NotDealer => texts::requirement::not_dealer(lang).to_owned(),
            Requirement::NoClaimedSet => texts::requirement::no_claimed_set(lang).to_owned(),
            Requirement::NotLastTile => texts::requirement::not_last_tile(lang).to_owned(),
            Requirement::NoKongReplacement => {
                texts::requirement::no_kong_replacement(lang).to_owned()
            }
            Requirement::OneFirstHand => texts::requirement::one_first_hand(lang).to_owned(),
            Requirement::NoReady => texts::requirement::no_ready(lang).to_owned(),
            Requirement::OneReady => texts::requirement::one_ready(lang).to_owned(),
            Requirement::EightBonusTiles => texts::requirement::eight_bonus_tiles(lang).to_owned(),
            Requirement::SevenBonusTiles => texts::requirement::seven_bonus_tiles(lang).to_owned(),
            Requirement::NoWinningTile => texts::requirement::no_winning_tile(lang).to_owned(),
            Requirement::NothingElse => texts::requirement::nothing_else(lang).to_owned(),
            Requirement::Played => texts::requirement::played(lang).to_owned(),
        }
    }
}

display_english!(TableError);

impl Message for TableError {
    fn text(&self, lang: Lang) -> String {
        match self {
            TableError::Winner(error) => error.text(lang),
            TableError::SeatTaken { seat, .. } => texts::table_error::seat_taken(lang, seat),
            TableError::TooManyCopies { tile, found, .. } => {
                texts::table_error::too_many_copies(lang, found, tile)
            }
            TableError::BonusTwice { bonus, .. } => texts::table_error::bonus_twice(lang, bonus),
        }
    }
}
