//! Hands for the tests of MMM: random ones with every source of a set, and a short form of a score.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test binary uses a part")]

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::select;
use tilesight_core::context::{Context, Feeder, WinSource};
use tilesight_core::hand::{Flowers, Hand, HandSetup};
use tilesight_core::meld::{Chow, KongKind, Meld, Relation};
use tilesight_core::rules::mmm::{HalfSteps, Options};
use tilesight_core::rules::{Book, Profile, RulesetId, Score, Worth};
use tilesight_core::tile::Tile;

use crate::mcr_hands;

/// A hand and how it was won.
pub type Case = (Hand, Context);

/// Returns the rule set.
pub fn mmm() -> Arc<Profile> {
    Book::shipped().get(RulesetId::MMM).expect("shipped").clone()
}

/// Returns the doublings of a score, without extra score: how often each line counts.
pub fn doublings(score: &Score) -> BTreeMap<&'static str, u32> {
    let counted = score.awards.iter().filter(|award| {
        matches!(award.worth, Worth::Doublings(_)) && !award.rule.code.starts_with("extra_")
    });
    counted.map(|award| (award.rule.code, award.count)).collect()
}

/// Generates hands that win in some game, of the kinds that this game's lines refer to, with every
/// source that their sets can have.
pub fn cases() -> impl Strategy<Value = Case> {
    let sources = proptest::collection::vec(proptest::option::of(select(&Relation::ALL[..])), 4);
    (mcr_hands::cases(), sources, select(&Relation::ALL[..])).prop_map(
        |((hand, context), sources, from)| {
            let melds = hand.melds().zip(sources).map(|(meld, from)| with_source(meld, from));
            let setup = HandSetup {
                melds: melds.collect(),
                flowers: Flowers::NONE,
                ..HandSetup::from(&hand)
            };
            let win = match context.win {
                WinSource::Discard { .. } => WinSource::Discard { from },
                WinSource::RobbedKong { .. } => WinSource::RobbedKong { from },
                drawn => drawn,
            };
            (setup.into_hand().expect("the same tiles"), Context { win, ..context })
        },
    )
}

/// Generates hands with three pungs of dragons or four of winds, whose feeders pay.
pub fn liable_cases() -> impl Strategy<Value = Case> {
    let places =
        proptest::collection::vec((0..4usize, proptest::option::of(select(&Relation::ALL[..]))), 4);
    (any::<bool>(), places, mcr_hands::cases(), 0..4usize).prop_filter_map(
        "the pair is of the same tiles, or the win context does not fit",
        |(winds, places, (_, context), source)| {
            let first = if winds { 27 } else { 31 };
            let kinds = if winds { 4 } else { 3 };
            let (mut concealed, mut melds) = (Vec::new(), Vec::new());
            for (at, &(how, from)) in places.iter().take(kinds).enumerate() {
                let tile = Tile::ALL[first + at];
                match how {
                    0 => concealed.extend([tile; 3]),
                    1 => melds.push(Meld::Pung { tile, from }),
                    2 => melds.push(Meld::Kong { tile, kind: KongKind::Added { from } }),
                    _ => melds.push(Meld::Kong { tile, kind: KongKind::Concealed }),
                }
            }
            let chow = ["2m", "3m", "4m"].map(|code| code.parse::<Tile>().expect(code));
            concealed.extend(chow.iter().filter(|_| !winds));
            concealed.extend([Tile::ALL[20]; 2]);
            let at = places[0].0 * 5 % concealed.len();
            let winning = concealed.swap_remove(at);
            let kongs = melds.iter().any(|meld| matches!(meld, Meld::Kong { .. }));
            let from = places[1].1.unwrap_or(Relation::Left);
            let win = match source {
                0 => WinSource::SelfDrawn,
                1 if kongs => WinSource::KongReplacement,
                _ => WinSource::Discard { from },
            };
            let setup =
                HandSetup { concealed, winning: Some(winning), melds, ..HandSetup::default() };
            Some((setup.into_hand().ok()?, Context { win, last_of_kind: false, ..context }))
        },
    )
}

/// Returns the same meld as claimed from another player. A chow claims its lowest tile, from the
/// left.
fn with_source(meld: Meld, from: Option<Relation>) -> Meld {
    match meld {
        Meld::Chow(chow) => {
            let claimed = from.and_then(|_| Chow::new(chow.low())?.claiming(chow.low()));
            Meld::Chow(claimed.unwrap_or(chow))
        }
        Meld::Pung { tile, .. } => Meld::Pung { tile, from },
        Meld::Kong { tile, kind: KongKind::Added { .. } } => {
            Meld::Kong { tile, kind: KongKind::Exposed { from } }
        }
        kong @ Meld::Kong { .. } => kong,
    }
}

/// Generates any options of the rules.
pub fn options() -> impl Strategy<Value = Options> {
    let steps = select(vec![HalfSteps::Column, HalfSteps::Down, HalfSteps::Up]);
    // In three of four hands most rulings have their defaults; otherwise few lines would ever
    // count.
    let set = prop_oneof![
        3 => Just([false; 20]),
        2 => any::<[bool; 20]>(),
        2 => (0..20usize).prop_map(|at| std::array::from_fn(|place| place == at)),
    ];
    (set, steps).prop_map(|(changed, half_steps)| {
        let usual = Options::DEFAULT;
        let mut changed = changed.into_iter();
        let mut ruled = |value: bool| value ^ changed.next().unwrap_or(false);
        Options {
            parts_add_up: ruled(usual.parts_add_up),
            four_identical_chows_are_two_sets: ruled(usual.four_identical_chows_are_two_sets),
            won_pung_is_open: ruled(usual.won_pung_is_open),
            double_wind_pair_counts_twice: ruled(usual.double_wind_pair_counts_twice),
            self_draw_points_when_fully_concealed: ruled(
                usual.self_draw_points_when_fully_concealed,
            ),
            only_chows_must_be_concealed: ruled(usual.only_chows_must_be_concealed),
            seven_pairs_combine: ruled(usual.seven_pairs_combine),
            four_alike_are_two_pairs: ruled(usual.four_alike_are_two_pairs),
            seven_pairs_have_points: ruled(usual.seven_pairs_have_points),
            seven_pairs_are_fully_concealed: ruled(usual.seven_pairs_are_fully_concealed),
            replacement_tile_can_be_the_last: ruled(usual.replacement_tile_can_be_the_last),
            robbing_is_self_draw: ruled(usual.robbing_is_self_draw),
            liability_on_self_draw: ruled(usual.liability_on_self_draw),
            liability_beside_concealed_sets: ruled(usual.liability_beside_concealed_sets),
            four_chows_liability_on_self_draw: ruled(usual.four_chows_liability_on_self_draw),
            winning_tile_can_be_the_fourth_chow: ruled(usual.winning_tile_can_be_the_fourth_chow),
            officers_in_pair: ruled(usual.officers_in_pair),
            lanterns_before_the_winning_tile: ruled(usual.lanterns_before_the_winning_tile),
            half_steps,
            extra_score_reaches_minimum: ruled(usual.extra_score_reaches_minimum),
            flowers_are_passed_over: ruled(usual.flowers_are_passed_over),
        }
    })
}

/// Generates a feeder or `None`.
pub fn feeders() -> impl Strategy<Value = Option<Feeder>> {
    proptest::option::of(select(&Feeder::ALL[..]))
}
