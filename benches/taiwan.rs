//! Speed of the game of sixteen tiles on one core, on the 3,000 hands of its test data, each under
//! the rules of its row.
//!
//! `tai` is the quick path, `explained` the itemized score; both are timed over all hands and
//! divided by their number ("items" of the output). After the table the mean and the slowest hands
//! are printed: each is repeated, and the best of several rounds is taken, so that an interrupt is
//! not mistaken for a slow hand.

mod spread;
#[path = "../tests/support/taiwan_rows.rs"]
mod taiwan_rows;

use std::hint::black_box;
use std::sync::Arc;

use divan::counter::ItemsCount;
use tilesight_core::context::Context;
use tilesight_core::hand::Hand;
use tilesight_core::rules::Profile;

/// Allocator that counts allocations: the quick path must make none.
#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

/// A hand, how it was won, its rules, and its name.
struct Case {
    hand: Hand,
    context: Context,
    rules: Arc<Profile>,
    name: String,
}

fn main() {
    divan::main();
    spread::print(&cases(), tai, |_, case| case.name.clone());
}

fn cases() -> Vec<Case> {
    let rows = taiwan_rows::cases().into_iter();
    let case = |row: taiwan_rows::Row| {
        let rules = row.rules.profile();
        let prepared = row.prepare(Arc::clone(&rules)).expect("a legal hand");
        let name = format!("row {} ({})", row.id, row.rules.profile);
        Case { hand: prepared.hand, context: prepared.context, rules, name }
    };
    rows.map(case).collect()
}

fn tai(case: &Case) -> u32 {
    case.rules.rules().points(&case.hand, &case.context).expect("a winning hand")
}

#[divan::bench]
fn corpus_tai(bencher: divan::Bencher<'_, '_>) {
    let cases = cases();
    let items = ItemsCount::new(cases.len());
    bencher.counter(items).bench(|| cases.iter().map(|case| tai(black_box(case))).sum::<u32>());
}

#[divan::bench]
fn corpus_explained(bencher: divan::Bencher<'_, '_>) {
    let cases = cases();
    let items = ItemsCount::new(cases.len());
    bencher.counter(items).bench(|| {
        let scores = cases.iter().map(black_box);
        let scores = scores.filter_map(|case| case.rules.score(&case.hand, &case.context).ok());
        scores.filter(|score| score.is_legal()).count()
    });
}
