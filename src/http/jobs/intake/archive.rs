//! ZIP archives: gathered in a file without a name, then unpacked photo by photo.
//!
//! The directory of an archive is at its end, so all of it has to be there first. Invariants: the file has
//! no name and is gone with the process, because it holds photos as they were sent; nothing is unpacked but
//! to memory, one photo at a time, and no name in an archive becomes a path; what an archive claims is
//! bounded before it is believed.

use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};

use axum::body::Bytes;
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::spawn_blocking;

use super::Intake;
use crate::batch::{Archive, ArchiveError};
use crate::contract::Problem;
use crate::http::failure::Failure;

/// The file of an archive that says what its photos are.
const MANIFEST: &str = "manifest.jsonl";
/// What is put into the file at once.
const CHUNK: usize = 1 << 20;
/// How every entry of an archive's directory begins.
const ENTRY: [u8; 4] = *b"PK\x01\x02";
/// Entries beside the photos: folders, and what computers leave in them.
const BESIDE: usize = 1000;

/// An archive that is being gathered.
#[derive(Debug)]
pub(super) struct Gathered {
    file: File,
    waiting: Vec<u8>,
    /// How many entries the directory can have: each begins with the same four bytes. Reading a
    /// directory takes some hundred bytes of memory for an entry of 46.
    entries: usize,
    /// The last three bytes, in which an entry may have begun.
    tail: Vec<u8>,
}

/// What comes out of an archive.
enum Unpacked {
    Manifest(Vec<u8>),
    Photo(String, Result<Vec<u8>, Problem>),
}

impl Gathered {
    pub(super) fn new(intake: &Intake) -> Result<Gathered, Failure> {
        let file = tempfile::tempfile_in(&intake.scratch).map_err(|error| internal(&error))?;
        Ok(Gathered { file, waiting: Vec::new(), entries: 0, tail: Vec::new() })
    }

    /// Puts some more of it into the file.
    pub(super) async fn add(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= CHUNK { self.write().await } else { Ok(()) }
    }

    async fn write(&mut self) -> Result<(), Failure> {
        let waiting = std::mem::take(&mut self.waiting);
        let mut seen = std::mem::take(&mut self.tail);
        let mut file = self.file.try_clone().map_err(|error| internal(&error))?;
        let done = spawn_blocking(move || {
            file.write_all(&waiting)?;
            seen.extend_from_slice(&waiting);
            let entries = seen.windows(ENTRY.len()).filter(|bytes| **bytes == ENTRY).count();
            seen.drain(..seen.len().saturating_sub(ENTRY.len() - 1));
            std::io::Result::Ok((entries, seen))
        });
        let done = done.await.map_err(|error| Failure::Internal { cause: error.to_string() })?;
        let (entries, tail) = done.map_err(|error| internal(&error))?;
        self.entries += entries;
        self.tail = tail;
        Ok(())
    }
}

impl Intake {
    /// Takes all photos of an archive in.
    pub(super) async fn unpack(&mut self, mut gathered: Gathered) -> Result<(), Failure> {
        gathered.write().await?;
        self.room(gathered.entries.saturating_sub(BESIDE))?;
        let (sender, mut unpacked) = channel(1);
        let (file, limit) = (gathered.file, self.decode.bytes);
        let unpacking = spawn_blocking(move || unpack(file, limit, &sender));
        while let Some(part) = unpacked.recv().await {
            match part {
                Unpacked::Manifest(text) => self.read_manifest(&text)?,
                Unpacked::Photo(name, Ok(photo)) => self.take(&name, Bytes::from(photo)).await?,
                Unpacked::Photo(name, Err(problem)) => self.add(&name, Err(problem))?,
            }
        }
        let done =
            unpacking.await.map_err(|error| Failure::Internal { cause: error.to_string() })?;
        done.map_err(|error| match error {
            ArchiveError::Io(error) => internal(&error),
            error => Problem::from(&error).into(),
        })
    }
}

/// Sends the manifest and every picture; ends early where nobody listens any more.
fn unpack(mut file: File, limit: usize, to: &Sender<Unpacked>) -> Result<(), ArchiveError> {
    file.seek(SeekFrom::Start(0)).map_err(ArchiveError::Io)?;
    let mut archive = Archive::open(std::io::BufReader::new(file))?;
    if let Some(place) = archive.place_of(MANIFEST) {
        let text = archive.read(place, limit)?;
        if to.blocking_send(Unpacked::Manifest(text)).is_err() {
            return Ok(());
        }
    }
    let members: Vec<_> = archive.pictures().collect::<Result<_, _>>()?;
    for member in members {
        let photo = match archive.read(member.place, limit) {
            Err(ArchiveError::Io(error)) => return Err(ArchiveError::Io(error)),
            photo => photo.map_err(|error| Problem::from(&error)),
        };
        if to.blocking_send(Unpacked::Photo(member.name, photo)).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

fn internal(error: &std::io::Error) -> Failure {
    Failure::Internal { cause: format!("the folder for what is being received: {error}") }
}
