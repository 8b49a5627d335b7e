//! ZIP archives of photos, read member by member.
//!
//! Input: an archive that can be sought in. Output: the names of its pictures in the order of its
//! directory, and the bytes of one at a time. Invariant: nothing is unpacked to the disk, no name of a
//! member becomes a path, and no member takes more memory than the limit, whatever it claims.

use std::fmt;
use std::io::{self, Read, Seek};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use super::pictures::is_picture;
use crate::contract::{Problem, ProblemKind};

/// How every ZIP archive that has members begins, and one without.
const BEGINNINGS: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Why an archive or a member of it can't be read. Whoever made the archive can mend these.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// It is no ZIP archive, or a damaged one.
    #[error("the ZIP archive is broken: {0}")]
    Broken(String),
    /// A member needs a password.
    #[error("it is encrypted: send it without a password")]
    Encrypted,
    /// A member is packed in a way that is not read here.
    #[error("it is packed by method {0}: send it stored or deflated")]
    Method(u16),
    /// A member is larger than photos may be.
    #[error("it has more than {limit} bytes; that is the most a photo may have")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// The archive can't be read from where it is.
    #[error("the file cannot be read: {0}")]
    Io(io::Error),
}

impl From<ZipError> for ArchiveError {
    fn from(error: ZipError) -> ArchiveError {
        match error {
            // A cut-off archive ends early; everything else is the disk's.
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
            ArchiveError::Encrypted | ArchiveError::Method(_) => ProblemKind::UnsupportedMedia,
            ArchiveError::Broken(_) | ArchiveError::Io(_) => ProblemKind::MalformedRequest,
        };
        Problem::new(kind, error.to_string())
    }
}

/// A picture in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name, folders included.
    pub name: String,
    /// Its place in the archive's directory.
    pub place: usize,
}

/// An open archive.
pub struct Archive<R> {
    zip: ZipArchive<R>,
}

/// Whether a file begins as archives do.
#[must_use]
pub fn is_archive(beginning: &[u8]) -> bool {
    BEGINNINGS.iter().any(|magic| beginning.starts_with(magic))
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the directory of an archive.
    ///
    /// # Errors
    /// [`ArchiveError`] when it has none.
    pub fn open(file: R) -> Result<Archive<R>, ArchiveError> {
        Ok(Archive { zip: ZipArchive::new(file)? })
    }

    /// The pictures, in the order of the archive's directory; names that are no text are errors in
    /// their place.
    pub fn pictures(&self) -> impl Iterator<Item = Result<Member, ArchiveError>> + '_ {
        let names =
            (0..self.zip.len()).filter_map(|place| Some((place, self.zip.name_for_index(place)?)));
        names.filter_map(|(place, name)| match name {
            Ok(name) if is_picture(Path::new(&*name)) => {
                Some(Ok(Member { name: name.into_owned(), place }))
            }
            Ok(_) => None,
            Err(error) => Some(Err(error.into())),
        })
    }

    /// The place of the member of a name.
    #[must_use]
    pub fn place_of(&self, name: &str) -> Option<usize> {
        self.zip.index_for_name(name)
    }

    /// The bytes of a member, at most `limit` of them.
    ///
    /// # Errors
    /// [`ArchiveError`] when it is damaged, encrypted, packed in another way or too large.
    pub fn read(&mut self, place: usize, limit: usize) -> Result<Vec<u8>, ArchiveError> {
        let too_large = ArchiveError::TooLarge { limit };
        let member = self.zip.by_index(place)?;
        // Only a hint is taken from what it claims; the limit is on what really comes out.
        let mut bytes =
            Vec::with_capacity(usize::try_from(member.size()).unwrap_or(limit).min(limit));
        let read = member.take(limit as u64 + 1).read_to_end(&mut bytes);
        match read {
            Ok(_) if bytes.len() > limit => Err(too_large),
            Ok(_) => Ok(bytes),
            // What can't be unpacked, or has another checksum than it should, is the archive's fault.
            Err(error) => Err(ArchiveError::Broken(error.to_string())),
        }
    }
}

impl<R> fmt::Debug for Archive<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

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
        let members: [(&str, &[u8]); 5] = [
            ("b.jpg", b"one"),
            ("a.txt", b"no picture"),
            ("folder/a.PNG", b"two"),
            ("__MACOSX/._b.jpg", b"a fork"),
            ("../../c.webp", b"three"),
        ];
        let bytes = packed(&members, CompressionMethod::Deflated);
        assert!(is_archive(&bytes));
        let mut archive = Archive::open(Cursor::new(bytes)).expect("an archive");
        let pictures: Vec<Member> = archive.pictures().collect::<Result<_, _>>().expect("names");
        let names: Vec<_> = pictures.iter().map(|member| member.name.as_str()).collect();
        assert_eq!(names, ["b.jpg", "folder/a.PNG", "../../c.webp"]);
        let contents: Vec<_> = pictures
            .iter()
            .map(|member| archive.read(member.place, 10).expect("a member"))
            .collect();
        assert_eq!(contents, [b"one".as_slice(), b"two", b"three"]);
        assert_eq!(archive.place_of("folder/a.PNG"), Some(2));
    }

    #[test]
    fn a_bomb_is_stopped_at_the_limit() {
        let bytes = packed(&[("a.jpg", &vec![0; 50_000_000])], CompressionMethod::Deflated);
        assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
        let mut archive = Archive::open(Cursor::new(bytes)).expect("an archive");
        let error = archive.read(0, 1_000_000).expect_err("too large");
        assert!(matches!(error, ArchiveError::TooLarge { limit: 1_000_000 }), "{error:?}");
        assert_eq!(Problem::from(&error).kind, ProblemKind::TooLarge);
    }

    #[test]
    fn damage_is_an_error_wherever_it_is() {
        let whole = packed(&[("a.jpg", b"photo"), ("b.jpg", b"other")], CompressionMethod::Stored);
        let fine = |bytes: &[u8]| -> Result<(), ArchiveError> {
            let mut archive = Archive::open(Cursor::new(bytes))?;
            let members: Vec<_> = archive.pictures().collect::<Result<_, _>>()?;
            for member in members {
                archive.read(member.place, 100)?;
            }
            Ok(())
        };
        fine(&whole).expect("whole");
        for cut in 1..whole.len() {
            let error = fine(&whole[..whole.len() - cut]).expect_err("cut off");
            assert!(matches!(error, ArchiveError::Broken(_)), "{cut}: {error:?}");
        }
        let mut changed = whole;
        let at = changed.windows(5).position(|bytes| bytes == b"photo").expect("stored as it is");
        changed[at] ^= 1;
        let error = fine(&changed).expect_err("another checksum");
        assert!(matches!(error, ArchiveError::Broken(_)), "{error:?}");
    }
}
