//! The size of a hand, which a rule set chooses: thirteen tiles and the winning one, or sixteen and
//! the winning one.
//!
//! Invariant: a regular hand is a number of sets of three and a pair, so the number of sets decides
//! all others.

/// Number of tiles of a set; a kong counts as three.
const SET: usize = 3;

/// The size of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HandSize {
    /// Four sets and a pair: thirteen tiles and the winning one.
    #[default]
    Thirteen,
    /// Five sets and a pair: sixteen tiles and the winning one.
    Sixteen,
}

impl HandSize {
    /// Both sizes, the smaller first.
    pub const ALL: [HandSize; 2] = [HandSize::Thirteen, HandSize::Sixteen];
    /// The larger size.
    pub const MAX: HandSize = HandSize::Sixteen;

    /// Returns the number of sets in a regular hand, without the pair.
    #[must_use]
    pub const fn sets(self) -> usize {
        match self {
            HandSize::Thirteen => 4,
            HandSize::Sixteen => 5,
        }
    }

    /// Returns the number of tiles without the winning one, with a kong counted as three.
    #[must_use]
    pub const fn waiting(self) -> usize {
        SET * self.sets() + 1
    }

    /// Returns the number of tiles of a winning hand, with a kong counted as three.
    #[must_use]
    pub const fn tiles(self) -> usize {
        self.waiting() + 1
    }

    /// Returns the size of a hand with so many tiles before the winning one, and so many melds.
    #[must_use]
    pub(crate) const fn from_counts(concealed: usize, melds: usize) -> Option<HandSize> {
        let waiting = concealed + SET * melds;
        if waiting == HandSize::Thirteen.waiting() {
            Some(HandSize::Thirteen)
        } else if waiting == HandSize::Sixteen.waiting() {
            Some(HandSize::Sixteen)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_named_by_the_tiles_before_the_winning_one() {
        assert_eq!(HandSize::ALL.map(HandSize::waiting), [13, 16]);
        assert_eq!(HandSize::ALL.map(HandSize::tiles), [14, 17]);
        for size in HandSize::ALL {
            for melds in 0..=size.sets() {
                assert_eq!(HandSize::from_counts(size.waiting() - 3 * melds, melds), Some(size));
            }
        }
        assert_eq!(HandSize::from_counts(14, 0), None);
    }
}
