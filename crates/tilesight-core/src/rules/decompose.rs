//! The decompositions of a hand into sets, which all engines share.
//!
//! [`facts`] looks at a hand once, [`decompositions`] gives every way to split it into sets
//! ([`splits`] of one suit), [`waits`] finds whether the winning tile was the only one waited for,
//! [`sets`] writes a decomposition out, [`contradictions`] refuses win context that can't be true
//! of the tiles. [`packed`] and [`kinds`] are the integers underneath. Invariant: nothing here
//! knows a point, a double or a name of a rule; nothing allocates but [`sets`] and a refusal.

pub(in crate::rules) mod contradictions;
pub(in crate::rules) mod decompositions;
pub(in crate::rules) mod facts;
pub(in crate::rules) mod kinds;
pub(in crate::rules) mod packed;
pub(in crate::rules) mod sets;
pub(in crate::rules) mod splits;
pub(in crate::rules) mod waits;
