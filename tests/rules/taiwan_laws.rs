//! Laws of the game of sixteen tiles, tried on changed rows of the test data: payments sum to zero,
//! the quick path agrees with the itemised score, the order of what is given means nothing, and a
//! bonus tile never makes a hand worth less where only the own ones count.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use tilesight_core::context::{Context, Count};
use tilesight_core::hand::{Flowers, Hand, HandSetup, HandSize};
use tilesight_core::rules::taiwan::{Options, TaiValues, Taiwan};
use tilesight_core::rules::{HandRules, Score};
use tilesight_core::tile::{Bonus, Wind};

use crate::taiwan_rows::cases;

/// Hands of the test data that tiles won, with their win contexts.
static HANDS: LazyLock<Vec<(Hand, Context)>> = LazyLock::new(|| {
    let prepared = cases().into_iter().map(|row| {
        let prepared = row.prepare(row.rules.profile()).expect("a legal hand");
        (prepared.hand, prepared.context)
    });
    prepared.filter(|(hand, _)| !hand.is_bonus_win()).collect()
});

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Generates a hand with a win context, any dealer and any streak.
fn hands() -> impl Strategy<Value = (Hand, Context)> {
    let streak = 0..20_u8;
    (any::<Index>(), 0..4_usize, streak).prop_map(|(index, dealer, streak)| {
        let (hand, context) = *index.get(&HANDS);
        let declared = context.declared.is_empty();
        let dealer = if declared { Wind::ALL[dealer] } else { context.dealer };
        let dealer_streak = Count::new(streak).expect("a small number");
        (hand, Context { dealer, dealer_streak, ..context })
    })
}

fn scored(rules: &Taiwan, hand: &Hand, context: &Context) -> Option<Score> {
    let score = rules.score(hand, context).ok();
    assert_eq!(
        score.as_ref().map(|score| score.total),
        rules.points(hand, context).ok(),
        "the quick path agrees"
    );
    score
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn payments_sum_to_zero_and_lines_to_the_total((hand, context) in hands(), cap in 0..20_u32) {
        let rules = Taiwan::new(Options { cap, ..Options::COMMON }, TaiValues::COMMON);
        if let Some(score) = scored(&rules, &hand, &context) {
            prop_assert_eq!(score.payments.iter().map(|(_, points)| points).sum::<i32>(), 0);
            let tai = score.tai().expect("a game of tai");
            let cut = if cap == 0 { tai.raw } else { tai.raw.min(cap) };
            prop_assert_eq!((tai.tai, score.total), (cut, cut));
            prop_assert!(score.runners_up.iter().all(|rival| rival.total <= score.total));
        }
    }

    #[test]
    fn a_bonus_tile_never_makes_a_hand_worth_less((hand, context) in hands(), more in 0..8_usize) {
        let rules = Taiwan::new(
            Options { all_chows_flowers: true, ..Options::COMMON },
            TaiValues { eight_flowers: 20, ..TaiValues::COMMON },
        );
        let named: Vec<Bonus> = hand.flowers().iter().collect();
        prop_assume!(!named.contains(&Bonus::ALL[more]) && hand.flowers().unnamed_count() == 0);
        let all = named.into_iter().chain([Bonus::ALL[more]]);
        let flowers = Flowers::from_named(all).expect("each once");
        let setup = HandSetup { flowers, ..HandSetup::from(&hand) };
        let with_more = setup.into_hand_of(HandSize::Sixteen).expect("still legal");
        let totals = [&hand, &with_more].map(|hand| rules.points(hand, &context));
        if let [Ok(before), Ok(after)] = totals {
            prop_assert!(after >= before, "{after} after {before}");
        }
    }

    #[test]
    fn the_order_of_tiles_means_nothing((hand, context) in hands(), seed in 0..100_usize) {
        let rules = Taiwan::new(Options::COMMON, TaiValues::COMMON);
        let mut setup = HandSetup::from(&hand);
        if !setup.concealed.is_empty() {
            let by = seed % setup.concealed.len();
            setup.concealed.rotate_left(by);
        }
        let turned = setup.into_hand_of(HandSize::Sixteen).expect("the same tiles");
        prop_assert_eq!(rules.points(&turned, &context), rules.points(&hand, &context));
    }
}
