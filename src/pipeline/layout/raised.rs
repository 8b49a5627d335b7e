//! Tiles that lie on another: the fourth tile of an added kong on the middle one of its pung.
//!
//! Input: the hand's tiles as seen from straight above the table. Output: every tile that may lie on a hidden
//! one, with the two beside it. A tile that lies higher is nearer to the camera: it shows larger than its neighbours,
//! and away from its place between them, the more the flatter the camera looks. Invariant: a raised tile may be of
//! the same kind as both its neighbours, and its place between them is empty.

use serde::Serialize;

use super::super::classify::SeenTile;
use super::super::geometry::Point;
use super::super::geometry::rows::Item;
use super::options::may_be_one_kind;

/// A tile that may lie on another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Raised {
    /// The tile.
    pub tile: usize,
    /// The tile before and the tile after it in its set.
    pub between: (usize, usize),
    /// How probable it is that a tile lies beneath it.
    pub p: f32,
}

/// Below this nobody is asked whether a tile lies beneath.
const LEAST: f32 = 0.05;

/// A raised tile is as likely as not when it lies this many widths off its place at the size of its neighbours,
/// and surely raised a third further. Tiles on the table lie within 0.1 widths of their places; one of the usual thickness of
/// three quarters of a width shows 0.2 widths off from 75 degrees above the table, and 0.75 from 45.
const OFF: f32 = 0.3;
const OFF_SPREAD: f32 = 0.08;

/// Corners give a tile's size to 2 %; a raised tile shows larger by 3 to 7 %.
const LARGER: f32 = 1.03;
const LARGER_SPREAD: f32 = 0.04;

/// A tile further off its place than this is not of that set: from 35 degrees a raised one is off by this much.
const FARTHEST: f32 = 1.1;

/// How far from the expected one the distance of the outer two may be, in widths.
const SLACK: f32 = 0.35;

/// A sideways tile that stands on the line of the others has its middle this much lower.
const LOWER: f32 = 0.17;

/// Finds the raised tiles among those of a hand.
pub(super) fn raised(
    tiles: &[SeenTile],
    items: &[Item],
    hand: &[usize],
    sideways: &[bool],
) -> Vec<Raised> {
    let mut found: Vec<Raised> = Vec::new();
    for &tile in hand {
        let best = pairs(hand, tile)
            .filter(|&(a, b)| are_near(items, tile, a, b))
            .filter_map(|pair| Some((pair, probability(items, hand, sideways, tile, pair)?)))
            .filter(|&((a, b), _)| may_be_one_kind(tiles, &[a, tile, b]))
            .max_by(|x, y| x.1.total_cmp(&y.1));
        if let Some((between, p)) = best.filter(|&(_, p)| p >= LEAST) {
            found.push(Raised { tile, between, p });
        }
    }
    // A tile beside a raised one is not raised itself.
    found.sort_by(|a, b| b.p.total_cmp(&a.p));
    let mut kept: Vec<Raised> = Vec::new();
    for one in found {
        let parts = |raised: &Raised| [raised.tile, raised.between.0, raised.between.1];
        if !kept.iter().any(|other| parts(other).iter().any(|part| parts(&one).contains(part))) {
            kept.push(one);
        }
    }
    kept
}

fn pairs(hand: &[usize], tile: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let others = move || hand.iter().copied().filter(move |&other| other != tile);
    others().flat_map(move |a| others().filter(move |&b| b > a).map(move |b| (a, b)))
}

/// A cheap test that leaves few pairs to measure.
fn are_near(items: &[Item], tile: usize, a: usize, b: usize) -> bool {
    let (at, unit) = (items[tile].quad.centre(), items[tile].quad.short_side());
    let far = |other: usize| (items[other].quad.centre() - at).length() > 2.2 * unit;
    !far(a) && !far(b)
}

/// How probable it is that a tile lies raised between two others.
fn probability(
    items: &[Item],
    hand: &[usize],
    sideways: &[bool],
    tile: usize,
    (a, b): (usize, usize),
) -> Option<f32> {
    let quad = |i: usize| &items[i].quad;
    let way = quad(b).centre() - quad(a).centre();
    let (distance, along) = (way.length(), way.unit());
    let unit = (quad(a).short_side() + quad(b).short_side()) / 2.0;
    let half = |i: usize| {
        let (low, high) = quad(i).span(along);
        (high - low) / 2.0
    };
    let free = distance - half(a) - half(b);
    if (free - 2.0 * half(tile)).abs() > SLACK * unit {
        return None;
    }
    // The two lie in one line, that is, along the edges of each other.
    let edge = |i: usize| [quad(i).across().unit(), quad(i).down().unit()];
    let aligned = |i: usize| edge(i).iter().any(|side| side.cross(along).abs() < 0.25);
    let place = quad(a).centre() + along * (half(a) + free / 2.0);
    let taken =
        |&other: &usize| other != tile && (quad(other).centre() - place).length() < 0.5 * unit;
    if !aligned(a) || !aligned(b) || hand.iter().any(taken) {
        return None;
    }
    let off = (quad(tile).centre() - place) * (1.0 / unit);
    let off = off_place(off, along, [a, b, tile].map(|i| sideways[i]));
    if off > FARTHEST {
        return None;
    }
    let larger = quad(tile).scale() / ((quad(a).scale() + quad(b).scale()) / 2.0);
    let evidence = (off - OFF) / OFF_SPREAD + (larger - LARGER) / LARGER_SPREAD;
    Some(1.0 / (1.0 + (-evidence).exp()))
}

/// How far a tile is from its place; a sideways tile in the set may lower its middle or that of its neighbours.
fn off_place(off: Point, along: Point, sideways: [bool; 3]) -> f32 {
    let aside = off.cross(along).abs();
    let lowered = if sideways.contains(&true) { LOWER } else { 0.0 };
    off.dot(along).hypot((aside - lowered).max(0.0))
}
