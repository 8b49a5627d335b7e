//! Prints what the classifier says of labelled tiles, for fitting how own sets count.
//!
//! Input: lines of JSON, `{ "photo": path, "size": [width, height], "tiles": [{ "class", "x", "y",
//! "w", "h" }] }`: the photo is stretched to the size, which the boxes refer to. Output: for each
//! tile that was found a line with its label, logits and embeddings: of the crop as it is read, and
//! of the crops that start at each corner, the top of the face first.

use std::io::{self, BufRead as _, Write as _};

use image::imageops::{FilterType, resize};
use serde::Deserialize;
use serde_json::json;
use tilesight_vision::geometry::{Point, Quad};
use tilesight_vision::pixels::{classify, crop, faces};
use tilesight_vision::{DecodeLimits, ModelPaths, Photo, Reader};

#[derive(Deserialize)]
struct Labelled {
    photo: String,
    size: (u32, u32),
    tiles: Vec<Tile>,
}

#[derive(Deserialize)]
struct Tile {
    class: String,
    x: f32,
    y: f32,
    w: f32,
    h: f32,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let reader = Reader::load(&ModelPaths::from_environment())?;
    let model = reader.model();
    let spec = &model.manifest().classifier;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let labelled: Labelled = serde_json::from_str(&line?)?;
        let photo = Photo::decode(&std::fs::read(&labelled.photo)?, &DecodeLimits::default())?;
        let (width, height) = labelled.size;
        let photo = match photo.size() == labelled.size {
            true => photo,
            false => Photo::from_rgb(resize(photo.image(), width, height, FilterType::CatmullRom))?,
        };
        let seen = reader.see_tiles(&photo)?;
        let mut taken = vec![false; labelled.tiles.len()];
        let mut found = Vec::new();
        for tile in &seen {
            let centre = tile.quad.centre();
            let away = |label: &Tile| {
                (centre - Point::new(label.x + label.w / 2.0, label.y + label.h / 2.0)).length()
            };
            let inside = |label: &Tile| {
                (label.x..label.x + label.w).contains(&centre.x)
                    && (label.y..label.y + label.h).contains(&centre.y)
            };
            let nearest = (0..labelled.tiles.len())
                .filter(|&i| !taken[i] && inside(&labelled.tiles[i]))
                .min_by(|&a, &b| away(&labelled.tiles[a]).total_cmp(&away(&labelled.tiles[b])));
            let label = nearest.map(|i| {
                taken[i] = true;
                labelled.tiles[i].class.clone()
            });
            found.push((tile, label));
        }
        let quads: Vec<Quad> = found.iter().map(|(tile, _)| tile.quad).collect();
        let mut crops = Vec::new();
        for by in 0..4 {
            let turned: Vec<Quad> = quads.iter().map(|quad| quad.rotated(by)).collect();
            crops.extend(classify::crops(&photo, turned.iter(), spec));
        }
        let mut rows = (Vec::new(), Vec::new());
        for part in crops.chunks(model.max_crops()) {
            let answer = model.classify(&crop::planes(part, &spec.crop))?;
            rows.0.extend(answer.classes);
            rows.1.extend(answer.embeddings);
        }
        let count = found.len();
        for (i, (tile, label)) in found.iter().enumerate() {
            let turn = (0..4).max_by(|&a, &b| tile.turns[a].total_cmp(&tile.turns[b])).unwrap_or(0);
            let looks: Vec<&Vec<f32>> =
                (0..4).map(|by| &rows.1[(by + turn) % 4 * count + i]).collect();
            let line = json!({
                "photo": labelled.photo, "label": label, "score": tile.score, "turn": turn,
                "named": faces::name(tile.faces.best()), "p": tile.faces.top().1,
                "logits": rows.0[i], "embedding": rows.1[i], "looks": looks,
            });
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
