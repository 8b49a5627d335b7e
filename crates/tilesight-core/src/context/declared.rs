//! Declarations made at the table: parts of the win context that only some games use.
//!
//! Input: codes, as a list or separated by commas. Output: a [`DeclaredSet`]. Invariant: each
//! declaration occurs at most once. A rule set without a line for a declaration ignores it, like
//! every field that changes none of its scores, so that several rule sets can score one hand side
//! by side.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::explain::Accepted;

/// A declaration at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Declaration {
    /// The winner declared a ready hand before the first discard and did not change it.
    OriginalCall,
    /// A kong's replacement made a kong, and that kong's replacement won.
    TwofoldFortune,
    /// East won with the tiles of the first deal.
    Heaven,
    /// A player other than the dealer won on East's first discard, or, in some games, on the first
    /// draw.
    Earth,
    /// East won for the ninth time in a row.
    NinthEastWin,
    /// The winning tile replaced a flower or a season.
    FlowerReplacement,
    /// The discard was known to be dangerous: the discarder pays for all.
    DangerousGame,
    /// A player won on a discard of the first round.
    Human,
    /// The winner declared ready with the dealt tiles.
    HeavenReady,
    /// The winner declared ready at the first discard, before any claim.
    EarthReady,
    /// The winner declared ready.
    Ready,
    /// All eight bonus tiles won, whatever the other tiles.
    EightFlowers,
    /// Seven bonus tiles won when another player drew the eighth, whatever the other tiles.
    SevenFlowers,
}

impl Declaration {
    /// All declarations, in the order of the contract.
    pub const ALL: [Declaration; 13] = [
        Declaration::OriginalCall,
        Declaration::TwofoldFortune,
        Declaration::Heaven,
        Declaration::Earth,
        Declaration::NinthEastWin,
        Declaration::FlowerReplacement,
        Declaration::DangerousGame,
        Declaration::Human,
        Declaration::HeavenReady,
        Declaration::EarthReady,
        Declaration::Ready,
        Declaration::EightFlowers,
        Declaration::SevenFlowers,
    ];

    /// Names of the declarations, in the order of [`Declaration::ALL`].
    pub const NAMES: [&'static str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = Self::ALL[at].name();
            at += 1;
        }
        names
    };

    /// Returns the name in the contract.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Declaration::OriginalCall => "original_call",
            Declaration::TwofoldFortune => "twofold_fortune",
            Declaration::Heaven => "heaven",
            Declaration::Earth => "earth",
            Declaration::NinthEastWin => "ninth_east_win",
            Declaration::FlowerReplacement => "flower_replacement",
            Declaration::DangerousGame => "dangerous_game",
            Declaration::Human => "human",
            Declaration::HeavenReady => "heaven_ready",
            Declaration::EarthReady => "earth_ready",
            Declaration::Ready => "ready",
            Declaration::EightFlowers => "eight_flowers",
            Declaration::SevenFlowers => "seven_flowers",
        }
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Error when a code is unknown or was given twice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeclaredError {
    /// The code does not exist.
    Unknown(String),
    /// The declaration was given twice.
    Twice(Declaration),
}

impl FromStr for Declaration {
    type Err = DeclaredError;

    fn from_str(code: &str) -> Result<Declaration, DeclaredError> {
        let found = Declaration::ALL.into_iter().find(|one| one.name() == code);
        found.ok_or_else(|| DeclaredError::Unknown(code.to_owned()))
    }
}

/// The set of all declarations of a win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DeclaredSet(u16);

impl DeclaredSet {
    /// The empty set.
    pub const NONE: DeclaredSet = DeclaredSet(0);

    /// Returns the set with one more declaration.
    #[must_use]
    pub const fn with(self, one: Declaration) -> DeclaredSet {
        DeclaredSet(self.0 | 1 << one as u8)
    }

    /// Returns whether the set contains a declaration.
    #[must_use]
    pub const fn contains(self, one: Declaration) -> bool {
        self.0 >> one as u8 & 1 == 1
    }

    /// Returns whether the set has one of the wins by bonus tiles alone, which need no winning
    /// tile.
    #[must_use]
    pub const fn has_bonus_win(self) -> bool {
        self.contains(Declaration::EightFlowers) || self.contains(Declaration::SevenFlowers)
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the declarations in the set, in the order of the contract.
    pub fn iter(self) -> impl Iterator<Item = Declaration> {
        Declaration::ALL.into_iter().filter(move |&one| self.contains(one))
    }

    /// Returns the set with the declaration of a code, which must not be in it yet.
    fn and(self, code: &str) -> Result<DeclaredSet, DeclaredError> {
        let one: Declaration = code.trim().parse()?;
        if self.contains(one) { Err(DeclaredError::Twice(one)) } else { Ok(self.with(one)) }
    }
}

impl FromIterator<Declaration> for DeclaredSet {
    fn from_iter<I: IntoIterator<Item = Declaration>>(all: I) -> DeclaredSet {
        all.into_iter().fold(DeclaredSet::NONE, DeclaredSet::with)
    }
}

impl fmt::Debug for DeclaredSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

impl FromStr for DeclaredSet {
    type Err = DeclaredError;

    /// Reads codes separated by commas; an empty text declares nothing.
    fn from_str(text: &str) -> Result<DeclaredSet, DeclaredError> {
        let codes = text.split(',').filter(|_| !text.trim().is_empty());
        codes.into_iter().try_fold(DeclaredSet::NONE, DeclaredSet::and)
    }
}

impl Serialize for DeclaredSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Declaration::name))
    }
}

impl<'de> Deserialize<'de> for DeclaredSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DeclaredSet, D::Error> {
        deserializer.deserialize_any(Codes)
    }
}

struct Codes;

impl<'de> Visitor<'de> for Codes {
    type Value = DeclaredSet;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Accepted::Codes.describe(out)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<DeclaredSet, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<DeclaredSet, A::Error> {
        let mut all = DeclaredSet::NONE;
        while let Some(code) = list.next_element::<String>()? {
            all = all.and(&code).map_err(A::Error::custom)?;
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_read_back_as_a_list_and_as_a_text() {
        let all: DeclaredSet = Declaration::ALL.into_iter().collect();
        let json = serde_json::to_string(&all).expect("a list");
        assert_eq!(serde_json::from_str::<DeclaredSet>(&json).ok(), Some(all));
        assert_eq!(Declaration::NAMES.join(",").parse(), Ok(all));
        assert_eq!("".parse(), Ok(DeclaredSet::NONE));
    }

    #[test]
    fn unknown_and_repeated_codes_are_refused_by_name() {
        let refused = |text: &str| text.parse::<DeclaredSet>().expect_err(text).to_string();
        assert!(
            refused("heaven,hell").starts_with("`hell` can't be declared: expected original_call")
        );
        assert_eq!(refused("earth, earth"), "`earth` is declared twice");
        assert!(serde_json::from_str::<DeclaredSet>("[\"earth\",\"earth\"]").is_err());
        assert!(serde_json::from_str::<DeclaredSet>("3").is_err());
    }
}
