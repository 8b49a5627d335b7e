//! Positions of a hand's tiles in the picture, as players lay them out.
//!
//! Input: a hand and its chosen decomposition. Output: groups of tiles, and then their positions on
//! lines of a width. The concealed sets come first, in the order of the decomposition; the winning
//! tile is apart, with a gap in the set that it completed. Then the melds follow: a claimed tile is
//! sideways on the side of the player it came from, a tile added to a pung is on top of it, and the
//! outer tiles of a concealed kong are face down. If the player is not known, no tile is sideways.
//! Invariant: the picture has all tiles of the hand and no others, each once.

use tilesight_core::hand::HandSetup;
use tilesight_core::meld::{KongKind, Meld, Relation};
use tilesight_core::rules::{Conventions, Score, SidewaysTiles};
use tilesight_core::tile::{Face, Tile};

/// Width and height of a tile.
pub(super) const TILE: (f32, f32) = (48.0, 64.0);
/// Gap between two tiles of a group.
const TILE_GAP: f32 = 2.0;
/// Gap between two groups.
const GROUP_GAP: f32 = 18.0;
/// Gap between two lines.
const LINE_GAP: f32 = 18.0;

/// An item in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PictureItem {
    /// An upright tile.
    Upright(Face),
    /// The winning tile, upright.
    Winning(Tile),
    /// A gap for the winning tile in its set.
    Gap,
    /// A claimed tile, sideways.
    Sideways(Tile),
    /// A tile that lies sideways above the previous one, which lies sideways too.
    OnTop(Tile),
}

impl PictureItem {
    /// Returns width and height of the visible part.
    pub(super) const fn size(self) -> (f32, f32) {
        match self {
            PictureItem::Upright(_) | PictureItem::Winning(_) | PictureItem::Gap => TILE,
            PictureItem::Sideways(_) | PictureItem::OnTop(_) => (TILE.1, TILE.0),
        }
    }

    /// Returns how far the item reaches above the lower edge of its line.
    const fn reach(self) -> f32 {
        match self {
            PictureItem::OnTop(_) => 2.0 * TILE.0 + TILE_GAP,
            _ => self.size().1,
        }
    }
}

/// An item and the top left corner of its visible part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlacedItem {
    pub(super) item: PictureItem,
    pub(super) x: f32,
    pub(super) y: f32,
}

/// Tiles that lie together.
pub(super) type TileGroup = Vec<PictureItem>;

/// Returns the hand in groups: the concealed ones, and those that lie apart.
pub(super) fn groups(
    setup: &HandSetup,
    score: &Score,
    conventions: Conventions,
) -> [Vec<TileGroup>; 2] {
    let mut standing = concealed(setup, score);
    standing.extend(setup.winning.map(|tile| vec![PictureItem::Winning(tile)]));
    let mut apart: Vec<TileGroup> =
        setup.melds.iter().map(|&meld| meld_items(meld, conventions)).collect();
    let flowers: TileGroup =
        setup.flowers.iter().map(Face::Bonus).map(PictureItem::Upright).collect();
    apart.extend((!flowers.is_empty()).then_some(flowers));
    [standing, apart]
}

/// Returns the concealed sets of the decomposition, with a gap for the winning tile in the set that
/// it completed.
fn concealed(setup: &HandSetup, score: &Score) -> Vec<TileGroup> {
    let sets = score.sets.get(setup.melds.len()..).unwrap_or_default();
    let completed = sets.iter().position(|set| set.winning);
    let mut groups = Vec::with_capacity(sets.len());
    for (place, set) in sets.iter().enumerate() {
        let mut items: TileGroup = set.tiles.iter().copied().map(upright).collect();
        if completed == Some(place)
            && let Some(gap) = set.tiles.iter().rposition(|&tile| setup.winning == Some(tile))
        {
            items[gap] = PictureItem::Gap;
        }
        groups.push(items);
    }
    groups
}

const fn upright(tile: Tile) -> PictureItem {
    PictureItem::Upright(Face::Tile(tile))
}

fn meld_items(meld: Meld, conventions: Conventions) -> TileGroup {
    match meld {
        Meld::Chow(chow) => {
            let mut items: TileGroup =
                chow.claimed_tile().map(PictureItem::Sideways).into_iter().collect();
            let others = chow.tiles().into_iter().filter(|tile| chow.claimed_tile() != Some(*tile));
            items.extend(others.map(upright));
            items
        }
        Meld::Pung { tile, from } => claimed_set(tile, 3, from),
        Meld::Kong { tile, kind } => kong_items(tile, kind, conventions),
    }
}

fn kong_items(tile: Tile, kind: KongKind, conventions: Conventions) -> TileGroup {
    match kind {
        KongKind::Concealed => {
            let back = PictureItem::Upright(Face::Back);
            vec![back, upright(tile), upright(tile), back]
        }
        KongKind::Exposed { from } => {
            let mut items = claimed_set(tile, 4, from);
            let turned = conventions.turned_in_claimed_kong;
            if let (SidewaysTiles::Two, Some(from)) = (turned, from) {
                // The neighbour towards the middle is turned, so that the side still shows the
                // source.
                items[if from == Relation::Left { 1 } else { 2 }] = PictureItem::Sideways(tile);
            }
            items
        }
        KongKind::Added { from: None } => claimed_set(tile, 4, None),
        KongKind::Added { from: Some(from) } => {
            let mut items = claimed_set(tile, 3, Some(from));
            items.insert(place(from, 3) + 1, PictureItem::OnTop(tile));
            items
        }
    }
}

/// Returns equal tiles, the claimed one sideways.
fn claimed_set(tile: Tile, count: usize, from: Option<Relation>) -> TileGroup {
    let mut items = vec![upright(tile); count];
    if let Some(from) = from {
        items[place(from, count)] = PictureItem::Sideways(tile);
    }
    items
}

/// Returns the index of a set's sideways tile: the one on the side of the player it came from.
const fn place(from: Relation, count: usize) -> usize {
    match from {
        Relation::Left => 0,
        Relation::Across => 1,
        Relation::Right => count - 1,
    }
}

/// Places groups on lines of a width and returns their total height. Concealed groups and those
/// apart share a line if both fit on it, else each starts its own. Groups of a line share its lower
/// edge, and a group wider than the width has a line of its own.
pub(super) fn place_groups(blocks: &[Vec<TileGroup>], width: f32) -> (Vec<PlacedItem>, f32) {
    let together = line_width(blocks.iter().flatten()) <= width;
    let mut placed = Vec::new();
    let mut line = Vec::new();
    let mut x = 0.0;
    let mut y = 0.0;
    for block in blocks {
        for (place, group) in block.iter().enumerate() {
            let begins_line = place == 0 && !together;
            if x > 0.0 && (begins_line || x + line_width([group]) > width) {
                y += end_line(&mut placed, &mut line, y) + LINE_GAP;
                x = 0.0;
            }
            x = place_group(&mut line, group, x) + GROUP_GAP;
        }
    }
    y += end_line(&mut placed, &mut line, y);
    (placed, y)
}

/// Puts a group on a line and returns where it ends.
fn place_group(line: &mut Vec<(PictureItem, f32)>, group: &[PictureItem], start: f32) -> f32 {
    let mut x = start;
    for &item in group {
        if matches!(item, PictureItem::OnTop(_)) {
            line.push((item, x - TILE_GAP - item.size().0));
        } else {
            line.push((item, x));
            x += item.size().0 + TILE_GAP;
        }
    }
    x - TILE_GAP
}

fn line_width<'a>(groups: impl IntoIterator<Item = &'a TileGroup>) -> f32 {
    let ends = groups.into_iter().map(|group| place_group(&mut Vec::new(), group, 0.0));
    ends.map(|end| end + GROUP_GAP).sum::<f32>() - GROUP_GAP
}

/// Moves a line's items to their places and returns the line's height.
fn end_line(placed: &mut Vec<PlacedItem>, line: &mut Vec<(PictureItem, f32)>, top: f32) -> f32 {
    let height = line.iter().map(|(item, _)| item.reach()).fold(0.0, f32::max);
    let items = line.drain(..);
    placed.extend(items.map(|(item, x)| PlacedItem { item, x, y: top + height - item.reach() }));
    height
}

#[cfg(test)]
mod tests {
    use tilesight_core::meld::Chow;

    use super::*;

    fn tile(code: &str) -> Tile {
        code.parse().expect(code)
    }

    #[test]
    fn the_sideways_tile_points_at_the_player_it_came_from() {
        let pung = |from| meld_items(Meld::Pung { tile: tile("E"), from }, Conventions::default());
        let (standing, lying) = (upright(tile("E")), PictureItem::Sideways(tile("E")));
        assert_eq!(pung(Some(Relation::Left)), [lying, standing, standing]);
        assert_eq!(pung(Some(Relation::Across)), [standing, lying, standing]);
        assert_eq!(pung(Some(Relation::Right)), [standing, standing, lying]);
        assert_eq!(pung(None), [standing; 3]);
    }

    #[test]
    fn a_chow_begins_with_its_claimed_tile() {
        let chow = Chow::new(tile("3s")).and_then(|chow| chow.claiming(tile("4s")));
        let items = meld_items(Meld::Chow(chow.expect("a chow")), Conventions::default());
        assert_eq!(
            items,
            [PictureItem::Sideways(tile("4s")), upright(tile("3s")), upright(tile("5s"))]
        );
    }

    #[test]
    fn kongs_lie_by_their_kind() {
        let kong = |kind| meld_items(Meld::Kong { tile: tile("C"), kind }, Conventions::default());
        let (standing, lying) = (upright(tile("C")), PictureItem::Sideways(tile("C")));
        let back = PictureItem::Upright(Face::Back);
        assert_eq!(kong(KongKind::Concealed), [back, standing, standing, back]);
        assert_eq!(
            kong(KongKind::Exposed { from: Some(Relation::Right) }),
            [standing, standing, standing, lying]
        );
        assert_eq!(
            kong(KongKind::Added { from: Some(Relation::Left) }),
            [lying, PictureItem::OnTop(tile("C")), standing, standing]
        );
        assert_eq!(kong(KongKind::Added { from: None }), [standing; 4]);
    }

    #[test]
    fn lines_wrap_between_groups_and_share_a_lower_edge() {
        let three = vec![upright(tile("1m")); 3];
        let kind = KongKind::Added { from: Some(Relation::Left) };
        let added = kong_items(tile("1m"), kind, Conventions::default());
        let (placed, height) = place_groups(&[vec![three.clone(), added, three]], 340.0);
        assert_eq!(placed.len(), 10);
        let bottom = |at: usize| placed[at].y + placed[at].item.size().1;
        assert_eq!(bottom(0), bottom(3), "one line, one lower edge");
        assert_eq!(placed[3].x, placed[4].x, "the added tile lies above the claimed one");
        assert_eq!(placed[4].y, 0.0, "and makes the line higher");
        assert_eq!(placed[7].x, 0.0, "the third group wraps");
        assert_eq!(bottom(7), height);
    }

    #[test]
    fn melds_share_the_line_only_where_all_of_them_fit() {
        let three = vec![upright(tile("1m")); 3];
        let blocks = [vec![three.clone()], vec![three.clone(), three]];
        let (wide, narrow) = (place_groups(&blocks, 600.0), place_groups(&blocks, 400.0));
        assert_eq!(wide.1, TILE.1);
        assert_eq!(narrow.1, 2.0 * TILE.1 + LINE_GAP);
        assert_eq!(narrow.0[3].x, 0.0, "the melds begin their own line");
        assert_eq!(narrow.0[6].y, narrow.0[3].y);
    }
}
