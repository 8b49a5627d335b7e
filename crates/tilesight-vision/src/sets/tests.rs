//! Learning and reading with sets, by a model without weights.

use std::sync::Arc;

use image::RgbImage;
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::SetChoice;
use tilesight_core::rules::Book;
use tilesight_core::tile::Face;

use super::*;
use crate::geometry::Quad;
use crate::networks::fake::{PaintedModel, PaintedTile, paint};
use crate::networks::{
    Cells, ClassifierRows, Corners, DetectorMaps, Manifest, Model, ModelError, Planes,
};
use crate::pixels::classify::crops;
use crate::pixels::crop::planes;
use crate::{Frames, Photo, ReadOptions, Reader};

/// Model that reads painted pictures and is not certain of any name; the embedding still tells the
/// faces apart.
#[derive(Debug, Clone)]
struct Hesitant {
    painted: PaintedModel,
    manifest: Manifest,
}

impl Hesitant {
    fn new(sha256: &str) -> Hesitant {
        Hesitant::from_painted(PaintedModel::default(), sha256)
    }

    /// Creates a model with a large classifier, which is not certain either.
    fn with_large_classifier(sha256: &str) -> Hesitant {
        Hesitant::from_painted(PaintedModel::with_large_classifier(), sha256)
    }

    fn from_painted(painted: PaintedModel, sha256: &str) -> Hesitant {
        let mut manifest = painted.manifest().clone();
        manifest.classifier.sha256 = sha256.repeat(64);
        Hesitant { painted, manifest }
    }

    fn without_embedding(mut self) -> Hesitant {
        self.manifest.classifier.embedding = None;
        self
    }
}

impl Model for Hesitant {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError> {
        self.painted.detect(images)
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        self.painted.refine(crops)
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        let mut rows = self.painted.classify(crops)?;
        rows.classes.iter_mut().flatten().for_each(|logit| *logit *= 0.25);
        if self.manifest.classifier.embedding.is_none() {
            rows.embeddings.clear();
        }
        Ok(rows)
    }

    fn classify_large(
        &self,
        crops: &Planes,
        _embeddings: &[Vec<f32>],
    ) -> Result<Option<ClassifierRows>, ModelError> {
        let large = self.manifest.large_classifier.as_ref();
        large.map(|_| self.clone().without_embedding().classify(crops)).transpose()
    }
}

/// Returns tiles in rows, each outline with the top left of its face first.
fn laid(rows: &[&str]) -> Vec<PaintedTile> {
    let rows = rows.iter().enumerate();
    let tiles = rows.flat_map(|(row, codes)| {
        codes.split_whitespace().enumerate().map(move |(column, code)| {
            let (x, y) = (30.0 + 42.0 * column as f32, 40.0 + 70.0 * row as f32);
            let quad = Quad::rectangle(x, y, 40.0, 54.0);
            PaintedTile { quad, face: code.parse().expect("a face") }
        })
    });
    tiles.collect()
}

fn picture(rows: &[&str]) -> RgbImage {
    paint(640, 480, &laid(rows))
}

const SHEET: [&str; 4] =
    ["1m 2m 3m 4m 5m 6m 7m 8m 9m", "1p 2p 3p 4p 5p 6p 7p 8p 9p", "E S W N C F P", "f1 f2"];

/// Learns a set of a sheet, with other labels for some of its tiles.
fn learned(name: &str, renamed: &[(&str, &str)], model: &dyn Model) -> OwnSet {
    let photo = Photo::from_rgb(picture(&SHEET)).expect("large enough");
    let tiles = laid(&SHEET).into_iter().map(|PaintedTile { quad, face }| {
        let code = face.to_string();
        let other = renamed.iter().find(|(from, _)| *from == code).map_or(&*code, |(_, to)| to);
        LabelledTile { quad, label: other.parse().expect("a label") }
    });
    let lessons = [LabelledPhoto { photo: &photo, tiles: tiles.collect() }];
    learn(name.parse().expect("a name"), &lessons, model).expect("a set")
}

/// Returns the names of a hand's tiles by their places, and the use of the sets.
fn read(reader: &Reader, set: Option<&str>, rows: &[&str]) -> (Vec<String>, Option<SetUse>) {
    let set = set.map(|set| set.parse::<SetChoice>().expect("a choice"));
    let options = ReadOptions { set, ..Book::shipped().usual().into() };
    let photo = Photo::from_rgb(picture(rows)).expect("large enough");
    let reading = reader.read_pixels(photo, &ContextSetup::default(), options).expect("a reading");
    let mut tiles: Vec<_> = reading.tiles.iter().collect();
    tiles.sort_by(|a, b| a.seen.quad.centre().x.total_cmp(&b.seen.quad.centre().x));
    let name = |tile: &&crate::ReadTile| crate::pixels::faces::name(tile.seen.faces.best());
    (tiles.iter().map(name).collect(), reading.set)
}

#[test]
fn a_set_names_the_tiles_that_it_was_taught() {
    let model = Hesitant::new("0");
    // This set's flower looks like the characters four of all others.
    let set = learned("Home", &[("4m", "f3")], &model);
    let reader = Reader::with_model(model).with_sets(vec![set.clone()]).expect("a shelf");
    let hand = ["1m 2m 3m 4m 5m 6m 7m 1p 2p 3p E E E C"];
    let (plain, none) = read(&reader, None, &hand);
    assert_eq!((plain.join(" ").as_str(), none), (hand[0], None));
    for choice in ["Home", "auto"] {
        let (names, used) = read(&reader, Some(choice), &hand);
        assert_eq!(names.join(" "), hand[0].replace("4m", "f3"));
        let used = used.expect("a use");
        assert_eq!(used.used.map(|used| used.id), Some(set.id()));
        assert!(used.fit.is_some_and(|fit| fit > 0.99), "{:?}", used.fit);
    }
}

#[test]
fn a_set_that_does_not_explain_a_photo_changes_nothing() {
    let model = Hesitant::new("0");
    let mut set = learned("Home", &[], &model);
    // What is left of the set knows nothing in the photo.
    set.faces.retain(|face| face.label().face().and_then(Face::bonus).is_some());
    let set = OwnSet { thumbnails: Vec::new(), ..set };
    let shelf = Reader::with_model(model).with_sets(vec![set]).expect("a shelf");
    let hand = ["1m 2m 3m 4m 5m 6m 7m 1p 2p 3p E E E C"];
    for choice in ["Home", "auto"] {
        let (names, used) = read(&shelf, Some(choice), &hand);
        assert_eq!(names, read(&shelf, None, &hand).0);
        let SetUse { asked, used, fit } = used.expect("a use");
        assert_eq!((asked.to_string().as_str(), used), (choice, None));
        assert!(fit.is_some_and(|fit| fit < 0.5), "{fit:?}");
    }
}

#[test]
fn the_best_of_several_sets_is_used_and_unknown_ones_are_named() {
    let model = Hesitant::new("0");
    let mut half = learned("Half", &[], &model);
    half.faces.truncate(6);
    let home = learned("Home", &[], &model);
    let reader = Reader::with_model(model).with_sets(vec![home, half]).expect("a shelf");
    let (_, used) = read(&reader, Some("auto"), &["1p 2p 3p 4p 5p 6p 7p 8p 9p C C C E E"]);
    let used = used.and_then(|used| used.used).expect("one of them");
    assert_eq!(used.name.as_str(), "Home");
    let choice = "Other".parse().expect("a name");
    let error = reader.sets().check(Some(&choice)).expect_err("it is not there");
    assert_eq!(error.to_string(), "`Other` is not a set: expected `auto` or one of `Half`, `Home`");
    let options = ReadOptions { set: Some(choice), ..Book::shipped().usual().into() };
    let photo = Photo::from_rgb(picture(&["1m"])).expect("large enough");
    let error = reader.read_pixels(photo, &ContextSetup::default(), options);
    assert!(matches!(error, Err(crate::ReadError::Set(_))), "{error:?}");
}

#[test]
fn the_frames_of_a_camera_keep_their_set() {
    let model = Hesitant::new("0");
    // Alike, but each knows faces that the other does not.
    let (mut home, mut other) = (learned("Home", &[], &model), learned("Other", &[], &model));
    home.faces.truncate(20);
    other.faces.drain(..6);
    let reader = Reader::with_model(model).with_sets(vec![home, other]).expect("a shelf");
    let next = |frames: &mut Frames, rows: &str| {
        let set = Some(SetChoice::Auto);
        let options = ReadOptions { set, ..Book::shipped().usual().into() };
        let frame = Photo::from_rgb(picture(&[rows])).expect("large enough");
        let read = reader.read_frame(frames, frame, &ContextSetup::default(), options);
        let set = read.expect("a reading").reading.set.expect("a use");
        assert_eq!(set.asked, SetChoice::Auto);
        frames.set_choice(&SetChoice::Auto).to_string()
    };
    let (of_home, of_both, of_other) =
        ("1m 2m 3m 4m 5m 6m", "1m 2m 3m 4m 5m 6m 1p 2p 3p", "N C F P f1 f2");
    assert_eq!(next(&mut Frames::default(), of_both), "Other");
    let mut frames = Frames::default();
    assert_eq!(next(&mut frames, of_home), "Home");
    assert_eq!(next(&mut frames, of_both), "Home", "it explains the frame as well");
    assert_eq!(next(&mut frames, of_other), "auto", "it no longer does");
    assert_eq!(next(&mut frames, of_other), "Other", "so this frame chose anew");
}

#[test]
fn further_faces_are_no_tiles_of_a_hand() {
    let model = Hesitant::new("0");
    let set = learned("Home", &[("9p", "extra:joker")], &model);
    let reader = Reader::with_model(model).with_sets(vec![set]).expect("a shelf");
    let (names, _) = read(&reader, Some("auto"), &["1p 2p 3p 9p E E E C"]);
    assert_eq!(names.join(" "), "1p 2p 3p none E E E C");
}

#[test]
fn another_classifier_learns_from_the_thumbnails() {
    let old = Hesitant::new("0");
    let set = learned("Home", &[("4m", "f3")], &old);
    let new = Hesitant::new("1");
    let again = OwnSet::from_bytes(&set.to_bytes()).expect("its own file");
    let rebuilt = again.for_model(&new).expect("thumbnails");
    assert_eq!(rebuilt.classifier(), "1".repeat(64));
    let (mut alike, mut all) = (0, 0);
    for (old, new) in set.faces().iter().zip(rebuilt.faces()) {
        assert_eq!((old.label(), old.tiles()), (new.label(), new.tiles()));
        for (old, new) in old.prototypes().iter().zip(new.prototypes()) {
            assert_eq!(old.turn(), new.turn());
            alike += usize::from(old.mean() == new.mean());
            all += 1;
        }
    }
    // A JPEG moves some colours of the paint to those of the next face, five levels away.
    assert!(3 * alike > 2 * all, "{alike} of {all}");
    let mute = Hesitant::new("1").without_embedding();
    assert!(matches!(set.clone().for_model(&mute), Err(SetError::NoEmbedding)));
    let shelf = Reader::with_model(new).with_sets(vec![set.clone(), set.clone()]);
    assert!(matches!(shelf, Err(SetError::Twice { .. })));
    assert!(matches!(set.merge(&rebuilt), Err(SetError::OtherClassifier { .. })));
}

#[test]
fn merged_sets_know_what_both_know() {
    let model = Hesitant::new("0");
    let (mut one, mut other) = (learned("One", &[], &model), learned("Other", &[], &model));
    let thumbnails = one.thumbnails().expect("thumbnails");
    let rebuilt = |set: &OwnSet, range: std::ops::Range<usize>| {
        let faces = set.faces[range.clone()].iter().cloned().zip(thumbnails[range].to_vec());
        OwnSet::new(set.name.clone(), set.classifier.clone(), set.colours, faces.collect())
    };
    let all = one.faces.len();
    one = rebuilt(&one, 0..20).expect("a set");
    other = rebuilt(&other, 15..all).expect("a set");
    let merged = one.merge(&other).expect("one classifier");
    assert_eq!((merged.faces().len(), merged.name().as_str()), (all, "One"));
    let counts: Vec<u32> = merged.faces().iter().map(LearnedFace::tiles).collect();
    assert_eq!(counts.iter().filter(|&&tiles| tiles == 2).count(), 5);
    assert!(merged.faces().iter().all(|face| face.prototypes().len() == 4));
    assert!(merged.missing().contains(&Face::Back));
    let model = Arc::new(model);
    assert!(SetModel::new(model.as_ref(), &merged).is_ok());
}

#[test]
fn a_set_counts_as_much_beside_the_large_classifier() {
    let model = Hesitant::with_large_classifier("0");
    let set = learned("Home", &[("5p", "6p"), ("6p", "5p")], &model);
    let with_set = SetModel::new(&model, &set).expect("the same networks");
    let photo = Photo::from_rgb(picture(&["5p 7p f1"])).expect("large enough");
    let quads: Vec<Quad> = laid(&["5p 7p f1"]).iter().map(|tile| tile.quad).collect();
    let spec = &model.manifest().classifier;
    let crops = planes(&crops(&photo, quads.iter(), spec), &spec.crop);
    let small = with_set.classify(&crops).expect("it runs");
    let large = with_set.classify_large(&crops, &small.embeddings).expect("it runs");
    // Both networks answer alike, so that they must agree with the evidence too.
    let large = large.expect("there is a large classifier");
    assert_eq!((&large.classes, large.embeddings.len()), (&small.classes, 0));
    assert_ne!(large.classes, model.classify(&crops).expect("it runs").classes);
    let known = |with: &dyn Model| {
        let faces = model.manifest().faces().flatten();
        faces.filter(|&face| with.knows(face)).count()
    };
    assert_eq!((known(&model), known(&with_set)), (0, set.faces().len()));
    let plain = Hesitant::new("0");
    let without = SetModel::new(&plain, &set).expect("the same networks");
    assert!(with_set.large_share() > Some(0.5) && model.large_share().is_none());
    assert_eq!(without.classify_large(&crops, &small.embeddings).expect("it runs"), None);
}
