//! Index of the stored evenings: their number, their owners and which may have expired, without
//! reading any of them.
//!
//! Beside each evening there is an [`Entry`], a document whose name contains all its data, so that
//! one listing of names is the whole index. A [`Census`] is that listing in memory. Unowned
//! evenings are counted per client address. The mapping is held in memory only: no address is ever
//! written. Invariant: an entry is written before its evening, so an evening without an entry comes
//! from a program that had no index.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};
use tilesight_core::hex;

use crate::evenings::GameLimits;
use crate::sharing::may_have;
use crate::{Name, Timestamp};

/// Number of hex digits of an evening's id.
pub(super) const ID: usize = 32;
/// Latest time that an entry can hold, in the year 10889.
const LATEST: Timestamp = Timestamp(0xffff_ffff_ffff);
/// Owner mark of an unowned evening. The probability that the hash of a key's name equals it is 1
/// in 2^64.
const NOBODY: &str = "0000000000000000";

/// Entry of the index about one evening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Id of the evening.
    pub(super) game: Name,
    /// Time of the last change that the index knows; the evening may have been changed later.
    pub(super) changed: Timestamp,
    /// First 16 hex digits of the SHA-256 of the owner's name: the name itself may contain
    /// characters that an entry's name must not.
    owner: String,
}

impl Entry {
    pub(super) fn new(game: &Name, changed: Timestamp, owner: Option<&str>) -> Entry {
        let owner = owner.map_or_else(|| NOBODY.to_owned(), mark);
        Entry { game: game.clone(), changed: changed.min(LATEST), owner }
    }

    /// Returns the name of the entry's document.
    pub(super) fn name(&self) -> Name {
        let name = format!("{}-{:012x}-{}", self.game, self.changed.0, self.owner);
        name.parse().expect("with the 32 digits of a game's id it has 62 characters")
    }

    /// Parses an entry from the name of its document; returns `None` for a name that no version of
    /// this program wrote.
    pub(super) fn read(name: &Name) -> Option<Entry> {
        let (game, rest) = name.as_str().split_once('-')?;
        let (changed, owner) = rest.split_once('-')?;
        if [game.len(), changed.len(), owner.len()] != [ID, 12, NOBODY.len()] {
            return None;
        }
        let changed = Timestamp(u64::from_str_radix(changed, 16).ok()?);
        Some(Entry { game: game.parse().ok()?, changed, owner: owner.to_owned() })
    }
}

/// Returns the first 16 hex digits of the SHA-256 of a key's name.
fn mark(owner: &str) -> String {
    hex::encode(&Sha256::digest(owner.as_bytes())[..8])
}

/// Reason why no further evening is admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TooMany {
    /// The store has the maximum number of evenings.
    Games,
    /// The client has this number of evenings and may not have more.
    OfOne(usize),
}

/// Time after which an admitted evening that is not in the index counts as never created: longer
/// than any request takes.
const CREATING: Duration = Duration::from_secs(300);

/// All evenings that are counted.
#[derive(Debug, Default)]
pub(super) struct Census(HashMap<Name, CountedGame>);

/// Evening that is counted.
#[derive(Debug, Clone)]
struct CountedGame {
    /// Owner mark or address that the evening counts for.
    whose: Option<String>,
    /// Time of admission by this process; `None` for an evening from the index.
    admitted: Option<Instant>,
}

impl Census {
    /// Combines the index with the evenings that are being created. The addresses that unowned
    /// evenings count for are taken from the previous census.
    pub(super) fn new(entries: &[Entry], before: Option<Census>) -> Census {
        let mut all = before.unwrap_or_default().0;
        let known = entries.iter().map(|entry| {
            let before = all.remove(&entry.game).and_then(|counted| counted.whose);
            let owner = Some(entry.owner.clone()).filter(|owner| owner != NOBODY);
            (entry.game.clone(), CountedGame { whose: owner.or(before), admitted: None })
        });
        let known: Vec<_> = known.collect();
        all.retain(|_, counted| counted.admitted.is_some_and(|at| at.elapsed() < CREATING));
        all.extend(known);
        Census(all)
    }

    /// Counts a new evening, for its owner or for an address.
    pub(super) fn admit(
        &mut self,
        game: &Name,
        owner: Option<&str>,
        address: Option<&str>,
        limits: &GameLimits,
    ) -> Result<(), TooMany> {
        let whose = owner.map(mark).or_else(|| Some(format!("at {}", address?)));
        if self.0.len() >= limits.most {
            return Err(TooMany::Games);
        }
        let has = match whose {
            Some(_) => self.0.values().filter(|other| other.whose == whose).count(),
            None => 0,
        };
        let left = limits.most - self.0.len() - 1;
        if has >= limits.each || !may_have(has, 1, left) {
            return Err(TooMany::OfOne(has));
        }
        self.0.insert(game.clone(), CountedGame { whose, admitted: Some(Instant::now()) });
        Ok(())
    }

    /// Returns whether an evening is counted.
    pub(super) fn counts(&self, game: &Name) -> bool {
        self.0.contains_key(game)
    }

    /// Removes an evening from the count.
    pub(super) fn forget(&mut self, game: &Name) {
        self.0.remove(game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(number: u128) -> Name {
        format!("{number:032x}").parse().unwrap()
    }

    #[test]
    fn an_entry_is_its_name() {
        for (changed, owner) in
            [(0, None), (1_795_000_000_000, Some("anna.b-c_d")), (LATEST.0, Some("x"))]
        {
            let entry = Entry::new(&name(7), Timestamp(changed), owner);
            assert_eq!(Entry::read(&entry.name()), Some(entry));
        }
        assert_eq!(Entry::new(&name(7), Timestamp::NEVER, None).changed, LATEST);
        for foreign in ["", "last", "a-b", "a-b-c"] {
            assert_eq!(foreign.parse().ok().as_ref().and_then(Entry::read), None, "{foreign}");
        }
    }

    #[test]
    fn a_few_clients_leave_room_for_the_next() {
        let limits = GameLimits { most: 100, each: 25, ..GameLimits::default() };
        let mut census = Census::default();
        let mut next = 0;
        let mut fill = |at: &str| {
            let first = next;
            while census.admit(&name(next), None, Some(at), &limits).is_ok() {
                next += 1;
            }
            next - first
        };
        let parts = ["1", "2", "3", "4", "5", "6", "7", "8"].map(&mut fill);
        assert_eq!(parts, [25, 25, 25, 18, 5, 1, 1, 0]);
    }

    #[test]
    fn games_are_counted_in_all_by_key_and_by_address() {
        let limits = GameLimits { most: 5, each: 2, ..GameLimits::default() };
        let mut census = Census::default();
        let mut admit = |number, owner, at| census.admit(&name(number), owner, Some(at), &limits);
        assert_eq!(admit(1, Some("anna"), "192.0.2.1"), Ok(()));
        assert_eq!(admit(2, Some("anna"), "192.0.2.2"), Ok(()));
        assert_eq!(admit(3, Some("anna"), "192.0.2.3"), Err(TooMany::OfOne(2)), "a key is one");
        assert_eq!(admit(3, None, "192.0.2.1"), Ok(()));
        assert_eq!(admit(4, None, "192.0.2.1"), Ok(()));
        assert_eq!(admit(5, None, "192.0.2.1"), Err(TooMany::OfOne(2)));
        assert_eq!(admit(5, None, "192.0.2.2"), Ok(()));
        assert_eq!(admit(6, Some("bo"), "192.0.2.1"), Err(TooMany::Games));
        // A new census from the index, which knows keys but no addresses.
        let entries = [(1, Some("anna")), (2, Some("anna")), (3, None), (4, None)]
            .map(|(number, owner)| Entry::new(&name(number), Timestamp(1), owner));
        let mut census = Census::new(&entries, Some(census));
        assert!(census.counts(&name(5)), "it is still being created");
        census.forget(&name(5));
        let mut admit = |number, owner, at| census.admit(&name(number), owner, Some(at), &limits);
        assert_eq!(admit(9, Some("anna"), "192.0.2.1"), Err(TooMany::OfOne(2)));
        assert_eq!(admit(9, None, "192.0.2.1"), Err(TooMany::OfOne(2)));
        assert_eq!(admit(9, None, "192.0.2.2"), Ok(()), "what is gone counts no longer");
    }
}
