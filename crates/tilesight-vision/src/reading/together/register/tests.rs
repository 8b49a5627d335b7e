//! Registration of synthetic photos: the homography is found under noise, and other hands are
//! rejected.

use proptest::prelude::*;
use tilesight_core::tile::Tile;

use super::*;
use crate::Faces;

const WIDTH: f32 = 30.0;
const HEIGHT: f32 = 40.0;

fn tile(quad: Quad, face: Option<Face>) -> SeenTile {
    let other: Face = "1m".parse().expect("a code");
    let faces = Faces::from_weights([(face, 0.97), (Some(other), 0.03)]);
    let upright = quad.upright();
    let turn = (0..4).find(|&turn| upright.rotated(turn) == quad).expect("the same corners");
    let mut turns = [0.01; 4];
    turns[turn] = 0.97;
    SeenTile { quad: upright, score: 0.9, inside: 1.0, faces, turns, red: 0.0, likeness: None }
}

/// Returns a row of ten tiles and a set of three beside it, a step lower, with these faces.
fn hand(faces: &[u8]) -> Vec<SeenTile> {
    let place = |n: usize| match n {
        0..10 => Quad::rectangle(300.0 + n as f32 * 31.5, 400.0, WIDTH, HEIGHT),
        _ => Quad::rectangle(330.0 + n as f32 * 31.5, 430.0, WIDTH, HEIGHT),
    };
    let face = |index: &u8| Tile::from_index(*index).map(Face::Tile);
    faces.iter().enumerate().map(|(n, index)| tile(place(n), face(index))).collect()
}

/// Generates thirteen faces, as a hand has them: most of them different.
fn faces() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(1_u8..34, 13).prop_filter("a hand has many faces", |faces| {
        let mut kinds = faces.clone();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.len() > 8
    })
}

/// Camera of a second photo: turned, nearer or further, and lower.
#[derive(Debug, Clone, Copy)]
struct Camera {
    angle: f32,
    scale: f32,
    tilt: (f32, f32),
}

impl Camera {
    fn at(&self, point: Point) -> Point {
        let (sin, cos) = self.angle.sin_cos();
        let Point { x, y } = point - Point::new(500.0, 420.0);
        let depth = 1.0 + self.tilt.0 * x + self.tilt.1 * y;
        let turned = Point::new(x * cos - y * sin, x * sin + y * cos);
        Point::new(500.0, 420.0) + turned * (self.scale / depth)
    }

    fn observe(&self, seen: &SeenTile, off: &[(f32, f32)]) -> SeenTile {
        let mut corners = off.iter();
        let shown = seen.quad.map(|corner| self.at(corner));
        let noise = shown.scale() * 0.04;
        let loose = shown.0.map(|corner| {
            let (x, y) = corners.next().copied().unwrap_or_default();
            corner + Point::new(x, y) * noise
        });
        let quad = Quad(loose);
        let upright = quad.upright();
        let by = (0..4).find(|&by| quad.rotated(by) == upright).expect("the same corners");
        let turns = std::array::from_fn(|turn| seen.turns[(turn + by) % 4]);
        SeenTile { quad: upright, turns, ..seen.clone() }
    }
}

fn camera() -> impl Strategy<Value = Camera> {
    let tilt = -6e-4..6e-4_f32;
    let angle = 0.0..std::f32::consts::TAU;
    (angle, 0.5..2.0_f32, (tilt.clone(), tilt)).prop_map(|(angle, scale, tilt)| Camera {
        angle,
        scale,
        tilt,
    })
}

fn noise() -> impl Strategy<Value = Vec<(f32, f32)>> {
    prop::collection::vec((-1.0..1.0_f32, -1.0..1.0_f32), 13 * 4)
}

/// Registers two photos whose hands are their first thirteen tiles.
fn registered(base: &[SeenTile], other: &[SeenTile]) -> Option<Registration> {
    let hand = |tiles: &[SeenTile]| -> Vec<usize> { (0..tiles.len().min(13)).collect() };
    let (in_base, in_other, size) = (hand(base), hand(other), (1000, 1000));
    register(
        Side { tiles: base, hand: &in_base, size },
        Side { tiles: other, hand: &in_other, size },
        &TogetherParams::DEFAULT,
        &Effort::new(TogetherParams::DEFAULT.steps),
    )
}

/// Checks that two photos of hundreds of equal tiles, each of which may be any of the other's, are
/// given up when the budget is spent.
#[test]
fn a_crowd_of_equal_tiles_ends_with_the_budget() {
    let face = Some("5m".parse().expect("a code"));
    let place = |n: usize| (1.8 * WIDTH * (n % 18) as f32, 1.8 * HEIGHT * (n / 18) as f32);
    let quad = |(x, y): (f32, f32)| Quad::rectangle(x, y, WIDTH, HEIGHT);
    let base: Vec<SeenTile> = (0..300).map(|n| tile(quad(place(n)), face)).collect();
    let mut rng = fastrand::Rng::with_seed(1);
    let mut anywhere = || (1_000.0 * rng.f32(), 1_000.0 * rng.f32());
    let other: Vec<SeenTile> = (0..300).map(|_| tile(quad(anywhere()), face)).collect();
    let hand: Vec<usize> = (0..13).collect();
    let side = |tiles| Side { tiles, hand: &hand, size: (1000, 1000) };
    let effort = Effort::new(1_000_000);
    assert!(register(side(&base), side(&other), &TogetherParams::DEFAULT, &effort).is_none());
    assert!(effort.is_spent());
}

fn seen_by(camera: Camera, tiles: &[SeenTile], noise: &[(f32, f32)]) -> Vec<SeenTile> {
    tiles.iter().zip(noise.chunks(4)).map(|(tile, off)| camera.observe(tile, off)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_same_hand_is_found_under_noise(
        faces in faces(),
        camera in camera(),
        noise in noise(),
        hidden in prop::collection::btree_set(0_usize..13, 0..4),
    ) {
        let base = hand(&faces);
        let mut other = seen_by(camera, &base, &noise);
        // Covered tiles are either not found or named wrongly, alternately.
        let nothing = Faces::from_weights([(None, 0.6), ("P".parse().ok(), 0.4)]);
        for (n, &tile) in hidden.iter().enumerate().rev() {
            if n % 2 == 0 {
                other[tile].faces = nothing.clone();
            } else {
                other.remove(tile);
            }
        }
        let shown: Vec<usize> = (0..13)
            .filter(|tile| hidden.iter().position(|one| one == tile).is_none_or(|n| n % 2 == 0))
            .collect();
        let found = registered(&base, &other).expect("the same hand");
        prop_assert_eq!(found.pairs().count(), shown.len());
        for pair in found.pairs() {
            prop_assert_eq!(pair.base, shown[pair.other]);
        }
        for (place, &tile) in shown.iter().enumerate() {
            let mapped = found.map(&other[place].quad, &other).expect("in view");
            let off = (mapped.centre() - base[tile].quad.centre()).length();
            prop_assert!(off < 0.15 * mapped.scale(), "tile {} is off by {}", tile, off);
        }
    }

    #[test]
    fn another_hand_is_not_registered(
        (faces, others) in (faces(), faces()),
        camera in camera(),
        noise in noise(),
    ) {
        let same = faces.iter().zip(&others).filter(|(a, b)| a == b).count();
        prop_assume!(same < 4);
        let other = seen_by(camera, &hand(&others), &noise);
        prop_assert!(registered(&hand(&faces), &other).is_none());
    }

    #[test]
    fn a_hand_in_another_order_is_not_registered(
        faces in faces(),
        camera in camera(),
        noise in noise(),
    ) {
        let mut sorted = faces.clone();
        sorted.rotate_left(5);
        let same = faces.iter().zip(&sorted).filter(|(a, b)| a == b).count();
        prop_assume!(same < 4);
        let other = seen_by(camera, &hand(&sorted), &noise);
        prop_assert!(registered(&hand(&faces), &other).is_none());
    }
}

/// Returns a table of discards that both photos show, with a hand before it.
fn table(faces: &[u8]) -> Vec<SeenTile> {
    let discard = |n: usize| {
        let (x, y) = ((n % 6) as f32 * 31.5, (n / 6) as f32 * 42.0);
        let face = Tile::from_index((n * 7 % 34) as u8).map(Face::Tile);
        tile(Quad::rectangle(350.0 + x, 150.0 + y, WIDTH, HEIGHT), face)
    };
    hand(faces).into_iter().chain((0..24).map(discard)).collect()
}

const USUAL: [u8; 13] = [1, 2, 3, 9, 10, 11, 20, 21, 22, 28, 28, 31, 31];
const STRAIGHT: Camera = Camera { angle: 0.3, scale: 1.2, tilt: (1e-4, 2e-4) };

#[test]
fn discards_that_stayed_do_not_vouch_for_a_hand_that_changed() {
    let mut drawn = USUAL;
    drawn[2..10].rotate_right(1);
    let base = table(&USUAL);
    let found = |faces: &[u8]| {
        registered(&base, &seen_by(STRAIGHT, &table(faces), &[(0.0, 0.0); 37 * 4])).is_some()
    };
    assert!(found(&USUAL));
    assert!(!found(&drawn), "the row has moved on by one tile");
}

#[test]
fn a_row_that_stands_is_registered_beside_the_table() {
    let base = table(&USUAL);
    let mut other = seen_by(STRAIGHT, &base, &[(0.0, 0.0); 37 * 4]);
    // From the other side the row seems to be a tile and a half further up.
    for tile in &mut other[..10] {
        tile.quad = tile.quad.map(|corner| corner + Point::new(15.0, -55.0));
    }
    let found = registered(&base, &other).expect("the same hand");
    assert_eq!(found.pairs().count(), 37);
    assert!(found.pairs().all(|pair| pair.base == pair.other));
    let mapped = found.map(&other[4].quad, &other).expect("in view");
    assert!((mapped.centre() - base[4].quad.centre()).length() < 3.0);
}

#[test]
fn an_empty_photo_is_not_registered() {
    assert!(registered(&[], &hand(&USUAL)).is_none());
    assert!(registered(&hand(&USUAL), &[]).is_none());
}
