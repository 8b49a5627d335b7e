//! The sample photos through the committed networks, against the hands that were rendered.
//!
//! `tests/golden/samples.txt` holds one line for each sample: what it is read as. A change of
//! models or of the pipeline shows as a difference; `UPDATE=1 cargo test --test read_samples`
//! rewrites the lines. Whatever the lines say, most hands must be right.

#![cfg(feature = "vision")]

mod common;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use common::describe;
use tilesight::context::ContextSetup;
use tilesight::contract::HandDto;
use tilesight::hand::HandSetup;
use tilesight::pipeline::{ModelPaths, Reader, Status};
use tilesight::rules::RulesetId;

/// The least share of samples that must be read exactly, tiles, sets, claims and winning tile.
const LEAST_EXACT: f32 = 0.6;

fn package() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn reader() -> Reader {
    let mut paths = ModelPaths::from_environment();
    if std::env::var_os("TILESIGHT_MODELS").is_none() {
        paths.models = package().join("models");
    }
    // Without the library or the models these tests fail, and say what to run.
    Reader::load(&paths).unwrap_or_else(|error| panic!("{error}"))
}

fn samples() -> Vec<PathBuf> {
    let mut photos: Vec<PathBuf> = std::fs::read_dir(package().join("datasets/samples"))
        .expect("the samples are committed")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|end| end == "jpg"))
        .collect();
    photos.sort();
    assert!(!photos.is_empty(), "no samples in datasets/samples");
    photos
}

/// The hand and the circumstances that a sample was rendered with.
fn truth(photo: &Path) -> (HandSetup, ContextSetup) {
    let text = std::fs::read_to_string(photo.with_extension("json")).expect("a truth file");
    let truth: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let hand: HandDto = serde_json::from_value(truth["hand"].clone()).expect("a hand");
    let mut context = truth["context"].clone();
    context.as_object_mut().expect("an object").remove("ruleset");
    let context = serde_json::from_value(context).expect("a context");
    (hand.to_setup().expect("a legal hand"), context)
}

/// The parts of a hand in a fixed order: tables lay melds in any.
fn parts(setup: &HandSetup) -> Vec<String> {
    let line = describe(setup);
    let mut parts: Vec<String> =
        line.split(['[', '(']).map(|part| part.trim().to_owned()).collect();
    parts.sort();
    parts
}

#[test]
fn samples_are_read_as_before_and_most_of_them_exactly() {
    let (reader, photos) = (reader(), samples());
    let mut lines = String::new();
    let mut exact = 0;
    for photo in &photos {
        let (hand, context) = truth(photo);
        let bytes = std::fs::read(photo).expect("readable");
        let reading =
            reader.read(&bytes, &context, RulesetId::McrWmo).expect("the sample is a photo");
        let is_exact = parts(&reading.hand) == parts(&hand);
        exact += usize::from(is_exact);
        let name = photo.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mark = if is_exact { "exact" } else { "WRONG" };
        let status = match reading.status {
            Status::Ok => "ok",
            Status::NeedsReview => "needs_review",
            _ => "no_hand",
        };
        let total = reading.score.map_or("-".to_owned(), |score| score.total.to_string());
        writeln!(lines, "{name} {mark} {status} {total}: {}", describe(&reading.hand))
            .expect("a string takes it");
    }
    let golden = package().join("tests/golden/samples.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(golden.parent().expect("a folder")).expect("writable");
        std::fs::write(&golden, &lines).expect("writable");
    }
    let share = exact as f32 / photos.len() as f32;
    assert!(share >= LEAST_EXACT, "{exact} of {} exact\n{lines}", photos.len());
    let before = std::fs::read_to_string(&golden).expect("tests/golden/samples.txt is committed");
    let changed: Vec<String> = before
        .lines()
        .filter(|line| !lines.lines().any(|new| new == *line))
        .map(|line| format!("- {line}"))
        .chain(
            lines
                .lines()
                .filter(|line| !before.lines().any(|old| old == *line))
                .map(|l| format!("+ {l}")),
        )
        .collect();
    assert!(changed.is_empty(), "UPDATE=1 rewrites these\n{}", changed.join("\n"));
}

#[test]
fn a_turned_sample_gives_the_same_hand() {
    let reader = reader();
    let photo = package().join("datasets/samples/demo.jpg");
    let bytes = std::fs::read(&photo).expect("readable");
    let upright = reader.decode(&bytes).expect("a photo");
    let read = |turned: image::RgbImage| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        turned.write_to(&mut bytes, image::ImageFormat::Png).expect("encodes");
        let reading = reader
            .read(bytes.get_ref(), &ContextSetup::default(), RulesetId::McrWmo)
            .expect("a photo");
        parts(&reading.hand)
    };
    let expected = parts(&truth(&photo).0);
    assert_eq!(read(upright.image().clone()), expected);
    assert_eq!(read(image::imageops::rotate90(upright.image())), expected);
    assert_eq!(read(image::imageops::rotate180(upright.image())), expected);
}
