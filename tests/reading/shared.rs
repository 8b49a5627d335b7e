//! A model that a reader and a test share.

use std::sync::Arc;

use tilesight_vision::networks::fake::WatchedModel;
use tilesight_vision::networks::{
    Cells, ClassifierRows, Corners, DetectorMaps, Manifest, Model, ModelError, Planes,
};

/// A model whose looks a test counts.
#[derive(Debug, Default, Clone)]
pub(crate) struct Shared(pub(crate) Arc<WatchedModel>);

impl Model for Shared {
    fn manifest(&self) -> &Manifest {
        self.0.manifest()
    }

    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError> {
        self.0.detect(images)
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        self.0.refine(crops)
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        self.0.classify(crops)
    }

    fn classify_large(
        &self,
        crops: &Planes,
        embeddings: &[Vec<f32>],
    ) -> Result<Option<ClassifierRows>, ModelError> {
        self.0.classify_large(crops, embeddings)
    }
}
