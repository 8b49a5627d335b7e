//! Names the faces that the detector found.
//!
//! Input: a [`Photo`], [`Detection`]s and a [`Model`]. Output: a [`SeenTile`] for each detection,
//! with a probability for every face. Each quad is straightened into a [`crop`](super::crop) whose
//! long side is vertical. Crops of a dark set are inverted ([`body`](super::body)), and all crops
//! go through the network together. Those that it leaves in doubt go through the large classifier
//! too ([`second_look`](super::second_look)). A set has each bonus tile once
//! ([`bonus_tiles`](super::bonus_tiles)). Backs that the detector is sure of are not looked at.
//! Invariant: the probabilities of a tile sum to one, and the order of the detections is kept.

use image::RgbImage;
use serde::Serialize;
use tilesight_core::tile::{Bonus, Face, PrintedTile, Tile};
use tilesight_stills::Photo;

use super::body::{DarkSet, invert};
use super::bonus_tiles::name_bonus_tiles;
use super::crop::{crops_of, planes};
use super::detect::{Detection, share_inside};
use super::red_ink::doubt_reds;
use super::second_look::look_again;
use crate::geometry::{Point, Quad};
use crate::networks::{ClassifierRows, ClassifierSpec, Manifest, Model, ModelError};
use crate::params::ClassifyParams;

/// A tile with the probabilities of its face.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeenTile {
    /// The outline, its longer sides from top to bottom.
    pub quad: Quad,
    /// The detector's score.
    pub score: f32,
    /// Share of the tile's outline that is inside the photo.
    pub inside: f32,
    /// Probabilities of the faces.
    pub faces: Faces,
    /// Probabilities that the face is turned clockwise by 0, 90, 180 and 270 degrees against the
    /// quad's own top.
    pub turns: [f32; 4],
    /// Network's probability that the tile is a red five, before
    /// [`SeenTile::red_probability`] weighs it.
    pub red: f32,
}

/// Probability above which a five counts as a red one: more likely than not.
const RED: f32 = 0.5;

impl SeenTile {
    /// Returns a tile that this one is named as, with its print. Only fives have a red variant, so
    /// the network's output for other faces is ignored.
    #[must_use]
    pub fn printed(&self, tile: Tile) -> PrintedTile {
        PrintedTile { tile, red: self.red_probability(tile) > RED }
    }

    /// Returns the probability that the tile is red if it is the given one; zero for all but fives.
    #[must_use]
    pub fn red_probability(&self, tile: Tile) -> f32 {
        if tile.number() != Some(5) {
            return 0.0;
        }
        let logit = (self.red / (1.0 - self.red)).ln();
        sigmoid(PARAMS.red_slope * (logit - PARAMS.red_middle))
    }

    /// Lowers the probability that the tile is a red five to a limit.
    pub(super) fn limit_red(&mut self, limit: f32) {
        let logit = (limit / (1.0 - limit)).ln() / PARAMS.red_slope + PARAMS.red_middle;
        self.red = self.red.min(sigmoid(logit));
    }

    /// Returns the outline with its first side along the print's top or bottom, as the face most
    /// probably lies.
    #[must_use]
    pub(super) fn printed_quad(&self) -> Quad {
        let is_upright = self.turns[0] + self.turns[2] >= 0.5;
        if is_upright { self.quad } else { self.quad.rotated(1) }
    }

    /// Returns the direction of the face's top, as a unit vector, if the face is turned by `turn`
    /// quarters against the quad.
    #[must_use]
    pub fn up(&self, turn: usize) -> Point {
        let (across, down) = (self.quad.across().unit(), self.quad.down().unit());
        match turn % 4 {
            0 => down * -1.0,
            1 => across,
            2 => down,
            _ => across * -1.0,
        }
    }
}

/// Kind of object in a detection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Playing tile: 34 kinds.
    Playing,
    /// Flower or season.
    Bonus,
    /// Back of a tile.
    Back,
    /// Not a face.
    Nothing,
}

const PARAMS: ClassifyParams = ClassifyParams::DEFAULT;

/// Number of probabilities: 43 faces that a camera can see, and "not a face".
const SLOTS: usize = 44;
const BACK: usize = 42;
const NOTHING: usize = 43;

/// Least probability of a face when probabilities are flattened, and number of steps in which the
/// power is found: to a millionth.
const TRACE: f32 = 1e-6;
const HALVINGS: usize = 20;

/// Probabilities of every face and of "not a face".
#[derive(Clone, PartialEq)]
pub struct Faces([f32; SLOTS]);

impl Faces {
    /// Creates the probabilities of a face that is certain.
    #[must_use]
    pub fn certain(face: Face) -> Faces {
        Faces::from_weights([(Some(face), 1.0)])
    }

    /// Creates probabilities in proportion to weights; `None` is "not a face".
    #[must_use]
    pub fn from_weights(weights: impl IntoIterator<Item = (Option<Face>, f32)>) -> Faces {
        let mut slots = [0.0; SLOTS];
        for (face, weight) in weights {
            slots[slot(face)] += weight;
        }
        let sum: f32 = slots.iter().sum();
        if sum > 0.0 {
            slots.iter_mut().for_each(|weight| *weight /= sum);
        } else {
            slots[NOTHING] = 1.0;
        }
        Faces(slots)
    }

    /// Returns the probability of one face; `None` is "not a face".
    #[must_use]
    pub fn probability(&self, face: Option<Face>) -> f32 {
        self.0[slot(face)]
    }

    /// Returns the most probable face; `None` is "not a face".
    #[must_use]
    pub fn best(&self) -> Option<Face> {
        self.top().0
    }

    /// Returns the most probable face with its probability; the first one of equally probable
    /// faces.
    #[must_use]
    pub fn top(&self) -> (Option<Face>, f32) {
        let first =
            |best: usize, slot: usize| if self.0[slot] > self.0[best] { slot } else { best };
        let best = (1..SLOTS).fold(0, first);
        (face_in(best), self.0[best])
    }

    /// Returns the most probable sort of tile and its probability, summed over all faces of that
    /// sort. A flower of unknown art is clearly a flower long before it is clearly one of the
    /// eight.
    #[must_use]
    pub fn sort(&self) -> (Sort, f32) {
        let sum = |slots: std::ops::Range<usize>| self.0[slots].iter().sum::<f32>();
        [
            (Sort::Playing, sum(0..Tile::KINDS)),
            (Sort::Bonus, self.any_bonus()),
            (Sort::Back, self.0[BACK]),
            (Sort::Nothing, self.0[NOTHING]),
        ]
        .into_iter()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .expect("four sorts")
    }

    /// Returns every face whose probability is at least `min_p`, the most probable first.
    #[must_use]
    pub fn candidates(&self, min_p: f32) -> Vec<(Option<Face>, f32)> {
        let mut all: Vec<_> = (0..SLOTS)
            .map(|slot| (face_in(slot), self.0[slot]))
            .filter(|&(_, p)| p >= min_p)
            .collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }

    /// Returns the probabilities flattened until none exceeds a limit; their order stays.
    #[must_use]
    pub(crate) fn at_most(&self, limit: f32) -> Faces {
        if self.top().1 <= limit {
            return self.clone();
        }
        // A power below one flattens. Faces of probability zero get a trace, so that the limit can
        // be reached.
        let flat = |power: f32| {
            let weights = self.candidates(0.0).into_iter();
            Faces::from_weights(weights.map(|(face, p)| (face, p.max(TRACE).powf(power))))
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = f32::midpoint(low, high);
            if flat(middle).top().1 > limit { high = middle } else { low = middle }
        }
        flat(low)
    }

    /// Returns the probability of any bonus tile.
    #[must_use]
    pub(super) fn any_bonus(&self) -> f32 {
        self.bonus().iter().sum()
    }

    /// Returns the probability of each bonus tile.
    #[must_use]
    pub(super) fn bonus(&self) -> [f32; Bonus::ALL.len()] {
        std::array::from_fn(|kind| self.0[Tile::KINDS + kind])
    }

    /// Divides the probability of any bonus tile anew, by shares that sum to one.
    #[must_use]
    pub(super) fn with_bonus(&self, shares: [f32; Bonus::ALL.len()]) -> Faces {
        let any = self.any_bonus();
        let mut slots = self.0;
        slots[Tile::KINDS..BACK].copy_from_slice(&shares.map(|share| share * any));
        Faces(slots)
    }

    /// Multiplies the odds of each bonus tile against every other face.
    #[must_use]
    pub(super) fn with_bonus_odds(&self, odds: f32) -> Faces {
        self.reweigh(|face| if matches!(face, Some(Face::Bonus(_))) { odds } else { 1.0 })
    }

    /// Multiplies the probability of each face by a weight.
    fn reweigh(&self, weight: impl Fn(Option<Face>) -> f32) -> Faces {
        let all = self.candidates(0.0).into_iter();
        Faces::from_weights(all.map(|(face, p)| (face, p * weight(face))))
    }

    /// Combines the probabilities with another network's by a function of both.
    #[must_use]
    pub(super) fn combined(
        &self,
        other: &Faces,
        mean: impl FnOnce(&[f32; SLOTS], &[f32; SLOTS]) -> [f32; SLOTS],
    ) -> Faces {
        Faces(mean(&self.0, &other.0))
    }

    /// Combines the probabilities with the detector's independent estimate of whether the tile is
    /// face up.
    #[must_use]
    fn with_face_up(&self, face_up: f32) -> Faces {
        let face_up = face_up.clamp(PARAMS.face_up.start, PARAMS.face_up.end);
        self.reweigh(|face| if face == Some(Face::Back) { 1.0 - face_up } else { face_up })
    }
}

impl std::fmt::Debug for Faces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = |(face, p): (Option<Face>, f32)| (name(face), p);
        f.debug_map().entries(self.candidates(0.01).into_iter().map(named)).finish()
    }
}

impl Serialize for Faces {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.candidates(0.001).into_iter().map(|(face, p)| (name(face), p)))
    }
}

/// Returns the code of a face, or `none` for "not a face".
#[must_use]
pub fn name(face: Option<Face>) -> String {
    face.map_or_else(|| "none".to_owned(), |face| face.to_string())
}

fn slot(face: Option<Face>) -> usize {
    match face {
        Some(Face::Tile(tile)) => tile.index(),
        Some(Face::Bonus(bonus)) => Tile::KINDS + bonus.index(),
        Some(Face::Back) => BACK,
        None => NOTHING,
    }
}

fn face_in(slot: usize) -> Option<Face> {
    match slot {
        BACK => Some(Face::Back),
        NOTHING => None,
        _ if slot < Tile::KINDS => Tile::from_index(slot as u8).map(Face::Tile),
        _ => Bonus::from_index((slot - Tile::KINDS) as u8).map(Face::Bonus),
    }
}

/// Names the faces of all detections.
///
/// # Errors
/// [`ModelError::Failed`] when the network does not run.
pub fn classify(
    photo: &Photo,
    detections: &[Detection],
    model: &dyn Model,
) -> Result<Vec<SeenTile>, ModelError> {
    let spec = &model.manifest().classifier;
    let light = |crops: &[RgbImage]| dark_set(crops, spec).map_or(Light::AsItIs, Light::OfDarkSet);
    classify_in(photo, detections, model, light)
}

/// Names the faces of all detections in the photo's negative.
///
/// # Errors
/// [`ModelError::Failed`] when the network does not run.
pub(crate) fn classify_negative(
    photo: &Photo,
    detections: &[Detection],
    model: &dyn Model,
) -> Result<Vec<SeenTile>, ModelError> {
    classify_in(photo, detections, model, |_| Light::Negative)
}

/// Light in which the classifier gets the crops of a photo.
#[derive(Debug, Clone, Copy)]
enum Light {
    AsItIs,
    /// Printed tiles of a dark set are inverted.
    OfDarkSet(DarkSet),
    /// All crops are inverted.
    Negative,
}

impl Light {
    fn apply(self, mut crops: Vec<RgbImage>) -> Vec<RgbImage> {
        match self {
            Light::AsItIs => {}
            Light::OfDarkSet(set) => set.lighten(&mut crops),
            Light::Negative => crops.iter_mut().for_each(invert),
        }
        crops
    }
}

/// Names the faces of all detections in a light that is chosen by their crops.
fn classify_in(
    photo: &Photo,
    detections: &[Detection],
    model: &dyn Model,
    light: impl Fn(&[RgbImage]) -> Light,
) -> Result<Vec<SeenTile>, ModelError> {
    let spec = &model.manifest().classifier;
    let quads: Vec<Quad> = detections.iter().map(|tile| tile.quad.upright()).collect();
    let printed: Vec<usize> = (0..quads.len()).filter(|&i| !detections[i].is_back()).collect();
    let crops = crops_of(photo, printed.iter().map(|&i| &quads[i]), &spec.crop);
    let light = light(&crops);
    let mut second_looks = PARAMS.max_second_looks;
    let mut looks = vec![Look::for_back(); quads.len()];
    let first_looks = look_at(&light.apply(crops), model, &mut second_looks)?;
    for (&i, look) in printed.iter().zip(first_looks) {
        looks[i] = look;
    }
    // If a tile is nearly square, either pair of its sides may be the longer one. A back looks the
    // same both ways.
    let may_lie_across = |i: &usize| {
        is_nearly_square(&quads[*i])
            && looks[*i].faces.sort().0 != Sort::Back
            && looks[*i].trust() * looks[*i].faces.top().1 < PARAMS.sure_look
    };
    let doubtful: Vec<usize> = (0..quads.len()).filter(may_lie_across).collect();
    let turned: Vec<Quad> = doubtful.iter().map(|&i| quads[i].rotated(1)).collect();
    let crops = light.apply(crops_of(photo, turned.iter(), &spec.crop));
    let looks_across = look_at(&crops, model, &mut second_looks)?;
    for (i, across) in doubtful.into_iter().zip(looks_across) {
        looks[i] = looks[i].with(&across);
    }
    let tiles = detections.iter().zip(quads).zip(looks).map(|((tile, quad), look)| SeenTile {
        quad,
        score: tile.score,
        inside: share_inside(&tile.quad, photo.size()),
        faces: look.faces.with_face_up(tile.face_up),
        turns: look.turns,
        red: look.red,
    });
    let mut tiles: Vec<SeenTile> = tiles.collect();
    if matches!(light, Light::AsItIs) {
        doubt_reds(photo, &mut tiles, &spec.crop);
    }
    Ok(tiles)
}

/// Returns the crops of all quads of a photo as the classifier gets them; those of a dark set are
/// inverted.
#[must_use]
pub fn crops<'a>(
    photo: &Photo,
    quads: impl Iterator<Item = &'a Quad>,
    spec: &ClassifierSpec,
) -> Vec<RgbImage> {
    in_light(crops_of(photo, quads, &spec.crop), spec)
}

/// Returns crops of one photo as the classifier gets them; those of a dark set are inverted.
pub(crate) fn in_light(crops: Vec<RgbImage>, spec: &ClassifierSpec) -> Vec<RgbImage> {
    dark_set(&crops, spec).map_or(Light::AsItIs, Light::OfDarkSet).apply(crops)
}

/// Returns the dark set that the crops of a photo show, if the network was trained with light sets
/// only.
fn dark_set(crops: &[RgbImage], spec: &ClassifierSpec) -> Option<DarkSet> {
    if spec.to_light { DarkSet::from_crops(crops) } else { None }
}

fn is_nearly_square(upright: &Quad) -> bool {
    upright.down().length() < PARAMS.square_ratio * upright.across().length()
}

/// Output of the classifiers for one crop.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) faces: Faces,
    pub(super) turns: [f32; 4],
    pub(super) red: f32,
}

impl Look {
    /// Creates the look at an upright tile with these faces, by their codes.
    #[cfg(test)]
    pub(super) fn from_faces(faces: &[(&str, f32)]) -> Look {
        let faces = faces.iter().map(|&(code, p)| (code.parse().ok(), p));
        Look { faces: Faces::from_weights(faces), turns: [1.0, 0.0, 0.0, 0.0], red: 0.0 }
    }

    /// Returns the look of a back that the detector is sure of. Its longer sides lie upright.
    fn for_back() -> Look {
        Look { faces: Faces::certain(Face::Back), turns: [0.5, 0.0, 0.5, 0.0], red: 0.0 }
    }

    /// Returns the weight of this look against a second one: the probability that the crop shows
    /// the face upright or upside down. A face that lies across its crop is also stretched.
    fn trust(&self) -> f32 {
        self.turns[0] + self.turns[2] + PARAMS.min_trust
    }

    /// Merges this look with the one across, whose crop starts at the quad's next corner.
    fn with(&self, second: &Look) -> Look {
        let sum = self.trust() + second.trust();
        let (a, b) = (self.trust() / sum, second.trust() / sum);
        let weights = |look: &Look, share: f32| {
            look.faces.candidates(0.0).into_iter().map(move |(face, p)| (face, p * share))
        };
        Look {
            faces: Faces::from_weights(
                weights(self, a).chain(weights(second, b)).collect::<Vec<_>>(),
            ),
            // The second look's top is the quad's right side, a quarter clockwise of the first's.
            turns: std::array::from_fn(|turn| {
                a * self.turns[turn] + b * second.turns[(turn + 3) % 4]
            }),
            red: a * self.red + b * second.red,
        }
    }
}

/// Runs the classifier on crops, and the large classifier on those in doubt, at most
/// `second_looks`; what is left of these remains in it.
fn look_at(
    crops: &[RgbImage],
    model: &dyn Model,
    second_looks: &mut usize,
) -> Result<Vec<Look>, ModelError> {
    let manifest = model.manifest();
    let ClassifierSpec { crop, temperature, .. } = &manifest.classifier;
    let mut looks = Vec::with_capacity(crops.len());
    let mut embeddings = Vec::new();
    for crops in crops.chunks(model.max_crops()) {
        let mut rows = model.classify(&planes(crops, crop))?;
        looks.extend(looks_in(&rows, manifest, *temperature, PARAMS.back_gain));
        embeddings.append(&mut rows.embeddings);
    }
    look_again(crops, &mut looks, &embeddings, model, second_looks)?;
    name_bonus_tiles(&mut looks, &embeddings);
    Ok(looks)
}

/// Returns the look in each row of a classifier with this temperature; the logit of a back is
/// raised by `back_gain`.
pub(super) fn looks_in(
    rows: &ClassifierRows,
    manifest: &Manifest,
    temperature: f32,
    back_gain: f32,
) -> impl Iterator<Item = Look> {
    let rows = rows.classes.iter().zip(&rows.turns).zip(&rows.red);
    rows.map(move |((classes, turns), &red)| Look {
        faces: probabilities(classes, manifest, temperature, back_gain),
        turns: softmax(turns, 1.0).try_into().expect("four logits give four"),
        red: sigmoid(red),
    })
}

/// Returns the probabilities in one row of logits, that of a back raised by `back_gain`.
fn probabilities(logits: &[f32], manifest: &Manifest, temperature: f32, back_gain: f32) -> Faces {
    let logit = |(face, &logit): (Option<Face>, &f32)| match face {
        Some(Face::Back) => logit + back_gain,
        _ => logit,
    };
    let logits: Vec<f32> = manifest.faces().zip(logits).map(logit).collect();
    let p = softmax(&logits, temperature);
    Faces::from_weights(manifest.faces().zip(p))
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

fn softmax(logits: &[f32], temperature: f32) -> Vec<f32> {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = logits.iter().map(|l| ((l - highest) / temperature).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::fake::{PaintedTile, WatchedModel, paint};

    #[test]
    fn slots_and_faces_are_one_to_one() {
        for index in 0..SLOTS {
            assert_eq!(slot(face_in(index)), index);
        }
    }

    #[test]
    fn the_detector_decides_a_doubtful_back() {
        let white = "P".parse().ok();
        let doubtful = Faces::from_weights([(white, 0.5), (Some(Face::Back), 0.5)]);
        assert_eq!(doubtful.with_face_up(0.9).best(), white);
        assert_eq!(doubtful.with_face_up(0.1).best(), Some(Face::Back));
    }

    #[test]
    fn without_weights_there_is_not_a_face() {
        assert_eq!(Faces::from_weights([]).best(), None);
    }

    #[test]
    fn a_square_tile_is_looked_at_again_unless_it_stands_upright_in_its_crop() {
        let square = Quad::rectangle(20.0, 20.0, 60.0, 60.0);
        for (turn, looks) in [(0, 1), (1, 2), (2, 1), (3, 2)] {
            // The quad's first corner is the top left of the face, wherever that lies.
            let painted =
                PaintedTile { quad: square.rotated(turn), face: Face::Tile(Tile::ALL[7]) };
            let photo = Photo::from_rgb(paint(100, 100, &[painted])).expect("large enough");
            let model = WatchedModel::default();
            let tile = Detection { quad: square, score: 0.9, face_up: 0.98 };
            let seen = classify(&photo, &[tile], &model).expect("it runs").remove(0);
            assert_eq!(model.crops(), looks, "turned by {turn}");
            assert_eq!(seen.faces.best(), Some(Face::Tile(Tile::ALL[7])), "turned by {turn}");
            let top = (0..4).max_by(|&a, &b| seen.turns[a].total_cmp(&seen.turns[b]));
            assert_eq!(top, Some(turn), "{:?}", seen.turns);
        }
    }

    #[test]
    fn a_certain_back_is_not_classified() {
        let painted = |x: f32| PaintedTile {
            quad: Quad::rectangle(x, 20.0, 60.0, 60.0),
            face: Face::Tile(Tile::ALL[7]),
        };
        let tiles = [painted(20.0), painted(100.0)];
        let photo = Photo::from_rgb(paint(180, 100, &tiles)).expect("large enough");
        let model = WatchedModel::default();
        let found = [(0, 0.01), (1, 0.98)].map(|(i, face_up): (usize, f32)| Detection {
            quad: tiles[i].quad,
            score: 0.9,
            face_up,
        });
        let seen = classify(&photo, &found, &model).expect("it runs");
        assert_eq!(model.crops(), 1);
        assert_eq!(seen[0].faces.best(), Some(Face::Back));
        assert_eq!(seen[1].faces.best(), Some(Face::Tile(Tile::ALL[7])));
    }

    fn seen(face: Face, red: f32) -> SeenTile {
        SeenTile {
            quad: Quad::rectangle(0.0, 0.0, 30.0, 40.0),
            score: 1.0,
            inside: 1.0,
            faces: Faces::certain(face),
            turns: [1.0, 0.0, 0.0, 0.0],
            red,
        }
    }

    #[test]
    fn only_fives_are_red_from_the_limit_on() {
        for tile in Tile::ALL {
            for (above, is_red) in [(-0.1, false), (0.1, true), (f32::INFINITY, true)] {
                let tile_seen = seen(Face::Tile(tile), sigmoid(PARAMS.red_middle + above));
                let expected = is_red && tile.number() == Some(5);
                assert_eq!(tile_seen.printed(tile).red, expected, "{tile}, {above}");
            }
            assert!(seen(Face::Tile(tile), 0.0).red_probability(tile).abs() < f32::EPSILON);
        }
    }

    #[test]
    fn up_turns_with_the_face() {
        let tile = seen(Face::Back, 0.0);
        let ups = [0, 1, 2, 3].map(|turn| tile.up(turn));
        let expected = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
        assert_eq!(ups, expected.map(|(x, y)| Point::new(x, y)));
    }
}
