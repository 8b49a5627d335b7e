//! Sorts the hand's tiles into rows and groups, and finds those that lie sideways.
//!
//! Input: the chosen tiles. Output: groups in reading order, the topmost row first. Invariant:
//! groups are parted by gaps, and a tile is sideways only against the others of the hand.

use serde::Serialize;

use super::super::classify::{SeenTile, Sort};
use super::super::geometry::median;
use super::super::geometry::rows::{Frame, Item, Row, rows};
use super::plan::is_bonus;
use super::raised::{Raised, raised};

/// Tiles side by side without a gap.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// The row it lies in, counted from the top.
    pub row: usize,
    /// Its tiles in reading order.
    pub tiles: Vec<usize>,
    /// A tile that lies above or on top of this group, with its place along the group.
    pub above: Option<Above>,
    /// A tile of this group that may lie on another one.
    pub raised: Option<Raised>,
}

/// A single tile above a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Above {
    /// The tile.
    pub tile: usize,
    /// The place in the group of the tile that is nearest to it.
    pub over: usize,
}

/// The hand in groups.
pub(super) struct Arrangement {
    pub(super) groups: Vec<Group>,
    pub(super) sideways: Vec<bool>,
    /// For every seen tile: by how many quarters its face is turned against its outline.
    pub(super) tops: Vec<usize>,
    pub(super) flower_gaps: Vec<(usize, usize)>,
}

/// A gap is a separation when it exceeds the usual gap between neighbours by this many tile
/// widths. Neighbours that touch differ by 0.1 (corner noise of 0.07 on each side); sets and
/// winning tiles are set apart by 0.4 and more.
const SEPARATION: f32 = 0.3;

/// Arranges the tiles of the hand.
pub(super) fn arrange(tiles: &[SeenTile], items: &[Item], hand: &[usize]) -> Arrangement {
    let chosen: Vec<Item> = hand.iter().map(|&i| items[i]).collect();
    let frame = Frame::of(&chosen);
    let sideways = sideways(tiles, hand, &frame);
    let tops = tops(tiles, &frame, &sideways);
    let (raised, rows) = lines(tiles, items, hand, &sideways, &frame);
    let usual = median(rows.iter().flat_map(|row| row.gaps.iter().copied())).unwrap_or(0.0);
    let split = |(r, row): (usize, &Row)| split(r, row, usual, &raised);
    let groups = rows.iter().enumerate().flat_map(split).collect();
    let flower_gaps = flower_gaps(tiles, &rows);
    Arrangement { groups: lift(groups, items, &frame), sideways, tops, flower_gaps }
}

/// How wide a gap is, in widths, that a tile which was not seen leaves between two flowers.
const ONE_TILE: std::ops::Range<f32> = 0.75..1.5;

/// Neighbours in rows of flowers that have room for another between them.
fn flower_gaps(tiles: &[SeenTile], rows: &[Row]) -> Vec<(usize, usize)> {
    let is_flower = |i: &usize| is_bonus(&tiles[*i]);
    let pairs = |row: &Row| -> Vec<(usize, usize)> {
        let gaps = row.items.windows(2).zip(&row.gaps);
        gaps.filter(|(_, gap)| ONE_TILE.contains(*gap))
            .map(|(pair, _)| (pair[0], pair[1]))
            .collect()
    };
    rows.iter().flat_map(pairs).filter(|(a, b)| is_flower(a) && is_flower(b)).collect()
}

/// The rows of the tiles that lie on the table, and the raised tiles between neighbours of one row.
fn lines(
    tiles: &[SeenTile],
    items: &[Item],
    hand: &[usize],
    sideways: &[bool],
    frame: &Frame,
) -> (Vec<Raised>, Vec<Row>) {
    let without = |raised: &[Raised]| {
        let is_raised = |i: &usize| raised.iter().any(|one| one.tile == *i);
        let lying: Vec<usize> = hand.iter().copied().filter(|i| !is_raised(i)).collect();
        rows(items, &lying, frame)
    };
    let mut raised = raised(tiles, items, hand, sideways);
    let lines = without(&raised);
    let before = raised.len();
    raised.retain(|one| {
        lines.iter().any(|row| row.items.windows(2).any(|pair| is_between(one, pair)))
    });
    let lines = if raised.len() < before { without(&raised) } else { lines };
    (raised, lines)
}

/// Whether a raised tile belongs between two neighbours.
fn is_between(raised: &Raised, pair: &[usize]) -> bool {
    let (a, b) = raised.between;
    pair == [a, b] || pair == [b, a]
}

/// Splits a row at its gaps, and puts raised tiles in their places.
fn split(r: usize, row: &Row, usual: f32, raised: &[Raised]) -> Vec<Group> {
    // Overlapping neighbours must not make every ordinary gap look wide.
    let limit = usual.max(0.0) + SEPARATION;
    let group = |tiles| Group { row: r, tiles, above: None, raised: None };
    let mut groups = vec![group(vec![row.items[0]])];
    for (pair, &gap) in row.items.windows(2).zip(&row.gaps) {
        let between = raised.iter().find(|one| is_between(one, pair));
        if between.is_none() && gap > limit {
            groups.push(group(Vec::new()));
        }
        let last = groups.last_mut().expect("a row starts with a group");
        last.tiles.extend(between.map(|one| one.tile));
        last.tiles.push(pair[1]);
        last.raised = last.raised.or(between.copied());
    }
    groups
}

/// The share of a tile's length that its width is: the ratio of extents changes by its inverse
/// square when the tile is turned sideways.
const WIDTH_OF_LENGTH: f32 = 0.75;

/// Which tiles lie across the others: by the sides of their outlines against those of the upright
/// majority, and by where the classifier sees their tops.
fn sideways(tiles: &[SeenTile], hand: &[usize], frame: &Frame) -> Vec<bool> {
    let ratio = |i: usize| {
        let (along, aside) = frame.extents(&tiles[i].quad);
        (along / aside.max(1.0)).ln()
    };
    let by_top = |i: usize| top_is_across(&tiles[i], frame);
    let upright = hand.iter().copied().filter(|&i| by_top(i) < 0.5).map(ratio);
    let usual = median(upright).or_else(|| median(hand.iter().copied().map(ratio))).unwrap_or(0.0);
    let step = -2.0 * WIDTH_OF_LENGTH.ln();
    let mut sideways = vec![false; tiles.len()];
    for &i in hand {
        let by_sides = ((ratio(i) - usual) / step).clamp(0.0, 1.0);
        // Backs have no top: only their sides speak.
        let is_back = tiles[i].faces.sort().0 == Sort::Back;
        let by_top = if is_back { by_sides } else { by_top(i) };
        sideways[i] = by_sides + by_top > 1.0;
    }
    sideways
}

/// The probability that a tile's top points along the row instead of up or down.
fn top_is_across(tile: &SeenTile, frame: &Frame) -> f32 {
    (0..4)
        .filter(|&turn| {
            let up = tile.up(turn);
            up.dot(frame.across).abs() > up.dot(frame.down).abs()
        })
        .map(|turn| tile.turns[turn])
        .sum()
}

/// The likeliest turn of each tile among those that agree with its lying upright or sideways.
fn tops(tiles: &[SeenTile], frame: &Frame, sideways: &[bool]) -> Vec<usize> {
    let top = |(tile, &sideways): (&SeenTile, &bool)| {
        let fits = |turn: &usize| {
            let up = tile.up(*turn);
            (up.dot(frame.across).abs() > up.dot(frame.down).abs()) == sideways
        };
        let likeliest = |a: &usize, b: &usize| tile.turns[*a].total_cmp(&tile.turns[*b]);
        (0..4).filter(fits).max_by(likeliest).unwrap_or(0)
    };
    tiles.iter().zip(sideways).map(top).collect()
}

/// Attaches a single tile that lies directly above a group to that group.
fn lift(mut groups: Vec<Group>, items: &[Item], frame: &Frame) -> Vec<Group> {
    let mut n = 0;
    while n < groups.len() {
        match groups[n].tiles[..] {
            [tile] if groups.len() > 1 => match supporter(&groups, n, tile, items, frame) {
                Some((g, over)) => {
                    groups[g].above = Some(Above { tile, over });
                    groups.remove(n);
                }
                None => n += 1,
            },
            _ => n += 1,
        }
    }
    groups
}

/// The group, and the place in it, that a single tile lies above: its foot touches or covers the
/// top of a tile there. Distance is measured from the tile's centre to the other's, at most one
/// tile's length down and half a tile's length aside.
fn supporter(
    groups: &[Group],
    single: usize,
    tile: usize,
    items: &[Item],
    frame: &Frame,
) -> Option<(usize, usize)> {
    let quad = &items[tile].quad;
    let length = quad.down().length();
    groups
        .iter()
        .enumerate()
        .filter(|(g, group)| *g != single && group.tiles.len() > 1 && group.above.is_none())
        .flat_map(|(g, group)| group.tiles.iter().enumerate().map(move |(at, &i)| (g, at, i)))
        .filter_map(|(g, at, other)| {
            let between = items[other].quad.centre() - quad.centre();
            let (below, aside) = (between.dot(frame.down), between.dot(frame.across).abs());
            let touches = quad.distance(&items[other].quad) < 0.2 * length;
            let is_over = touches && below > 0.25 * length && below < 1.2 * length;
            (is_over && aside < 0.5 * length).then_some((g, at, aside))
        })
        .min_by(|a, b| a.2.total_cmp(&b.2))
        .map(|(g, at, _)| (g, at))
}
