//! The parts of a plan that are named together: single tiles and whole melds.
//!
//! Input: a plan and the tiles' probabilities. Output: [`Unit`]s with their choices, the most
//! probable first, and the [`HandSetup`] that one choice for each makes. Invariant: the choices of
//! a unit sum to at most one, and there is always at least one.

use super::super::classify::SeenTile;
use super::super::layout::{MeldPlan, MeldShape, Plan};
use crate::hand::{Flowers, HandSetup};
use crate::meld::{Chow, KongKind, Meld, Relation};
use crate::tile::{Bonus, Face, Tile};

/// One decision to be made: a tile or a meld.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) choices: Vec<(Choice, f32)>,
}

/// One way to name a unit.
#[derive(Debug, Clone)]
pub(super) enum Choice {
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

impl Choice {
    /// Whether this is a kong of which only backs are seen.
    pub(super) fn is_hidden_kong(&self) -> bool {
        matches!(self, Choice::Broken { tiles, .. } if tiles.is_empty())
    }

    /// The faces that this choice gives to tiles.
    pub(super) fn faces(&self) -> Vec<(usize, Face)> {
        match self {
            Choice::Concealed(i, tile) | Choice::Winning(i, tile) => vec![(*i, Face::Tile(*tile))],
            Choice::Flower(i, bonus) => vec![(*i, Face::Bonus(*bonus))],
            Choice::Meld { faces, .. } => faces.clone(),
            Choice::Broken { tiles, .. } => {
                tiles.iter().map(|&(i, tile)| (i, Face::Tile(tile))).collect()
            }
            Choice::Hidden(i) => vec![(*i, Face::Back)],
        }
    }
}

/// A tile that the classifier names with this much confidence keeps its name. Calibrated
/// probabilities are wrong once in fifty at 0.98; a hand of fourteen would otherwise be bent into
/// a winning one by its surest tiles.
const CONFIDENT: f32 = 0.98;

/// Faces below this probability are not considered.
const LEAST: f32 = 2e-3;

/// Most candidates for one tile.
const MOST: usize = 6;

/// In a set the two other tiles speak for the face of a doubtful third: there this little is enough.
const LEAST_IN_SET: f32 = 1e-4;

/// A set that the tiles' candidates do not make is this much less probable than they say: the
/// layout's claim that they are a set is strong.
const NO_SET: f32 = 0.01;

/// The decisions that a plan leaves to be made.
pub(super) fn units_of(tiles: &[SeenTile], plan: &Plan) -> Vec<Unit> {
    let single = |i: usize, make: fn(usize, Tile) -> Choice| Unit {
        choices: candidates(&tiles[i], |face| face.tile())
            .into_iter()
            .map(|(tile, p)| (make(i, tile), p))
            .collect(),
    };
    let concealed = plan.concealed.iter().map(|&i| single(i, Choice::Concealed));
    let winning = plan.winning.iter().map(|&i| single(i, Choice::Winning));
    let flowers = plan.flowers.iter().map(|&i| Unit {
        choices: candidates(&tiles[i], |face| face.bonus())
            .into_iter()
            .map(|(bonus, p)| (Choice::Flower(i, bonus), p))
            .collect(),
    });
    let melds = plan.melds.iter().enumerate().map(|(m, meld)| meld_unit(tiles, m, meld));
    let hidden = plan.hidden.iter().map(|&i| Unit { choices: vec![(Choice::Hidden(i), 1.0)] });
    concealed.chain(winning).chain(flowers).chain(melds).chain(hidden).collect()
}

/// The faces of one sort that a tile may show, with probabilities that sum to one over that sort.
/// When no face of the sort is seen at all, the likeliest one stands alone.
fn candidates<T>(tile: &SeenTile, sort: fn(Face) -> Option<T>) -> Vec<(T, f32)> {
    candidates_above(tile, sort, LEAST, MOST)
}

/// The same down to a probability of `least`, `most` of them.
fn candidates_above<T>(
    tile: &SeenTile,
    sort: fn(Face) -> Option<T>,
    least: f32,
    most: usize,
) -> Vec<(T, f32)> {
    let all: Vec<(T, f32)> = tile
        .faces
        .candidates(0.0)
        .into_iter()
        .filter_map(|(face, p)| Some((sort(face?)?, p)))
        .collect();
    let sum = all.iter().map(|(_, p)| p).sum::<f32>().max(f32::MIN_POSITIVE);
    let first = all.first().map_or(0.0, |(_, p)| p / sum);
    all.into_iter()
        .enumerate()
        .map(|(rank, (face, p))| (rank, (face, p / sum)))
        .take_while(|&(rank, (_, p))| rank == 0 || (first < CONFIDENT && rank < most && p >= least))
        .map(|(_, candidate)| candidate)
        .collect()
}

/// The sets that a meld's tiles may be.
fn meld_unit(tiles: &[SeenTile], place: usize, plan: &MeldPlan) -> Unit {
    let faces: Vec<(usize, Vec<(Tile, f32)>)> = plan
        .tiles
        .iter()
        .filter(|i| !plan.hidden.contains(i))
        .map(|&i| (i, candidates_above(&tiles[i], |face| face.tile(), LEAST_IN_SET, Tile::KINDS)))
        .collect();
    let mut choices: Vec<(Choice, f32)> = Vec::new();
    // A kong of backs could be anything: it is named by nothing, and the doubt asks.
    if !faces.is_empty() {
        for tile in Tile::ALL {
            choices.extend(same_kind(plan, &faces, tile));
        }
        if plan.tiles.len() == 3 && !matches!(plan.shape, MeldShape::AddedKong { .. }) {
            choices.extend(
                Tile::ALL
                    .into_iter()
                    .filter_map(Chow::new)
                    .flat_map(|chow| chows(plan, &faces, chow)),
            );
        }
    }
    choices.extend(broken(place, plan, &faces));
    choices.sort_by(|a, b| b.1.total_cmp(&a.1));
    choices.truncate(MOST * 2);
    Unit { choices }
}

/// How probable it is that a place of the meld shows a tile.
fn p(faces: &[(usize, Vec<(Tile, f32)>)], at: usize, tile: Tile) -> f32 {
    faces[at].1.iter().find(|(candidate, _)| *candidate == tile).map_or(0.0, |&(_, p)| p)
}

/// The pung or kong of one kind, if every face may be it.
fn same_kind(
    plan: &MeldPlan,
    faces: &[(usize, Vec<(Tile, f32)>)],
    tile: Tile,
) -> Option<(Choice, f32)> {
    let probability: f32 = (0..faces.len()).map(|at| p(faces, at, tile)).product();
    let from = relation(plan);
    let meld = match (plan.tiles.len(), plan.shape) {
        (_, MeldShape::AddedKong { .. }) => Meld::Kong { tile, kind: KongKind::Added { from } },
        (3, _) => Meld::Pung { tile, from },
        (_, MeldShape::ConcealedKong) => Meld::Kong { tile, kind: KongKind::Concealed },
        _ => Meld::Kong { tile, kind: KongKind::Exposed { from } },
    };
    let seen = |i: usize| {
        let hidden = faces.iter().all(|&(face, _)| face != i);
        (i, if hidden { Face::Back } else { Face::Tile(tile) })
    };
    let faces = plan.tiles.iter().map(|&i| seen(i)).collect();
    (probability > 0.0).then_some((Choice::Meld { meld, faces }, probability))
}

/// A chow in each order of its tiles that the faces allow.
fn chows(plan: &MeldPlan, faces: &[(usize, Vec<(Tile, f32)>)], chow: Chow) -> Vec<(Choice, f32)> {
    const ORDERS: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    if faces.len() != 3 {
        return Vec::new();
    }
    ORDERS
        .into_iter()
        .filter_map(|order| {
            let shown = order.map(|at| chow.tiles()[at]);
            let probability: f32 = (0..3).map(|at| p(faces, at, shown[at])).product();
            let claimed = match plan.shape {
                MeldShape::Claimed { at } => chow.claiming(shown[at])?,
                _ => chow,
            };
            let faces = (0..3).map(|at| (faces[at].0, Face::Tile(shown[at]))).collect();
            let choice = Choice::Meld { meld: Meld::Chow(claimed), faces };
            (probability > 0.0).then_some((choice, probability))
        })
        .collect()
}

/// The likeliest faces as they are, when they form no set.
fn broken(
    place: usize,
    plan: &MeldPlan,
    faces: &[(usize, Vec<(Tile, f32)>)],
) -> Option<(Choice, f32)> {
    let tiles: Vec<(usize, Tile)> = faces.iter().map(|(i, all)| (*i, all[0].0)).collect();
    let probability: f32 = faces.iter().map(|(_, all)| all[0].1).product();
    let kinds: Vec<Tile> = tiles.iter().map(|&(_, tile)| tile).collect();
    let is_set =
        !kinds.is_empty() && (is_same(&kinds) || (plan.tiles.len() == 3 && is_chow(&kinds)));
    (!is_set).then_some((Choice::Broken { place, tiles }, probability * NO_SET))
}

fn is_same(kinds: &[Tile]) -> bool {
    kinds.windows(2).all(|pair| pair[0] == pair[1])
}

fn is_chow(kinds: &[Tile]) -> bool {
    let mut sorted = kinds.to_vec();
    sorted.sort();
    sorted.len() == 3 && sorted.windows(2).all(|pair| pair[0].successor() == Some(pair[1]))
}

/// From whom the turned tile of a set was claimed.
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

/// The hand that one choice for each unit makes, and the places of melds that are none.
pub(super) fn assemble(plan: &Plan, choices: &[&Choice]) -> (HandSetup, Vec<usize>) {
    let mut setup = HandSetup::default();
    let mut broken = Vec::new();
    for choice in choices {
        match choice {
            Choice::Concealed(_, tile) => setup.concealed.push(*tile),
            Choice::Winning(_, tile) => setup.winning = Some(*tile),
            Choice::Meld { meld, .. } => setup.melds.push(*meld),
            Choice::Broken { place, tiles } => {
                // A kong of backs is a meld that nobody can name, not a handful of tiles.
                if !tiles.is_empty() || plan.melds[*place].tiles.len() == 4 {
                    broken.push(*place);
                }
                setup.concealed.extend(tiles.iter().map(|&(_, tile)| tile));
            }
            // A flower that is there twice is one of a kind that nobody can name.
            Choice::Flower(_, bonus) => {
                let flowers = setup.flowers;
                setup.flowers = flowers
                    .with(*bonus)
                    .or_else(|_| flowers.with_unnamed(flowers.unnamed_count() + 1))
                    .unwrap_or(flowers);
            }
            Choice::Hidden(_) => {}
        }
    }
    (setup, broken)
}

/// Whether a flower or season is there twice.
pub(super) fn has_flower_twice(choices: &[&Choice]) -> bool {
    let mut seen = Flowers::NONE;
    choices.iter().any(|choice| match choice {
        Choice::Flower(_, bonus) => match seen.with(*bonus) {
            Ok(flowers) => {
                seen = flowers;
                false
            }
            Err(_) => true,
        },
        _ => false,
    })
}
