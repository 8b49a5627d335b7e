//! Scoring speed on the 8,000 hands of the corpus, on one core.
//!
//! `total` is the quick path, `explained` the itemized score; both are timed over the whole corpus
//! and divided by its rows ("items" of the output). After the table the mean and the slowest hands
//! are printed: each hand is repeated, and the best of several rounds is taken, so that an
//! interrupt is not mistaken for a slow hand.

#[path = "../tests/support/mcr_rows.rs"]
mod mcr_rows;
mod spread;

use std::hint::black_box;

use divan::counter::ItemsCount;
use tilesight_core::context::Context;
use tilesight_core::hand::Hand;
use tilesight_core::rules::{Book, mcr};

/// Allocator that counts allocations: the quick path must make none.
#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

type Case = (Hand, Context);

fn main() {
    divan::main();
    let rows = mcr_rows::corpus();
    let name = |at: usize, _: &Case| format!("row {} ({})", rows[at].id, rows[at].family);
    spread::print(&cases(), total, name);
}

fn cases() -> Vec<Case> {
    mcr_rows::corpus().iter().map(|row| (row.row.hand(), row.row.context())).collect()
}

fn total((hand, context): &Case) -> u32 {
    mcr::points(hand, context, &mcr::Options::WMO).expect("a winning hand")
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
    let book = Book::shipped();
    let explained = |(hand, context): &Case| book.usual().score(hand, context);
    bencher.counter(items).bench(|| {
        cases
            .iter()
            .filter(|case| explained(black_box(case)).is_ok_and(|score| score.is_legal()))
            .count()
    });
}
