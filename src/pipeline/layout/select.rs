//! Finds the hand among discards, walls and other players' tiles.
//!
//! Input: everything that was seen. Output: the indices of the hand's tiles, and a reason for each
//! of the others; other complete hands in view. Touching tiles are parted into rows (`blocks`); for each of the
//! weightiest the best hand around it is found (`assemble`), of which the best is taken.
//! Invariant: what is left out is named, never merged and never lost.

mod assemble;
mod blocks;
mod flowers;
mod steps;
mod worth;

use std::cell::RefCell;
use std::collections::HashMap;

use super::super::classify::{SeenTile, Sort};
use super::super::geometry::rows::Item;
use super::super::lacking::Lacking;
use super::Sought;
use super::ignored::Ignored;
use super::params::Params;
use super::plan::is_bonus;
use crate::rules::RulesetId;
use crate::tile::{Dragon, Face};
use assemble::{Choice, choose};
use blocks::{Block, blocks_of};
use flowers::FLOWER_REACH;
use steps::{Steps, steps_between};
use worth::{Blocks, orphans_win};

/// The hand, and what is not.
pub(super) struct Selection {
    pub(super) hand: Vec<usize>,
    pub(super) ignored: Vec<(usize, Ignored)>,
    /// Flowers, in the hand or ignored, that may as well be the other.
    pub(super) doubtful_flowers: Vec<usize>,
    /// Tiles that were left out, though the hand could as well be one with them, they would complete it, or they touch it.
    pub(super) doubtful_tiles: Vec<usize>,
    /// The tiles of the chosen hand, then those of every other complete hand in view, best first.
    pub(super) hands: Vec<Vec<usize>>,
}

/// The table as blocks, and by what they are weighed.
struct TableView<'a> {
    tiles: &'a [SeenTile],
    blocks: &'a [Block],
    between: Steps,
    /// The blocks of hands that are found already.
    taken: Vec<bool>,
    ruleset: RulesetId,
    orphans_win: bool,
    params: &'a Params,
    lacking: RefCell<Lacking>,
    /// What combinations of blocks are worth: the same are weighed around several hearts.
    known: RefCell<HashMap<Blocks, f32>>,
}

/// Blocks of at least this quality are tiles with the names they have: what is no tile at all is often
/// named a flower or white dragon, with half a heart.
const SURE: f32 = 0.45;

/// A quad with less than this share inside the photo shows too little of its face to be named.
const CUT_OFF: f32 = 0.55;

/// Chooses the hand's tiles.
///
/// `sizes` says how large each tile is in the photo: what is nearer to the camera is rather the hand. What wins, the
/// rule set says. With a `focus`, the index of a tile, the hand is the one that holds it.
pub(super) fn select(
    tiles: &[SeenTile],
    items: &[Item],
    sizes: &[f32],
    sought: &Sought,
    focus: Option<usize>,
) -> Selection {
    let Sought { ruleset, ref params, .. } = *sought;
    let (usable, faceless): (Vec<usize>, Vec<usize>) = (0..tiles.len())
        .partition(|&i| sort(tiles, i) != Sort::Nothing && tiles[i].inside >= CUT_OFF);
    let mut ignored: Vec<_> = faceless.into_iter().map(|i| (i, Ignored::NotAFace)).collect();
    let blocks = blocks_of(tiles, items, sizes, &usable);
    let between = steps_between(&blocks, items, FLOWER_REACH);
    let taken = vec![false; blocks.len()];
    let mut view = TableView {
        tiles,
        blocks: &blocks,
        between,
        taken,
        ruleset,
        orphans_win: orphans_win(ruleset),
        params,
        lacking: RefCell::default(),
        known: RefCell::default(),
    };
    let (mut hand, mut doubtful_flowers, mut doubtful_tiles) = (Vec::new(), Vec::new(), Vec::new());
    let choice =
        best_choice(&view, focus).filter(|choice| evidence(&view, choice) >= LEAST_EVIDENCE);
    let hands = choice.as_ref().map_or_else(Vec::new, |choice| hands_in_view(&mut view, choice));
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
                    let why = choice.reasons[b];
                    ignored.extend(block.members.iter().map(|&i| (i, reason(tiles, i, why))));
                }
            }
        }
    }
    ignored.sort_by_key(|&(i, _)| i);
    Selection { hand, ignored, doubtful_flowers, doubtful_tiles, hands }
}

/// Printed faces, each counted by how sure it is, that a picture of tiles shows at the least. The
/// held-out real photos show 4.6 and more, seven tiles standing alone among them; what is seen in 200
/// drawn keyboards, consoles, cloths and boards of `make evaluate` makes 3.3 at the most.
const LEAST_EVIDENCE: f32 = 3.9;

/// How many printed faces the chosen blocks show, each counted by how sure it is. White dragons and
/// backs are left out: every blank key and box looks like one.
fn evidence(view: &TableView, choice: &Choice) -> f32 {
    let sureness = |tile: &SeenTile| tile.score * tile.faces.top().1;
    view.members(&choice.blocks).filter(|tile| shows_print(tile)).map(sureness).sum()
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

/// Blocks that are tried as the heart of the hand, and sets that are tried besides: of a hand of called sets none is heavy.
const MOST_HEARTS: usize = 4;
const MOST_SET_HEARTS: usize = 2;

/// The best hand around each of the weightiest blocks. The weightiest alone will not do: a table's discards can lie in
/// tidier and longer rows than the hand.
fn best_choice(view: &TableView, focus: Option<usize>) -> Option<Choice> {
    let blocks = view.blocks;
    let mut hearts: Vec<usize> =
        (0..blocks.len()).filter(|&b| blocks[b].can_be_heart() && !view.taken[b]).collect();
    hearts.sort_by(|&a, &b| blocks[b].weight().total_cmp(&blocks[a].weight()));
    let lighter = hearts.split_off(hearts.len().min(MOST_HEARTS));
    let sets = lighter.into_iter().filter(|&b| blocks[b].sets == 1);
    hearts.extend(sets.take(MOST_SET_HEARTS));
    let focus =
        focus.and_then(|tile| blocks.iter().position(|block| block.members.contains(&tile)));
    let holds_focus = |choice: &Choice| focus.is_none_or(|b| choice.blocks.contains(&b));
    let choices = hearts.into_iter().map(|main| choose(view, main)).filter(holds_focus);
    let best = choices.max_by(|a, b| a.value.total_cmp(&b.value));
    best.or_else(|| focus.map(|b| choose(view, b)))
}

/// The best hand around the weightiest block that is left.
fn other_choice(view: &TableView) -> Option<Choice> {
    let is_left = |&b: &usize| !view.taken[b] && view.blocks[b].can_be_heart();
    let weight = |b: usize| view.blocks[b].weight();
    let left = (0..view.blocks.len()).filter(is_left);
    left.max_by(|&a, &b| weight(a).total_cmp(&weight(b))).map(|heart| choose(view, heart))
}

/// Hands that are listed beside the chosen one: a table has four players.
const MOST_OTHERS: usize = 3;

/// What is left of a table has to show this many playing tiles to hold another hand.
const LEAST_OF_HAND: usize = 13;

/// The tiles of the chosen hand, and of every winning hand in what is left, the best first.
fn hands_in_view(view: &mut TableView, choice: &Choice) -> Vec<Vec<usize>> {
    let members = |blocks: &[Block], choice: &Choice| -> Vec<usize> {
        choice.blocks.iter().flat_map(|&b| blocks[b].members.clone()).collect()
    };
    let mut hands = vec![members(view.blocks, choice)];
    choice.blocks.iter().for_each(|&b| view.taken[b] = true);
    for _ in 0..MOST_OTHERS {
        let left = (0..view.blocks.len()).filter(|&b| !view.taken[b]);
        if left.map(|b| view.blocks[b].playing).sum::<usize>() < LEAST_OF_HAND {
            break;
        }
        let is_hand = |other: &Choice| other.wins && evidence(view, other) >= LEAST_EVIDENCE;
        let Some(other) = other_choice(view).filter(is_hand) else { break };
        other.blocks.iter().for_each(|&b| view.taken[b] = true);
        hands.push(members(view.blocks, &other));
    }
    hands
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

/// How sure a tile's name is; of flowers only that they are some, because their art is endless.
fn sureness(tile: &SeenTile) -> f32 {
    match tile.faces.sort() {
        (Sort::Bonus, p) => p,
        _ => tile.faces.top().1,
    }
}
