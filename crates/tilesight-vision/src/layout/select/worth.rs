//! Worth of a combination of blocks as a hand: how near its tiles are to a hand that wins, or that
//! waits if it did not win.
//!
//! Input: the tiles and the chosen blocks. Output: a number, at most [`SelectionParams::wins`].
//! Invariant: the worth depends only on the likeliest faces and on whether four of a kind lie
//! together, never on the places of the blocks.

use tilesight_core::hand::HandSetup;
use tilesight_core::tile::{Face, Tile};
use tilesight_core::tiles::Counts;

use super::super::super::params::SelectionParams;
use super::block_view::{BlockSet, BlockView};
use crate::wins::distance::{distance_to_orphans, may_win_otherwise};
use crate::wins::wins;

/// Returns the maximum worth of a combination by the number of its tiles alone, which is cheap to
/// compute.
pub(super) fn max_value(table: &BlockView, chosen: &[usize]) -> f32 {
    let SelectionParams { wins, short, surplus, .. } = table.params.selection;
    let tiles = table.count(chosen);
    let whole = table.tiles_of_hand();
    if tiles < whole {
        // Each missing tile adds one to the distance.
        let missing = whole - tiles;
        wins - table.cost_of_distance(missing) - short * missing as f32
    } else {
        wins - surplus * tiles.saturating_sub(whole + table.max_kongs()) as f32
    }
}

/// Returns how near the tiles are to a whole hand by their likeliest faces, however they are
/// divided into sets: at most [`SelectionParams::wins`].
pub(super) fn value(table: &BlockView, chosen: &[usize]) -> f32 {
    let key = BlockSet::from_blocks(chosen);
    if let Some(&known) = table.known.borrow().get(&key) {
        return known;
    }
    let worth = worth_of(table, chosen);
    table.known.borrow_mut().insert(key, worth);
    worth
}

/// Maximum number of kinds of which all four tiles are tried as a kong and as loose tiles. A
/// combination with more of them has at least ten tiles too many.
const MAX_FOURS: usize = 6;

/// Returns whether blocks, together with another combination's, may win by their faces alone, or
/// with another face of one tile: whether [`value`] can exceed that of a hand that is a tile away.
/// The answer is the same for all equal tiles, so that it is found once for each kind.
pub(super) fn may_win(table: &BlockView, chosen: &[usize], added: &[usize]) -> bool {
    let size: usize = chosen.iter().chain(added).map(|&b| table.size(b)).sum();
    if size < table.tiles_of_hand() {
        return false;
    }
    let key = faces_and_kongs(table, chosen.iter().chain(added));
    if let Some(&known) = table.may_win.borrow().get(&key) {
        return known;
    }
    let (faces, kongs) = key;
    let may_win = faces_may_win(table, &faces, kongs);
    table.may_win.borrow_mut().insert(key, may_win);
    may_win
}

fn faces_may_win(table: &BlockView, faces: &Counts, kongs: usize) -> bool {
    let fours: Vec<Tile> = Tile::ALL.into_iter().filter(|&tile| faces.count(tile) == 4).collect();
    if fours.len() > MAX_FOURS || kongs == 0 && may_win_otherwise(faces) {
        return true;
    }
    (0..1_usize << fours.len()).any(|taken| {
        let rest: Counts = faces
            .iter()
            .filter(|&tile| (0..fours.len()).all(|n| fours[n] != tile || taken >> n & 1 == 0))
            .collect();
        let kongs = kongs + taken.count_ones() as usize;
        table.distance_to_win(&rest, kongs) <= 1
            || kongs == 0 && table.orphans_win && distance_to_orphans(&rest) <= 1
    })
}

/// Four tiles of a kind in a combination that lie together.
struct FourOfAKind {
    tile: Tile,
    /// Whether the tiles lie apart as an open kong: then they probably are a kong.
    lies_apart: bool,
}

fn worth_of(table: &BlockView, chosen: &[usize]) -> f32 {
    let (faces, kongs) = faces_and_kongs(table, chosen.iter());
    let mut fours = fours(table, chosen, &faces);
    // More can't be kongs of a hand.
    fours.truncate(MAX_FOURS);
    // Too many tiles are a hand with kongs: of the kinds with all four tiles, those that leave the
    // best rest count as kongs.
    let surplus = (faces.total() + 3 * kongs).saturating_sub(table.tiles_of_hand());
    let min_kongs = surplus.min(fours.len());
    let max_kongs = min_kongs.max(fours.iter().filter(|four| four.lies_apart).count());
    let worth = (0..1_usize << fours.len())
        .filter(|taken| (min_kongs..=max_kongs).contains(&(taken.count_ones() as usize)))
        .map(|taken| {
            let (as_kongs, others): (Vec<usize>, Vec<usize>) =
                (0..fours.len()).partition(|n| taken >> n & 1 == 1);
            let loose = others.iter().filter(|&&n| fours[n].lies_apart).count();
            let rest: Counts = faces
                .iter()
                .filter(|tile| as_kongs.iter().all(|&n| fours[n].tile != *tile))
                .collect();
            rest_value(table, chosen, &rest, kongs + as_kongs.len())
                - table.params.selection.no_kong * loose as f32
        });
    worth.fold(f32::NEG_INFINITY, f32::max)
}

/// Returns the faces of blocks outside of kongs, and the number of kongs.
fn faces_and_kongs<'a>(
    table: &BlockView,
    blocks: impl Iterator<Item = &'a usize>,
) -> (Counts, usize) {
    let mut faces = Counts::new();
    let mut kongs = 0;
    for &b in blocks {
        let block = &table.blocks[b];
        kongs += block.kongs.len();
        faces.extend(block.faces.iter().copied());
    }
    (faces, kongs)
}

/// Returns the kinds of which all four tiles lie together.
fn fours(table: &BlockView, chosen: &[usize], faces: &Counts) -> Vec<FourOfAKind> {
    let kinds = Tile::ALL.into_iter().filter(|&tile| {
        faces.count(tile) == 4 && lie_together(table, &with_tile(table, chosen, tile))
    });
    kinds.map(|tile| FourOfAKind { tile, lies_apart: has_open_kong(table, chosen, tile) }).collect()
}

fn has_open_kong(table: &BlockView, chosen: &[usize], tile: Tile) -> bool {
    let mut blocks = chosen.iter().map(|&b| &table.blocks[b]);
    blocks.any(|block| block.is_open_kong() && shows(table, block.members[0], tile))
}

fn shows(table: &BlockView, i: usize, tile: Tile) -> bool {
    table.tiles[i].faces.best() == Some(Face::Tile(tile))
}

fn with_tile(table: &BlockView, chosen: &[usize], tile: Tile) -> Vec<usize> {
    let mut with = chosen.to_vec();
    with.retain(|&b| table.blocks[b].members.iter().any(|&i| shows(table, i, tile)));
    with
}

/// Returns whether each of the blocks touches another of them.
fn lie_together(table: &BlockView, blocks: &[usize]) -> bool {
    let touching = table.params.rows.touching;
    blocks.len() == 1
        || blocks
            .iter()
            .all(|&a| blocks.iter().any(|&b| a != b && table.between[a][b].gap <= touching))
}

/// Returns how near tiles of the chosen blocks are to a whole hand, in addition to a number of
/// kongs.
fn rest_value(table: &BlockView, chosen: &[usize], faces: &Counts, kongs: usize) -> f32 {
    let SelectionParams { wins, short: each_short, surplus: each_surplus, .. } =
        table.params.selection;
    let room = table.tiles_of_hand() - 3 * kongs.min(table.max_kongs());
    let surplus = faces.total().saturating_sub(room) + kongs.saturating_sub(table.max_kongs());
    let short = room.saturating_sub(faces.total());
    let mut away = table.distance_to_win(faces, kongs);
    if kongs == 0 && table.orphans_win {
        away = away.min(distance_to_orphans(faces));
    }
    if away > 0 && wins_otherwise(table, faces, kongs) {
        away = 0;
    }
    // A hand that waits is one tile away from a win.
    let away = if table.won { away } else { away.saturating_sub(1) };
    let cost = table.cost_of_distance(away);
    let is_misread = table.won && away == 1 && surplus == 0 && short == 0;
    let cost = if is_misread { cost.min(exchange_cost(table, chosen, faces, kongs)) } else { cost };
    wins - cost - each_surplus * surplus as f32 - each_short * short as f32
}

/// Returns the least cost of another face with which the tiles win: a tile may be misread.
fn exchange_cost(table: &BlockView, chosen: &[usize], faces: &Counts, kongs: usize) -> f32 {
    let exchanges = chosen.iter().flat_map(|&b| &table.blocks[b].exchanges);
    let mut cost = f32::INFINITY;
    for exchange in exchanges {
        table.effort.step();
        let mut with = *faces;
        if with.remove(exchange.from).is_none() {
            continue;
        }
        with.add(exchange.to);
        if table.distance_to_win(&with, kongs) == 0 {
            cost = cost.min(exchange.cost);
        }
    }
    cost
}

impl BlockView<'_> {
    /// Returns the worth of a hand that is a tile away from a win. A hand that is worth more wins,
    /// if need be with another face of one of its tiles.
    pub(super) fn max_worth_beside_win(&self) -> f32 {
        self.params.selection.wins - self.cost_of_distance(1)
    }

    /// Returns the cost of a distance to a whole hand. Only the way to a win has a first tile that
    /// costs more.
    pub(super) fn cost_of_distance(&self, away: usize) -> f32 {
        let params = &self.params.selection;
        if self.won { params.cost_to_win(away) } else { params.distance * away as f32 }
    }
}

/// Returns whether tiles win by the rule set in another way than by sets and a pair or seven pairs:
/// thirteen orphans, knitted tiles.
fn wins_otherwise(table: &BlockView, faces: &Counts, kongs: usize) -> bool {
    if kongs > 0 || faces.total() != table.size.tiles() || !may_win_otherwise(faces) {
        return false;
    }
    let tiles = HandSetup { concealed: faces.iter().collect(), ..HandSetup::default() };
    wins(&tiles, table.ruleset)
}
