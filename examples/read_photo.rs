//! Reads a photo and prints the hand and its score:
//! `cargo run --release --example read_photo -- PHOTO`.
//!
//! The program needs ONNX Runtime and the networks: `make setup` installs them.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use tilesight_core::context::ContextSetup;
use tilesight_core::notation::Notation;
use tilesight_core::rules::Book;
use tilesight_vision::{ModelPaths, Reader};

fn main() -> Result<(), Box<dyn Error>> {
    let photo = env::args().nth(1).unwrap_or_else(|| "datasets/samples/demo.jpg".to_owned());
    println!("{}", run(Path::new(&photo))?);
    Ok(())
}

/// Returns the status of a photo's reading, its hand, and its score.
pub(crate) fn run(photo: &Path) -> Result<String, Box<dyn Error>> {
    let reader = Reader::load(&ModelPaths::from_environment())?;
    let context = ContextSetup::default();
    let reading = reader.read(&fs::read(photo)?, &context, Book::shipped().usual())?;
    let total = reading.score.as_ref().map_or(0, |score| score.total);
    let hand = Notation::from_hand(reading.hand);
    Ok(format!("{:?}: {hand}, {total} points", reading.status))
}
