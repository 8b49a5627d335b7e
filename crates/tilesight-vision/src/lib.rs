//! Reads photos of mahjong hands: from pixels to a scored hand, with the doubts that remain.
//!
#![cfg_attr(feature = "onnx", doc = "```no_run")]
#![cfg_attr(not(feature = "onnx"), doc = "```ignore")]
//! use tilesight_core::context::ContextSetup;
//! use tilesight_core::notation::Notation;
//! use tilesight_core::rules::Book;
//! use tilesight_vision::{ModelPaths, Reader};
//!
//! let reader = Reader::load(&ModelPaths::from_environment())?;
//! let photo = std::fs::read("hand.jpg")?;
//! let reading = reader.read(&photo, &ContextSetup::default(), Book::shipped().usual())?;
//! if let Some(score) = &reading.score {
//!     println!("{}: {} points", Notation::from_hand(reading.hand), score.total);
//! }
//! for doubt in &reading.doubts {
//!     println!("{}", doubt.question);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Reader`] is `Sync`: load it once and share it between threads. [`Reader::read_together`] reads
//! several photos of one hand, [`Reader::read_frame`] the frames of a camera, and [`TableReading`]
//! combines the hands of several players. A photo that shows no hand, or half of one, is a reading
//! with doubts, not an error.
//!
//! # Stages
//! [`Reader::trace`] runs the stages and keeps the result of each. They are the folders of this
//! crate, and no stage calls the next one:
//!
//! 1. [`pixels`]: finds the tiles (detect), corrects their corners (refine), and names them with
//!    probabilities (classify); [`networks`] runs the networks behind one trait, [`Model`].
//! 2. [`layout`]: decides which tiles are the hand, and in which ways they can be concealed tiles,
//!    melds and flowers (a sideways tile makes a claimed meld in `layout/interpretation.rs`);
//!    [`geometry`] gives it the table seen from above.
//! 3. [`decide`]: weighs names and layout together, decides on the most probable hand, scores its
//!    rivals, and turns those that change the score into questions.
//! 4. `reading`: the result, for one photo or several of the same hand; [`contract`] is its JSON.
//!
//! [`sets`] learns tile sets from photos of them, and reads photos with what it learned.
//!
//! [`params`] has every threshold, with the measurement that chose it.
//!
//! # Features
//! `onnx` runs the networks with ONNX Runtime, which is not linked but loaded at run time: only a
//! library with a pinned hash, or with one that a setting gives. It adds the crates `ort` and
//! `toml`. Without it, networks that other code runs are used through
//! [`Reader::with_model`], as in a browser, and [`networks::fake`] serves tests.

pub mod contract;
pub mod decide;
mod effort;
mod error;
pub mod geometry;
pub mod layout;
pub mod networks;
mod options;
pub mod params;
pub mod pixels;
mod reader;
mod reading;
pub mod sets;
mod wins;

/// Generated functions, one for each text of the catalogues.
#[deny(dead_code)]
mod texts {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

pub use decide::doubt::{Alternative, Doubt, DoubtKind};
pub use decide::joint::Decision;
pub use decide::question::{Question, Reason};
pub use decide::repair::{Repair, RepairChange};
pub use error::{ReadError, TogetherError};
pub use layout::{IgnoreReason, Layout, Role};
#[cfg(feature = "onnx")]
pub use networks::ModelPaths;
pub use networks::{Model, ModelError};
pub use options::{PointOutsidePhoto, Pointer, ReadOptions};
pub use params::Params;
pub use pixels::detect::Detection;
pub use pixels::faces::Faces;
pub use pixels::seen_tile::SeenTile;
pub use reader::Reader;
pub use reader::table::{TablePhotoError, TableReader};
pub use reading::clock::{StageClock, set_stage_clock};
pub use reading::frames::{FrameReading, Frames};
pub use reading::in_view::HandInView;
pub use reading::interpretation::SeenPhoto;
pub use reading::no_score::{NoHand, NoScore, NoScoreKind};
pub use reading::observation::{
    FusedPhotos, LeftOut, MAX_PHOTOS, Observation, PhotoView, TileViews,
};
pub use reading::photo_fault::PhotoFault;
pub use reading::read_tile::ReadTile;
pub use reading::table::TableReading;
pub use reading::trace::Trace;
pub use reading::{PhotoOfHand, Reading, Status};
pub use tilesight_stills::{DecodeError, DecodeLimits, Photo};
pub use wins::distance::WinDistance;
