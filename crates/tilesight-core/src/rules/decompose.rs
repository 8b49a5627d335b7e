//! The decompositions of a hand into sets, which all engines share.
//!
//! [`facts`] collects the facts of a hand once, [`decompositions`] yields every way to split it
//! into sets ([`splits`] of one suit), [`waits`] finds whether the winning tile was the only one
//! waited for, [`sets`] lists the sets of a decomposition, [`contradictions`] refuses win context
//! that can't be true of the tiles. [`packed`] and [`kinds`] are the integers underneath.
//! Invariant: this module knows no points, doubles or names of rules; only [`sets`] and a refusal
//! allocate.

pub(in crate::rules) mod contradictions;
pub(in crate::rules) mod decompositions;
pub(in crate::rules) mod facts;
pub(in crate::rules) mod feeders;
pub(in crate::rules) mod kinds;
pub(in crate::rules) mod packed;
pub(in crate::rules) mod sets;
pub(in crate::rules) mod shown_sets;
pub(in crate::rules) mod splits;
pub(in crate::rules) mod waits;
