//! Finds the hand among discards, walls and other players' tiles.
//!
//! Input: everything that was seen. Output: the indices of the hand's tiles, and a reason for each
//! of the others. Touching tiles are parted into rows, the [`Block`]s. The hand grows from the
//! weightiest; blocks near it, of its scale and direction, are added when the whole can be a hand.
//! Invariant: what is left out is named, never merged and never lost.

mod flowers;
mod worth;

use super::super::classify::{SeenTile, Sort};
use super::super::geometry::rows::{Frame, Item, Row, TOUCHING, blocks, rows, width};
use super::super::geometry::{edge_angle_between, median};
use super::super::reading::Ignored;
use super::plan::is_bonus;
use crate::rules::RulesetId;
use crate::tile::{Dragon, Face};
use flowers::FLOWER_REACH;
use worth::{WINS, count_value, most_value};

/// The hand, and what is not.
pub(super) struct Selection {
    pub(super) hand: Vec<usize>,
    pub(super) ignored: Vec<(usize, Ignored)>,
    /// Flowers, in the hand or ignored, that may as well be the other.
    pub(super) doubtful_flowers: Vec<usize>,
    /// Tiles that were left out, though the hand could as well be one with them, or they touch it.
    pub(super) doubtful_tiles: Vec<usize>,
}

/// Touching tiles of one row, with what they count for.
struct Block {
    members: Vec<usize>,
    playing: usize,
    backs: usize,
    /// The size of its tiles on the table and in the photo.
    scale: f32,
    size: f32,
    /// How surely these are tiles and have these names, on average.
    quality: f32,
    /// Playing tiles other than white dragons: those cannot be mistaken for a tile's top or back.
    printed: usize,
}

impl Block {
    /// Flowers and seasons, and perhaps a shadow beside them that looks like a back.
    fn is_flowers(&self) -> bool {
        self.playing == 0 && 2 * self.backs < self.members.len()
    }

    /// What it costs to take the block for a part of a hand, wherever it lies.
    fn own_cost(&self) -> f32 {
        let unsure = 2.0 * (0.6 - self.quality).max(0.0);
        unsure + if self.is_blank() { BLANK } else { 0.0 }
    }

    /// White dragons, or what looks like them, and perhaps backs.
    fn is_blank(&self) -> bool {
        self.playing > 0 && self.printed == 0
    }
}

/// Blocks beyond this many tile widths are elsewhere: exposed sets lie within about two widths of
/// the row, the other rows of a table begin at four to five.
const REACH: f32 = 3.2;

/// Blocks of at least this quality are tiles with the names they have: what is no tile at all is often
/// named a flower or white dragon, with half a heart.
const SURE: f32 = 0.45;

/// A block of another scale than this factor of the main block's is another row of the table.
/// Perspective makes the far end of a hand that runs away smaller by up to a half.
const SCALE_FACTOR: f32 = 1.8;

/// From one block to the next one near it the scale changes less: by perspective hardly, by
/// loose corners of a single tile up to a third.
const STEP_FACTOR: f32 = 1.5;

/// A quad with less than this share inside the photo shows too little of its face to be named.
const CUT_OFF: f32 = 0.55;

/// How many blocks near the main one are tried in all combinations.
const MOST_TRIED: usize = 12;

/// Chooses the hand's tiles.
///
/// `sizes` says how large each tile is in the photo: what is nearer to the camera is rather the hand. What wins, the
/// rule set says.
pub(super) fn select(
    tiles: &[SeenTile],
    items: &[Item],
    sizes: &[f32],
    ruleset: RulesetId,
) -> Selection {
    let (usable, faceless): (Vec<usize>, Vec<usize>) = (0..tiles.len())
        .partition(|&i| sort(tiles, i) != Sort::Nothing && tiles[i].inside >= CUT_OFF);
    let mut ignored: Vec<_> = faceless.into_iter().map(|i| (i, Ignored::NotAFace)).collect();
    let blocks = blocks_of(tiles, items, sizes, &usable);
    let (mut hand, mut doubtful_flowers, mut doubtful_tiles) = (Vec::new(), Vec::new(), Vec::new());
    let choice = best_choice(tiles, items, &blocks, ruleset)
        .filter(|choice| evidence(tiles, &blocks, choice) >= LEAST_EVIDENCE);
    match choice {
        None => ignored.extend(usable.iter().map(|&i| (i, reason(tiles, i, Ignored::Elsewhere)))),
        Some(choice) => {
            doubtful_flowers.extend_from_slice(&choice.strays);
            for (b, block) in blocks.iter().enumerate() {
                if choice.doubtful.contains(&b) {
                    doubtful_flowers.extend_from_slice(&block.members);
                }
                if choice.rivals.contains(&b) {
                    doubtful_tiles.extend_from_slice(&block.members);
                }
                if choice.blocks.contains(&b) {
                    hand.extend_from_slice(&block.members);
                } else {
                    let why = choice.costs[b].reason();
                    ignored.extend(block.members.iter().map(|&i| (i, reason(tiles, i, why))));
                }
            }
        }
    }
    ignored.sort_by_key(|&(i, _)| i);
    Selection { hand, ignored, doubtful_flowers, doubtful_tiles }
}

/// Printed faces, each counted by how sure it is, that a picture of tiles shows at the least. The
/// held-out real photos show 4.6 and more, seven tiles standing alone among them; what is seen in 200
/// drawn keyboards, consoles, cloths and boards of `make evaluate` makes 3.3 at the most.
const LEAST_EVIDENCE: f32 = 3.9;

/// How many printed faces the chosen blocks show, each counted by how sure it is. White dragons and
/// backs are left out: every blank key and box looks like one.
fn evidence(tiles: &[SeenTile], blocks: &[Block], choice: &Choice) -> f32 {
    let members = choice.blocks.iter().flat_map(|&b| blocks[b].members.iter());
    let sureness = |tile: &SeenTile| tile.score * tile.faces.top().1;
    members.map(|&i| &tiles[i]).filter(|tile| shows_print(tile)).map(sureness).sum()
}

/// Whether this is a face that cannot be mistaken for the top, side or back of a tile: a flower, or a
/// playing tile other than a white dragon.
pub(super) fn shows_print(tile: &SeenTile) -> bool {
    is_printed(tile) || is_bonus(tile)
}

/// Whether this is a playing tile other than a white dragon.
fn is_printed(tile: &SeenTile) -> bool {
    let face = tile.faces.best().and_then(Face::tile);
    face.is_some_and(|tile| tile.dragon() != Some(Dragon::White))
}

/// Blocks that are the hand together, and how well they fit.
struct Choice {
    blocks: Vec<usize>,
    /// Blocks of flowers that are chosen, or left out, with half a heart.
    doubtful: Vec<usize>,
    /// Flowers in blocks that are left out and show other faces too.
    strays: Vec<usize>,
    /// Blocks that are left out of a winning hand and would leave it one that wins, and single tiles that touch it.
    rivals: Vec<usize>,
    costs: Vec<Cost>,
    value: f32,
}

/// Blocks that are tried as the heart of the hand.
const MOST_HEARTS: usize = 4;

/// The best hand around each of the weightiest blocks. The weightiest alone will not do: a table's
/// discards can lie in tidier and longer rows than the hand.
fn best_choice(
    tiles: &[SeenTile],
    items: &[Item],
    blocks: &[Block],
    ruleset: RulesetId,
) -> Option<Choice> {
    let mut hearts: Vec<usize> = (0..blocks.len()).filter(|&b| blocks[b].playing > 0).collect();
    hearts.sort_by(|&a, &b| weight(&blocks[b]).total_cmp(&weight(&blocks[a])));
    let heaviest = weight(&blocks[*hearts.first()?]);
    let between = steps_between(blocks, items);
    hearts
        .into_iter()
        .take(MOST_HEARTS)
        .map(|main| {
            let mut choice = choose(tiles, blocks, &between, main, ruleset);
            choice.value += 2.0 * (weight(&blocks[main]) / heaviest).ln();
            choice
        })
        .max_by(|a, b| a.value.total_cmp(&b.value))
}

/// Backs have a reason of their own: they are the wall.
fn reason(tiles: &[SeenTile], i: usize, otherwise: Ignored) -> Ignored {
    if sort(tiles, i) == Sort::Back { Ignored::FaceDown } else { otherwise }
}

fn sort(tiles: &[SeenTile], i: usize) -> Sort {
    tiles[i].faces.sort().0
}

/// Below this heat the detector is as often wrong as right: on the sample scenes false alarms lie
/// between 0.2 and 0.45, faces of the hand above 0.6. Such a tile must not join two others into
/// one run, and whether it belongs to the hand is decided for it alone.
pub(in super::super) const DIM: f32 = 0.45;

/// The same for what is a back without doubt: backs show no print and are found with less heat, those of a dark
/// set on a dark table down to this.
const DIM_BACK: f32 = 0.35;
const SURELY_BACK: f32 = 0.95;

fn dim_below(tile: &SeenTile) -> f32 {
    match tile.faces.sort() {
        (Sort::Back, p) if p >= SURELY_BACK => DIM_BACK,
        _ => DIM,
    }
}

/// Parts what touches into rows: a wall may touch the hand, and a second row may be discards.
fn blocks_of(tiles: &[SeenTile], items: &[Item], sizes: &[f32], usable: &[usize]) -> Vec<Block> {
    let (dim, clear): (Vec<usize>, Vec<usize>) =
        usable.iter().partition(|&&i| tiles[i].score < dim_below(&tiles[i]));
    let chosen: Vec<Item> = clear.iter().map(|&i| items[i]).collect();
    let mut found = Vec::new();
    for members in blocks(&chosen) {
        let block: Vec<Item> = members.iter().map(|&m| chosen[m]).collect();
        let frame = Frame::of(&block);
        for row in rows(&chosen, &members, &frame) {
            found.extend(runs(&row).into_iter().map(|run| {
                let run: Vec<usize> = run.iter().map(|&m| clear[m]).collect();
                block_of(tiles, items, sizes, run)
            }));
        }
    }
    found.extend(dim.into_iter().map(|i| block_of(tiles, items, sizes, vec![i])));
    found
}

/// A row's runs without wide gaps: its ends may touch the same other row and not each other.
fn runs(row: &Row) -> Vec<Vec<usize>> {
    let mut runs = vec![vec![row.items[0]]];
    for (&item, &gap) in row.items[1..].iter().zip(&row.gaps) {
        if gap > TOUCHING {
            runs.push(Vec::new());
        }
        runs.last_mut().expect("a row starts with a run").push(item);
    }
    runs
}

fn block_of(tiles: &[SeenTile], items: &[Item], sizes: &[f32], members: Vec<usize>) -> Block {
    let count = |of: Sort| members.iter().filter(|&&i| sort(tiles, i) == of).count();
    let sure = |&i: &usize| tiles[i].score * sureness(&tiles[i]);
    Block {
        playing: count(Sort::Playing),
        backs: count(Sort::Back),
        scale: median(members.iter().map(|&i| items[i].quad.scale())).unwrap_or(1.0),
        size: median(members.iter().map(|&i| sizes[i])).unwrap_or(1.0),
        quality: members.iter().map(sure).sum::<f32>() / members.len().max(1) as f32,
        printed: members.iter().filter(|&&i| is_printed(&tiles[i])).count(),
        members,
    }
}

/// How sure a tile's name is; of flowers only that they are some, because their art is endless.
fn sureness(tile: &SeenTile) -> f32 {
    match tile.faces.sort() {
        (Sort::Bonus, p) => p,
        _ => tile.faces.top().1,
    }
}

/// How likely a block is the heart of the hand: many sure faces, large in the picture. More than a
/// hand's fourteen add nothing: a row of forty is the table's wall.
fn weight(block: &Block) -> f32 {
    let faces = block.playing.min(14) as f32;
    faces * block.size * block.quality * if block.playing > 22 { 0.5 } else { 1.0 }
}

/// How badly a block fits the hand.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cost {
    Far,
    OtherSize,
    Near(f32),
}

impl Cost {
    /// Why a block of this cost is left out.
    fn reason(self) -> Ignored {
        match self {
            Cost::Far => Ignored::Elsewhere,
            Cost::OtherSize => Ignored::OtherSize,
            Cost::Near(_) => Ignored::Surplus,
        }
    }
}

/// The cost of each block: how far it is from the blocks between it and the main one, and how much
/// it is turned and scaled against them. Compared step by step, because in perspective the far end
/// of a hand is turned and scaled against its near end as much as a discard is against either.
///
/// Also the place of each block in the order in which they are reached.
fn costs(blocks: &[Block], between: &Steps, main: usize) -> (Vec<Cost>, Vec<usize>) {
    let (steps, reached) = steps_from(blocks, between, main);
    let costs = blocks
        .iter()
        .zip(steps)
        .enumerate()
        .map(|(b, (block, step))| {
            let octaves = (block.scale / blocks[main].scale).ln().abs();
            // Flowers lie further from the hand, and nothing else looks like them.
            let reach = if block.is_flowers() { FLOWER_REACH } else { REACH };
            let strays = block.is_flowers() && between[b][main].gap > FLOWER_REACH + REACH;
            if step.gap > reach || strays {
                Cost::Far
            } else if octaves > SCALE_FACTOR.ln() {
                Cost::OtherSize
            } else {
                Cost::Near(step.cost() + block.own_cost())
            }
        })
        .collect();
    (costs, reached)
}

/// What the angle to its neighbour costs a block at the most: a winning tile may be thrown down beside its row at any
/// angle. Of 200 scenes of every form one more is exact with it, and 20,000 drawn tables are read as before.
const MOST_TURNED: f32 = 2.0;

/// How two blocks differ where they are nearest to each other.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// The distance in tile widths.
    gap: f32,
    /// The angle between their tiles' edges, in radians.
    angle: f32,
    /// The logarithm of the ratio of their tiles' sizes.
    octaves: f32,
}

impl Step {
    const NONE: Step = Step { gap: 0.0, angle: 0.0, octaves: 0.0 };
    const FAR: Step = Step { gap: f32::INFINITY, ..Step::NONE };

    /// One width of distance costs as much as eight degrees or a quarter in scale. Loose discards lie
    /// at random angles; tiles that were put apart on purpose do not.
    fn cost(self) -> f32 {
        // The corners of a single tile are only good to some five degrees.
        let turned = ((self.angle.to_degrees() - 5.0).max(0.0) / 8.0).min(MOST_TURNED);
        self.gap + turned + 4.0 * self.octaves
    }

    /// The worst of two steps on one way, each in its own respect.
    fn and(self, next: Step) -> Step {
        Step {
            gap: self.gap.max(next.gap),
            angle: self.angle.max(next.angle),
            octaves: self.octaves.max(next.octaves),
        }
    }
}

/// For each block the worst step on the way to it from the main block, the way with the smallest
/// gaps: sets laid in a line are each near the one before. And when each is reached, the nearest first.
fn steps_from(blocks: &[Block], between: &Steps, main: usize) -> (Vec<Step>, Vec<usize>) {
    let mut reached = vec![Step::FAR; blocks.len()];
    let mut order = vec![usize::MAX; blocks.len()];
    reached[main] = Step::NONE;
    let mut count = 0;
    while let Some(from) = (0..blocks.len())
        .filter(|&b| order[b] == usize::MAX && reached[b].gap <= REACH)
        .min_by(|&a, &b| reached[a].gap.total_cmp(&reached[b].gap))
    {
        order[from] = count;
        count += 1;
        for to in 0..blocks.len() {
            let similar = (blocks[to].scale / blocks[from].scale).ln().abs() <= STEP_FACTOR.ln();
            if order[to] == usize::MAX && similar {
                let step = reached[from].and(between[from][to]);
                if step.gap < reached[to].gap {
                    reached[to] = step;
                }
            }
        }
    }
    (reached, order)
}

/// The step from each block to each other one.
type Steps = Vec<Vec<Step>>;

fn steps_between(blocks: &[Block], items: &[Item]) -> Steps {
    let mut steps = vec![vec![Step::NONE; blocks.len()]; blocks.len()];
    for a in 0..blocks.len() {
        for b in a + 1..blocks.len() {
            let step = nearest(&blocks[a], &blocks[b], items);
            (steps[a][b], steps[b][a]) = (step, step);
        }
    }
    steps
}

/// The step between the two nearest tiles of two blocks.
fn nearest(a: &Block, b: &Block, items: &[Item]) -> Step {
    let pairs = a.members.iter().flat_map(|&i| b.members.iter().map(move |&j| (i, j)));
    pairs
        .map(|(i, j)| {
            let (p, q) = (&items[i].quad, &items[j].quad);
            // Exact distances only where the centres are near enough to matter.
            let rough = (q.centre() - p.centre()).length() - p.scale() - q.scale();
            let unit = width(p).min(width(q)).max(1.0);
            let near = rough <= FLOWER_REACH * unit;
            let gap = if near { p.distance(q) / unit } else { rough / unit };
            let angle = edge_angle_between(p, q);
            Step { gap, angle, octaves: (p.scale() / q.scale()).ln().abs() }
        })
        .min_by(|a, b| a.gap.total_cmp(&b.gap))
        .unwrap_or(Step::FAR)
}

/// Twice the cost below which a block belongs to the hand: a winning tile a width away at an
/// angle of nine degrees.
const BELONGS: f32 = 3.0;

/// What a block that shows nothing but white dragons costs more. The top of a standing tile and a pale back in
/// the wall look like one: such a block is taken in where the hand wins by it or lacks more than one
/// tile without it, and not to make fourteen. Of the held-out photos' stray tiles half were these.
const BLANK: f32 = 3.5;

/// A single tile that is this near to the hand, in widths, and is left out is asked about.
const AT_HAND: f32 = 0.25;

/// A block that fits so much worse than best is not asked about.
const RIVAL: f32 = 4.0;

/// The combination of near blocks that is best as a whole hand around a main block.
fn choose(
    tiles: &[SeenTile],
    blocks: &[Block],
    between: &Steps,
    main: usize,
    ruleset: RulesetId,
) -> Choice {
    let (costs, reached) = costs(blocks, between, main);
    let near_cost = |b: usize| match costs[b] {
        Cost::Near(cost) if b != main => Some(cost),
        _ => None,
    };
    let mut near: Vec<(usize, f32)> = (0..blocks.len())
        .filter(|&b| can_belong(&blocks[b]) && !blocks[b].is_flowers())
        .filter_map(|b| Some((b, near_cost(b)?)))
        .collect();
    near.sort_by(|a, b| a.1.total_cmp(&b.1));
    near.truncate(MOST_TRIED);
    // In the order in which they are reached, so that a block comes after the one it is reached from.
    near.sort_by_key(|&(b, _)| reached[b]);
    let chosen = |combination: usize| -> Vec<usize> {
        let added = near.iter().enumerate().filter(|&(n, _)| combination >> n & 1 == 1);
        std::iter::once(main).chain(added.map(|(_, (b, _))| *b)).collect()
    };
    // The combinations in the order of their fit: no later one can be better than one whose lead is
    // all that the number of tiles and a win can add.
    let fits = fits(&near, |n, chosen| {
        let step = |b: usize| between[near[n].0][b].cost();
        let before = || (0..n).filter(|m| chosen >> m & 1 == 1).map(|m| near[m].0).chain([main]);
        // Beside other white dragons one more is no tile's top.
        let is_fourth = |b: usize| blocks[b].is_blank() && between[near[n].0][b].gap <= TOUCHING;
        let is_of_dragons = blocks[near[n].0].is_blank() && before().any(is_fourth);
        let own = if is_of_dragons { 0.0 } else { blocks[near[n].0].own_cost() };
        own + before().map(step).fold(f32::INFINITY, f32::min)
    });
    let mut order: Vec<usize> = (0..fits.len()).collect();
    order.sort_by(|&a, &b| fits[b].total_cmp(&fits[a]));
    let (mut combination, mut value, mut wins) = (0, f32::NEG_INFINITY, false);
    for other in order {
        if fits[other] + WINS <= value {
            break;
        }
        let these = chosen(other);
        if fits[other] + most_value(blocks, &these) <= value {
            continue;
        }
        let worth = count_value(tiles, blocks, between, &these, ruleset);
        if fits[other] + worth > value {
            (combination, value, wins) = (other, fits[other] + worth, worth == WINS);
        }
    }
    let hand = chosen(combination);
    let is_rival = |n: usize| {
        let with = combination | 1 << n;
        wins && value - fits[with] - WINS < RIVAL
            && count_value(tiles, blocks, between, &chosen(with), ruleset) == WINS
    };
    // A face that touches the hand is of it or was pushed there.
    let touches = |b: usize| {
        let is_single = blocks[b].members.len() == 1 && blocks[b].printed == 1;
        is_single && blocks[b].quality > SURE && nearest_of(between, &hand, b).0 <= AT_HAND
    };
    let left_out = (0..near.len()).filter(|n| combination >> n & 1 == 0);
    let rivals =
        left_out.filter(|&n| touches(near[n].0) || is_rival(n)).map(|n| near[n].0).collect();
    let near_costs: Vec<Option<f32>> = (0..blocks.len()).map(near_cost).collect();
    let (flowers, doubtful) = flowers::own_flowers(blocks, between, &hand, &near_costs);
    let chosen = hand.iter().copied().chain(flowers).collect();
    let strays = flowers::mixed_flowers(tiles, blocks, between, &hand);
    Choice { blocks: chosen, doubtful, strays, rivals, costs, value }
}

/// How well every combination of blocks fits by itself; bit n of its number is the n-th of the near blocks (block,
/// cost on its way from the main one). `cost_with` is what block n costs beside a combination of the ones before
/// it: each block pays for the step to the nearest of the others alone, so that a step is paid once.
fn fits(near: &[(usize, f32)], cost_with: impl Fn(usize, usize) -> f32) -> Vec<f32> {
    // A block that fits well is missed when it is left out: with half of this cost it belongs to the
    // hand unless the number of tiles says otherwise.
    let missed = |cost: f32| (BELONGS - cost).max(0.0);
    let mut fits = vec![-near.iter().map(|&(_, cost)| missed(cost)).sum::<f32>()];
    for (n, &(_, cost)) in near.iter().enumerate() {
        let with = |(chosen, fit): (usize, &f32)| fit + missed(cost) - cost_with(n, chosen);
        let with: Vec<f32> = fits.iter().enumerate().map(with).collect();
        fits.extend(with);
    }
    fits
}

/// The distance of a block from the nearest of some others, in tile widths, and its angle to that one, in degrees.
fn nearest_of(between: &Steps, others: &[usize], block: usize) -> (f32, f32) {
    let steps = others.iter().map(|&b| between[block][b]);
    let nearest = steps.min_by(|a, b| a.gap.total_cmp(&b.gap)).unwrap_or(Step::FAR);
    (nearest.gap, nearest.angle.to_degrees())
}

/// Whether a block can be a part of a hand at all: backs only as a kong, of which one tile may not be seen.
fn can_belong(block: &Block) -> bool {
    block.backs == 0 || (3..=4).contains(&block.members.len())
}
