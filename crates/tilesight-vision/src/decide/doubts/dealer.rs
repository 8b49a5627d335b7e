//! The dealer of the game of sixteen tiles, who owes and gets more for each deal that he has stayed
//! on.
//!
//! A photo shows neither who deals nor how often he has stayed on. The streak matters only if the
//! dealer won or pays.

use tilesight_core::context::{Context, ContextField};

/// Fields that say who won, who pays and who deals.
const WHO: [ContextField; 4] =
    [ContextField::Seat, ContextField::Win, ContextField::From, ContextField::Dealer];

/// Returns whether the dealer may have won or may pay; `assumed` are the fields that were not
/// given.
pub(super) fn may_be_concerned(context: &Context, assumed: &[ContextField]) -> bool {
    let payer = context.win.from().map(|relation| context.seat.seat_of(relation));
    let is_concerned =
        context.seat == context.dealer || payer.is_none_or(|payer| payer == context.dealer);
    is_concerned || WHO.iter().any(|field| assumed.contains(field))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};
    use tilesight_core::context::ContextField::{Dealer, DealerStreak, Seat, Win};
    use tilesight_core::context::{ContextField, ContextSetup};
    use tilesight_core::notation::Notation;
    use tilesight_core::rules::{Book, Profile, RulesetId};

    use crate::decide::doubts::HandScorer;

    /// Returns the fields that a shipped rule set asks for a concealed hand.
    fn fields_to_ask(ruleset: RulesetId, context: &Value) -> Vec<ContextField> {
        fields_by(Book::shipped().get(ruleset).expect("shipped"), context)
    }

    /// Returns the fields that a rule set asks for a concealed hand.
    fn fields_by(ruleset: &Arc<Profile>, context: &Value) -> Vec<ContextField> {
        let setup: ContextSetup = serde_json::from_value(context.clone()).expect("a context");
        let scorer = HandScorer::new(&setup, ruleset);
        let hand: Notation = "123m456m789p234s55s67p+5p".parse().expect("a hand");
        scorer.expect("a context").assumed_of(&hand.hand)
    }

    /// Returns the context of a win by discard, in the East round.
    fn discard(seat: &str, from: &str, dealer: &str) -> Value {
        json!({ "seat": seat, "prevalent": "E", "win": "discard", "from": from, "dealer": dealer })
    }

    #[test]
    fn the_streak_is_asked_only_where_the_dealer_won_or_pays() {
        let tw = RulesetId::TW_COMMON;
        let drawn = json!({ "seat": "S", "prevalent": "E", "win": "self_drawn", "dealer": "W" });
        assert_eq!(fields_to_ask(tw, &drawn), [DealerStreak]);
        assert_eq!(fields_to_ask(tw, &discard("S", "right", "S")), [DealerStreak]);
        assert_eq!(fields_to_ask(tw, &discard("S", "right", "W")), [DealerStreak]);
        assert!(fields_to_ask(tw, &discard("S", "right", "E")).is_empty());
        assert!(fields_to_ask(tw, &discard("S", "right", "N")).is_empty());
    }

    #[test]
    fn a_streak_that_is_worth_nothing_is_not_asked() {
        let text = "id = \"club\"\nextends = \"tw-common\"\n[values]\ndealer_streak = 0\n";
        let club = Arc::new(Profile::parse(text).expect("a profile"));
        assert!(fields_by(&club, &discard("S", "right", "S")).is_empty());
    }

    #[test]
    fn the_dealer_is_asked_where_the_opened_wall_gives_the_winds() {
        let tw = RulesetId::TW_COMMON;
        let known = json!({ "seat": "S", "prevalent": "E", "win": "discard", "from": "right" });
        assert_eq!(fields_to_ask(tw, &known), [Dealer, DealerStreak]);
        let streak = json!({ "seat": "S", "prevalent": "E", "win": "discard", "from": "right", "dealer_streak": 2 });
        assert_eq!(fields_to_ask(tw, &streak), [Dealer]);
        let nothing = json!({ "prevalent": "E", "from": "left", "dealer": "E" });
        assert_eq!(fields_to_ask(tw, &nothing), [Seat, Win, DealerStreak]);
    }

    #[test]
    fn no_other_game_asks_for_a_dealer() {
        let known = json!({ "seat": "S", "prevalent": "E", "win": "discard", "from": "right" });
        let others = [RulesetId::MCR_WMO, RulesetId::MMM, RulesetId::CLASSICAL_DMJL];
        for ruleset in others {
            assert!(fields_to_ask(ruleset, &known).is_empty(), "{ruleset}");
        }
    }
}
