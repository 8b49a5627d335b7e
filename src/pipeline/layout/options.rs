//! The possible readings of one group: concealed tiles, a winning tile, melds, flowers.
//!
//! Input: a group and which of its tiles lie sideways. Output: at least one [`Reading`], each with
//! a weight that is only compared with those of the same group: the product of the [`Manners`] that it takes. Invariant: every
//! tile of the group is in exactly one part of each reading.

use super::super::classify::{SeenTile, Sort};
use super::arrange::Group;
use super::backs::{hidden_in, is_dragon_kong};
use super::manners::Manners;
use super::plan::{MeldPlan, MeldShape, is_bonus};
use super::raised::Raised;
use crate::hand::MAX_MELDS;
use crate::meld::Chow;
use crate::rules::{Conventions, Turned};
use crate::tile::{Face, Tile};

/// One way to read a group.
#[derive(Debug, Clone, Default)]
pub(super) struct Reading {
    pub(super) concealed: Vec<usize>,
    pub(super) winning: Option<usize>,
    pub(super) melds: Vec<MeldPlan>,
    pub(super) flowers: Vec<usize>,
    pub(super) hidden: Vec<usize>,
    pub(super) weight: f32,
}

/// Reads one group in every plausible way.
pub(super) fn readings(
    tiles: &[SeenTile],
    sideways: &[bool],
    group: &Group,
    conventions: Conventions,
    manners: &Manners,
) -> Vec<Reading> {
    let (flowers, run): (Vec<usize>, Vec<usize>) =
        group.tiles.iter().partition(|&&i| is_bonus(&tiles[i]));
    let eyes = Eyes { tiles, sideways, raised: group.raised, conventions, manners };
    let above = group.above.map(|above| above.tile);
    let mut readings = match above {
        Some(tile) if is_bonus(&tiles[tile]) => {
            let mut readings = eyes.run(&run);
            readings.iter_mut().for_each(|reading| reading.flowers.push(tile));
            readings
        }
        Some(tile) => eyes.with_above(&run, tile),
        None => eyes.run(&run),
    };
    for reading in &mut readings {
        reading.flowers.extend(&flowers);
        eyes.put_backs_aside(reading);
    }
    readings
}

/// What is known of the tiles while a group is read.
struct Eyes<'a> {
    tiles: &'a [SeenTile],
    sideways: &'a [bool],
    raised: Option<Raised>,
    conventions: Conventions,
    manners: &'a Manners,
}

impl<'a> Eyes<'a> {
    /// Nothing known but what the tiles show.
    fn on(tiles: &'a [SeenTile]) -> Eyes<'a> {
        let conventions = Conventions::default();
        Eyes { tiles, sideways: &[], raised: None, conventions, manners: &Manners::USUAL }
    }

    /// The readings of tiles that lie side by side.
    fn run(&self, run: &[usize]) -> Vec<Reading> {
        let mut readings = vec![Reading {
            concealed: run.to_vec(),
            weight: self.weight_of_row(run),
            ..Reading::default()
        }];
        readings.extend(self.winning_at_end(run));
        readings.extend(self.melds_and_row(run));
        readings.extend(self.kongs_within(run));
        readings
    }

    /// How plausible it is that all of these are concealed tiles: tiles lie sideways for a reason,
    /// and a set or a single tile apart is usually a meld or the winning tile.
    fn weight_of_row(&self, run: &[usize]) -> f32 {
        let turned = run.iter().filter(|&&i| self.sideways[i]).count();
        let looks_apart = match run.len() {
            1 => self.manners.single_concealed,
            3 if self.set_likelihood(run) > POSSIBLE => self.manners.set_concealed,
            4 if self.kong_likelihood(run) > POSSIBLE => self.manners.kong_concealed,
            4 if !self.hidden_in(run).is_empty() => self.manners.hidden_concealed,
            _ => 1.0,
        };
        let lies_flat = self.raised.map_or(1.0, |raised| 1.0 - raised.p);
        looks_apart * lies_flat.max(0.02) * self.manners.turned_concealed.powi(turned.min(8) as i32)
    }

    /// A single tile apart, or a sideways tile at an end of a row, is the winning tile. It lies at
    /// the right end by custom.
    fn winning_at_end(&self, run: &[usize]) -> Vec<Reading> {
        let won = |at: usize, weight: f32| {
            let mut concealed = run.to_vec();
            let winning = Some(concealed.remove(at));
            Reading { concealed, winning, weight, ..Reading::default() }
        };
        let turned = run.iter().filter(|&&i| self.sideways[i]).count();
        // In a set apart the turned tile is the claimed one, not the one that won.
        let row = match run.len() {
            3 if self.set_likelihood(run) > POSSIBLE => self.manners.won_in_set,
            4 if self.kong_likelihood(run) > POSSIBLE => self.manners.won_in_set,
            _ => 1.0,
        };
        match run {
            [_] => vec![won(0, 1.0)],
            [.., last] if turned == 1 && self.sideways[*last] => {
                vec![won(run.len() - 1, self.manners.won_right * row)]
            }
            [first, ..] if turned == 1 && self.sideways[*first] => {
                vec![won(0, self.manners.won_left * row)]
            }
            _ => Vec::new(),
        }
    }

    /// Melds at one end of a row, or nothing but melds. Without a gap between them only what lies
    /// sideways or face down tells melds from concealed tiles.
    fn melds_and_row(&self, run: &[usize]) -> Vec<Reading> {
        let mut readings = Vec::new();
        for row in 0..=run.len() {
            let (left, right) = run.split_at(row);
            readings.extend(self.join(left, right));
            if row > 0 {
                // The melds on the left and the row on the right.
                readings.extend(self.join(&run[run.len() - row..], &run[..run.len() - row]));
            }
        }
        readings
    }

    /// A row of concealed tiles with a run of melds beside it.
    fn join(&self, row: &[usize], melds: &[usize]) -> Vec<Reading> {
        if melds.len() < 3 || melds.len() > 4 * MAX_MELDS {
            return Vec::new();
        }
        let alone = row.is_empty();
        let rows = if alone {
            vec![Reading { weight: 1.0, ..Reading::default() }]
        } else {
            let plain = Reading {
                concealed: row.to_vec(),
                weight: self.weight_of_row(row).max(1e-6),
                ..Reading::default()
            };
            std::iter::once(plain).chain(self.winning_at_end(row)).collect()
        };
        let mut readings = Vec::new();
        for chain in self.chains(melds, alone, MAX_MELDS) {
            let place = match alone {
                false => Some(self.manners.touching),
                true if melds.len() > 4 => self.in_line(&chain),
                true => Some(1.0),
            };
            let Some(place) = place else { continue };
            for row in &rows {
                let weight = row.weight * chain.weight * place;
                readings.push(Reading { weight, melds: chain.melds.clone(), ..row.clone() });
            }
        }
        readings
    }

    /// How plausible it is that a row of several sets is no concealed one. Four equal tiles in it of which nothing marks the
    /// kong are one that nobody set apart: they make no row of exposed sets.
    fn in_line(&self, chain: &Chain) -> Option<f32> {
        let is_unmarked = |meld: &&MeldPlan| match meld.shape {
            MeldShape::Apart => true,
            MeldShape::ConcealedKong => meld.hidden.is_empty(),
            MeldShape::Claimed { .. } | MeldShape::AddedKong { .. } => false,
        };
        let mut unmarked = chain.melds.iter().filter(is_unmarked).peekable();
        let weight = if unmarked.peek().is_some() { self.manners.sets_in_line } else { 1.0 };
        unmarked.all(|meld| meld.tiles.len() == 3).then_some(weight)
    }

    /// Every way to cut a run into melds and nothing else, `most` of them.
    fn chains(&self, run: &[usize], apart: bool, most: usize) -> Vec<Chain> {
        if run.is_empty() {
            return vec![Chain { melds: Vec::new(), weight: 1.0 }];
        }
        if run.len() > 4 * most {
            return Vec::new();
        }
        let mut chains = Vec::new();
        for length in [3, 4] {
            let Some((first, rest)) = run.split_at_checked(length) else { continue };
            for (shape, weight) in self.shapes(first, apart) {
                for tail in self.chains(rest, apart, most - 1) {
                    let hidden = self.hidden_in(first);
                    let meld = MeldPlan { tiles: first.to_vec(), shape, hidden };
                    let melds = std::iter::once(meld).chain(tail.melds).collect();
                    chains.push(Chain { melds, weight: weight * tail.weight });
                }
            }
        }
        chains
    }

    /// What three or four tiles can be as a meld. `apart` says that gaps set them apart, so that
    /// even a set with nothing turned can be one.
    fn shapes(&self, set: &[usize], apart: bool) -> Vec<(MeldShape, f32)> {
        let turned: Vec<usize> = (0..set.len()).filter(|&at| self.sideways[set[at]]).collect();
        let hidden = self.hidden_in(set);
        let backs = hidden.len();
        let raised = match (set, self.raised) {
            (&[_, middle, _], Some(raised)) if raised.tile == middle => raised.p,
            _ => 0.0,
        };
        if turned.is_empty() && backs == 0 && raised == 0.0 && !apart {
            return Vec::new();
        }
        let likelihood =
            if set.len() == 3 { self.set_likelihood(set) } else { self.kong_likelihood(set) };
        // A claimed set stays one even if a face is misread: the turned tile shows it.
        let doubt = if likelihood > POSSIBLE { 1.0 } else { self.manners.misread_set };
        if raised > 0.0 && likelihood > POSSIBLE {
            let at = turned.first().copied();
            let flat = at.map_or(MeldShape::Apart, |at| MeldShape::Claimed { at });
            let shapes = [(MeldShape::AddedKong { at }, raised), (flat, 1.0 - raised)];
            return shapes
                .into_iter()
                .filter(|&(shape, _)| apart || shape != MeldShape::Apart)
                .collect();
        }
        match (set.len(), turned.as_slice(), backs) {
            (4, _, 2..) if self.is_kong_hiding(set, &hidden) => {
                vec![(MeldShape::ConcealedKong, 1.0)]
            }
            (3, &[at], 0) => vec![(MeldShape::Claimed { at }, doubt)],
            (4, &[at], 0) if likelihood > POSSIBLE => self.kong_with_one_turned(at),
            (4, &[at, next], 0) if likelihood > POSSIBLE && next == at + 1 => {
                self.kong_with_two_turned(at)
            }
            (3, [], 0) if apart && likelihood > POSSIBLE => {
                vec![(MeldShape::Apart, self.manners.exposed_set)]
            }
            (4, [], 0) if apart && likelihood > POSSIBLE => {
                vec![
                    (MeldShape::Apart, self.manners.exposed_kong),
                    (MeldShape::ConcealedKong, self.manners.open_kong),
                ]
            }
            _ => Vec::new(),
        }
    }

    /// A kong in which one tile lies sideways. Where two are turned in a claimed kong this may be a pung whose fourth
    /// tile was added.
    fn kong_with_one_turned(&self, at: usize) -> Vec<(MeldShape, f32)> {
        match self.conventions.turned_in_claimed_kong {
            Turned::One => vec![(MeldShape::Claimed { at }, 1.0)],
            Turned::Two => {
                vec![(MeldShape::Claimed { at }, 0.6), (MeldShape::AddedKong { at: Some(at) }, 0.4)]
            }
        }
    }

    /// A kong in which two neighbours from `at` on lie sideways: where one tile of a claimed kong is turned, the
    /// fourth lies beside the claimed one.
    fn kong_with_two_turned(&self, at: usize) -> Vec<(MeldShape, f32)> {
        match self.conventions.turned_in_claimed_kong {
            Turned::One => vec![(MeldShape::AddedKong { at: Some(at) }, 1.0)],
            // The last two are the place of the right player.
            Turned::Two => vec![(MeldShape::Claimed { at: if at == 2 { 3 } else { at } }, 1.0)],
        }
    }

    /// A row in which four equal tiles lie together: a hand with a kong that nobody set apart.
    fn kongs_within(&self, run: &[usize]) -> Vec<Reading> {
        if run.len() < 6 {
            return Vec::new();
        }
        let mut readings = Vec::new();
        let mut row = run.to_vec();
        let mut melds = Vec::new();
        let mut weight = self.weight_of_row(run);
        while let Some(at) = (0..row.len().saturating_sub(3)).find(|&at| {
            let four = &row[at..at + 4];
            four.iter().all(|&i| !self.is_back(i)) && self.kong_likelihood(four) > LIKELY
        }) {
            let tiles = row.drain(at..at + 4).collect();
            melds.push(MeldPlan { tiles, shape: MeldShape::ConcealedKong, hidden: Vec::new() });
            weight *= self.manners.kong_within;
            readings.push(Reading {
                concealed: row.clone(),
                melds: melds.clone(),
                weight,
                ..Reading::default()
            });
        }
        readings
    }

    /// A tile above a group: the fourth of an added kong when it equals the set below, the winning
    /// tile otherwise.
    fn with_above(&self, run: &[usize], above: usize) -> Vec<Reading> {
        let mut readings = Vec::new();
        for reading in self.run(run) {
            for (m, meld) in reading.melds.iter().enumerate() {
                let with: Vec<usize> = meld.tiles.iter().copied().chain([above]).collect();
                if meld.tiles.len() == 3 && self.kong_likelihood(&with) > POSSIBLE {
                    let at = match meld.shape {
                        MeldShape::Claimed { at } => Some(at),
                        _ => None,
                    };
                    let mut added = reading.clone();
                    let shape = MeldShape::AddedKong { at };
                    added.melds[m] = MeldPlan { tiles: with, shape, hidden: Vec::new() };
                    readings.push(added);
                }
            }
            let mut apart = reading;
            // A second winning tile is none: this one lies apart more plainly.
            apart.concealed.extend(apart.winning.replace(above));
            readings.push(apart);
        }
        readings
    }

    /// Backs that are in no meld show nothing that could be scored.
    fn put_backs_aside(&self, reading: &mut Reading) {
        let (backs, faces): (Vec<usize>, Vec<usize>) =
            reading.concealed.iter().partition(|&&i| self.is_back(i));
        reading.concealed = faces;
        reading.hidden = backs;
        if let Some(back) = reading.winning.take_if(|i| self.is_back(*i)) {
            reading.hidden.push(back);
        }
    }

    /// The tiles of a set that lie face down: backs, and what looks like a white dragon where a concealed kong has backs.
    fn hidden_in(&self, set: &[usize]) -> Vec<usize> {
        if is_dragon_kong(self.tiles, set) {
            return Vec::new();
        }
        let pale = || hidden_in(self.tiles, set);
        let backs: Vec<usize> = set.iter().copied().filter(|&i| self.is_back(i)).collect();
        if backs.len() >= 2 { backs } else { pale().unwrap_or(backs) }
    }

    /// Whether the tiles of four that do not lie face down may be of one kind.
    fn is_kong_hiding(&self, set: &[usize], hidden: &[usize]) -> bool {
        let open: Vec<usize> = set.iter().copied().filter(|i| !hidden.contains(i)).collect();
        open.is_empty() || self.kong_likelihood(&open) > POSSIBLE
    }

    fn is_back(&self, i: usize) -> bool {
        self.tiles[i].faces.sort().0 == Sort::Back
    }

    fn p(&self, i: usize, tile: Tile) -> f32 {
        self.tiles[i].faces.of(Some(Face::Tile(tile)))
    }

    /// The probability of the likeliest chow or pung of three tiles against that of their
    /// likeliest faces.
    fn set_likelihood(&self, set: &[usize]) -> f32 {
        let &[a, b, c] = set else { return 0.0 };
        let pungs =
            Tile::ALL.into_iter().map(|tile| set.iter().map(|&i| self.p(i, tile)).product());
        let chows = Tile::ALL.into_iter().filter_map(Chow::new).flat_map(|chow| {
            let [x, y, z] = chow.tiles();
            let orders = [[x, y, z], [x, z, y], [y, x, z], [y, z, x], [z, x, y], [z, y, x]];
            orders.map(|[x, y, z]| self.p(a, x) * self.p(b, y) * self.p(c, z))
        });
        let best = pungs.chain(chows).fold(0.0, f32::max);
        best / self.best_product(set)
    }

    /// The same for four of a kind, where a back may be any tile.
    fn kong_likelihood(&self, set: &[usize]) -> f32 {
        let faces: Vec<usize> = set.iter().copied().filter(|&i| !self.is_back(i)).collect();
        if faces.is_empty() {
            return 1.0;
        }
        let of = |tile| faces.iter().map(|&i| self.p(i, tile)).product::<f32>();
        Tile::ALL.into_iter().map(of).fold(0.0, f32::max) / self.best_product(&faces)
    }

    fn best_product(&self, set: &[usize]) -> f32 {
        let best = |i: &usize| self.tiles[*i].faces.top().1;
        set.iter().map(best).product::<f32>().max(f32::MIN_POSITIVE)
    }
}

/// Whether tiles may all be of one kind, one misread tile forgiven.
pub(super) fn may_be_one_kind(tiles: &[SeenTile], set: &[usize]) -> bool {
    let eyes = Eyes::on(tiles);
    set.iter().all(|&i| !eyes.is_back(i)) && eyes.kong_likelihood(set) > POSSIBLE
}

/// Whether three tiles may be a chow or a pung, one misread tile forgiven.
pub(super) fn may_be_set(tiles: &[SeenTile], set: &[usize]) -> bool {
    let eyes = Eyes::on(tiles);
    set.iter().all(|&i| !eyes.is_back(i)) && eyes.set_likelihood(set) > POSSIBLE
}

/// A run of melds.
struct Chain {
    melds: Vec<MeldPlan>,
    weight: f32,
}

/// A set is possible when it is at least this probable against the likeliest faces: one misread
/// tile is forgiven when its true face was among the candidates.
const POSSIBLE: f32 = 1e-3;

/// A set is likely when its own faces are (nearly) the likeliest.
const LIKELY: f32 = 0.3;
