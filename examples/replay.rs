//! Reads photos with some results of the stages replaced by the truth: `make budget` counts what
//! each stage costs.
//!
//! Input: lines of JSON, `{ "photo": path, "truth": [{ "polygon", "tile", "of_hand" }], "places",
//! "names", "grouping" }`. The last three say what is taken from the truth and not from the
//! networks: where tiles are, what they show, which belong to the hand. Output: for each line
//! `{ "reading": ... }` or `{ "error": ... }`, as the command prints it. Invariant: everything else
//! runs as in every reading; only the mirror is skipped where something is replaced.
//!
//! `cargo run --release --example replay < requests.jsonl`

use std::io::{self, BufRead as _, Write as _};

use serde::Deserialize;
use serde_json::{Value, json};
use tilesight::contract::ReadingDto;
use tilesight::pipeline::geometry::{Point, Quad};
use tilesight::pipeline::{
    Detection, Faces, ModelPaths, Photo, Reader, Reading, SeenTile, Sight, Trace,
};
use tilesight_core::context::ContextSetup;
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_core::tile::Face;

/// One reading to be replayed.
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

/// A tile as it was rendered or labelled, its face's own top left corner first.
#[derive(Deserialize)]
struct TrueTile {
    polygon: [[f32; 2]; 4],
    tile: String,
    of_hand: bool,
}

/// A tile that covers less than this share of a true one is another tile.
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
        let sight = Sight::of_tiles(photo.size(), tiles);
        Ok(Reading::compose(Trace::of(sight, &context, ruleset)?)?)
    }

    /// The true tiles as a perfect detector finds them.
    fn true_places(&self) -> Vec<Detection> {
        let detection = |known: &TrueTile| Detection {
            quad: known.quad(),
            score: 1.0,
            face_up: if known.tile == "back" { 0.0 } else { 1.0 },
        };
        self.truth.iter().map(detection).collect()
    }

    /// Gives a tile its true name, and its true top where it lies as it was rendered.
    fn name(&self, tile: &mut SeenTile) {
        let Some(known) = self.under(tile) else { return };
        let Ok(face) = known.tile.parse::<Face>() else { return };
        tile.faces = Faces::certain(face);
        let same = |turn: &usize| is_close(&tile.quad.rotated(*turn), &known.quad());
        if let Some(turn) = (0..4).find(same) {
            tile.turns = std::array::from_fn(|at| if at == turn { 1.0 } else { 0.0 });
        }
    }

    /// The true tile that a seen one lies on.
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

/// Where the networks find tiles.
fn detect(reader: &Reader, photo: &Photo) -> Result<Vec<Detection>, Box<dyn std::error::Error>> {
    let found = reader.detect(photo)?;
    Ok(match reader.in_light(photo, &found)? {
        Some((negative, found)) => reader.refine(&negative, found)?,
        None => reader.refine(photo, found)?,
    })
}

/// Whether two outlines have the same corners, to an eighth of a tile.
fn is_close(a: &Quad, b: &Quad) -> bool {
    let off = a.0.iter().zip(&b.0).map(|(p, q)| (*p - *q).length());
    off.fold(0.0, f32::max) < a.short_side() / 8.0
}
