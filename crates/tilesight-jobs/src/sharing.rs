//! Fair sharing of a bounded resource, such as permits or space, between clients: the more remains
//! for others, the more a client may hold.

/// Maximum number of units that a client may hold per unit that remains free.
pub const PARTS: usize = 3;

/// Returns whether a client that holds `has` units may take `more` when `left` remain free
/// afterwards. A client that holds nothing always may.
#[must_use]
pub fn may_have(has: usize, more: usize, left: usize) -> bool {
    has == 0 || has + more <= PARTS * left
}
