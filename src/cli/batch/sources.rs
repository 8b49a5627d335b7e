//! From what was named on the command line to the photos of a batch, one by one.
//!
//! Input: files, folders, patterns, ZIP archives, manifests, and `-` for a list on standard input.
//! Output: one [`Entry`] a photo, in an order that depends on nothing but the sources: as they were
//! named, folders and patterns sorted by name, archives in the order of their directories.
//! Invariants: whatever was named and can't be read becomes an entry that says why; nothing that
//! was named is left out silently, and nothing stops the others; no two entries have one id;
//! pictures that this program made are not photos.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use encoding_rs_io::DecodeReaderBytesBuilder;
use tilesight_core::contract::{
    ContextDto, FieldError, FocusDto, HandSource, Problem, ProblemKind, RegionDto,
};
use tilesight_core::hand::Other;
use tilesight_core::rules::{Book, RulesetId};
use walkdir::{DirEntry, WalkDir};

use super::contexts::{Contexts, normal};
use super::entry::{Entry, Photo, Source, Stamp, Work};
use super::made::made_by_program;
use super::names::Names;
use crate::batch::{
    Archive, Claim, Correction, ManifestLine, RowIds, SkipReason, Skipped, decoded, id_of,
    is_archive, is_hidden, is_picture, is_zip, path_of,
};
use crate::input_file::{self, InputError};

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
    /// Names on standard input end with a zero byte and not with a line.
    pub(super) null: bool,
    /// What tables and manifests say of photos that are listed, by the ids of their rows. It is not
    /// a part of the entries: a photo is not another one because its reading is corrected.
    pub(super) corrections: HashMap<String, Correction>,
    /// Files and folders that were met and are not listed.
    pub(super) skipped: Skipped,
    /// The ids of the entries.
    pub(super) ids: RowIds,
    /// Photos that the table names as those of other players' hands.
    pub(super) others: Vec<String>,
    /// Photos of these that are read beside a winner's.
    pub(super) read_beside: HashSet<String>,
}

/// An entry before it has an id of its own.
struct Listed {
    entry: Entry,
    correction: Correction,
    /// The line of a manifest that it is from.
    place: Option<String>,
    /// Whether its source chose the id, and not the file's name.
    has_own_id: bool,
}

impl From<Entry> for Listed {
    fn from(entry: Entry) -> Listed {
        let correction = Correction::default();
        Listed { entry, correction, place: None, has_own_id: false }
    }
}

/// A line of a manifest, where it is, and where its paths begin.
#[derive(Clone, Copy)]
struct Named<'a> {
    line: &'a ManifestLine,
    place: &'a str,
    folder: &'a Path,
}

impl Named<'_> {
    /// Id of the row.
    fn id(self) -> String {
        let custom = self.line.custom_id.clone();
        custom.unwrap_or_else(|| id_of(Path::new(&self.line.file)))
    }
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
        unused.into_iter().try_for_each(|entry| self.emit(entry, sink))?;
        // The row that names one may be about a photo elsewhere.
        let missed = std::mem::take(&mut self.others);
        let missed = missed.into_iter().filter(|id| !self.read_beside.contains(&normal(id)));
        missed
            .map(|id| beside_nothing(&id))
            .collect::<Vec<_>>()
            .into_iter()
            .try_for_each(|entry| self.emit(entry, sink))
    }

    /// Hands an entry on under an id that no other has. A photo that is named again has its row; a
    /// different one that has its id is refused, and its row is called by its place.
    fn emit(&mut self, listed: impl Into<Listed>, sink: Sink) -> io::Result<()> {
        let Listed { entry, correction, place, has_own_id } = listed.into();
        let content = serde_json::to_vec(&(&entry.work, &correction))?;
        match self.ids.claim(&entry.id, &content) {
            Claim::New => {
                if !correction.is_empty() {
                    self.corrections.insert(entry.id.clone(), correction);
                }
                sink(&entry)
            }
            Claim::Same if !has_own_id => {
                self.skipped.add(entry.id, SkipReason::NamedAgain);
                Ok(())
            }
            Claim::Same | Claim::Taken => {
                let id = self.ids.free(place.as_deref().unwrap_or(&entry.id));
                sink(&Entry::refused(id, taken(&entry.id)))
            }
        }
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
                return self.emit(unreadable(pattern, &format!("invalid pattern: {error}")), sink);
            }
        };
        let mut matched = false;
        for path in paths {
            matched = true;
            match path {
                Ok(path) => self.path(&path, sink)?,
                Err(error) => {
                    self.emit(unreadable(&id_of(error.path()), &told(error.error())), sink)?;
                }
            }
        }
        if matched {
            Ok(())
        } else {
            self.emit(unreadable(pattern, "nothing matches the pattern"), sink)
        }
    }

    /// A folder, an archive, a manifest or a photo.
    fn path(&mut self, path: &Path, sink: Sink) -> io::Result<()> {
        let kind = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        match kind.as_deref() {
            _ if path.is_dir() => self.folder(path, sink),
            Some("jsonl" | "ndjson") => self.manifest(path, sink),
            _ if begins_as_archive(path) => self.archive(path, sink),
            _ => match path.ancestors().skip(1).find_map(made_by_program) {
                Some((folder, reason)) => {
                    self.skipped.add(id_of(folder), reason);
                    Ok(())
                }
                None => self.photo(path, None, sink),
            },
        }
    }

    fn folder(&mut self, folder: &Path, sink: Sink) -> io::Result<()> {
        let is_seen =
            |entry: &DirEntry| entry.depth() == 0 || !is_hidden(Path::new(entry.file_name()));
        let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name();
        let mut walk = walk.into_iter().filter_entry(is_seen);
        while let Some(entry) = walk.next() {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {
                    if let Some((made, reason)) = made_by_program(entry.path()) {
                        self.skipped.add(id_of(made), reason);
                        walk.skip_current_dir();
                    } else if let Some(reason) = leads_to_made(&entry) {
                        self.skipped.add(id_of(entry.path()), reason);
                        walk.skip_current_dir();
                    }
                }
                Ok(entry) => self.file(entry.path(), sink)?,
                Err(error) => {
                    let path = id_of(error.path().unwrap_or(folder));
                    let reason = match error.io_error() {
                        Some(error) => told(error),
                        None => "the file cannot be read: a link leads back to its own folder"
                            .to_owned(),
                    };
                    self.emit(unreadable(&path, &reason), sink)?;
                }
            }
        }
        Ok(())
    }

    /// A file in a folder.
    fn file(&mut self, path: &Path, sink: Sink) -> io::Result<()> {
        let name = Path::new(path.file_name().unwrap_or_default());
        if is_picture(name) && path.is_file() {
            return self.photo(path, None, sink);
        }
        if is_zip(name) {
            self.skipped.add(id_of(path), SkipReason::Archive);
        }
        Ok(())
    }

    fn archive(&mut self, path: &Path, sink: Sink) -> io::Result<()> {
        let name = id_of(path);
        let opened = input_file::open(path).map_err(io::Error::from);
        let opened = opened.and_then(|(file, _)| Ok((Stamp::of(&file.metadata()?), file)));
        let (stamp, file) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.emit(unreadable(&name, &told(&error)), sink),
        };
        let archive = match Archive::open(BufReader::new(file)) {
            Ok(archive) => archive,
            Err(error) => return self.emit(Entry::refused(name, Problem::from(&error)), sink),
        };
        let beside = |inside: &str| {
            let inside = inside.strip_prefix(&format!("{name}/"))?;
            let member = Some(archive.place_of(inside).filter(|_| !archive.is_repeated(inside))?);
            Some(Source { file: path.to_owned(), member, stamp })
        };
        for member in archive.pictures() {
            let id = format!("{name}/{}", member.name);
            if self.is_of_other(&id) {
                self.others.push(id);
                continue;
            }
            let member = Some(member.place);
            let source = Source { file: path.to_owned(), member, stamp };
            let found = PhotoFile { source, name: &id, beside: &beside };
            let listed = self.entry(found, None);
            self.emit(listed, sink)?;
        }
        Ok(())
    }

    fn manifest(&mut self, path: &Path, sink: Sink) -> io::Result<()> {
        let name = id_of(path);
        let file = match input_file::open(path) {
            Ok((file, _)) => file,
            Err(error) => return self.emit(unreadable(&name, &error.to_string()), sink),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        // Some shells write UTF-16, which begins with a mark.
        let text = DecodeReaderBytesBuilder::new().utf8_passthru(true).build(file);
        let mut lines =
            Lines { from: &mut BufReader::new(text), end: b'\n', number: 0, broken: false };
        while let Some((number, line)) = lines.next() {
            let place = format!("{name}:{number}");
            match line {
                Ok(line) if line.trim_ascii().is_empty() => {}
                Ok(line) => self.line(&place, folder, &line, sink)?,
                Err(error) => self.emit(unreadable(&place, &told(&error)), sink)?,
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
                Ok(line) => self.path(&path_in(&line), sink)?,
                Err(error) => {
                    self.emit(unreadable(&format!("{STDIN}:{number}"), &told(&error)), sink)?;
                }
            }
        }
        Ok(())
    }

    /// One line of a manifest, whose paths begin at a folder.
    fn line(&mut self, place: &str, folder: &Path, line: &[u8], sink: Sink) -> io::Result<()> {
        // Names with letters of older Windows programs stay readable.
        let text = decoded(line).map_or(line.into(), |(text, _)| text.into_owned().into_bytes());
        match ManifestLine::parse(&text, &self.book) {
            Ok(named) => {
                let path = folder.join(&named.file);
                self.photo(&path, Some(Named { line: &named, place, folder }), sink)
            }
            Err(problem) => self.emit(Entry::refused(place, problem), sink),
        }
    }

    /// A photo in a file of its own.
    fn photo(&mut self, path: &Path, named: Option<Named>, sink: Sink) -> io::Result<()> {
        let name = id_of(path);
        if named.is_none() && self.is_of_other(&name) {
            self.others.push(name);
            return Ok(());
        }
        // What a manifest calls a photo stays its name, also where the photo is missing.
        let called = named.map_or_else(|| name.clone(), Named::id);
        let listed = match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                unreadable(&called, "it is a folder and not a photo").into()
            }
            // A device, or a named pipe, which may have no end.
            Ok(metadata) if !metadata.is_file() => {
                unreadable(&called, &InputError::NotRegular.to_string()).into()
            }
            Ok(metadata) => {
                let (file, stamp) = (path.to_owned(), Stamp::of(&metadata));
                let source = Source { file, member: None, stamp };
                self.entry(PhotoFile { source, name: &name, beside: &file_of }, named)
            }
            Err(error) => unreadable(&called, &told(&error)).into(),
        };
        let place = named.map(|named| named.place.to_owned());
        let has_own_id = named.is_some_and(|named| named.line.custom_id.is_some());
        self.emit(Listed { place, has_own_id, ..listed }, sink)
    }

    /// A photo with everything that is known of it.
    fn entry(&mut self, found: PhotoFile, named: Option<Named>) -> Listed {
        let mut id = named.map_or_else(|| found.name.to_owned(), Named::id);
        let mut correction = Correction::default();
        let work = match self.told(&found, named, &mut id) {
            Ok(PhotoRequest { context, rulesets, focus, region, others, said }) => {
                correction = said;
                let source = found.source;
                Work::Photo(Photo { source, context, rulesets, focus, region, others })
            }
            Err(problem) => Work::Refused(problem),
        };
        Listed { correction, ..Listed::from(Entry { id, work }) }
    }

    /// The win context from all sources, which must not contradict each other, and what else is
    /// asked of the photo.
    fn told(
        &mut self,
        found: &PhotoFile,
        named: Option<Named>,
        id: &mut String,
    ) -> Result<PhotoRequest, Problem> {
        let mut context = self.context;
        let mut add = |other: &ContextDto| -> Result<(), Problem> {
            let merged = context.merge(other);
            context = merged
                .map_err(|errors| Problem::with_errors(ProblemKind::InvalidContext, errors))?;
            Ok(())
        };
        let line = named.map(|named| named.line);
        let mut rulesets = line.and_then(|line| line.rulesets.clone());
        let mut focus = line.and_then(|line| line.focus);
        let mut region = line.and_then(|line| line.region.clone());
        let mut others = Vec::new();
        let mut said = line.map(ManifestLine::correction).unwrap_or_default();
        if let Some(Named { line, folder, .. }) = named {
            add(&line.context)?;
            others = sources_of(line, |file| id_of(&folder.join(file)), &file_of)?;
        }
        let row = self.contexts.as_mut().map(|table| table.of(found.name)).transpose()?;
        if let Some((row, root)) = row.flatten() {
            let path = |file: &str| format!("{root}{file}");
            let beside = row.others();
            let beside = beside.iter().filter_map(Other::as_photo);
            self.read_beside.extend(beside.map(|file| normal(&path(file))));
            if others.is_empty() {
                others = sources_of(row, path, found.beside)?;
            }
            add(&row.context)?;
            said = said.or(&row.correction());
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
        Ok(PhotoRequest { context, rulesets, focus, region, others, said })
    }

    /// Whether a row of the table names a photo as that of another player's hand: it is not a row
    /// of its own then.
    fn is_of_other(&self, name: &str) -> bool {
        self.contexts.as_ref().is_some_and(|table| table.is_of_other(name))
    }
}

/// Why the pictures of a folder are not read to which a link leads, or a source such as `.`.
fn leads_to_made(entry: &DirEntry) -> Option<SkipReason> {
    if entry.depth() > 0 && !entry.path_is_symlink() {
        return None;
    }
    let place = entry.path().canonicalize().ok()?;
    made_by_program(&place).map(|(_, reason)| reason)
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
                let detail = format!("there is no file {path}, or several members are named so");
                let errors = vec![FieldError::new(place, detail)];
                Problem::with_errors(ProblemKind::MalformedRequest, errors)
            })
        })
    });
    others.collect()
}

/// A photo in a file of its own.
fn file_of(id: &str) -> Option<Source> {
    let file = path_of(id);
    let metadata = std::fs::metadata(&file).ok().filter(std::fs::Metadata::is_file)?;
    Some(Source { file, member: None, stamp: Stamp::of(&metadata) })
}

/// What is asked of a photo.
struct PhotoRequest {
    context: ContextDto,
    rulesets: Vec<RulesetId>,
    focus: Option<FocusDto>,
    region: Option<RegionDto>,
    others: Vec<Other<HandSource<Source>>>,
    /// Correction by a person.
    said: Correction,
}

/// A photo that is there.
struct PhotoFile<'a> {
    source: Source,
    /// The id of the path, with the member's own behind that of an archive.
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
    // Opening a pipe would wait for its other end.
    if !path.is_file() {
        return false;
    }
    let mut beginning = [0; 4];
    let file = input_file::open(path).map_err(io::Error::from);
    let read = file.and_then(|(mut file, _)| file.read_exact(&mut beginning));
    // A broken archive is reported as one, not as a photo of an unknown kind.
    is_zip(path) || read.is_ok() && is_archive(&beginning)
}

#[cfg(unix)]
fn path_in(line: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(line).into()
}

#[cfg(not(unix))]
fn path_in(line: &[u8]) -> PathBuf {
    String::from_utf8_lossy(line).into_owned().into()
}

/// A file's error, without its path: that is the entry's id.
fn told(error: &io::Error) -> String {
    format!("the file cannot be read: {error}")
}

fn unreadable(id: &str, reason: &str) -> Entry {
    Entry::refused(id, Problem::new(ProblemKind::MalformedRequest, reason))
}

/// Why a photo has no row under its id.
fn taken(id: &str) -> Problem {
    let detail = format!(
        "another photo has the id {id}: give each photo its own, as `custom_id` in a manifest or table"
    );
    let errors = vec![FieldError::new("custom_id", detail)];
    Problem::with_errors(ProblemKind::MalformedRequest, errors)
}

fn beside_nothing(id: &str) -> Entry {
    unreadable(
        id,
        "the context table names it as another player's photo, in a row of no photo here",
    )
}

fn unmatched(file: &str) -> Entry {
    unreadable(file, "the context table names it, but it is not one of the photos")
}

#[cfg(test)]
mod tests;
