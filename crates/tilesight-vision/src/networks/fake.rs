//! Model without weights, for tests: it reads pictures that [`paint`] made.
//!
//! A painted tile is a flat rectangle on a background without blue. Its red encodes the class, and
//! its green is brighter in the upper half. [`PaintedModel`] finds the rectangles and returns the
//! networks' own planes, so that decoding, scaling, straightening and layout run as with the real
//! networks.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use image::{Rgb, RgbImage};
use tilesight_core::tile::{Bonus, Face, Tile};

use super::pool::Pool;
use super::{Cells, ClassifierRows, ClassifierSpec, Corners, DetectorMaps, DetectorSpec, Manifest};
use super::{LargeClassifierSpec, Model, ModelError, Planes, RefinerSpec, TypicalFaces};
use crate::geometry::{Point, Quad};
use crate::networks::CropSpec;

/// A tile to be painted: its outline, its face, and the side of its top (quarter turns clockwise).
#[derive(Debug, Clone, Copy)]
pub struct PaintedTile {
    /// Outline of the tile.
    pub quad: Quad,
    /// Face of the tile.
    pub face: Face,
}

/// Difference in red between two classes: large enough to survive resizing and JPEG.
const CLASS_STEP: f32 = 5.0;
/// Green in the upper half and in the lower half of a tile.
const UPPER: u8 = 230;
const LOWER: u8 = 90;
/// Blue of tiles, and the level above which a pixel counts as part of a tile.
const BLUE: u8 = 255;
const IS_TILE: u8 = 191;
/// Blue of the middle of a crop, at most one, above which it counts as a tile's.
const DIMMEST: f32 = 0.6;

/// Paints tiles onto a plain table. Corner 0 of a quad is the top left of its face.
#[must_use]
pub fn paint(width: u32, height: u32, tiles: &[PaintedTile]) -> RgbImage {
    let mut image = RgbImage::from_pixel(width, height, Rgb([40, 110, 30]));
    for tile in tiles {
        let across = tile.quad.across();
        let down = tile.quad.down();
        let class = classes().iter().position(|name| *name == tile.face.to_string()).unwrap_or(0);
        let [columns, rows] = pixel_ranges(tile.quad.0[0], [across, down], [width, height]);
        for y in rows {
            for x in columns.clone() {
                let from = Point::new(x as f32 + 0.5, y as f32 + 0.5) - tile.quad.0[0];
                // A thin line of the table shows between touching tiles, as between real ones.
                let u = from.dot(across) / across.dot(across);
                let v = from.dot(down) / down.dot(down);
                if (0.05..0.95).contains(&u) && (0.03..0.97).contains(&v) {
                    let green = if v < 0.5 { UPPER } else { LOWER };
                    let colour = Rgb([(class as f32 * CLASS_STEP) as u8, green, BLUE]);
                    image.put_pixel(x, y, colour);
                }
            }
        }
    }
    image
}

/// Returns the columns and rows of a picture that a tile may touch, by its first corner and two
/// sides.
fn pixel_ranges(corner: Point, [across, down]: [Point; 2], size: [u32; 2]) -> [Range<u32>; 2] {
    let columns = pixel_range(corner.x, [across.x, down.x], size[0]);
    let rows = pixel_range(corner.y, [across.y, down.y], size[1]);
    [columns, rows]
}

/// Returns the pixels up to `end` between a corner and those that two sides lead to.
fn pixel_range(from: f32, sides: [f32; 2], end: u32) -> Range<u32> {
    let low = from + sides[0].min(0.0) + sides[1].min(0.0);
    let high = from + sides[0].max(0.0) + sides[1].max(0.0);
    (low.max(0.0) as u32).min(end)..(high.ceil().max(0.0) as u32).min(end)
}

fn classes() -> Vec<String> {
    let tiles = Tile::ALL.iter().map(ToString::to_string);
    let bonus = Bonus::ALL.iter().map(ToString::to_string);
    tiles.chain(bonus).chain(["back".to_owned(), "none".to_owned()]).collect()
}

/// Model that reads painted pictures.
#[derive(Debug, Clone)]
pub struct PaintedModel {
    manifest: Manifest,
}

impl Default for PaintedModel {
    fn default() -> PaintedModel {
        let file = "painted".to_owned();
        PaintedModel {
            manifest: Manifest {
                detector: DetectorSpec {
                    file: file.clone(),
                    sha256: String::new(),
                    sizes: vec![640, 320],
                    min_width: vec![0.0, 40.0],
                    stride: 8,
                    threshold: 0.3,
                },
                refiner: Some(RefinerSpec {
                    file: file.clone(),
                    sha256: String::new(),
                    crop: CropSpec { input: [64, 64], margin: 1.7 },
                }),
                classifier: ClassifierSpec {
                    file,
                    // Own sets name the classifier that they were learned with.
                    sha256: "0".repeat(64),
                    crop: CropSpec { input: [80, 64], margin: 1.15 },
                    classes: classes(),
                    temperature: 1.0,
                    to_light: false,
                    embedding: Some(classes().len()),
                    typical: TypicalFaces::default(),
                },
                large_classifier: None,
            },
        }
    }
}

impl PaintedModel {
    /// Creates a model that has a large classifier too, which answers like the classifier.
    #[must_use]
    pub fn with_large_classifier() -> PaintedModel {
        let mut model = PaintedModel::default();
        let ClassifierSpec { file, crop, .. } = &model.manifest.classifier;
        model.manifest.large_classifier = Some(LargeClassifierSpec {
            file: file.clone(),
            sha256: "1".repeat(64),
            crop: *crop,
            classes: None,
            temperature: 1.0,
        });
        model
    }
}

impl Model for PaintedModel {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError> {
        let mut maps = DetectorMaps {
            heat: map_of(images, 1, 0.0),
            quad: map_of(images, 16, 0.0),
            axis: map_of(images, 1, 1.0),
            face: map_of(images, 1, 1.0),
        };
        for n in 0..images.count {
            for region in regions(images, n) {
                write(&mut maps, images, n, &outline(&region));
            }
        }
        Ok(maps)
    }

    /// Returns the corners unchanged: painted tiles are found exactly.
    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        Ok(vec![[0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0]; crops.count])
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        let mut rows = ClassifierRows {
            classes: Vec::new(),
            turns: Vec::new(),
            red: Vec::new(),
            embeddings: Vec::new(),
        };
        let height = crops.height;
        let width = crops.width;
        let count = self.manifest.classifier.classes.len();
        for n in 0..crops.count {
            let [red, blue] = [0, 2].map(|c| crops.value(n, c, height / 2, width / 2));
            // A tile in less light is still the same tile.
            let light = if blue > DIMMEST { blue } else { 1.0 };
            let class = (red / light * f32::from(BLUE) / CLASS_STEP).round() as usize;
            let sides = [
                (width / 2, height / 4),
                (width * 3 / 4, height / 2),
                (width / 2, height * 3 / 4),
                (width / 4, height / 2),
            ];
            let bright = sides.map(|(x, y)| crops.value(n, 1, y, x));
            let lead: [f32; 4] = std::array::from_fn(|turn| bright[turn] - bright[(turn + 2) % 4]);
            let turn = (0..4).max_by(|&a, &b| lead[a].total_cmp(&lead[b]));
            rows.classes.push((0..count).map(|i| if i == class { 12.0 } else { 0.0 }).collect());
            // The embedding of a class is an axis of its own.
            rows.embeddings.push((0..count).map(|i| f32::from(i == class)).collect());
            rows.turns.push(std::array::from_fn(|i| if Some(i) == turn { 12.0 } else { 0.0 }));
            rows.red.push(-12.0);
        }
        Ok(rows)
    }

    fn classify_large(
        &self,
        crops: &Planes,
        _embeddings: &[Vec<f32>],
    ) -> Result<Option<ClassifierRows>, ModelError> {
        let rows = self.manifest.large_classifier.as_ref().map(|_| self.classify(crops));
        Ok(rows.transpose()?.map(|rows| ClassifierRows { embeddings: Vec::new(), ..rows }))
    }
}

/// Model that reads painted pictures, but panics in the first run of one network.
///
/// All runs share one pooled session, so a session that is not returned would keep the next photo
/// waiting.
#[derive(Debug)]
pub struct PanickingModel {
    painted: PaintedModel,
    network: &'static str,
    /// Sessions, each with a flag that says whether it has panicked.
    sessions: Pool<bool>,
}

impl PanickingModel {
    /// Creates a model that panics in the first run of the `detector`, the `refiner`, the
    /// `classifier` or the `large_classifier`, which gets bonus tiles at least.
    #[must_use]
    pub fn once_in(network: &'static str) -> PanickingModel {
        PanickingModel {
            painted: PaintedModel::with_large_classifier(),
            network,
            sessions: Pool::new(vec![false]),
        }
    }

    fn run<T>(&self, network: &str, run: impl FnOnce(&PaintedModel) -> T) -> T {
        self.sessions.with(|has_panicked| {
            let is_first = network == self.network && !std::mem::replace(has_panicked, true);
            assert!(!is_first, "a panic in the {network}");
            run(&self.painted)
        })
    }
}

impl Model for PanickingModel {
    fn manifest(&self) -> &Manifest {
        self.painted.manifest()
    }

    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError> {
        self.run("detector", |painted| painted.detect(images))
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        self.run("refiner", |painted| painted.refine(crops))
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        self.run("classifier", |painted| painted.classify(crops))
    }

    fn classify_large(
        &self,
        crops: &Planes,
        embeddings: &[Vec<f32>],
    ) -> Result<Option<ClassifierRows>, ModelError> {
        self.run("large_classifier", |painted| painted.classify_large(crops, embeddings))
    }
}

/// Model that reads painted pictures and records its inputs. It panics if the large classifier gets
/// other embeddings than the classifier gave for its crops.
#[derive(Debug, Default)]
pub struct WatchedModel {
    painted: PaintedModel,
    /// Width and height of each picture that the detector received.
    views: Mutex<Vec<(usize, usize)>>,
    /// Number of crops that the classifier received.
    crops: AtomicUsize,
    /// Number of crops that the large classifier received.
    large_crops: AtomicUsize,
    /// First column of cells of the first picture that the detector does not see.
    blind: Option<usize>,
    /// Classes of which the classifier is not sure; the large classifier is.
    doubted: Vec<usize>,
    /// Weight of the large classifier, if it is another one than usual.
    large_share: Option<f32>,
    /// Faces of its own set.
    known: Vec<Face>,
}

impl WatchedModel {
    /// Creates a model that sees only the first `columns` columns of the first picture, a multiple
    /// of four.
    #[must_use]
    pub fn blind_beyond(columns: usize) -> WatchedModel {
        WatchedModel { blind: Some(columns / Cells::SIDE), ..WatchedModel::default() }
    }

    /// Creates a model that was trained with light sets only, or with dark ones too.
    #[must_use]
    pub fn to_light(to_light: bool) -> WatchedModel {
        let mut model = WatchedModel::default();
        model.painted.manifest.classifier.to_light = to_light;
        model
    }

    /// Creates a model with a large classifier, whose small one is not sure of these faces.
    #[must_use]
    pub fn with_large_classifier(doubted: &[Face]) -> WatchedModel {
        let painted = PaintedModel::with_large_classifier();
        WatchedModel { painted, ..WatchedModel::doubting(doubted) }
    }

    /// Returns the model with another weight of its large classifier.
    #[must_use]
    pub fn with_large_share(self, large_share: Option<f32>) -> WatchedModel {
        WatchedModel { large_share, ..self }
    }

    /// Creates a model whose own set has these faces.
    #[must_use]
    pub fn knowing(faces: &[Face]) -> WatchedModel {
        WatchedModel { known: faces.to_vec(), ..WatchedModel::default() }
    }

    /// Creates a model whose classifier is not sure of these faces.
    #[must_use]
    pub fn doubting(doubted: &[Face]) -> WatchedModel {
        let classes = classes();
        let names = doubted.iter().map(ToString::to_string);
        let doubted = names.filter_map(|name| classes.iter().position(|class| *class == name));
        WatchedModel { doubted: doubted.collect(), ..WatchedModel::default() }
    }

    /// Returns width and height of each picture that the detector received.
    ///
    /// # Panics
    /// If a run panicked.
    #[must_use]
    pub fn views(&self) -> Vec<(usize, usize)> {
        self.views.lock().expect("no panic").clone()
    }

    /// Returns the number of crops that the classifier received.
    #[must_use]
    pub fn crops(&self) -> usize {
        self.crops.load(Ordering::Relaxed)
    }

    /// Returns the number of crops that the large classifier received.
    #[must_use]
    pub fn large_crops(&self) -> usize {
        self.large_crops.load(Ordering::Relaxed)
    }
}

/// Share of its logits that the classifier gives a face that it is not sure of, which then has a
/// probability of a third.
const DOUBT: f32 = 0.25;

impl Model for WatchedModel {
    fn manifest(&self) -> &Manifest {
        self.painted.manifest()
    }

    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError> {
        let mut views = self.views.lock().expect("no panic");
        let mut images = images.clone();
        if let (true, Some(columns)) = (views.is_empty(), self.blind) {
            for row in images.data.chunks_exact_mut(images.columns * Cells::BYTES) {
                row[columns * Cells::BYTES..].fill(0);
            }
        }
        views.push(images.size());
        self.painted.detect(&images)
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        self.painted.refine(crops)
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        self.crops.fetch_add(crops.count, Ordering::Relaxed);
        let mut rows = self.painted.classify(crops)?;
        for logits in &mut rows.classes {
            if self.doubted.iter().any(|&class| logits[class] > 0.0) {
                logits.iter_mut().for_each(|logit| *logit *= DOUBT);
            }
        }
        Ok(rows)
    }

    fn classify_large(
        &self,
        crops: &Planes,
        embeddings: &[Vec<f32>],
    ) -> Result<Option<ClassifierRows>, ModelError> {
        self.large_crops.fetch_add(crops.count, Ordering::Relaxed);
        let own = self.painted.classify(crops)?.embeddings;
        assert_eq!(embeddings, own, "the embeddings are the classifier's for these crops");
        self.painted.classify_large(crops, embeddings)
    }

    fn large_share(&self) -> Option<f32> {
        self.large_share
    }

    fn knows(&self, face: Face) -> bool {
        self.known.contains(&face)
    }
}

/// Returns the connected regions of tile pixels in the picture `n`.
fn regions(image: &Cells, n: usize) -> Vec<Vec<(usize, usize)>> {
    let (width, height) = image.size();
    let mut seen = vec![false; width * height];
    let mut regions = Vec::new();
    for start in 0..seen.len() {
        let mut open = vec![start];
        let mut region = Vec::new();
        while let Some(at) = open.pop() {
            let x = at % width;
            let y = at / width;
            if std::mem::replace(&mut seen[at], true) || image.pixel(n, x, y)[2] <= IS_TILE {
                continue;
            }
            region.push((x, y));
            let neighbours = [
                (x > 0).then(|| at - 1),
                (x + 1 < width).then_some(at + 1),
                (y > 0).then(|| at - width),
                (y + 1 < height).then_some(at + width),
            ];
            open.extend(neighbours.into_iter().flatten().filter(|&next| !seen[next]));
        }
        if region.len() >= 40 {
            regions.push(region);
        }
    }
    regions
}

/// Returns the rectangle around a region: the larger of the two through its extremes along the axes
/// and along the diagonals.
fn outline(region: &[(usize, usize)]) -> Quad {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let straight = Quad(corners.map(|(dx, dy)| find_extreme(region, Point::new(dx, dy))));
    let sides = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
    let diamond = Quad(sides.map(|(dx, dy)| find_extreme(region, Point::new(dx, dy))));
    let quad = if straight.area() >= diamond.area() { straight } else { diamond };
    quad.grown(1.06)
}

/// Finds the pixel of a region that lies farthest along a direction.
fn find_extreme(region: &[(usize, usize)], way: Point) -> Point {
    let pixels = region.iter().map(|&(x, y)| Point::new(x as f32 + 0.5, y as f32 + 0.5));
    pixels.max_by(|a, b| a.dot(way).total_cmp(&b.dot(way))).unwrap_or_default()
}

/// Returns a map of the detector for these pictures, of one value.
fn map_of(images: &Cells, channels: usize, value: f32) -> Planes {
    Planes::filled(images.count, channels, images.rows / 2, images.columns / 2, value)
}

/// Writes a tile of the picture `n` into the planes, as the detector would.
fn write(maps: &mut DetectorMaps, image: &Cells, n: usize, quad: &Quad) {
    let centre = quad.centre();
    let x = (centre.x / 8.0) as usize;
    let y = (centre.y / 8.0) as usize;
    let cell = Point::new(x as f32 * 8.0 + 4.0, y as f32 * 8.0 + 4.0);
    *maps.heat.at_mut(n, 0, y, x) = 0.95;
    let edge = quad.across();
    *maps.axis.at_mut(n, 0, y, x) = (4.0 * edge.y.atan2(edge.x)).cos();
    let red = image.pixel(n, centre.x as usize, centre.y as usize)[0];
    let middle = f32::from(red) / CLASS_STEP;
    let back = classes().iter().position(|name| name == "back");
    *maps.face.at_mut(n, 0, y, x) = if Some(middle.round() as usize) == back { 0.02 } else { 0.98 };
    let from_left = starting(quad, |p| p.x + p.y);
    let from_top = starting(quad, |p| p.y);
    for (half, first) in [(0, from_left), (8, from_top)] {
        for i in 0..4 {
            let offset = first.0[i] - cell;
            *maps.quad.at_mut(n, half + 2 * i, y, x) = offset.x / 8.0;
            *maps.quad.at_mut(n, half + 2 * i + 1, y, x) = offset.y / 8.0;
        }
    }
}

/// Returns the quad starting at the corner with the smallest key.
fn starting(quad: &Quad, key: impl Fn(&Point) -> f32) -> Quad {
    let first = (0..4).min_by(|&a, &b| key(&quad.0[a]).total_cmp(&key(&quad.0[b]))).unwrap_or(0);
    quad.rotated(first)
}
