//! Faults of the second look at a photo that shows no whole hand at first.

use std::sync::atomic::{AtomicUsize, Ordering};

use tilesight_core::rules::Book;

use super::*;
use crate::geometry::Quad;
use crate::networks::fake::{PaintedModel, PaintedTile, paint};
use crate::networks::{Cells, ClassifierRows, Corners, DetectorMaps, Manifest, Planes};

/// Model whose detector fails after a number of runs.
#[derive(Debug)]
struct FailingModel {
    painted: PaintedModel,
    runs: Arc<AtomicUsize>,
    max_runs: usize,
}

impl FailingModel {
    fn after(max_runs: usize) -> FailingModel {
        FailingModel { painted: PaintedModel::default(), runs: Arc::default(), max_runs }
    }
}

impl Model for FailingModel {
    fn manifest(&self) -> &Manifest {
        self.painted.manifest()
    }

    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError> {
        if self.runs.fetch_add(1, Ordering::Relaxed) >= self.max_runs {
            return Err(ModelError::NoModel { file: "detector".to_owned(), advice: "" });
        }
        self.painted.detect(images)
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        self.painted.refine(crops)
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        self.painted.classify(crops)
    }
}

/// Number of tiles in the photo, which are no hand.
const TILES: usize = 5;

fn photo_of_a_few_tiles() -> Photo {
    let tiles = ["1m", "2m", "3m", "5p", "5p"].into_iter().zip(0_u8..);
    let tiles: Vec<_> = tiles
        .map(|(code, column)| PaintedTile {
            quad: Quad::rectangle(60.0 + 62.0 * f32::from(column), 150.0, 60.0, 80.0),
            face: code.parse().expect(code),
        })
        .collect();
    assert_eq!(tiles.len(), TILES);
    Photo::from_rgb(paint(640, 480, &tiles)).expect("large enough")
}

fn usual() -> ReadOptions {
    Book::shipped().usual().into()
}

fn observe(reader: &Reader, part: &PhotoInPart) -> Result<InterpretedPhoto, ReadError> {
    let options = usual();
    let scorer = HandScorer::new(&ContextSetup::default(), &options.ruleset)?;
    let given = GivenPhoto { part, bytes: b"no photo" };
    reader.observe_hand(given, &scorer, &options, &mut Clock::start())
}

#[test]
fn the_first_look_stands_if_the_photo_is_broken_at_full_size() {
    let reader = Reader::with_model(PaintedModel::default());
    let mut part = PhotoInPart::from_whole(photo_of_a_few_tiles());
    part.size = (1280, 960);
    part.factor = 2.0;
    let seen = observe(&reader, &part).expect("the first look");
    assert_eq!(seen.observation.tiles().len(), TILES);
    assert_eq!(seen.observation.size, part.size);
}

#[test]
fn a_network_that_does_not_run_is_an_error_in_both_looks() {
    let part = PhotoInPart::from_whole(photo_of_a_few_tiles());
    let model = FailingModel::after(usize::MAX);
    let runs = Arc::clone(&model.runs);
    let near = Reader::with_model(model).detect(&part.photo).expect("it runs");
    assert_eq!(near.len(), TILES);
    for max_runs in [0, runs.load(Ordering::Relaxed)] {
        let error = observe(&Reader::with_model(FailingModel::after(max_runs)), &part).err();
        assert!(matches!(error, Some(ReadError::Model(_))), "{max_runs}: {error:?}");
    }
}
