//! The pinned ONNX Runtime: the libraries that `make setup` installs on each platform, and their
//! hashes.
//!
//! The only source is `scripts/onnxruntime.json`, and `scripts/onnxruntime-cuda.json` for the build
//! that uses a GPU; the set-up script reads them too.

use std::collections::BTreeMap;
use std::env::consts::{ARCH, OS};
use std::path::{Path, PathBuf};

use serde::Deserialize;
const PINS: &str = include_str!("../../../../../scripts/onnxruntime.json");
const CUDA_PINS: &str = include_str!("../../../../../scripts/onnxruntime-cuda.json");

/// A pinned file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PinnedFile {
    /// Name of the file.
    pub file: String,
    /// SHA-256 of its content, in hex.
    pub sha256: String,
}

/// The library pinned for one platform.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Pin {
    /// The library.
    #[serde(flatten)]
    pub library: PinnedFile,
    /// Libraries that it loads from its own folder.
    #[serde(default)]
    pub beside: Vec<PinnedFile>,
    /// Folder in which `make setup` installs them, relative to the clone.
    #[serde(skip)]
    pub directory: String,
}

#[derive(Debug, Deserialize)]
struct Pins {
    directory: String,
    platforms: BTreeMap<String, Pin>,
}

impl Pin {
    /// Version of ONNX Runtime that this program is made for.
    pub const VERSION: &str = "1.31.1";

    /// Returns the pin for the platform that this program was built for, if there is one.
    #[must_use]
    pub fn for_this_platform() -> Option<Pin> {
        Pin::read(PINS)
    }

    /// Like [`Pin::for_this_platform`], for the build that uses an NVIDIA GPU.
    #[must_use]
    pub(crate) fn with_cuda() -> Option<Pin> {
        Pin::read(CUDA_PINS)
    }

    /// Returns the library in a folder, if it is there.
    pub(super) fn find_in(&self, folder: &Path) -> Option<PathBuf> {
        Some(folder.join(&self.library.file)).filter(|file| file.is_file())
    }

    fn read(pins: &str) -> Option<Pin> {
        let mut pins: Pins = serde_json::from_str(pins).expect("a test reads the compiled-in pins");
        let pin = pins.platforms.remove(&format!("{OS}-{ARCH}"))?;
        Some(Pin { directory: pins.directory, ..pin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_agree_with_the_version() {
        for (pins, platforms) in [(PINS, 4), (CUDA_PINS, 1)] {
            let json: serde_json::Value = serde_json::from_str(pins).unwrap();
            assert_eq!(json["version"], Pin::VERSION);
            let pins: Pins = serde_json::from_str(pins).unwrap();
            assert_eq!(pins.platforms.len(), platforms);
            for (platform, pin) in pins.platforms {
                assert!(pin.library.file.contains(Pin::VERSION), "{platform}");
                for file in pin.beside.iter().chain([&pin.library]) {
                    assert_eq!(file.sha256.len(), 64, "{platform}: {}", file.file);
                }
            }
        }
    }
}
