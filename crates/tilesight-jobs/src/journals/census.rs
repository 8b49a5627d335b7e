//! Count of the stored journals, in all and for each client.
//!
//! Input: the rows of the index, and journals as they are created. Output: whether a client may
//! have another one. Unowned journals are counted per client address. The mapping is held in memory
//! only: no address is ever written.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::JournalLimits;
use super::index::{IndexRow, mark_of_owner};
use crate::Name;
use crate::sharing::may_have;

/// Reason why no further journal is admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TooMany {
    /// The store has the maximum number of journals.
    InAll,
    /// The client has this number of journals and may not have more.
    OfClient(usize),
}

/// Time after which an admitted journal that is not in the index counts as never created: longer
/// than any request takes.
const MAX_CREATION_TIME: Duration = Duration::from_secs(300);

/// All journals that are counted.
#[derive(Debug, Default)]
pub(super) struct Census(HashMap<Name, CountedJournal>);

/// Journal that is counted.
#[derive(Debug, Clone)]
struct CountedJournal {
    /// Owner mark or address that the evening counts for.
    whose: Option<String>,
    /// Time of admission by this process; `None` for a journal from the index.
    admitted: Option<Instant>,
}

impl Census {
    /// Combines the index with the journals that are being created. The addresses that unowned
    /// journals count for are taken from the previous census.
    pub(super) fn new(rows: &[IndexRow], before: Option<Census>) -> Census {
        let mut all = before.unwrap_or_default().0;
        let known = rows.iter().map(|row| {
            let before = all.remove(&row.journal).and_then(|counted| counted.whose);
            let owner = row.owner_mark().map(str::to_owned);
            (row.journal.clone(), CountedJournal { whose: owner.or(before), admitted: None })
        });
        let known: Vec<_> = known.collect();
        all.retain(|_, counted| {
            counted.admitted.is_some_and(|at| at.elapsed() < MAX_CREATION_TIME)
        });
        all.extend(known);
        Census(all)
    }

    /// Counts a new journal, for its owner or for an address. One that is counted stays admitted.
    pub(super) fn admit(
        &mut self,
        journal: &Name,
        owner: Option<&str>,
        address: Option<&str>,
        limits: &JournalLimits,
    ) -> Result<(), TooMany> {
        if self.counts(journal) {
            return Ok(());
        }
        let whose = owner.map(mark_of_owner).or_else(|| Some(format!("at {}", address?)));
        if self.0.len() >= limits.max_journals {
            return Err(TooMany::InAll);
        }
        let has = match whose {
            Some(_) => self.0.values().filter(|other| other.whose == whose).count(),
            None => 0,
        };
        let left = limits.max_journals - self.0.len() - 1;
        if has >= limits.max_per_client || !may_have(has, 1, left) {
            return Err(TooMany::OfClient(has));
        }
        self.0.insert(journal.clone(), CountedJournal { whose, admitted: Some(Instant::now()) });
        Ok(())
    }

    /// Returns the number of journals.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether a journal is counted.
    pub(super) fn counts(&self, journal: &Name) -> bool {
        self.0.contains_key(journal)
    }

    /// Removes a journal from the count.
    pub(super) fn remove(&mut self, journal: &Name) {
        self.0.remove(journal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    fn name(number: u128) -> Name {
        format!("{number:032x}").parse().unwrap()
    }

    #[test]
    fn a_few_clients_leave_room_for_the_next() {
        let limits =
            JournalLimits { max_journals: 100, max_per_client: 25, ..JournalLimits::default() };
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
        let limits =
            JournalLimits { max_journals: 5, max_per_client: 2, ..JournalLimits::default() };
        let mut census = Census::default();
        let mut admit = |number, owner, at| census.admit(&name(number), owner, Some(at), &limits);
        assert_eq!(admit(1, Some("anna"), "192.0.2.1"), Ok(()));
        assert_eq!(admit(2, Some("anna"), "192.0.2.2"), Ok(()));
        assert_eq!(admit(3, Some("anna"), "192.0.2.3"), Err(TooMany::OfClient(2)), "a key is one");
        assert_eq!(admit(3, None, "192.0.2.1"), Ok(()));
        assert_eq!(admit(4, None, "192.0.2.1"), Ok(()));
        assert_eq!(admit(5, None, "192.0.2.1"), Err(TooMany::OfClient(2)));
        assert_eq!(admit(5, None, "192.0.2.2"), Ok(()));
        assert_eq!(admit(6, Some("bo"), "192.0.2.1"), Err(TooMany::InAll));
        // A new census from the index, which knows keys but no addresses.
        let rows = [(1, Some("anna")), (2, Some("anna")), (3, None), (4, None)]
            .map(|(number, owner)| IndexRow::new(&name(number), Timestamp(1), owner));
        let mut census = Census::new(&rows, Some(census));
        assert!(census.counts(&name(5)), "it is still being created");
        census.remove(&name(5));
        let mut admit = |number, owner, at| census.admit(&name(number), owner, Some(at), &limits);
        assert_eq!(admit(9, Some("anna"), "192.0.2.1"), Err(TooMany::OfClient(2)));
        assert_eq!(admit(9, None, "192.0.2.1"), Err(TooMany::OfClient(2)));
        assert_eq!(admit(9, None, "192.0.2.2"), Ok(()), "what is gone counts no longer");
    }
}
