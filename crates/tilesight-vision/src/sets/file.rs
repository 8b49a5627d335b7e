//! The file of an own set: JSON, which a page and other programs can read too.
//!
//! Input: any bytes. Output: an [`OwnSet`] with all its invariants, or the reason why there is
//! none. Vectors are bytes in base64, the thumbnails a JPEG in base64. Invariant: a set is written
//! in one way only, so that its hash names its content; no number of a file is used before it was
//! checked.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use tilesight_core::contract::{SetName, read_json};

use super::error::SetError;
use super::face_label::FaceLabel;
use super::own_set::{LearnedFace, MAX_FACES, MAX_SET_BYTES, OwnSet, SetColours};
use super::prototype::{MAX_COUNT, Prototype};
use super::thumbnails;

/// Mark of the format.
const FORMAT: &str = "tilesight-set";

/// Beginning of every file of a set.
pub const FILE_MARK: &str = "{\"format\":\"tilesight-set\"";

/// Version of the format that this program writes and reads.
const VERSION: u64 = 1;

/// Range of the length of an embedding. That of the shipped classifier is 204.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=512;

/// Number of hexadecimal digits of a hash.
const HASH_DIGITS: usize = 64;

/// Fields that every version has.
#[derive(Debug, Deserialize)]
struct FileHead {
    format: String,
    version: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetFile {
    format: String,
    version: u64,
    name: SetName,
    classifier: String,
    colours: SetColours,
    faces: Vec<FaceInFile>,
    thumbnails: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FaceInFile {
    face: FaceLabel,
    tiles: u32,
    prototypes: Vec<PrototypeInFile>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PrototypeInFile {
    turn: u8,
    mean: String,
    spread: f32,
    count: u32,
}

impl OwnSet {
    /// Reads a set from the bytes of a file, which may be anything.
    ///
    /// # Errors
    /// [`SetError`] with the reason why it is not the file of a set.
    pub fn from_bytes(bytes: &[u8]) -> Result<OwnSet, SetError> {
        read(bytes)
    }

    /// Returns the bytes of the set's file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        write(self)
    }
}

fn write(set: &OwnSet) -> Vec<u8> {
    let file = SetFile {
        format: FORMAT.to_owned(),
        version: VERSION,
        name: set.name.clone(),
        classifier: set.classifier.clone(),
        colours: set.colours,
        faces: set.faces.iter().map(FaceInFile::new).collect(),
        thumbnails: STANDARD.encode(&set.thumbnails),
    };
    serde_json::to_vec(&file).expect("texts and finite numbers")
}

fn read(bytes: &[u8]) -> Result<OwnSet, SetError> {
    if bytes.len() > MAX_SET_BYTES {
        return Err(SetError::TooLarge { bytes: bytes.len(), limit: MAX_SET_BYTES });
    }
    let head: FileHead = serde_json::from_slice(bytes).map_err(|error| not_read(bytes, &error))?;
    if head.format != FORMAT {
        return Err(SetError::NotASet);
    }
    if head.version != VERSION {
        return Err(SetError::Version { found: head.version });
    }
    let file: SetFile = read_json(bytes, "").map_err(|problem| {
        let first = problem.errors.first();
        SetError::broken(first.map_or_else(String::new, |error| error.field.clone()))
    })?;
    file.into_set()
}

/// Returns the error of bytes without a head. What begins like a set and is not whole is broken.
fn not_read(bytes: &[u8], error: &serde_json::Error) -> SetError {
    if error.is_data() || !bytes.starts_with(FILE_MARK.as_bytes()) {
        return SetError::NotASet;
    }
    SetError::broken(format!("{}:{}", error.line(), error.column()))
}

impl SetFile {
    fn into_set(self) -> Result<OwnSet, SetError> {
        let mut digits = self.classifier.bytes();
        let is_hash = digits.len() == HASH_DIGITS
            && digits.all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        if !is_hash {
            return Err(SetError::broken("classifier"));
        }
        if self.faces.is_empty() {
            return Err(SetError::NoFaces);
        }
        if self.faces.len() > MAX_FACES {
            return Err(SetError::TooManyFaces { max: MAX_FACES });
        }
        let mut faces: Vec<LearnedFace> = Vec::new();
        for (at, face) in self.faces.into_iter().enumerate() {
            faces.push(face.into_face(&format!("faces[{at}]"))?);
        }
        let unordered = faces.windows(2).position(|pair| pair[0].label >= pair[1].label);
        if let Some(at) = unordered {
            return Err(SetError::broken(format!("faces[{}].face", at + 1)));
        }
        let thumbnails =
            STANDARD.decode(&self.thumbnails).map_err(|_| SetError::broken("thumbnails"))?;
        let set = OwnSet {
            name: self.name,
            classifier: self.classifier,
            colours: self.colours,
            faces,
            thumbnails,
        };
        let length = set.length();
        let mut prototypes = set.faces.iter().flat_map(|face| &face.prototypes);
        if prototypes.any(|prototype| prototype.mean().len() != length) {
            return Err(SetError::broken("faces"));
        }
        match thumbnails::from_picture(&set.thumbnails, set.faces.len()) {
            Some(_) => Ok(set),
            None => Err(SetError::broken("thumbnails")),
        }
    }
}

impl FaceInFile {
    fn new(face: &LearnedFace) -> FaceInFile {
        FaceInFile {
            face: face.label.clone(),
            tiles: face.tiles,
            prototypes: face.prototypes.iter().map(PrototypeInFile::new).collect(),
        }
    }

    fn into_face(self, place: &str) -> Result<LearnedFace, SetError> {
        let FaceInFile { face: label, tiles, prototypes } = self;
        if !(1..=MAX_COUNT).contains(&tiles) {
            return Err(SetError::broken(format!("{place}.tiles")));
        }
        if !(1..=4).contains(&prototypes.len()) {
            return Err(SetError::broken(format!("{place}.prototypes")));
        }
        let turns: Vec<u8> = prototypes.iter().map(|prototype| prototype.turn).collect();
        if !turns.is_sorted_by(|a, b| a < b) {
            return Err(SetError::broken(format!("{place}.prototypes")));
        }
        let prototypes = prototypes.into_iter().enumerate().map(|(at, prototype)| {
            let found = prototype.into_prototype();
            found.ok_or_else(|| SetError::broken(format!("{place}.prototypes[{at}]")))
        });
        Ok(LearnedFace { label, tiles, prototypes: prototypes.collect::<Result<_, _>>()? })
    }
}

impl PrototypeInFile {
    fn new(prototype: &Prototype) -> PrototypeInFile {
        let mean: Vec<u8> = prototype.codes().iter().map(|code| code.cast_unsigned()).collect();
        PrototypeInFile {
            turn: prototype.turn(),
            mean: STANDARD.encode(mean),
            spread: prototype.spread(),
            count: prototype.count(),
        }
    }

    fn into_prototype(self) -> Option<Prototype> {
        let bytes = STANDARD.decode(&self.mean).ok().filter(|it| LENGTHS.contains(&it.len()))?;
        let codes = bytes.into_iter().map(u8::cast_signed).collect();
        Prototype::from_file(self.turn, codes, self.spread, self.count)
    }
}

#[cfg(test)]
mod tests;
