//! `tilesight classify`: classifies pictures of single tiles.
//!
//! Input: pictures that each show one tile, upright or turned. Output: one line per picture, as
//! text or as JSON. The command is for examining the classifier alone, and for measuring it on tile
//! sets it has never seen.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tilesight_core::contract::Problem;
use tilesight_core::printable::path_text;
use tilesight_jobs::plan::read_photo;
use tilesight_vision::geometry::Quad;
use tilesight_vision::pixels::faces::name;
use tilesight_vision::{DecodeLimits, Detection, ModelError, Photo, ReadError, Reader, SeenTile};

use crate::cli::args::device::DeviceArgs;
use crate::cli::output::{Exit, terminal};

/// Arguments of `tilesight classify`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Pictures of one tile each
    #[arg(required = true, value_name = "CROP")]
    crops: Vec<PathBuf>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    device: DeviceArgs,
}

/// Classifies the pictures and prints the results.
///
/// # Errors
/// When a model or the ONNX Runtime library is missing, or output fails.
pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    let reader = Reader::load(&args.device.paths())?;
    let mut exit = Exit::Done;
    for path in &args.crops {
        let line = match picture(&reader, path) {
            Ok(photo) => answer(args, path, &whole_tile(&reader, &photo)?),
            Err(problem) => {
                exit = Exit::BadInput;
                refusal(args, path, &problem)
            }
        };
        writeln!(terminal::stdout(), "{line}")?;
    }
    Ok(exit)
}

fn picture(reader: &Reader, path: &Path) -> Result<Photo, Problem> {
    let bytes = read_photo(path, DecodeLimits::default().bytes)?;
    reader.decode(&bytes).map_err(|error| Problem::from(&ReadError::Decode(error)))
}

/// Returns the classifier's result for a whole picture. The quad is inset so that the margin around
/// it reaches the picture's edge.
fn whole_tile(reader: &Reader, photo: &Photo) -> Result<SeenTile, ModelError> {
    let (width, height) = photo.size();
    let frame = Quad::rectangle(0.0, 0.0, width as f32, height as f32);
    let quad = frame.grown(1.0 / reader.model().manifest().classifier.crop.margin);
    let tile = Detection { quad, score: 1.0, face_up: 0.5 };
    let mut seen = reader.classify(photo, &[tile])?;
    Ok(seen.remove(0))
}

/// Returns the turn of the face relative to the picture: a picture that is wider than high went
/// through the network lying on its side.
fn turn(seen: &SeenTile) -> usize {
    let turn = (0..4).max_by(|&a, &b| seen.turns[a].total_cmp(&seen.turns[b])).unwrap_or(0);
    let up = seen.up(turn);
    if up.x.abs() > up.y.abs() {
        if up.x > 0.0 { 1 } else { 3 }
    } else if up.y < 0.0 {
        0
    } else {
        2
    }
}

fn answer(args: &Args, path: &Path, seen: &SeenTile) -> String {
    let candidates = seen.faces.candidates(0.001);
    let file = path_text(path);
    if args.json {
        let list: Vec<Value> = candidates
            .iter()
            .take(5)
            .map(|(face, p)| json!({ "tile": name(*face), "p": p }))
            .collect();
        let tile = name(seen.faces.best());
        json!({
            "file": file, "tile": tile, "turn": turn(seen), "red": seen.red, "candidates": list,
        })
        .to_string()
    } else {
        let list: Vec<String> = candidates
            .iter()
            .take(3)
            .map(|(face, p)| format!("{} {:.0} %", name(*face), p * 100.0))
            .collect();
        format!("{file}: {}", list.join(", "))
    }
}

fn refusal(args: &Args, path: &Path, problem: &Problem) -> String {
    let file = path_text(path);
    if args.json {
        json!({ "file": file, "error": problem }).to_string()
    } else {
        format!("{file}: {}", problem.detail)
    }
}
