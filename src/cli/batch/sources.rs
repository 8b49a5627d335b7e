//! From what was named on the command line to the photos of a batch, one by one.
//!
//! Input: files, folders, patterns, ZIP archives, manifests, and `-` for a list on standard input.
//! Output: one [`Entry`] a photo, in an order that depends on nothing but the sources: as they were
//! named, folders and patterns sorted by name, archives in the order of their directories.
//! Invariant: whatever was named and can't be read becomes an entry that says why; nothing that was
//! named is left out silently, and nothing stops the others.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::{DirEntry, WalkDir};

use super::contexts::Contexts;
use super::entry::{Entry, Photo, Source, Stamp, Work};
use super::names::Names;
use crate::batch::{Archive, Correction, ManifestLine, is_archive, is_hidden, is_picture};
use crate::contract::{
    ContextDto, FieldError, FocusDto, HandSource, Problem, ProblemKind, RegionDto,
};
use crate::hand::Other;
use crate::rules::{Book, RulesetId};

/// Bytes of a line of a list; no path and no line of a manifest is longer.
const LONGEST_LINE: u64 = 64 * 1024;

/// The source that stands for standard input.
const STDIN: &str = "-";

/// What holds for all photos, and what tells more of each.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// The win context of all photos.
    pub(super) context: ContextDto,
    /// The rule sets to score by, where a photo names none.
    pub(super) rulesets: Vec<RulesetId>,
    /// Those that exist.
    pub(super) book: Arc<Book>,
    /// What the names of files tell.
    pub(super) names: Option<Names>,
    /// What a table tells.
    pub(super) contexts: Option<Contexts>,
    /// A folder that is not a source: the results are written there.
    pub(super) not: Option<PathBuf>,
    /// Names on standard input end with a zero byte and not with a line.
    pub(super) null: bool,
    /// What tables and manifests say of photos that are listed, by the ids of their rows. It is not
    /// a part of the entries: a photo is not another one because its reading is corrected.
    pub(super) corrections: HashMap<String, Correction>,
}

/// Where entries go; an error there ends the listing.
type Sink<'a> = &'a mut dyn FnMut(&Entry) -> io::Result<()>;

impl Sources {
    /// Lists everything that was named.
    ///
    /// # Errors
    /// Only those of the sink.
    pub(super) fn list(
        &mut self,
        named: &[OsString],
        stdin: &mut dyn BufRead,
        sink: Sink,
    ) -> io::Result<()> {
        for source in named {
            if source == STDIN {
                self.stdin(stdin, sink)?;
            } else {
                self.source(source, sink)?;
            }
        }
        let unused: Vec<Entry> =
            self.contexts.iter().flat_map(Contexts::unused).map(unmatched).collect();
        unused.iter().try_for_each(sink)
    }

    /// A path, or a pattern of paths where there is nothing of that name.
    fn source(&mut self, source: &OsStr, sink: Sink) -> io::Result<()> {
        let pattern = source.to_str().filter(|text| text.contains(['*', '?', '[']));
        match pattern {
            Some(pattern) if !Path::new(source).exists() => self.pattern(pattern, sink),
            _ => self.path(Path::new(source), sink),
        }
    }

    fn pattern(&mut self, pattern: &str, sink: Sink) -> io::Result<()> {
        let paths = match glob::glob(pattern) {
            Ok(paths) => paths,
            Err(error) => {
                return sink(&unreadable(pattern, &format!("invalid pattern: {error}")));
            }
        };
        let mut matched = false;
        for path in paths {
            matched = true;
            match path {
                Ok(path) => self.path(&path, sink)?,
                Err(error) => {
                    sink(&unreadable(&error.path().to_string_lossy(), &told(error.error())))?;
                }
            }
        }
        if matched { Ok(()) } else { sink(&unreadable(pattern, "nothing matches the pattern")) }
    }

    /// A folder, an archive, a manifest or a photo.
    fn path(&mut self, path: &Path, sink: Sink) -> io::Result<()> {
        let kind = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        match kind.as_deref() {
            _ if path.is_dir() => self.folder(path, sink),
            Some("jsonl" | "ndjson") => self.manifest(path, sink),
            _ if begins_as_archive(path) => self.archive(path, sink),
            _ => self.photo(path, None, sink),
        }
    }

    fn folder(&mut self, folder: &Path, sink: Sink) -> io::Result<()> {
        let not = self.not.clone();
        let wanted = move |entry: &DirEntry| {
            let below = entry.depth() > 0;
            let hidden = below && is_hidden(Path::new(entry.file_name()));
            let is_not = |not: &PathBuf| entry.path().canonicalize().is_ok_and(|path| path == *not);
            let results = below && entry.file_type().is_dir() && not.as_ref().is_some_and(is_not);
            !hidden && !results
        };
        let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(wanted) {
            match entry {
                Ok(entry)
                    if entry.file_type().is_file() && is_picture(Path::new(entry.file_name())) =>
                {
                    self.photo(entry.path(), None, sink)?;
                }
                Ok(_) => {}
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_string_lossy().into_owned();
                    let reason = match error.io_error() {
                        Some(error) => told(error),
                        None => "the file cannot be read: a link leads back to its own folder"
                            .to_owned(),
                    };
                    sink(&unreadable(&path, &reason))?;
                }
            }
        }
        Ok(())
    }

    fn archive(&mut self, path: &Path, sink: Sink) -> io::Result<()> {
        let name = path.to_string_lossy();
        let opened = File::open(path).and_then(|file| Ok((Stamp::of(&file.metadata()?), file)));
        let (stamp, file) = match opened {
            Ok(opened) => opened,
            Err(error) => return sink(&unreadable(&name, &told(&error))),
        };
        let archive = match Archive::open(BufReader::new(file)) {
            Ok(archive) => archive,
            Err(error) => return sink(&Entry::refused(name, Problem::from(&error))),
        };
        let beside = |inside: &str| {
            let inside = inside.strip_prefix(&format!("{name}/"))?;
            let member = Some(archive.place_of(inside)?);
            Some(Source { file: path.to_owned(), member, stamp })
        };
        for member in archive.pictures() {
            match member {
                Ok(member) => {
                    let id = format!("{name}/{}", member.name);
                    if self.is_of_other(&id) {
                        continue;
                    }
                    let member = Some(member.place);
                    let source = Source { file: path.to_owned(), member, stamp };
                    let found = PhotoFile { source, name: &id, beside: &beside };
                    sink(&self.entry(found, None))?;
                }
                Err(error) => sink(&Entry::refused(name.clone(), Problem::from(&error)))?,
            }
        }
        Ok(())
    }

    fn manifest(&mut self, path: &Path, sink: Sink) -> io::Result<()> {
        let name = path.to_string_lossy();
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) => return sink(&unreadable(&name, &told(&error))),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut lines =
            Lines { from: &mut BufReader::new(file), end: b'\n', number: 0, broken: false };
        while let Some((number, line)) = lines.next() {
            match line {
                Ok(line) if line.trim_ascii().is_empty() => {}
                Ok(line) => self.line(&format!("{name}:{number}"), folder, &line, sink)?,
                Err(error) => sink(&unreadable(&format!("{name}:{number}"), &told(&error)))?,
            }
        }
        Ok(())
    }

    /// Paths and lines of a manifest, as they come.
    fn stdin(&mut self, stdin: &mut dyn BufRead, sink: Sink) -> io::Result<()> {
        let end = if self.null { 0 } else { b'\n' };
        let mut lines = Lines { from: stdin, end, number: 0, broken: false };
        while let Some((number, line)) = lines.next() {
            match line {
                Ok(line) if line.trim_ascii().is_empty() => {}
                Ok(line) if line.starts_with(b"{") => {
                    self.line(&format!("{STDIN}:{number}"), Path::new(""), &line, sink)?;
                }
                Ok(line) => self.path(&path_of(&line), sink)?,
                Err(error) => sink(&unreadable(&format!("{STDIN}:{number}"), &told(&error)))?,
            }
        }
        Ok(())
    }

    /// One line of a manifest, whose paths begin at a folder.
    fn line(&mut self, place: &str, folder: &Path, line: &[u8], sink: Sink) -> io::Result<()> {
        match ManifestLine::parse(line, &self.book) {
            Ok(named) => {
                let path = folder.join(&named.file);
                self.photo(&path, Some((&named, folder)), sink)
            }
            Err(problem) => sink(&Entry::refused(place, problem)),
        }
    }

    /// A photo in a file of its own.
    fn photo(
        &mut self,
        path: &Path,
        named: Option<(&ManifestLine, &Path)>,
        sink: Sink,
    ) -> io::Result<()> {
        let name = path.to_string_lossy();
        if named.is_none() && self.is_of_other(&name) {
            return Ok(());
        }
        let entry = match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                unreadable(&name, "it is a folder and not a photo")
            }
            Ok(metadata) => {
                let (file, stamp) = (path.to_owned(), Stamp::of(&metadata));
                let source = Source { file, member: None, stamp };
                self.entry(PhotoFile { source, name: &name, beside: &file_of }, named)
            }
            Err(error) => unreadable(&name, &told(&error)),
        };
        let called = named.map(|(named, _)| named.id().to_owned());
        let id = match &entry.work {
            // What a manifest calls a photo stays its name, also where the photo is missing.
            Work::Refused(_) => called.unwrap_or(entry.id),
            Work::Photo(_) => entry.id,
        };
        sink(&Entry { id, work: entry.work })
    }

    /// A photo with everything that is known of it.
    fn entry(&mut self, found: PhotoFile, named: Option<(&ManifestLine, &Path)>) -> Entry {
        let mut id = named.map_or(found.name, |(named, _)| named.id()).to_owned();
        match self.told(&found, named, &mut id) {
            Ok(PhotoRequest { context, rulesets, focus, region, others, correction }) => {
                if !correction.is_empty() {
                    self.corrections.insert(id.clone(), correction);
                }
                let source = found.source;
                let photo = Photo { source, context, rulesets, focus, region, others };
                Entry { id, work: Work::Photo(photo) }
            }
            Err(problem) => Entry::refused(id, problem),
        }
    }

    /// The win context from all sources, which must not contradict each other, and what else is
    /// asked of the photo.
    fn told(
        &mut self,
        found: &PhotoFile,
        named: Option<(&ManifestLine, &Path)>,
        id: &mut String,
    ) -> Result<PhotoRequest, Problem> {
        let mut context = self.context;
        let mut add = |other: &ContextDto| -> Result<(), Problem> {
            let merged = context.merge(other);
            context = merged
                .map_err(|errors| Problem::with_errors(ProblemKind::InvalidContext, errors))?;
            Ok(())
        };
        let mut rulesets = named.and_then(|(named, _)| named.rulesets.clone());
        let mut focus = named.and_then(|(named, _)| named.focus);
        let mut region = named.and_then(|(named, _)| named.region.clone());
        let mut others = Vec::new();
        let mut correction = named.map(|(named, _)| named.correction()).unwrap_or_default();
        if let Some((named, folder)) = named {
            add(&named.context)?;
            let path = |file: &str| folder.join(file).to_string_lossy().into_owned();
            others = sources_of(named, path, &file_of)?;
        }
        if let Some((row, root)) = self.contexts.as_mut().and_then(|table| table.of(found.name)) {
            if others.is_empty() {
                others = sources_of(row, |file| format!("{root}{file}"), found.beside)?;
            }
            add(&row.context)?;
            correction = correction.or(&row.correction());
            rulesets = rulesets.or_else(|| row.rulesets.clone());
            focus = focus.or(row.focus);
            region = region.or_else(|| row.region.clone());
            if let Some(called) = &row.custom_id {
                id.clone_from(called);
            }
        }
        if let Some(names) = &self.names {
            let stem = Path::new(found.name).file_stem().unwrap_or_default().to_string_lossy();
            let told = names.read(&stem)?;
            add(&told.context)?;
            *id = told.id.unwrap_or(std::mem::take(id));
        }
        let rulesets = rulesets.unwrap_or_else(|| self.rulesets.clone());
        Ok(PhotoRequest { context, rulesets, focus, region, others, correction })
    }

    /// Whether a row of the table names a photo as that of another player's hand: it is not a row
    /// of its own then.
    fn is_of_other(&self, name: &str) -> bool {
        self.contexts.as_ref().is_some_and(|table| table.is_of_other(name))
    }
}

/// The hands of others that a line names, their photos found by path.
fn sources_of(
    named: &ManifestLine,
    path: impl Fn(&str) -> String,
    find: &dyn Fn(&str) -> Option<Source>,
) -> Result<Vec<Other<HandSource<Source>>>, Problem> {
    let others = named.others().into_iter().map(|other| {
        other.try_map_photo(|file, place| {
            let path = path(&file);
            find(&path).ok_or_else(|| {
                let detail = format!("there is no file {path}");
                let errors = vec![FieldError::new(place, detail)];
                Problem::with_errors(ProblemKind::MalformedRequest, errors)
            })
        })
    });
    others.collect()
}

/// A photo in a file of its own.
fn file_of(path: &str) -> Option<Source> {
    let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    Some(Source { file: path.into(), member: None, stamp: Stamp::of(&metadata) })
}

/// What is asked of a photo.
struct PhotoRequest {
    context: ContextDto,
    rulesets: Vec<RulesetId>,
    focus: Option<FocusDto>,
    region: Option<RegionDto>,
    others: Vec<Other<HandSource<Source>>>,
    correction: Correction,
}

/// A photo that is there.
struct PhotoFile<'a> {
    source: Source,
    /// The path, with the member's own behind that of an archive.
    name: &'a str,
    /// Finds another photo by such a name, in the same archive where it is one.
    beside: &'a dyn Fn(&str) -> Option<Source>,
}

/// The lines of a list, counted from 1.
struct Lines<'a> {
    from: &'a mut dyn BufRead,
    end: u8,
    number: u64,
    broken: bool,
}

impl Lines<'_> {
    fn next(&mut self) -> Option<(u64, io::Result<Vec<u8>>)> {
        if self.broken {
            return None;
        }
        let mut line = Vec::new();
        let read = self.from.take(LONGEST_LINE + 1).read_until(self.end, &mut line);
        self.number += 1;
        match read {
            Ok(0) => None,
            Ok(_) => {
                let complete = line.pop_if(|last| *last == self.end).is_some();
                if complete || line.len() as u64 <= LONGEST_LINE {
                    line.pop_if(|last| *last == b'\r');
                    return Some((self.number, Ok(line)));
                }
                let skipped = self.from.skip_until(self.end);
                Some((self.number, skipped.and(Err(io::Error::other("the line is too long")))))
            }
            Err(error) => {
                // Nothing more comes out of what can't be read.
                self.broken = true;
                Some((self.number, Err(error)))
            }
        }
    }
}

/// Whether the first bytes of a file are those of an archive.
fn begins_as_archive(path: &Path) -> bool {
    let mut beginning = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut beginning));
    let named = path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("zip"));
    // A broken archive is reported as one, not as a photo of an unknown kind.
    named && path.is_file() || read.is_ok() && is_archive(&beginning)
}

#[cfg(unix)]
fn path_of(line: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(line).into()
}

#[cfg(not(unix))]
fn path_of(line: &[u8]) -> PathBuf {
    String::from_utf8_lossy(line).into_owned().into()
}

/// A file's error, without its path: that is the entry's id.
fn told(error: &io::Error) -> String {
    format!("the file cannot be read: {error}")
}

fn unreadable(id: &str, reason: &str) -> Entry {
    Entry::refused(id, Problem::new(ProblemKind::MalformedRequest, reason))
}

fn unmatched(file: &str) -> Entry {
    unreadable(file, "the context table names it, but it is not one of the photos")
}

#[cfg(test)]
mod tests;
