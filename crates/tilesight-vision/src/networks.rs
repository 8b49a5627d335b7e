//! The networks behind one trait.
//!
//! Input: cells and planes of pixels as the contract in `models/MODEL_CARD.md` describes them.
//! Output: the networks' raw planes, decoded by `detect`, `refine` and `classify`. `Onnx` runs the
//! real networks; [`fake::PaintedModel`] replaces them in tests. Invariant: a [`Model`] is `Sync`,
//! and a panic inside a network leaves it usable. Only this module names ONNX Runtime.

mod cells;
mod device;
mod error;
pub mod fake;
mod hash;
mod manifest;
mod network;
#[cfg(feature = "onnx")]
mod onnx;
mod planes;
mod pool;
mod typical;

use std::fmt;
use std::sync::Arc;

use tilesight_core::tile::Face;

pub use cells::Cells;
pub use device::{Device, DeviceChoice};
pub use error::ModelError;
pub use hash::sha256;
pub use manifest::{
    ClassifierSpec, CropSpec, DetectorSpec, LargeClassifierSpec, Manifest, RefinerSpec,
};
pub use network::{Network, Networks, Output, Tensor};
#[cfg(feature = "onnx")]
pub(crate) use onnx::load;
#[cfg(feature = "onnx")]
pub use onnx::{
    BatchingModel, ModelPaths, Onnx, Pin, PinnedFile, Runtime, Trust, TrustedFile, find_library,
    warm_up,
};
pub use planes::Planes;
pub use typical::TypicalFaces;

/// Detector output for each picture, on a grid of cells eight pixels apart.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectorMaps {
    /// Plane with the probability that a tile's face has its centre in the cell.
    pub heat: Planes,
    /// Sixteen planes with two orderings of four corners, in cells from the cell's centre.
    pub quad: Planes,
    /// Plane with the cosine of four times the angle of the quad's edges.
    pub axis: Planes,
    /// Plane with the probability that the tile is face up.
    pub face: Planes,
}

/// Output of the classifier or of the large classifier for a batch of crops.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassifierRows {
    /// For every crop, a logit for each class of the manifest.
    pub classes: Vec<Vec<f32>>,
    /// For every crop, a logit for each quarter turn, clockwise.
    pub turns: Vec<[f32; 4]>,
    /// For every crop, the logit of a red five.
    pub red: Vec<f32>,
    /// For every crop, the embedding: a vector of length one that points the same way for the same
    /// face of the same tile set. Without rows if the network has none.
    pub embeddings: Vec<Vec<f32>>,
}

/// Corners that the refiner found, x and y alternating, in the frame of the quad that it was given.
/// That quad's own corners are (0, 0), (1, 0), (1, 1), (0, 1).
pub type Corners = [f32; 8];

/// Rounds a number from a network to the nearest step of a grid with `steps` steps per unit.
///
/// Builds of a runtime add up floats in different orders and differ in the last digits. A quad
/// moved by that little has other pixels in its crop, off by one level where a half is rounded, and
/// networks in int8 turn them into another probability, up to 0.02 away. The grid is much coarser
/// than those digits and much finer than a network's accuracy. Numbers on the grid are nearly all
/// equal to the bit in all builds, and so are all results computed from them.
#[must_use]
pub(crate) fn on_grid(number: f32, steps: f32) -> f32 {
    (number * steps).round() / steps
}

/// Returns the scalar product of two vectors: of embeddings, which have length one, the cosine of
/// the angle between them.
#[must_use]
pub(crate) fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A detector, perhaps a refiner, a classifier, and perhaps a large classifier.
pub trait Model: Send + Sync + fmt::Debug {
    /// Returns the description of the networks and of their input.
    fn manifest(&self) -> &Manifest;

    /// Returns the device that the networks run on.
    fn device(&self) -> Device {
        Device::Cpu
    }

    /// Returns the maximum number of pictures in one run of the detector.
    fn max_pictures(&self) -> usize {
        usize::MAX
    }

    /// Returns the number of crops to give to the refiner or a classifier at once. With eight
    /// crops, the data between layers stays in a core's own cache. With 64 it does not, and each
    /// crop takes twice as long; with one, a tenth longer.
    fn max_crops(&self) -> usize {
        8
    }

    /// Finds tiles in pictures.
    ///
    /// # Errors
    /// [`ModelError::Failed`] if the network cannot run.
    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError>;

    /// Finds the corners of the tiles in the middle of a batch of crops.
    ///
    /// # Errors
    /// [`ModelError::Failed`] if the network cannot run or the manifest does not name a refiner.
    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError>;

    /// Names the faces of a batch of crops.
    ///
    /// # Errors
    /// [`ModelError::Failed`] if the network cannot run.
    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError>;

    /// Names the faces of a batch of crops with the large classifier; `None` if there is none.
    /// `embeddings` are those that the classifier gave for these crops, if it has any; models that
    /// weigh more than the network's answer use them.
    ///
    /// # Errors
    /// [`ModelError::Failed`] if the network cannot run.
    fn classify_large(
        &self,
        _crops: &Planes,
        _embeddings: &[Vec<f32>],
    ) -> Result<Option<ClassifierRows>, ModelError> {
        Ok(None)
    }

    /// Returns the weight of the large classifier in the mean of both classifiers if it is another
    /// one than without an own set.
    fn large_share(&self) -> Option<f32> {
        None
    }

    /// Returns whether the classes count an own set that has the face beside the networks' answers.
    fn knows(&self, _face: Face) -> bool {
        false
    }
}

impl<M: Model + ?Sized> Model for Arc<M> {
    fn manifest(&self) -> &Manifest {
        (**self).manifest()
    }

    fn device(&self) -> Device {
        (**self).device()
    }

    fn max_pictures(&self) -> usize {
        (**self).max_pictures()
    }

    fn max_crops(&self) -> usize {
        (**self).max_crops()
    }

    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError> {
        (**self).detect(images)
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        (**self).refine(crops)
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        (**self).classify(crops)
    }

    fn classify_large(
        &self,
        crops: &Planes,
        embeddings: &[Vec<f32>],
    ) -> Result<Option<ClassifierRows>, ModelError> {
        (**self).classify_large(crops, embeddings)
    }

    fn large_share(&self) -> Option<f32> {
        (**self).large_share()
    }

    fn knows(&self, face: Face) -> bool {
        (**self).knows(face)
    }
}

#[cfg(test)]
mod tests {
    use super::fake::{PaintedModel, WatchedModel};
    use super::*;

    /// Compares the answers that other models leave at their defaults.
    #[test]
    fn a_shared_model_answers_as_the_model_itself() {
        let flower: Face = "f2".parse().expect("a face");
        let shared = Arc::new(WatchedModel::knowing(&[flower]).with_large_share(Some(0.25)));
        let shared: Arc<dyn Model> = Arc::new(shared);
        assert!(shared.knows(flower) && !shared.knows(Face::Back));
        assert_eq!(shared.large_share(), Some(0.25));
        assert_eq!(shared.max_crops(), PaintedModel::default().max_crops());
    }
}
