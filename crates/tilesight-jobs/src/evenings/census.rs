//! Count of the stored evenings, in all and for each client.
//!
//! Input: the rows of the index, and evenings as they are created. Output: whether a client may
//! have another one. Unowned evenings are counted per client address. The mapping is held in memory
//! only: no address is ever written.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::index::{IndexRow, mark_of_owner};
use crate::Name;
use crate::evenings::EveningLimits;
use crate::sharing::may_have;

/// Reason why no further evening is admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TooMany {
    /// The store has the maximum number of evenings.
    Evenings,
    /// The client has this number of evenings and may not have more.
    OfClient(usize),
}

/// Time after which an admitted evening that is not in the index counts as never created: longer
/// than any request takes.
const MAX_CREATION_TIME: Duration = Duration::from_secs(300);

/// All evenings that are counted.
#[derive(Debug, Default)]
pub(super) struct Census(HashMap<Name, CountedEvening>);

/// Evening that is counted.
#[derive(Debug, Clone)]
struct CountedEvening {
    /// Owner mark or address that the evening counts for.
    whose: Option<String>,
    /// Time of admission by this process; `None` for an evening from the index.
    admitted: Option<Instant>,
}

impl Census {
    /// Combines the index with the evenings that are being created. The addresses that unowned
    /// evenings count for are taken from the previous census.
    pub(super) fn new(rows: &[IndexRow], before: Option<Census>) -> Census {
        let mut all = before.unwrap_or_default().0;
        let known = rows.iter().map(|row| {
            let before = all.remove(&row.evening).and_then(|counted| counted.whose);
            let owner = row.owner_mark().map(str::to_owned);
            (row.evening.clone(), CountedEvening { whose: owner.or(before), admitted: None })
        });
        let known: Vec<_> = known.collect();
        all.retain(|_, counted| {
            counted.admitted.is_some_and(|at| at.elapsed() < MAX_CREATION_TIME)
        });
        all.extend(known);
        Census(all)
    }

    /// Counts a new evening, for its owner or for an address. One that is counted stays admitted.
    pub(super) fn admit(
        &mut self,
        evening: &Name,
        owner: Option<&str>,
        address: Option<&str>,
        limits: &EveningLimits,
    ) -> Result<(), TooMany> {
        if self.counts(evening) {
            return Ok(());
        }
        let whose = owner.map(mark_of_owner).or_else(|| Some(format!("at {}", address?)));
        if self.0.len() >= limits.max_evenings {
            return Err(TooMany::Evenings);
        }
        let has = match whose {
            Some(_) => self.0.values().filter(|other| other.whose == whose).count(),
            None => 0,
        };
        let left = limits.max_evenings - self.0.len() - 1;
        if has >= limits.max_per_client || !may_have(has, 1, left) {
            return Err(TooMany::OfClient(has));
        }
        self.0.insert(evening.clone(), CountedEvening { whose, admitted: Some(Instant::now()) });
        Ok(())
    }

    /// Returns the number of evenings.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether an evening is counted.
    pub(super) fn counts(&self, evening: &Name) -> bool {
        self.0.contains_key(evening)
    }

    /// Removes an evening from the count.
    pub(super) fn remove(&mut self, evening: &Name) {
        self.0.remove(evening);
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
            EveningLimits { max_evenings: 100, max_per_client: 25, ..EveningLimits::default() };
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
            EveningLimits { max_evenings: 5, max_per_client: 2, ..EveningLimits::default() };
        let mut census = Census::default();
        let mut admit = |number, owner, at| census.admit(&name(number), owner, Some(at), &limits);
        assert_eq!(admit(1, Some("anna"), "192.0.2.1"), Ok(()));
        assert_eq!(admit(2, Some("anna"), "192.0.2.2"), Ok(()));
        assert_eq!(admit(3, Some("anna"), "192.0.2.3"), Err(TooMany::OfClient(2)), "a key is one");
        assert_eq!(admit(3, None, "192.0.2.1"), Ok(()));
        assert_eq!(admit(4, None, "192.0.2.1"), Ok(()));
        assert_eq!(admit(5, None, "192.0.2.1"), Err(TooMany::OfClient(2)));
        assert_eq!(admit(5, None, "192.0.2.2"), Ok(()));
        assert_eq!(admit(6, Some("bo"), "192.0.2.1"), Err(TooMany::Evenings));
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
