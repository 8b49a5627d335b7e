//! Random winning hands of every shape with a win context that does not contradict them, as
//! proptest strategies.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test binary uses a part")]

use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use tilesight_core::context::{Context, WinSource};
use tilesight_core::hand::{Flowers, Hand, HandSetup};
use tilesight_core::meld::{Chow, KongKind, Meld, Relation};
use tilesight_core::rules::mcr::Options;
use tilesight_core::tile::{Tile, Wind};

/// A hand and how it was won.
pub type Case = (Hand, Context);

/// A set of a random hand: its tiles, and how it lies on the table if it is melded.
#[derive(Debug, Clone, Copy)]
enum Draft {
    Chow(Tile),
    Pung(Tile),
    MeldedChow(Tile),
    MeldedPung(Tile),
    MeldedKong(Tile),
    ConcealedKong(Tile),
}

impl Draft {
    fn hidden(self) -> Option<Vec<Tile>> {
        match self {
            Draft::Chow(low) => Chow::new(low).map(|chow| chow.tiles().to_vec()),
            Draft::Pung(tile) => Some(vec![tile; 3]),
            _ => None,
        }
    }

    fn meld(self) -> Option<Meld> {
        let from = Some(Relation::Across);
        match self {
            Draft::Chow(_) | Draft::Pung(_) => None,
            Draft::MeldedChow(low) => Chow::new(low).map(Meld::Chow),
            Draft::MeldedPung(tile) => Some(Meld::Pung { tile, from }),
            Draft::MeldedKong(tile) => Some(Meld::Kong { tile, kind: KongKind::Added { from } }),
            Draft::ConcealedKong(tile) => Some(Meld::Kong { tile, kind: KongKind::Concealed }),
        }
    }
}

/// Generates the tiles that a hand is drawn from: few kinds make fans likely.
fn palettes() -> impl Strategy<Value = Vec<Tile>> {
    let suits = |picked: &[usize], low: u8, high: u8| -> Vec<Tile> {
        let number = |tile: &Tile| tile.number().is_some_and(|n| (low..=high).contains(&n));
        Tile::ALL.into_iter().filter(|t| picked.contains(&(t.index() / 9)) && number(t)).collect()
    };
    let outer = Tile::ALL.into_iter().filter(|tile| tile.is_terminal_or_honor()).collect();
    let honors = Tile::ALL.into_iter().filter(|tile| tile.is_honor()).collect();
    let green = ["2s", "3s", "4s", "6s", "8s", "F"].map(|code| code.parse().expect(code)).to_vec();
    let one_suit_and_honors = [suits(&[2], 1, 9), Tile::ALL[27..].to_vec()].concat();
    select(vec![
        Tile::ALL.to_vec(),
        suits(&[0, 1, 2], 1, 9),
        suits(&[0, 1, 2], 1, 5),
        suits(&[0, 1, 2], 4, 7),
        suits(&[0, 1, 2], 6, 9),
        suits(&[0, 1], 1, 9),
        suits(&[0], 1, 9),
        suits(&[1], 1, 6),
        one_suit_and_honors,
        outer,
        honors,
        green,
    ])
}

fn drafts() -> impl Strategy<Value = Draft> {
    palettes().prop_flat_map(draft_of)
}

fn draft_of(palette: Vec<Tile>) -> impl Strategy<Value = Draft> {
    (select(palette), 0..12).prop_map(|(tile, kind)| {
        let chow = Chow::new(tile).is_some();
        match kind {
            0..=3 if chow => Draft::Chow(tile),
            4..=5 if chow => Draft::MeldedChow(tile),
            0..=7 => Draft::Pung(tile),
            8 | 9 => Draft::MeldedPung(tile),
            10 => Draft::MeldedKong(tile),
            _ => Draft::ConcealedKong(tile),
        }
    })
}

/// Concealed tiles including the winning one, and melds.
type Tiles = (Vec<Tile>, Vec<Meld>);

fn regular() -> impl Strategy<Value = Tiles> {
    let sets = |palette: Vec<Tile>| {
        (proptest::collection::vec(draft_of(palette.clone()), 4), select(palette))
    };
    palettes().prop_flat_map(sets).prop_map(|(sets, pair)| {
        let hidden = sets.iter().filter_map(|set| set.hidden()).flatten().chain([pair; 2]);
        (hidden.collect(), sets.iter().filter_map(|set| set.meld()).collect())
    })
}

fn knit() -> impl Strategy<Value = Vec<Tile>> {
    Just([0u8, 1, 2]).prop_shuffle().prop_map(|order| {
        let suits = order.into_iter().enumerate();
        suits
            .flat_map(|(suit, low)| {
                [0, 3, 6].map(|step| Tile::ALL[suit * 9 + usize::from(low + step)])
            })
            .collect()
    })
}

fn knitted() -> impl Strategy<Value = Tiles> {
    (knit(), drafts(), select(Tile::ALL.to_vec())).prop_map(|(mut tiles, set, pair)| {
        tiles.extend(set.hidden().into_iter().flatten().chain([pair; 2]));
        (tiles, set.meld().into_iter().collect())
    })
}

fn honors_and_knitted() -> impl Strategy<Value = Tiles> {
    let some = |knit: Vec<Tile>| {
        (5..=7usize).prop_flat_map(move |honors| {
            let numbers = subsequence(knit.clone(), 14 - honors);
            (subsequence(Tile::ALL[27..].to_vec(), honors), numbers)
        })
    };
    knit().prop_flat_map(some).prop_map(|(honors, numbers)| ([honors, numbers].concat(), vec![]))
}

fn pairs() -> impl Strategy<Value = Tiles> {
    let seven = |palette: Vec<Tile>| proptest::collection::vec(select(palette), 7);
    let shifted = (0..3usize, 0..3usize)
        .prop_map(|(suit, low)| Tile::ALL[suit * 9 + low..suit * 9 + low + 7].to_vec());
    prop_oneof![4 => palettes().prop_flat_map(seven), 1 => shifted]
        .prop_map(|pairs| (pairs.iter().flat_map(|&tile| [tile; 2]).collect(), vec![]))
}

fn orphans() -> impl Strategy<Value = Tiles> {
    let outer: Vec<Tile> = Tile::ALL.into_iter().filter(|t| t.is_terminal_or_honor()).collect();
    select(outer.clone()).prop_map(move |twice| ([outer.clone(), vec![twice]].concat(), vec![]))
}

fn gates() -> impl Strategy<Value = Tiles> {
    (0..3usize, 0..9usize).prop_map(|(suit, extra)| {
        let numbers = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, extra];
        (numbers.map(|number| Tile::ALL[suit * 9 + number]).to_vec(), vec![])
    })
}

/// Generates winning hands with their contexts.
pub fn cases() -> impl Strategy<Value = Case> {
    let tiles = prop_oneof![
        20 => regular(),
        4 => knitted(),
        2 => honors_and_knitted(),
        3 => pairs(),
        1 => orphans(),
        1 => gates(),
    ];
    let flags = (0..4usize, any::<bool>(), any::<bool>());
    (tiles, any::<Index>(), 0..=8u8, select(Wind::ALL.to_vec()), select(Wind::ALL.to_vec()), flags)
        .prop_filter_map(
            "five of a kind",
            |((mut tiles, melds), at, flowers, seat, prevalent, flags)| {
                let winning = tiles.swap_remove(at.index(tiles.len()));
                let flowers = Flowers::from_unnamed_count(flowers).expect("eight at the most");
                let setup = HandSetup {
                    concealed: tiles,
                    winning: Some(winning),
                    melds,
                    flowers,
                    ..HandSetup::default()
                };
                let hand = setup.into_hand().ok()?;
                Some((hand, context(&hand, seat, prevalent, flags)))
            },
        )
}

/// Generates a random context that does not contradict the hand.
fn context(
    hand: &Hand,
    seat: Wind,
    prevalent: Wind,
    (source, last_wall_tile, last_of_kind): (usize, bool, bool),
) -> Context {
    let from = Relation::Right;
    let kongs = hand.melds().any(|meld| matches!(meld, Meld::Kong { .. }));
    let win = match source {
        0 => WinSource::SelfDrawn,
        1 if kongs => WinSource::KongReplacement,
        2 if hand.all().count(hand.winning()) == 1 && !last_wall_tile => {
            WinSource::RobbedKong { from }
        }
        _ => WinSource::Discard { from },
    };
    let last_of_kind = last_of_kind && hand.concealed().count(hand.winning()) == 0;
    Context { seat, prevalent, win, last_wall_tile, last_of_kind, ..Context::PLAIN }
}

/// Generates any options of the rules.
pub fn options() -> impl Strategy<Value = Options> {
    (any::<[bool; 11]>(), select(vec![6, 8]), select(vec![5, 6])).prop_map(|(set, two, one)| {
        Options {
            two_concealed_kongs_points: two,
            melded_and_concealed_kong_points: one,
            fully_concealed_special_hands: set[0],
            half_flush_with_green_dragon: set[1],
            double_pung_in_all_terminals: set[2],
            nine_gates_excludes_all_terminal_pungs: set[3],
            tile_hog_in_green_or_terminal_pairs: set[4],
            concealed_kong_beside_three_or_four_kongs: set[5],
            wait_on_knitted_tile: set[6],
            knitted_straight_in_lesser_honors: set[7],
            terminal_pungs_in_big_three_winds: set[8],
            formal_waits: set[9],
            tile_hog_on_honors: set[10],
        }
    })
}
