//! Speed of Mahjong Masters Million on one core, on the hands of the MCR corpus that win in it and
//! on its own slowest ones, without their flowers.
//!
//! `value` is the quick path, `explained` the itemized score; both are timed over all hands and
//! divided by their number ("items" of the output). After the table the mean and the slowest hands
//! are printed: each is repeated, and the best of several rounds is taken, so that an interrupt is
//! not mistaken for a slow hand.

#[path = "../tests/support/mcr_rows.rs"]
mod mcr_rows;
mod spread;

use std::hint::black_box;

use divan::counter::ItemsCount;
use tilesight_core::context::Context;
use tilesight_core::hand::{Flowers, Hand, HandSetup};
use tilesight_core::notation::Notation;
use tilesight_core::rules::HandRules;
use tilesight_core::rules::mmm::{Mmm, Options};

/// Allocator that counts allocations: the quick path must make none.
#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

/// Name of a hand, the hand, and how it was won.
type Case = (String, Hand, Context);

static RULES: Mmm = Mmm::new(Options::DEFAULT);

/// Hands with the most decompositions, and hands with a liable player.
const HARD: [&str; 4] = [
    "33334444555m77p5m|EN0000",
    "111122223333m4m4m|EE1000",
    "1112345678999m5m|EW0000",
    "[CCC,2][FFF,1][PPP,3]123m22s|EW1000",
];

fn main() {
    divan::main();
    spread::print(&cases(), value, |_, (name, ..)| name.clone());
}

fn cases() -> Vec<Case> {
    let corpus = mcr_rows::corpus();
    let from_corpus = corpus.iter().map(|row| {
        let setup = HandSetup { flowers: Flowers::NONE, ..HandSetup::from(&row.row.hand()) };
        let hand = setup.into_hand().expect("the same tiles");
        (format!("row {} ({})", row.id, row.family), hand, row.row.context())
    });
    let hard = HARD.iter().map(|text| {
        let notation: Notation = text.parse().expect("a hand");
        let (context, _) = notation.context.resolve().expect("plain");
        ((*text).to_owned(), notation.hand.into_hand().expect("a hand"), context)
    });
    from_corpus
        .chain(hard)
        .filter(|(_, hand, context)| RULES.points(hand, context).is_ok())
        .collect()
}

fn value((_, hand, context): &Case) -> u32 {
    RULES.points(hand, context).expect("a winning hand")
}

#[divan::bench]
fn corpus_value(bencher: divan::Bencher<'_, '_>) {
    let cases = cases();
    let items = ItemsCount::new(cases.len());
    bencher.counter(items).bench(|| cases.iter().map(|case| value(black_box(case))).sum::<u32>());
}

#[divan::bench]
fn corpus_explained(bencher: divan::Bencher<'_, '_>) {
    let cases = cases();
    let items = ItemsCount::new(cases.len());
    let explained = |(_, hand, context): &Case| RULES.score(hand, context);
    bencher.counter(items).bench(|| {
        let scores = cases.iter().filter_map(|case| explained(black_box(case)).ok());
        scores.filter(|score| score.is_legal()).count()
    });
}
