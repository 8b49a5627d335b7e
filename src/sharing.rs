//! The one rule by which clients share what is bounded, be it places or room: what one may have
//! depends on what is left for others.

/// How many a client may have for each that is left.
pub(crate) const PARTS: usize = 3;

/// Whether a client that has so many may have so many more, when so many are left then. One that
/// has none may.
pub(crate) fn may_have(has: usize, more: usize, left: usize) -> bool {
    has == 0 || has + more <= PARTS * left
}
