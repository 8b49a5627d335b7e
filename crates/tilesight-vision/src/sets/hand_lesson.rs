//! Lesson of a photo of a hand whose notation a person gave.
//!
//! Input: the reading of the photo, and the notation. Output: the tiles whose names are sure, and
//! those that were left out, each with the reason. The tiles may lie group by group, as they were
//! typed or with the groups in another order, or in any order. Groups are believed only if the sure
//! tiles lie in them as they would rarely lie by chance. Invariant: a tile is learned only if every
//! other name for it explains the photo much worse, in each of both orders that may be right.

use std::collections::BTreeMap;

use tilesight_core::explain::{Lang, Message, display_english};
use tilesight_core::hand::HandSetup;
use tilesight_core::meld::{KongKind, Meld};
use tilesight_core::notation::Notation;
use tilesight_core::tile::{Face, Tile};

use super::error::SheetError;
use super::learn::LabelledTile;
use super::pairing::{Groups, PairCosts, Pairing};
use crate::geometry::Quad;
use crate::params::SheetParams;
use crate::pixels::faces::name;
use crate::{ReadTile, Reading, Role, texts};

const PARAMS: SheetParams = SheetParams::DEFAULT;

/// Maximum number of groups whose orders are all tried. The tiles of a notation with more lie in
/// any order: groups of one or two tiles say little about it.
const MAX_GROUPS: usize = 8;

/// The tiles of a hand to learn from.
#[derive(Debug, Clone, PartialEq)]
pub struct HandLesson {
    /// The tiles whose names are sure.
    pub tiles: Vec<LabelledTile>,
    /// The tiles that nothing is learned from.
    pub left_out: Vec<UntaughtTile>,
}

/// A tile of a hand that nothing is learned from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum UntaughtTile {
    /// A tile of the notation that no tile of the photo can be.
    Unseen(Face),
    /// A tile of the photo that may be one or another tile of the notation, or none.
    Unsure {
        /// Likeliest face.
        face: Face,
        /// Face that the networks alone see; `None` for none.
        seen: Option<Face>,
        /// Outline; corner 0 is the top left of the face.
        quad: Quad,
    },
    /// A tile of the photo that the notation does not have.
    Surplus {
        /// Face that the networks alone see; `None` for none.
        seen: Option<Face>,
        /// Outline; corner 0 is the top left of the face.
        quad: Quad,
    },
}

display_english!(UntaughtTile);

impl Message for UntaughtTile {
    fn text(&self, lang: Lang) -> String {
        use texts::untaught_tile as untaught;
        match self {
            UntaughtTile::Unseen(face) => untaught::unseen(lang, face),
            UntaughtTile::Unsure { face, seen, .. } => untaught::unsure(lang, name(*seen), face),
            UntaughtTile::Surplus { seen, .. } => untaught::surplus(lang, name(*seen)),
        }
    }
}

/// A tile of the notation.
#[derive(Debug, Clone, Copy)]
struct Sought {
    tile: Face,
    /// Group that the tile lies in: a suit, the honors, a meld, the winning tile or the flowers.
    group: usize,
    /// Whether the tile is the winning one, which may lie anywhere.
    wins: bool,
    /// Whether the tile may lie face down, as part of a concealed kong.
    may_hide: bool,
}

impl HandLesson {
    /// Names the tiles of a hand that was read by a notation that a person gave.
    ///
    /// # Errors
    /// [`SheetError::Hand`] if no tile of the notation is surely seen.
    pub fn new(reading: &Reading, notation: &Notation) -> Result<HandLesson, SheetError> {
        let of_hand = reading.tiles.iter().filter(|tile| tile.role != Role::Ignored);
        HandLesson::from_tiles(of_hand.collect(), &notation.hand)
    }

    fn from_tiles(of_hand: Vec<&ReadTile>, hand: &HandSetup) -> Result<HandLesson, SheetError> {
        let sought = tiles_of(hand);
        let may_hide = sought.iter().any(|sought| sought.may_hide);
        let (backs, tiles): (Vec<&ReadTile>, Vec<&ReadTile>) =
            of_hand.into_iter().partition(|tile| may_hide && tile.face == Some(Face::Back));
        let mut lesson = HandLesson::paired(&tiles, &sought, backs.len());
        if lesson.tiles.is_empty() {
            return Err(SheetError::Hand { named: sought.len() });
        }
        let backs = backs.into_iter();
        lesson.tiles.extend(backs.map(|back| labelled(back, Face::Back)));
        Ok(lesson)
    }

    /// Pairs the tiles that lie face up with those of the notation, of which this many lie face
    /// down.
    fn paired(tiles: &[&ReadTile], sought: &[Sought], hidden: usize) -> HandLesson {
        let costs = costs(tiles, sought, hidden > 0);
        let tenable = tenable(&costs, sought);
        let mut lesson = HandLesson { tiles: Vec::new(), left_out: Vec::new() };
        let Some(best) = tenable.first() else { return lesson };
        for (at, tile) in tiles.iter().enumerate() {
            match name_of(at, &tenable, sought) {
                Name::Sure(face) => lesson.tiles.push(labelled(tile, face)),
                Name::Unsure(face) => {
                    let seen = tile.seen.faces.best();
                    let quad = upright_quad(tile);
                    lesson.left_out.push(UntaughtTile::Unsure { face, seen, quad });
                }
                Name::None => {
                    let seen = tile.seen.faces.best();
                    let quad = upright_quad(tile);
                    lesson.left_out.push(UntaughtTile::Surplus { seen, quad });
                }
            }
        }
        let missing =
            (0..sought.len()).filter(|at| !best.partners.contains(&Some(*at))).map(|at| sought[at]);
        let (face_down, face_up): (Vec<Sought>, Vec<Sought>) =
            missing.partition(|sought| sought.may_hide);
        let missing = face_up.into_iter().chain(face_down.into_iter().skip(hidden));
        lesson.left_out.extend(missing.map(|sought| UntaughtTile::Unseen(sought.tile)));
        lesson
    }
}

/// Name of a tile of the photo.
enum Name {
    Sure(Face),
    /// The likeliest of several.
    Unsure(Face),
    /// The notation has no such tile.
    None,
}

/// Names a tile of the photo: for sure only if all pairings that may be right give it one face,
/// each by a margin.
fn name_of(tile: usize, tenable: &[Pairing], sought: &[Sought]) -> Name {
    let Some(best) = tenable.first() else { return Name::None };
    let face = best.partners[tile].map(|at| sought[at].tile);
    let margins = tenable
        .iter()
        .map(|pairing| pairing.margin(tile, |at| at.map(|at| sought[at].tile) == face));
    let is_sure = margins.fold(f32::INFINITY, f32::min) >= PARAMS.sure_margin;
    match face {
        Some(face) if is_sure => Name::Sure(face),
        None if is_sure => Name::None,
        Some(face) => Name::Unsure(face),
        None => best.likeliest(tile).map_or(Name::None, |at| Name::Unsure(sought[at].tile)),
    }
}

/// Returns the cheapest pairing of tiles that lie group by group, and of tiles that lie in any
/// order: those of both that may be right, the likelier one first. Neither is if the photo may show
/// another hand, whose tiles may be any faces. That costs as much as one more tile without a
/// partner: people rarely give the notation of another hand.
fn tenable(costs: &PairCosts, sought: &[Sought]) -> Vec<Pairing> {
    let any = costs.assigned();
    let any_cost = any.cost + ln_orders_of_sure_tiles(&any, sought);
    let grouped = grouped(costs, sought);
    let grouped_cost = grouped.as_ref().map_or(f32::INFINITY, |(_, cost)| *cost);
    let even = 1.0 / Face::printed().count() as f32;
    let other_hand = -even.ln() * costs.pairs.len() as f32 + costs.surplus;
    if other_hand - any_cost.min(grouped_cost) < PARAMS.sure_margin {
        return Vec::new();
    }
    match grouped {
        Some((grouped, cost)) if any_cost - cost >= PARAMS.order_margin => vec![grouped],
        Some((_, cost)) if cost - any_cost >= PARAMS.sure_margin => vec![any],
        Some((grouped, cost)) if cost < any_cost => vec![grouped, any],
        Some((grouped, _)) => vec![any, grouped],
        None => vec![any],
    }
}

/// Returns the cheapest pairing of tiles that lie group by group and its cost: to it adds the
/// logarithm of the number of orders of the groups and of places of the winning tile.
fn grouped(costs: &PairCosts, sought: &[Sought]) -> Option<(Pairing, f32)> {
    let of: Vec<usize> = sought.iter().map(|sought| sought.group).collect();
    let groups = of.chunk_by(|a, b| a == b).count();
    if groups > MAX_GROUPS {
        return None;
    }
    let anywhere = sought.iter().position(|sought| sought.wins);
    let orders = if anywhere.is_none() {
        ln_factorial(groups)
    } else {
        ln_factorial(groups - 1) + (sought.len() as f32).ln()
    };
    let grouped = costs.grouped(&Groups { of, anywhere });
    let cost = grouped.cost + orders;
    Some((grouped, cost))
}

/// Returns the logarithm of the number of orders in which those tiles could lie whose names are
/// sure whatever their order is. What they would cost otherwise is by what their order is beyond
/// chance; tiles that may be one or another say nothing about the order.
fn ln_orders_of_sure_tiles(any: &Pairing, sought: &[Sought]) -> f32 {
    let mut sure: BTreeMap<Face, usize> = BTreeMap::new();
    for tile in 0..any.partners.len() {
        if let Name::Sure(face) = name_of(tile, std::slice::from_ref(any), sought) {
            *sure.entry(face).or_default() += 1;
        }
    }
    let alike: f32 = sure.values().map(|&count| ln_factorial(count)).sum();
    ln_factorial(sure.values().sum()) - alike
}

/// Returns the tiles of a hand in the order in which they were typed.
fn tiles_of(hand: &HandSetup) -> Vec<Sought> {
    let mut sought: Vec<Sought> = Vec::new();
    let mut group = 0;
    let mut before: Option<Tile> = None;
    for &tile in &hand.concealed {
        group += usize::from(before.is_some_and(|before| before.suit() != tile.suit()));
        before = Some(tile);
        sought.push(Sought { tile: Face::Tile(tile), group, wins: false, may_hide: false });
    }
    if let Some(winning) = hand.winning {
        group += 1;
        sought.push(Sought { tile: Face::Tile(winning), group, wins: true, may_hide: false });
    }
    for meld in &hand.melds {
        group += 1;
        let may_hide = matches!(meld, Meld::Kong { kind: KongKind::Concealed, .. });
        let tiles = meld.tiles().map(Face::Tile);
        sought.extend(tiles.map(|tile| Sought { tile, group, wins: false, may_hide }));
    }
    group += 1;
    let flowers = hand.flowers.iter().map(Face::Bonus);
    sought.extend(flowers.map(|tile| Sought { tile, group, wins: false, may_hide: false }));
    sought
}

/// Returns what pairs of tiles cost: the logarithm of the face's probability, of which a share is
/// the same for all faces, since the person may know a face that the networks don't.
fn costs(tiles: &[&ReadTile], sought: &[Sought], some_hidden: bool) -> PairCosts {
    let even = 1.0 / Face::printed().count() as f32;
    let pairs = tiles.iter().map(|tile| {
        let pairs = sought.iter().map(|sought| {
            let p = tile.seen.faces.probability(Some(sought.tile));
            -((1.0 - PARAMS.order) * p + PARAMS.order * even).ln()
        });
        pairs.collect()
    });
    let unseen = sought.iter().map(|sought| {
        let is_hidden = some_hidden && sought.may_hide;
        if is_hidden { 0.0 } else { PARAMS.unseen }
    });
    PairCosts { pairs: pairs.collect(), surplus: PARAMS.unnamed, unseen: unseen.collect() }
}

/// Returns the logarithm of the number of orders of this many things.
fn ln_factorial(things: usize) -> f32 {
    (1..=things).map(|n| (n as f32).ln()).sum()
}

fn labelled(tile: &ReadTile, face: Face) -> LabelledTile {
    LabelledTile { quad: upright_quad(tile), label: face.into() }
}

/// Returns the outline of a tile, its first corner at the top left of the face.
fn upright_quad(tile: &ReadTile) -> Quad {
    let along: [f32; 4] = std::array::from_fn(|turn| tile.seen.up(turn).dot(tile.up));
    let turn = (0..4).max_by(|&a, &b| along[a].total_cmp(&along[b])).unwrap_or(0);
    tile.seen.quad.rotated(turn)
}

#[cfg(test)]
mod tests;
