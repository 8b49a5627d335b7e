//! What a combination of blocks is worth as a hand: how near its tiles are to a winning one.
//!
//! Input: the tiles and the chosen blocks. Output: a number, at best [`WINS`]. Invariant: it depends on the
//! likeliest faces alone, and on whether four of a kind lie together, never on where the blocks lie.

use super::super::super::classify::SeenTile;
use super::super::super::geometry::rows::TOUCHING;
use super::super::super::lacking::lacking;
use super::super::super::wins::wins;
use super::{Block, Steps, can_belong};
use crate::hand::HandSetup;
use crate::rules::RulesetId;
use crate::tile::{Face, Tile};
use crate::tiles::Counts;

/// What a combination is worth whose tiles form a winning hand: discards never do.
pub(super) const WINS: f32 = 5.0;

/// What each tile that a combination lacks to be a winning hand takes from its worth: random tiles lack four
/// and more, the hand with one tile misread or not seen lacks one. The first takes twice as much: few photos
/// show a hand that does not win.
const LACK: f32 = 2.5;

/// What each tile more than a hand has takes from it.
const SURPLUS: f32 = 3.0;

/// What each tile less than a hand has takes from it, beside what it lacks.
const SHORT: f32 = 1.0;

/// The most that a combination can be worth by the number of its tiles alone: to know it costs nothing.
pub(super) fn most_value(blocks: &[Block], chosen: &[usize]) -> f32 {
    let (mut faces, mut kongs) = (0, 0);
    for &b in chosen {
        if blocks[b].backs > 0 && can_belong(&blocks[b]) {
            kongs += 1;
        } else {
            faces += blocks[b].playing;
        }
    }
    let tiles = faces + 3 * kongs;
    if tiles < 14 {
        // Each tile that is not there is lacking.
        let short = (14 - tiles) as f32;
        WINS - LACK * (short + 1.0) - SHORT * short
    } else {
        // Four of them may be the fourth tiles of kongs.
        WINS - SURPLUS * tiles.saturating_sub(14 + 4) as f32
    }
}

/// How near to a winning hand the tiles are by their likeliest faces, however they are parted into sets: at best
/// [`WINS`].
pub(super) fn count_value(
    tiles: &[SeenTile],
    blocks: &[Block],
    between: &Steps,
    chosen: &[usize],
    ruleset: RulesetId,
) -> f32 {
    let mut faces = Counts::new();
    let mut kongs = 0;
    for &b in chosen {
        // A small block with backs is a kong, whatever it shows; in a row a back is a shadow, or a tile to be asked about.
        if blocks[b].backs > 0 && can_belong(&blocks[b]) {
            kongs += 1;
        } else {
            faces.extend(blocks[b].members.iter().filter_map(|&i| tiles[i].faces.best()?.tile()));
        }
    }
    // More than fourteen tiles are a hand with kongs: of the kinds that are there four times those that leave the
    // best rest.
    let is_kong = |&tile: &Tile| {
        faces.of(tile) == 4 && lie_together(&with_tile(tiles, blocks, chosen, tile), between)
    };
    let fours: Vec<Tile> = Tile::ALL.into_iter().filter(is_kong).collect();
    let wanted = (faces.total() + 3 * kongs).saturating_sub(14).min(fours.len());
    let taken = (0..1_usize << fours.len()).filter(|taken| taken.count_ones() as usize == wanted);
    let worth = taken.map(|taken| {
        let is_taken = |tile: &Tile| {
            fours.iter().enumerate().any(|(n, four)| four == tile && taken >> n & 1 == 1)
        };
        let rest: Counts = faces.iter().filter(|tile| !is_taken(tile)).collect();
        rest_value(&rest, kongs + wanted, ruleset)
    });
    worth.fold(f32::NEG_INFINITY, f32::max)
}

/// The chosen blocks that show a tile.
fn with_tile(tiles: &[SeenTile], blocks: &[Block], chosen: &[usize], tile: Tile) -> Vec<usize> {
    let shows = |&i: &usize| tiles[i].faces.best() == Some(Face::Tile(tile));
    chosen.iter().copied().filter(|&b| blocks[b].members.iter().any(shows)).collect()
}

/// Whether each of some blocks touches another of them.
fn lie_together(blocks: &[usize], between: &Steps) -> bool {
    let touches = |&a: &usize| blocks.iter().any(|&b| a != b && between[a][b].gap <= TOUCHING);
    blocks.len() == 1 || blocks.iter().all(touches)
}

/// How near to a winning hand tiles are that lie beside a number of kongs.
fn rest_value(faces: &Counts, kongs: usize, ruleset: RulesetId) -> f32 {
    let sets = 4_usize.saturating_sub(kongs);
    let room = 3 * sets + 2;
    let surplus = faces.total().saturating_sub(room) + kongs.saturating_sub(4);
    let short = room.saturating_sub(faces.total());
    let lacks = lacking(faces, sets, ruleset.rules().shapes());
    let lacks = if lacks > 0 && wins_otherwise(faces, kongs, ruleset) { 0 } else { lacks };
    let lacks = if lacks > 0 { lacks + 1 } else { 0 };
    WINS - LACK * lacks as f32 - SURPLUS * surplus as f32 - SHORT * short as f32
}

/// Whether tiles win by the rule set in another way than by sets and a pair or seven pairs: thirteen orphans, knitted tiles.
fn wins_otherwise(faces: &Counts, kongs: usize, ruleset: RulesetId) -> bool {
    let tiles = || HandSetup { concealed: faces.iter().collect(), ..HandSetup::default() };
    kongs == 0 && faces.total() == 14 && wins(&tiles(), ruleset)
}
