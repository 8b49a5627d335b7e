//! Laws that hold for tables of every form (see `tables`): neither the camera nor the order of the
//! tiles matters, a missing tile raises a question, few tables are wrong without a question, and
//! most hands are found.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tilesight_core::context::ContextSetup;
use tilesight_core::meld::{KongKind, Meld};
use tilesight_core::rules::Book;
use tilesight_vision::decide::doubts::HandScorer;
use tilesight_vision::decide::joint;
use tilesight_vision::{Decision, SeenTile, Status, layout};

use crate::common::{line, moved};
use crate::tables::{Noise, Table, life, table, table_from};

fn decide(tiles: &[SeenTile]) -> Decision {
    joint::decide(tiles, &layout::lay_out(tiles, Book::shipped().usual(), None))
}

fn read(tiles: &[SeenTile]) -> String {
    decide(tiles).best.map_or("nothing".to_owned(), |best| line(&best.setup))
}

fn status(tiles: &[SeenTile]) -> Status {
    let scorer = HandScorer::new(&ContextSetup::default(), Book::shipped().usual()).expect("plain");
    let decision = decide(tiles);
    let verdict = scorer.assess(tiles, &decision).expect("a plain context fits every hand");
    Status::from_decision(&decision, &verdict)
}

fn is_exact(table: &Table) -> bool {
    read(&table.tiles) == line(&table.shown)
}

fn is_of_one_plane(table: &Table) -> bool {
    !table.forms.iter().any(|form| ["added kong, on top", "standing"].contains(form))
}

proptest! {
    // The same tables every time: the bench measures how often any table is read wrongly.
    #![proptest_config(ProptestConfig { cases: 40, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn turning_and_scaling_the_photo_changes_nothing(
        seed in 0u64..1_000_000, degrees in 0.0f32..360.0, scale in 0.4f32..3.0,
    ) {
        let table = table(seed, Noise::NONE);
        prop_assume!(is_of_one_plane(&table));
        let tiles = table.tiles;
        prop_assert_eq!(read(&moved(&tiles, degrees, scale)), read(&tiles));
    }

    /// From any camera position the hand is exact or raises a question. A fourth tile on top of a
    /// pung is seen from the side alone, and standing tiles lie in another plane than the rest:
    /// those are left to the bench.
    #[test]
    fn the_camera_position_changes_nothing(seed in 0u64..1_000_000, view in any::<u64>()) {
        let table = table_from(seed, view, Noise::NONE);
        prop_assume!(is_of_one_plane(&table));
        prop_assert!(is_exact(&table) || status(&table.tiles) != Status::Ok, "{}", read(&table.tiles));
    }

    #[test]
    fn the_order_of_the_tiles_changes_nothing(seed in 0u64..1_000_000, order in any::<u64>()) {
        let table = table(seed, Noise::MEASURED);
        let mut mixed = table.tiles.clone();
        fastrand::Rng::with_seed(order).shuffle(&mut mixed);
        prop_assert_eq!(read(&mixed), read(&table.tiles));
    }

    /// If any tile of a hand is missed, a question is raised. Two kinds leave no trace when they
    /// are missing: the last flower of a row, and the fourth tile of a kong beside its pung. A
    /// discard near the hand may take the place of the missing tile, and sets without turned tiles
    /// may become pairs: those tables are left to the bench.
    #[test]
    fn a_missing_tile_raises_a_question(seed in 0u64..1_000_000, which in 0usize..100) {
        let table = table(seed, Noise::NONE);
        prop_assume!(is_exact(&table));
        prop_assume!(!table.forms.iter().any(|form| ["discards", "nothing turned"].contains(form)));
        let best = decide(&table.tiles).best.expect("an exact hand");
        let is_kong = |at: usize| matches!(best.setup.melds.get(at), Some(Meld::Kong { kind, .. }) if *kind != KongKind::Concealed);
        let sets = best.plan.melds.iter().enumerate().filter(|(at, _)| !is_kong(*at));
        let in_sets = sets.filter(|(_, meld)| meld.tiles.len() == 3).flat_map(|(_, meld)| meld.tiles.clone());
        let parts: Vec<usize> = best.plan.concealed.iter().copied().chain(best.plan.winning).chain(in_sets).collect();
        let mut tiles = table.tiles;
        tiles.remove(parts[which % parts.len()]);
        prop_assert_ne!(status(&tiles), Status::Ok);
    }
}

#[test]
fn few_tables_are_read_wrongly_without_a_question() {
    let count = 300;
    let (mut exact, mut silent) = (0, Vec::new());
    for seed in 5_000_000..5_000_000 + count {
        let table = table(seed, Noise::MEASURED);
        if is_exact(&table) {
            exact += 1;
        } else if status(&table.tiles) == Status::Ok {
            silent.push(seed);
        }
    }
    // A quarter of these tables has a tile that is named wrongly, an eighth has a tile that is not
    // seen at all.
    assert!(exact * 100 >= count * 68, "{exact} of {count} exact");
    assert!(
        silent.len() * 50 <= count as usize,
        "{silent:?} of {count} are wrong and nobody is asked"
    );
}

/// Tables full of discards, walls and other hands, with correct names. Eight in a hundred were lost
/// to the search's limit of twelve blocks and to faces that look the same upside down; a kong's
/// fourth tile in the corner was left out.
#[test]
fn most_hands_are_found_as_players_leave_them() {
    let clean = Noise { wrong: 0.0, missing: 0.0, ..Noise::MEASURED };
    let count = 150;
    let exact = (7_000_000..7_000_000 + count).filter(|&seed| is_exact(&life(seed, clean))).count();
    assert!(exact * 100 >= count as usize * 80, "{exact} of {count} exact");
}
