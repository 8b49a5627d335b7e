//! Reads photos of mahjong hands: from pixels to a scored hand, with honest doubts.
//!
//! Input: the bytes of a photo, the win context, and [`ReadOptions`] or only a rule set. Output: a
//! [`Reading`]. [`Reader`] composes the stages, which are the folders of this crate:
//!
//! 1. [`pixels`]: finds the tiles (detect), corrects their corners (refine), and names them with
//!    probabilities (classify); [`networks`] runs the networks behind one trait.
//! 2. [`layout`]: decides which tiles are the hand, and in which ways they can be concealed tiles,
//!    melds and flowers; [`geometry`] gives it the table seen from above.
//! 3. [`decide`]: weighs names and layout together, decides on the most probable hand, scores its
//!    rivals, and turns those that change the score into questions.
//! 4. [`reading`]: the result, for one photo or several of the same hand; [`contract`] is its JSON.
//!
//! [`params`] has every threshold, with the measurement that chose it. Invariant: a stage never
//! calls the next one; a photo that shows no hand, or half of one, is a reading with doubts, not an
//! error.

pub mod contract;
pub mod decide;
mod error;
pub mod geometry;
pub mod layout;
pub mod networks;
pub mod params;
pub mod pixels;
mod reader;
pub mod reading;

pub use decide::doubt::{Alternative, Doubt, DoubtKind};
pub use decide::joint::Decision;
pub use decide::no_score::{NoHand, NoScore, NoScoreKind};
pub use decide::possible_totals::{Ends, OpenDoubt, PossibleTotals, is_repair};
pub use decide::question::{Question, Reason};
pub use decide::repair::{Repair, RepairChange, TileCandidates, repairs};
pub use decide::win_distance::WinDistance;
pub use error::{ReadError, TogetherError};
pub use layout::{IgnoreReason, Layout, Role};
#[cfg(feature = "onnx")]
pub use networks::ModelPaths;
pub use networks::{Model, ModelError};
pub use params::Params;
pub use pixels::classify::{Faces, SeenTile};
pub use pixels::detect::Detection;
pub use reader::Reader;
pub use reading::frames::{FrameReading, Frames};
pub use reading::in_view::HandInView;
pub use reading::observation::{
    FusedPhotos, LeftOut, MAX_PHOTOS, Observation, PhotoView, SeenPhoto, TileViews,
};
pub use reading::options::{PointOutsidePhoto, Pointer, ReadOptions};
pub use reading::photo_fault::PhotoFault;
pub use reading::read_tile::ReadTile;
pub use reading::table::TableReading;
pub use reading::trace::{StageClock, Trace, set_stage_clock};
pub use reading::{PhotoOfHand, Reading, Status};
pub use tilesight_stills::{DecodeError, DecodeLimits, Photo};
