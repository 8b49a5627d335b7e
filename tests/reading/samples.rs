//! The sample photos through the committed networks, compared with the hands that were rendered.
//!
//! `tests/golden/samples.txt` has one line for each sample: whether it is read exactly, and the
//! hand that was read. After a change of models or of the pipeline,
//! `UPDATE=1 cargo test --test reading samples` shows the differences. The lines are not compared
//! letter by letter, because the detector's int8 kernels round differently on each processor. On
//! every processor almost no sample that was read exactly may be lost, and a minimum must be right.

use std::path::{Path, PathBuf};

use tilesight_core::context::ContextSetup;
use tilesight_core::contract::{ContextDto, HandDto};
use tilesight_core::hand::{Flowers, HandSetup};
use tilesight_core::rules::Book;
use tilesight_vision::{Reader, Status};

use crate::common::{describe, reader};

/// Minimum share of samples that must be read exactly: tiles, sets, claims, winning tile and each
/// flower. Half of the samples have flowers, whose varied art is named right three times in four,
/// so a whole hand with two of them often has a wrong name that changes no score.
const MIN_EXACT: f32 = 0.3;

/// Minimum share of samples that must be read exactly if the names of flowers are ignored.
const MIN_BUT_FLOWERS: f32 = 0.65;

/// Maximum number of samples that may be lost compared with the golden lines: borderline ones, on
/// another processor.
const MAX_LOST: usize = 1;

fn package() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
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

/// Returns the hand and the win context that a sample was rendered with.
fn truth(photo: &Path) -> (HandSetup, ContextSetup) {
    let text = std::fs::read_to_string(photo.with_extension("json")).expect("a truth file");
    let truth: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let hand: HandDto = serde_json::from_value(truth["hand"].clone()).expect("a hand");
    let context: ContextDto = serde_json::from_value(truth["context"].clone()).expect("a context");
    (hand.to_setup().expect("a legal hand"), context.setup)
}

/// Returns the parts of a hand in a fixed order: tables lay melds in any order.
pub(crate) fn parts(setup: &HandSetup) -> Vec<String> {
    let line = describe(setup);
    let mut parts: Vec<String> =
        line.split(['[', '(']).map(|part| part.trim().to_owned()).collect();
    parts.sort();
    parts
}

/// Returns the hand with flowers that are counted but not named.
pub(crate) fn but_flowers(setup: &HandSetup) -> HandSetup {
    let flowers = Flowers::NONE.with_unnamed(setup.flowers.count()).expect("at most eight");
    HandSetup { flowers, ..setup.clone() }
}

/// Result of a sample.
struct Verdict {
    exact: bool,
    but_flowers: bool,
    line: String,
}

fn verdict(reader: &Reader, photo: &Path) -> Verdict {
    let (hand, context) = truth(photo);
    let bytes = std::fs::read(photo).expect("readable");
    let reading =
        reader.read(&bytes, &context, Book::shipped().usual()).expect("the sample is a photo");
    let exact = parts(&reading.hand) == parts(&hand);
    let but_flowers = parts(&but_flowers(&reading.hand)) == parts(&but_flowers(&hand));
    let mark = match (exact, but_flowers) {
        (true, _) => "exact",
        (false, true) => "flowers",
        (false, false) => "WRONG",
    };
    let status = match reading.status {
        Status::Ok => "ok",
        Status::NeedsReview => "needs_review",
        _ => "no_hand",
    };
    let total = reading.score.map_or("-".to_owned(), |score| score.total.to_string());
    let name = photo.file_stem().unwrap_or_default().to_string_lossy();
    let line = format!("{name} {mark} {status} {total}: {}", describe(&reading.hand));
    Verdict { exact, but_flowers, line }
}

#[test]
fn most_samples_are_read_exactly() {
    let (reader, photos) = (reader(), samples());
    let verdicts: Vec<Verdict> = photos.iter().map(|photo| verdict(&reader, photo)).collect();
    let lines = verdicts.iter().fold(String::new(), |text, verdict| text + &verdict.line + "\n");
    let golden = package().join("tests/golden/samples.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(golden.parent().expect("a folder")).expect("writable");
        std::fs::write(&golden, &lines).expect("writable");
    }
    let share = |count: usize| count as f32 / photos.len() as f32;
    let exact = verdicts.iter().filter(|verdict| verdict.exact).count();
    let but_flowers = verdicts.iter().filter(|verdict| verdict.but_flowers).count();
    assert!(share(exact) >= MIN_EXACT, "{exact} of {} exact\n{lines}", photos.len());
    assert!(
        share(but_flowers) >= MIN_BUT_FLOWERS,
        "{but_flowers} of {} right but for flowers\n{lines}",
        photos.len()
    );
    let before = std::fs::read_to_string(&golden).expect("tests/golden/samples.txt is committed");
    let was_exact = |verdict: &&Verdict| {
        let name = verdict.line.split(' ').next().unwrap_or_default();
        before.lines().any(|line| line.starts_with(&format!("{name} exact ")))
    };
    let lost: Vec<&str> = verdicts
        .iter()
        .filter(|verdict| !verdict.exact)
        .filter(was_exact)
        .map(|verdict| verdict.line.as_str())
        .collect();
    assert!(lost.len() <= MAX_LOST, "were exact before:\n{}", lost.join("\n"));
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
            .read(bytes.get_ref(), &ContextSetup::default(), Book::shipped().usual())
            .expect("a photo");
        parts(&reading.hand)
    };
    let expected = parts(&truth(&photo).0);
    assert_eq!(read(upright.image().clone()), expected);
    assert_eq!(read(image::imageops::rotate90(upright.image())), expected);
    assert_eq!(read(image::imageops::rotate180(upright.image())), expected);
}
