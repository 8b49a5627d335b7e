//! Lesson of a photo of a hand whose notation a person gave.
//!
//! Input: the reading of the photo, and the notation. Output: the tiles whose names are sure, and
//! those that were left out, each with the reason. The tiles may lie as they were typed, group by
//! group in another order, or in any order; the fewer orders there are of a sort, the more it is
//! believed. Invariant: a tile is learned only if every other name for it explains the photo much
//! worse, so that a tile that the photo does not show costs no other tile its name.

use tilesight_core::explain::{Lang, Message, display_english};
use tilesight_core::hand::HandSetup;
use tilesight_core::meld::{KongKind, Meld};
use tilesight_core::notation::Notation;
use tilesight_core::tile::{Face, Tile};

use super::error::SheetError;
use super::learn::LabelledTile;
use super::pairing::{Order, PairCosts};
use crate::geometry::Quad;
use crate::params::SheetParams;
use crate::pixels::faces::name;
use crate::{ReadTile, Reading, Role, texts};

const PARAMS: SheetParams = SheetParams::DEFAULT;

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
    /// [`SheetError::Hand`] if at most half of the tiles of the notation are surely seen.
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
        let named = sought.len();
        let sure = lesson.tiles.len() + backs.len();
        if 2 * sure <= named {
            return Err(SheetError::Hand { named, sure });
        }
        let backs = backs.into_iter();
        lesson.tiles.extend(backs.map(|back| labelled(back, Face::Back)));
        Ok(lesson)
    }

    /// Pairs the tiles that lie face up with those of the notation, of which this many lie face
    /// down.
    fn paired(tiles: &[&ReadTile], sought: &[Sought], hidden: usize) -> HandLesson {
        let costs = costs(tiles, sought, hidden > 0);
        let orders = orders(&costs, tiles, sought);
        let best = costs.cheapest(&orders);
        let mut lesson = HandLesson { tiles: Vec::new(), left_out: Vec::new() };
        let mut unseen: Vec<bool> = vec![true; sought.len()];
        for (at, (tile, partner)) in tiles.iter().zip(&best.partners).enumerate() {
            let seen = tile.seen.faces.best();
            let quad = upright_quad(tile);
            let Some(partner) = *partner else {
                lesson.left_out.push(UntaughtTile::Surplus { seen, quad });
                continue;
            };
            unseen[partner] = false;
            let face = sought[partner].tile;
            let alike = (0..sought.len()).filter(|&other| sought[other].tile == face);
            let other = costs.exclude(at, &alike.collect::<Vec<_>>()).cheapest(&orders);
            if other.cost - best.cost >= PARAMS.sure_margin {
                lesson.tiles.push(labelled(tile, face));
            } else {
                lesson.left_out.push(UntaughtTile::Unsure { face, seen, quad });
            }
        }
        let missing = sought.iter().zip(unseen).filter(|(_, is_unseen)| *is_unseen);
        let (face_down, face_up): (Vec<&Sought>, Vec<&Sought>) =
            missing.map(|(sought, _)| sought).partition(|sought| sought.may_hide);
        let missing = face_up.into_iter().chain(face_down.into_iter().skip(hidden));
        lesson.left_out.extend(missing.map(|sought| UntaughtTile::Unseen(sought.tile)));
        lesson
    }
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
        if is_hidden { 0.0 } else { PARAMS.all_skipped }
    });
    PairCosts {
        pairs: pairs.collect(),
        other_face: -even.ln(),
        surplus: PARAMS.unnamed,
        unseen: unseen.collect(),
    }
}

/// Returns the orders in which the tiles of a notation may lie: as they were typed, group by group
/// as their names tell, both with the winning tile anywhere, and any.
fn orders(costs: &PairCosts, tiles: &[&ReadTile], sought: &[Sought]) -> Vec<Order> {
    let typed: Vec<usize> = (0..sought.len()).collect();
    let mut orders = with_any_winning(&typed, sought, 0.0);
    let groups = sought.last().map_or(0, |last| last.group + 1);
    let grouped = order_by_groups(costs, tiles, sought, groups);
    orders.extend(with_any_winning(&grouped, sought, ln_factorial(groups)));
    orders.push(Order { places: None, price: ln_factorial(sought.len()) });
    orders
}

/// Returns an order, and those with the winning tile at every other place.
fn with_any_winning(places: &[usize], sought: &[Sought], price: f32) -> Vec<Order> {
    let mut orders = vec![Order { places: Some(places.to_vec()), price }];
    let Some(winning) = sought.iter().position(|sought| sought.wins) else { return orders };
    let others: Vec<usize> = places.iter().copied().filter(|&at| at != winning).collect();
    let price = price + (places.len() as f32).ln();
    for at in 0..places.len() {
        let mut places = others.clone();
        places.insert(at, winning);
        orders.push(Order { places: Some(places), price });
    }
    orders
}

/// Returns the tiles of the notation group by group, in the order in which the photo shows the
/// groups by the tiles that the networks know; groups without such tiles come last.
fn order_by_groups(
    costs: &PairCosts,
    tiles: &[&ReadTile],
    sought: &[Sought],
    groups: usize,
) -> Vec<usize> {
    let mut seen_at: Vec<Vec<usize>> = vec![Vec::new(); groups];
    for (at, partner) in costs.assigned().partners.into_iter().enumerate() {
        let partner = partner.map(|partner| sought[partner]);
        let known = partner.filter(|sought| tiles[at].seen.faces.best() == Some(sought.tile));
        if let Some(sought) = known {
            seen_at[sought.group].push(at);
        }
    }
    // The places of a group are in order, so that the one in the middle is their median.
    let middles: Vec<usize> = seen_at
        .iter()
        .map(|places| places.get(places.len() / 2).copied().unwrap_or(usize::MAX))
        .collect();
    let mut places: Vec<usize> = (0..sought.len()).collect();
    places.sort_by_key(|&at| (middles[sought[at].group], sought[at].group));
    places
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
