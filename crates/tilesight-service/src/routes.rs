//! Endpoints: a file for each, or for each group of them, with its tests.
//!
//! Input: requests that the guards passed on. Output: answers, or a
//! [`Failure`](super::answer::failure::Failure). An endpoint reads its input with the functions of
//! `input`, and holds the permits of `guard` while it works.

pub(super) mod caller;
pub(super) mod docs;
pub(super) mod feedback;
pub(super) mod games;
pub(super) mod hands;
pub(super) mod health;
pub(super) mod jobs;
mod journals;
pub(super) mod metrics;
#[cfg(feature = "web")]
pub(super) mod page;
pub(super) mod preview;
pub(super) mod readings;
pub(super) mod review;
#[cfg(any(test, not(feature = "web")))]
pub(super) mod root;
pub(super) mod rulesets;
pub(super) mod score;
pub(super) mod series;
pub(super) mod sets;
