//! Fair shares of a bounded resource: no client can take all of it.
//!
//! [`Shares`] are places, such as those for uploads or for connections, of which each client may
//! hold three times as many as would remain free: one client alone three quarters of all, two
//! clients three sevenths each, three clients three tenths each. So a place remains for the next
//! client, no limit per client has to be configured, and the share of one client shrinks as others
//! come. Invariant: a place is given back when its [`Share`] is dropped, for whatever reason.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tilesight_jobs::sharing::{PARTS, may_have};

use crate::answer::failure::{Failure, SharedResource};

/// Places that clients of one kind share.
pub(crate) struct Shares<C> {
    all: usize,
    held: Mutex<Held<C>>,
}

struct Held<C> {
    free: usize,
    by: HashMap<C, usize>,
}

/// Reason why no place is available.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    /// The client has used up its share; the rest is for others.
    Share,
    /// All places are taken.
    All,
}

impl Full {
    /// Returns the failure of a request that finds no place in a shared resource.
    pub(crate) fn failure(self, what: SharedResource) -> Failure {
        match self {
            Full::Share => Failure::Share { what },
            Full::All => Failure::Busy,
        }
    }
}

/// Places that a client holds; given back on drop.
pub(crate) struct Share<C: Eq + Hash> {
    shares: Arc<Shares<C>>,
    client: C,
    places: usize,
}

impl<C: Clone + Eq + Hash> Shares<C> {
    /// Creates a number of places.
    pub(crate) fn new(all: usize) -> Arc<Shares<C>> {
        Arc::new(Shares { all, held: Mutex::new(Held { free: all, by: HashMap::new() }) })
    }

    /// Returns the total number of places.
    pub(crate) fn all(&self) -> usize {
        self.all
    }

    /// Returns the number of free places.
    pub(crate) fn free(&self) -> usize {
        self.lock().free
    }

    /// Takes a place for a client.
    ///
    /// # Errors
    /// [`Full`], if the client has used up its share or no place is free.
    pub(crate) fn take(self: &Arc<Self>, client: &C) -> Result<Share<C>, Full> {
        self.take_many(client, 1)
    }

    /// Takes a place for a client that may hold at most `max`, whatever is free.
    ///
    /// # Errors
    /// [`Full`], if the client has used up its share or no place is free.
    pub(crate) fn take_limited(self: &Arc<Self>, client: &C, max: usize) -> Result<Share<C>, Full> {
        let share = self.take(client)?;
        // The count includes this place, so that of two concurrent calls neither exceeds the limit.
        let has = self.lock().by.get(client).copied().unwrap_or(0);
        if has > max { Err(Full::Share) } else { Ok(share) }
    }

    /// Takes several places at once, but no more than one client alone may hold. A client that
    /// holds no places gets them as long as they are free.
    ///
    /// # Errors
    /// [`Full`], if the client would exceed its share or too few places are free.
    pub(crate) fn take_many(self: &Arc<Self>, client: &C, places: usize) -> Result<Share<C>, Full> {
        let places = places.clamp(1, self.alone());
        let mut held = self.lock();
        if held.free < places {
            return Err(Full::All);
        }
        let has = held.by.get(client).copied().unwrap_or(0);
        let left = held.free - places;
        if !may_have(has, places, left) {
            return Err(Full::Share);
        }
        held.free = left;
        *held.by.entry(client.clone()).or_default() += places;
        Ok(Share { shares: Arc::clone(self), client: client.clone(), places })
    }

    /// Returns the maximum number of places that a client may hold when no other client holds any.
    fn alone(&self) -> usize {
        (self.all * PARTS / (PARTS + 1)).max(1)
    }
}

impl<C> Shares<C> {
    fn lock(&self) -> MutexGuard<'_, Held<C>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Eq + Hash> Drop for Share<C> {
    fn drop(&mut self) {
        let mut held = self.shares.lock();
        held.free += self.places;
        if let Some(has) = held.by.get_mut(&self.client) {
            *has -= self.places;
            if *has == 0 {
                held.by.remove(&self.client);
            }
        }
    }
}

impl<C> fmt::Debug for Shares<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shares").field("all", &self.all).finish_non_exhaustive()
    }
}

impl<C: Eq + Hash> fmt::Debug for Share<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Share").field("places", &self.places).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn take_all(shares: &Arc<Shares<u8>>, client: u8) -> Vec<Share<u8>> {
        std::iter::from_fn(|| shares.take(&client).ok()).collect()
    }

    #[test]
    fn one_client_leaves_room_and_the_next_ones_share_it() {
        for (all, parts) in [
            (1, &[1][..]),
            (2, &[1, 1]),
            (4, &[3, 1]),
            (16, &[12, 3, 1]),
            (20, &[15, 3, 1, 1]),
            (1024, &[768, 192, 48, 12, 3, 1]),
        ] {
            let shares = Shares::new(all);
            let held: Vec<_> =
                (0..parts.len()).map(|client| take_all(&shares, client as u8)).collect();
            assert_eq!(held.iter().map(Vec::len).collect::<Vec<_>>(), parts, "{all}");
            assert_eq!(shares.take(&99).err(), Some(Full::All).filter(|_| shares.free() == 0));
            drop(held);
            assert_eq!(shares.free(), all);
        }
    }

    #[test]
    fn a_share_shrinks_as_others_come() {
        let shares = Shares::new(16);
        let (mut one, other) = (take_all(&shares, 1), take_all(&shares, 2));
        assert_eq!((one.len(), other.len()), (12, 3));
        one.truncate(9);
        assert_eq!(shares.take(&1).err(), Some(Full::Share), "9 and 1 are more than 3 times 3");
        assert!(shares.take(&2).is_ok(), "3 and 1 are not");
    }

    #[test]
    fn a_client_may_be_held_to_a_number() {
        let shares = Shares::new(16);
        let held: Vec<_> = std::iter::from_fn(|| shares.take_limited(&1, 5).ok()).collect();
        assert_eq!((held.len(), shares.free()), (5, 11));
        assert_eq!(shares.take_limited(&1, 5).err(), Some(Full::Share));
        assert!(shares.take_limited(&2, 5).is_ok());
    }

    #[test]
    fn many_places_at_once_are_never_more_than_one_may_hold() {
        let shares = Shares::new(16);
        let table = shares.take_many(&1, 100).expect("nobody else is there");
        assert_eq!(table.places, 12);
        assert_eq!(shares.take_many(&2, 5).err(), Some(Full::All));
        assert!(shares.take_many(&2, 4).is_ok());
    }

    proptest! {
        /// Checks that, for any sequence of clients, the total is never exceeded, and that a
        /// newcomer finds a place unless other clients fill all shares.
        #[test]
        fn places_are_neither_lost_nor_made(
            all in 1_usize..40, steps in prop::collection::vec((0_u8..4, any::<bool>()), 0..200),
        ) {
            let shares = Shares::new(all);
            let mut held: Vec<Share<u8>> = Vec::new();
            for (client, comes) in steps {
                if comes {
                    held.extend(shares.take(&client).ok());
                } else if let Some(at) = held.iter().position(|share| share.client == client) {
                    held.remove(at);
                }
                prop_assert_eq!(shares.free() + held.len(), all);
                let mine = held.iter().filter(|share| share.client == client).count();
                prop_assert!(mine <= shares.alone());
            }
            drop(held);
            prop_assert_eq!(shares.free(), all);
        }
    }
}
