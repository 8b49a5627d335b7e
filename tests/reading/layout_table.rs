//! Hands as they lie on tables and their readings, one case per line.
//!
//! The forms are those of the tables in layouts of the rule books: a gap or a turned tile for the
//! winning tile, a turned tile for the claimed one by the player it came from, backs and stacks for
//! kongs. Every case is read at several rotations and sizes.

use std::sync::Arc;

use tilesight_core::rules::{Book, Profile, RulesetId};
use tilesight_vision::decide::joint;
use tilesight_vision::geometry::Point;
use tilesight_vision::{Faces, IgnoreReason, SeenTile, layout};

use crate::common::{describe, line, moved, seen};

const CASES: &[(&str, &str, &str)] = &[
    (
        "one row, nothing apart",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C +?",
    ),
    (
        "winning tile after a gap",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C | C",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C +C",
    ),
    (
        "of two tiles that lie alone the farther one won",
        "1m 2m 3m 4p 6p 7s 8s 9s E E E C | C | | | | 5p",
        "1m 2m 3m 4p 6p 7s 8s 9s E E E C C +5p",
    ),
    (
        "winning tile turned at the end",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C_",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C +C",
    ),
    (
        "winning tile above the row",
        "1m 2m 3m 4p 5p 6p 7s ^3m 8s 9s E E C C",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E C C +3m",
    ),
    (
        "two rows",
        "1m 2m 3m 4p 5p 6p 7s / 8s 9s E E E C C",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C +?",
    ),
    (
        "claimed chow, from the left",
        "1m 2m 3m 4p 5p 6p E E E C | C | 8s_ 7s 9s",
        "1m 2m 3m 4p 5p 6p E E E C +C [7s8s9s 8s]",
    ),
    (
        "claimed pungs from left, across and right",
        "1m 2m 3m C | C | E_ E E | S S_ S | W W W_",
        "1m 2m 3m C +C [EEE left] [SSS across] [WWW right]",
    ),
    (
        "claimed kongs: second and third are both across",
        "1m 2m 3m C | C | E_ E E E | S S_ S S | W W W_ W",
        "1m 2m 3m C +C [EEEE left] [SSSS across] [WWWW across]",
    ),
    (
        "claimed kong from the right",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C | C | E E E E_",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C +C [EEEE right]",
    ),
    (
        "melds touch the row and each other",
        "1m 2m 3m C C E_ E E S S_ S W W W_",
        "1m 2m 3m C C +? [EEE left] [SSS across] [WWW right]",
    ),
    (
        "melds in front of the row",
        "1m 2m 3m 4m 5m 6m C | C / E_ E E | S S S_",
        "1m 2m 3m 4m 5m 6m C +C [EEE left] [SSS right]",
    ),
    (
        "a set apart with nothing turned is exposed",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C | C | E E E",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C +C [EEE]",
    ),
    (
        "concealed kong, outer tiles face down",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C | C | back E E back",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C +C (EEEE)",
    ),
    (
        "concealed kong, inner tiles face down",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C | C | E back back E",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C +C (EEEE)",
    ),
    (
        "added kong, the fourth above the turned tile",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C | C | E_ ^E_ E E",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C +C [EEEE added left]",
    ),
    (
        "added kong, the fourth beside the turned tile",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C | C | E E_ E_ E",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C +C [EEEE added across]",
    ),
    (
        "flowers apart",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C | C / f1 s3",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C +C f1 s3",
    ),
    (
        "flowers at the end of the row",
        "f1 s3 1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C +? f1 s3",
    ),
    (
        "a kong in the row that nobody set apart",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E E C C",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s C C +? (EEEE)",
    ),
    (
        "thirteen orphans",
        "1m 9m 1p 9p 1s 9s E S W N C F P | P",
        "1m 9m 1p 9p 1s 9s E S W N C F P +P",
    ),
    (
        "the white dragon that wins",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E P | P",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E P +P",
    ),
    (
        "claimed white dragons",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C | C | P P_ P",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C +C [PPP across]",
    ),
    (
        "what looks like a fourth white dragon before the row",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s P P P C C / P",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s C C P P P +?",
    ),
    (
        "what looks like a white dragon makes no fourteenth tile",
        "1m 2m 4m 4p 5p 7p 7s 8s 9s E E N C / P",
        "1m 2m 4m 4p 5p 7p 7s 8s 9s E E N C +?",
    ),
    (
        "twelve tiles stay twelve",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E +?",
    ),
];

/// Forms of rule sets that turn two tiles of a claimed kong.
const TWO_TURNED: &[(&str, &str, &str)] = &[
    (
        "claimed kongs from left, across and right",
        "1m 2m 3m C | C | E_ E_ E E | S S_ S_ S | W W W_ W_",
        "1m 2m 3m C +C [EEEE left] [SSSS across] [WWWW right]",
    ),
    (
        "claimed pungs turn one tile",
        "1m 2m 3m 4m 5m 6m C | C | E_ E E | S S S_",
        "1m 2m 3m 4m 5m 6m C +C [EEE left] [SSS right]",
    ),
];

#[test]
fn every_form_is_read_at_every_rotation() {
    check(CASES, Book::shipped().usual());
    check(TWO_TURNED, Book::shipped().get(RulesetId::MMM).expect("shipped"));
}

/// A claimed set thrown down so close to another one, and across it, that they touch.
#[test]
fn a_set_that_touches_another_and_lies_across_it_is_read_along_its_own_line() {
    let mut flat = seen("1m 2m 3m 4m 5m 6m C | C / E_ E E");
    let beside = Point::new(246.0, 106.0);
    let thrown = seen("8s_ 7s 9s").into_iter().map(|tile| {
        let quad = tile.quad.map(|p| Point::new(-p.y, p.x) + beside);
        SeenTile { quad, ..tile }
    });
    flat.extend(thrown);
    for degrees in [0.0, 90.0, 180.0, 33.0, 251.0] {
        let tiles = moved(&flat, degrees, 1.0);
        let decision =
            joint::decide(&tiles, &layout::lay_out(&tiles, Book::shipped().usual(), None));
        let best = decision.best.expect("a hand");
        assert_eq!(line(&best.setup), "1m 2m 3m 4m 5m 6m C +C [7s8s9s 8s] [EEE left]", "{degrees}");
    }
}

/// A claimed set of another player that lies nearer to the row than the winner's own, which nobody
/// turned, and that would complete the hand as well.
#[test]
fn a_set_before_another_players_row_is_not_the_winners() {
    let gaps = "| ".repeat(14);
    let mut flat = seen(&format!("4m 4m 6m 6m 6m 7m 7m 1s 1s 1s | 7m {gaps} 5s 6s 7s"));
    flat.extend(turned_to("2s 2s 2s_ | | 1p 2p 4p 7p 8p 9p 3m 9m E N", -90.0, (400.0, 0.0)));
    for degrees in [0.0, 90.0, 180.0, 33.0, 251.0] {
        let read = read_line(&moved(&flat, degrees, 1.0));
        assert_eq!(read, "4m 4m 6m 6m 6m 7m 7m 1s 1s 1s +7m [5s6s7s]", "{degrees}");
    }
}

/// A die that looks a little like a flower, beside the hand: dice are smaller than tiles.
#[test]
fn a_dim_flower_much_smaller_than_the_tiles_is_ignored() {
    let hand = "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C";
    for (score, smaller, flower) in [(0.5, 1.4, " f1"), (0.5, 1.7, ""), (0.9, 1.7, " f1")] {
        let mut tiles = seen(&format!("{hand} | | f1"));
        let die = tiles.last_mut().expect("the flower");
        let centre = die.quad.centre();
        die.quad = die.quad.map(|corner| centre + (corner - centre) * (1.0 / smaller));
        die.score = score;
        let expected = format!("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C +?{flower}");
        assert_eq!(read_line(&moved(&tiles, 33.0, 1.0)), expected, "{score}, {smaller}");
    }
}

/// Checks that a dealer's plate, which shows a wind and is larger than a tile, is no fifth tile of
/// the wind, wherever it lies; and that a fifth tile of the usual size stays, to be asked about.
#[test]
fn a_plate_with_a_wind_is_no_tile() {
    let hand = "1m 2m 3m 4p 5p 6p 7s 8s 9s C C E E E";
    for gap in ["", "|", "| |"] {
        for larger in [1.3, 1.5, 1.8] {
            let mut tiles = seen(&format!("{hand} {gap} E / / / / / | | | | | E"));
            let plate = tiles.len() - 2;
            let corner = tiles[plate].quad.0[0];
            tiles[plate].quad = tiles[plate].quad.map(|at| corner + (at - corner) * larger);
            let tiles = moved(&tiles, 33.0, 1.0);
            let layout = layout::lay_out(&tiles, Book::shipped().usual(), None);
            let why = layout.ignored.iter().find(|(i, _)| *i == plate).map(|(_, why)| *why);
            assert_eq!(why, Some(IgnoreReason::OtherSize), "{gap} {larger}");
            assert!(!layout.doubtful_tiles.contains(&plate), "{gap} {larger}");
            assert_eq!(read_line(&tiles), format!("{hand} +?").replace("C C E E E", "E E E C C"));
        }
    }
    let tiles = seen(&format!("{hand} | E / / / / / | | | | | E"));
    let layout = layout::lay_out(&tiles, Book::shipped().usual(), None);
    assert!(layout.ignored.iter().all(|(_, why)| *why != IgnoreReason::OtherSize));
}

/// Checks that a fifth tile of a kind completes no hand: a misread tile is not exchanged for one.
#[test]
fn five_tiles_of_a_kind_do_not_win() {
    // With two more 8m the row would be two pungs, a pair and a chow.
    let row = "6m 6m 6m 8m 8m 8m 8m 6m 2p 3p 4p 7s 7s 7s | | C C";
    let mut tiles = seen(row);
    let doubtful = |tile: &mut SeenTile, other: &str| {
        let face = tile.faces.best();
        tile.faces = Faces::from_weights([(face, 0.6), (other.parse().ok(), 0.4)]);
    };
    doubtful(&mut tiles[7], "8m");
    let layout = layout::lay_out(&tiles, Book::shipped().usual(), None);
    let used: usize = layout.groups.iter().map(|group| group.tiles.len()).sum();
    assert_eq!(used, 16, "both kongs and the pair: {:?}", layout.groups);
}

/// Checks that a point on a wall of backs means the hand near it.
#[test]
fn a_point_beside_a_wall_means_the_hand_near_it() {
    let hand = "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C";
    let wall = "back ".repeat(14);
    let tiles = seen(&format!("{hand} / / / {wall}"));
    for pointed in 14..28 {
        let focus = tiles[pointed].quad.centre();
        let layout = layout::lay_out(&tiles, Book::shipped().usual(), Some(focus));
        let best = joint::decide(&tiles, &layout).best.map(|best| line(&best.setup));
        assert_eq!(best, Some(format!("{hand} +?")), "{pointed}");
    }
}

/// Two white dragons apart that complete the hand, and two that may be backs.
#[test]
fn white_dragons_whose_frames_show_complete_a_hand_from_afar() {
    let gaps = "| ".repeat(5);
    let hand = "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E";
    for (p, dragons) in [(0.99, " P +P"), (0.9, " +?")] {
        let mut tiles = seen(&format!("{hand} {gaps} P | | P"));
        let is_dragon = |tile: &&mut SeenTile| tile.faces.best() == "P".parse().ok();
        for dragon in tiles.iter_mut().filter(is_dragon) {
            dragon.faces = Faces::from_weights(
                [("P", p), ("back", 1.0 - p)].map(|(code, p)| (code.parse().ok(), p)),
            );
        }
        let read = read_line(&moved(&tiles, 33.0, 1.0));
        assert_eq!(read, format!("{hand}{dragons}"), "{p}");
    }
}

/// Returns the tiles of a player at another side of the table.
fn turned_to(scene: &str, degrees: f32, (x, y): (f32, f32)) -> Vec<SeenTile> {
    // `moved` puts the origin at (500, 500).
    let aside = Point::new(x - 500.0, y - 500.0);
    let shifted = |tile: SeenTile| SeenTile { quad: tile.quad.map(|p| p + aside), ..tile };
    moved(&seen(scene), degrees, 1.0).into_iter().map(shifted).collect()
}

fn read_line(tiles: &[SeenTile]) -> String {
    let layout = layout::lay_out(tiles, Book::shipped().usual(), None);
    joint::decide(tiles, &layout).best.map_or("nothing".to_owned(), |best| line(&best.setup))
}

fn check(cases: &[(&str, &str, &str)], ruleset: &Arc<Profile>) {
    let mut failures = Vec::new();
    for (what, scene, expected) in cases {
        let flat = seen(scene);
        for (degrees, scale) in [(0.0, 1.0), (90.0, 1.0), (180.0, 2.0), (33.0, 0.7), (251.0, 1.3)] {
            let tiles = moved(&flat, degrees, scale);
            let layout = layout::lay_out(&tiles, ruleset, None);
            let decision = joint::decide(&tiles, &layout);
            let read = decision.best.map_or("nothing".to_owned(), |best| describe(&best.setup));
            if read != *expected {
                failures.push(format!("{what} at {degrees}: {read}\n    expected {expected}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
