//! Laws that hold for every winning hand, tried on random ones: the engine agrees with a slow one
//! that shares no code with it, and scores behave as the rules require.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tilesight_core::context::{Context, WinSource};
use tilesight_core::hand::{Flowers, Hand, HandSetup};
use tilesight_core::meld::{Chow, Meld};
use tilesight_core::rules::mcr::{Mcr, Options};
use tilesight_core::rules::{Book, ExclusionReason, Fan, HandRules, RulesetId, Score, mcr};
use tilesight_core::tile::{Suit, Tile};

use crate::mcr_hands::{Case, cases, options};
use crate::mcr_oracle::judge;
use crate::ranges::{checked_range, is_usual};

fn explained(case: &Case, options: Options) -> Score {
    Mcr::new(options).score(&case.0, &case.1).expect("a winning hand")
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn the_engine_agrees_with_the_oracle(case in cases(), options in options()) {
        let (hand, context) = &case;
        let flowers = u32::from(hand.flowers().count());
        let verdict = judge(hand, context, &options).expect("a winning hand");
        prop_assert_eq!(mcr::points(hand, context, &options), Ok(verdict.total + flowers));
        let score = explained(&case, options);
        let awards = score.awards.iter().filter(|award| award.rule != Fan::FlowerTiles.rule());
        let list: BTreeMap<u8, u32> = awards.map(|award| (award.rule.number().expect("a fan"), award.count)).collect();
        prop_assert!(verdict.lists.contains(&list), "{:?} is not one of {:?}", list, verdict.lists);
    }

    #[test]
    fn the_explained_score_is_complete(case in cases(), options in options()) {
        let score = explained(&case, options);
        let sum: u32 = score.awards.iter().map(|award| award.points()).sum();
        prop_assert_eq!(sum, score.total);
        prop_assert_eq!(mcr::points(&case.0, &case.1, &options), Ok(score.total));
        let fans = Mcr::new(options).fans(&case.0, &case.1).expect("a win");
        let fans: Vec<_> = fans.iter().map(|(fan, count)| (fan.rule(), count)).collect();
        let awards: Vec<_> = score.awards.iter().map(|award| (award.rule, award.count)).collect();
        prop_assert_eq!(fans, awards);
        let minimum = score.minimum;
        prop_assert_eq!(minimum.reached, sum - u32::from(case.0.flowers().count()));
        prop_assert_eq!(score.is_legal(), minimum.reached >= mcr::MINIMUM);
        prop_assert_eq!(score.is_legal(), minimum.missing() == 0);

        let tiles = |sets: &[tilesight_core::rules::ScoredSet]| {
            let mut tiles: Vec<Tile> = sets.iter().flat_map(|set| set.tiles.clone()).collect();
            tiles.sort_unstable();
            tiles
        };
        let all: Vec<Tile> = case.0.all().iter().collect();
        prop_assert_eq!(&tiles(&score.sets), &all);
        prop_assert!(score.sets.iter().filter(|set| set.winning).count() <= 1);
        for runner_up in &score.runners_up {
            prop_assert!(runner_up.total <= score.total);
            prop_assert_eq!(&tiles(&runner_up.sets), &all);
        }
        for award in &score.awards {
            prop_assert!(award.count > 0 && award.points() > 0);
            prop_assert!(award.sets.is_empty() || award.sets.len() == award.count as usize);
            let shown = award.sets.iter().all(|sets| !sets.is_empty() && sets.iter().all(|set| {
                score.sets.contains(set)
            }));
            prop_assert!(shown, "{:?}", award);
        }
        let counts = |fan| score.awards.iter().any(|award| award.rule == fan);
        for line in &score.excluded {
            prop_assert!(counts(line.by), "{:?}", line);
            prop_assert!(line.count > 0 && (line.rule != line.by || line.reason == ExclusionReason::SameFanTwice));
        }
    }

    #[test]
    fn a_flower_adds_exactly_one_point(case in cases()) {
        let (hand, context) = case;
        let total = |count| {
            let flowers = Flowers::from_unnamed_count(count).expect("eight at the most");
            let hand = HandSetup { flowers, ..HandSetup::from(&hand) }.into_hand().expect("a hand");
            Book::shipped().usual().rules().points(&hand, &context).expect("a win")
        };
        for count in 0..8 {
            prop_assert_eq!(total(count) + 1, total(count + 1));
        }
    }

    #[test]
    fn payments_sum_to_zero(case in cases()) {
        let score = explained(&case, Options::WMO);
        let sum: i32 = score.payments.iter().map(|(_, points)| points).sum();
        prop_assert_eq!(sum, 0);
        let gained = score.payments.for_seat(case.1.seat);
        if score.is_legal() {
            prop_assert!(gained >= 24 + score.total as i32);
        } else {
            prop_assert_eq!(gained, 0, "nobody pays for a hand that is not legal");
        }
    }

    /// Green and reversible tiles differ between suits; everything else is the same.
    #[test]
    fn suits_can_be_exchanged(case in cases(), suits in Just(Suit::ALL).prop_shuffle(), options in options()) {
        let (hand, context) = case;
        let exchanged = exchange(&hand, suits);
        let by_colour = [Fan::AllGreen, Fan::ReversibleTiles];
        let totals = [hand, exchanged].map(|hand| {
            let score = explained(&(hand, context), options);
            let coloured = score.awards.iter().any(|award| by_colour.iter().any(|fan| fan.rule() == award.rule));
            (!coloured).then_some(score.total)
        });
        if let [Some(before), Some(after)] = totals {
            prop_assert_eq!(before, after);
        }
    }

    /// A published figure: no regular hand is worth more than 328 without flowers.
    #[test]
    fn no_hand_exceeds_the_known_maximum(case in cases()) {
        prop_assert!(explained(&case, Options::WMO).minimum.reached <= 328);
    }

    #[test]
    fn presets_are_the_options_they_name((hand, context) in cases()) {
        for (ruleset, options) in [(RulesetId::MCR_WMO, Options::WMO), (RulesetId::MCR_MIL, Options::MIL)] {
            let named = Book::shipped().get(ruleset).expect("shipped").rules().points(&hand, &context);
            prop_assert_eq!(&named, &mcr::points(&hand, &context, &options));
            prop_assert_eq!(named, Mcr::new(options).points(&hand, &context));
        }
    }
}

/// Returns the hand with its suits exchanged.
fn exchange(hand: &Hand, suits: [Suit; 3]) -> Hand {
    let tile = |tile: Tile| match (tile.suit(), tile.number()) {
        (Some(suit), Some(number)) => Tile::new(suits[suit as usize], number).expect("1 to 9"),
        _ => tile,
    };
    let meld = |meld: Meld| match meld {
        Meld::Chow(chow) => Meld::Chow(Chow::new(tile(chow.low())).expect("a chow")),
        Meld::Pung { tile: of, from } => Meld::Pung { tile: tile(of), from },
        Meld::Kong { tile: of, kind } => Meld::Kong { tile: tile(of), kind },
    };
    let setup = HandSetup {
        concealed: hand.concealed().iter().map(tile).collect(),
        winning: Some(tile(hand.winning())),
        melds: hand.melds().map(meld).collect(),
        flowers: hand.flowers(),
        reds: hand.reds(),
    };
    setup.into_hand().expect("a legal hand")
}

proptest! {
    // Each case scores up to 32 hands.
    #![proptest_config(config(300))]

    /// The total for any later context lies in the range that was shown before.
    #[test]
    fn a_total_lies_in_its_range(case in cases()) {
        let (hand, context) = case;
        let book = Book::shipped();
        let total = book.usual().rules().points(&hand, &context).expect("a win");
        match checked_range(book.usual(), (&hand, &context), total)? {
            Some(range) => {
                prop_assert!(range.min < range.max);
                prop_assert!(!range.open.is_empty());
                for answer in range.open.iter().flat_map(|open| &open.answers) {
                    prop_assert!(range.min <= answer.min && answer.max <= range.max);
                }
            }
            None => {
                let drawn = Context { win: WinSource::SelfDrawn, ..context };
                let drawn = book.usual().rules().points(&hand, &drawn);
                prop_assert!(!is_usual(&context) || drawn.is_ok_and(|drawn| drawn == total));
            }
        }
    }
}
