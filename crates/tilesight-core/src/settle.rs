//! Gains and losses of every seat by a hand. Each rule family decides who pays whom: it states for
//! every seat the [`Share`] of the hand's value that it pays, and [`Shares::payments`] computes the
//! rest.
//!
//! Invariant: the four seats sum to zero, because points only pass from one seat to another.

use crate::tile::Wind;

/// Gain (positive) or loss (negative) of every seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Payments {
    seats: [i32; 4],
}

impl Payments {
    /// Returns the points of a seat.
    #[must_use]
    pub const fn for_seat(&self, seat: Wind) -> i32 {
        self.seats[seat as usize]
    }

    /// Transfers points from one seat to another.
    pub const fn pay(&mut self, from: Wind, to: Wind, points: i32) {
        self.seats[from as usize] -= points;
        self.seats[to as usize] += points;
    }

    /// Returns all seats in the order of play, East first.
    pub fn iter(&self) -> impl Iterator<Item = (Wind, i32)> + '_ {
        Wind::ALL.into_iter().map(|seat| (seat, self.for_seat(seat)))
    }
}

/// Payment of a seat to the winner, as a function of the hand's value:
/// `basic + value * times / per` points, rounded down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Fixed payment for every hand.
    pub basic: u32,
    /// Numerator of the share of the value.
    pub times: u32,
    /// Denominator of the share of the value; at least 1.
    pub per: u32,
}

/// Payments of every seat to the winner of a hand. The winner's own share is [`Share::NOTHING`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    winner: Wind,
    seats: [Share; 4],
}

/// Highest value that is settled. Sixteen times this value still fits into a sum of payments, and
/// no seat pays or gets more than twelve times a value. Without a limit, doubles could exceed it.
const HIGHEST_VALUE: u32 = i32::MAX as u32 / 16;

impl Share {
    /// A share of no points.
    pub const NOTHING: Share = Share { basic: 0, times: 0, per: 1 };

    /// Creates a share of the hand's value, a number of times.
    #[must_use]
    pub const fn times(times: u32) -> Share {
        Share { times, ..Share::NOTHING }
    }

    /// Returns the points to pay for a hand of this value.
    #[must_use]
    pub fn points(&self, value: u32) -> i32 {
        let part = u64::from(value.min(HIGHEST_VALUE)) * u64::from(self.times);
        let points = u64::from(self.basic) + part / u64::from(self.per.max(1));
        i32::try_from(points).unwrap_or(i32::MAX)
    }
}

impl Shares {
    /// Creates the shares of the three seats that did not win.
    pub fn new(winner: Wind, share: impl Fn(Wind) -> Share) -> Shares {
        let seats = Wind::ALL.map(|seat| if seat == winner { Share::NOTHING } else { share(seat) });
        Shares { winner, seats }
    }

    /// Returns the share of a seat.
    #[must_use]
    pub const fn for_seat(&self, seat: Wind) -> Share {
        self.seats[seat as usize]
    }

    /// Settles a hand of this value.
    #[must_use]
    pub fn payments(&self, value: u32) -> Payments {
        let mut payments = Payments::default();
        for seat in Wind::ALL.into_iter().filter(|&seat| seat != self.winner) {
            payments.pay(seat, self.winner, self.for_seat(seat).points(value));
        }
        payments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_basic_amount_and_a_part_of_the_value() {
        let share = Share { basic: 8, times: 3, per: 4 };
        assert_eq!([share.points(0), share.points(1), share.points(7)], [8, 8, 13]);
        assert_eq!(Share::NOTHING.points(100), 0);
    }

    #[test]
    fn the_highest_value_can_be_settled() {
        for times in [1, 6] {
            let alone = Shares::new(Wind::South, |seat| match seat {
                Wind::West => Share { basic: 8, times, per: 1 },
                _ => Share { basic: 8, times: 2, per: 1 },
            });
            let payments = alone.payments(u32::MAX);
            assert_eq!(payments.iter().map(|(_, points)| i64::from(points)).sum::<i64>(), 0);
            assert!(payments.for_seat(Wind::South) > 0);
        }
    }
}
