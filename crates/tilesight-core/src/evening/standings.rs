//! Standings: places by totals, and the points that a tournament gives for them.
//!
//! Invariant: players with equal totals have the same place, and share the table points of the
//! places that they take.

use serde::{Serialize, Serializer};

use super::{PLAYERS, Player, Points};
use crate::rules::law::RiichiLaw;

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
    /// Result with uma and oka, where riichi is played.
    pub result: Option<i32>,
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
        Rank { player, place: ahead as u8 + 1, total, table_points, result: None }
    });
    placed.collect()
}

/// Adds the results of riichi: the points of the start with the total, less the target, with uma
/// and oka. The first also gets the sticks that are left on the table. Players with equal totals
/// share the gains of their places; what can't be divided goes to the earlier player.
pub(super) fn add_results(standings: &mut [Rank], law: &RiichiLaw) {
    let left: i32 = -standings.iter().map(|one| one.total).sum::<i32>();
    let places: Vec<u8> = standings.iter().map(|one| one.place).collect();
    for (at, one) in standings.iter_mut().enumerate() {
        let first = usize::from(one.place) - 1;
        let equals = places.iter().filter(|&&place| place == one.place).count();
        let mut gains: i32 = (first..first + equals).map(|place| law.bonus(place)).sum();
        gains += if first == 0 { left } else { 0 };
        let share = gains.div_euclid(equals as i32);
        let rest = gains.rem_euclid(equals as i32);
        let more = i32::from(((at - first) as i32) < rest);
        one.result = Some(one.total + law.start - law.target + share + more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(totals: Points, law: &RiichiLaw) -> Vec<(usize, i32)> {
        let mut ranks = standings(&totals, None);
        add_results(&mut ranks, law);
        ranks.iter().map(|one| (one.player.index(), one.result.expect("a result"))).collect()
    }

    #[test]
    fn uma_and_oka_follow_the_places() {
        let law = RiichiLaw {
            noten: 3000,
            start: 25_000,
            target: 30_000,
            uma: [20_000, 10_000, -10_000, -20_000],
            may_owe_stick: false,
        };
        assert_eq!(
            results([10_000, -15_000, 8_000, -3_000], &law),
            [(0, 45_000), (2, 13_000), (3, -18_000), (1, -40_000)]
        );
        // A stick is left on the table: the first gets it.
        assert_eq!(
            results([10_000, -16_000, 8_000, -3_000], &law),
            [(0, 46_000), (2, 13_000), (3, -18_000), (1, -41_000)]
        );
        for totals in [[0; 4], [5_000, 5_000, 5_000, -15_000], [1_000, 1_000, -1_000, -1_000]] {
            let sum: i32 = results(totals, &law).iter().map(|(_, result)| result).sum();
            assert_eq!(sum, 0, "{totals:?}");
        }
    }

    fn ranked(totals: Points) -> Vec<(usize, u8, String)> {
        let earned = Some([4, 2, 1, 0]);
        let json = |points: Option<TablePoints>| serde_json::to_string(&points).expect("a number");
        let places = standings(&totals, earned).into_iter();
        places.map(|one| (one.player.index(), one.place, json(one.table_points))).collect()
    }

    #[test]
    fn places_earn_points_and_equals_share_them() {
        let row = |player, place, points: &str| (player, place, points.to_owned());
        assert_eq!(
            ranked([-5, 30, 10, -35]),
            [row(1, 1, "4.0"), row(2, 2, "2.0"), row(0, 3, "1.0"), row(3, 4, "0.0")]
        );
        assert_eq!(
            ranked([10, 10, -30, 10]),
            [row(0, 1, "2.33"), row(1, 1, "2.33"), row(3, 1, "2.33"), row(2, 4, "0.0")]
        );
        assert_eq!(
            ranked([20, 0, 0, -20]),
            [row(0, 1, "4.0"), row(1, 2, "1.5"), row(2, 2, "1.5"), row(3, 4, "0.0")]
        );
        assert!(
            ranked([0; 4])
                .iter()
                .all(|(_, place, points)| (*place, points.as_str()) == (1, "1.75"))
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
