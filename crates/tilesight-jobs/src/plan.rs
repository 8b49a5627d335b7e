//! The list of a batch's photos, in order, written before any photo is read.
//!
//! Input: what [`Sources`] find in files, folders and archives, entry by entry. Output: a file with
//! one line per entry, divided into chunks, each of which becomes a job. Invariants: the id of a
//! chunk's job is a hash of everything that its outcomes depend on, so that a chunk that is
//! unchanged since the last run, or since the process was killed, is the same job and has its
//! outcomes already; memory grows by only a few bytes per chunk.

mod entry;
mod folder;
mod loader;
mod own_pictures;
mod sources;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tilesight_core::explain::Lang;
use tilesight_core::hex;
use tilesight_vision::DecodeLimits;

pub use self::entry::{EntryWork, PhotoSource, PlanEntry};
pub use self::folder::{BatchFolder, FolderError, ID, OVERLAYS, STATE};
pub use self::loader::{SourceLoader, file_problem, read_photo};
pub use self::sources::{STDIN, Sources};
use crate::{Engine, JobId};

/// Name of the file.
pub const PLAN: &str = "plan.jsonl";

/// A part of the list that becomes one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanChunk {
    /// Id of the job.
    pub job: JobId,
    /// Index of the first entry among all.
    pub first: u64,
    /// Number of entries.
    pub entries: u64,
    /// Offset of its first line in the file, in bytes.
    offset: u64,
}

/// A complete list.
#[derive(Debug)]
pub struct BatchPlan {
    file: PathBuf,
    chunks: Vec<PlanChunk>,
    total: u64,
}

/// Inputs that every outcome depends on apart from the entry itself, and the folder that the jobs
/// belong to.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// Id of the folder.
    pub folder: &'a str,
    /// Engine that reads.
    pub engine: Engine,
    /// Language of names and questions.
    pub lang: Lang,
    /// Number of entries per chunk.
    pub chunk: u64,
    /// Limits on a photo. They are part of the hash because a photo refused for its size may be
    /// accepted under other limits.
    pub limits: DecodeLimits,
}

/// A plan while it is written.
#[derive(Debug)]
pub struct PlanDraft<'a> {
    terms: Terms<'a>,
    file: PathBuf,
    out: BufWriter<File>,
    written: u64,
    total: u64,
    chunks: Vec<PlanChunk>,
    open: Option<(Sha256, PlanChunk)>,
}

impl<'a> PlanDraft<'a> {
    /// Creates an empty plan in a folder; it replaces an older one once it is finished.
    ///
    /// # Errors
    /// When the file can't be created.
    pub fn new(folder: &Path, terms: Terms<'a>) -> io::Result<PlanDraft<'a>> {
        let file = folder.join(PLAN);
        let out = BufWriter::new(File::create(file.with_extension("unfinished"))?);
        Ok(PlanDraft { terms, file, out, written: 0, total: 0, chunks: Vec::new(), open: None })
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn add(&mut self, entry: &PlanEntry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        let (mut hash, mut chunk) = match self.open.take() {
            Some(open) => open,
            None => (self.terms.hash(), self.begin()),
        };
        // Each line ends with a byte that no line contains, so different lists have different
        // bytes.
        hash.update(&line);
        self.out.write_all(&line)?;
        self.written += line.len() as u64;
        self.total += 1;
        chunk.entries += 1;
        self.open = Some((hash, chunk));
        if chunk.entries == self.terms.chunk {
            self.close();
        }
        Ok(())
    }

    /// Completes the file and returns the plan.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn finish(mut self) -> io::Result<BatchPlan> {
        self.close();
        self.out.flush()?;
        fs::rename(self.file.with_extension("unfinished"), &self.file)?;
        Ok(BatchPlan { file: self.file, chunks: self.chunks, total: self.total })
    }

    fn begin(&self) -> PlanChunk {
        PlanChunk { job: job(&Sha256::new()), first: self.total, entries: 0, offset: self.written }
    }

    fn close(&mut self) {
        if let Some((mut hash, chunk)) = self.open.take() {
            // A list may contain the same photos twice: their chunks are two jobs.
            hash.update(chunk.first.to_be_bytes());
            self.chunks.push(PlanChunk { job: job(&hash), ..chunk });
        }
    }
}

impl Terms<'_> {
    fn hash(&self) -> Sha256 {
        let DecodeLimits { bytes, pixels, memory, .. } = self.limits;
        let engine = self.engine.to_string();
        let terms = (self.folder, engine, self.lang.code(), bytes, pixels, memory);
        Sha256::new().chain_update(format!("tilesight batch 1 {terms:?}\n"))
    }
}

/// Returns the job id for a hash.
fn job(hash: &Sha256) -> JobId {
    let digest = hash.clone().finalize();
    let text = hex::encode(&digest[..16]);
    text.parse().expect("32 hex digits are the id of a job")
}

impl BatchPlan {
    /// Returns the chunks in order.
    #[must_use]
    pub fn chunks(&self) -> &[PlanChunk] {
        &self.chunks
    }

    /// Returns the number of photos.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Reads the entries of a chunk.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn entries(&self, chunk: &PlanChunk) -> io::Result<Vec<PlanEntry>> {
        let mut file = BufReader::new(File::open(&self.file)?);
        file.seek(SeekFrom::Start(chunk.offset))?;
        let max = usize::try_from(chunk.entries).unwrap_or(usize::MAX);
        let lines = file.lines().take(max);
        lines.map(|line| Ok(serde_json::from_str(&line?)?)).collect()
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::contract::{Problem, ProblemKind};

    use super::*;

    fn entry(id: &str) -> PlanEntry {
        PlanEntry::from_problem(id, Problem::new(ProblemKind::MalformedRequest, "x"))
    }

    fn engine(digit: &str) -> Engine {
        digit.repeat(64).parse().expect("a hash")
    }

    fn terms(chunk: u64) -> Terms<'static> {
        let (engine, limits) = (engine("a"), DecodeLimits::default());
        Terms { folder: "f", engine, lang: Lang::En, chunk, limits }
    }

    fn plan(name: &str, terms: Terms, ids: &[&str]) -> (BatchPlan, PathBuf) {
        let folder = std::env::temp_dir().join(format!("tilesight-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let mut draft = PlanDraft::new(&folder, terms).expect("a file");
        ids.iter().try_for_each(|id| draft.add(&entry(id))).expect("a line");
        (draft.finish().expect("a plan"), folder)
    }

    fn jobs(name: &str, terms: Terms, ids: &[&str]) -> Vec<JobId> {
        let (plan, folder) = plan(name, terms, ids);
        fs::remove_dir_all(folder).expect("its own folder");
        plan.chunks().iter().map(|chunk| chunk.job).collect()
    }

    #[test]
    fn chunks_hold_all_entries_in_order() {
        let terms = terms(3);
        let ids = ["a", "b\n", "c", "d", "ä", "f", "g"];
        let (plan, folder) = plan("chunks", terms, &ids);
        let sizes: Vec<_> =
            plan.chunks().iter().map(|chunk| (chunk.first, chunk.entries)).collect();
        assert_eq!((plan.total(), sizes), (7, vec![(0, 3), (3, 3), (6, 1)]));
        let entries =
            plan.chunks().iter().flat_map(|chunk| plan.entries(chunk).expect("its lines"));
        assert_eq!(entries.map(|entry| entry.id).collect::<Vec<_>>(), ids);
        fs::remove_dir_all(folder).expect("its own folder");
    }

    #[test]
    fn a_job_is_another_when_anything_is_that_its_outcomes_depend_on() {
        let terms = terms(2);
        let limits = DecodeLimits { pixels: 60_000_000, ..terms.limits };
        let memory = DecodeLimits { memory: 300_000_000, ..terms.limits };
        let ids = ["a", "b", "a", "b", "c"];
        let first = jobs("same", terms, &ids);
        assert_eq!(first, jobs("same", terms, &ids));
        assert_ne!(first[0], first[1], "the same photos twice");
        let more = jobs("same", terms, &["a", "b", "a", "b", "c", "d"]);
        assert_eq!((&first[..2], first[2] == more[2]), (&more[..2], false));
        for other in [
            Terms { folder: "g", ..terms },
            Terms { engine: engine("b"), ..terms },
            Terms { lang: Lang::De, ..terms },
            Terms { limits, ..terms },
            Terms { limits: memory, ..terms },
        ] {
            let others = jobs("same", other, &ids);
            assert!(first.iter().all(|job| !others.contains(job)), "{other:?}");
        }
    }
}
