//! Parts of a plan that are named together: single tiles and whole melds.
//!
//! Input: a plan and the tiles' probabilities. Output: [`Part`]s with their namings, the most
//! probable first, and the [`HandSetup`] that results from one naming for each part. Invariant: the
//! namings of a part sum to at most one, and there is always at least one.

use tilesight_core::hand::{Flowers, HandSetup, Reds};
use tilesight_core::meld::{Chow, KongKind, Meld, Relation};
use tilesight_core::tile::{Bonus, Face, PrintedTile, Tile};

use crate::layout::{CHOW_ORDERS, MeldPlan, MeldShape, Plan};
use crate::params::JointParams;
use crate::pixels::seen_tile::SeenTile;

/// Maximum number of red fives of each suit in a set: characters, dots, bamboo. Sets with four have
/// two of dots; whether the rules play with such a set is theirs to say.
const RED_FIVES: [u8; 3] = [1, 2, 1];

/// A tile or a meld of a plan.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) namings: Vec<WeightedNaming>,
}

/// A naming with its probability.
#[derive(Debug)]
pub(super) struct WeightedNaming {
    pub(super) naming: Naming,
    pub(super) p: f32,
}

/// A naming of a part.
#[derive(Debug, Clone)]
pub(super) enum Naming {
    /// A concealed tile.
    Concealed(usize, Tile),
    /// The winning tile.
    Winning(usize, Tile),
    /// A flower or season.
    Flower(usize, Bonus),
    /// A meld with its tiles' faces.
    Meld { meld: Meld, faces: Vec<(usize, Face)> },
    /// Tiles that should be the meld at this place of the plan, but form no set.
    Broken { place: usize, tiles: Vec<(usize, Tile)> },
    /// A tile that shows its back.
    Hidden(usize),
}

impl Naming {
    /// Returns whether this is a kong of which only backs are seen.
    pub(super) fn is_hidden_kong(&self) -> bool {
        matches!(self, Naming::Broken { tiles, .. } if tiles.is_empty())
    }

    /// Returns the faces that this naming gives to tiles.
    pub(super) fn faces(&self) -> Vec<(usize, Face)> {
        match self {
            Naming::Concealed(i, tile) | Naming::Winning(i, tile) => vec![(*i, Face::Tile(*tile))],
            Naming::Flower(i, bonus) => vec![(*i, Face::Bonus(*bonus))],
            Naming::Meld { faces, .. } => faces.clone(),
            Naming::Broken { tiles, .. } => {
                tiles.iter().map(|&(i, tile)| (i, Face::Tile(tile))).collect()
            }
            Naming::Hidden(i) => vec![(*i, Face::Back)],
        }
    }
}

/// Returns the parts of a plan.
pub(super) fn parts_of(tiles: &[SeenTile], plan: &Plan, params: &JointParams) -> Vec<Part> {
    let limits = CandidateLimits::for_single_tile(params);
    let concealed = plan.concealed.iter().map(|&i| {
        Part::from_tile(&tiles[i], Face::tile, &limits, |tile| Naming::Concealed(i, tile))
    });
    let winning = plan
        .winning
        .iter()
        .map(|&i| Part::from_tile(&tiles[i], Face::tile, &limits, |tile| Naming::Winning(i, tile)));
    let flowers = plan.flowers.iter().map(|&i| {
        Part::from_tile(&tiles[i], Face::bonus, &limits, |bonus| Naming::Flower(i, bonus))
    });
    let melds = plan
        .melds
        .iter()
        .enumerate()
        .map(|(place, meld)| SeenMeld::new(tiles, place, meld, params).part());
    let hidden = plan.hidden.iter().map(|&i| Part::hidden(i));
    concealed.chain(winning).chain(flowers).chain(melds).chain(hidden).collect()
}

impl Part {
    /// Creates the part of a single tile, by its faces of one sort.
    fn from_tile<T>(
        tile: &SeenTile,
        sort: fn(Face) -> Option<T>,
        limits: &CandidateLimits,
        name: impl Fn(T) -> Naming,
    ) -> Part {
        let named = candidates(tile, sort, limits).into_iter();
        Part { namings: named.map(|(face, p)| WeightedNaming { naming: name(face), p }).collect() }
    }

    /// Creates the part of a tile that lies face down.
    fn hidden(i: usize) -> Part {
        Part { namings: vec![WeightedNaming { naming: Naming::Hidden(i), p: 1.0 }] }
    }
}

/// Limits on the faces of a tile that are considered.
struct CandidateLimits {
    /// Probability from which the likeliest face is the only candidate.
    confident: f32,
    /// Minimum probability of a face.
    min_p: f32,
    /// Maximum number of faces.
    max_faces: usize,
}

impl CandidateLimits {
    fn for_single_tile(params: &JointParams) -> CandidateLimits {
        let JointParams { confident, min_face: min_p, max_faces, .. } = *params;
        CandidateLimits { confident, min_p, max_faces }
    }

    fn for_set(params: &JointParams) -> CandidateLimits {
        let JointParams { confident, negligible: min_p, .. } = *params;
        CandidateLimits { confident, min_p, max_faces: Tile::KINDS }
    }
}

/// Returns the faces of one sort that a tile may show, with probabilities that sum to one over that
/// sort. At least the likeliest face is a candidate.
fn candidates<T>(
    tile: &SeenTile,
    sort: fn(Face) -> Option<T>,
    limits: &CandidateLimits,
) -> Vec<(T, f32)> {
    let all: Vec<(T, f32)> = tile
        .faces
        .candidates(0.0)
        .into_iter()
        .filter_map(|(face, p)| Some((sort(face?)?, p)))
        .collect();
    let sum = all.iter().map(|(_, p)| p).sum::<f32>().max(f32::MIN_POSITIVE);
    let is_unsure = all.first().map_or(0.0, |(_, p)| p / sum) < limits.confident;
    all.into_iter()
        .enumerate()
        .map(|(rank, (face, p))| (rank, (face, p / sum)))
        .take_while(|&(rank, (_, p))| {
            rank == 0 || (is_unsure && rank < limits.max_faces && p >= limits.min_p)
        })
        .map(|(_, candidate)| candidate)
        .collect()
}

/// A meld of a plan, and the candidates for its tiles that lie face up.
struct SeenMeld<'a> {
    place: usize,
    plan: &'a MeldPlan,
    faces: Vec<(usize, Vec<(Tile, f32)>)>,
    params: &'a JointParams,
}

impl<'a> SeenMeld<'a> {
    fn new(
        tiles: &[SeenTile],
        place: usize,
        plan: &'a MeldPlan,
        params: &'a JointParams,
    ) -> SeenMeld<'a> {
        let limits = CandidateLimits::for_set(params);
        let open = plan.tiles.iter().filter(|i| !plan.hidden.contains(i));
        let faces = open.map(|&i| (i, candidates(&tiles[i], |face| face.tile(), &limits)));
        SeenMeld { place, plan, faces: faces.collect(), params }
    }

    /// Returns the part with the sets that the tiles may be.
    fn part(&self) -> Part {
        let mut namings: Vec<WeightedNaming> = Vec::new();
        // A kong of backs could be any kong: it gets no name, and a doubt asks for it.
        if !self.faces.is_empty() {
            namings.extend(Tile::ALL.into_iter().filter_map(|tile| self.same_kind(tile)));
            if self.plan.tiles.len() == 3 && !matches!(self.plan.shape, MeldShape::AddedKong { .. })
            {
                let chows = Tile::ALL.into_iter().filter_map(Chow::new);
                namings.extend(chows.flat_map(|chow| self.chows(chow)));
            }
        }
        namings.extend(self.broken());
        namings.sort_by(|a, b| b.p.total_cmp(&a.p));
        namings.truncate(self.params.max_faces * 2);
        Part { namings }
    }

    /// Returns the probability that a place of the meld shows a tile.
    fn p(&self, at: usize, tile: Tile) -> f32 {
        let faces = &self.faces[at].1;
        faces.iter().find(|(candidate, _)| *candidate == tile).map_or(0.0, |&(_, p)| p)
    }

    /// Returns the pung or kong of one kind, if every face may be of this kind.
    fn same_kind(&self, tile: Tile) -> Option<WeightedNaming> {
        let p: f32 = (0..self.faces.len()).map(|at| self.p(at, tile)).product();
        let from = relation(self.plan);
        let meld = match (self.plan.tiles.len(), self.plan.shape) {
            (_, MeldShape::AddedKong { .. }) => Meld::Kong { tile, kind: KongKind::Added { from } },
            (3, _) => Meld::Pung { tile, from },
            (_, MeldShape::ConcealedKong) => Meld::Kong { tile, kind: KongKind::Concealed },
            _ => Meld::Kong { tile, kind: KongKind::Exposed { from } },
        };
        let shown = self.plan.tiles.iter().map(|&i| {
            let is_hidden = self.faces.iter().all(|&(face, _)| face != i);
            (i, if is_hidden { Face::Back } else { Face::Tile(tile) })
        });
        let faces = shown.collect();
        (p > 0.0).then_some(WeightedNaming { naming: Naming::Meld { meld, faces }, p })
    }

    /// Returns a chow in each order of its tiles that the faces allow.
    fn chows(&self, chow: Chow) -> Vec<WeightedNaming> {
        if self.faces.len() != 3 {
            return Vec::new();
        }
        CHOW_ORDERS.into_iter().filter_map(|order| self.chow_in_order(chow, order)).collect()
    }

    fn chow_in_order(&self, chow: Chow, order: [usize; 3]) -> Option<WeightedNaming> {
        let shown = order.map(|at| chow.tiles()[at]);
        let p: f32 = (0..3).map(|at| self.p(at, shown[at])).product();
        let claimed = match self.plan.shape {
            MeldShape::Claimed { at } => chow.claiming(shown[at])?,
            _ => chow,
        };
        let faces = (0..3).map(|at| (self.faces[at].0, Face::Tile(shown[at]))).collect();
        let naming = Naming::Meld { meld: Meld::Chow(claimed), faces };
        (p > 0.0).then_some(WeightedNaming { naming, p })
    }

    /// Returns the likeliest faces as they are, when they form no set.
    fn broken(&self) -> Option<WeightedNaming> {
        let tiles: Vec<(usize, Tile)> =
            self.faces.iter().map(|(i, candidates)| (*i, candidates[0].0)).collect();
        let p: f32 = self.faces.iter().map(|(_, candidates)| candidates[0].1).product();
        let kinds: Vec<Tile> = tiles.iter().map(|&(_, tile)| tile).collect();
        let is_chow = self.plan.tiles.len() == 3 && is_chow(&kinds);
        let is_set = !kinds.is_empty() && (is_same(&kinds) || is_chow);
        let naming = Naming::Broken { place: self.place, tiles };
        (!is_set).then_some(WeightedNaming { naming, p: p * self.params.not_a_set })
    }
}

fn is_same(kinds: &[Tile]) -> bool {
    kinds.windows(2).all(|pair| pair[0] == pair[1])
}

fn is_chow(kinds: &[Tile]) -> bool {
    let mut sorted = kinds.to_vec();
    sorted.sort();
    sorted.len() == 3 && sorted.windows(2).all(|pair| pair[0].successor() == Some(pair[1]))
}

/// Returns the player from whom the turned tile of a set was claimed.
fn relation(plan: &MeldPlan) -> Option<Relation> {
    let (at, count) = match plan.shape {
        MeldShape::Claimed { at } => (at, plan.tiles.len()),
        MeldShape::AddedKong { at } => (at?, 3),
        MeldShape::Apart | MeldShape::ConcealedKong => return None,
    };
    Some(match at {
        0 => Relation::Left,
        _ if at + 1 >= count => Relation::Right,
        _ => Relation::Across,
    })
}

/// The hand that results from namings.
#[derive(Default)]
pub(super) struct NamedHand {
    pub(super) setup: HandSetup,
    /// Places of the melds whose tiles form no set.
    pub(super) broken: Vec<usize>,
}

/// Returns the hand that results from one naming for each part.
pub(super) fn assemble(plan: &Plan, namings: &[&Naming]) -> NamedHand {
    let mut hand = NamedHand::default();
    let setup = &mut hand.setup;
    for naming in namings {
        match naming {
            Naming::Concealed(_, tile) => setup.concealed.push(*tile),
            Naming::Winning(_, tile) => setup.winning = Some(*tile),
            Naming::Meld { meld, .. } => setup.melds.push(*meld),
            Naming::Broken { place, tiles } => {
                // A kong of backs is a meld without a name, not single tiles.
                if !tiles.is_empty() || plan.melds[*place].tiles.len() == 4 {
                    hand.broken.push(*place);
                }
                setup.concealed.extend(tiles.iter().map(|&(_, tile)| tile));
            }
            Naming::Flower(_, bonus) => setup.flowers = with_flower(setup.flowers, *bonus),
            Naming::Hidden(_) => {}
        }
    }
    hand
}

/// Returns the red fives among the tiles that the namings name. Of more than a set has the
/// likeliest ones are red.
pub(super) fn reds(tiles: &[SeenTile], namings: &[&Naming]) -> Reds {
    let surplus = surplus_reds(tiles, namings.iter().flat_map(|naming| naming.faces()));
    let mut concealed = Vec::new();
    let mut winning = None;
    let mut in_melds = Vec::new();
    for naming in namings {
        match naming {
            Naming::Concealed(i, tile) => concealed.push(printed(tiles, &surplus, *i, *tile)),
            Naming::Winning(i, tile) => winning = Some(printed(tiles, &surplus, *i, *tile)),
            Naming::Meld { faces, .. } => {
                let shown = faces.iter().filter_map(|&(i, face)| Some((i, face.tile()?)));
                in_melds.extend(shown.map(|(i, tile)| printed(tiles, &surplus, i, tile)));
            }
            Naming::Broken { tiles: loose, .. } => {
                concealed.extend(loose.iter().map(|&(i, tile)| printed(tiles, &surplus, i, tile)));
            }
            Naming::Flower(..) | Naming::Hidden(_) => {}
        }
    }
    Reds::new(&concealed, winning, &in_melds)
}

/// Returns the tile as it is printed, a plain one for one of the `surplus`.
fn printed(tiles: &[SeenTile], surplus: &[usize], i: usize, tile: Tile) -> PrintedTile {
    let seen = tiles[i].printed(tile);
    PrintedTile { red: seen.red && !surplus.contains(&i), ..seen }
}

/// Returns the tiles of a hand that look like red fives beyond those that a set has: the least
/// likely ones.
pub(in crate::decide) fn surplus_reds(
    tiles: &[SeenTile],
    faces: impl Iterator<Item = (usize, Face)>,
) -> Vec<usize> {
    let mut reds: Vec<(usize, Tile)> = faces
        .filter_map(|(i, face)| Some((i, face.tile()?)))
        .filter(|&(i, tile)| tiles[i].printed(tile).red)
        .collect();
    reds.sort_by(|&(i, one), &(j, other)| {
        tiles[j].red_probability(other).total_cmp(&tiles[i].red_probability(one))
    });
    let mut left = RED_FIVES;
    reds.retain(|(_, tile)| {
        let left = tile.suit().map(|suit| &mut left[suit as usize]).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_none()
    });
    reds.into_iter().map(|(i, _)| i).collect()
}

/// Adds a flower; a second one of the same name is counted without a name.
fn with_flower(flowers: Flowers, bonus: Bonus) -> Flowers {
    flowers
        .with(bonus)
        .or_else(|_| flowers.with_unnamed(flowers.unnamed_count() + 1))
        .unwrap_or(flowers)
}

/// Returns whether a flower or season occurs twice.
pub(super) fn has_flower_twice(namings: &[&Naming]) -> bool {
    let mut seen = Flowers::NONE;
    namings.iter().any(|naming| match naming {
        Naming::Flower(_, bonus) => match seen.with(*bonus) {
            Ok(flowers) => {
                seen = flowers;
                false
            }
            Err(_) => true,
        },
        _ => false,
    })
}
