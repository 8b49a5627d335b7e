//! The combination of blocks around a heart that is best as a whole hand.
//!
//! Input: the table's blocks, the steps between them and one block to begin with. Output: a [`Choice`]. Every combination of
//! the blocks that fit best is weighed by what each costs (its distance from the nearest other, its angle and size, less
//! where it is a set) and by how near their tiles are to a winning hand; then single tiles that lie anywhere are tried as
//! the one that is lacking. Distance never rules out: a hand that wins with a set in the table's corner beats a tidy row
//! that does not. Invariant: the heart is always part of the choice.

use super::super::super::classify::SeenTile;
use super::super::super::geometry::rows::TOUCHING;
use super::super::ignored::Ignored;
use super::super::params::Params;
use super::blocks::Block;
use super::flowers::{self, FLOWER_REACH};
use super::steps::{Step, nearest_of, steps_from};
use super::worth::{count_value, most_value};
use super::{SURE, TableView};
use crate::tile::Face;

/// Blocks that are the hand together, and how well they fit.
pub(super) struct Choice {
    pub(super) blocks: Vec<usize>,
    /// Blocks of flowers that are chosen, or left out, with half a heart.
    pub(super) doubtful: Vec<usize>,
    /// Flowers in blocks that are left out and show other faces too.
    pub(super) strays: Vec<usize>,
    /// Blocks that are left out of a winning hand and would leave it one that wins, and single tiles that touch it.
    pub(super) rivals: Vec<usize>,
    /// Why each block would be left out.
    pub(super) reasons: Vec<Ignored>,
    pub(super) value: f32,
    /// Whether the likeliest faces win.
    pub(super) wins: bool,
}

/// A block of another scale than this factor of the main block's is another row of the table.
/// Perspective makes the far end of a hand that runs away smaller by up to a half.
const SCALE_FACTOR: f32 = 1.8;

/// What is left out beyond this many widths is elsewhere; what is left out nearer by is one too many.
const ELSEWHERE: f32 = 3.2;

/// How many blocks are tried in all combinations, and how many combinations.
const MOST_TRIED: usize = 24;
const MOST_COMBINATIONS: usize = 1 << 12;

/// Combinations of more tiles are not tried: fourteen, the fourth tiles of four kongs, and none besides.
const MOST_TILES: usize = 18;

/// Combinations that are tried with a single tile more.
const MOST_COMPLETED: usize = 12;

/// A single tile that is this near to the hand, in widths, and is left out is asked about.
const AT_HAND: f32 = 0.25;

/// What fits so much worse than the best is not asked about.
const RIVAL: f32 = 4.0;

/// A block that may be chosen, and what it costs on its way from the heart.
#[derive(Debug, Clone, Copy)]
struct Part {
    block: usize,
    cost: f32,
    near_cost: f32,
}

/// A combination of blocks with its value, and how much of that is its worth as a hand.
#[derive(Debug, Clone)]
struct Hand {
    blocks: Vec<usize>,
    fit: f32,
    worth: f32,
}

impl Hand {
    fn value(&self) -> f32 {
        self.fit + self.worth
    }
}

/// The best hand around a block.
pub(super) fn choose(view: &TableView, main: usize) -> Choice {
    let (steps, reached) = steps_from(view.blocks, &view.between, main, view.params.reach);
    let all = parts(view, main, &steps);
    let (mut tried, rest) = part_by_cost(view, main, all);
    // In the order in which they are reached, so that a block comes after the one it is reached from.
    tried.sort_by_key(|part| reached[part.block]);
    let all = [tried.as_slice(), &rest].concat();
    let best = complete(view, best_hands(view, main, &tried), &all);
    let wins = best.worth == view.params.wins;
    let left_out = || all.iter().filter(|part| !best.blocks.contains(&part.block));
    let rivals = rivals(view, &best, left_out());
    let (flowers, doubtful) = flowers::own_flowers(view, &best.blocks);
    let blocks: Vec<usize> = best.blocks.iter().copied().chain(flowers).collect();
    Choice {
        doubtful,
        strays: flowers::mixed_flowers(view, &best.blocks),
        rivals,
        reasons: reasons(view, main, &best.blocks),
        value: best.value() + heart(view, &blocks),
        wins,
        blocks,
    }
}

/// How much a hand with this heaviest block is worth more than one with the heaviest of the table.
fn heart(view: &TableView, blocks: &[usize]) -> f32 {
    let heaviest = |among: &mut dyn Iterator<Item = &Block>| {
        among.map(Block::weight).fold(f32::MIN_POSITIVE, f32::max)
    };
    let here = heaviest(&mut blocks.iter().map(|&b| &view.blocks[b]));
    view.params.heart * (here / heaviest(&mut view.blocks.iter())).ln()
}

/// The blocks that may be the hand's beside the heart.
fn parts(view: &TableView, main: usize, steps: &[Step]) -> Vec<Part> {
    let fits = |&b: &usize| {
        let block = &view.blocks[b];
        let octaves = (block.scale / view.blocks[main].scale).ln().abs();
        b != main
            && !view.taken[b]
            && block.can_belong()
            && !block.is_flowers()
            && steps[b].gap <= view.params.reach
            && octaves <= SCALE_FACTOR.ln()
    };
    let part = |b: usize| Part {
        block: b,
        cost: view.cost(b, steps[b]) + view.own_cost(b) + view.facing(b, main),
        near_cost: steps[b].near_cost(view.params) + view.own_cost(b),
    };
    let mut parts: Vec<Part> = (0..view.blocks.len()).filter(fits).map(part).collect();
    // The fourth tile of a kong is as near as its set.
    for n in 0..parts.len() {
        if let Some(set) = parts.iter().find(|set| view.is_fourth(parts[n].block, set.block)) {
            let near_cost = view.between[parts[n].block][set.block].near_cost(view.params);
            parts[n] = Part { cost: set.cost, near_cost, ..parts[n] };
        }
    }
    parts
}

/// The parts that are tried in all combinations, and the rest: as many as make no more than so many. A hand has room for few
/// tiles alone, so that sets come first.
fn part_by_cost(view: &TableView, main: usize, mut parts: Vec<Part>) -> (Vec<Part>, Vec<Part>) {
    let is_stray = |part: &Part| {
        view.blocks[part.block].members.len() <= 2 && part.near_cost > view.params.belongs
    };
    parts.sort_by(|a, b| {
        (is_stray(a), a.cost)
            .partial_cmp(&(is_stray(b), b.cost))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    // How many combinations have how many tiles.
    let mut with = [0_usize; MOST_TILES + 1];
    with[view.size(main).min(MOST_TILES)] = 1;
    let mut tried = 0;
    for part in parts.iter().take(MOST_TRIED) {
        let size = view.size(part.block);
        for tiles in (size..=MOST_TILES).rev() {
            with[tiles] += with[tiles - size];
        }
        if with.iter().sum::<usize>() > MOST_COMBINATIONS {
            break;
        }
        tried += 1;
    }
    let rest = parts.split_off(tried);
    (parts, rest)
}

/// The best combinations of the parts around the heart, the best first.
fn best_hands(view: &TableView, main: usize, parts: &[Part]) -> Vec<Hand> {
    let chosen = |combination: u32| -> Vec<usize> {
        let added = parts.iter().enumerate().filter(|&(n, _)| combination >> n & 2 == 2);
        std::iter::once(main).chain(added.map(|(_, part)| part.block)).collect()
    };
    // The combinations in the order of their fit: no later one can be better than one whose lead is
    // all that the number of tiles and a win can add.
    let mut fits = Fits::of(view, main, parts);
    fits.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    // What is completed by a single tile gains what that tile was lacking.
    let completed = 2.0 * view.params.lack + view.params.short;
    let mut best: Vec<Hand> = Vec::new();
    for (fit, combination) in fits {
        let value = best.first().map_or(f32::NEG_INFINITY, Hand::value);
        if fit + view.params.wins <= value {
            break;
        }
        let blocks = chosen(combination);
        let last = best.get(MOST_COMPLETED - 1).map_or(f32::NEG_INFINITY, Hand::value);
        let lead = last.max(value - completed);
        if fit + most_value(view, &blocks) <= lead {
            continue;
        }
        let worth = count_value(view, &blocks);
        let crowd: f32 = blocks[1..].iter().map(|&b| view.crowd(b, &blocks)).sum();
        let stray = if worth < view.params.wins { view.strays(&blocks) } else { 0.0 };
        let hand = Hand { blocks, fit: fit - crowd - stray, worth };
        let at = best.partition_point(|other| other.value() >= hand.value());
        best.insert(at, hand);
        best.truncate(MOST_COMPLETED);
    }
    best
}

/// How well every combination of parts that is no larger than a hand fits by itself. Each block pays for the step to the
/// nearest of the others alone, so that a step is paid once.
struct Fits {
    /// For each part: how many tiles it counts for, what it costs beside the heart and each earlier part, and what more.
    sizes: Vec<usize>,
    beside: Vec<Vec<f32>>,
    facing: Vec<f32>,
    /// What it costs to leave it out beside the heart (0) or a part (its place and one).
    missed: Vec<Vec<(usize, f32)>>,
    /// What was found: a fit and its combination, bit 0 the heart, bit n + 1 the n-th part.
    found: Vec<(f32, u32)>,
}

impl Fits {
    fn of(view: &TableView, main: usize, parts: &[Part]) -> Vec<(f32, u32)> {
        let all: Vec<usize> = std::iter::once(main).chain(parts.iter().map(|p| p.block)).collect();
        let beside = |(n, part): (usize, &Part)| {
            all[..=n].iter().map(|&b| view.cost_beside(part.block, [b].into_iter())).collect()
        };
        let mut fits = Fits {
            sizes: parts.iter().map(|part| view.size(part.block)).collect(),
            beside: parts.iter().enumerate().map(beside).collect(),
            facing: parts.iter().map(|part| view.facing(part.block, main)).collect(),
            missed: parts.iter().map(|part| missed_beside(view, part.block, &all)).collect(),
            found: Vec::new(),
        };
        fits.try_part(0, 1, view.size(main), 0.0);
        fits.found
    }

    /// Tries the n-th part and all later ones, with some chosen already that have so many tiles and cost so much.
    fn try_part(&mut self, n: usize, chosen: u32, tiles: usize, cost: f32) {
        if n == self.sizes.len() {
            let left_out = (0..n).filter(|part| chosen >> part & 2 == 0);
            let missed = |part: usize| {
                let most = self.missed[part].iter().find(|(m, _)| chosen >> m & 1 == 1);
                most.map_or(0.0, |&(_, missed)| missed)
            };
            let fit = -cost - left_out.map(missed).sum::<f32>();
            self.found.push((fit, chosen));
            return;
        }
        self.try_part(n + 1, chosen, tiles, cost);
        if tiles + self.sizes[n] <= MOST_TILES {
            let near = self.beside[n].iter().enumerate().filter(|(m, _)| chosen >> m & 1 == 1);
            let nearest = near.map(|(_, &cost)| cost).fold(f32::INFINITY, f32::min);
            let with = cost + nearest + self.facing[n];
            self.try_part(n + 1, chosen | 2 << n, tiles + self.sizes[n], with);
        }
    }
}

/// How much a block is missed beside each of some others when it is left out, the most first; those beside which it is not
/// missed are left out. What fits well belongs to the hand, with half of [`Params::belongs`], unless the number of
/// tiles says otherwise.
fn missed_beside(view: &TableView, block: usize, others: &[usize]) -> Vec<(usize, f32)> {
    let missed = |other: usize| {
        let step = view.between[block][other];
        // What shows nothing is not missed, but for a white dragon beside others.
        match (view.blocks[block].is_blank(), view.are_dragons(block, other)) {
            (true, false) => 0.0,
            (true, true) => view.params.belongs - step.near_cost(view.params),
            _ => view.params.belongs - step.near_cost(view.params) - view.own_cost(block),
        }
    };
    let all = others.iter().enumerate().filter(|(_, other)| **other != block);
    let mut all: Vec<(usize, f32)> = all.map(|(m, &other)| (m, missed(other))).collect();
    all.retain(|&(_, missed)| missed > 0.0);
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all
}

/// The best hand, with what lies anywhere where that completes it: a tile, a pair, or two equal tiles that lie apart.
fn complete(view: &TableView, hands: Vec<Hand>, parts: &[Part]) -> Hand {
    let is_small = |block: &usize| view.blocks[*block].members.len() <= 2;
    let small: Vec<usize> = parts.iter().map(|part| part.block).filter(is_small).collect();
    let twins = twins(view, &small);
    let wins = |hand: &Hand| hand.worth >= view.params.wins;
    let completed = |hand: &Hand| -> Vec<Hand> {
        if wins(hand) {
            return Vec::new();
        }
        let free = |block: &usize| !hand.blocks.contains(block);
        let one = small.iter().filter(|b| free(b)).map(|&block| with(view, hand, block));
        let two = twins.iter().filter(|(a, b)| free(a) && free(b));
        let two = two.map(|&(a, b)| with(view, &with(view, hand, a), b));
        one.chain(two).filter(wins).collect()
    };
    let all = hands.iter().flat_map(completed).collect::<Vec<_>>();
    all.into_iter()
        .chain(hands)
        .reduce(|best, other| if other.value() > best.value() { other } else { best })
        .expect("the heart alone is a combination")
}

/// Single tiles of one kind that lie apart.
fn twins(view: &TableView, small: &[usize]) -> Vec<(usize, usize)> {
    let face = |block: usize| match view.blocks[block].members[..] {
        [tile] => view.tiles[tile].faces.best().and_then(Face::tile),
        _ => None,
    };
    let pairs =
        small.iter().enumerate().flat_map(|(n, &a)| small[..n].iter().map(move |&b| (a, b)));
    pairs.filter(|&(a, b)| face(a).is_some() && face(a) == face(b)).collect()
}

/// The hand with one block more.
fn with(view: &TableView, hand: &Hand, block: usize) -> Hand {
    let blocks: Vec<usize> = hand.blocks.iter().copied().chain([block]).collect();
    let beside = view.cost_beside(block, hand.blocks.iter().copied());
    let cost = beside + view.crowd(block, &blocks) + view.facing(block, hand.blocks[0]);
    Hand { fit: hand.fit - cost, worth: count_value(view, &blocks), blocks }
}

/// What was left out of the best hand and has to be asked about.
fn rivals<'a>(
    view: &TableView,
    best: &Hand,
    left_out: impl Iterator<Item = &'a Part>,
) -> Vec<usize> {
    let wins = best.worth == view.params.wins;
    // A face that touches the hand is of it or was pushed there.
    let touches = |b: usize| {
        let block = &view.blocks[b];
        let is_single = block.members.len() == 1 && block.printed == 1;
        is_single && block.quality > SURE && nearest_of(&view.between, &best.blocks, b).0 <= AT_HAND
    };
    let is_rival = |part: &&Part| {
        let with = with(view, best, part.block);
        wins && with.worth == view.params.wins && best.fit - with.fit < RIVAL
    };
    left_out.filter(|part| touches(part.block) || is_rival(part)).map(|part| part.block).collect()
}

/// Why each block would be left out.
fn reasons(view: &TableView, main: usize, hand: &[usize]) -> Vec<Ignored> {
    let reason = |b: usize| {
        let block = &view.blocks[b];
        let reach = if block.is_flowers() { FLOWER_REACH } else { ELSEWHERE };
        let octaves = (block.scale / view.blocks[main].scale).ln().abs();
        if nearest_of(&view.between, hand, b).0 > reach {
            Ignored::Elsewhere
        } else if octaves > SCALE_FACTOR.ln() {
            Ignored::OtherSize
        } else {
            Ignored::Surplus
        }
    };
    (0..view.blocks.len()).map(reason).collect()
}

impl TableView<'_> {
    /// How many of a hand's fourteen tiles a block counts for; the fourth tile of an open kong is one more.
    fn size(&self, b: usize) -> usize {
        self.blocks[b].playing + 3 * self.blocks[b].kongs.len()
    }

    /// What a step to a block costs: sets are carried further than tiles.
    fn cost(&self, b: usize, step: Step) -> f32 {
        let Params { far, far_single, set, claimed, .. } = *self.params;
        let block = &self.blocks[b];
        let is_small = block.members.len() <= 2;
        let cost = step.cost(self.params, if is_small { far + far_single } else { far });
        cost - set * block.sets as f32 - claimed * block.claimed as f32
    }

    /// What it costs to take the block for a part of a hand, wherever it lies.
    fn own_cost(&self, b: usize) -> f32 {
        let block = &self.blocks[b];
        let unsure = 2.0 * (0.6 - block.quality).max(0.0);
        let shows_nothing = block.is_blank() || block.printed == 0 && !block.is_flowers();
        unsure + if shows_nothing { self.params.blank } else { 0.0 }
    }

    /// What flowers cost on the way from a hand; `None` where they are of another size, as dice and counting sticks are.
    pub(super) fn flower_cost(&self, b: usize, hand: &[usize]) -> Option<f32> {
        let steps = hand.iter().map(|&other| self.between[b][other]);
        let nearest = steps.min_by(|x, y| x.gap.total_cmp(&y.gap))?;
        let is_tile = nearest.octaves <= SCALE_FACTOR.ln();
        is_tile.then(|| nearest.near_cost(self.params) + self.own_cost(b))
    }

    /// What a block costs whose tiles face another way than those of the heart: they lie before another player. Single
    /// tiles lie upside down in one of eight cases, and say less.
    fn facing(&self, b: usize, main: usize) -> f32 {
        let away = (1.0 - self.blocks[b].up.dot(self.blocks[main].up)) / 2.0;
        let said = if self.blocks[b].members.len() <= 2 { 0.4 } else { 1.0 };
        self.params.facing * said * away
    }

    /// Whether a block is a single tile that touches three of its kind.
    fn is_fourth(&self, b: usize, set: usize) -> bool {
        let (tile, three) = (&self.blocks[b], &self.blocks[set]);
        let is_same = three.faces.iter().all(|face| tile.faces == [*face]);
        tile.members.len() == 1
            && three.faces.len() == 3
            && is_same
            && self.between[b][set].gap <= TOUCHING
    }

    /// Whether two blocks of white dragons touch.
    fn are_dragons(&self, a: usize, b: usize) -> bool {
        let is_blank = |block: usize| self.blocks[block].is_blank();
        is_blank(a) && is_blank(b) && self.between[a][b].gap <= TOUCHING
    }

    /// What a block costs beside others.
    fn cost_beside(&self, b: usize, others: impl Iterator<Item = usize>) -> f32 {
        let (mut nearest, mut is_of_dragons) = (f32::INFINITY, false);
        for other in others {
            nearest = nearest.min(self.cost(b, self.between[b][other]));
            // Beside other white dragons one more is no tile's top.
            is_of_dragons |= self.are_dragons(b, other);
        }
        nearest + if is_of_dragons { 0.0 } else { self.own_cost(b) }
    }

    /// What a tile or a pair costs that lies among tiles which are not the hand's.
    fn crowd(&self, b: usize, hand: &[usize]) -> f32 {
        if self.blocks[b].members.len() > 2 {
            return 0.0;
        }
        let to_hand = hand
            .iter()
            .filter(|&&other| other != b)
            .map(|&other| self.between[b][other].gap)
            .fold(f32::INFINITY, f32::min);
        let is_face =
            |other: &usize| self.blocks[*other].printed > 0 && self.blocks[*other].quality > SURE;
        let to_others = (0..self.blocks.len())
            .filter(|other| *other != b && !hand.contains(other))
            .filter(is_face)
            .map(|other| self.between[b][other].gap)
            .fold(f32::INFINITY, f32::min);
        let is_among = to_others < self.params.among && to_others < to_hand;
        if is_among { self.params.crowd } else { 0.0 }
    }

    /// What parts cost that lie far from all others, are no sets and do not even make the hand win.
    fn strays(&self, hand: &[usize]) -> f32 {
        let is_stray = |b: &usize| {
            let steps =
                hand.iter().filter(|other| *other != b).map(|&other| self.between[*b][other]);
            let near = steps.map(|step| step.near_cost(self.params)).fold(f32::INFINITY, f32::min);
            self.blocks[*b].sets == 0 && near > self.params.belongs
        };
        self.params.stray * hand[1..].iter().filter(|b| is_stray(b)).count() as f32
    }

    /// The tiles of some blocks.
    pub(super) fn members<'a>(&'a self, blocks: &'a [usize]) -> impl Iterator<Item = &'a SeenTile> {
        blocks.iter().flat_map(|&b| &self.blocks[b].members).map(|&i| &self.tiles[i])
    }
}
