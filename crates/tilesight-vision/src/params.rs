//! Every number that the stages judge by, in one place.
//!
//! [`Params`] has one part for each stage or step of a stage after the pixels. The stages that
//! process pixels use the `DEFAULT` of their own part ([`DetectParams`] and others). Distances are
//! in tile widths on the table, angles in degrees unless a field says otherwise, weights in nats or
//! near it: a difference of three is about twenty to one. Invariant: no number here depends on a
//! photo. A [`Reader`](super::Reader) uses [`Params::DEFAULT`]; `examples/fit_layout.rs` tries
//! others.

mod arrangement;
mod doubts;
mod flowers;
mod frames;
mod geometry;
mod indicators;
mod interpretation;
mod joint;
mod pixels;
mod search;
mod selection;
mod sets;
mod together;
mod visibility;

use serde::{Deserialize, Serialize};

pub use arrangement::{ArrangementParams, RaisedParams, SlippedParams};
pub use doubts::DoubtParams;
pub use flowers::FlowerParams;
pub use frames::FrameParams;
pub use geometry::{PlaneParams, RowParams};
pub use indicators::IndicatorParams;
pub use interpretation::InterpretationParams;
pub use joint::JointParams;
pub use pixels::{
    BlankParams, BonusTileParams, ClassifyParams, CloseUpParams, DarkSetParams, DetectParams,
    EvenRowParams, MirrorParams, NegativeParams, ProportionParams, RedInkParams, RefineParams,
    RejoinParams, StrangerParams,
};
pub use search::SearchParams;
pub use selection::SelectionParams;
pub use sets::{SetParams, SheetParams, VariantParams};
pub use together::TogetherParams;
pub use visibility::VisibilityParams;

/// Probability from which on something is more likely than not.
pub(crate) const LIKELY: f32 = 0.5;

/// Parameters of the stages.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Params {
    /// Decides which detections count as tiles, and which of their names are trusted.
    pub visibility: VisibilityParams,
    /// Fit of the table's plane.
    pub plane: PlaneParams,
    /// Joining of quads into blocks and rows.
    pub rows: RowParams,
    /// Weights for the choice of the hand's blocks.
    pub selection: SelectionParams,
    /// Limits of the search for the hand.
    pub search: SearchParams,
    /// Assignment of flowers to the hand.
    pub flowers: FlowerParams,
    /// Sorting of the hand's tiles into heaps, rows and groups.
    pub arrangement: ArrangementParams,
    /// Joining of sets whose turned tile slipped out of line.
    pub slipped: SlippedParams,
    /// Recognition of tiles that lie on others.
    pub raised: RaisedParams,
    /// Plausibility of each interpretation of a group.
    pub interpretation: InterpretationParams,
    /// Joint weighing of names and interpretations.
    pub joint: JointParams,
    /// Thresholds for doubts.
    pub doubts: DoubtParams,
    /// Proposals of dora indicators and red fives.
    pub indicators: IndicatorParams,
    /// Recognition of photos of the same hand, and their combination.
    pub together: TogetherParams,
    /// Reading of a camera's frames as one hand.
    pub frames: FrameParams,
}

impl Params {
    /// The values in use.
    pub const DEFAULT: Params = Params {
        visibility: VisibilityParams::DEFAULT,
        plane: PlaneParams::DEFAULT,
        rows: RowParams::DEFAULT,
        selection: SelectionParams::DEFAULT,
        search: SearchParams::DEFAULT,
        flowers: FlowerParams::DEFAULT,
        arrangement: ArrangementParams::DEFAULT,
        slipped: SlippedParams::DEFAULT,
        raised: RaisedParams::DEFAULT,
        interpretation: InterpretationParams::DEFAULT,
        joint: JointParams::DEFAULT,
        doubts: DoubtParams::DEFAULT,
        indicators: IndicatorParams::DEFAULT,
        together: TogetherParams::DEFAULT,
        frames: FrameParams::DEFAULT,
    };
}

/// Implements `Default` for structs of parameters as their constant `DEFAULT`.
macro_rules! default_is_constant {
    ($($params:ty),+ $(,)?) => {
        $(impl Default for $params {
            fn default() -> $params {
                <$params>::DEFAULT
            }
        })+
    };
}

default_is_constant! {
    Params, VisibilityParams, PlaneParams, RowParams, SelectionParams, SearchParams, FlowerParams, ArrangementParams,
    SlippedParams, RaisedParams, InterpretationParams, JointParams, DoubtParams,
    IndicatorParams, TogetherParams, FrameParams,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn params_survive_json_and_an_empty_object_is_the_default() {
        let json = serde_json::to_string(&Params::DEFAULT).unwrap();
        assert_eq!(serde_json::from_str::<Params>(&json).unwrap(), Params::DEFAULT);
        assert_eq!(serde_json::from_str::<Params>("{}").unwrap(), Params::DEFAULT);
        assert!(serde_json::from_str::<Params>(r#"{"selection": {"reech": 1.0}}"#).is_err());
    }
}
