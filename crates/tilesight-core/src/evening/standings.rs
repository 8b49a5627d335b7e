//! Standings: places by totals, and the points that a tournament gives for them.
//!
//! Invariant: players with equal totals have the same place, and share the table points of the
//! places that they take.

use serde::{Serialize, Serializer};

use super::{PLAYERS, Player, Points};

/// The place of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rank {
    /// The player.
    pub player: Player,
    /// Place, from 1; players with equal totals share it.
    pub place: u8,
    /// Total points won and lost so far.
    pub total: i32,
    /// Tournament points for the place.
    pub table_points: Option<TablePoints>,
}

/// Table points in twelfths: up to four players share them, and twelve is divisible by 2, 3 and 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TablePoints(pub u32);

impl TablePoints {
    /// Returns the points as a number with decimals.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 12.0
    }
}

impl Serialize for TablePoints {
    /// Writes two decimals, as tournaments print them.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64((self.as_f64() * 100.0).round() / 100.0)
    }
}

/// Returns the players by falling totals; players with equal totals are in the order of the
/// players.
pub(super) fn standings(totals: &Points, earned: Option<[u8; PLAYERS]>) -> Vec<Rank> {
    let mut order = Player::ALL;
    order.sort_by_key(|player| std::cmp::Reverse(totals[player.index()]));
    let placed = order.into_iter().map(|player| {
        let total = totals[player.index()];
        let ahead = totals.iter().filter(|&&other| other > total).count();
        let equals = totals.iter().filter(|&&other| other == total).count();
        let table_points = earned.map(|earned| {
            let shared: u32 = earned[ahead..ahead + equals].iter().map(|&one| u32::from(one)).sum();
            TablePoints(shared * 12 / equals as u32)
        });
        Rank { player, place: ahead as u8 + 1, total, table_points }
    });
    placed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(totals: Points) -> Vec<(usize, u8, String)> {
        let earned = Some([4, 2, 1, 0]);
        let json = |points: Option<TablePoints>| serde_json::to_string(&points).expect("a number");
        let places = standings(&totals, earned).into_iter();
        places.map(|one| (one.player.index(), one.place, json(one.table_points))).collect()
    }

    #[test]
    fn places_earn_points_and_equals_share_them() {
        let row = |player, place, points: &str| (player, place, points.to_owned());
        assert_eq!(
            told([-5, 30, 10, -35]),
            [row(1, 1, "4.0"), row(2, 2, "2.0"), row(0, 3, "1.0"), row(3, 4, "0.0")]
        );
        assert_eq!(
            told([10, 10, -30, 10]),
            [row(0, 1, "2.33"), row(1, 1, "2.33"), row(3, 1, "2.33"), row(2, 4, "0.0")]
        );
        assert_eq!(
            told([20, 0, 0, -20]),
            [row(0, 1, "4.0"), row(1, 2, "1.5"), row(2, 2, "1.5"), row(3, 4, "0.0")]
        );
        assert!(
            told([0; 4]).iter().all(|(_, place, points)| (*place, points.as_str()) == (1, "1.75"))
        );
    }

    #[test]
    fn shared_points_are_as_many_as_there_are() {
        for totals in [[1, 2, 3, -6], [1, 1, 3, -5], [5, 5, -5, -5], [2, 2, 2, -6], [0; 4]] {
            let all = standings(&totals, Some([4, 2, 1, 0]));
            let sum: u32 = all.iter().filter_map(|one| one.table_points).map(|one| one.0).sum();
            assert_eq!(sum, 7 * 12, "{totals:?}");
        }
    }
}
