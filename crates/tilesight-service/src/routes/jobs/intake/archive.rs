//! ZIP archives: received into a file without a name, then unpacked photo by photo.
//!
//! The directory of an archive is at its end, so the whole archive must arrive first. Invariants:
//! the file has no name and disappears with the process, because it holds unstripped photos;
//! archives are unpacked only to memory, one photo at a time, and no name in an archive becomes a
//! path; the sizes and counts that an archive declares are bounded before they are used; a member
//! is unpacked only when a worker is free for it, like the reading of a photo.

use std::fs::File;
use std::io::{BufReader, Seek as _, SeekFrom, Write as _};

use tilesight_core::contract::Problem;
use tilesight_jobs::batch::{Archive, ArchiveError, Member};
use tokio::task::spawn_blocking;

use super::{Intake, shorten, strip};
use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;

/// Name of the manifest in an archive.
const MANIFEST: &str = "manifest.jsonl";
/// Number of bytes that are written to the file at once.
const CHUNK: usize = 1 << 20;
/// Signature of an entry in an archive's directory.
const ENTRY: [u8; 4] = *b"PK\x01\x02";
/// Maximum number of entries beside the photos: folders, and files that operating systems add.
const BESIDE: usize = 1000;

/// Archive that is being received.
#[derive(Debug)]
pub(super) struct ArchiveFile {
    file: File,
    waiting: Vec<u8>,
    /// Upper bound on the directory's entries, counted by their signature. Parsing a directory
    /// takes several hundred bytes of memory for an entry of 46 bytes.
    entries: usize,
    /// Last three bytes, in which a signature may have begun.
    tail: Vec<u8>,
}

/// Archive whose directory was parsed.
type OpenArchive = Archive<BufReader<File>>;

impl ArchiveFile {
    pub(super) fn new(intake: &Intake) -> Result<ArchiveFile, Failure> {
        let file =
            tempfile::tempfile_in(&intake.scratch).map_err(|error| scratch_failure(&error))?;
        Ok(ArchiveFile { file, waiting: Vec::new(), entries: 0, tail: Vec::new() })
    }

    /// Adds received bytes to the file.
    pub(super) async fn add(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= CHUNK { self.write().await } else { Ok(()) }
    }

    async fn write(&mut self) -> Result<(), Failure> {
        let waiting = std::mem::take(&mut self.waiting);
        let mut seen = std::mem::take(&mut self.tail);
        let mut file = self.file.try_clone().map_err(|error| scratch_failure(&error))?;
        let done = spawn_blocking(move || {
            file.write_all(&waiting)?;
            seen.extend_from_slice(&waiting);
            let entries = seen.windows(ENTRY.len()).filter(|bytes| **bytes == ENTRY).count();
            seen.drain(..seen.len().saturating_sub(ENTRY.len() - 1));
            std::io::Result::Ok((entries, seen))
        });
        let done = done.await.map_err(|error| Failure::Internal { cause: error.to_string() })?;
        let (entries, tail) = done.map_err(|error| scratch_failure(&error))?;
        self.entries += entries;
        self.tail = tail;
        Ok(())
    }
}

impl Intake {
    /// Takes in all photos of an archive.
    pub(super) async fn unpack(&mut self, mut gathered: ArchiveFile) -> Result<(), Failure> {
        gathered.write().await?;
        self.check_photo_count(gathered.entries.saturating_sub(BESIDE))?;
        let worker = self.preparation.worker_for_step().await;
        let (opened, _) = worker.run(move || open(gathered.file)).await?;
        let (mut archive, members) = opened.map_err(archive_failure)?;
        self.check_photo_count(self.photos.len().saturating_add(members.len()))?;
        self.check_declared(&members)?;
        if archive.is_repeated(MANIFEST) {
            return Err(Failure::invalid("manifest", &ServiceFault::TwoManifests));
        }
        if let Some(place) = archive.index_of(MANIFEST) {
            let text;
            (archive, text) = self.read_member(archive, place, |text| text).await?;
            self.read_manifest(&text.map_err(archive_failure)?)?;
        }
        for Member { name, place, .. } in members {
            let decode = self.decode;
            let photo;
            (archive, photo) =
                self.read_member(archive, place, move |photo| strip(&photo, &decode)).await?;
            let stripped = match photo {
                Err(ArchiveError::Io(error)) => return Err(scratch_failure(&error)),
                Err(error) => Err(Problem::from(&error)),
                Ok(stripped) => stripped,
            };
            let photo = self.store(stripped).await?;
            self.add(shorten(name), photo)?;
        }
        Ok(())
    }

    /// Refuses an archive whose declared sizes are too large, before any of it is unpacked. Members
    /// that are too large for photos are skipped, and cost nothing.
    fn check_declared(&self, members: &[Member]) -> Result<(), Failure> {
        let limit = self.decode.bytes as u64;
        let sizes = members.iter().map(|member| member.size).filter(|&size| size <= limit);
        self.check_bytes(sizes.fold(self.bytes, u64::saturating_add))
    }

    /// Unpacks a member and runs `work` on it, on one worker. Returns the archive for the next
    /// member.
    async fn read_member<T: Send + 'static>(
        &mut self,
        mut archive: OpenArchive,
        place: usize,
        work: impl FnOnce(Vec<u8>) -> T + Send + 'static,
    ) -> Result<(OpenArchive, Result<T, ArchiveError>), Failure> {
        let before = archive.unpacked();
        let limit = self.decode.bytes;
        let worker = self.preparation.worker_for_step().await;
        let unpacking = worker.run(move || {
            let done = archive.read(place, limit).map(work);
            (archive, done)
        });
        let ((archive, done), _) = unpacking.await?;
        self.count_bytes(archive.unpacked() - before)?;
        Ok((archive, done))
    }
}

/// Parses the directory of a file that was just written.
fn open(mut file: File) -> Result<(OpenArchive, Vec<Member>), ArchiveError> {
    file.seek(SeekFrom::Start(0)).map_err(ArchiveError::Io)?;
    let archive = Archive::open(BufReader::new(file))?;
    let members = archive.pictures().collect();
    Ok((archive, members))
}

/// Converts the error of an archive as a whole.
fn archive_failure(error: ArchiveError) -> Failure {
    match error {
        ArchiveError::Io(error) => scratch_failure(&error),
        error => Problem::from(&error).into(),
    }
}

/// Converts the error of a file that can't be written.
fn scratch_failure(error: &std::io::Error) -> Failure {
    Failure::from_io("the folder for what is being received", error)
}
