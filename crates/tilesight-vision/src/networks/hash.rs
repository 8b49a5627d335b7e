//! SHA-256 of files and of bytes, as the manifest and the pins give it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use sha2::{Digest, Sha256};
use tilesight_core::hex;

/// Number of bytes that are hashed at a time, so that a library of 29 MB is never in memory as a
/// whole.
const BLOCK: usize = 1 << 18;

/// Returns the SHA-256 of a file in hex.
///
/// # Errors
/// When the file can't be read.
pub fn sha256(path: &Path) -> io::Result<String> {
    let mut file = open_regular(path)?;
    let mut block = vec![0; BLOCK];
    let mut digest = Sha256::new();
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(hex::encode(&digest.finalize())),
            Ok(count) => digest.update(&block[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Opens a regular file. A link may lead to a device, which has no end, or to a named pipe, which
/// may have no beginning.
///
/// # Errors
/// When the file is of another kind, or can't be opened.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    File::open(path)
}

/// Returns the SHA-256 of bytes in hex.
pub(crate) fn sha256_of(bytes: &[u8]) -> String {
    hex::encode(&Sha256::digest(bytes))
}
