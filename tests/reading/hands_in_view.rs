//! Photos with several complete hands: all of them are listed, and each is read if its focus is
//! sent back, or a region around it. Pictures are painted, so that every stage runs.

use std::io::Cursor;

use image::imageops::flip_horizontal;
use image::{DynamicImage, ImageFormat, RgbImage};
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::Problem;
use tilesight_core::rules::Book;
use tilesight_vision::geometry::Point;
use tilesight_vision::geometry::polygon::Polygon;
use tilesight_vision::networks::fake::{PaintedModel, PaintedTile, paint};
use tilesight_vision::{IgnoreReason, ReadError, ReadOptions, Reader, Reading, Role, Status};

use crate::common;
use crate::common::{describe, placed};

const SIZE: (u32, u32) = (700, 620);

/// Two hands of one table, far from each other.
const NEAR: &str = "1m 2m 3m 4p 5p 6p 7s 8s 9s C | C | E_ E E";
const FAR: &str = "2m 3m 4m 2p 3p 4p 6s 7s 8s 5s 5s 7m 8m | 9m";

fn moved_down(scene: &str, by: f32) -> impl Iterator<Item = PaintedTile> {
    placed(scene).into_iter().map(move |tile| PaintedTile {
        quad: tile.quad.map(|corner| corner + Point::new(0.0, by)),
        ..tile
    })
}

fn both() -> RgbImage {
    let tiles: Vec<PaintedTile> = moved_down(NEAR, 0.0).chain(moved_down(FAR, 420.0)).collect();
    paint(SIZE.0, SIZE.1, &tiles)
}

fn read(photo: &RgbImage, focus: Option<Point>) -> Result<Reading, ReadError> {
    read_by(photo, ReadOptions { focus, ..Book::shipped().usual().into() })
}

fn read_by(photo: &RgbImage, options: ReadOptions) -> Result<Reading, ReadError> {
    read_in(photo, &ContextSetup::default(), options)
}

fn read_in(
    photo: &RgbImage,
    context: &ContextSetup,
    options: ReadOptions,
) -> Result<Reading, ReadError> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(photo.clone()).write_to(&mut bytes, ImageFormat::Png).expect("encodes");
    Reader::with_model(PaintedModel::default()).read(bytes.get_ref(), context, options)
}

/// Reads a photo of players who did not win.
fn read_waiting(photo: &RgbImage, focus: Option<Point>) -> Reading {
    let context = ContextSetup { won: Some(false), ..ContextSetup::default() };
    let options = ReadOptions { focus, ..Book::shipped().usual().into() };
    read_in(photo, &context, options).expect("a photo")
}

fn hands(reading: &Reading) -> Vec<String> {
    reading.hands_in_view.iter().map(|hand| describe(&hand.hand)).collect()
}

#[test]
fn every_complete_hand_is_listed_and_can_be_selected() {
    let reading = read(&both(), None).expect("a photo");
    assert_eq!(reading.hands_in_view.len(), 2, "{:?}", hands(&reading));
    assert_eq!(hands(&reading)[0], describe(&reading.hand));
    let mut read_alone = Vec::new();
    for (place, in_view) in reading.hands_in_view.iter().enumerate() {
        let alone = read(&both(), Some(in_view.focus)).expect("a photo");
        let names = |reading: &Reading, tiles: &[usize]| -> Vec<_> {
            let mut centres: Vec<_> = tiles
                .iter()
                .map(|&i| reading.tiles[i].seen.quad.centre())
                .map(|at| (at.x as i32, at.y as i32))
                .collect();
            centres.sort_unstable();
            centres
        };
        let first = &alone.hands_in_view[0];
        assert_eq!(
            names(&alone, &first.tiles),
            names(&reading, &in_view.tiles),
            "hand {place} is the one that its focus asks for"
        );
        assert_eq!(alone.hands_in_view.len(), 2, "the other one is still in view");
        read_alone.push(describe(&alone.hand));
    }
    read_alone.sort();
    let mut expected = [NEAR, FAR].map(|scene| {
        let tiles: Vec<PaintedTile> = moved_down(scene, 0.0).collect();
        describe(&read(&paint(SIZE.0, SIZE.1, &tiles), None).expect("a photo").hand)
    });
    expected.sort();
    assert_eq!(read_alone, expected, "each is read as if it lay there alone");
}

#[test]
fn a_photo_of_two_hands_does_not_tell_which_is_meant() {
    let reading = read(&both(), None).expect("a photo");
    assert_eq!(reading.status, Status::NeedsReview);
    assert!(reading.probability <= 0.5, "{}", reading.probability);
    let pointed = read(&both(), Some(reading.hands_in_view[0].focus)).expect("a photo");
    assert_eq!(describe(&pointed.hand), describe(&reading.hand));
    assert!((pointed.probability - 2.0 * reading.probability).abs() < 1e-4);
}

/// Three players who did not win: two wait, one is far from it; and six discards in a row.
#[test]
fn hands_of_players_who_did_not_win_are_listed() {
    let players = [
        "1m 2m 3m 4p 5p 6p 7s 8s 9s C | E_ E E",
        "2m 3m 4m 2p 3p 4p 6s 7s 8s 5s 5s 7m 8m",
        "1m 3m 5m 9m 2p 4p 8p 1s 5s 7s S W F",
    ];
    let rows = players.into_iter().enumerate();
    let hands_of = rows.flat_map(|(n, scene)| moved_down(scene, 420.0 * n as f32));
    let tiles: Vec<PaintedTile> = hands_of.chain(moved_down("9p 1s N 6m P 3s", 210.0)).collect();
    let photo = paint(SIZE.0, 1040, &tiles);
    let reading = read_waiting(&photo, None);
    assert_eq!(reading.status, Status::NeedsReview);
    assert_eq!(reading.hands_in_view.len(), 3, "{:?}", hands(&reading));
    let mut alone = Vec::new();
    for in_view in &reading.hands_in_view {
        let pointed = read_waiting(&photo, Some(in_view.focus));
        assert_eq!(in_view.tiles.len(), 13);
        assert_eq!(pointed.hands_in_view[0].tiles.len(), 13);
        assert_eq!(pointed.status, Status::Ok, "{}", describe(&pointed.hand));
        alone.push(describe(&pointed.hand));
    }
    alone.sort();
    let mut expected = players.map(|scene| {
        let tiles: Vec<PaintedTile> = moved_down(scene, 0.0).collect();
        describe(&read_waiting(&paint(SIZE.0, SIZE.1, &tiles), None).hand)
    });
    expected.sort();
    assert_eq!(alone, expected, "each is read as if it lay there alone");
}

#[test]
fn a_player_who_did_not_win_has_no_tile_from_the_discards() {
    let hand = moved_down("2m 3m 4m 2p 3p 4p 6s 7s 8s 5s 5s 7m 8m", 0.0);
    // With the nine the hand would win.
    let tiles: Vec<PaintedTile> = hand.chain(moved_down("9m", 100.0)).collect();
    let photo = paint(SIZE.0, SIZE.1, &tiles);
    let reading = read_waiting(&photo, None);
    assert_eq!(describe(&reading.hand), "2m 3m 4m 7m 8m 2p 3p 4p 5s 5s 6s 7s 8s +?");
}

#[test]
fn a_second_hand_with_concealed_kongs_is_listed() {
    let kongs = [
        "2m 3m 4m 6s 7s 8s 5s 5s 7m 8m | 9m | back 2p 2p back",
        "2m 3m 4m 6s 6s | back 2p 2p back | S back back S | back 9s 9s back",
        "2m 3m 4m 6s 6s | 2p 2p 2p 2p | S back back S | back 9s 9s back",
        "6s 6s | back 2p 2p back | S back back S | back 9s 9s back | back 8m 8m back",
    ];
    for far in kongs {
        let tiles: Vec<PaintedTile> = moved_down(NEAR, 0.0).chain(moved_down(far, 420.0)).collect();
        let photo = paint(1000, SIZE.1, &tiles);
        let reading = read(&photo, None).expect("a photo");
        assert_eq!(reading.hands_in_view.len(), 2, "{far}: {:?}", hands(&reading));
        for in_view in &reading.hands_in_view {
            let alone = read(&photo, Some(in_view.focus)).expect("a photo");
            assert_eq!(alone.hands_in_view[0].tiles.len(), in_view.tiles.len(), "{far}");
        }
    }
}

/// Reads the photo with the hand in a region, and perhaps a point.
fn read_within(
    photo: &RgbImage,
    corners: &[(f32, f32)],
    focus: Option<Point>,
) -> Result<Reading, ReadError> {
    let region = Polygon(corners.iter().map(|&(x, y)| Point::new(x, y)).collect());
    read_by(photo, ReadOptions { focus, region: Some(region), ..Book::shipped().usual().into() })
}

const UPPER: [(f32, f32); 4] = [(0.0, 0.0), (700.0, 0.0), (700.0, 350.0), (0.0, 350.0)];
const LOWER: [(f32, f32); 4] = [(0.0, 350.0), (0.0, 620.0), (700.0, 620.0), (700.0, 350.0)];

#[test]
fn only_tiles_in_the_region_are_the_hand() {
    let photo = both();
    for (region, expected) in [(UPPER, NEAR), (LOWER, FAR)] {
        let alone: Vec<PaintedTile> = moved_down(expected, 0.0).collect();
        let alone = read(&paint(SIZE.0, SIZE.1, &alone), None).expect("a photo");
        let reading = read_within(&photo, &region, None).expect("a photo");
        assert_eq!(describe(&reading.hand), describe(&alone.hand));
        assert_eq!(reading.in_region, Some(14));
        let others = reading.tiles.iter().filter(|tile| tile.role == Role::Ignored);
        let reasons: Vec<_> = others.map(|tile| tile.ignored).collect();
        assert_eq!(reasons, [Some(IgnoreReason::Elsewhere); 14]);
        assert_eq!(reading.hands_in_view.len(), 1, "no other hand in the region");
        // A focus outside the region selects the nearest tile inside.
        for point in [Point::new(30.0, 30.0), Point::new(30.0, 600.0)] {
            let pointed = read_within(&photo, &region, Some(point)).expect("a photo");
            assert_eq!(describe(&pointed.hand), describe(&alone.hand));
        }
    }
    let whole = [(0.0, 0.0), (700.0, 0.0), (700.0, 620.0), (0.0, 620.0)];
    let reading = read_within(&photo, &whole, None).expect("a photo");
    assert_eq!(describe(&reading.hand), describe(&read(&photo, None).expect("a photo").hand));
    assert_eq!(reading.hands_in_view.len(), 2);
}

#[test]
fn a_region_without_a_hand_is_no_hand() {
    for (region, expected) in [
        ([(0.0, 300.0), (700.0, 300.0), (700.0, 310.0)], "no tile lies in the region; 28 were"),
        ([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)], "no tile lies in the region; 28 were"),
    ] {
        let reading = read_within(&both(), &region, None).expect("a photo");
        assert_eq!((reading.status, reading.in_region), (Status::NoHand, Some(0)));
        let problem = tilesight_vision::contract::no_hand_problem(&reading);
        assert!(problem.detail.starts_with(expected), "{problem}");
    }
}

#[test]
fn a_hand_in_view_has_the_box_of_its_tiles() {
    let reading = read(&both(), None).expect("a photo");
    for hand in &reading.hands_in_view {
        let [left, top, right, bottom] = reading.bounds(&hand.tiles).expect("tiles");
        assert!(right <= SIZE.0 && bottom <= SIZE.1);
        let corner = |x: u32, y: u32| (x as f32, y as f32);
        let within =
            [corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom)];
        let again = read_within(&both(), &within, None).expect("a photo");
        let centres = |reading: &Reading, tiles: &[usize]| -> Vec<_> {
            let of = |&i: &usize| reading.tiles[i].seen.quad.centre();
            let mut all: Vec<_> =
                tiles.iter().map(of).map(|at| (at.x as i32, at.y as i32)).collect();
            all.sort_unstable();
            all
        };
        assert_eq!(
            centres(&again, &again.hands_in_view[0].tiles),
            centres(&reading, &hand.tiles),
            "the box as a region is that hand"
        );
    }
    assert_eq!(reading.bounds(&[]), None);
}

#[test]
fn one_hand_offers_no_choice() {
    let tiles: Vec<PaintedTile> = moved_down(NEAR, 0.0).collect();
    let alone = paint(SIZE.0, SIZE.1, &tiles);
    assert_eq!(read(&alone, None).expect("a photo").hands_in_view.len(), 1);
    // A focus beside the tiles selects the nearest hand.
    let beside = read(&alone, Some(Point::new(350.0, 600.0))).expect("a photo");
    assert_eq!(describe(&beside.hand), "1m 2m 3m 4p 5p 6p 7s 8s 9s C +C [EEE left]");
    let nothing = read(&RgbImage::new(64, 64), Some(Point::new(1.0, 1.0))).expect("a photo");
    assert!(nothing.hands_in_view.is_empty());
}

#[test]
fn a_point_outside_the_photo_is_rejected() {
    for (x, y) in [(700.5, 10.0), (10.0, 1000.0), (-1.0, 3.0), (f32::NAN, 3.0)] {
        let error = read(&both(), Some(Point::new(x, y))).expect_err("outside");
        assert!(matches!(error, ReadError::Outside(_)), "{error:?}");
        assert!(error.to_string().ends_with("700 pixels wide and 620 high"), "{error}");
    }
    assert!(read(&both(), Some(Point::new(700.0, 620.0))).is_ok(), "the corner is of the photo");
    let beyond = [(0.0, 0.0), (701.0, 0.0), (0.0, 620.0)];
    let problem = Problem::from(&read_within(&both(), &beyond, None).expect_err("outside"));
    assert_eq!(problem.errors[0].field, "region", "{problem}");
}

#[test]
fn a_focus_means_the_same_place_in_a_mirrored_photo() {
    let demo = image::open(concat!(
        concat!(env!("CARGO_MANIFEST_DIR"), "/../.."),
        "/datasets/samples/demo.jpg"
    ));
    let photo = flip_horizontal(&demo.expect("a photo").into_rgb8());
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(photo).write_to(&mut bytes, ImageFormat::Png).expect("encodes");
    let reader = common::reader();
    let read = |focus, region| {
        let options = ReadOptions { focus, region, ..Book::shipped().usual().into() };
        reader.read(bytes.get_ref(), &ContextSetup::default(), options).expect("a photo")
    };
    let reading = read(None, None);
    assert!(reading.mirrored);
    let focus = reading.hands_in_view[0].focus;
    let is_under = |reading: &Reading| {
        let found =
            reading.tiles.iter().position(|tile| (tile.seen.quad.centre() - focus).length() < 1.0);
        found.is_some_and(|at| reading.hands_in_view[0].tiles.contains(&at))
    };
    assert!(is_under(&reading), "where the photo shows the tile");
    let again = read(Some(focus), None);
    assert_eq!(describe(&again.hand), describe(&reading.hand));
    let [left, top, right, bottom] =
        reading.bounds(&reading.hands_in_view[0].tiles).expect("tiles").map(|at| at as f32);
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
    let region = Polygon(corners.map(|(x, y)| Point::new(x, y)).to_vec());
    let again = read(None, Some(region));
    assert_eq!(describe(&again.hand), describe(&reading.hand));
}
