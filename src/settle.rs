//! What every seat gains or loses by a hand. Who pays whom is each game's own law.
//!
//! Invariant: the four seats sum to zero, because points only ever pass from one to another.

use crate::tile::Wind;

/// What every seat gains (positive) or loses (negative).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Payments {
    seats: [i32; 4],
}

impl Payments {
    /// The points of a seat.
    #[must_use]
    pub const fn of(&self, seat: Wind) -> i32 {
        self.seats[seat as usize]
    }

    /// Lets a seat pay another.
    pub const fn pay(&mut self, from: Wind, to: Wind, points: i32) {
        self.seats[from as usize] -= points;
        self.seats[to as usize] += points;
    }

    /// All seats in the order of play, East first.
    pub fn iter(&self) -> impl Iterator<Item = (Wind, i32)> + '_ {
        Wind::ALL.into_iter().map(|seat| (seat, self.of(seat)))
    }
}
