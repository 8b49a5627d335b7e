//! The bytes of photos, from files and from archives.
//!
//! Invariant: no more bytes are read than the limit allows, and the archive of the last photo stays
//! open, because the next photo is usually in it too.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use tilesight_core::contract::Problem;
use tilesight_files::input;
use tilesight_jobs::batch::Archive;

use super::entry::PhotoSource;
use crate::cli::args::photo;

/// Reader of photos one after the other.
#[derive(Debug)]
pub(in crate::cli) struct SourceLoader {
    limit: usize,
    open: Option<(PathBuf, Archive<BufReader<File>>)>,
}

impl SourceLoader {
    /// Creates a reader with a limit on the bytes of a photo.
    pub(in crate::cli) fn new(limit: usize) -> SourceLoader {
        SourceLoader { limit, open: None }
    }

    /// Returns the bytes of a photo.
    ///
    /// # Errors
    /// A [`Problem`]; it becomes the outcome of the photo.
    pub(in crate::cli) fn bytes(&mut self, photo: &PhotoSource) -> Result<Vec<u8>, Problem> {
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
                let (file, _) = input::open(path).map_err(|error| photo::problem_of(&error))?;
                let archive = Archive::open(BufReader::new(file));
                (path.to_owned(), archive.map_err(|error| Problem::from(&error))?)
            }
        };
        Ok(&mut self.open.insert(open).1)
    }
}
