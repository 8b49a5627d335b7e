//! Manifest of a backup: which files it has, with their sizes and hashes.
//!
//! Invariants: the manifest is written last, so that a backup without it is not complete; a backup
//! of a newer format or of another layout of the database is refused before anything of it is used.

use serde::{Deserialize, Serialize};

use crate::LAYOUT;

/// Name of the file.
pub(super) const MANIFEST: &str = "manifest.json";
/// Mark of the format.
const MARK: &str = "tilesight-backup";
/// Version of the format that this program writes and reads.
const FORMAT: u32 = 1;
/// Maximum size of a manifest in bytes: that of a million photos.
pub(super) const MAX_BYTES: usize = 1 << 28;

/// Manifest of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    #[serde(flatten)]
    head: Head,
    /// Version of the program that wrote the backup.
    pub program: String,
    /// Time at which the backup was begun, in RFC 3339.
    pub created: String,
    /// Layout of the database.
    layout: u32,
    /// Files of the backup.
    pub files: Vec<FileEntry>,
}

/// Fields that every version has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
}

/// File of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Path in the backup.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 in hex.
    pub sha256: String,
}

/// Error when a manifest can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// The file is not a manifest.
    #[error("{MANIFEST} is broken or of another program")]
    Broken,
    /// A newer program wrote the backup.
    #[error(
        "a newer version of the program wrote this backup (its format is {found}; this program \
         knows {FORMAT}): restore it with that version"
    )]
    Newer {
        /// Format of the backup.
        found: u32,
    },
    /// The database has another layout than this program's.
    #[error(
        "version {program} of the program wrote this backup (the layout of its database is {found}; \
         this program knows {}): restore it with that version",
        LAYOUT
    )]
    Layout {
        /// Version of the program that wrote the backup.
        program: String,
        /// Layout of the database.
        found: u32,
    },
}

impl Manifest {
    /// Creates the manifest of files that this program has written.
    pub(super) fn new(created: String, files: Vec<FileEntry>) -> Manifest {
        Manifest {
            head: Head { format: MARK.to_owned(), version: FORMAT },
            program: env!("CARGO_PKG_VERSION").to_owned(),
            created,
            layout: LAYOUT,
            files,
        }
    }

    /// Parses a manifest.
    ///
    /// # Errors
    /// [`ManifestError`].
    pub(super) fn parse(bytes: &[u8]) -> Result<Manifest, ManifestError> {
        let head: Head = serde_json::from_slice(bytes).map_err(|_| ManifestError::Broken)?;
        if head.format != MARK {
            return Err(ManifestError::Broken);
        }
        if head.version > FORMAT {
            return Err(ManifestError::Newer { found: head.version });
        }
        let manifest: Manifest =
            serde_json::from_slice(bytes).map_err(|_| ManifestError::Broken)?;
        if manifest.layout != LAYOUT {
            let Manifest { program, layout: found, .. } = manifest;
            return Err(ManifestError::Layout { program, found });
        }
        Ok(manifest)
    }

    /// Returns the size of all files in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Parses a manifest with another value of a field.
    fn parse_with(written: &Value, field: &str, value: Value) -> Result<Manifest, ManifestError> {
        let mut changed = written.clone();
        changed[field] = value;
        Manifest::parse(changed.to_string().as_bytes())
    }

    #[test]
    fn a_manifest_is_read_as_written_and_others_are_refused() {
        let file = FileEntry { path: "keys.txt".to_owned(), bytes: 3, sha256: "00".repeat(32) };
        let manifest = Manifest::new("2026-11-30T00:00:00Z".to_owned(), vec![file]);
        let written = serde_json::to_value(&manifest).expect("JSON");
        assert_eq!(parse_with(&written, "version", json!(1)), Ok(manifest));
        assert_eq!(
            parse_with(&written, "version", json!(2)),
            Err(ManifestError::Newer { found: 2 })
        );
        assert_eq!(parse_with(&written, "format", json!("other")), Err(ManifestError::Broken));
        assert_eq!(parse_with(&written, "files", Value::Null), Err(ManifestError::Broken));
        let other = parse_with(&written, "layout", json!(LAYOUT + 1));
        assert!(matches!(other, Err(ManifestError::Layout { .. })), "{other:?}");
        assert_eq!(Manifest::parse(b"{"), Err(ManifestError::Broken));
    }
}
