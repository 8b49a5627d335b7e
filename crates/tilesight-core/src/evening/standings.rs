//! Standings: places by totals, and the points that a tournament gives for them.
//!
//! Invariant: players with equal totals have the same place, and share what the places gain that
//! they take, unless the rules of riichi put the one first who dealt earlier.

use std::cmp::Reverse;

use serde::{Serialize, Serializer};

use super::{PLAYERS, Player, Points};
use crate::rules::law::{Law, LeftSticks, Ties};

/// The place of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rank {
    /// The player.
    pub player: Player,
    /// Place, from 1; players with equal totals share it, unless the rules go by seats.
    pub place: u8,
    /// Total points won and lost so far.
    pub total: i32,
    /// Points that are missing to the player before; 0 for the first.
    pub to_next: i32,
    /// Tournament points for the place.
    pub table_points: Option<TablePoints>,
    /// Gains and losses of the end, where riichi is played.
    pub bonus: Option<Bonus>,
}

/// Gains and losses of a player at the end of an evening of riichi.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bonus {
    /// Points of the place.
    pub uma: i32,
    /// Points of the first that the others put in beyond those of the start.
    pub oka: i32,
    /// Points of sticks that were left on the table.
    pub sticks: i32,
    /// Points that false wins take off.
    pub penalty: i32,
    /// Points of the start, less those that the result is counted from.
    start: i32,
}

impl Rank {
    /// Returns the result with uma and oka, where riichi is played.
    #[must_use]
    pub fn result(&self) -> Option<i32> {
        let Bonus { uma, oka, sticks, penalty, start } = self.bonus?;
        Some(self.total + start + uma + oka + sticks - penalty)
    }
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

    /// Returns the points with two decimals, as tournaments print them.
    #[must_use]
    pub fn rounded(self) -> f64 {
        (self.as_f64() * 100.0).round() / 100.0
    }
}

impl Serialize for TablePoints {
    /// Writes two decimals, as tournaments print them.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.rounded())
    }
}

/// Returns the players by falling totals; players with equal totals are in the order of the
/// players.
pub(super) fn standings(totals: &Points, law: &Law) -> Vec<Rank> {
    let mut order = Player::all_at(law.seats).to_vec();
    order.sort_by_key(|player| Reverse(totals[player.index()]));
    let by_seats = law.riichi.is_some_and(|riichi| riichi.ties == Ties::Seats);
    let ranks = order.iter().enumerate().map(|(at, &player)| {
        let total = totals[player.index()];
        let others = order.iter().map(|other| totals[other.index()]);
        let ahead = others.clone().filter(|&other| other > total).count();
        let equals = others.filter(|&other| other == total).count();
        let better = at.checked_sub(1).map_or(total, |before| totals[order[before].index()]);
        Rank {
            player,
            place: if by_seats { at } else { ahead } as u8 + 1,
            total,
            to_next: better - total,
            table_points: law.table_points.map(|earned| share_table_points(earned, ahead, equals)),
            bonus: None,
        }
    });
    ranks.collect()
}

/// Returns the table points of players with equal totals.
fn share_table_points(earned: [u8; PLAYERS], ahead: usize, equals: usize) -> TablePoints {
    let shared: u32 = earned[ahead..ahead + equals].iter().map(|&one| u32::from(one)).sum();
    TablePoints(shared * 12 / equals as u32)
}

/// Adds what riichi counts in the end: uma, oka, the sticks that are left on the table, and
/// penalties. Players with the same place share the gains of the places that they take; what can't
/// be divided goes to the earlier player.
pub(super) fn add_results(standings: &mut [Rank], law: &Law, penalties: &Points) {
    let Some(riichi) = law.riichi else { return };
    let on_table: i32 = -standings.iter().map(|one| one.total).sum::<i32>();
    let left = if riichi.left_sticks == LeftSticks::First { on_table } else { 0 };
    let oka = riichi.oka(law.seats);
    let places: Vec<u8> = standings.iter().map(|one| one.place).collect();
    for (at, one) in standings.iter_mut().enumerate() {
        let first = usize::from(one.place) - 1;
        let equals = places.iter().filter(|&&place| place == one.place).count();
        let part = Part { position: at - first, equals };
        let of_first = if first == 0 { oka } else { 0 };
        let bonus = Bonus {
            uma: part.share(riichi.uma[first..first + equals].iter().sum()),
            oka: part.share(of_first),
            sticks: part.share(if first == 0 { left } else { 0 }),
            penalty: penalties[one.player.index()],
            start: riichi.start - riichi.target,
        };
        one.bonus = Some(bonus);
    }
}

/// The part that a player has of a gain that players with the same place share.
struct Part {
    /// Position among these players.
    position: usize,
    /// Number of these players.
    equals: usize,
}

impl Part {
    fn share(&self, gain: i32) -> i32 {
        let rest = gain.rem_euclid(self.equals as i32);
        gain.div_euclid(self.equals as i32) + i32::from((self.position as i32) < rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Book, RulesetId};

    fn results(totals: Points, law: &Law) -> Vec<(usize, i32)> {
        let mut ranks = standings(&totals, law);
        add_results(&mut ranks, law, &Points::default());
        ranks.iter().map(|one| (one.player.index(), one.result().expect("a result"))).collect()
    }

    fn law_of(ruleset: RulesetId) -> Law {
        Book::shipped().get(ruleset).expect("shipped").rules().law()
    }

    #[test]
    fn uma_and_oka_follow_the_places() {
        let law = law_of("riichi-tenhou".parse().expect("a name"));
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
        let law = law_of(RulesetId::MCR_WMO);
        let json = |points: Option<TablePoints>| serde_json::to_string(&points).expect("a number");
        let places = standings(&totals, &law).into_iter();
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
            let all = standings(&totals, &law_of(RulesetId::MCR_WMO));
            let sum: u32 = all.iter().filter_map(|one| one.table_points).map(|one| one.0).sum();
            assert_eq!(sum, 7 * 12, "{totals:?}");
        }
    }
}
