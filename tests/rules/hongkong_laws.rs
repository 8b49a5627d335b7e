//! Laws of Hong Kong old style that hold for every winning hand, tried on random ones: the engine
//! agrees with a slow one that shares no code with it, the order of what is given means nothing,
//! and payments sum to zero.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use tilesight_core::context::{Context, Declaration, DeclaredSet, WinSource};
use tilesight_core::hand::{Flowers, Hand, HandSetup};
use tilesight_core::meld::Relation;
use tilesight_core::rules::hongkong::{
    AllChowsPair, FaanValues, HongKong, Liability, LineValue, NineGatesWait, Options, PaymentTable,
    Responsibility, Ruling,
};
use tilesight_core::rules::{Book, HandRules, RulesError, RulesetId, Score, ScoredSet};
use tilesight_core::tile::{Bonus, Tile, Wind};

use crate::hongkong_oracle::{Lines, judge, payments};
use crate::mcr_hands;
use crate::ranges::checked_range;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Generates bonus tiles: none, some, or all of a kind.
fn flowers() -> impl Strategy<Value = Flowers> {
    let some = (0..=8usize).prop_flat_map(|count| subsequence(Bonus::ALL.to_vec(), count));
    let named = prop_oneof![
        1 => Just(Vec::new()),
        3 => some,
        1 => Just(Bonus::ALL[..4].to_vec()),
        1 => Just(Bonus::ALL[4..].to_vec()),
    ];
    named.prop_map(|named| Flowers::from_named(named).expect("each once"))
}

/// Generates a hand that wins some game, with declarations and a win context without
/// contradictions.
fn cases() -> impl Strategy<Value = (Hand, Context)> {
    let declared = subsequence(
        vec![Declaration::Heaven, Declaration::Earth, Declaration::TwofoldFortune],
        0..=1,
    );
    (mcr_hands::cases(), flowers(), declared).prop_map(|((hand, context), flowers, declared)| {
        let setup = HandSetup { flowers, ..HandSetup::from(&hand) };
        let hand = setup.into_hand().expect("still legal");
        let context = Context { last_of_kind: false, ..context };
        let all = HongKong::new(Options::COMMON, FaanValues::COMMON);
        let possible = |one: &Declaration| {
            let context = Context { declared: DeclaredSet::NONE.with(*one), ..context };
            !matches!(all.points(&hand, &context), Err(RulesError::Contradictions(_)))
        };
        let declared = declared.into_iter().filter(possible).collect();
        (hand, Context { declared, ..context })
    })
}

/// Generates rulings as they are drawn for the test data, and any minimum.
fn options() -> impl Strategy<Value = Options> {
    let ruling = || select(vec![Ruling::Included, Ruling::Added]);
    let rulings = (ruling(), ruling(), ruling(), ruling(), ruling());
    let limits = (0..=5_u32, select(vec![8_u32, 10, 13]));
    let pair = select(vec![AllChowsPair::Any, AllChowsPair::Suited]);
    let wait = select(vec![NineGatesWait::Any, NineGatesWait::NineSided]);
    let table = select(vec![PaymentTable::HalfSpicy, PaymentTable::Spicy, PaymentTable::Tiers]);
    let payer = select(vec![Responsibility::Full, Responsibility::Half]);
    let choices = (pair, wait, table, payer);
    (any::<[bool; 5]>(), rulings, limits, choices).prop_map(|(set, rulings, limits, choices)| {
        let [no_flowers_counts, seven_pairs, mixed_terminals, own_flower_in_set, kongs] = set;
        Options {
            minimum: limits.0,
            limit: limits.1,
            flowers: true,
            no_flowers_counts,
            seven_pairs,
            all_chows_pair: choices.0,
            mixed_terminals,
            own_flower_in_set,
            nine_gates_wait: choices.1,
            small_dragons_pungs: rulings.0,
            small_winds_pungs: rulings.1,
            honors_pungs: rulings.2,
            terminals_pungs: rulings.3,
            seven_pairs_concealed: rulings.4,
            hidden_kongs_in_four: kongs,
            table: choices.2,
            responsibility: choices.3,
            liability: Liability::None,
            dealer_stays_after_draw: true,
        }
    })
}

/// Generates values: the commonest ones, or with some lines at the limit or not played.
fn values() -> impl Strategy<Value = FaanValues> {
    let value = || {
        prop_oneof![
            2 => Just(LineValue::Limit),
            1 => Just(LineValue::Faan(0)),
            3 => (1..=13_u8).prop_map(LineValue::Faan),
        ]
    };
    let varied = proptest::collection::vec(value(), 10).prop_map(|all| FaanValues {
        full_flush: all[0],
        big_three_dragons: all[1],
        small_four_winds: all[2],
        all_honors: all[3],
        all_terminals: all[4],
        nine_gates: all[5],
        four_concealed_pungs: all[6],
        thirteen_orphans: all[7],
        seven_pairs: all[8],
        all_pungs: all[9],
        ..FaanValues::COMMON
    });
    prop_oneof![Just(FaanValues::COMMON), varied]
}

fn lines(score: &Score) -> Lines {
    score.awards.iter().map(|award| (award.rule.code, award.count)).collect()
}

fn paid(score: &Score) -> [i32; 4] {
    Wind::ALL.map(|seat| score.payments.for_seat(seat))
}

/// Returns all tiles of sets, in order.
fn tiles(sets: &[ScoredSet]) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = sets.iter().flat_map(|set| set.tiles.clone()).collect();
    tiles.sort_unstable();
    tiles
}

proptest! {
    #![proptest_config(config(4000))]

    #[test]
    fn the_engine_agrees_with_the_oracle(
        (hand, context) in cases(), options in options(), values in values(),
    ) {
        let rules = HongKong::new(options, values);
        let quick = rules.points(&hand, &context);
        let score = rules.score(&hand, &context);
        let Some(verdict) = judge(&hand, &context, &options, &values) else {
            prop_assert_eq!(quick, Err(RulesError::NotAWin));
            prop_assert_eq!(score, Err(RulesError::NotAWin));
            return Ok(());
        };
        let score = match score {
            Ok(score) => score,
            // A declaration that is not played is ignored by the engine only.
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        prop_assert_eq!(quick, Ok(verdict.faan));
        let count = score.faan().expect("a game of faan");
        prop_assert_eq!(
            (count.faan, count.raw, count.is_limit_hand),
            (verdict.faan, verdict.raw, verdict.limit_hand)
        );
        let found = lines(&score);
        prop_assert!(verdict.lists.contains(&found), "{:?} is not in {:?}", found, verdict.lists);
        let is_legal = verdict.faan >= options.minimum;
        prop_assert_eq!(score.is_legal(), is_legal);
        let expected =
            if is_legal { payments(verdict.faan, &context, &options) } else { [0; 4] };
        prop_assert_eq!(paid(&score), expected);
        prop_assert_eq!(paid(&score).iter().sum::<i32>(), 0);
    }

    #[test]
    fn the_explained_score_is_complete(
        (hand, context) in cases(), options in options(), values in values(),
    ) {
        let rules = HongKong::new(options, values);
        let Ok(score) = rules.score(&hand, &context) else { return Ok(()) };
        for award in &score.awards {
            let faan = award.worth.faan().expect("a game of faan");
            prop_assert!(award.count > 0 && faan > 0, "{:?}", award);
            prop_assert!(award.sets.is_empty() || award.sets.len() == award.count as usize);
            let shown = award.sets.iter().all(|sets| {
                !sets.is_empty() && sets.iter().all(|set| score.sets.contains(set))
            });
            prop_assert!(shown, "{:?}", award);
        }
        let all: Vec<Tile> = hand.all().iter().collect();
        prop_assert_eq!(&tiles(&score.sets), &all);
        prop_assert_eq!(score.sets.iter().filter(|set| set.winning).count(), 1);
        for rival in &score.runners_up {
            prop_assert!(rival.total <= score.total);
            prop_assert_eq!(&tiles(&rival.sets), &all);
        }
        let counts = |rule| score.awards.iter().any(|award| award.rule == rule);
        for line in &score.excluded {
            prop_assert!(line.count > 0 && counts(line.by) && !counts(line.rule), "{:?}", line);
        }
        for reach in &score.within_reach {
            prop_assert!(!score.is_legal() && reach.total >= options.minimum);
        }
    }

    /// Neither the order of the tiles nor that of the melds changes anything.
    #[test]
    fn order_means_nothing(
        (hand, context) in cases(), options in options(), turn in 0..14usize,
    ) {
        let rules = HongKong::new(options, FaanValues::COMMON);
        let mut setup = HandSetup::from(&hand);
        let (tiles, melds) = (setup.concealed.len(), setup.melds.len());
        setup.concealed.rotate_left(turn % tiles.max(1));
        setup.melds.rotate_left(turn % melds.max(1));
        let turned = setup.into_hand().expect("the same tiles");
        let [one, other] = [hand, turned].map(|hand| rules.score(&hand, &context));
        match (one, other) {
            (Ok(one), Ok(other)) => {
                prop_assert_eq!(lines(&one), lines(&other));
                prop_assert_eq!((one.total, paid(&one)), (other.total, paid(&other)));
            }
            (one, other) => prop_assert_eq!(one, other),
        }
    }

    /// Without winds, bonus tiles and declarations all seats are alike: payments turn with them.
    #[test]
    fn seats_are_alike((hand, context) in cases(), options in options(), turn in 1..4usize) {
        if hand.all().iter().any(Tile::is_wind) {
            return Ok(());
        }
        let setup = HandSetup { flowers: Flowers::NONE, ..HandSetup::from(&hand) };
        let hand = setup.into_hand().expect("the same tiles");
        let rules = HongKong::new(options, FaanValues::COMMON);
        let context = Context { declared: DeclaredSet::NONE, ..context };
        let seat = Wind::ALL[(context.seat as usize + turn) % 4];
        let turned = rules.score(&hand, &Context { seat, ..context });
        if let (Ok(one), Ok(other)) = (rules.score(&hand, &context), turned) {
            let mut expected = paid(&one);
            expected.rotate_right(turn);
            prop_assert_eq!(paid(&other), expected);
        }
    }

    /// A self-draw is never worth less than the same tile as a discard.
    #[test]
    fn a_self_draw_is_never_worth_less((hand, context) in cases(), options in options()) {
        let rules = HongKong::new(options, FaanValues::COMMON);
        let context = Context { declared: DeclaredSet::NONE, ..context };
        let claimed = Context { win: WinSource::Discard { from: Relation::Left }, ..context };
        let drawn = Context { win: WinSource::SelfDrawn, ..context };
        let points = |context| rules.points(&hand, &context);
        if let (Ok(claimed), Ok(drawn)) = (points(claimed), points(drawn)) {
            prop_assert!(drawn >= claimed);
        }
    }
}

proptest! {
    // Each case scores up to 32 hands.
    #![proptest_config(config(300))]

    /// The total for any later context lies in the range that was shown before.
    #[test]
    fn a_total_lies_in_its_range((hand, context) in cases()) {
        let book = Book::shipped();
        for id in [RulesetId::HK_OLD, RulesetId::HK_NPM, RulesetId::HK_PAIRS] {
            let profile = book.get(id).expect("shipped");
            let Ok(total) = profile.rules().points(&hand, &context) else { continue };
            checked_range(profile, (&hand, &context), total)?;
        }
    }
}
