//! Scenes for tests, written as one line: tiles as they lie, and the faces that they show.
//!
//! `1m 2m 3m | E_ E E / f1` is a row of three, a gap, a set whose first tile lies sideways, and a
//! flower in a second row. `^E` lies above the tile before it. Codes are those of the contract.
#![allow(dead_code)] // Each test file uses its own part of this.

use tilesight_core::hand::HandSetup;
use tilesight_core::meld::{KongKind, Meld, Relation};
use tilesight_core::tile::Face;
use tilesight_vision::geometry::{Point, Quad};
use tilesight_vision::networks::fake::PaintedTile;
use tilesight_vision::{Faces, ModelPaths, Reader, SeenTile};

/// Returns a reader with the committed networks. Without them or the library the test fails, and
/// prints the command to run.
pub(crate) fn reader() -> Reader {
    Reader::load(&ModelPaths::from_environment()).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) const WIDTH: f32 = 30.0;
pub(crate) const HEIGHT: f32 = 40.0;
/// Distance between the faces of touching tiles, and width of the gap for `|` in a scene.
const SEAM: f32 = 1.5;
const GAP: f32 = 24.0;

/// Returns the tiles as they lie: each outline with the face's own top left corner first, and its
/// face.
pub(crate) fn placed(scene: &str) -> Vec<PaintedTile> {
    let mut tiles: Vec<PaintedTile> = Vec::new();
    let (mut x, mut y) = (20.0, 80.0);
    for token in scene.split_whitespace() {
        match token {
            "|" => x += GAP,
            "/" => (x, y) = (20.0, y + HEIGHT + 4.0 * SEAM),
            _ => {
                let (token, above) = token.strip_prefix('^').map_or((token, false), |t| (t, true));
                let (code, sideways) =
                    token.strip_suffix('_').map_or((token, false), |code| (code, true));
                let face: Face = code.parse().expect(token);
                let (w, h) = if sideways { (HEIGHT, WIDTH) } else { (WIDTH, HEIGHT) };
                let quad = if above {
                    let below = tiles.last().expect("a tile to lie above").quad;
                    let (left, _) = below.span(Point::new(1.0, 0.0));
                    let (top, _) = below.span(Point::new(0.0, 1.0));
                    Quad::rectangle(left, top - SEAM - h, w, h)
                } else {
                    // Tiles of a row have one baseline, whichever way they lie.
                    let quad = Quad::rectangle(x, y + HEIGHT - h, w, h);
                    x += w + SEAM;
                    quad
                };
                // A claimed tile is turned counter-clockwise: its own top left is the lower left.
                tiles.push(PaintedTile { quad: quad.rotated(if sideways { 3 } else { 0 }), face });
            }
        }
    }
    tiles
}

/// Returns the tiles that a perfect detector and classifier would see in a scene.
pub(crate) fn seen(scene: &str) -> Vec<SeenTile> {
    placed(scene).iter().map(|tile| see(tile, Faces::certain(tile.face))).collect()
}

/// Returns a seen tile with probabilities for its face.
pub(crate) fn see(tile: &PaintedTile, faces: Faces) -> SeenTile {
    let quad = tile.quad.upright();
    let turn = (0..4).find(|&k| quad.rotated(k) == tile.quad).expect("the same corners");
    // The outline starts `turn` corners before the face's own top left.
    let mut turns = [0.0; 4];
    turns[turn] = 1.0;
    if tile.face == Face::Back {
        turns = [0.25; 4];
    }
    SeenTile { quad, score: 0.9, inside: 1.0, faces, turns, red: 0.0, likeness: None }
}

/// Returns tiles turned about the origin, scaled and moved.
pub(crate) fn moved(tiles: &[SeenTile], degrees: f32, scale: f32) -> Vec<SeenTile> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let turn = |p: Point| {
        Point::new(p.x * cos - p.y * sin, p.x * sin + p.y * cos) * scale + Point::new(500.0, 500.0)
    };
    tiles.iter().map(|tile| SeenTile { quad: tile.quad.map(turn), ..tile.clone() }).collect()
}

/// Formats a hand in one line: sorted concealed tiles, `+` the winning tile, melds, flowers.
pub(crate) fn describe(setup: &HandSetup) -> String {
    let mut concealed = setup.concealed.clone();
    concealed.sort();
    let mut parts: Vec<String> = concealed.iter().map(ToString::to_string).collect();
    parts.push(format!("+{}", setup.winning.map_or("?".to_owned(), |tile| tile.to_string())));
    parts.extend(setup.melds.iter().map(meld));
    parts.extend(setup.flowers.iter().map(|flower| flower.to_string()));
    parts.extend((0..setup.flowers.unnamed_count()).map(|_| "f?".to_owned()));
    parts.join(" ")
}

/// Like [`describe`], but with sorted melds: their order is that of reading, by which hands do not
/// differ.
pub(crate) fn line(setup: &HandSetup) -> String {
    let mut sorted = setup.clone();
    sorted.melds.sort();
    describe(&sorted)
}

fn meld(meld: &Meld) -> String {
    let tiles: String = meld.tiles().map(|tile| tile.to_string()).collect();
    let from = meld.from().map_or("", |from| match from {
        Relation::Left => " left",
        Relation::Across => " across",
        Relation::Right => " right",
    });
    match meld {
        Meld::Kong { kind: KongKind::Concealed, .. } => format!("({tiles})"),
        Meld::Kong { kind: KongKind::Added { .. }, .. } => format!("[{tiles} added{from}]"),
        Meld::Chow(chow) => {
            let claimed = chow.claimed_tile().map_or(String::new(), |tile| format!(" {tile}"));
            format!("[{tiles}{claimed}]")
        }
        _ => format!("[{tiles}{from}]"),
    }
}
