//! The bytes of photos, from files and from archives.
//!
//! Invariant: no more bytes are read than the limit allows, and the archive of the last photo stays
//! open, because the next photo is usually in it too.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_files::input::{self, InputError};
use tilesight_vision::{DecodeError, ReadError};

use super::entry::PhotoSource;
use crate::batch::Archive;

/// Reader of photos one after the other.
#[derive(Debug)]
pub struct SourceLoader {
    limit: usize,
    open: Option<(PathBuf, Archive<BufReader<File>>)>,
}

impl SourceLoader {
    /// Creates a reader with a limit on the bytes of a photo.
    #[must_use]
    pub fn new(limit: usize) -> SourceLoader {
        SourceLoader { limit, open: None }
    }

    /// Returns the bytes of a photo.
    ///
    /// # Errors
    /// A [`Problem`]; it becomes the outcome of the photo.
    pub fn bytes(&mut self, photo: &PhotoSource) -> Result<Vec<u8>, Problem> {
        match photo.member {
            None => read_photo(&photo.file, self.limit),
            Some(place) => {
                let limit = self.limit;
                self.archive(&photo.file)?.read(place, limit).map_err(|error| Problem::from(&error))
            }
        }
    }

    fn archive(&mut self, path: &Path) -> Result<&mut Archive<BufReader<File>>, Problem> {
        let open = match self.open.take() {
            Some(open) if open.0 == path => open,
            _ => {
                let (file, _) = input::open(path).map_err(|error| file_problem(&error))?;
                let archive = Archive::open(BufReader::new(file));
                (path.to_owned(), archive.map_err(|error| Problem::from(&error))?)
            }
        };
        Ok(&mut self.open.insert(open).1)
    }
}

/// Returns the bytes of a photo in a file, at most `limit`.
///
/// # Errors
/// A [`Problem`] that says why the photo can't be read.
pub fn read_photo(path: &Path, limit: usize) -> Result<Vec<u8>, Problem> {
    input::read(path, limit).map_err(|error| file_problem(&error))
}

/// Returns the reason why a file can't be read as a problem.
#[must_use]
pub fn file_problem(error: &InputError) -> Problem {
    match *error {
        InputError::TooLarge { size: Some(size), limit } => {
            let bytes = usize::try_from(size).unwrap_or(usize::MAX);
            Problem::from(&ReadError::Decode(DecodeError::TooLarge { bytes, limit }))
        }
        InputError::TooLarge { size: None, .. } => {
            Problem::from_message(ProblemKind::TooLarge, error)
        }
        InputError::Unreadable(_) | InputError::NotRegular => {
            Problem::from_message(ProblemKind::MalformedRequest, error)
        }
    }
}
