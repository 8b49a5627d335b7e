//! Laws of riichi that hold for every winning hand, tried on the rows of the test data under random
//! changes, and on random hands: the engine agrees with a slow one that shares no code with it, the
//! order of tiles and melds means nothing, seats pay by their place, payments sum to
//! zero, and a dora never lowers what is paid.

use proptest::prelude::*;
use proptest::sample::select;
use tilesight_core::context::{Context, Indicators, RiichiCall};
use tilesight_core::hand::{Flowers, Hand, HandSetup, Reds};
use tilesight_core::meld::Meld;
use tilesight_core::rules::riichi::{Kazoe, Options, Riichi};
use tilesight_core::rules::{HandRules, RulesError, Score};
use tilesight_core::tile::{PrintedTile, Tile, Wind};

use crate::mcr_hands;
use crate::riichi_oracle::{judge, read_worth};
use crate::riichi_rows::rows;

/// A hand and how it was won.
type Case = (Hand, Context);

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Generates the hands of the test data.
fn cases() -> impl Strategy<Value = Case> {
    let rows: Vec<Case> = rows().iter().map(|row| (row.hand(), row.context())).collect();
    select(rows)
}

/// Generates those hands without winds that were not won on the first draw.
fn windless_cases() -> impl Strategy<Value = Case> {
    let rows = rows().into_iter().map(|row| (row.hand(), row.context()));
    let windless = rows.filter(|(hand, context)| {
        context.declared.is_empty() && hand.all().iter().all(|tile| !tile.is_wind())
    });
    select(windless.collect::<Vec<Case>>())
}

/// Generates options that a table could play by.
fn options() -> impl Strategy<Value = Options> {
    let flags = proptest::collection::vec(any::<bool>(), 13);
    flags.prop_map(|on| Options {
        open_tanyao: on[0],
        red_fives: on[1],
        double_yakuman: on[2],
        stacked_yakuman: on[3],
        kiriage: on[4],
        kazoe: if on[5] { Kazoe::Yakuman } else { Kazoe::Sanbaiman },
        double_wind_pair_fu: if on[6] { 2 } else { 4 },
        open_pinfu_shape_fu: if on[7] { 20 } else { 30 },
        liability_daisangen: on[8],
        liability_daisuushii: on[8],
        liability_suukantsu: on[9],
        liability_all_yakuman: on[9],
        liability_counters: on[10],
        red_fives_dots: if on[11] { 1 } else { 2 },
        heaven_any_last_tile: on[12],
        ..Options::TENHOU
    })
}

fn explained(options: Options, (hand, context): &Case) -> Score {
    // A feeder belongs to the options under which the row was made.
    let context = Context { feeder: None, ..*context };
    Riichi::new(options).score(hand, &context).expect("a winning hand")
}

fn paid(score: &Score) -> [i32; 4] {
    Wind::ALL.map(|seat| score.payments.for_seat(seat))
}

/// Returns the same hand with its tiles and melds in another order.
fn shuffled(hand: &Hand, order: &mut fastrand::Rng) -> Hand {
    let mut setup = HandSetup::from(hand);
    order.shuffle(&mut setup.concealed);
    order.shuffle(&mut setup.melds);
    setup.into_hand().expect("the same tiles")
}

/// Returns the first five of each suit as a red one.
fn first_fives(tiles: &[Tile]) -> Reds {
    let mut kinds: Vec<Tile> = tiles.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    let fives = kinds.into_iter().filter(|tile| tile.number() == Some(5));
    let fives: Vec<PrintedTile> = fives.map(|tile| PrintedTile { tile, red: true }).collect();
    Reds::new(&fives, None, &[])
}

/// Returns what is paid with other indicators; `None` if they can't lie beside the hand.
pub(crate) fn paid_with(options: Options, hand: &Hand, context: Context) -> Option<u32> {
    let paid = Riichi::new(options).points(hand, &Context { feeder: None, ..context });
    match paid {
        Err(RulesError::Contradictions(_)) => None,
        paid => Some(paid.expect("a winning hand")),
    }
}

/// Generates random hands of the kinds that lines refer to, with what riichi knows of a win.
fn random_cases() -> impl Strategy<Value = Case> {
    let tiles = || proptest::collection::vec(select(&Tile::ALL[..]), 0..=2);
    let calls = select(&[RiichiCall::No, RiichiCall::Riichi, RiichiCall::Double][..]);
    (mcr_hands::cases(), calls, any::<bool>(), tiles(), tiles(), any::<bool>()).prop_map(
        |((hand, context), call, ippatsu, dora, ura, red)| {
            let setup = HandSetup { flowers: Flowers::NONE, ..HandSetup::from(&hand) };
            let reds = if red { first_fives(&setup.concealed) } else { Reds::NONE };
            let hand = HandSetup { reds, ..setup }.into_hand().expect("the same tiles");
            let closed = hand.melds().all(Meld::is_concealed);
            let riichi = if closed { call } else { RiichiCall::No };
            let kongs = hand.melds().filter(|meld| matches!(meld, Meld::Kong { .. })).count();
            let indicators = |tiles: Vec<Tile>| {
                tiles.into_iter().try_fold(Indicators::NONE, Indicators::with).expect("at most two")
            };
            let context = Context {
                riichi,
                ippatsu: ippatsu && riichi != RiichiCall::No,
                dora_indicators: if kongs == 0 { indicators(dora) } else { Indicators::NONE },
                ura_indicators: indicators(ura),
                last_of_kind: false,
                ..context
            };
            (hand, context)
        },
    )
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn the_engine_agrees_with_the_oracle(case in random_cases(), options in options()) {
        let (hand, context) = &case;
        let quick = match Riichi::new(options).points(hand, context) {
            // A replacement tile as the last of the wall, and the like.
            Err(RulesError::Contradictions(_)) => return Ok(()),
            quick => quick,
        };
        let Some(verdict) = judge(hand, context, &options) else {
            prop_assert_eq!(quick, Err(RulesError::NotAWin));
            return Ok(());
        };
        prop_assert_eq!(quick, Ok(verdict.total));
        let score = explained(options, &case);
        prop_assert_eq!(score.is_legal(), verdict.total > 0);
        if score.is_legal() {
            let found = read_worth(&score);
            prop_assert!(verdict.best.contains(&found), "{:?} is not one of {:?}", found, verdict.best);
        }
    }

    /// The slow engine knows the test data too.
    #[test]
    fn the_oracle_agrees_on_the_test_data(case in cases(), options in options()) {
        let (hand, context) = &case;
        let context = Context { feeder: None, ..*context };
        let verdict = judge(hand, &context, &options).expect("a winning hand");
        prop_assert_eq!(Riichi::new(options).points(hand, &context), Ok(verdict.total));
    }

    #[test]
    fn order_means_nothing(case in cases(), options in options(), seed in any::<u64>()) {
        let other = shuffled(&case.0, &mut fastrand::Rng::with_seed(seed));
        let (one, other) = (explained(options, &case), explained(options, &(other, case.1)));
        prop_assert_eq!(one.total, other.total);
        prop_assert_eq!(paid(&one), paid(&other));
        let codes = |score: &Score| -> Vec<_> {
            score.awards.iter().map(|award| (award.rule.code, award.worth)).collect()
        };
        prop_assert_eq!(codes(&one), codes(&other));
        prop_assert_eq!(one.riichi.map(|one| (one.han, one.fu)), other.riichi.map(|one| (one.han, one.fu)));
    }

    #[test]
    fn payments_balance_in_hundreds(case in cases(), options in options()) {
        let score = explained(options, &case);
        let paid = paid(&score);
        prop_assert_eq!(paid.iter().sum::<i32>(), 0);
        prop_assert!(paid.iter().all(|points| points % 100 == 0), "{:?}", paid);
        prop_assert_eq!(i64::from(paid[case.1.seat as usize]), i64::from(score.total));
        let context = Context { feeder: None, ..case.1 };
        prop_assert_eq!(Riichi::new(options).points(&case.0, &context), Ok(score.total));
        prop_assert_eq!(score.is_legal(), score.total > 0);
        let best = score.runners_up.iter().map(|one| one.total).max().unwrap_or(0);
        prop_assert!(best <= score.total);
    }

    /// A hand without winds is worth the same on every seat but East, where it is worth half as
    /// much again.
    #[test]
    fn seats_pay_by_their_place(case in windless_cases(), options in options(), prevalent in select(&Wind::ALL[..])) {
        let (hand, context) = &case;
        let at = |seat: Wind| {
            explained(options, &(*hand, Context { seat, prevalent, ..*context }))
        };
        let [east, south, west, north] = Wind::ALL.map(at);
        prop_assert_eq!(south.total, west.total);
        prop_assert_eq!(south.total, north.total);
        prop_assert!(east.total >= south.total);
        let base = south.riichi.as_ref().map(|figures| figures.base);
        prop_assert_eq!(east.riichi.as_ref().map(|figures| figures.base), base);
        for (seat, score) in [(Wind::South, &south), (Wind::West, &west), (Wind::North, &north)] {
            let others = Wind::ALL.into_iter().filter(|&other| other != seat && other != Wind::East);
            let mut paid: Vec<i32> = others.map(|other| score.payments.for_seat(other)).collect();
            paid.sort_unstable();
            let self_drawn = context.win.is_self_drawn();
            prop_assert!(!self_drawn || paid[0] == paid[1], "{:?}", paid);
        }
    }

    #[test]
    fn a_dora_never_lowers(case in cases(), options in options(), indicator in select(&Tile::ALL[..])) {
        let (hand, context) = &case;
        let before = explained(options, &case).total;
        if let Ok(dora_indicators) = context.dora_indicators.with(indicator) {
            let more = paid_with(options, hand, Context { dora_indicators, ..*context });
            prop_assert!(more.is_none_or(|more| more >= before));
        }
        if let (RiichiCall::Riichi | RiichiCall::Double, Ok(ura_indicators)) =
            (context.riichi, context.ura_indicators.with(indicator))
        {
            let more = paid_with(options, hand, Context { ura_indicators, ..*context });
            prop_assert!(more.is_none_or(|more| more >= before));
        }
        let plain = HandSetup { reds: Reds::NONE, ..HandSetup::from(hand) };
        let reds = first_fives(&plain.concealed);
        let red = HandSetup { reds, ..plain.clone() }.into_hand().expect("the same tiles");
        let plain = plain.into_hand().expect("the same tiles");
        let paid = |hand: Hand| explained(options, &(hand, *context)).total;
        prop_assert!(paid(red) >= paid(plain));
    }

    /// Ura indicators count only with riichi, and without any dora a hand is worth no more.
    #[test]
    fn dora_are_no_yaku(case in cases(), options in options()) {
        let (hand, context) = &case;
        let none = Indicators::NONE;
        let bare = Context { dora_indicators: none, ura_indicators: none, ..*context };
        let (with, without) = (explained(options, &case), explained(options, &(*hand, bare)));
        prop_assert_eq!(with.is_legal(), without.is_legal());
        prop_assert!(without.total <= with.total);
    }
}
