//! Turning, scaling and jostling the photo does not change the hand.

use proptest::prelude::*;
use tilesight_core::rules::Book;
use tilesight_vision::decide::joint;
use tilesight_vision::geometry::{Point, Quad};
use tilesight_vision::{SeenTile, layout};

use crate::common::{describe, moved, seen};

const SCENES: [&str; 5] = [
    "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C | C",
    "1m 2m 3m 4p 5p 6p 7s 8s 9s C C_ | E_ E E",
    "1m 2m 3m C | C / E_ E E | S S_ S | back W W back / f1 s2",
    "f1 f2 1m 2m 3m 4p 5p 6p / 7s 8s 9s E E E C C",
    "1m 2m 3m 4m 5m 6m C | C | 7p_ 8p 9p | E_ ^E_ E E",
];

fn read(tiles: &[SeenTile]) -> String {
    let decision = joint::decide(tiles, &layout::lay_out(tiles, Book::shipped().usual(), None));
    decision.best.map_or("nothing".to_owned(), |best| describe(&best.setup))
}

/// Shifts corners by up to a share of the width, like a detector's errors.
fn jostled(tiles: &[SeenTile], shifts: &[f32], share: f32) -> Vec<SeenTile> {
    let mut next = shifts.iter().cycle();
    let mut shift = |width: f32| next.next().copied().unwrap_or(0.0) * share * width;
    tiles
        .iter()
        .map(|tile| {
            let width = tile.quad.across().length();
            let corners = tile.quad.0.map(|corner| corner + Point::new(shift(width), shift(width)));
            SeenTile { quad: Quad(corners), ..tile.clone() }
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn the_hand_does_not_depend_on_rotation_and_size(
        scene in 0..SCENES.len(),
        degrees in 0.0f32..360.0,
        scale in 0.4f32..4.0,
    ) {
        let flat = seen(SCENES[scene]);
        prop_assert_eq!(read(&moved(&flat, degrees, scale)), read(&flat));
    }

    #[test]
    fn the_hand_does_not_depend_on_small_shifts_of_corners(
        scene in 0..SCENES.len(),
        degrees in 0.0f32..360.0,
        shifts in prop::collection::vec(-1.0f32..1.0, 223),
    ) {
        let flat = seen(SCENES[scene]);
        let turned = moved(&flat, degrees, 1.0);
        prop_assert_eq!(read(&jostled(&turned, &shifts, 0.06)), read(&flat));
    }

    #[test]
    fn the_order_of_detections_does_not_matter(scene in 0..SCENES.len(), seed in any::<u64>()) {
        let flat = seen(SCENES[scene]);
        let mut mixed = flat.clone();
        let mut state = seed;
        mixed.sort_by_key(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        });
        prop_assert_eq!(read(&mixed), read(&flat));
    }
}
