//! Times the Rust crate `agari` (MIT) and our quick path on the rows of the riichi test data, in
//! one process and on one core. Arguments are built beforehand; each row is repeated, and the best
//! of several rounds is taken. As a check that both score the same hands, their payments without
//! counters are compared with the test data.

#[path = "../../../tests/support/riichi_rows.rs"]
mod riichi_rows;

use std::hint::black_box;
use std::time::Instant;

use agari::context::{GameContext, WinType};
use agari::hand::{KanType, Meld, decompose_hand, decompose_hand_with_melds};
use agari::parse::{TileCounts, to_counts};
use agari::scoring::calculate_score;
use agari::tile::{Honor, Suit, Tile};
use agari::yaku::detect_yaku_with_context;
use tilesight_core::context::{Context, Declaration, RiichiCall, WinSource};
use tilesight_core::hand::{Hand, HandSetup};
use tilesight_core::meld;
use tilesight_core::tile;

const ROUNDS: usize = 15;
const REPEATS: u32 = 10;

/// A hand as the other engine takes it.
struct Other {
    counts: TileCounts,
    all: TileCounts,
    melds: Vec<Meld>,
    context: GameContext,
}

fn main() {
    let rows: Vec<riichi_rows::Row> =
        riichi_rows::rows().into_iter().filter(|row| row.expected.is_some()).collect();
    // Liability and other rules than the usual ones are unknown to it.
    let rows: Vec<&riichi_rows::Row> =
        rows.iter().filter(|row| row.context().feeder.is_none() && row.is_usual()).collect();
    let ours: Vec<_> =
        rows.iter().map(|row| (row.riichi(), row.hand(), row.context())).collect();
    let others: Vec<Other> =
        ours.iter().map(|(_, hand, context)| other(hand, context)).collect();
    let points = |at: usize| {
        let (rules, hand, context) = &ours[at];
        rules.points(black_box(hand), black_box(context)).unwrap_or(0)
    };
    let agree = (0..rows.len())
        .filter(|&at| {
            let honba = 300 * u32::from(ours[at].2.honba);
            total(&others[at]) + honba == points(at)
        })
        .count();
    println!("{agree} of {} payments are equal", rows.len());
    print("agari 0.27.0", &time(rows.len(), |at| total(black_box(&others[at]))));
    print("tilesight, quick path", &time(rows.len(), points));
}

/// Returns the best time of each hand in microseconds.
fn time(count: usize, score: impl Fn(usize) -> u32) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; count];
    for _ in 0..ROUNDS {
        for (at, best) in best.iter_mut().enumerate() {
            let start = Instant::now();
            for _ in 0..REPEATS {
                black_box(score(at));
            }
            *best = best.min(start.elapsed().as_secs_f64() * 1e6 / f64::from(REPEATS));
        }
    }
    best
}

fn print(name: &str, times: &[f64]) {
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let worst = times.iter().copied().fold(0.0, f64::max);
    println!("{name}: mean {mean:.2} µs, worst {worst:.1} µs a hand");
}

/// Scores a hand with the other engine, as its own program does: the best of all structures.
fn total(hand: &Other) -> u32 {
    let structures = match hand.melds.as_slice() {
        [] => decompose_hand(&hand.counts),
        melds => decompose_hand_with_melds(&hand.counts, melds),
    };
    let scored = structures.iter().map(|structure| {
        let yaku = detect_yaku_with_context(structure, &hand.all, &hand.context);
        calculate_score(structure, &yaku, &hand.context).payment.total
    });
    scored.max().unwrap_or(0)
}

fn other(hand: &Hand, context: &Context) -> Other {
    let setup = HandSetup::from(hand);
    let in_hand: Vec<Tile> =
        setup.concealed.iter().copied().chain(setup.winning).map(tile_of).collect();
    let in_melds = setup.melds.iter().flat_map(|meld| meld.tiles()).map(tile_of);
    let all: Vec<Tile> = in_hand.iter().copied().chain(in_melds).collect();
    Other {
        counts: to_counts(&in_hand),
        all: to_counts(&all),
        melds: setup.melds.iter().map(meld_of).collect(),
        context: context_of(&setup, context),
    }
}

fn context_of(setup: &HandSetup, context: &Context) -> GameContext {
    let drawn = matches!(context.win, WinSource::SelfDrawn | WinSource::KongReplacement);
    let win = if drawn { WinType::Tsumo } else { WinType::Ron };
    let mut other = GameContext::new(win, wind_of(context.prevalent), wind_of(context.seat));
    other.winning_tile = setup.winning.map(tile_of);
    other.is_open = setup.melds.iter().any(|meld| !meld.is_concealed());
    other.is_riichi = context.riichi != RiichiCall::No;
    other.is_double_riichi = context.riichi == RiichiCall::Double;
    other.is_ippatsu = context.ippatsu;
    other.is_rinshan = context.win == WinSource::KongReplacement;
    other.is_chankan = matches!(context.win, WinSource::RobbedKong { .. });
    other.is_last_tile = context.last_wall_tile;
    other.is_tenhou = context.declared.contains(Declaration::Heaven);
    other.is_chiihou = context.declared.contains(Declaration::Earth);
    other.dora_indicators = context.dora_indicators.iter().map(tile_of).collect();
    other.ura_dora_indicators = context.ura_indicators.iter().map(tile_of).collect();
    other.aka_count = setup.reds.count() as u8;
    other
}

fn wind_of(wind: tile::Wind) -> Honor {
    [Honor::East, Honor::South, Honor::West, Honor::North][wind as usize]
}

fn tile_of(tile: tile::Tile) -> Tile {
    let code = tile.to_string();
    let suit = match code.as_bytes() {
        [_, b'm'] => Suit::Man,
        [_, b'p'] => Suit::Pin,
        [_, b's'] => Suit::Sou,
        _ => {
            let at = "ESWNPFC".find(code.as_str()).expect("an honor");
            let honors = [
                Honor::East,
                Honor::South,
                Honor::West,
                Honor::North,
                Honor::White,
                Honor::Green,
                Honor::Red,
            ];
            return Tile::honor(honors[at]);
        }
    };
    Tile::suited(suit, tile.number().expect("a number"))
}

fn meld_of(meld: &meld::Meld) -> Meld {
    let first = tile_of(meld.tiles().next().expect("a tile"));
    match meld {
        meld::Meld::Chow(_) => Meld::shuntsu_open(first),
        meld::Meld::Pung { .. } => Meld::koutsu_open(first),
        meld::Meld::Kong { kind, .. } => Meld::kan(
            first,
            match kind {
                meld::KongKind::Concealed => KanType::Closed,
                meld::KongKind::Added { .. } => KanType::Added,
                meld::KongKind::Exposed { .. } => KanType::Open,
            },
        ),
    }
}
