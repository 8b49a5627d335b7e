//! Learning of a set from labelled tiles, and again from its own thumbnails.
//!
//! Input: photos with the outlines and labels of their tiles, and the networks. Output: an
//! [`OwnSet`]. Each tile is looked at from all four sides, because a tile that lies across its crop
//! is also stretched, and has another embedding; and from each side also as if it were smaller and
//! in less light. Invariant: crops are prepared as for reading, so that a dark set is inverted in
//! both cases.

use std::collections::BTreeMap;

use image::{RgbImage, imageops};
use tilesight_core::contract::SetName;
use tilesight_core::tile::Face;
use tilesight_stills::Photo;

use super::error::SetError;
use super::face_label::FaceLabel;
use super::looks::{LOOKS, looks};
use super::own_set::{LearnedFace, OwnSet, SetColours};
use super::prototype::{Prototype, norm};
use crate::geometry::Quad;
use crate::networks::{ClassifierSpec, Model, cosine};
use crate::pixels::body::colours_of;
use crate::pixels::classify::in_light;
use crate::pixels::crop::{crops_of, planes};

/// A tile with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledTile {
    /// Outline; corner 0 is the top left of the face.
    pub quad: Quad,
    /// Name of the face.
    pub label: FaceLabel,
}

/// A photo with the tiles to learn.
#[derive(Debug, Clone)]
pub struct LabelledPhoto<'a> {
    /// The photo.
    pub photo: &'a Photo,
    /// The tiles.
    pub tiles: Vec<LabelledTile>,
}

/// Learns a set.
///
/// # Errors
/// [`SetError`] if there are no tiles, too many faces, or no embedding; or if a network fails.
pub fn learn(
    name: SetName,
    photos: &[LabelledPhoto<'_>],
    model: &dyn Model,
) -> Result<OwnSet, SetError> {
    let spec = &model.manifest().classifier;
    let mut lessons = Lessons::default();
    for LabelledPhoto { photo, tiles } in photos {
        let turned = |by: usize| {
            let quads: Vec<Quad> = tiles.iter().map(|tile| tile.quad.rotated(by)).collect();
            crops_of(photo, quads.iter(), &spec.crop)
        };
        let crops: [Vec<RgbImage>; 4] = std::array::from_fn(turned);
        lessons.add(tiles.iter().map(|tile| (tile.label.clone(), 1)).collect(), &crops, model)?;
    }
    lessons.into_set(name, spec)
}

impl OwnSet {
    /// Returns the set for the networks in use: itself, or a set learned again from its thumbnails
    /// if it was learned with another classifier.
    ///
    /// # Errors
    /// [`SetError`] as for [`learn`].
    pub fn for_model(self, model: &dyn Model) -> Result<OwnSet, SetError> {
        let spec = &model.manifest().classifier;
        let Some(length) = spec.embedding else { return Err(SetError::NoEmbedding) };
        if self.classifier.eq_ignore_ascii_case(&spec.sha256) {
            return match self.length() == length {
                true => Ok(self),
                false => Err(SetError::Broken { place: "faces".to_owned() }),
            };
        }
        let upright = self.thumbnails()?;
        let [height, width] = spec.crop.input;
        let fitted = |face: RgbImage| {
            let filter = imageops::FilterType::Triangle;
            imageops::resize(&face, width as u32, height as u32, filter)
        };
        let turned = |by: usize| {
            let turn = |face: &RgbImage| match by {
                0 => face.clone(),
                // The crop that starts at the next corner shows the face turned to the left.
                1 => imageops::rotate270(face),
                2 => imageops::rotate180(face),
                _ => imageops::rotate90(face),
            };
            upright.iter().map(|face| fitted(turn(face))).collect()
        };
        let labels = self.faces.iter().map(|face| (face.label.clone(), face.tiles)).collect();
        let mut lessons = Lessons::default();
        lessons.add(labels, &std::array::from_fn(turned), model)?;
        let rebuilt = lessons.into_set(self.name, spec)?;
        // Thumbnails lose a little each time they are written, and colours with them.
        Ok(OwnSet { colours: self.colours, thumbnails: self.thumbnails, ..rebuilt })
    }
}

/// A look at a tile: its embedding by the quarter turn, and its upright crop.
#[derive(Debug)]
struct Lesson {
    weight: u32,
    embeddings: [Vec<f32>; 4],
    crop: RgbImage,
}

/// Looks at labelled tiles, by their labels.
#[derive(Debug, Default)]
struct Lessons(BTreeMap<FaceLabel, Vec<Lesson>>);

impl Lessons {
    /// Looks at tiles: `crops` are those of all tiles, by the corner that they start at.
    fn add(
        &mut self,
        labels: Vec<(FaceLabel, u32)>,
        crops: &[Vec<RgbImage>; 4],
        model: &dyn Model,
    ) -> Result<(), SetError> {
        let shown = crops[0].clone();
        let spec = &model.manifest().classifier;
        let tiles = labels.len();
        let crops: Vec<RgbImage> =
            in_light(crops.concat(), spec).into_iter().flat_map(looks).collect();
        let embeddings = embeddings(&crops, model)?;
        let mut embeddings: Vec<Vec<f32>> = embeddings.chunks(LOOKS).map(mean).collect();
        for (at, ((label, weight), crop)) in labels.into_iter().zip(shown).enumerate() {
            let mut look = |by: usize| std::mem::take(&mut embeddings[by * tiles + at]);
            // A crop that starts at the next corner shows the face turned by three quarters.
            let embeddings = [look(0), look(3), look(2), look(1)];
            self.0.entry(label).or_default().push(Lesson { weight, embeddings, crop });
        }
        Ok(())
    }

    fn into_set(self, name: SetName, spec: &ClassifierSpec) -> Result<OwnSet, SetError> {
        let printed = self.0.iter().filter(|(label, _)| label.face() != Some(Face::Back));
        let printed: Vec<&RgbImage> = printed.flat_map(|(_, all)| all).map(|it| &it.crop).collect();
        let backs = self.0.get(&FaceLabel::Face(Face::Back)).into_iter().flatten();
        let backs: Vec<&RgbImage> = backs.map(|lesson| &lesson.crop).collect();
        let (body, ink) = colours_of(&printed).unwrap_or_default();
        let back = colours_of(&backs).map(|(back, _)| back);
        let faces = self.0.iter().filter_map(|(label, lessons)| learned(label, lessons));
        let colours = SetColours { body, ink, back };
        OwnSet::new(name, spec.sha256.to_ascii_lowercase(), colours, faces.collect())
    }
}

/// Returns a face with the crop that is most like the others.
fn learned(label: &FaceLabel, lessons: &[Lesson]) -> Option<(LearnedFace, RgbImage)> {
    let prototype = |turn: u8| {
        let looks =
            lessons.iter().map(|it| (it.embeddings[usize::from(turn)].as_slice(), it.weight));
        Prototype::from_weighted(turn, &looks.collect::<Vec<_>>())
    };
    let prototypes: Vec<Prototype> = (0..4).filter_map(prototype).collect();
    let mean = prototypes.first()?.mean();
    let likeness = |lesson: &&Lesson| cosine(&lesson.embeddings[0], mean);
    let shown = lessons.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    let tiles = lessons.iter().fold(0_u32, |sum, lesson| sum.saturating_add(lesson.weight));
    let tiles = tiles.min(super::prototype::MAX_COUNT);
    let face = LearnedFace { label: label.clone(), tiles, prototypes };
    Some((face, shown.crop.clone()))
}

/// Returns the direction of the mean of embeddings.
fn mean(embeddings: &[Vec<f32>]) -> Vec<f32> {
    let length = embeddings.first().map_or(0, Vec::len);
    let at = |i: usize| embeddings.iter().filter_map(|embedding| embedding.get(i)).sum();
    let sum: Vec<f32> = (0..length).map(at).collect();
    let size = norm(&sum).max(f32::MIN_POSITIVE);
    sum.iter().map(|value| value / size).collect()
}

/// Returns the embeddings of crops.
pub(super) fn embeddings(crops: &[RgbImage], model: &dyn Model) -> Result<Vec<Vec<f32>>, SetError> {
    let spec = &model.manifest().classifier;
    if spec.embedding.is_none() {
        return Err(SetError::NoEmbedding);
    }
    let mut found = Vec::with_capacity(crops.len());
    for crops in crops.chunks(model.max_crops()) {
        found.extend(model.classify(&planes(crops, &spec.crop))?.embeddings);
    }
    match found.len() == crops.len() {
        true => Ok(found),
        false => Err(SetError::NoEmbedding),
    }
}
