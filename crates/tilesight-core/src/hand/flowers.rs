//! Flowers and seasons of a hand: some known by name, others only counted (a score sheet says
//! "three flowers"). Invariant: there are at most eight, and each named one occurs once.

use crate::tile::Bonus;

/// Number of bonus tiles in a set of tiles.
const MAX_FLOWERS: u8 = 8;

/// The bonus tiles of a hand, 0 to 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flowers {
    named: u8,
    unnamed: u8,
}

/// Error when a hand can't have these flowers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FlowersError {
    /// A flower or season occurs twice.
    Twice(Bonus),
    /// More than eight flowers and seasons.
    TooMany,
}

impl Flowers {
    /// No flowers.
    pub const NONE: Flowers = Flowers { named: 0, unnamed: 0 };

    /// Returns flowers known by name.
    ///
    /// # Errors
    /// [`FlowersError::Twice`] with the first flower that is repeated.
    pub fn from_named(flowers: impl IntoIterator<Item = Bonus>) -> Result<Flowers, FlowersError> {
        flowers.into_iter().try_fold(Flowers::NONE, Flowers::with)
    }

    /// Returns flowers of which only the number is known.
    ///
    /// # Errors
    /// [`FlowersError::TooMany`] above eight.
    pub const fn from_unnamed_count(count: u8) -> Result<Flowers, FlowersError> {
        Flowers::NONE.with_unnamed(count)
    }

    /// Returns the flowers with one more that is known by name.
    ///
    /// # Errors
    /// [`FlowersError`] if the flower is there already or would be the ninth.
    pub const fn with(self, flower: Bonus) -> Result<Flowers, FlowersError> {
        let bit = 1 << flower.index();
        if self.named & bit != 0 {
            Err(FlowersError::Twice(flower))
        } else if self.count() >= MAX_FLOWERS {
            Err(FlowersError::TooMany)
        } else {
            Ok(Flowers { named: self.named | bit, ..self })
        }
    }

    /// Returns the flowers with `count` of them known by number only.
    ///
    /// # Errors
    /// [`FlowersError::TooMany`] if there would be more than eight in total.
    pub const fn with_unnamed(self, count: u8) -> Result<Flowers, FlowersError> {
        if count > MAX_FLOWERS || count + self.named.count_ones() as u8 > MAX_FLOWERS {
            Err(FlowersError::TooMany)
        } else {
            Ok(Flowers { unnamed: count, ..self })
        }
    }

    /// Returns the number of flowers, 0 to 8.
    #[must_use]
    pub const fn count(self) -> u8 {
        self.named.count_ones() as u8 + self.unnamed
    }

    /// Returns the number of flowers that are known by number only.
    #[must_use]
    pub const fn unnamed_count(self) -> u8 {
        self.unnamed
    }

    /// Returns the flowers known by name, in order.
    pub fn iter(self) -> impl Iterator<Item = Bonus> {
        Bonus::ALL.into_iter().filter(move |flower| self.named >> flower.index() & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_flowers_come_back_in_order() {
        let flowers = Flowers::from_named([Bonus::ALL[6], Bonus::ALL[0]]).expect("two flowers");
        assert_eq!(flowers.iter().collect::<Vec<_>>(), [Bonus::ALL[0], Bonus::ALL[6]]);
        assert_eq!(flowers.with_unnamed(6).map(Flowers::count), Ok(8));
    }

    #[test]
    fn a_ninth_or_repeated_flower_is_refused() {
        let plum = Bonus::ALL[0];
        assert_eq!(Flowers::from_named([plum, plum]), Err(FlowersError::Twice(plum)));
        assert_eq!(Flowers::from_unnamed_count(9), Err(FlowersError::TooMany));
        let eight = Flowers::from_unnamed_count(8).expect("eight flowers");
        assert_eq!(eight.with(plum), Err(FlowersError::TooMany));
        assert_eq!(Flowers::from_named(Bonus::ALL).map(Flowers::count), Ok(8));
    }
}
