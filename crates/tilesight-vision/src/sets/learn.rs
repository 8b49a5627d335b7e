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
use super::own_set::{LearnedFace, OwnSet, SetColours};
use super::prototype::{Prototype, norm};
use super::variants::{VARIANTS, vary};
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
        let crops: [Vec<RgbImage>; 4] = std::array::from_fn(|by| {
            let quads: Vec<Quad> = tiles.iter().map(|tile| tile.quad.rotated(by)).collect();
            crops_of(photo, quads.iter(), &spec.crop)
        });
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
            if self.length() != length {
                return Err(SetError::broken("faces"));
            }
            return Ok(self);
        }
        let upright = self.thumbnails()?;
        let [height, width] = spec.crop.input;
        let crops: [Vec<RgbImage>; 4] = std::array::from_fn(|by| {
            let turned = upright.iter().map(|face| turn_to_corner(face, by));
            let filter = imageops::FilterType::Triangle;
            turned
                .map(|face| imageops::resize(&face, width as u32, height as u32, filter))
                .collect()
        });
        let labels = self.faces.iter().map(|face| (face.label.clone(), face.tiles)).collect();
        let mut lessons = Lessons::default();
        lessons.add(labels, &crops, model)?;
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
            in_light(crops.concat(), spec).into_iter().flat_map(vary).collect();
        let all = embeddings(&crops, model)?;
        let mut means: Vec<Vec<f32>> = all.chunks(VARIANTS).map(mean).collect();
        for (at, ((label, weight), crop)) in labels.into_iter().zip(shown).enumerate() {
            // A crop that starts at the next corner shows the face turned by three quarters.
            let embeddings = [0, 3, 2, 1].map(|by| std::mem::take(&mut means[by * tiles + at]));
            self.0.entry(label).or_default().push(Lesson { weight, embeddings, crop });
        }
        Ok(())
    }

    fn into_set(self, name: SetName, spec: &ClassifierSpec) -> Result<OwnSet, SetError> {
        let mut printed: Vec<&RgbImage> = Vec::new();
        let mut backs: Vec<&RgbImage> = Vec::new();
        for (label, lessons) in &self.0 {
            let crops = if label.face() == Some(Face::Back) { &mut backs } else { &mut printed };
            crops.extend(lessons.iter().map(|lesson| &lesson.crop));
        }
        let (body, ink) = colours_of(&printed).unwrap_or_default();
        let back = colours_of(&backs).map(|(back, _)| back);
        let faces = self.0.iter().filter_map(|(label, lessons)| learned(label, lessons));
        let colours = SetColours { body, ink, back };
        OwnSet::new(name, spec.sha256.to_ascii_lowercase(), colours, faces.collect())
    }
}

/// Returns a face with the crop that is most like the others.
fn learned(label: &FaceLabel, lessons: &[Lesson]) -> Option<(LearnedFace, RgbImage)> {
    let mut prototypes: Vec<Prototype> = Vec::new();
    for turn in 0..4_u8 {
        let weighted =
            lessons.iter().map(|it| (it.embeddings[usize::from(turn)].as_slice(), it.weight));
        prototypes.extend(Prototype::from_weighted(turn, &weighted.collect::<Vec<_>>()));
    }
    let mean = prototypes.first()?.mean();
    let likeness = lessons.iter().map(|lesson| (lesson, cosine(&lesson.embeddings[0], mean)));
    let (shown, _) = likeness.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let all = lessons.iter().fold(0_u32, |sum, lesson| sum.saturating_add(lesson.weight));
    let tiles = all.min(super::prototype::MAX_COUNT);
    let face = LearnedFace { label: label.clone(), tiles, prototypes };
    Some((face, shown.crop.clone()))
}

/// Turns an upright face as the crop shows it that starts at the tile's corner `by`.
fn turn_to_corner(face: &RgbImage, by: usize) -> RgbImage {
    match by {
        0 => face.clone(),
        // The crop that starts at the next corner shows the face turned to the left.
        1 => imageops::rotate270(face),
        2 => imageops::rotate180(face),
        _ => imageops::rotate90(face),
    }
}

/// Returns the direction of the mean of embeddings.
fn mean(embeddings: &[Vec<f32>]) -> Vec<f32> {
    let length = embeddings.first().map_or(0, Vec::len);
    let sum: Vec<f32> = (0..length)
        .map(|i| embeddings.iter().filter_map(|embedding| embedding.get(i)).sum())
        .collect();
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
    if found.len() == crops.len() { Ok(found) } else { Err(SetError::NoEmbedding) }
}
