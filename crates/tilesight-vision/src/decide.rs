//! From named tiles and their layout to the most probable hand, its doubts and its questions.

pub(crate) mod budget;
pub(crate) mod doubt;
pub mod doubts;
pub mod joint;
pub(crate) mod possible_totals;
pub(crate) mod question;
pub(crate) mod repair;
