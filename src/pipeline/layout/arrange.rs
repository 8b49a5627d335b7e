//! Sorts the hand's tiles into rows and groups, and finds those that lie sideways.
//!
//! Input: the chosen tiles. Output: groups in reading order, the topmost row first. Invariant:
//! groups are parted by gaps, and a tile is sideways only against the others of the hand.

use serde::Serialize;

use super::super::classify::{SeenTile, Sort};
use super::super::geometry::rows::{Frame, Item, Row, TOUCHING, linked, rows};
use super::super::geometry::{Point, Quad, edge_angle_between, median};
use super::mend::{are_level, mend};
use super::options::may_be_set;
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
    let heaps = heaps(tiles, items, hand);
    let mut frames = vec![None; tiles.len()];
    for heap in &heaps {
        heap.tiles.iter().for_each(|&i| frames[i] = Some(heap.frame));
    }
    let sideways = sideways(tiles, hand, &frames);
    let tops = tops(tiles, &frames, &sideways);
    let (mut groups, mut all_rows) = (Vec::new(), Vec::new());
    let lines: Vec<_> = heaps
        .iter()
        .map(|heap| (heap, lines(tiles, items, &heap.tiles, &sideways, &heap.frame)))
        .collect();
    let gaps = lines.iter().flat_map(|(_, (_, rows))| rows).flat_map(|row| row.gaps.iter());
    let usual = median(gaps.copied()).unwrap_or(0.0);
    for (heap, (raised, rows)) in lines {
        let first = all_rows.len();
        let split = |(r, row): (usize, &Row)| split(first + r, row, usual, &raised);
        let parts = rows.iter().enumerate().flat_map(split).collect();
        groups.extend(lift(mended(tiles, items, parts, &heap.frame), items, &heap.frame));
        all_rows.extend(rows);
    }
    Arrangement { groups, sideways, tops, flower_gaps: flower_gaps(tiles, &all_rows) }
}

/// Tiles of the hand that lie near each other, and the directions that they share.
struct Heap {
    tiles: Vec<usize>,
    frame: Frame,
}

/// Tiles within this many widths of each other lie in one heap. Rows of a hand lie within one width of each other, sets
/// that are scattered before it too; further off nothing says that they share a line.
const NEAR: f32 = 1.5;

/// And within this angle: sets that are thrown down or pushed to the table's side have directions of their own.
const ALIGNED: f32 = 0.4;

/// Two runs of tiles lie across each other where the cosine of twice the angle between their lines is less: at sixty degrees.
const CROSSED: f32 = -0.5;

/// Tiles that touch each other, and where most of their tops and bottoms are: a vector of twice the angle, as long as they
/// agree.
struct Run {
    tiles: Vec<usize>,
    axis: Point,
}

impl Run {
    fn of(items: &[Item], tiles: Vec<usize>) -> Run {
        let axis = tiles.iter().fold(Point::default(), |sum, &i| {
            let top = items[i].top;
            let length = top.length().max(f32::MIN_POSITIVE);
            let double = Point::new(top.x * top.x - top.y * top.y, 2.0 * top.x * top.y);
            sum + double * (1.0 / length)
        });
        Run { tiles, axis }
    }

    /// Whether most of its tiles lie one way, as two of the three of a set do: of a kong of which two are turned nobody can say.
    fn agrees(&self) -> bool {
        5.0 * self.axis.length() > self.tiles.len() as f32
    }

    /// Whether tiles of both are near enough to share a line, and lie the same way.
    fn shares_line(&self, other: &Run, items: &[Item]) -> bool {
        let (a, b) = (self.axis, other.axis);
        let is_known = self.agrees() && other.agrees();
        if is_known && a.dot(b) < CROSSED * a.length() * b.length() {
            return false;
        }
        let mut pairs = self.tiles.iter().flat_map(|&i| other.tiles.iter().map(move |&j| (i, j)));
        pairs.any(|(i, j)| are_near(&items[i].quad, &items[j].quad, NEAR))
    }
}

/// Whether two tiles lie within so many widths of each other, in nearly the same or crossed directions.
fn are_near(p: &Quad, q: &Quad, widths: f32) -> bool {
    edge_angle_between(p, q) <= ALIGNED && p.gap(q, widths) < widths
}

/// Parts the hand into heaps, in reading order of the largest one, whose top the others share where they lie as it does.
fn heaps(tiles: &[SeenTile], items: &[Item], hand: &[usize]) -> Vec<Heap> {
    // Tiles that touch share a line even where one lies across the other; what does not touch only if it lies the same way:
    // a set may lie near another one, across it.
    let touching = linked(hand, |a, b| are_near(&items[a].quad, &items[b].quad, TOUCHING));
    let runs: Vec<Run> = touching.into_iter().map(|tiles| Run::of(items, tiles)).collect();
    let all: Vec<usize> = (0..runs.len()).collect();
    let parts = linked(&all, |a, b| runs[a].shares_line(&runs[b], items));
    let tiles_of = |part: &Vec<usize>| -> Vec<usize> {
        part.iter().flat_map(|&run| runs[run].tiles.iter().copied()).collect()
    };
    let parts: Vec<Vec<usize>> =
        parts.iter().flat_map(|part| without_crossed(tiles, items, tiles_of(part))).collect();
    let chosen = |part: &[usize]| -> Vec<Item> { part.iter().map(|&i| items[i]).collect() };
    let Some(largest) = parts.iter().max_by_key(|part| part.len()) else { return Vec::new() };
    let elsewhere: Vec<usize> = hand.iter().copied().filter(|i| !largest.contains(i)).collect();
    let main = Frame::with_votes(&chosen(largest), |across| facing(items, &elsewhere, across));
    // A tile alone has no line of its own.
    let frame = |part: &[usize]| match part {
        [_] => main,
        _ => Frame::like(&chosen(part), &main),
    };
    let mut heaps: Vec<Heap> =
        parts.iter().map(|part| Heap { frame: frame(part), tiles: part.clone() }).collect();
    in_reading_order(items, &mut heaps, &main);
    heaps
}

/// A part, and the sets in it that lie across it as parts of their own.
fn without_crossed(
    tiles: &[SeenTile],
    items: &[Item],
    mut part: Vec<usize>,
) -> impl Iterator<Item = Vec<usize>> {
    let mut sets = Vec::new();
    while let Some(set) = crossed_set(tiles, items, &part) {
        part.retain(|i| !set.contains(i));
        sets.push(set);
    }
    std::iter::once(part).chain(sets)
}

/// Three tiles that are a set in a line of their own, which lies across that of the others, and of which one at the most has a
/// neighbour in those: a set thrown down so close to another one. Tiles that lie across in sets above each other have theirs.
fn crossed_set(tiles: &[SeenTile], items: &[Item], part: &[usize]) -> Option<Vec<usize>> {
    if part.len() < 6 {
        return None;
    }
    let frame = Frame::of(&part.iter().map(|&i| items[i]).collect::<Vec<_>>());
    let lies_across = |i: &usize| frame.runs_across(items[*i].top);
    let are_neighbours = |a: usize, b: usize| {
        let (p, q) = (&items[a].quad, &items[b].quad);
        let below = (q.centre() - p.centre()).dot(frame.down).abs();
        below < p.short_side() / 2.0 && are_near(p, q, TOUCHING)
    };
    let across: Vec<usize> = part.iter().copied().filter(lies_across).collect();
    let pairs =
        across.iter().enumerate().flat_map(|(n, &a)| across[..n].iter().map(move |&b| (a, b)));
    let with_third = |(a, b): (usize, usize)| {
        let others = part.iter().copied().filter(move |&c| c != a && c != b);
        others.map(move |c| [a, b, c])
    };
    let is_crossed = |set: &[usize; 3]| {
        let others = || part.iter().filter(|other| !set.contains(other));
        let has_neighbour = |i: &&usize| others().any(|&other| are_neighbours(**i, other));
        set.iter().filter(has_neighbour).count() <= 1
            && are_level(items, set, frame.across).is_some()
            && may_be_set(tiles, set)
    };
    pairs.flat_map(with_third).find(is_crossed).map(|set| set.to_vec())
}

/// How much a tile elsewhere in the hand says of the way that the largest heap faces, against one of that heap.
const ELSEWHERE: f32 = 0.5;

/// What tiles that lie apart say for a reading direction: all of a hand faces its player.
fn facing(items: &[Item], apart: &[usize], across: Point) -> f32 {
    let up = across.quarter_turn() * -1.0;
    ELSEWHERE * apart.iter().map(|&i| items[i].lopsided * items[i].top.dot(up)).sum::<f32>()
}

/// Sorts heaps from the top to the bottom, and those side by side from the left to the right: the middles of two that lie
/// side by side are less than half a tile's length apart.
fn in_reading_order(items: &[Item], heaps: &mut [Heap], main: &Frame) {
    let middle = |heap: &Heap, way: Point| {
        median(heap.tiles.iter().map(|&i| items[i].quad.centre().dot(way))).unwrap_or(0.0)
    };
    let all = || heaps.iter().flat_map(|heap| heap.tiles.iter());
    let length = median(all().map(|&i| items[i].quad.down().length())).unwrap_or(1.0);
    heaps.sort_by(|a, b| middle(a, main.down).total_cmp(&middle(b, main.down)));
    let mut from = 0;
    while from < heaps.len() {
        let top = middle(&heaps[from], main.down);
        let beside = |heap: &&Heap| middle(heap, main.down) - top < length / 2.0;
        let to = from + heaps[from..].iter().take_while(beside).count();
        heaps[from..to].sort_by(|a, b| middle(a, main.across).total_cmp(&middle(b, main.across)));
        from = to;
    }
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
fn sideways(tiles: &[SeenTile], hand: &[usize], frames: &[Option<Frame>]) -> Vec<bool> {
    let ratio = |i: usize| {
        let (along, aside) = frames[i].map_or((1.0, 1.0), |frame| frame.extents(&tiles[i].quad));
        (along / aside.max(1.0)).ln()
    };
    let by_top = |i: usize| frames[i].map_or(0.0, |frame| top_is_across(&tiles[i], &frame));
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
    (0..4).filter(|&turn| frame.runs_across(tile.up(turn))).map(|turn| tile.turns[turn]).sum()
}

/// The likeliest turn of each tile among those that agree with its lying upright or sideways.
fn tops(tiles: &[SeenTile], frames: &[Option<Frame>], sideways: &[bool]) -> Vec<usize> {
    let top = |((tile, &sideways), frame): ((&SeenTile, &bool), &Option<Frame>)| {
        let fits =
            |turn: &usize| frame.is_none_or(|frame| frame.runs_across(tile.up(*turn)) == sideways);
        let likeliest = |a: &usize, b: &usize| tile.turns[*a].total_cmp(&tile.turns[*b]);
        (0..4).filter(fits).max_by(likeliest).unwrap_or(0)
    };
    tiles.iter().zip(sideways).zip(frames).map(top).collect()
}

/// The groups with the turned tiles of sets that slipped out of line back in their places.
fn mended(tiles: &[SeenTile], items: &[Item], groups: Vec<Group>, frame: &Frame) -> Vec<Group> {
    let (mut kept, small): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(|group| {
        group.tiles.len() > 3 || group.raised.is_some() || group.above.is_some()
    });
    let runs = mend(tiles, items, small.iter().map(|group| group.tiles.clone()).collect());
    let at = |i: usize| items[i].quad.centre().dot(frame.across);
    for mut run in runs {
        let same = small.iter().position(|group| group.tiles == run);
        let from = same.or_else(|| small.iter().position(|group| group.tiles.contains(&run[0])));
        if same.is_none() {
            run.sort_by(|&a, &b| at(a).total_cmp(&at(b)));
        }
        let row = from.map_or(0, |from| small[from].row);
        kept.push(Group { row, tiles: run, above: None, raised: None });
    }
    let first = |group: &Group| group.tiles.first().map_or(0.0, |&i| at(i));
    kept.sort_by(|a, b| a.row.cmp(&b.row).then(first(a).total_cmp(&first(b))));
    kept
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
