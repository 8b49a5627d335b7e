//! An own set: what a person taught the program about one tile set.
//!
//! Input: learned faces, or the bytes of a file ([`file`](super::file)). Output: prototypes of
//! every face at every quarter turn, the colours of body, ink and back, and a thumbnail of each
//! face, from which the prototypes of another classifier are made. Invariants: at least one face;
//! every label once, in order; all prototypes have one length; the bytes are at most
//! [`MAX_SET_BYTES`], and equal sets have equal bytes.

use std::fmt;

use image::RgbImage;
use sha2::{Digest as _, Sha256};
use tilesight_core::contract::SetName;
use tilesight_core::hex;
use tilesight_core::tile::{Bonus, Face};

use super::error::SetError;
use super::face_label::FaceLabel;
use super::prototype::Prototype;
use super::thumbnails;

/// Maximum size of a set's file: a message on any phone can carry it.
pub const MAX_SET_BYTES: usize = 150_000;

/// Maximum number of faces: 42 prints, the back, and a dozen further ones.
pub(super) const MAX_FACES: usize = Face::PRINTED + 1 + 12;

/// A set that was learned.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnSet {
    pub(super) name: SetName,
    pub(super) classifier: String,
    pub(super) colours: SetColours,
    pub(super) faces: Vec<LearnedFace>,
    /// Thumbnails of the faces as a JPEG.
    pub(super) thumbnails: Vec<u8>,
}

/// A face of a set.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedFace {
    pub(super) label: FaceLabel,
    pub(super) tiles: u32,
    pub(super) prototypes: Vec<Prototype>,
}

/// Colours of a set's tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetColours {
    /// Colour of the body around the print.
    pub body: [u8; 3],
    /// Colour of the print where it differs most from the body.
    pub ink: [u8; 3],
    /// Colour of the back, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<[u8; 3]>,
}

/// Identity of a set: a hash of all that is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId([u8; 16]);

impl fmt::Display for SetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

impl LearnedFace {
    /// Returns the label of the face.
    #[must_use]
    pub fn label(&self) -> &FaceLabel {
        &self.label
    }

    /// Returns the number of tiles that the face was learned from.
    #[must_use]
    pub fn tiles(&self) -> u32 {
        self.tiles
    }

    /// Returns the prototypes, by quarter turn.
    #[must_use]
    pub fn prototypes(&self) -> &[Prototype] {
        &self.prototypes
    }
}

impl OwnSet {
    /// Creates a set of faces with their thumbnails.
    pub(super) fn new(
        name: SetName,
        classifier: String,
        colours: SetColours,
        mut faces: Vec<(LearnedFace, RgbImage)>,
    ) -> Result<OwnSet, SetError> {
        if faces.is_empty() {
            return Err(SetError::NoFaces);
        }
        if faces.len() > MAX_FACES {
            return Err(SetError::TooManyFaces { max: MAX_FACES });
        }
        faces.sort_by(|a, b| a.0.label.cmp(&b.0.label));
        let (faces, pictures): (Vec<LearnedFace>, Vec<RgbImage>) = faces.into_iter().unzip();
        let mut set = OwnSet { name, classifier, colours, faces, thumbnails: Vec::new() };
        let room = MAX_SET_BYTES.saturating_sub(set.to_bytes().len());
        // Base64 writes three bytes as four.
        set.thumbnails = thumbnails::to_picture(&pictures, room / 4 * 3);
        match set.to_bytes().len() {
            bytes if bytes > MAX_SET_BYTES => {
                Err(SetError::TooLarge { bytes, limit: MAX_SET_BYTES })
            }
            _ => Ok(set),
        }
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &SetName {
        &self.name
    }

    /// Returns this set under another name.
    #[must_use]
    pub fn with_name(self, name: SetName) -> OwnSet {
        OwnSet { name, ..self }
    }

    /// Returns the hash of the set's content.
    #[must_use]
    pub fn id(&self) -> SetId {
        let digest = Sha256::digest(self.to_bytes());
        SetId(std::array::from_fn(|i| digest[i]))
    }

    /// Returns the SHA-256 of the classifier that the prototypes belong to.
    #[must_use]
    pub fn classifier(&self) -> &str {
        &self.classifier
    }

    /// Returns the colours.
    #[must_use]
    pub fn colours(&self) -> &SetColours {
        &self.colours
    }

    /// Returns the faces, in the order of their labels.
    #[must_use]
    pub fn faces(&self) -> &[LearnedFace] {
        &self.faces
    }

    /// Returns the faces that every set has and this one does not: the 34 playing tiles and the
    /// back. Bonus tiles are missing only if some of them are known.
    #[must_use]
    pub fn missing(&self) -> Vec<Face> {
        let has_bonus = Bonus::ALL.into_iter().any(|bonus| self.knows(Face::Bonus(bonus)));
        let wanted = Face::printed().filter(|face| has_bonus || face.tile().is_some());
        wanted.chain([Face::Back]).filter(|&face| !self.knows(face)).collect()
    }

    fn knows(&self, face: Face) -> bool {
        self.faces.iter().any(|one| one.label.face() == Some(face))
    }

    /// Returns the picture of the faces, a JPEG with eight in a row, in their order.
    #[must_use]
    pub fn picture(&self) -> &[u8] {
        &self.thumbnails
    }

    /// Returns the thumbnails of the faces.
    pub(super) fn thumbnails(&self) -> Result<Vec<RgbImage>, SetError> {
        thumbnails::from_picture(&self.thumbnails, self.faces.len())
            .ok_or_else(|| SetError::broken("thumbnails"))
    }

    /// Returns the length of the embeddings.
    pub(super) fn length(&self) -> usize {
        self.faces.first().map_or(0, |face| face.prototypes[0].mean().len())
    }

    /// Merges two sets that were learned of the same tiles: the faces of both, each with the mean
    /// of its prototypes. Name and colours are those of this set.
    ///
    /// # Errors
    /// [`SetError::OtherClassifier`] if the sets were learned with different classifiers.
    pub fn merge(&self, other: &OwnSet) -> Result<OwnSet, SetError> {
        if other.classifier != self.classifier || other.length() != self.length() {
            return Err(SetError::OtherClassifier { name: other.name.clone() });
        }
        let mut merged: Vec<(LearnedFace, RgbImage)> =
            self.faces.iter().cloned().zip(self.thumbnails()?).collect();
        for (face, picture) in other.faces.iter().zip(other.thumbnails()?) {
            match merged.iter_mut().find(|(known, _)| known.label == face.label) {
                None => merged.push((face.clone(), picture)),
                Some((known, shown)) => {
                    if face.tiles > known.tiles {
                        *shown = picture;
                    }
                    *known = known.merge(face);
                }
            }
        }
        let back = self.colours.back.or(other.colours.back);
        let colours = SetColours { back, ..self.colours };
        OwnSet::new(self.name.clone(), self.classifier.clone(), colours, merged)
    }
}

impl LearnedFace {
    /// Merges what two sets know of one face.
    fn merge(&self, other: &LearnedFace) -> LearnedFace {
        let mut prototypes = self.prototypes.clone();
        for more in &other.prototypes {
            match prototypes.iter_mut().find(|known| known.turn() == more.turn()) {
                None => prototypes.push(more.clone()),
                Some(known) => *known = known.merge(more).unwrap_or_else(|| known.clone()),
            }
        }
        prototypes.sort_by_key(Prototype::turn);
        let tiles = (self.tiles + other.tiles).min(super::prototype::MAX_COUNT);
        LearnedFace { label: self.label.clone(), tiles, prototypes }
    }
}
