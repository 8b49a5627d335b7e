//! Own sets: tile sets that a person taught the program with a photo of their tiles.
//!
//! Input: photos of labelled tiles, or a file that was made of such photos. Output: an [`OwnSet`],
//! which holds what the classifier's embedding of every face looks like, and no photo; on a
//! [`Shelf`] of sets, the one that explains a photo; and with it a [`Model`](crate::Model) whose
//! answers count both the network's names and the set's prototypes. Invariants: nothing here reads
//! or writes a file; a file is untrusted until [`OwnSet::from_bytes`] has checked all of it; a set
//! that does not explain a photo changes none of its names.

mod error;
mod evidence;
mod face_label;
mod file;
mod hand_lesson;
mod learn;
mod own_set;
mod pairing;
mod prototype;
mod sheet;
pub(crate) mod shelf;
mod thumbnails;
pub(crate) mod unfamiliar;
mod variants;

pub use error::{SetError, SheetError};
pub use evidence::SetModel;
pub use face_label::FaceLabel;
pub use file::FILE_MARK;
pub use hand_lesson::{HandLesson, UntaughtTile};
pub use learn::{LabelledPhoto, LabelledTile, learn};
pub use own_set::{LearnedFace, MAX_SET_BYTES, OwnSet, SetColours, SetId};
pub use prototype::Prototype;
pub use sheet::{ProposedTile, SetSheet, SheetNames};
pub use shelf::{SetUse, Shelf, UnknownSet, UsedSet};

#[cfg(test)]
mod tests;
