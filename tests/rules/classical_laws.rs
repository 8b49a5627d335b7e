//! Laws that hold for every hand of the classical game, tried on random ones: the engine agrees
//! with a slow one that shares no code with it, and scores behave as the rules require.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use tilesight_core::context::{Context, Declaration, DeclaredSet, WinSource};
use tilesight_core::hand::{Flowers, Hand, HandSetup, Holding};
use tilesight_core::meld::{Chow, KongKind, Meld};
use tilesight_core::rules::classical::{Classical, Options};
use tilesight_core::rules::{
    Book, Halves, HandRules, OtherHand, RulesError, RulesetId, Score, TableRules, Worth,
    score_table,
};
use tilesight_core::tile::{Bonus, Suit, Tile, Wind};

use crate::classical_oracle::{judge, other};
use crate::mcr_hands;
use crate::ranges::checked_range;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Generates any options that a table could play by.
fn options() -> impl Strategy<Value = Options> {
    let flags = proptest::collection::vec(any::<bool>(), 10);
    let limits = proptest::collection::vec((0..=4u32).prop_map(Halves), 19);
    (select(vec![100, 500, 1000, 333]), flags, limits).prop_map(|(limit, flags, limits)| Options {
        limit,
        roof_off: flags[0],
        claimed_kong_stays_concealed: flags[1],
        zero_point_hand_with_bonus_tiles: flags[2],
        formal_waits: flags[3],
        same_pair_twice: flags[4],
        long_hand_counts_nothing: flags[5],
        east_doubles: flags[6],
        losers_settle: flags[7],
        winner_pays_losers: flags[8],
        dangerous_game: flags[9],
        losers_settle_in_dangerous_game: false,
        thirteen_orphans_limits: limits[0],
        nine_gates_limits: limits[1],
        squirming_snake_limits: limits[2],
        concealed_one_suit_limits: limits[3],
        only_honors_limits: limits[4],
        only_terminals_limits: limits[5],
        four_kongs_limits: limits[6],
        three_dragon_pungs_limits: limits[7],
        four_wind_pungs_limits: limits[8],
        imperial_jade_limits: limits[9],
        four_concealed_pungs_limits: limits[10],
        twofold_fortune_limits: limits[11],
        blessing_of_heaven_limits: limits[12],
        blessing_of_earth_limits: limits[13],
        ninth_east_win_limits: limits[14],
        plum_blossom_limits: limits[15],
        moon_from_the_sea_limits: limits[16],
        carrying_pole_limits: limits[17],
        seven_pairs_limits: limits[18],
    })
}

/// Generates options as clubs play them, or any.
fn profiles() -> impl Strategy<Value = Options> {
    prop_oneof![
        Just(Options::DMJL),
        Just(Options { roof_off: true, seven_pairs_limits: Halves(1), ..Options::DMJL }),
        options(),
    ]
}

/// Generates bonus tiles, most of them with a known name.
fn flowers() -> impl Strategy<Value = Flowers> {
    let named = (0..=8usize).prop_flat_map(|count| subsequence(Bonus::ALL.to_vec(), count));
    (named, 0..=2u8).prop_map(|(named, unnamed)| {
        let flowers = Flowers::from_named(named).expect("each once");
        flowers.with_unnamed(unnamed).unwrap_or(flowers)
    })
}

/// Generates a hand that wins some game, with declarations and a win context without
/// contradictions.
fn cases() -> impl Strategy<Value = (Hand, Context)> {
    let declared = subsequence(Declaration::ALL.to_vec(), 0..=2);
    (mcr_hands::cases(), flowers(), declared, any::<bool>()).prop_map(
        |((hand, context), flowers, declared, claimed)| {
            let mut setup = HandSetup { flowers, ..HandSetup::from(&hand) };
            for meld in &mut setup.melds {
                if let Meld::Kong { tile, kind: KongKind::Added { from } } = *meld
                    && claimed
                {
                    *meld = Meld::Kong { tile, kind: KongKind::Exposed { from } };
                }
            }
            let replaced = context.win == WinSource::KongReplacement;
            let last_wall_tile = context.last_wall_tile && !replaced;
            let context = Context { last_wall_tile, last_of_kind: false, ..context };
            let hand = setup.into_hand().expect("still legal");
            let possible = |one: &Declaration| {
                let context = Context { declared: DeclaredSet::NONE.with(*one), ..context };
                let all = Classical::new(Options::DMJL);
                !matches!(all.points(&hand, &context), Err(RulesError::Contradictions(_)))
            };
            let declared = declared.into_iter().filter(possible).collect();
            (hand, Context { declared, ..context })
        },
    )
}

/// Generates a hand that has not won: melds, and some of the tiles of a hand that did.
fn holdings() -> impl Strategy<Value = Holding> {
    (mcr_hands::cases(), flowers(), 0..=14usize).prop_map(|((hand, _), flowers, kept)| {
        let mut setup = HandSetup { flowers, ..HandSetup::from(&hand) };
        setup.concealed.extend(setup.winning.take());
        setup.concealed.truncate(kept);
        setup.into_holding().expect("a holding")
    })
}

/// Returns the total of a score, added up from its lines here.
fn added_up(score: &Score, options: &Options) -> u32 {
    let (mut points, mut doubles, mut limits) = (0, 0, 0);
    for award in &score.awards {
        match award.worth.times(award.count) {
            Worth::Points(more) => points += more,
            Worth::Doublings(more) => doubles += more.0 / 2,
            Worth::Limits(more) => limits += more.0,
            _ => panic!("only points, doubles and limits in this game"),
        }
    }
    let counted = points << doubles;
    match (limits, options.roof_off) {
        (0, true) => counted,
        (0, false) => counted.min(options.limit),
        (limits, _) => (options.limit * limits).div_ceil(2),
    }
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn the_engine_agrees_with_the_oracle((hand, context) in cases(), options in profiles()) {
        let found = Classical::new(options).points(&hand, &context);
        match judge(&hand, &context, &options) {
            Some(total) => prop_assert_eq!(found, Ok(total)),
            None => prop_assert_eq!(found, Err(RulesError::NotAWin)),
        }
    }

    #[test]
    fn other_hands_agree_with_the_oracle(
        holding in holdings(), options in profiles(),
        seat in select(Wind::ALL.to_vec()), prevalent in select(Wind::ALL.to_vec()),
    ) {
        let score = Classical::new(options).score_other(&holding, seat, prevalent);
        prop_assert_eq!(score.total, other(&holding, seat, prevalent, &options));
        prop_assert_eq!(added_up(&score, &options), score.total);
        let shown: Vec<Tile> = sorted(score.sets.iter().flat_map(|set| set.tiles.clone()));
        prop_assert_eq!(shown, holding.all().iter().collect::<Vec<_>>());
    }

    #[test]
    fn the_explained_score_is_complete((hand, context) in cases(), options in profiles()) {
        let rules = Classical::new(options);
        let Ok(score) = rules.score(&hand, &context) else { return Ok(()) };
        prop_assert_eq!(rules.points(&hand, &context), Ok(score.total));
        prop_assert_eq!(added_up(&score, &options), score.total);
        let all: Vec<Tile> = hand.all().iter().collect();
        prop_assert_eq!(&sorted(score.sets.iter().flat_map(|set| set.tiles.clone())), &all);
        prop_assert!(score.sets.iter().filter(|set| set.winning).count() <= 1);
        for other in &score.runners_up {
            prop_assert!(other.total <= score.total);
            prop_assert_eq!(&sorted(other.sets.iter().flat_map(|set| set.tiles.clone())), &all);
        }
        for award in &score.awards {
            prop_assert!(award.sets.is_empty() || award.sets.len() == award.count as usize, "{:?}", award);
            let there = |set| score.sets.contains(set);
            prop_assert!(award.sets.iter().flatten().all(there), "{:?}", award);
        }
        prop_assert!(score.is_legal());
    }

    /// Naming the set that the winning tile completed leaves one of the possible choices: the best
    /// of all named ones is the total, and none is worth more.
    #[test]
    fn the_best_set_to_complete_is_taken((hand, context) in cases(), options in profiles()) {
        let rules = Classical::new(options);
        let Ok(total) = rules.points(&hand, &context) else { return Ok(()) };
        let winning = hand.winning();
        let low = |back: usize| Tile::from_index((winning.index().checked_sub(back)?) as u8);
        let chows = (0..3).filter_map(low).filter_map(Chow::new).filter(|chow| chow.tiles().contains(&winning));
        let mut sets: Vec<String> =
            chows.map(|chow| chow.tiles().map(|tile| tile.to_string()).concat()).collect();
        sets.extend([2, 3].map(|copies| winning.to_string().repeat(copies)));
        let named = sets.iter().filter_map(|set| {
            let context = Context { completes: set.parse().ok(), ..context };
            rules.points(&hand, &context).ok()
        });
        let best = named.max();
        prop_assert!(best.is_none_or(|best| best <= total));
        let has_sets = judge(&hand, &context, &Options { thirteen_orphans_limits: Halves(0), ..options });
        if has_sets == Some(total) {
            prop_assert_eq!(best, Some(total));
        }
    }

    /// Suits are equivalent, except in four special hands that name a suit.
    #[test]
    fn suits_can_be_exchanged(
        (hand, context) in cases(), options in profiles(),
        order in Just(Suit::ALL.to_vec()).prop_shuffle(),
    ) {
        let none = Halves(0);
        let rules = Classical::new(Options {
            imperial_jade_limits: none, plum_blossom_limits: none,
            moon_from_the_sea_limits: none, carrying_pole_limits: none, ..options
        });
        let exchange = |tile: Tile| match tile.suit() {
            Some(suit) => Tile::ALL[order[suit as usize] as usize * 9 + tile.index() % 9],
            None => tile,
        };
        let setup = HandSetup::from(&hand);
        let exchanged = HandSetup {
            concealed: setup.concealed.into_iter().map(exchange).collect(),
            winning: setup.winning.map(exchange),
            melds: setup.melds.into_iter().map(|meld| exchanged(meld, &exchange)).collect(),
            flowers: setup.flowers,
            reds: setup.reds,
        };
        let exchanged = exchanged.into_hand().expect("a legal hand");
        prop_assert_eq!(rules.points(&hand, &context), rules.points(&exchanged, &context));
    }

    /// Payments sum to zero, whichever hands are known, and none exceeds the limit.
    #[test]
    fn payments_sum_to_zero(
        (hand, context) in cases(),
        known in proptest::collection::vec((holdings(), any::<bool>()), 3),
    ) {
        let seats = Wind::ALL.into_iter().filter(|&seat| seat != context.seat);
        let others: Vec<OtherHand> = seats.zip(known).filter(|(_, (_, given))| *given)
            .map(|(seat, (holding, _))| OtherHand { seat, hand: holding }).collect();
        let book = Book::shipped();
        for name in ["classical-dmjl", "classical-001", "mcr-wmo"] {
            let ruleset = book.get(name.parse().expect(name)).expect(name);
            let Ok(table) = score_table(ruleset, &hand, &context, &others) else { continue };
            let paid: Vec<i32> = table.winner.payments.iter().map(|(_, points)| points).collect();
            prop_assert_eq!(paid.iter().sum::<i32>(), 0);
            if name != "mcr-wmo" {
                prop_assert_eq!(table.others.len() + table.unknown.len(), 3);
                let factor = if context.seat == Wind::East { 6 } else { 4 };
                prop_assert_eq!(table.winner.payments.for_seat(context.seat), factor * table.winner.value as i32);
            }
        }
    }

    #[test]
    fn without_a_roof_nothing_is_worth_less((hand, context) in cases(), options in profiles()) {
        let under = Classical::new(Options { roof_off: false, ..options }).points(&hand, &context);
        let open = Classical::new(Options { roof_off: true, ..options }).points(&hand, &context);
        prop_assert!(under.clone().unwrap_or(0) <= open.clone().unwrap_or(0));
        prop_assert_eq!(under.is_ok(), open.is_ok());
    }
}

fn sorted(tiles: impl Iterator<Item = Tile>) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = tiles.collect();
    tiles.sort_unstable();
    tiles
}

fn exchanged(meld: Meld, exchange: &impl Fn(Tile) -> Tile) -> Meld {
    match meld {
        Meld::Chow(chow) => Meld::Chow(Chow::new(exchange(chow.low())).expect("a chow")),
        Meld::Pung { tile, from } => Meld::Pung { tile: exchange(tile), from },
        Meld::Kong { tile, kind } => Meld::Kong { tile: exchange(tile), kind },
    }
}

proptest! {
    // Each case scores up to 32 hands.
    #![proptest_config(config(300))]

    /// The total for any later context lies in the range that was shown before.
    #[test]
    fn a_total_lies_in_its_range((hand, context) in cases()) {
        let book = Book::shipped();
        let profile = book.get(RulesetId::CLASSICAL_DMJL).expect("shipped");
        let Ok(total) = profile.rules().points(&hand, &context) else { return Ok(()) };
        checked_range(profile, (&hand, &context), total)?;
    }
}
