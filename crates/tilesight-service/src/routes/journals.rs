//! Parts that requests about games and about series share: who views a journal, its serialized
//! views, and its changes as events.
//!
//! Input: a journal of the store and a viewer. Output: bodies of answers, and streams. Invariants:
//! a revision is serialized once for all who view it; streams of each kind of journal hold permits
//! of their own.

pub(super) mod events;
pub(super) mod streams;
pub(super) mod views;
