//! The rule sets that hands can be scored by: the shipped profiles, then the installed ones.
//!
//! Input: profiles, at the start of the program. Output: a [`Book`], which is passed to all code
//! that reads names of rule sets. Invariants: every id occurs once; the shipped profiles are always
//! in the book, so the default rule set always exists.

use std::sync::{Arc, LazyLock};

use super::{GAMES, Profile, RulesetId};

/// Maximum number of profiles; no club has as many.
const MAX_RULE_SETS: usize = 1000;

/// The rule sets that hands can be scored by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    profiles: Vec<Arc<Profile>>,
}

/// Shipped rule sets, read once: their texts are the same for everybody.
static SHIPPED: LazyLock<Book> = LazyLock::new(|| {
    let texts = GAMES.iter().flat_map(|game| game.shipped);
    let read = texts.map(|text| Profile::parse(text).expect("a test reads every shipped profile"));
    Book { profiles: read.map(Arc::new).collect() }
});

impl Book {
    /// Returns the rule sets that ship with the program.
    #[must_use]
    pub fn shipped() -> Book {
        SHIPPED.clone()
    }

    /// Adds a profile, so that hands can be scored by it.
    ///
    /// # Errors
    /// [`InstallError`] if its id is taken, or there are too many profiles.
    pub fn install(&mut self, profile: Profile) -> Result<&Arc<Profile>, InstallError> {
        self.add(Arc::new(profile))
    }

    /// Like [`install`](Self::install), for a profile that is used elsewhere too.
    ///
    /// # Errors
    /// As [`install`](Self::install).
    pub fn add(&mut self, profile: Arc<Profile>) -> Result<&Arc<Profile>, InstallError> {
        if self.profiles.len() >= MAX_RULE_SETS {
            return Err(InstallError::TooMany);
        }
        if self.ids().any(|id| id == profile.id()) {
            return Err(InstallError::Taken(profile.id()));
        }
        self.profiles.push(profile);
        Ok(self.profiles.last().expect("it was just added"))
    }

    /// Returns every rule set, the shipped ones first, in the order in which they were added.
    pub fn profiles(&self) -> impl Iterator<Item = &Arc<Profile>> + Clone {
        self.profiles.iter()
    }

    /// Returns the ids of the rule sets, in the same order.
    pub fn ids(&self) -> impl Iterator<Item = RulesetId> + Clone {
        self.profiles.iter().map(|profile| profile.id())
    }

    /// Returns the rule set with a name.
    ///
    /// # Errors
    /// [`UnknownRuleset`] with the names that exist.
    pub fn get(&self, id: RulesetId) -> Result<&Arc<Profile>, UnknownRuleset> {
        let found = self.profiles.iter().find(|profile| profile.id() == id);
        found.ok_or_else(|| UnknownRuleset { id, known: self.ids().collect() })
    }

    /// Returns the default rule set.
    #[must_use]
    pub fn usual(&self) -> &Arc<Profile> {
        self.get(RulesetId::default()).expect("the shipped profiles are in every book")
    }
}

impl Default for Book {
    fn default() -> Book {
        Book::shipped()
    }
}

/// Error when the book has no rule set with this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct UnknownRuleset {
    /// Unknown name.
    pub id: RulesetId,
    /// Names that exist.
    pub known: Vec<RulesetId>,
}

/// Error when a profile can't be added to a book; its author can fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// The id belongs to another profile already.
    #[error("another rule profile has the id `{0}`")]
    Taken(RulesetId),
    /// The book has the maximum number of profiles.
    #[error("more than {MAX_RULE_SETS} rule profiles")]
    TooMany,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_sets_are_found_by_their_names() {
        let book = Book::shipped();
        for profile in book.profiles() {
            assert_eq!(book.get(profile.id()), Ok(profile));
        }
        for id in [
            RulesetId::MCR_WMO,
            RulesetId::MCR_MIL,
            RulesetId::MMM,
            RulesetId::CLASSICAL_DMJL,
            RulesetId::CLASSICAL_001,
            RulesetId::HK_OLD,
            RulesetId::HK_NPM,
            RulesetId::HK_TIERS,
            RulesetId::HK_PAIRS,
            RulesetId::TW_COMMON,
        ] {
            assert!(book.get(id).is_ok_and(|profile| profile.is_shipped()), "{id}");
        }
        let riichi = "riichi".parse().expect("an id");
        let error = book.get(riichi).expect_err("not shipped").to_string();
        let part = "`riichi` is not a rule set: expected mcr-wmo, mcr-mil";
        assert!(error.starts_with(part), "{error}");
    }

    #[test]
    fn an_id_is_taken_once() {
        let mut book = Book::shipped();
        let club = || Profile::parse("id = \"club\"\ngame = \"mcr\"\n").expect("a profile");
        assert!(book.install(club()).is_ok_and(|profile| !profile.is_shipped()));
        assert_eq!(book.install(club()), Err(InstallError::Taken(club().id())));
        assert!(book.get(club().id()).is_ok());
        assert!(Book::shipped().get(club().id()).is_err(), "books are independent");
    }
}
