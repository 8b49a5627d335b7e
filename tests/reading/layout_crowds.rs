//! Pictures full of quads: the work of layout and choice is bounded whatever a photo shows, and a
//! search that ran out of its budget asks for a review.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tilesight_core::context::ContextSetup;
use tilesight_core::rules::Book;
use tilesight_vision::decide::doubts::HandScorer;
use tilesight_vision::decide::joint;
use tilesight_vision::params::{JointParams, Params, SearchParams};
use tilesight_vision::{Decision, Layout, ReadOptions, SeenTile, Status, layout};

use crate::tables::{Kinds, Noise, Places, crowd, life, table};

/// Maximum number of quads of a photo in these tests: more than any detector finds.
const MAX_QUADS: usize = 300;

fn read(tiles: &[SeenTile], params: &Params) -> (Layout, Decision, Status) {
    let book = Book::shipped();
    let options: ReadOptions = book.usual().into();
    let layout = layout::lay_out_with(tiles, &options, true, params);
    let decision = joint::decide_with(tiles, &layout, &params.joint);
    let scorer = HandScorer::new(&ContextSetup::default(), book.usual()).expect("plain");
    let verdict = scorer.assess(tiles, &decision).expect("a plain context fits every hand");
    let status = Status::from_decision(&decision, &verdict);
    (layout, decision, status)
}

/// Checks that the work stays within the budgets, and that every tile is in one place.
fn check(tiles: &[SeenTile], name: &str) {
    let (layout, decision, status) = read(tiles, &Params::DEFAULT);
    assert!(layout.steps <= SearchParams::DEFAULT.steps, "{name}: {} steps", layout.steps);
    assert_eq!(layout.is_partial, layout.steps == SearchParams::DEFAULT.steps, "{name}");
    assert!(!layout.is_partial || status != Status::Ok, "{name}");
    let grouped =
        layout.groups.iter().map(|group| group.tiles.len() + usize::from(group.above.is_some()));
    assert_eq!(grouped.sum::<usize>() + layout.ignored.len(), tiles.len(), "{name}");
    // The work of a naming is the number of parts that it names; a part has up to four tiles.
    let weighed = decision.best.iter().chain(&decision.rivals);
    let named: usize = weighed.map(|candidate| candidate.faces.len()).sum();
    let max_named = 4 * layout.plans.len() * JointParams::DEFAULT.max_named;
    assert!(named <= max_named.max(tiles.len()), "{name}: {named} of {max_named}");
}

proptest! {
    // The same crowds every time.
    #![proptest_config(ProptestConfig { cases: 24, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn the_work_is_bounded_for_any_arrangement(
        places in prop::sample::select(&Places::ALL[..]),
        kinds in prop::sample::select(&Kinds::ALL[..]),
        count in 0usize..=MAX_QUADS,
        named in 0.5f32..1.0,
        seed in any::<u64>(),
    ) {
        check(&crowd(places, kinds, count, named, seed), &format!("{places:?} {kinds:?} {count}"));
    }
}

/// Checks the crowds that took longest before the work was bounded: 94 and 32 seconds in a release.
#[test]
fn the_work_is_bounded_for_the_costliest_crowds() {
    for (places, kinds, count) in [
        (Places::Clutter, Kinds::Equal, MAX_QUADS),
        (Places::Row, Kinds::Quads, 144),
        (Places::Row, Kinds::Equal, 299),
        (Places::Apart, Kinds::Mixed, MAX_QUADS),
    ] {
        check(&crowd(places, kinds, count, 0.99, 7), &format!("{places:?} {kinds:?} {count}"));
    }
}

#[test]
fn tables_as_players_leave_them_stay_far_from_the_budget() {
    for seed in 3_000_000..3_000_040 {
        let (layout, ..) = read(&life(seed, Noise::MEASURED).tiles, &Params::DEFAULT);
        assert!(2 * layout.steps < SearchParams::DEFAULT.steps, "{seed}: {}", layout.steps);
    }
}

#[test]
fn a_search_that_runs_out_of_its_budget_gives_its_best_with_a_doubt() {
    let tiles = table(5, Noise::NONE).tiles;
    let (whole, ..) = read(&tiles, &Params::DEFAULT);
    let search = SearchParams { steps: whole.steps / 4, ..SearchParams::DEFAULT };
    let (layout, decision, status) = read(&tiles, &Params { search, ..Params::DEFAULT });
    assert!(layout.is_partial && !whole.is_partial);
    assert!(decision.best.is_some_and(|best| best.p <= search.unfinished));
    assert_eq!(status, Status::NeedsReview);
}
