//! Speed of the classical engine on the 1,000 generated hands, on one core.
//!
//! `total` is the quick path, `explained` the itemized score, `table` the settlement of four hands;
//! all are timed over the whole data and divided by its rows ("items" of the output). After the
//! table the mean and the slowest hands are printed: each hand is repeated, and the best of several
//! rounds is taken, so that an interrupt is not mistaken for a slow hand.

#[path = "../tests/support/classical_rows/mod.rs"]
mod classical_rows;
mod spread;

use std::hint::black_box;

use divan::counter::ItemsCount;
use tilesight_core::context::Context;
use tilesight_core::hand::{Hand, Holding};
use tilesight_core::rules::classical::{Classical, Options};
use tilesight_core::rules::{Book, HandRules, OtherHand, RulesetId, score_table};
use tilesight_core::tile::Wind;

/// Allocator that counts allocations: the quick path must make none.
#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

static RULES: Classical = Classical::new(Options::DMJL);

type Case = (Hand, Context);

fn main() {
    divan::main();
    spread::print(&cases(), total, |at, _| format!("row {at}"));
}

fn cases() -> Vec<Case> {
    classical_rows::cases().iter().map(|row| (row.hand(), row.context())).collect()
}

fn total((hand, context): &Case) -> u32 {
    RULES.points(hand, context).expect("a winning hand")
}

#[divan::bench]
fn data_total(bencher: divan::Bencher<'_, '_>) {
    let cases = cases();
    let items = ItemsCount::new(cases.len());
    bencher.counter(items).bench(|| cases.iter().map(|case| total(black_box(case))).sum::<u32>());
}

#[divan::bench]
fn data_explained(bencher: divan::Bencher<'_, '_>) {
    let cases = cases();
    let items = ItemsCount::new(cases.len());
    let explained = |(hand, context): &Case| RULES.score(hand, context);
    bencher.counter(items).bench(|| {
        cases
            .iter()
            .filter(|case| explained(black_box(case)).is_ok_and(|score| score.is_legal()))
            .count()
    });
}

/// Measures every hand together with three others, none of which shares a tile with it.
#[divan::bench]
fn data_table(bencher: divan::Bencher<'_, '_>) {
    let book = Book::shipped();
    let ruleset = book.get(RulesetId::CLASSICAL_DMJL).expect("shipped");
    let holding = "".parse::<tilesight_core::notation::Notation>().expect("nothing").hand;
    let holding: Holding = holding.into_holding().expect("nothing");
    let cases = cases();
    let items = ItemsCount::new(cases.len());
    bencher.counter(items).bench(|| {
        let settled = |(hand, context): &Case| {
            let seats = Wind::ALL.into_iter().filter(|&seat| seat != context.seat);
            let others: Vec<_> = seats.map(|seat| OtherHand { seat, hand: holding }).collect();
            score_table(ruleset, hand, context, &others).is_ok()
        };
        cases.iter().filter(|case| settled(black_box(case))).count()
    });
}
