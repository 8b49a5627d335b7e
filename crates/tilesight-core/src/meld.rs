//! Sets that lie apart from the concealed tiles: chows, pungs and kongs, and the player whose tile
//! completed them.
//!
//! Invariant: a [`Meld`] holds only sets that exist. A chow of honors or of 8-9-1 can't be
//! represented, a chow's claimed tile is one of its own tiles, and a concealed kong has no source.

use serde::{Deserialize, Serialize};

use crate::tile::{Tile, Wind};

/// Position of another player, seen from the winner.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The player who plays just before the winner.
    Left,
    /// The player opposite.
    Across,
    /// The player who plays just after the winner.
    Right,
}

impl Wind {
    /// Returns the seat of a neighbor: the player on the left plays just before, the one on the
    /// right just after.
    #[must_use]
    pub const fn seat_of(self, relation: Relation) -> Wind {
        let steps = match relation {
            Relation::Right => 1,
            Relation::Across => 2,
            Relation::Left => 3,
        };
        Wind::ALL[(self as usize + steps) % 4]
    }
}

impl Relation {
    /// All three, in the order of the positions that a sideways tile takes in a set.
    pub const ALL: [Relation; 3] = [Relation::Left, Relation::Across, Relation::Right];
}

/// The seats that are taken at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Seats {
    /// East, South, West and North.
    #[default]
    Four,
    /// East, South and West.
    Three,
}

impl Seats {
    /// Returns the seats in the order of play, East first.
    #[must_use]
    pub const fn winds(self) -> &'static [Wind] {
        match self {
            Seats::Four => &Wind::ALL,
            Seats::Three => &[Wind::East, Wind::South, Wind::West],
        }
    }

    /// Returns whether a player sits on a seat.
    #[must_use]
    pub const fn has(self, seat: Wind) -> bool {
        matches!(self, Seats::Four) || !matches!(seat, Wind::North)
    }

    /// Returns the seat of a neighbor: the player on the left plays just before, the one on the
    /// right just after. Of three players none sits opposite, because the order of play says
    /// nothing about the empty side of the table. `None` for a player who is not there.
    #[must_use]
    pub const fn neighbor(self, seat: Wind, relation: Relation) -> Option<Wind> {
        let seats = self.winds();
        let at = seat as usize;
        match (self, relation) {
            (Seats::Four, _) => Some(seat.seat_of(relation)),
            (Seats::Three, _) if !self.has(seat) => None,
            (Seats::Three, Relation::Right) => Some(seats[(at + 1) % seats.len()]),
            (Seats::Three, Relation::Left) => Some(seats[(at + 2) % seats.len()]),
            (Seats::Three, Relation::Across) => None,
        }
    }
}

/// An exposed chow: three consecutive tiles of a suit. It can be claimed from the left only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chow {
    low: Tile,
    claimed: Option<Tile>,
}

impl Chow {
    /// Returns the chow that starts at a tile of 1 to 7; `None` for any other tile.
    #[must_use]
    pub const fn new(low: Tile) -> Option<Chow> {
        match low.number() {
            Some(1..=7) => Some(Chow { low, claimed: None }),
            _ => None,
        }
    }

    /// Returns this chow with its claimed tile; `None` if the tile is not part of the chow.
    #[must_use]
    pub fn claiming(self, tile: Tile) -> Option<Chow> {
        self.tiles().contains(&tile).then_some(Chow { claimed: Some(tile), ..self })
    }

    /// Returns the lowest tile.
    #[must_use]
    pub const fn low(self) -> Tile {
        self.low
    }

    /// Returns the three tiles, lowest first.
    #[must_use]
    pub fn tiles(self) -> [Tile; 3] {
        let second = self.low.successor().expect("a chow starts at 7 at the most");
        let third = second.successor().expect("a chow starts at 7 at the most");
        [self.low, second, third]
    }

    /// Returns the claimed tile, if known.
    #[must_use]
    pub const fn claimed_tile(self) -> Option<Tile> {
        self.claimed
    }
}

/// Origin of a kong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KongKind {
    /// All four tiles were drawn.
    Concealed,
    /// Three concealed tiles and a claimed discard.
    Exposed {
        /// Player whose tile was claimed, if known.
        from: Option<Relation>,
    },
    /// An exposed pung to which the drawn fourth tile was added.
    Added {
        /// Player from whom the pung was claimed, if known.
        from: Option<Relation>,
    },
}

/// A set apart from the concealed tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Meld {
    /// An exposed chow.
    Chow(Chow),
    /// An exposed pung.
    Pung {
        /// Kind of the three tiles.
        tile: Tile,
        /// Player from whom the third tile was claimed, if known.
        from: Option<Relation>,
    },
    /// A kong.
    Kong {
        /// Kind of the four tiles.
        tile: Tile,
        /// Origin of the kong.
        kind: KongKind,
    },
}

impl Meld {
    /// Returns the lowest tile of a chow, or the only kind of a pung or kong.
    #[must_use]
    pub const fn first_tile(self) -> Tile {
        match self {
            Meld::Chow(chow) => chow.low,
            Meld::Pung { tile, .. } | Meld::Kong { tile, .. } => tile,
        }
    }

    /// Returns the tiles, lowest first: three, or four for a kong.
    pub fn tiles(self) -> impl Iterator<Item = Tile> {
        let ([first, second, third], count) = match self {
            Meld::Chow(chow) => (chow.tiles(), 3),
            Meld::Pung { tile, .. } => ([tile; 3], 3),
            Meld::Kong { tile, .. } => ([tile; 3], 4),
        };
        [first, second, third, first].into_iter().take(count)
    }

    /// Returns whether all tiles were drawn, which is true only for a concealed kong.
    #[must_use]
    pub const fn is_concealed(self) -> bool {
        matches!(self, Meld::Kong { kind: KongKind::Concealed, .. })
    }

    /// Returns the player from whom a tile was claimed, if known. A chow whose claimed tile is
    /// known comes from the left, because a chow can only be claimed from there.
    #[must_use]
    pub fn from(self) -> Option<Relation> {
        match self {
            Meld::Chow(chow) => chow.claimed.map(|_| Relation::Left),
            Meld::Pung { from, .. }
            | Meld::Kong { kind: KongKind::Exposed { from } | KongKind::Added { from }, .. } => {
                from
            }
            Meld::Kong { kind: KongKind::Concealed, .. } => None,
        }
    }

    /// Returns the claimed tile, if known.
    #[must_use]
    pub fn claimed_tile(self) -> Option<Tile> {
        match self {
            Meld::Chow(chow) => chow.claimed,
            _ => self.from().map(|_| self.first_tile()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(code: &str) -> Tile {
        code.parse().expect(code)
    }

    #[test]
    fn only_chows_that_exist_can_be_written() {
        let starts = Tile::ALL.into_iter().filter_map(Chow::new).count();
        assert_eq!(starts, 21);
        assert_eq!(Chow::new(tile("8p")), None);
        assert_eq!(Chow::new(tile("E")), None);
    }

    #[test]
    fn a_chow_claims_one_of_its_own_tiles_from_the_left() {
        let chow = Chow::new(tile("6p")).expect("a chow of 6-7-8");
        assert_eq!(chow.claiming(tile("5p")), None);
        let claimed = chow.claiming(tile("7p")).expect("one of its tiles");
        assert_eq!(Meld::Chow(claimed).from(), Some(Relation::Left));
        assert_eq!(Meld::Chow(chow).from(), None);
    }

    #[test]
    fn a_kong_has_four_tiles_and_a_concealed_one_no_source() {
        let kong = Meld::Kong { tile: tile("C"), kind: KongKind::Concealed };
        assert_eq!(kong.tiles().collect::<Vec<_>>(), [tile("C"); 4]);
        assert!(kong.is_concealed());
        assert_eq!(kong.claimed_tile(), None);
    }

    #[test]
    fn neighbours_sit_where_play_says() {
        assert_eq!(Wind::East.seat_of(Relation::Right), Wind::South);
        assert_eq!(Wind::East.seat_of(Relation::Left), Wind::North);
        assert_eq!(Wind::North.seat_of(Relation::Across), Wind::South);
        assert_eq!(Wind::North.next(), Wind::East);
    }

    #[test]
    fn three_players_have_a_neighbor_on_either_side_and_none_opposite() {
        use Wind::{East, South, West};
        for (seat, left, right) in [(East, West, South), (South, East, West), (West, South, East)] {
            let neighbors = Relation::ALL.map(|relation| Seats::Three.neighbor(seat, relation));
            assert_eq!(neighbors, [Some(left), None, Some(right)], "{seat:?}");
        }
        for relation in Relation::ALL {
            assert_eq!(Seats::Three.neighbor(Wind::North, relation), None);
            let four = Seats::Four.neighbor(Wind::North, relation);
            assert_eq!(four, Some(Wind::North.seat_of(relation)));
        }
    }
}
