//! Writes the inputs and outputs of the networks for one photo into files, for comparison.
//!
//! `cargo run --example tensors -- PHOTO QUADS FOLDER`: PHOTO is any readable picture, QUADS a JSON
//! list of quads (four corners `[x, y]`, clockwise, in the upright photo's pixels). Output, in
//! FOLDER: `photo` (bytes, height x width x 3); for each size of the pyramid its `image` and the
//! maps `heat`, `quad`, `axis` and `face`; for the quads the `surroundings` and the refined
//! `corners`, their `crops` and the logits `classes`, `turn` and `red`, those of the large
//! classifier with `large-` before their names (little-endian f32); and `index.json` with the shape
//! of each.
//! Invariant: every number comes from the library's own functions; nothing is computed here.
//! `scripts/parity.py` reads the files.

use std::env;
use std::fs;
use std::path::PathBuf;

use serde_json::{Map, Value, json};
use tilesight_vision::geometry::{Point, Quad};
use tilesight_vision::networks::{Cells, ClassifierRows, Planes};
use tilesight_vision::pixels::{classify, crop, detect};
use tilesight_vision::{ModelPaths, Photo, Reader};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [photo, quads, folder] = arguments.as_slice() else {
        return Err("usage: tensors PHOTO QUADS FOLDER".into());
    };
    let reader = Reader::load(&ModelPaths::from_environment())?;
    let photo = reader.decode(&fs::read(photo)?)?;
    let quads: Vec<[[f32; 2]; 4]> = serde_json::from_slice(&fs::read(quads)?)?;
    let quads: Vec<Quad> =
        quads.into_iter().map(|quad| Quad(quad.map(|[x, y]| Point::new(x, y)))).collect();
    let mut dump = Dump { folder: folder.clone(), index: Map::new() };
    dump.photo(&photo)?;
    dump.detector(&reader, &photo)?;
    dump.refiner(&reader, &photo, &quads)?;
    dump.classifier(&reader, &photo, &quads)?;
    Ok(fs::write(folder.join("index.json"), Value::Object(dump.index).to_string())?)
}

/// Folder for the tensors, and the shapes of those written so far.
struct Dump {
    folder: PathBuf,
    index: Map<String, Value>,
}

impl Dump {
    fn photo(&mut self, photo: &Photo) -> Result<(), Failure> {
        let (width, height) = photo.size();
        self.bytes("photo", &[height as usize, width as usize, 3], photo.image().as_raw())
    }

    fn detector(&mut self, reader: &Reader, photo: &Photo) -> Result<(), Failure> {
        let model = reader.model();
        let sizes = &model.manifest().detector.sizes;
        for (size, (picture, _)) in sizes.iter().zip(detect::pyramid(photo, sizes)) {
            let image = Cells::from_image(&picture);
            let maps = model.detect(&image)?;
            let shape = [1, image.rows, image.columns, Cells::BYTES];
            self.bytes(&format!("{size}-image"), &shape, &image.data)?;
            let named = [
                ("heat", &maps.heat),
                ("quad", &maps.quad),
                ("axis", &maps.axis),
                ("face", &maps.face),
            ];
            for (name, planes) in named {
                self.planes(&format!("{size}-{name}"), planes)?;
            }
        }
        Ok(())
    }

    fn refiner(&mut self, reader: &Reader, photo: &Photo, quads: &[Quad]) -> Result<(), Failure> {
        let Some(spec) = &reader.model().manifest().refiner else { return Ok(()) };
        let crops = crop::planes(&crop::crops_of(photo, quads.iter(), &spec.crop), &spec.crop);
        let corners = reader.model().refine(&crops)?;
        self.planes("surroundings", &crops)?;
        self.floats("corners", &[quads.len(), 8], &corners.concat())
    }

    fn classifier(
        &mut self,
        reader: &Reader,
        photo: &Photo,
        quads: &[Quad],
    ) -> Result<(), Failure> {
        let model = reader.model();
        let spec = &model.manifest().classifier;
        let crops = crop::planes(&classify::crops(photo, quads.iter(), spec), &spec.crop);
        let rows = model.classify(&crops)?;
        self.planes("crops", &crops)?;
        self.logits("", &rows)?;
        let large = model.classify_large(&crops, &rows.embeddings)?;
        large.map_or(Ok(()), |rows| self.logits("large-", &rows))
    }

    fn logits(&mut self, kind: &str, rows: &ClassifierRows) -> Result<(), Failure> {
        let (count, classes) = (rows.classes.len(), rows.classes.first().map_or(0, Vec::len));
        self.floats(&format!("{kind}classes"), &[count, classes], &rows.classes.concat())?;
        self.floats(&format!("{kind}turn"), &[count, 4], &rows.turns.concat())?;
        self.floats(&format!("{kind}red"), &[count, 1], &rows.red)
    }

    fn planes(&mut self, name: &str, planes: &Planes) -> Result<(), Failure> {
        let shape = [planes.count, planes.channels, planes.height, planes.width];
        self.floats(name, &shape, &planes.data)
    }

    fn floats(&mut self, name: &str, shape: &[usize], data: &[f32]) -> Result<(), Failure> {
        let bytes: Vec<u8> = data.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.bytes(name, shape, &bytes)
    }

    fn bytes(&mut self, name: &str, shape: &[usize], bytes: &[u8]) -> Result<(), Failure> {
        self.index.insert(name.to_owned(), json!(shape));
        Ok(fs::write(self.folder.join(name), bytes)?)
    }
}
