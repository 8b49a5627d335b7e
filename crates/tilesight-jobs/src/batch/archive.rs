//! ZIP archives of photos, read member by member.
//!
//! Input: a seekable archive. Output: the names of its pictures in the order of its directory, and
//! the bytes of one picture at a time. Invariants: nothing is unpacked to disk, and no member's
//! name becomes a path: a name keeps only the parts that stay below the archive, and gets a number
//! if another member already has it, so that every member can be named. No member takes more memory
//! than the limit, or more work than its declared size: a member that declares more than the limit
//! is not unpacked at all, and a member that declares too little is cut off at the declared size.
//! No two members share bytes, so the size of the input bounds the size of the output.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_core::explain::{Lang, Message, display_english};
use tilesight_files::input::describe_unreadable;
use zip::read::{Config, OwnedZipFileEntry};
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, ZipReadOptions};

use super::ids::{RowIds, id_of_member, member_name};
use super::pictures::{is_hidden, is_picture, is_zip};
use crate::texts;

/// First bytes of a ZIP archive: with members, and empty.
const BEGINNINGS: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
/// Signature of the header before a member's bytes, and the size of that header up to the name.
const HEADER: &[u8] = b"PK\x03\x04";
const HEADER_BYTES: usize = 30;
/// Maximum number of bytes of a member's name to keep, counted from its end: file systems allow
/// fewer, and names of 64 kB each would take more memory than photos.
const MAX_NAME: usize = 1_024;

/// Error when an archive or one of its members can't be read. The author of the archive can fix all
/// of these.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The file is damaged, or not a ZIP archive.
    Broken(String),
    /// A member requires a password.
    Encrypted,
    /// A member uses an unsupported compression method.
    Method(u16),
    /// A member is itself an archive.
    Nested,
    /// A member exceeds the size limit for photos.
    TooLarge {
        /// Limit in bytes.
        limit: usize,
    },
    /// Two members share bytes, which would let a small archive unpack to a huge amount of data.
    Overlapping,
    /// The archive's file can't be read.
    Io(io::Error),
}

display_english!(ArchiveError);

impl Message for ArchiveError {
    fn text(&self, lang: Lang) -> String {
        match self {
            ArchiveError::Broken(what) => texts::archive_error::broken(lang, what),
            ArchiveError::Encrypted => texts::archive_error::encrypted(lang).to_owned(),
            ArchiveError::Method(method) => texts::archive_error::method(lang, method),
            ArchiveError::Nested => texts::archive_error::nested(lang).to_owned(),
            ArchiveError::TooLarge { limit } => texts::archive_error::too_large(lang, limit),
            ArchiveError::Overlapping => texts::archive_error::overlapping(lang).to_owned(),
            ArchiveError::Io(error) => describe_unreadable(error, lang),
        }
    }
}

impl From<ZipError> for ArchiveError {
    fn from(error: ZipError) -> ArchiveError {
        match error {
            // A truncated archive ends early; every other I/O error comes from the disk.
            ZipError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                ArchiveError::Broken("it ends too early".to_owned())
            }
            ZipError::Io(error) => ArchiveError::Io(error),
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)
            | ZipError::InvalidPassword => ArchiveError::Encrypted,
            ZipError::CompressionMethodNotSupported(method) => ArchiveError::Method(method),
            error => ArchiveError::Broken(error.to_string()),
        }
    }
}

impl From<&ArchiveError> for Problem {
    fn from(error: &ArchiveError) -> Problem {
        let kind = match error {
            ArchiveError::TooLarge { .. } => ProblemKind::TooLarge,
            ArchiveError::Encrypted | ArchiveError::Method(_) | ArchiveError::Nested => {
                ProblemKind::UnsupportedMedia
            }
            ArchiveError::Broken(_) | ArchiveError::Overlapping | ArchiveError::Io(_) => {
                ProblemKind::MalformedRequest
            }
        };
        Problem::from_message(kind, error)
    }
}

/// Picture in an archive, or a nested archive, which is refused on reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Name with its folders, unique in the archive.
    pub name: String,
    /// Index in the archive's directory.
    pub place: usize,
    /// Unpacked size in bytes, as the directory declares it.
    pub size: u64,
}

/// Open ZIP archive.
pub struct Archive<R> {
    file: R,
    entries: Vec<OwnedZipFileEntry>,
    /// Name of each entry.
    names: Vec<String>,
    indices: HashMap<String, usize>,
    /// Names that several entries have in the directory.
    repeated: HashSet<String>,
    unpacked: u64,
}

/// Returns whether a file begins like a ZIP archive.
#[must_use]
pub fn is_archive(beginning: &[u8]) -> bool {
    BEGINNINGS.iter().any(|magic| beginning.starts_with(magic))
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the directory of an archive.
    ///
    /// # Errors
    /// [`ArchiveError`] when the directory is missing, or when members overlap.
    pub fn open(mut file: R) -> Result<Archive<R>, ArchiveError> {
        // An index by name, as `ZipArchive` has, keeps only one of several members with the same
        // name.
        let mut listed = ZipIterable::try_new(&mut file, Config::default())?;
        let entries = listed
            .files()?
            .map(|entry| Ok(OwnedZipFileEntry::from(entry?)))
            .collect::<Result<Vec<_>, ZipError>>()?;
        let mut ids = RowIds::default();
        let mut repeated = HashSet::new();
        let mut names = Vec::with_capacity(entries.len());
        for entry in &entries {
            let wanted = name_in(entry);
            let name = ids.free(&wanted);
            if name != wanted {
                repeated.insert(wanted);
            }
            names.push(name);
        }
        let indices = names.iter().cloned().zip(0..).collect();
        let mut archive = Archive { file, entries, names, indices, repeated, unpacked: 0 };
        if archive.overlaps() { Err(ArchiveError::Overlapping) } else { Ok(archive) }
    }

    /// Returns whether two members share bytes, their headers included.
    ///
    /// A member whose header can't be read is skipped: reading it is an error of its own.
    fn overlaps(&mut self) -> bool {
        let mut ranges: Vec<(u64, u64)> =
            (0..self.entries.len()).filter_map(|place| self.range(place)).collect();
        ranges.sort_unstable();
        ranges.windows(2).any(|pair| pair[0].1 > pair[1].0)
    }

    /// Returns the offsets at which a member's header begins and its bytes end.
    fn range(&mut self, place: usize) -> Option<(u64, u64)> {
        let entry = &self.entries[place];
        let start = entry.header_start();
        let packed = entry.compressed_size();
        let mut header = [0; HEADER_BYTES];
        self.file.seek(SeekFrom::Start(start)).ok()?;
        self.file.read_exact(&mut header).ok()?;
        // The last fields of the header are the lengths of the name and of the extra field, which
        // both precede the bytes.
        let [.., low, high, extra_low, extra_high] = header;
        let name = u64::from(u16::from_le_bytes([low, high]));
        let extra = u64::from(u16::from_le_bytes([extra_low, extra_high]));
        let before = HEADER_BYTES as u64 + name + extra;
        let end = start.saturating_add(before).saturating_add(packed);
        header.starts_with(HEADER).then_some((start, end))
    }

    /// Returns the pictures in the order of the archive's directory, and nested archives, which
    /// can't be read.
    pub fn pictures(&self) -> impl Iterator<Item = Member> + '_ {
        let named = self.names.iter().zip(&self.entries).enumerate();
        named.filter(|(_, (_, entry))| is_listed(entry)).map(|(place, (name, entry))| Member {
            name: name.clone(),
            place,
            size: entry.size(),
        })
    }

    /// Returns the index of the member with a name.
    #[must_use]
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.indices.get(name).copied()
    }

    /// Returns whether several members have this name, so that it is ambiguous.
    #[must_use]
    pub fn is_repeated(&self, name: &str) -> bool {
        self.repeated.contains(name)
    }

    /// Returns the total number of bytes unpacked so far, including those of members that failed.
    #[must_use]
    pub const fn unpacked(&self) -> u64 {
        self.unpacked
    }

    /// Returns the bytes of a member, at most `limit` of them.
    ///
    /// # Errors
    /// [`ArchiveError`] when the member is damaged, larger than declared, encrypted, compressed by
    /// an unsupported method, an archive itself, or too large.
    pub fn read(&mut self, place: usize, limit: usize) -> Result<Vec<u8>, ArchiveError> {
        let entry = self.entries.get(place).ok_or(ZipError::FileNotFound)?;
        if is_zip(Path::new(&name_in(entry))) {
            return Err(ArchiveError::Nested);
        }
        if entry.encrypted() {
            return Err(ArchiveError::Encrypted);
        }
        if let Some(method) = unknown_method(entry) {
            return Err(ArchiveError::Method(method));
        }
        let declared = entry.size();
        let member = entry.as_ref().with_reader(&mut self.file, ZipReadOptions::new())?;
        let Some(size) = usize::try_from(declared).ok().filter(|&size| size <= limit) else {
            return Err(ArchiveError::TooLarge { limit });
        };
        let mut bytes = Vec::with_capacity(size);
        // Reads one byte more than declared: the size and the checksum are only compared at the
        // very end.
        let read = member.take(declared.saturating_add(1)).read_to_end(&mut bytes);
        self.unpacked = self.unpacked.saturating_add(bytes.len() as u64);
        // A member that can't be unpacked, or whose size or checksum differs, means a broken
        // archive.
        read.map(|_| bytes).map_err(|error| ArchiveError::Broken(error.to_string()))
    }
}

/// Returns the name of an entry, which need not be unique.
fn name_in(entry: &OwnedZipFileEntry) -> String {
    let name = entry.name().unwrap_or_else(|_| String::from_utf8_lossy(entry.name_raw()));
    let end = name.ceil_char_boundary(name.len().saturating_sub(MAX_NAME));
    id_of_member(&member_name(&name[end..]))
}

/// Returns the number of an unsupported compression method.
#[expect(deprecated, reason = "nothing else has the number")]
fn unknown_method(entry: &OwnedZipFileEntry) -> Option<u16> {
    match entry.compression() {
        CompressionMethod::Unsupported(method) => Some(method),
        _ => None,
    }
}

/// Returns whether an entry is meant to be read. A folder entry that has bytes counts as a file.
fn is_listed(entry: &OwnedZipFileEntry) -> bool {
    let name = name_in(entry);
    let path = Path::new(&name);
    let is_folder = entry.is_dir() && entry.size() == 0;
    !is_folder && (is_picture(path) || is_zip(path) && !is_hidden(path))
}

impl<R> fmt::Debug for Archive<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn packed(members: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in members {
            let options = SimpleFileOptions::default().compression_method(method);
            zip.start_file(*name, options).expect("a name");
            zip.write_all(bytes).expect("memory");
        }
        zip.finish().expect("memory").into_inner()
    }

    #[test]
    fn pictures_come_in_the_order_of_the_directory() {
        let members: [(&str, &[u8]); 7] = [
            ("b.jpg", b"one"),
            ("a.txt", b"no picture"),
            ("folder/a.PNG", b"two"),
            ("__MACOSX/._b.jpg", b"a fork"),
            ("../../c.webp", b"three"),
            (r"..\..\club\d.jpg", b"four"),
            ("e.jpg/", b""),
        ];
        let bytes = packed(&members, CompressionMethod::Deflated);
        assert!(is_archive(&bytes));
        let mut archive = Archive::open(Cursor::new(bytes)).expect("an archive");
        let pictures: Vec<Member> = archive.pictures().collect();
        let names: Vec<_> = pictures.iter().map(|member| member.name.as_str()).collect();
        assert_eq!(names, ["b.jpg", "folder/a.PNG", "c.webp", "club/d.jpg"]);
        let contents: Vec<_> = pictures
            .iter()
            .map(|member| archive.read(member.place, 10).expect("a member"))
            .collect();
        assert_eq!(contents, [b"one".as_slice(), b"two", b"three", b"four"]);
        assert_eq!(archive.index_of("folder/a.PNG"), Some(2));
    }

    /// Renames members after writing, because the writer refuses two members with the same name.
    /// Both names must have the same length.
    fn renamed(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
        assert_eq!(from.len(), to.len());
        for at in 0..=bytes.len() - from.len() {
            if &bytes[at..at + from.len()] == from {
                bytes[at..at + to.len()].copy_from_slice(to);
            }
        }
        bytes
    }

    #[test]
    fn members_of_one_name_are_all_there() {
        let members: [(&str, &[u8]); 5] = [
            ("a.jpg", b"one"),
            ("b.jpg", b"two"),
            (r"x\a.jpg", b"three"),
            ("../x/a.jpg", b"four"),
            ("c.jpg", b"five"),
        ];
        let repeated = renamed(packed(&members, CompressionMethod::Stored), b"b.jpg", b"a.jpg");
        // A name in CP437, as old programs write it.
        let bytes = renamed(repeated, b"c.jpg", b"\x82.jpg");
        let mut archive = Archive::open(Cursor::new(bytes)).expect("an archive");
        let pictures: Vec<Member> = archive.pictures().collect();
        let names: Vec<_> = pictures.iter().map(|member| member.name.as_str()).collect();
        assert_eq!(names, ["a.jpg", "a.jpg#2", "x/a.jpg", "x/a.jpg#2", "é.jpg"]);
        let contents = pictures.iter().map(|member| archive.read(member.place, 10).expect("bytes"));
        assert_eq!(contents.collect::<Vec<_>>().concat(), b"onetwothreefourfive");
        assert!(archive.is_repeated("a.jpg") && !archive.is_repeated("x/a.jpg#2"));
    }

    #[test]
    fn long_names_are_cut_at_their_beginning() {
        let long = format!("é{}.jpg", "ü".repeat(1_000));
        let bytes = packed(&[(&long, b"one"), ("b.jpg", b"two")], CompressionMethod::Stored);
        let archive = Archive::open(Cursor::new(bytes)).expect("an archive");
        let member = archive.pictures().next().expect("a picture");
        assert_eq!(member.name, format!("{}.jpg", "ü".repeat((MAX_NAME - 4) / 2)));
    }

    #[test]
    fn members_that_cannot_be_unpacked_are_refused_by_name() {
        let members: [(&str, &[u8]); 3] =
            [("a.jpg", b"one"), ("more/old.zip", b"two"), (".hidden.zip", b"three")];
        let mut bytes = packed(&members, CompressionMethod::Stored);
        // The flags of the first member in the directory: marks it as encrypted.
        let entry = bytes.windows(4).position(|four| four == b"PK\x01\x02").expect("an entry");
        bytes[entry + 8] |= 1;
        let mut archive = Archive::open(Cursor::new(bytes)).expect("an archive");
        let names: Vec<_> = archive.pictures().map(|member| member.name).collect();
        assert_eq!(names, ["a.jpg", "more/old.zip"]);
        let error = archive.read(0, 10).expect_err("encrypted");
        assert!(matches!(error, ArchiveError::Encrypted), "{error:?}");
        let error = archive.read(1, 10).expect_err("nested");
        assert!(matches!(error, ArchiveError::Nested), "{error:?}");
    }

    #[test]
    fn a_member_declared_too_large_is_not_unpacked() {
        let bytes = packed(&[("a.jpg", &vec![0; 50_000_000])], CompressionMethod::Deflated);
        assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
        let mut archive = Archive::open(Cursor::new(bytes)).expect("an archive");
        let error = archive.read(0, 1_000_000).expect_err("too large");
        assert!(matches!(error, ArchiveError::TooLarge { limit: 1_000_000 }), "{error:?}");
        assert_eq!(Problem::from(&error).kind, ProblemKind::TooLarge);
        assert_eq!(archive.unpacked(), 0);
    }

    #[test]
    fn a_lie_about_the_size_is_found_where_it_begins() {
        let real = 5_000_000_u32;
        let declared = 1_000_u32;
        let photo = vec![0; real as usize];
        let mut bytes = packed(&[("a.jpg", &photo)], CompressionMethod::Deflated);
        for at in 0..bytes.len() - 4 {
            if bytes[at..at + 4] == real.to_le_bytes() {
                bytes[at..at + 4].copy_from_slice(&declared.to_le_bytes());
            }
        }
        let mut archive = Archive::open(Cursor::new(bytes)).expect("an archive");
        let size = archive.pictures().next().expect("a picture").size;
        assert_eq!(size, u64::from(declared));
        let error = archive.read(0, 10_000_000).expect_err("a lie");
        assert!(matches!(error, ArchiveError::Broken(_)), "{error:?}");
        assert!(archive.unpacked() <= u64::from(declared) + 1, "{}", archive.unpacked());
    }

    #[test]
    fn every_byte_counts_whatever_becomes_of_it() {
        let photo = [7; 1000];
        let mut bytes = packed(&[("a.jpg", &photo), ("b.jpg", &photo)], CompressionMethod::Stored);
        let at = bytes.windows(9).position(|bytes| *bytes == [7; 9]).expect("stored as it is");
        bytes[at] = 8;
        let mut archive = Archive::open(Cursor::new(bytes)).expect("an archive");
        let error = archive.read(0, 5000).expect_err("another checksum");
        assert!(matches!(error, ArchiveError::Broken(_)), "{error:?}");
        assert_eq!(archive.unpacked(), 1000);
        archive.read(1, 5000).expect("the other one is fine");
        assert_eq!(archive.unpacked(), 2000);
    }

    #[test]
    fn members_that_share_bytes_are_refused() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default();
        zip.start_file("a.jpg", options).expect("a name");
        zip.write_all(&[0; 100_000]).expect("memory");
        zip.shallow_copy_file("a.jpg", "b.jpg").expect("a second entry for the same bytes");
        let bytes = zip.finish().expect("memory").into_inner();
        let error = Archive::open(Cursor::new(bytes)).expect_err("they overlap");
        assert!(matches!(error, ArchiveError::Overlapping), "{error:?}");
        assert_eq!(Problem::from(&error).kind, ProblemKind::MalformedRequest);
    }

    fn read_all(bytes: &[u8]) -> Result<(), ArchiveError> {
        let mut archive = Archive::open(Cursor::new(bytes))?;
        let members: Vec<_> = archive.pictures().collect();
        for member in members {
            archive.read(member.place, 100)?;
        }
        Ok(())
    }

    #[test]
    fn damage_is_an_error_wherever_it_is() {
        let whole = packed(&[("a.jpg", b"photo"), ("b.jpg", b"other")], CompressionMethod::Stored);
        read_all(&whole).expect("whole");
        for cut in 1..whole.len() {
            let error = read_all(&whole[..whole.len() - cut]).expect_err("cut off");
            assert!(matches!(error, ArchiveError::Broken(_)), "{cut}: {error:?}");
        }
        let mut changed = whole;
        let at = changed.windows(5).position(|bytes| bytes == b"photo").expect("stored as it is");
        changed[at] ^= 1;
        let error = read_all(&changed).expect_err("another checksum");
        assert!(matches!(error, ArchiveError::Broken(_)), "{error:?}");
    }
}
