//! Laws of Mahjong Masters Million that hold for every winning hand, tried on random ones: the
//! engine agrees with a slow one that shares no code with it, and pays as the rules say.

use proptest::prelude::*;
use tilesight_core::context::Context;
use tilesight_core::hand::{Hand, HandSetup};
use tilesight_core::meld::{Chow, Meld};
use tilesight_core::rules::mmm::{Mmm, Options};
use tilesight_core::rules::{Book, HandRules, RulesError, RulesetId, Score, Worth};
use tilesight_core::tile::{Tile, Wind};

use crate::mmm_hands::{Case, cases, doublings, feeders, liable_cases, options};
use crate::mmm_oracle;
use crate::mmm_oracle::judge;
use crate::ranges::checked_range;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn explained(case: &Case, options: Options) -> Result<Score, RulesError> {
    Mmm::new(options).score(&case.0, &case.1)
}

fn paid(score: &Score) -> [i32; 4] {
    Wind::ALL.map(|seat| score.payments.for_seat(seat))
}

proptest! {
    #![proptest_config(config(4000))]

    #[test]
    fn the_engine_agrees_with_the_oracle(case in cases(), options in options()) {
        let (hand, context) = &case;
        let verdict = judge(hand, context, &options);
        let quick = Mmm::new(options).points(hand, context);
        let score = explained(&case, options);
        let Some(verdict) = verdict else {
            prop_assert_eq!(quick, Err(RulesError::NotAWin));
            prop_assert_eq!(score, Err(RulesError::NotAWin));
            return Ok(());
        };
        prop_assert_eq!(quick, Ok(verdict.value));
        let score = score.expect("a winning hand");
        prop_assert_eq!(score.value, verdict.value);
        let doubling = score.doubling.expect("doublings");
        prop_assert_eq!(doubling.points, verdict.points);
        prop_assert_eq!(doubling.doublings.0, verdict.halves);
        let list = doublings(&score);
        prop_assert!(verdict.lists.contains(&list), "{:?} is not one of {:?}", list, verdict.lists);
    }

    #[test]
    fn the_explained_score_is_complete(case in cases(), options in options()) {
        let Ok(score) = explained(&case, options) else { return Ok(()) };
        let doubling = score.doubling.expect("doublings");
        let (mut points, mut halves) = (0, 0);
        for award in &score.awards {
            prop_assert!(award.count > 0);
            prop_assert!(award.sets.is_empty() || award.sets.len() == award.count as usize, "{:?}", award);
            let shown = award.sets.iter().all(|sets| !sets.is_empty() && sets.iter().all(|set| {
                score.sets.contains(set)
            }));
            prop_assert!(shown, "{:?}", award);
            match award.worth.times(award.count) {
                Worth::Points(more) => points += more,
                Worth::Doublings(more) => halves += more.0,
                _ => prop_assert!(false, "no limits in this game"),
            }
        }
        prop_assert_eq!((points, halves), (doubling.points, doubling.doublings.0));
        prop_assert_eq!(score.total, score.value);
        prop_assert_eq!(score.is_legal(), score.value > 0);
        prop_assert_eq!(score.minimum.missing() > 0, score.value == 0);

        let tiles = |sets: &[tilesight_core::rules::ScoredSet]| {
            let mut tiles: Vec<Tile> = sets.iter().flat_map(|set| set.tiles.clone()).collect();
            tiles.sort_unstable();
            tiles
        };
        let all: Vec<Tile> = case.0.all().iter().collect();
        prop_assert_eq!(&tiles(&score.sets), &all);
        prop_assert_eq!(score.sets.iter().filter(|set| set.winning).count(), 1);
        for rival in &score.runners_up {
            prop_assert!(rival.total <= score.total);
            prop_assert_eq!(&tiles(&rival.sets), &all);
        }
        let counts = |rule| score.awards.iter().any(|award| award.rule == rule);
        for line in &score.excluded {
            prop_assert!(!options.parts_add_up && counts(line.by) && !counts(line.rule), "{:?}", line);
        }
    }

    /// Payments sum to zero, in whole points.
    #[test]
    fn payments_sum_to_zero_and_the_winner_gets_the_value(
        case in prop_oneof![cases(), liable_cases()], options in options(),
    ) {
        let Ok(score) = explained(&case, options) else { return Ok(()) };
        let (winner, value) = (case.1.seat, i32::try_from(score.value).expect("small"));
        prop_assert_eq!(paid(&score).iter().sum::<i32>(), 0);
        prop_assert_eq!(score.payments.for_seat(winner), value);
        for (seat, points) in score.payments.iter().filter(|(seat, _)| *seat != winner) {
            prop_assert!((-value..=0).contains(&points), "{seat} {points}");
        }
    }

    /// East is paid half as much again for the same hand, apart from seat and round winds.
    #[test]
    fn east_is_paid_half_as_much_again(case in cases(), options in options()) {
        let (hand, context) = case;
        // A wind has value for one seat only.
        if hand.all().iter().any(Tile::is_wind) {
            return Ok(());
        }
        let value = |seat| Mmm::new(options).points(&hand, &Context { seat, ..context });
        if let (Ok(east), Ok(west)) = (value(Wind::East), value(Wind::West)) {
            prop_assert_eq!(2 * east, 3 * west);
        }
    }

    #[test]
    fn suits_are_alike_except_for_jade(case in cases(), options in options(), turn in 1..3usize) {
        let (hand, context) = case;
        let green = |tile: Tile| "2s 3s 4s 6s 8s F".split(' ').any(|code| code == tile.to_string());
        let moved = with_suits(&hand, turn);
        prop_assume!(!hand.all().iter().all(green) && !moved.all().iter().all(green));
        let mmm = Mmm::new(options);
        prop_assert_eq!(mmm.points(&moved, &context), mmm.points(&hand, &context));
    }

    #[test]
    fn the_feeder_is_asked_exactly_where_it_matters(
        case in liable_cases(), options in options(), feeder in feeders(),
    ) {
        let (hand, context) = case;
        let context = Context { feeder, ..context };
        let possible = mmm_oracle::feeders(&hand, &context, &options);
        let found = explained(&(hand, context), options);
        let value = match judge(&hand, &context, &options) {
            Some(verdict) => verdict.value,
            None => return Err(TestCaseError::fail("a winning hand")),
        };
        let pays = |feeder| mmm_oracle::payments(&hand, &context, &options, value, feeder);
        match (possible, feeder) {
            (None, None) => {
                let score = found.expect("a winning hand");
                prop_assert_eq!(paid(&score), pays(None));
                prop_assert_eq!(score.assumed_feeder, None);
            }
            (Some(possible), Some(feeder)) if possible.contains(&feeder) => {
                let score = found.expect("a winning hand");
                prop_assert_eq!(paid(&score), pays(Some(feeder)));
                prop_assert_eq!(score.assumed_feeder, None);
            }
            (_, Some(_)) => {
                let refused = found.expect_err("an impossible feeder");
                let fields: Vec<_> =
                    refused.contradictions().iter().map(|one| one.field().name()).collect();
                prop_assert!(fields.contains(&"feeder"), "{:?}", fields);
            }
            (Some(possible), None) => {
                let score = found.expect("a winning hand");
                let ways: Vec<_> = possible.iter().map(|&one| pays(Some(one))).collect();
                prop_assert!(ways.contains(&paid(&score)));
                let differ = ways.iter().any(|way| *way != ways[0]);
                prop_assert_eq!(score.assumed_feeder.is_some(), differ);
                let supposed = score.assumed_feeder.is_none_or(|one| possible.contains(&one));
                prop_assert!(supposed, "{:?}", score.assumed_feeder);
            }
        }
    }
}

/// Returns the hand with its suits exchanged in a cycle.
fn with_suits(hand: &Hand, turn: usize) -> Hand {
    let moved = |tile: Tile| match tile.index() {
        at @ 0..27 => Tile::ALL[(at + 9 * turn) % 27],
        _ => tile,
    };
    let meld = |meld: Meld| match meld {
        Meld::Chow(chow) => Meld::Chow(Chow::new(moved(chow.low())).expect("a chow")),
        Meld::Pung { tile, from } => Meld::Pung { tile: moved(tile), from },
        Meld::Kong { tile, kind } => Meld::Kong { tile: moved(tile), kind },
    };
    let setup = HandSetup {
        concealed: hand.concealed().iter().map(moved).collect(),
        winning: Some(moved(hand.winning())),
        melds: hand.melds().map(meld).collect(),
        flowers: hand.flowers(),
        reds: hand.reds(),
    };
    setup.into_hand().expect("the same hand")
}

proptest! {
    // Each case scores up to 32 hands.
    #![proptest_config(config(300))]

    /// The total for any later context lies in the range that was shown before.
    #[test]
    fn a_total_lies_in_its_range((hand, context) in cases()) {
        let book = Book::shipped();
        let profile = book.get(RulesetId::MMM).expect("shipped");
        let Ok(total) = profile.rules().points(&hand, &context) else { return Ok(()) };
        checked_range(profile, (&hand, &context), total)?;
    }
}
