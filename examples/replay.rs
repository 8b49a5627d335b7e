//! Reads photos with some results of the stages replaced by the truth: `make budget` measures the
//! errors that each stage causes.
//!
//! Input: lines of JSON,
//! `{ "photo": path, "truth": [{ "polygon", "tile", "of_hand" }], "places", "names", "grouping" }`.
//! The last three select what is taken from the truth instead of the networks: the positions of the
//! tiles, their names, and which of them belong to the hand. Output: for each line
//! `{ "reading": ... }` or `{ "error": ... }`, as the command prints it. Invariant: everything else
//! runs as in every reading; only the mirror stage is skipped if something is replaced.
//!
//! `cargo run --release --example replay < requests.jsonl`

use std::io::{self, BufRead as _, Write as _};

use serde::Deserialize;
use serde_json::{Value, json};
use tilesight_core::context::ContextSetup;
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_core::tile::Face;
use tilesight_vision::contract::ReadingDto;
use tilesight_vision::geometry::{Point, Quad};
use tilesight_vision::{
    Detection, Faces, ModelPaths, Observation, Photo, Reader, Reading, SeenTile, Trace,
};

/// A reading to replay.
#[derive(Deserialize)]
struct Replay {
    photo: String,
    #[serde(default)]
    truth: Vec<TrueTile>,
    #[serde(default)]
    places: bool,
    #[serde(default)]
    names: bool,
    #[serde(default)]
    grouping: bool,
}

/// A tile as it was rendered or labeled, its face's own top left corner first.
#[derive(Deserialize)]
struct TrueTile {
    polygon: [[f32; 2]; 4],
    tile: String,
    of_hand: bool,
}

/// Minimum share of a true tile that a seen tile must cover to count as the same tile.
const SAME_TILE: f32 = 0.5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let reader = Reader::load(&ModelPaths::from_environment())?;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let replay: Replay = serde_json::from_str(&line?)?;
        let answer: Value = match replay.read(&reader) {
            Ok(reading) => json!({ "reading": ReadingDto::new(&reading, Lang::En) }),
            Err(error) => json!({ "error": error.to_string() }),
        };
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

impl Replay {
    fn read(&self, reader: &Reader) -> Result<Reading, Box<dyn std::error::Error>> {
        let (context, book) = (ContextSetup::default(), Book::shipped());
        let ruleset = book.usual();
        let bytes = std::fs::read(&self.photo)?;
        if !(self.places || self.names || self.grouping) {
            return Ok(reader.read(&bytes, &context, ruleset)?);
        }
        let photo = reader.decode(&bytes)?;
        let found = if self.places { self.true_places() } else { detect(reader, &photo)? };
        let mut tiles = reader.classify(&photo, &found)?;
        if self.names {
            tiles.iter_mut().for_each(|tile| self.name(tile));
        }
        if self.grouping {
            tiles.retain(|tile| self.under(tile).is_some_and(|known| known.of_hand));
        }
        let observation = Observation::from_tiles(photo.size(), tiles);
        Ok(Reading::compose(Trace::new(observation, &context, ruleset)?)?)
    }

    /// Returns the true tiles as a perfect detector finds them.
    fn true_places(&self) -> Vec<Detection> {
        let detection = |known: &TrueTile| Detection {
            quad: known.quad(),
            score: 1.0,
            face_up: if known.tile == "back" { 0.0 } else { 1.0 },
        };
        self.truth.iter().map(detection).collect()
    }

    /// Gives a tile its true name, and its true orientation if it lies as it was rendered.
    fn name(&self, tile: &mut SeenTile) {
        let Some(known) = self.under(tile) else { return };
        let Ok(face) = known.tile.parse::<Face>() else { return };
        tile.faces = Faces::certain(face);
        let same = |turn: &usize| is_close(&tile.quad.rotated(*turn), &known.quad());
        if let Some(turn) = (0..4).find(same) {
            tile.turns = std::array::from_fn(|at| if at == turn { 1.0 } else { 0.0 });
        }
    }

    /// Returns the true tile that a seen one lies on.
    fn under(&self, tile: &SeenTile) -> Option<&TrueTile> {
        let shared = |known: &TrueTile| known.quad().overlap(&tile.quad);
        let best = self.truth.iter().max_by(|a, b| shared(a).total_cmp(&shared(b)))?;
        (shared(best) >= SAME_TILE).then_some(best)
    }
}

impl TrueTile {
    fn quad(&self) -> Quad {
        Quad(self.polygon.map(|[x, y]| Point::new(x, y)))
    }
}

/// Returns the tiles that the networks find.
fn detect(reader: &Reader, photo: &Photo) -> Result<Vec<Detection>, Box<dyn std::error::Error>> {
    let found = reader.detect(photo)?;
    Ok(match reader.find_in_negative(photo, &found)? {
        Some((negative, found)) => reader.refine(&negative, found)?,
        None => reader.refine(photo, found)?,
    })
}

/// Returns whether two outlines have the same corners, to an eighth of a tile.
fn is_close(a: &Quad, b: &Quad) -> bool {
    let off = a.0.iter().zip(&b.0).map(|(p, q)| (*p - *q).length());
    off.fold(0.0, f32::max) < a.short_side() / 8.0
}
