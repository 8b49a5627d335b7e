//! Input files that people name, read as a whole up to a limit.
//!
//! Input: a path or a stream, and its maximum size in bytes. Output: the bytes, or the reason why
//! they are not read. Invariants: at most one byte more than the limit is read, whatever size a
//! file claims; only regular files are opened, because a device may never end and a named pipe may
//! never begin.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use tilesight_core::explain::{Lang, Message, display_english};

use crate::texts;

/// Error when an input file is not read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The system can't read the file.
    Unreadable(io::Error),
    /// The file is a device, a named pipe or a socket.
    NotRegular,
    /// The file is larger than the limit.
    TooLarge {
        /// Size of the file, if known.
        size: Option<u64>,
        /// Maximum size.
        limit: usize,
    },
}

display_english!(InputError);

impl Message for InputError {
    fn text(&self, lang: Lang) -> String {
        match self {
            InputError::Unreadable(error) => describe_unreadable(error, lang),
            InputError::NotRegular => texts::input_error::not_regular(lang).to_owned(),
            InputError::TooLarge { limit, .. } => texts::input_error::too_large(lang, limit),
        }
    }
}

/// Returns the message about a file that the system can't read, in a language.
#[must_use]
pub fn describe_unreadable(error: &io::Error, lang: Lang) -> String {
    texts::input_error::unreadable(lang, error)
}

impl From<io::Error> for InputError {
    fn from(error: io::Error) -> InputError {
        InputError::Unreadable(error)
    }
}

impl From<InputError> for io::Error {
    fn from(error: InputError) -> io::Error {
        match error {
            InputError::Unreadable(error) => error,
            InputError::NotRegular => io::Error::new(io::ErrorKind::InvalidInput, error),
            InputError::TooLarge { .. } => io::Error::new(io::ErrorKind::FileTooLarge, error),
        }
    }
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// [`InputError`]. The size is checked before anything is read, and again during reading: files
/// grow, and those of /proc claim to be empty.
pub fn read(path: &Path, limit: usize) -> Result<Vec<u8>, InputError> {
    let (file, size) = open(path)?;
    if size > limit as u64 {
        return Err(InputError::TooLarge { size: Some(size), limit });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(limit).min(limit) + 1);
    fill(file, limit, &mut bytes)?;
    Ok(bytes)
}

/// Reads a regular file of at most `limit` bytes as text.
///
/// # Errors
/// Those of [`read`], and [`io::ErrorKind::InvalidData`] for text that is not UTF-8.
pub fn read_to_string(path: &Path, limit: usize) -> Result<String, InputError> {
    let text = String::from_utf8(read(path, limit)?);
    text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()).into())
}

/// Opens a regular file, and returns its size.
///
/// # Errors
/// [`InputError`].
pub fn open(path: &Path) -> Result<(File, u64), InputError> {
    // The check comes before opening: opening a named pipe waits for its writer, and opening a
    // device may have an effect.
    check_kind(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    let data = file.metadata()?;
    check_kind(&data)?;
    Ok((file, data.len()))
}

/// Reads a stream, such as standard input, of at most `limit` bytes.
///
/// # Errors
/// [`InputError`].
pub fn read_stream(stream: impl Read, limit: usize) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    fill(stream, limit, &mut bytes)?;
    Ok(bytes)
}

fn fill(stream: impl Read, limit: usize, bytes: &mut Vec<u8>) -> Result<(), InputError> {
    stream.take(limit as u64 + 1).read_to_end(bytes)?;
    if bytes.len() > limit {
        return Err(InputError::TooLarge { size: None, limit });
    }
    Ok(())
}

fn check_kind(data: &fs::Metadata) -> Result<(), InputError> {
    if data.is_dir() {
        // The message is the system's own.
        return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
    }
    if data.is_file() { Ok(()) } else { Err(InputError::NotRegular) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let file = std::env::temp_dir().join(format!("tilesight-input-{}", std::process::id()));
        fs::write(&file, "12345").expect("a file");
        assert_eq!(read(&file, 5).expect("it fits"), b"12345");
        let refused = read(&file, 4).expect_err("it is too large");
        assert!(matches!(refused, InputError::TooLarge { size: Some(5), limit: 4 }), "{refused}");
        fs::remove_file(file).expect("its own file");
    }

    #[test]
    fn a_stream_without_an_end_is_left() {
        assert_eq!(read_stream(&b"123"[..], 3).expect("it fits"), b"123");
        let refused = read_stream(io::repeat(0), 1000).expect_err("it has no end");
        assert!(matches!(refused, InputError::TooLarge { size: None, limit: 1000 }), "{refused}");
    }

    #[test]
    fn folders_and_devices_are_not_read() {
        let refused = read(&std::env::temp_dir(), 9).expect_err("it is a folder");
        assert!(
            matches!(&refused, InputError::Unreadable(error) if error.kind() == io::ErrorKind::IsADirectory)
        );
        #[cfg(unix)]
        for device in ["/dev/zero", "/dev/null"] {
            let refused = read(Path::new(device), 9).expect_err("it is a device");
            assert!(matches!(refused, InputError::NotRegular), "{refused}");
        }
    }
}
