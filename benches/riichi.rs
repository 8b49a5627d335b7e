//! Speed of riichi on one core, on the hands of its test data.
//!
//! `total` is the quick path, `explained` the itemized score; both are timed over all hands and
//! divided by their number ("items" of the output). After the table the mean and the slowest hands
//! are printed: each is repeated, and the best of several rounds is taken, so that an interrupt is
//! not mistaken for a slow hand.

#[path = "../tests/support/riichi_rows.rs"]
mod riichi_rows;
mod spread;

use std::hint::black_box;

use divan::counter::ItemsCount;
use tilesight_core::context::Context;
use tilesight_core::hand::Hand;
use tilesight_core::rules::HandRules;
use tilesight_core::rules::riichi::Riichi;

/// Allocator that counts allocations: the quick path must make none.
#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

/// Name of a hand, its rules, the hand, and how it was won.
type Case = (String, Riichi, Hand, Context);

fn main() {
    divan::main();
    spread::print(&cases(), total, |_, (name, ..)| name.clone());
}

fn cases() -> Vec<Case> {
    let rows = riichi_rows::rows();
    let cases = rows
        .iter()
        .map(|row| (format!("{} {}", row.id, row.hand), row.riichi(), row.hand(), row.context()));
    cases.collect()
}

fn total((_, rules, hand, context): &Case) -> u32 {
    rules.points(hand, context).expect("a winning hand")
}

#[divan::bench]
fn corpus_total(bencher: divan::Bencher<'_, '_>) {
    let cases = cases();
    let items = ItemsCount::new(cases.len());
    bencher.counter(items).bench(|| cases.iter().map(|case| total(black_box(case))).sum::<u32>());
}

#[divan::bench]
fn corpus_explained(bencher: divan::Bencher<'_, '_>) {
    let cases = cases();
    let items = ItemsCount::new(cases.len());
    let explained = |(_, rules, hand, context): &Case| rules.score(hand, context);
    bencher.counter(items).bench(|| {
        let scores = cases.iter().filter_map(|case| explained(black_box(case)).ok());
        scores.filter(|score| score.is_legal()).count()
    });
}
