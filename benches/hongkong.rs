//! Speed of Hong Kong old style on one core, on the 2,000 hands of its test data, each under the
//! rules of its row.
//!
//! `faan` is the quick path, `explained` the itemized score; both are timed over all hands and
//! divided by their number ("items" of the output). After the table the mean and the slowest hands
//! are printed: each is repeated, and the best of several rounds is taken, so that an interrupt is
//! not mistaken for a slow hand.

#[path = "../tests/support/hongkong_rows.rs"]
mod hongkong_rows;
mod spread;

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
    spread::print(&cases(), faan, |_, case| case.name.clone());
}

fn cases() -> Vec<Case> {
    let rows = hongkong_rows::cases().into_iter();
    let case = |row: hongkong_rows::Row| {
        let rules = row.rules.profile("hk-old");
        let prepared = row.prepare(Arc::clone(&rules));
        let name = format!("row {} ({})", row.id, row.family);
        Case { hand: prepared.hand, context: prepared.context, rules, name }
    };
    rows.map(case).collect()
}

fn faan(case: &Case) -> u32 {
    case.rules.rules().points(&case.hand, &case.context).expect("a winning hand")
}

#[divan::bench]
fn corpus_faan(bencher: divan::Bencher<'_, '_>) {
    let cases = cases();
    let items = ItemsCount::new(cases.len());
    bencher.counter(items).bench(|| cases.iter().map(|case| faan(black_box(case))).sum::<u32>());
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
