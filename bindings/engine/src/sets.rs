//! Requests about own sets: a sheet of tiles is named, learned and checked.
//!
//! Input: options as JSON, and a photo or the files of sets. Output: the rows of a sheet with
//! proposed names, the bytes of a set's file, or what a set knows.
//! Invariant: nothing is stored here; the caller keeps the file.

use serde::{Deserialize, Serialize};
use tilesight_core::contract::{Problem, ProblemKind, SetName, read_json};
use tilesight_vision::pixels::faces::name;
use tilesight_vision::sets::{
    FaceLabel, LabelledPhoto, OwnSet, ProposedTile, SetSheet, SheetNames, learn,
};
use tilesight_vision::{Photo, ReadError, Reader};

use crate::engine::{Answer, to_json};
use crate::photo::{cut, malformed};

/// Options of a sheet: RGBA pixels or a file, and for learning the names.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SheetRequest {
    /// Width and height of RGBA pixels, if the request contains pixels instead of a file.
    pixels: Option<(u32, u32)>,
    /// Name of the set to learn.
    name: Option<SetName>,
    /// Names of the tiles, a line for each row; the proposed names if they are not given.
    names: Option<String>,
}

/// Options of merging: the sizes of the files in bytes, which follow one after the other.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MergeRequest {
    files: Vec<usize>,
    /// Name of the merged set; that of the first one if it is not given.
    name: Option<SetName>,
}

/// A tile of a sheet, as JSON.
#[derive(Debug, Serialize)]
struct SheetTile {
    polygon: [[f32; 2]; 4],
    name: Option<String>,
    sure: bool,
    /// Most probable face by the networks alone.
    seen: String,
}

/// Content of a set, as JSON. Its picture has the faces in their order, eight in a row.
#[derive(Debug, Serialize)]
struct SetContent<'a> {
    name: &'a SetName,
    id: String,
    faces: Vec<FaceContent>,
    missing: Vec<String>,
}

#[derive(Debug, Serialize)]
struct FaceContent {
    face: String,
    tiles: u32,
}

/// Finds the rows of a sheet, and proposes names.
///
/// # Errors
/// A [`Problem`]: the photo can't be read or shows no tiles.
pub fn sheet(reader: &Reader, options: &[u8], photo: &[u8]) -> Answer {
    let (_, sheet) = read_json::<SheetRequest>(options, "")?.sheet(reader, photo)?;
    let rows = sheet.rows().iter().map(|row| row.iter().map(SheetTile::from).collect());
    to_json(&rows.collect::<Vec<Vec<SheetTile>>>())
}

impl From<&ProposedTile> for SheetTile {
    fn from(tile: &ProposedTile) -> SheetTile {
        SheetTile {
            polygon: tile.seen.quad.rotated(tile.turn).0.map(<[f32; 2]>::from),
            name: tile.label.as_ref().map(FaceLabel::to_string),
            sure: tile.is_sure,
            seen: name(tile.seen.faces.best()),
        }
    }
}

/// Learns a set from a sheet, and returns its file.
///
/// # Errors
/// A [`Problem`] as for [`sheet`]; or the names are not those of the rows.
pub fn learn_sheet(reader: &Reader, options: &[u8], photo: &[u8]) -> Answer {
    let options: SheetRequest = read_json(options, "")?;
    let (photo, mut sheet) = options.sheet(reader, photo)?;
    if let Some(names) = &options.names {
        let names = SheetNames::parse(names).map_err(|error| malformed(&error))?;
        sheet.name_all(names).map_err(|error| malformed(&error))?;
    }
    let lessons = [LabelledPhoto { photo: &photo, tiles: sheet.labelled() }];
    let Some(name) = options.name else {
        return Err(Problem::new(ProblemKind::MalformedRequest, "`name` is missing"));
    };
    let set = learn(name, &lessons, reader.model());
    Ok(set.map_err(|error| malformed(&error))?.to_bytes())
}

/// Checks the file of a set, and returns what it knows.
///
/// # Errors
/// A [`Problem`] with the reason why it is not a set.
pub fn show(file: &[u8]) -> Answer {
    let set = OwnSet::from_bytes(file).map_err(|error| malformed(&error))?;
    let faces = set.faces().iter();
    to_json(&SetContent {
        name: set.name(),
        id: set.id().to_string(),
        faces: faces
            .map(|face| FaceContent { face: face.label().to_string(), tiles: face.tiles() })
            .collect(),
        missing: set.missing().iter().map(ToString::to_string).collect(),
    })
}

/// Merges sets that were learned of the same tiles; of one file a copy is made, under another name.
/// Sets that other networks learned are learned again from their thumbnails.
///
/// # Errors
/// A [`Problem`] with the reason why a file is not a set, or can't be used.
pub fn merge(reader: &Reader, options: &[u8], bytes: &[u8]) -> Answer {
    let MergeRequest { files, name } = read_json(options, "")?;
    let sets = cut(bytes, &files)?
        .into_iter()
        .map(|file| OwnSet::from_bytes(file).and_then(|set| set.for_model(reader.model())))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| malformed(&error))?;
    let Some((first, others)) = sets.split_first() else {
        return Err(Problem::new(ProblemKind::MalformedRequest, "there is no file to merge"));
    };
    let merged = others
        .iter()
        .try_fold(first.clone(), |all, set| all.merge(set))
        .map_err(|error| malformed(&error))?;
    Ok(name.map_or(merged.clone(), |name| merged.with_name(name)).to_bytes())
}

impl SheetRequest {
    fn sheet(&self, reader: &Reader, bytes: &[u8]) -> Result<(Photo, SetSheet), Problem> {
        let decoded = match self.pixels {
            Some(size) => Photo::from_rgba(size, bytes, reader.limits()),
            None => reader.decode(bytes),
        };
        let photo = decoded.map_err(|error| Problem::from(&ReadError::from(error)))?;
        let seen =
            reader.see_tiles(&photo).map_err(|error| Problem::from(&ReadError::from(error)))?;
        Ok((photo, SetSheet::new(&seen).map_err(|error| malformed(&error))?))
    }
}
