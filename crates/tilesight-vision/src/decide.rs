//! From named tiles and their layout to the most probable hand, its doubts and its questions.

pub mod doubt;
pub mod doubts;
pub mod joint;
pub mod no_score;
pub mod possible_totals;
pub mod question;
pub mod repair;
pub mod win_distance;
pub mod wins;
