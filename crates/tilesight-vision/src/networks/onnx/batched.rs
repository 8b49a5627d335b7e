//! Model that runs the photos of several threads together.
//!
//! Input: the requests that the stages make to any [`Model`]. Output: the same answers, by fewer
//! and larger runs of the inner model. It is meant for accelerators, where one session serves all
//! threads and a single picture leaves most of the device idle. On a processor's own cores it would
//! gain nothing, and is not used. Invariant: as with [`Batcher`], every caller gets its own answer
//! or the error of the run that contained its request, and a single caller never waits.

use super::batcher::{Batcher, Joinable, Splittable, parts};
use crate::networks::manifest::LARGE_CLASSIFIER;
use crate::networks::{
    Cells, ClassifierRows, Corners, DetectorMaps, Device, Manifest, Model, ModelError, Planes,
};

/// Maximum number of pictures in a run of the detector. All layers of a picture of 640 by 480
/// pixels produce 140 MB of numbers, so sixteen pictures fit on a GPU of 4 GB even if no layer
/// reused another's memory.
const MAX_PICTURES: usize = 16;

/// Maximum number of crops in a run of the refiner or the classifier: the tiles of a crowded table,
/// or of ten hands. All layers of one crop produce 6 MB in the classifier and 3 MB in the refiner.
const MAX_CROPS: usize = 256;

/// Maximum number of crops in a run of the large classifier, whose layers produce about three times
/// as much for each.
const MAX_LARGE_CROPS: usize = 64;

/// Model that runs the photos of several threads together.
#[derive(Debug)]
pub struct BatchingModel<M> {
    inner: M,
    detector: Batcher<Cells, DetectorMaps>,
    refiner: Batcher<Planes, Vec<Corners>>,
    classifier: Batcher<Planes, ClassifierRows>,
    large_classifier: Batcher<Planes, Option<ClassifierRows>>,
}

impl<M: Model> BatchingModel<M> {
    /// Wraps a model that accepts any number of crops at once.
    #[must_use]
    pub fn new(inner: M) -> BatchingModel<M> {
        BatchingModel {
            detector: Batcher::new("detector", inner.max_pictures().min(MAX_PICTURES)),
            refiner: Batcher::new("refiner", MAX_CROPS),
            classifier: Batcher::new("classifier", MAX_CROPS),
            large_classifier: Batcher::new(LARGE_CLASSIFIER, MAX_LARGE_CROPS),
            inner,
        }
    }
}

impl<M: Model> Model for BatchingModel<M> {
    fn manifest(&self) -> &Manifest {
        self.inner.manifest()
    }

    fn device(&self) -> Device {
        self.inner.device()
    }

    fn max_pictures(&self) -> usize {
        self.inner.max_pictures()
    }

    fn max_crops(&self) -> usize {
        MAX_CROPS
    }

    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError> {
        self.detector.answer(images, |images| self.inner.detect(images))
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        self.refiner.answer(crops, |crops| self.inner.refine(crops))
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        self.classifier.answer(crops, |crops| self.inner.classify(crops))
    }

    /// Embeddings are left out: requests of several threads are joined, and no inner model uses
    /// them.
    fn classify_large(
        &self,
        crops: &Planes,
        _embeddings: &[Vec<f32>],
    ) -> Result<Option<ClassifierRows>, ModelError> {
        self.large_classifier.answer(crops, |crops| self.inner.classify_large(crops, &[]))
    }
}

impl Joinable for Planes {
    fn count(&self) -> usize {
        self.count
    }

    fn goes_with(&self, other: &Planes) -> bool {
        let shape = [self.channels, self.height, self.width];
        shape == [other.channels, other.height, other.width]
    }

    fn append(&mut self, other: &Planes) {
        self.count += other.count;
        self.data.extend_from_slice(&other.data);
    }
}

impl Joinable for Cells {
    fn count(&self) -> usize {
        self.count
    }

    fn goes_with(&self, other: &Cells) -> bool {
        self.size() == other.size()
    }

    fn append(&mut self, other: &Cells) {
        self.count += other.count;
        self.data.extend_from_slice(&other.data);
    }
}

impl Splittable for Planes {
    fn split(self, rows: &[usize]) -> Option<Vec<Planes>> {
        let Planes { channels, height, width, data, .. } = self;
        let each = channels * height * width;
        let parts = parts(data, rows.iter().map(|count| count * each))?.into_iter().zip(rows);
        let planes = parts.map(|(data, &count)| Planes { count, channels, height, width, data });
        Some(planes.collect())
    }
}

impl Splittable for DetectorMaps {
    fn split(self, rows: &[usize]) -> Option<Vec<DetectorMaps>> {
        let DetectorMaps { heat, quad, axis, face } = self;
        let maps = heat
            .split(rows)?
            .into_iter()
            .zip(quad.split(rows)?)
            .zip(axis.split(rows)?)
            .zip(face.split(rows)?);
        Some(
            maps.map(|(((heat, quad), axis), face)| DetectorMaps { heat, quad, axis, face })
                .collect(),
        )
    }
}

impl Splittable for Vec<Corners> {
    fn split(self, rows: &[usize]) -> Option<Vec<Vec<Corners>>> {
        parts(self, rows.iter().copied())
    }
}

impl Splittable for ClassifierRows {
    fn split(self, rows: &[usize]) -> Option<Vec<ClassifierRows>> {
        let ClassifierRows { classes, turns, red, embeddings } = self;
        let classes = parts(classes, rows.iter().copied())?;
        let turns = parts(turns, rows.iter().copied())?;
        let red = parts(red, rows.iter().copied())?;
        // A classifier without an embedding has no rows of it.
        let embeddings = if embeddings.is_empty() {
            vec![Vec::new(); rows.len()]
        } else {
            parts(embeddings, rows.iter().copied())?
        };
        let each = classes.into_iter().zip(turns).zip(red).zip(embeddings);
        let split = each.map(|(((classes, turns), red), embeddings)| ClassifierRows {
            classes,
            turns,
            red,
            embeddings,
        });
        Some(split.collect())
    }
}

impl Splittable for Option<ClassifierRows> {
    fn split(self, rows: &[usize]) -> Option<Vec<Option<ClassifierRows>>> {
        match self {
            None => Some(vec![None; rows.len()]),
            Some(all) => Some(all.split(rows)?.into_iter().map(Some).collect()),
        }
    }
}
