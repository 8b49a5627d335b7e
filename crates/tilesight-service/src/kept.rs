//! Values that are computed once and kept for later requests, as long as there is room.
//!
//! Input: keys, and the work that makes their values. Output: a cell for each key, in which one of
//! several concurrent requests puts the value while the others wait for it. Invariant: the size of
//! all values together is bounded; the least recently requested ones are dropped first.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OnceCell;

/// Minimum size in bytes that a value counts for, so that the number of values is bounded too.
const MIN_BYTES: usize = 4096;

/// Values by their keys.
pub(crate) struct Kept<K, V> {
    max_bytes: usize,
    /// Returns the size of a value in bytes.
    size_of: fn(&V) -> usize,
    entries: Mutex<Entries<K, V>>,
}

struct Entries<K, V> {
    by_key: HashMap<K, Entry<V>>,
    /// Logical time, which increases with every request.
    time: u64,
}

struct Entry<V> {
    value: Arc<OnceCell<V>>,
    asked_at: u64,
}

impl<K: Clone + Eq + Hash, V> Kept<K, V> {
    /// Creates room for values of `max_bytes` bytes together.
    pub(crate) fn new(max_bytes: usize, size_of: fn(&V) -> usize) -> Kept<K, V> {
        let entries = Mutex::new(Entries { by_key: HashMap::new(), time: 0 });
        Kept { max_bytes, size_of, entries }
    }

    /// Returns the cell of a value, computed or not.
    pub(crate) fn cell(&self, key: K) -> Arc<OnceCell<V>> {
        let mut entries = self.entries();
        entries.time += 1;
        let time = entries.time;
        let entry = entries
            .by_key
            .entry(key)
            .or_insert_with(|| Entry { value: Arc::default(), asked_at: 0 });
        entry.asked_at = time;
        let value = Arc::clone(&entry.value);
        if !value.initialized() {
            self.make_room(&mut entries);
        }
        value
    }

    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.entries().by_key.is_empty()
    }

    /// Drops the values of some keys.
    pub(crate) fn remove(&self, is_gone: impl Fn(&K) -> bool) {
        self.entries().by_key.retain(|key, _| !is_gone(key));
    }

    /// Drops the least recently requested values. The most recent one stays: its size becomes known
    /// only when the next is requested.
    fn make_room(&self, entries: &mut Entries<K, V>) {
        let mut bytes: usize = entries.by_key.values().map(|entry| self.size(entry)).sum();
        while bytes > self.max_bytes && entries.by_key.len() > 1 {
            let oldest = entries.by_key.iter().min_by_key(|(_, entry)| entry.asked_at);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { return };
            bytes -= entries.by_key.remove(&oldest).map_or(0, |entry| self.size(&entry));
        }
    }

    fn size(&self, entry: &Entry<V>) -> usize {
        entry.value.get().map_or(0, self.size_of).max(MIN_BYTES)
    }

    fn entries(&self) -> MutexGuard<'_, Entries<K, V>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K, V> fmt::Debug for Kept<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").field("max_bytes", &self.max_bytes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_value_is_computed_once_as_long_as_there_is_room() {
        let kept: Kept<u8, Vec<u8>> = Kept::new(3 * MIN_BYTES, Vec::len);
        let mut computed = Vec::new();
        for key in [1, 1, 2, 1, 3, 4, 1, 2] {
            let cell = kept.cell(key);
            cell.get_or_init(async || {
                computed.push(key);
                vec![key; MIN_BYTES]
            })
            .await;
        }
        // 2 was the least recently requested one when 4 came.
        assert_eq!(computed, [1, 2, 3, 4, 2]);
        kept.remove(|&key| key == 1);
        assert!(!kept.cell(1).initialized());
        assert!(kept.cell(2).initialized());
    }
}
