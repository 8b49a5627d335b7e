//! The list of a batch, written down before anything is read: what is in it, in which order.
//!
//! Input: the entries of the sources. Output: a file with a line an entry, cut into chunks, each of
//! which becomes a job. Invariants: the id of a chunk's job says all that its outcomes depend on,
//! so that a chunk which is unchanged since the last run, or since the process was killed, is the
//! same job and has its outcomes already; memory does not grow with the photos but by a few bytes a
//! chunk.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tilesight_core::explain::Lang;
use tilesight_core::hex;

use super::entry::Entry;
use crate::jobs::{Engine, JobId};
use crate::pipeline::DecodeLimits;

/// The file's name.
pub(in crate::cli) const PLAN: &str = "plan.jsonl";

/// A part of the list that becomes one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chunk {
    /// The job's id.
    pub(super) job: JobId,
    /// The place of its first entry among all.
    pub(super) first: u64,
    /// How many entries it has.
    pub(super) entries: u64,
    /// Where its lines begin in the file.
    offset: u64,
}

/// The list.
#[derive(Debug)]
pub(super) struct Plan {
    file: PathBuf,
    chunks: Vec<Chunk>,
    total: u64,
}

/// What every outcome depends on beside the entry itself, and whose jobs these are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms<'a> {
    /// The id of the folder.
    pub(super) folder: &'a str,
    /// Who reads.
    pub(super) engine: Engine,
    /// The language of names and questions.
    pub(super) lang: Lang,
    /// How many entries a chunk has.
    pub(super) chunk: u64,
    /// Limits of a photo: one that is refused for its size is read with other limits.
    pub(super) limits: DecodeLimits,
}

/// A plan as it is written.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    terms: Terms<'a>,
    file: PathBuf,
    out: BufWriter<File>,
    written: u64,
    total: u64,
    chunks: Vec<Chunk>,
    open: Option<(Sha256, Chunk)>,
}

impl<'a> Draft<'a> {
    /// An empty plan in a folder, in place of an older one once it is finished.
    pub(super) fn new(folder: &Path, terms: Terms<'a>) -> io::Result<Draft<'a>> {
        let file = folder.join(PLAN);
        let out = BufWriter::new(File::create(file.with_extension("unfinished"))?);
        Ok(Draft { terms, file, out, written: 0, total: 0, chunks: Vec::new(), open: None })
    }

    /// Adds an entry.
    pub(super) fn add(&mut self, entry: &Entry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        let (mut hash, mut chunk) = match self.open.take() {
            Some(open) => open,
            None => (self.terms.hash(), self.begin()),
        };
        // A line ends with what no line contains: no two lists have the same bytes.
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

    /// The plan, to be worked on.
    pub(super) fn finish(mut self) -> io::Result<Plan> {
        self.close();
        self.out.flush()?;
        fs::rename(self.file.with_extension("unfinished"), &self.file)?;
        Ok(Plan { file: self.file, chunks: self.chunks, total: self.total })
    }

    fn begin(&self) -> Chunk {
        Chunk { job: job(&Sha256::new()), first: self.total, entries: 0, offset: self.written }
    }

    fn close(&mut self) {
        if let Some((mut hash, chunk)) = self.open.take() {
            // The same photos may be there twice: their chunks are two jobs.
            hash.update(chunk.first.to_be_bytes());
            self.chunks.push(Chunk { job: job(&hash), ..chunk });
        }
    }
}

impl Terms<'_> {
    fn hash(&self) -> Sha256 {
        let DecodeLimits { bytes, pixels, .. } = self.limits;
        let terms = (self.folder, self.engine.to_string(), self.lang.code(), bytes, pixels);
        Sha256::new().chain_update(format!("tilesight batch 1 {terms:?}\n"))
    }
}

/// The id of the job of what was hashed.
fn job(hash: &Sha256) -> JobId {
    let digest = hash.clone().finalize();
    let text = hex::of(&digest[..16]);
    text.parse().expect("32 hex digits are the id of a job")
}

impl Plan {
    /// The chunks in order.
    pub(super) fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// How many photos there are.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// The entries of a chunk.
    pub(super) fn entries(&self, chunk: &Chunk) -> io::Result<Vec<Entry>> {
        let mut file = BufReader::new(File::open(&self.file)?);
        file.seek(SeekFrom::Start(chunk.offset))?;
        let most = usize::try_from(chunk.entries).unwrap_or(usize::MAX);
        let lines = file.lines().take(most);
        lines.map(|line| Ok(serde_json::from_str(&line?)?)).collect()
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::contract::{Problem, ProblemKind};

    use super::*;

    fn entry(id: &str) -> Entry {
        Entry::refused(id, Problem::new(ProblemKind::MalformedRequest, "x"))
    }

    fn engine(digit: &str) -> Engine {
        digit.repeat(64).parse().expect("a hash")
    }

    fn terms(chunk: u64) -> Terms<'static> {
        let (engine, limits) = (engine("a"), DecodeLimits::default());
        Terms { folder: "f", engine, lang: Lang::En, chunk, limits }
    }

    fn plan(name: &str, terms: Terms, ids: &[&str]) -> (Plan, PathBuf) {
        let folder = std::env::temp_dir().join(format!("tilesight-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let mut draft = Draft::new(&folder, terms).expect("a file");
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
        ] {
            let others = jobs("same", other, &ids);
            assert!(first.iter().all(|job| !others.contains(job)), "{other:?}");
        }
    }
}
