//! Score of a player, at a table or in all: table points, points, and points with uma.

use std::iter::Sum;
use std::ops::Add;

use serde::{Serialize, Serializer};

use super::ranking::{FixedScore, Order};

/// Points of a player, at a table or in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    /// Table points in twelfths: up to four players share them.
    pub table_points: Twelfths,
    /// Points won and lost.
    pub points: i64,
    /// Points with uma and oka.
    pub result: i64,
}

/// A number in twelfths, which is divisible by 2, 3 and 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Twelfths(pub i64);

impl Twelfths {
    /// Returns a whole number.
    #[must_use]
    pub const fn from_whole(number: i64) -> Twelfths {
        Twelfths(number * 12)
    }

    /// Returns the number rounded to two decimals, as tournaments print it.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        (self.0 as f64 / 12.0 * 100.0).round() / 100.0
    }
}

impl Serialize for Twelfths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

impl Score {
    /// Returns the numbers that places are decided by, the first before the second.
    #[must_use]
    pub const fn key(&self, order: Order) -> (i64, i64) {
        match order {
            Order::TablePoints => (self.table_points.0, self.points),
            Order::Uma => (self.result, self.points),
            Order::Points => (self.points, self.table_points.0),
        }
    }
}

impl From<FixedScore> for Score {
    fn from(fixed: FixedScore) -> Score {
        Score {
            table_points: Twelfths::from_whole(fixed.table_points.into()),
            points: fixed.points.into(),
            result: fixed.points.into(),
        }
    }
}

impl Add for Score {
    type Output = Score;

    fn add(self, other: Score) -> Score {
        Score {
            table_points: Twelfths(self.table_points.0 + other.table_points.0),
            points: self.points + other.points,
            result: self.result + other.result,
        }
    }
}

impl Sum for Score {
    fn sum<I: Iterator<Item = Score>>(scores: I) -> Score {
        scores.fold(Score::default(), Score::add)
    }
}
