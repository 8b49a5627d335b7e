//! Output files named by options, which never destroy other data.
//!
//! Input: the option, the path, the extensions that it may have, and the files that the command
//! reads. Output: an [`OutputFile`], which can be written, or an [`OutputError`] that names the
//! option, the file and what to do. Every option that names an output is checked here, before the
//! command does any work. Invariants: an input is never overwritten, by whatever name, link or
//! spelling it is reached; a file that this program did not write is replaced only with `--force`;
//! a file is replaced as a whole or stays unchanged.
//!
//! The program recognizes its own pictures by a mark that it writes into each: in a PNG the text
//! `Software: tilesight`, right after the header; in an SVG a comment right after the opening tag.
//! An empty file contains no data to lose, and is replaced too.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tilesight_files::replace::replace;
use tilesight_vision::sets::FILE_MARK;

/// Number of bytes at the beginning of a file from which it is recognized.
const HEAD: u64 = 512;
/// The text chunk of a PNG, without length and checksum.
const PNG_MARK: &[u8] = b"tEXtSoftware\0tilesight";
/// Bytes of a PNG before the first chunk after its header: the signature and the header itself.
const PNG_HEADER: usize = 8 + 25;
/// The comment in an SVG.
const SVG_MARK: &str = "<!-- Software: tilesight -->";

/// A file that may be written.
#[derive(Debug, Clone)]
pub(in crate::cli) struct OutputFile {
    path: PathBuf,
    /// Whether an existing file is replaced.
    replaces: bool,
}

/// Error when a file can't be written. The user can correct all of these.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum OutputError {
    /// Error when the name has the wrong extension for the format.
    #[error(
        "{option} {}: a file is written there, and its name must end in {expected}; nothing was read \
         or written. In `{option} *.jpg` the shell puts all names in, and the first one is taken for \
         the output: name the output itself",
        path.display()
    )]
    Ending { option: &'static str, path: PathBuf, expected: String },
    /// Error when the file is also an input of the command.
    #[error(
        "{option} {}: this is the input {}, which would be overwritten: name another file",
        path.display(),
        input.display()
    )]
    Input { option: &'static str, path: PathBuf, input: PathBuf },
    /// Error when another program wrote the file.
    #[error(
        "{option} {}: a file that tilesight did not write is there: name another file, or add --force \
         to overwrite it",
        path.display()
    )]
    Foreign { option: &'static str, path: PathBuf },
    /// Error when a folder, a device or a pipe has this name.
    #[error("{option} {}: this is no regular file: name a file", path.display())]
    NotRegular { option: &'static str, path: PathBuf },
}

/// An option that names an output.
#[derive(Debug, Clone, Copy)]
pub(in crate::cli) struct OutputOption<'a> {
    /// The option as it is typed, such as `--overlay`.
    pub(in crate::cli) name: &'static str,
    /// Extensions that a name may have, without the dot.
    pub(in crate::cli) endings: &'a [&'a str],
    /// Whether `--force` was given.
    pub(in crate::cli) force: bool,
}

impl OutputOption<'_> {
    /// Checks a path against the files that the command reads.
    ///
    /// # Errors
    /// [`OutputError`].
    pub(in crate::cli) fn check<'p>(
        &self,
        path: &Path,
        inputs: impl IntoIterator<Item = &'p Path>,
    ) -> Result<OutputFile, OutputError> {
        let option = self.name;
        let owned = path.to_owned();
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        if !self.endings.iter().any(|known| known.eq_ignore_ascii_case(ending)) {
            let endings: Vec<String> =
                self.endings.iter().map(|known| format!(".{known}")).collect();
            let expected = endings.join(" or ");
            return Err(OutputError::Ending { option, path: owned, expected });
        }
        // Links are followed, because their target would be written.
        let data = match fs::metadata(path) {
            Ok(data) => data,
            Err(_) if fs::symlink_metadata(path).is_ok() => {
                return Err(OutputError::NotRegular { option, path: owned });
            }
            Err(_) => return Ok(OutputFile { path: owned, replaces: false }),
        };
        if !data.is_file() {
            return Err(OutputError::NotRegular { option, path: owned });
        }
        if let Some(input) = inputs.into_iter().find(|input| is_same_file(path, input)) {
            return Err(OutputError::Input { option, path: owned, input: input.to_owned() });
        }
        if data.len() > 0 && !self.force && !is_ours(path) {
            return Err(OutputError::Foreign { option, path: owned });
        }
        Ok(OutputFile { path: owned, replaces: true })
    }
}

impl OutputFile {
    /// Writes a PNG or an SVG with the program's mark in it.
    ///
    /// # Errors
    /// When the disk fails; an existing file is then unchanged.
    pub(in crate::cli) fn write(&self, picture: &[u8]) -> anyhow::Result<()> {
        self.put(&with_mark(picture))
            .with_context(|| format!("{} cannot be written", self.path.display()))
    }

    /// Writes the file of an own set, which begins with a mark of its own.
    ///
    /// # Errors
    /// When the disk fails; an existing file is then unchanged.
    pub(in crate::cli) fn write_set(&self, bytes: &[u8]) -> anyhow::Result<()> {
        self.put(bytes).with_context(|| format!("{} cannot be written", self.path.display()))
    }

    fn put(&self, bytes: &[u8]) -> io::Result<()> {
        if !self.replaces {
            // A file or a dangling link created since the check stays unchanged.
            let mut file = File::create_new(&self.path)?;
            let written = file.write_all(bytes);
            if written.is_err() {
                // An incomplete picture is useless.
                let _ = fs::remove_file(&self.path);
            }
            return written;
        }
        // If the name is a link, the link stays and its target is replaced.
        replace(&self.path.canonicalize()?, bytes)
    }
}

/// Returns whether two paths are the same file on the disk, also by links and other spellings.
pub(in crate::cli) fn is_same_file(one: &Path, other: &Path) -> bool {
    same_file::is_same_file(one, other).unwrap_or(false)
}

/// Returns whether this program wrote a picture.
fn is_ours(path: &Path) -> bool {
    read_head(path).is_some_and(|head| is_marked(&head))
}

/// Returns the first bytes of a regular file, from which the program recognizes its own files;
/// `None` if the file is missing or can't be read.
pub(in crate::cli) fn read_head(path: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let path = Some(path).filter(|path| path.is_file())?;
    File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    Some(head)
}

fn is_marked(head: &[u8]) -> bool {
    if head.starts_with(FILE_MARK.as_bytes()) {
        return true;
    }
    if head.starts_with(b"\x89PNG") {
        return head.get(PNG_HEADER + 4..).is_some_and(|chunk| chunk.starts_with(PNG_MARK));
    }
    head.windows(SVG_MARK.len()).any(|part| part == SVG_MARK.as_bytes())
}

/// Returns the picture with the mark in it.
fn with_mark(picture: &[u8]) -> Vec<u8> {
    let (at, mark) = if picture.starts_with(b"\x89PNG") {
        (PNG_HEADER, png_mark())
    } else {
        // After the opening tag, so that a declaration stays first.
        let opened = picture.iter().position(|&byte| byte == b'>').map_or(0, |at| at + 1);
        (opened, SVG_MARK.as_bytes().to_vec())
    };
    let at = at.min(picture.len());
    [&picture[..at], &mark, &picture[at..]].concat()
}

/// Returns the text chunk of a PNG with its length and its checksum.
fn png_mark() -> Vec<u8> {
    let length = u32::try_from(PNG_MARK.len() - 4).expect("a few bytes");
    let checksum = crc32fast::hash(PNG_MARK);
    [&length.to_be_bytes(), PNG_MARK, &checksum.to_be_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use image::RgbImage;

    use super::*;

    fn png() -> Vec<u8> {
        let mut png = io::Cursor::new(Vec::new());
        RgbImage::new(3, 2).write_to(&mut png, image::ImageFormat::Png).expect("encodes");
        png.into_inner()
    }

    #[test]
    fn pictures_carry_the_mark_and_stay_pictures() {
        let (png, svg) = (png(), br#"<svg xmlns="x"><g/></svg>"#.to_vec());
        for picture in [&png, &svg] {
            assert!(!is_marked(picture));
            assert!(is_marked(&with_mark(picture)));
        }
        let read = image::load_from_memory(&with_mark(&png)).expect("a PNG with a right checksum");
        assert_eq!((read.width(), read.height()), (3, 2));
        let svg = String::from_utf8(with_mark(&svg)).expect("text");
        assert_eq!(svg, r#"<svg xmlns="x"><!-- Software: tilesight --><g/></svg>"#);
    }

    #[test]
    fn other_software_is_not_taken_for_ours() {
        let mut other = with_mark(&png());
        let at = other.windows(9).position(|part| part == b"tilesight").expect("the mark");
        other[at..at + 9].copy_from_slice(b"screenwax");
        assert!(!is_marked(&other));
        for head in [&b""[..], b"\x89PNG", b"\xff\xd8\xff", b"<svg>"] {
            assert!(!is_marked(head), "{head:?}");
        }
    }
}
