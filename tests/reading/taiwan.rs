//! Photos of the game of sixteen tiles: what is asked about their win, and the winning tile where
//! the tai hang on it.

use std::sync::Arc;

use serde_json::{Value, json};
use tilesight_core::context::ContextField::{Dealer, DealerStreak, Declared};
use tilesight_core::context::ContextSetup;
use tilesight_core::rules::{Book, OpenSubject, Profile, RulesetId};
use tilesight_vision::decide::doubts::{HandScorer, Verdict};
use tilesight_vision::decide::joint;
use tilesight_vision::{DoubtKind, layout};

use crate::common::seen;

fn common() -> Arc<Profile> {
    Book::shipped().get(RulesetId::TW_COMMON).expect("shipped").clone()
}

/// Returns the verdict on the hand of a scene, in a win context.
fn assess(scene: &str, context: &Value) -> Verdict {
    assess_by(&common(), scene, context)
}

fn assess_by(ruleset: &Arc<Profile>, scene: &str, context: &Value) -> Verdict {
    let context: ContextSetup = serde_json::from_value(context.clone()).expect("a context");
    let scorer = HandScorer::new(&context, ruleset).expect("a context");
    let tiles = seen(scene);
    let decision = joint::decide(&tiles, &layout::lay_out(&tiles, ruleset, None));
    scorer.assess(&tiles, &decision).expect("a hand that may be so")
}

/// Returns whether the winning tile is asked, and whether the tai hang on it.
fn winning_tile(verdict: &Verdict) -> Option<bool> {
    let doubt = verdict.doubts.iter().find(|doubt| doubt.kind == DoubtKind::WinningTile);
    doubt.map(|doubt| doubt.affects_score)
}

#[test]
fn the_winning_tile_matters_where_wait_chows_or_concealed_pungs_hang_on_it() {
    let discard = json!({ "seat": "S", "prevalent": "E", "win": "discard", "from": "right" });
    let drawn = json!({ "seat": "S", "prevalent": "E", "win": "self_drawn" });
    // A wait for both ends makes all chows; one in the middle is a single wait.
    let chows = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s 5s 5s 5p 6p 7p";
    assert_eq!(winning_tile(&assess(chows, &discard)), Some(true));
    // A discard completes a pung, which is then no concealed one.
    let pungs = "2m 2m 2m 4m 4m 4m 6p 6p 6p 8p 8p 8p 3s 3s 3s 9s 9s";
    assert_eq!(winning_tile(&assess(pungs, &discard)), Some(true));
    // Drawn, all five are concealed, and only the pair would be a single wait.
    assert_eq!(winning_tile(&assess(pungs, &drawn)), Some(true));
    // The winning tile lies apart.
    let apart = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s 5s 5s 6p 7p | 5p";
    assert_eq!(winning_tile(&assess(apart, &discard)), None);
}

#[test]
fn dealer_and_streak_are_asked_where_the_payments_hang_on_them() {
    let apart = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s 5s 5s 6p 7p | 5p";
    let mut context = json!({ "seat": "S", "prevalent": "E", "win": "discard", "from": "right" });
    let open = assess(apart, &context);
    assert_eq!(open.assumed, [Dealer, DealerStreak]);
    assert_eq!(open.range, None, "the tai are the same");
    context["dealer"] = json!("N");
    assert!(assess(apart, &context).assumed.is_empty());
    context["dealer"] = json!("W");
    assert_eq!(assess(apart, &context).assumed, [DealerStreak]);
}

#[test]
fn a_ready_hand_is_asked_where_it_counts_and_nobody_said_whether_it_was_declared() {
    let apart = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s 5s 5s 6p 7p | 5p";
    let mut context =
        json!({ "seat": "S", "prevalent": "E", "win": "discard", "from": "right", "dealer": "N" });
    let star =
        Arc::clone(Book::shipped().get("tw-star31".parse().expect("an id")).expect("shipped"));
    let open = assess_by(&star, apart, &context);
    assert_eq!(open.assumed, [Declared]);
    let range = open.range.expect("a tai more or not");
    assert_eq!(range.max - range.min, 1);
    assert_eq!(range.open[0].subject, OpenSubject::Field(Declared));
    // Ready hands of the first turn are rare, and no question by themselves.
    assert!(assess(apart, &context).assumed.is_empty());
    for said in [json!([]), json!(["ready"])] {
        context["declared"] = said;
        let told = assess_by(&star, apart, &context);
        assert_eq!((told.assumed.len(), told.range), (0, None));
    }
}
