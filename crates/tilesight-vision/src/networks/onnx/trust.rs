//! Checks of files that are used only with a known hash: compiled into this program, or given by a
//! setting.
//!
//! A library is code, so its path is checked too: it is loaded by path after it was hashed, and a
//! user who can write to that path could replace it in between. A path that every user can write to
//! is therefore rejected; its owner, its group and the administrator are trusted, as they are with
//! the program itself.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::networks::{ModelError, ModelPaths, sha256};

/// Source of a trusted hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// The file's hash is compiled into this program.
    BuiltIn,
    /// A setting gives the file's hash.
    Given,
}

/// A file whose hash is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrustedFile {
    /// Path of the file.
    pub path: PathBuf,
    /// SHA-256 of the file in hex.
    pub sha256: String,
    /// Source of that hash.
    pub trust: Trust,
}

/// Kind of a file with a hash, which decides on the setting with its hash and on the advice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HashedFile {
    /// Manifest of the models.
    Manifest,
    /// ONNX Runtime.
    Library,
    /// Library that ONNX Runtime loads itself to use a GPU.
    CudaProvider,
}

impl HashedFile {
    /// Returns the file if it has one of the `built_in` hashes, or one that a setting gives. Hashes
    /// of a setting are separated by commas and replace the compiled-in ones.
    pub(super) fn trust(
        self,
        paths: &ModelPaths,
        built_in: &[String],
        path: PathBuf,
        sha256: String,
    ) -> Result<TrustedFile, ModelError> {
        let is_given = self
            .given_hashes(paths)
            .map(|given| given.split(',').any(|one| one.trim().eq_ignore_ascii_case(&sha256)));
        let trust = match (is_given, built_in.contains(&sha256)) {
            (None | Some(true), true) => Trust::BuiltIn,
            (Some(true), false) => Trust::Given,
            (None, false) | (Some(false), _) => {
                let (reason, advice) = self.refusal(paths);
                return Err(ModelError::Refused { path, sha256, reason, advice });
            }
        };
        Ok(TrustedFile { path, sha256, trust })
    }

    /// Like [`HashedFile::trust`], for a file of code, which is hashed here. Links are resolved, so
    /// that the path that is loaded is the one that was checked.
    pub(super) fn trust_code(
        self,
        paths: &ModelPaths,
        built_in: &[String],
        path: &Path,
    ) -> Result<TrustedFile, ModelError> {
        let real = path.canonicalize().map_err(|error| not_read(path, &error))?;
        if let Some(exposed) = find_exposed(&real) {
            return Err(ModelError::Exposed { path: exposed });
        }
        let found = sha256(&real).map_err(|error| not_read(path, &error))?;
        self.trust(paths, built_in, real, found)
    }

    /// Returns the hashes that a setting gives.
    fn given_hashes(self, paths: &ModelPaths) -> Option<&str> {
        match self {
            HashedFile::Manifest => paths.models_sha256.as_deref(),
            HashedFile::Library | HashedFile::CudaProvider => paths.library_sha256.as_deref(),
        }
    }

    /// Returns the reason why a file with an unknown hash is refused, and advice.
    fn refusal(self, paths: &ModelPaths) -> (&'static str, &'static str) {
        let has_hash = self.given_hashes(paths).is_some();
        match self {
            HashedFile::Manifest if has_hash => (
                "TILESIGHT_MODELS_SHA256 names another hash",
                "correct the variable, or unset it to use the models that the program was built \
                 with",
            ),
            HashedFile::Manifest if paths.models.is_some() => (
                "it is not the manifest that this program was built with",
                "to use models of your own, set TILESIGHT_MODELS_SHA256 to this hash",
            ),
            HashedFile::Manifest => (
                "it is not the manifest that this program was built with",
                "build the program again, or run `git checkout models`; to use models of your own, \
                 set TILESIGHT_MODELS_SHA256 to this hash",
            ),
            HashedFile::Library if has_hash => (
                "TILESIGHT_ONNXRUNTIME_SHA256 names another hash",
                "correct the variable, or unset it to use the pinned library",
            ),
            HashedFile::Library if paths.library.is_some() => (
                "it is not the ONNX Runtime that is pinned for this platform",
                "to use a library of your own, set TILESIGHT_ONNXRUNTIME_SHA256 to this hash",
            ),
            HashedFile::Library => (
                "it is damaged, or not the ONNX Runtime that is pinned for this platform",
                "run `make setup`",
            ),
            HashedFile::CudaProvider if has_hash || paths.library.is_some() => (
                "it is not the provider of ONNX Runtime that is pinned for this platform",
                "to use a provider of your own, add this hash to TILESIGHT_ONNXRUNTIME_SHA256, \
                 after a comma",
            ),
            HashedFile::CudaProvider => (
                "it is damaged, or not the provider of ONNX Runtime that is pinned for this \
                 platform",
                "run `make setup DEVICE=cuda`",
            ),
        }
    }
}

fn not_read(path: &Path, error: &std::io::Error) -> ModelError {
    ModelError::WrongLibrary { reason: format!("{}: {error}", path.display()) }
}

/// Returns the part of a path that every user of this machine can write to, unless they can change
/// the program itself too, as on drives without owners.
fn find_exposed(library: &Path) -> Option<PathBuf> {
    let writable = writable_by_all(library)?;
    let program = std::env::current_exe().and_then(|program| program.canonicalize());
    let program_too = program.is_ok_and(|program| writable_by_all(&program).is_some());
    (!program_too).then_some(writable)
}

/// Returns the file, or the folder above it, that every user can change. In a sticky folder, such
/// as /tmp, users cannot replace each other's files.
#[cfg(unix)]
fn writable_by_all(file: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt as _;
    const BY_OTHERS: u32 = 0o002;
    const STICKY: u32 = 0o1000;
    let exposed = file.ancestors().find(|path| {
        path.metadata().is_ok_and(|data| {
            data.mode() & BY_OTHERS != 0 && !(data.is_dir() && data.mode() & STICKY != 0)
        })
    });
    exposed.map(Path::to_owned)
}

/// Returns `None`: only Unix reports who can write to a file.
#[cfg(not(unix))]
fn writable_by_all(_file: &Path) -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_given_hash_replaces_the_compiled_in_one() {
        let trust = |given: Option<&str>| {
            let models_sha256 = given.map(str::to_owned);
            let paths = ModelPaths { models_sha256, ..ModelPaths::default() };
            ["aa", "bb"].map(|found| {
                let (built_in, found) = (["aa".to_owned()], found.to_owned());
                let file = HashedFile::Manifest.trust(&paths, &built_in, PathBuf::new(), found);
                file.ok().map(|file| file.trust)
            })
        };
        assert_eq!(trust(None), [Some(Trust::BuiltIn), None]);
        assert_eq!(trust(Some("AA")), [Some(Trust::BuiltIn), None]);
        assert_eq!(trust(Some("BB")), [None, Some(Trust::Given)]);
        assert_eq!(trust(Some("CC, bb")), [None, Some(Trust::Given)]);
        assert_eq!(trust(Some("")), [None, None]);
    }
}
