//! From the sources on the command line to the photos of a batch, one by one.
//!
//! Input: files, folders, patterns, ZIP archives, manifests, and `-` for a list on standard input.
//! Output: one [`PlanEntry`] per photo, in an order that depends on nothing but the sources: in the
//! order named, folders and patterns sorted by name, archives in the order of their directories.
//! Invariants: a source that can't be read becomes an entry that says why; no named source is left
//! out silently, and none stops the others; ids of entries are unique; pictures that this program
//! made are not photos.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use encoding_rs_io::DecodeReaderBytesBuilder;
use tilesight_core::contract::{
    ContextDto, FieldError, OtherInRequest, PhotoFields, Problem, ProblemKind, Scoring,
};
use tilesight_core::rules::{Book, RulesetId};
use tilesight_files::input::{self, InputError};
use tilesight_vision::contract::TableRequest;
use walkdir::{DirEntry, WalkDir};

use super::entry::{EntryWork, PhotoSource, PlanEntry, Stamp};
use super::own_pictures::find_own_pictures;
use crate::batch::{
    Archive, Claim, ContextTable, ManifestLine, NamePattern, RowIds, SkipReason, Skipped, id_of,
    is_archive, is_hidden, is_picture, is_zip, normalize_path, path_of,
};
use crate::corrections::Correction;
use crate::sheet::decode_text;

/// Name of the source that stands for standard input.
pub const STDIN: &str = "-";

/// Maximum length of a line of a list, in bytes; no path and no line of a manifest is longer.
const MAX_LINE: u64 = 64 * 1024;

/// Settings that apply to all photos, and sources of more information on each.
#[derive(Debug, Default)]
pub struct Sources {
    /// Win context of all photos.
    context: ContextDto,
    /// Rule sets to score by if a photo names none.
    rulesets: Vec<RulesetId>,
    /// Known rule sets.
    book: Arc<Book>,
    /// Pattern of file names with win contexts.
    names: Option<NamePattern>,
    /// Table with win contexts.
    contexts: Option<ContextTable>,
    /// Whether names on standard input end with a zero byte instead of a newline.
    null: bool,
    /// Corrections from tables and manifests, by the ids of the listed photos' rows. They are not
    /// part of the entries: correcting a photo's reading does not make it a different photo.
    pub corrections: HashMap<String, Correction>,
    /// Files and folders that were found but are not listed.
    pub skipped: Skipped,
    /// Ids of the entries.
    ids: RowIds,
    /// Photos that the table names as those of other players' hands.
    others: Vec<String>,
    /// Photos of [`others`](Sources::others) that are read together with a winner's photo.
    read_beside: HashSet<String>,
}

/// An entry before it has a unique id.
struct EntryDraft {
    entry: PlanEntry,
    correction: Correction,
    /// Place of the manifest line that it is from.
    place: Option<String>,
    /// Whether its source chose the id instead of deriving it from the file's name.
    has_own_id: bool,
}

impl From<PlanEntry> for EntryDraft {
    fn from(entry: PlanEntry) -> EntryDraft {
        let correction = Correction::default();
        EntryDraft { entry, correction, place: None, has_own_id: false }
    }
}

/// A line of a manifest, its place, and the folder that its paths are relative to.
#[derive(Clone, Copy)]
struct NamedLine<'a> {
    line: &'a ManifestLine,
    place: &'a str,
    folder: &'a Path,
}

impl NamedLine<'_> {
    fn id(self) -> String {
        let custom = self.line.custom_id.clone();
        custom.unwrap_or_else(|| id_of(Path::new(&self.line.file)))
    }
}

/// Consumer of entries; an error there ends the listing.
type Sink<'a> = &'a mut dyn FnMut(&PlanEntry) -> io::Result<()>;

impl Sources {
    /// Creates sources whose photos have this win context, and these rule sets if they name none.
    #[must_use]
    pub fn new(book: Arc<Book>, context: ContextDto, rulesets: Vec<RulesetId>) -> Sources {
        Sources { context, rulesets, book, ..Sources::default() }
    }

    /// Returns these sources with win contexts from the names of files.
    #[must_use]
    pub fn with_names(self, names: Option<NamePattern>) -> Sources {
        Sources { names, ..self }
    }

    /// Returns these sources with win contexts from a table.
    #[must_use]
    pub fn with_contexts(self, contexts: Option<ContextTable>) -> Sources {
        Sources { contexts, ..self }
    }

    /// Returns these sources with names on standard input that end with a zero byte if `null` is
    /// set, else with a newline.
    #[must_use]
    pub fn with_null(self, null: bool) -> Sources {
        Sources { null, ..self }
    }

    /// Lists all photos of the sources.
    ///
    /// # Errors
    /// Only errors of the sink.
    pub fn list(
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
        let unused: Vec<PlanEntry> =
            self.contexts.iter().flat_map(ContextTable::unused_files).map(unmatched).collect();
        for entry in unused {
            self.emit(entry, sink)?;
        }
        // The row that names such a photo may be about a photo that is not in the batch.
        for id in std::mem::take(&mut self.others) {
            if !self.read_beside.contains(&normalize_path(&id)) {
                self.emit(beside_nothing(&id), sink)?;
            }
        }
        Ok(())
    }

    /// Passes an entry on under a unique id. A photo that is named again keeps its one row; a
    /// different photo with the same id is refused, and its row gets its place as id.
    fn emit(&mut self, listed: impl Into<EntryDraft>, sink: Sink) -> io::Result<()> {
        let EntryDraft { entry, correction, place, has_own_id } = listed.into();
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
                sink(&PlanEntry::from_problem(id, duplicate_id(&entry.id)))
            }
        }
    }

    /// Lists a path, or a pattern of paths if nothing has that name.
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
                    self.emit(
                        unreadable(&id_of(error.path()), &describe_error(error.error())),
                        sink,
                    )?;
                }
            }
        }
        if matched {
            Ok(())
        } else {
            self.emit(unreadable(pattern, "nothing matches the pattern"), sink)
        }
    }

    /// Lists a folder, an archive, a manifest or a photo.
    fn path(&mut self, path: &Path, sink: Sink) -> io::Result<()> {
        let kind = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        match kind.as_deref() {
            _ if path.is_dir() => self.folder(path, sink),
            Some("jsonl" | "ndjson") => self.manifest(path, sink),
            _ if begins_as_archive(path) => self.archive(path, sink),
            _ => match path.ancestors().skip(1).find_map(find_own_pictures) {
                Some((folder, reason)) => {
                    self.skipped.add(id_of(folder), reason);
                    Ok(())
                }
                None => self.photo(path, None, sink),
            },
        }
    }

    fn folder(&mut self, folder: &Path, sink: Sink) -> io::Result<()> {
        let mut walk =
            WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter().filter_entry(
                |entry| entry.depth() == 0 || !is_hidden(Path::new(entry.file_name())),
            );
        while let Some(entry) = walk.next() {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {
                    if let Some((made, reason)) = find_own_pictures(entry.path()) {
                        self.skipped.add(id_of(made), reason);
                        walk.skip_current_dir();
                    } else if let Some(reason) = skip_reason_of_link(&entry) {
                        self.skipped.add(id_of(entry.path()), reason);
                        walk.skip_current_dir();
                    }
                }
                Ok(entry) => self.file(entry.path(), sink)?,
                Err(error) => {
                    let path = id_of(error.path().unwrap_or(folder));
                    let reason = match error.io_error() {
                        Some(error) => describe_error(error),
                        None => "the file cannot be read: a link leads back to its own folder"
                            .to_owned(),
                    };
                    self.emit(unreadable(&path, &reason), sink)?;
                }
            }
        }
        Ok(())
    }

    /// Lists a file in a folder.
    fn file(&mut self, path: &Path, sink: Sink) -> io::Result<()> {
        let name = Path::new(path.file_name().unwrap_or_default());
        if is_picture(name) && path.is_file() {
            return self.photo(path, None, sink);
        }
        if is_zip(name) {
            self.skipped.add(id_of(path), SkipReason::Archive);
        } else if begins_as_picture(path) {
            self.skipped.add(id_of(path), SkipReason::OtherName);
        }
        Ok(())
    }

    fn archive(&mut self, path: &Path, sink: Sink) -> io::Result<()> {
        let name = id_of(path);
        let (stamp, file) = match open_with_stamp(path) {
            Ok(opened) => opened,
            Err(error) => return self.emit(unreadable(&name, &describe_error(&error)), sink),
        };
        let archive = match Archive::open(BufReader::new(file)) {
            Ok(archive) => archive,
            Err(error) => {
                return self.emit(PlanEntry::from_problem(name, Problem::from(&error)), sink);
            }
        };
        let folder = format!("{name}/");
        for member in archive.pictures() {
            let id = format!("{folder}{}", member.name);
            if self.is_of_other(&id) {
                self.others.push(id);
                continue;
            }
            let found = PhotoFile {
                source: PhotoSource { file: path.to_owned(), member: Some(member.place), stamp },
                name: &id,
                beside: &|id| {
                    let member = Some(find_member(&archive, id.strip_prefix(&folder)?)?);
                    Some(PhotoSource { file: path.to_owned(), member, stamp })
                },
            };
            let listed = self.entry(found, None);
            self.emit(listed, sink)?;
        }
        Ok(())
    }

    fn manifest(&mut self, path: &Path, sink: Sink) -> io::Result<()> {
        let name = id_of(path);
        let file = match input::open(path) {
            Ok((file, _)) => file,
            Err(error) => return self.emit(unreadable(&name, &error.to_string()), sink),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        // Some shells write UTF-16, which begins with a byte order mark.
        let text = DecodeReaderBytesBuilder::new().utf8_passthru(true).build(file);
        let mut lines =
            ListLines { from: &mut BufReader::new(text), end: b'\n', number: 0, broken: false };
        while let Some((number, line)) = lines.next() {
            let place = format!("{name}:{number}");
            match line {
                Ok(line) if line.trim_ascii().is_empty() => {}
                Ok(line) => self.line(&place, folder, &line, sink)?,
                Err(error) => self.emit(unreadable(&place, &describe_error(&error)), sink)?,
            }
        }
        Ok(())
    }

    /// Lists paths and manifest lines as they arrive.
    fn stdin(&mut self, stdin: &mut dyn BufRead, sink: Sink) -> io::Result<()> {
        let end = if self.null { 0 } else { b'\n' };
        let mut lines = ListLines { from: stdin, end, number: 0, broken: false };
        while let Some((number, line)) = lines.next() {
            match line {
                Ok(line) if line.trim_ascii().is_empty() => {}
                Ok(line) if line.starts_with(b"{") => {
                    self.line(&format!("{STDIN}:{number}"), Path::new(""), &line, sink)?;
                }
                Ok(line) => self.path(&path_in(&line), sink)?,
                Err(error) => {
                    self.emit(
                        unreadable(&format!("{STDIN}:{number}"), &describe_error(&error)),
                        sink,
                    )?;
                }
            }
        }
        Ok(())
    }

    /// Lists the photo of a manifest line whose paths are relative to a folder.
    fn line(&mut self, place: &str, folder: &Path, line: &[u8], sink: Sink) -> io::Result<()> {
        // Names in older Windows encodings stay readable.
        let text =
            decode_text(line).map_or(line.into(), |(text, _)| text.into_owned().into_bytes());
        match ManifestLine::parse(&text, &self.book) {
            Ok(named) => {
                let path = folder.join(&named.file);
                self.photo(&path, Some(NamedLine { line: &named, place, folder }), sink)
            }
            Err(problem) => self.emit(PlanEntry::from_problem(place, problem), sink),
        }
    }

    /// Lists a photo in a file of its own.
    fn photo(&mut self, path: &Path, named: Option<NamedLine>, sink: Sink) -> io::Result<()> {
        let name = id_of(path);
        if named.is_none() && self.is_of_other(&name) {
            self.others.push(name);
            return Ok(());
        }
        // The id from a manifest is kept even if the photo is missing.
        let called = named.map_or_else(|| name.clone(), NamedLine::id);
        let listed = match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                unreadable(&called, "it is a folder and not a photo").into()
            }
            // A device, or a named pipe, may have no end.
            Ok(metadata) if !metadata.is_file() => {
                unreadable(&called, &InputError::NotRegular.to_string()).into()
            }
            Ok(metadata) => {
                let stamp = Stamp::from_metadata(&metadata);
                let source = PhotoSource { file: path.to_owned(), member: None, stamp };
                self.entry(PhotoFile { source, name: &name, beside: &file_of }, named)
            }
            Err(error) => unreadable(&called, &describe_error(&error)).into(),
        };
        let place = named.map(|named| named.place.to_owned());
        let has_own_id = named.is_some_and(|named| named.line.custom_id.is_some());
        self.emit(EntryDraft { place, has_own_id, ..listed }, sink)
    }

    /// Returns a photo with all information about it.
    fn entry(&mut self, found: PhotoFile, named: Option<NamedLine>) -> EntryDraft {
        let mut id = named.map_or_else(|| found.name.to_owned(), NamedLine::id);
        let mut correction = Correction::default();
        let work = match self.photo_request(&found, named, &mut id) {
            Ok((fields, others, given)) => {
                correction = given;
                let photo = TableRequest::from_photo(found.source);
                EntryWork::Photo(TableRequest { fields, others, ..photo })
            }
            Err(problem) => EntryWork::Refused(problem),
        };
        EntryDraft { correction, ..EntryDraft::from(PlanEntry { id, work }) }
    }

    /// Returns what all sources say about a photo: the fields, whose win contexts must not
    /// contradict each other, the hands of the others, and a person's correction.
    fn photo_request(
        &mut self,
        found: &PhotoFile,
        named: Option<NamedLine>,
        id: &mut String,
    ) -> Result<(PhotoFields, Vec<OtherInRequest<PhotoSource>>, Correction), Problem> {
        let mut context = self.context;
        let mut fields = PhotoFields::default();
        let mut others = Vec::new();
        let mut correction = Correction::default();
        if let Some(NamedLine { line, folder, .. }) = named {
            context = context.merge(&line.context)?;
            correction = line.correction();
            let table = line.clone().table();
            (fields, others) = locate_fields(table, |file| id_of(&folder.join(file)), &file_of)?;
        }
        let row = self.contexts.as_mut().map(|table| table.find(found.name)).transpose()?;
        if let Some((row, root)) = row.flatten() {
            context = context.merge(&row.context)?;
            correction = correction.or(&row.correction());
            let table = row.clone().table();
            let photos = table.others.iter().filter_map(OtherInRequest::as_photo);
            self.read_beside.extend(photos.map(|file| normalize_path(&format!("{root}{file}"))));
            if others.is_empty() {
                let (of_row, others_of_row) =
                    locate_fields(table, |file| format!("{root}{file}"), found.beside)?;
                fields = fields.or(of_row);
                others = others_of_row;
            } else {
                fields = fields.or(table.fields);
            }
            if let Some(called) = &row.custom_id {
                id.clone_from(called);
            }
        }
        if let Some(names) = &self.names {
            let stem = Path::new(found.name).file_stem().unwrap_or_default().to_string_lossy();
            let named = names.read(&stem)?;
            context = context.merge(&named.context)?;
            *id = named.id.unwrap_or(std::mem::take(id));
        }
        let given = Some(self.rulesets.clone()).filter(|rulesets| !rulesets.is_empty());
        let rulesets = fields.scoring.rulesets.or(given);
        let fields = PhotoFields { scoring: Scoring { context, rulesets }, ..fields };
        Ok((fields, others, correction))
    }

    /// Returns whether a row of the table names a photo as that of another player's hand; it has no
    /// row of its own then.
    fn is_of_other(&self, name: &str) -> bool {
        self.contexts.as_ref().is_some_and(|table| table.is_of_other(name))
    }
}

/// Returns why the pictures of a folder are not read if the folder is reached by a link or by a
/// source such as `.` and this program made it.
fn skip_reason_of_link(entry: &DirEntry) -> Option<SkipReason> {
    if entry.depth() > 0 && !entry.path_is_symlink() {
        return None;
    }
    let place = entry.path().canonicalize().ok()?;
    find_own_pictures(&place).map(|(_, reason)| reason)
}

/// Returns the fields of a line and the hands of others, with their photos found by path.
fn locate_fields(
    table: TableRequest<String>,
    path: impl Fn(&str) -> String,
    find: &dyn Fn(&str) -> Option<PhotoSource>,
) -> Result<(PhotoFields, Vec<OtherInRequest<PhotoSource>>), Problem> {
    let TableRequest { fields, others, .. } = table;
    let others = others.into_iter().map(|other| {
        other.try_map_photo(|file, place| {
            let path = path(&file);
            find(&path).ok_or_else(|| {
                let detail = format!("there is no file {path}, or several members are named so");
                let errors = vec![FieldError::new(place.photo(), detail)];
                Problem::with_errors(ProblemKind::MalformedRequest, errors)
            })
        })
    });
    Ok((fields, others.collect::<Result<_, _>>()?))
}

/// Returns a photo in a file of its own, if the file exists.
fn file_of(id: &str) -> Option<PhotoSource> {
    let file = path_of(id);
    let metadata = std::fs::metadata(&file).ok().filter(std::fs::Metadata::is_file)?;
    Some(PhotoSource { file, member: None, stamp: Stamp::from_metadata(&metadata) })
}

/// A photo that exists.
struct PhotoFile<'a> {
    source: PhotoSource,
    /// Id of the path; for a member of an archive, the archive's id followed by the member's name.
    name: &'a str,
    /// Finds another photo by such a name, in the same archive if it is in one.
    beside: &'a dyn Fn(&str) -> Option<PhotoSource>,
}

/// Lines of a list, counted from 1.
struct ListLines<'a> {
    from: &'a mut dyn BufRead,
    end: u8,
    number: u64,
    broken: bool,
}

impl ListLines<'_> {
    fn next(&mut self) -> Option<(u64, io::Result<Vec<u8>>)> {
        if self.broken {
            return None;
        }
        let mut line = Vec::new();
        let read = self.from.take(MAX_LINE + 1).read_until(self.end, &mut line);
        self.number += 1;
        match read {
            Ok(0) => None,
            Ok(_) => {
                let complete = line.pop_if(|last| *last == self.end).is_some();
                if complete || line.len() as u64 <= MAX_LINE {
                    line.pop_if(|last| *last == b'\r');
                    return Some((self.number, Ok(line)));
                }
                let skipped = self.from.skip_until(self.end);
                Some((self.number, skipped.and(Err(io::Error::other("the line is too long")))))
            }
            Err(error) => {
                // Reading again after an error would yield nothing.
                self.broken = true;
                Some((self.number, Err(error)))
            }
        }
    }
}

/// Returns whether a file is a picture by its first bytes, whatever its name.
fn begins_as_picture(path: &Path) -> bool {
    let mut beginning = [0; 64];
    read_beginning(path, &mut beginning).is_ok() && tilesight_stills::begins_as_picture(&beginning)
}

/// Returns whether a file is an archive, by its name or its first bytes.
fn begins_as_archive(path: &Path) -> bool {
    // Opening a pipe would wait for its other end.
    if !path.is_file() {
        return false;
    }
    let mut beginning = [0; 4];
    // A broken archive is reported as an archive, not as a photo of unknown format.
    is_zip(path) || read_beginning(path, &mut beginning).is_ok() && is_archive(&beginning)
}

/// Fills a buffer with the first bytes of a file.
fn read_beginning(path: &Path, bytes: &mut [u8]) -> io::Result<()> {
    let (mut file, _) = input::open(path)?;
    file.read_exact(bytes)
}

/// Opens a file, and returns its stamp too.
fn open_with_stamp(path: &Path) -> io::Result<(Stamp, File)> {
    let (file, _) = input::open(path)?;
    Ok((Stamp::from_metadata(&file.metadata()?), file))
}

/// Returns the index of the only member with a name.
fn find_member(archive: &Archive<BufReader<File>>, name: &str) -> Option<usize> {
    archive.index_of(name).filter(|_| !archive.is_repeated(name))
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

/// Returns a file's error without its path, which is the entry's id.
fn describe_error(error: &io::Error) -> String {
    format!("the file cannot be read: {error}")
}

fn unreadable(id: &str, reason: &str) -> PlanEntry {
    PlanEntry::from_problem(id, Problem::new(ProblemKind::MalformedRequest, reason))
}

/// Returns the problem of a photo whose id is already taken.
fn duplicate_id(id: &str) -> Problem {
    let detail = format!(
        "another photo has the id {id}: give each photo its own, as `custom_id` in a manifest or table"
    );
    let errors = vec![FieldError::new("custom_id", detail)];
    Problem::with_errors(ProblemKind::MalformedRequest, errors)
}

fn beside_nothing(id: &str) -> PlanEntry {
    unreadable(
        id,
        "the context table names it as another player's photo, in a row of no photo here",
    )
}

fn unmatched(file: &str) -> PlanEntry {
    unreadable(file, "the context table names it, but it is not one of the photos")
}

#[cfg(test)]
mod tests;
