//! The bytes of photos, from files and from archives.
//!
//! Invariant: no more is read than a photo may have, and the archive that the last photo was in
//! stays open, because the next one is usually in it too.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use tilesight_core::contract::{Problem, ProblemKind};

use super::entry::Source;
use crate::batch::Archive;
use crate::cli::photo;
use crate::input_file::{self, InputError};

/// Reads photos one after the other.
#[derive(Debug)]
pub(in crate::cli) struct Shelf {
    limit: usize,
    open: Option<(PathBuf, Archive<BufReader<File>>)>,
}

impl Shelf {
    /// Photos may have so many bytes.
    pub(in crate::cli) fn new(limit: usize) -> Shelf {
        Shelf { limit, open: None }
    }

    /// The bytes of a photo.
    ///
    /// # Errors
    /// A [`Problem`]: what keeps a photo from being read is its outcome.
    pub(in crate::cli) fn bytes(&mut self, photo: &Source) -> Result<Vec<u8>, Problem> {
        match photo.member {
            None => photo::read(&photo.file, self.limit),
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
                let (file, _) = input_file::open(path).map_err(|error| unreadable(&error))?;
                let archive = Archive::open(BufReader::new(file));
                (path.to_owned(), archive.map_err(|error| Problem::from(&error))?)
            }
        };
        Ok(&mut self.open.insert(open).1)
    }
}

/// A file's error in the words that `tilesight read` has for it.
fn unreadable(error: &InputError) -> Problem {
    Problem::of(ProblemKind::MalformedRequest, error)
}
