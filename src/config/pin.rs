//! The pinned ONNX Runtime: which library `make setup` brings to which platform, and its hash.
//!
//! The one source is `scripts/onnxruntime.json`, which the set-up script reads too.

use std::collections::BTreeMap;
use std::env::consts::{ARCH, OS};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::hex;

const PINS: &str = include_str!("../../scripts/onnxruntime.json");

/// Bytes of a file that are hashed at a time: a library of 29 MB is never in memory as a whole.
const BLOCK: usize = 1 << 18;

/// The library pinned for one platform.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Pin {
    /// Its file name.
    pub file: String,
    /// The SHA-256 of its content, in hex.
    pub sha256: String,
}

#[derive(Debug, Deserialize)]
struct Pins {
    platforms: BTreeMap<String, Pin>,
}

impl Pin {
    /// The version of ONNX Runtime that this program is made for.
    pub const VERSION: &str = "1.31.1";
    /// Where `make setup` puts it, below the clone.
    pub const DIRECTORY: &str = ".onnxruntime";

    /// The pin for the platform that this program was built for, where there is one.
    #[must_use]
    pub fn of_this_platform() -> Option<Pin> {
        let mut pins: Pins = serde_json::from_str(PINS).expect("a test reads the compiled-in pins");
        pins.platforms.remove(&format!("{OS}-{ARCH}"))
    }
}

/// The SHA-256 of a file in hex.
///
/// # Errors
/// When the file can't be read.
pub fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut block = vec![0; BLOCK];
    let mut digest = Sha256::new();
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(hex::of(&digest.finalize())),
            Ok(count) => digest.update(&block[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The SHA-256 of bytes in hex.
pub(crate) fn sha256_of(bytes: &[u8]) -> String {
    hex::of(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_agree_with_the_constants() {
        let json: serde_json::Value = serde_json::from_str(PINS).unwrap();
        assert_eq!(json["version"], Pin::VERSION);
        assert_eq!(json["directory"], Pin::DIRECTORY);
        let pins: Pins = serde_json::from_str(PINS).unwrap();
        assert_eq!(pins.platforms.len(), 3);
        for (platform, pin) in pins.platforms {
            assert_eq!(pin.sha256.len(), 64, "{platform}");
            assert!(pin.file.contains(Pin::VERSION), "{platform}");
        }
    }
}
