//! The ONNX Runtime library: named by a setting, or put into one of the program's own folders by
//! `make setup`. It is code, so only the pinned one is loaded, or the one whose hash a setting
//! gives.
//!
//! A library is loaded by its path after it was hashed, so a user who can write to that path could
//! replace it in between. A path that every user can write to is therefore rejected; its owner, its
//! group and the administrator are trusted, as they are with the program itself.

use std::path::{Path, PathBuf};

use super::paths::{listed, own_folders};
use super::trust::{KnownHashes, Refusal, TrustedFile};
use super::{ModelError, ModelPaths};
use crate::config::{Pin, sha256};

/// Finds a library that may be loaded: the one that a setting names, else the pinned file in
/// `.onnxruntime` of the program's own folders.
///
/// # Errors
/// [`ModelError::NoLibrary`] names the places that were tried, [`ModelError::Refused`] a library
/// that may not be loaded, [`ModelError::Exposed`] a path that every user can write to.
pub fn find_library(paths: &ModelPaths) -> Result<TrustedFile, ModelError> {
    let pin = Pin::of_this_platform();
    let path = locate(paths, pin.as_ref())?;
    // Links are resolved, so that the path that is loaded is the one that was checked.
    let unreadable = |error: std::io::Error| ModelError::WrongLibrary {
        reason: format!("{}: {error}", path.display()),
    };
    let path = path.canonicalize().map_err(unreadable)?;
    if let Some(exposed) = exposed(&path) {
        return Err(ModelError::Exposed { path: exposed });
    }
    let found = sha256(&path).map_err(unreadable)?;
    let given = paths.library_sha256.as_deref();
    let built_in = pin.map(|pin| pin.sha256);
    KnownHashes { built_in, given, refusal: refusal(paths) }.trust(path, found)
}

fn locate(paths: &ModelPaths, pin: Option<&Pin>) -> Result<PathBuf, ModelError> {
    let named = |folder: &Path| pin.map(|pin| folder.join(&pin.file)).filter(|file| file.is_file());
    if let Some(given) = &paths.library {
        let found = if given.is_file() { Some(given.clone()) } else { named(given) };
        let looked = || format!("{}, which TILESIGHT_ONNXRUNTIME names", given.display());
        return found.ok_or_else(|| ModelError::NoLibrary { looked: looked() });
    }
    let folders: Vec<_> = own_folders().iter().map(|own| own.join(Pin::DIRECTORY)).collect();
    let found = folders.iter().find_map(|folder| named(folder));
    found.ok_or_else(|| ModelError::NoLibrary { looked: listed(&folders) })
}

fn refusal(paths: &ModelPaths) -> Refusal {
    if paths.library_sha256.is_some() {
        Refusal {
            reason: "TILESIGHT_ONNXRUNTIME_SHA256 names another hash",
            advice: "correct the variable, or unset it to use the pinned library",
        }
    } else if paths.library.is_some() {
        Refusal {
            reason: "it is not the ONNX Runtime that is pinned for this platform",
            advice: "to use a library of your own, set TILESIGHT_ONNXRUNTIME_SHA256 to this hash",
        }
    } else {
        Refusal {
            reason: "it is damaged, or not the ONNX Runtime that is pinned for this platform",
            advice: "run `make setup`",
        }
    }
}

/// The part of a path that every user of this machine can write to, unless they can change the
/// program itself too, as on drives without owners.
fn exposed(library: &Path) -> Option<PathBuf> {
    let writable = writable_by_all(library)?;
    let program = std::env::current_exe().and_then(|program| program.canonicalize());
    let program_too = program.is_ok_and(|program| writable_by_all(&program).is_some());
    (!program_too).then_some(writable)
}

/// The file, or the folder above it, that every user can change. In a sticky folder, such as /tmp,
/// users cannot replace each other's files.
#[cfg(unix)]
fn writable_by_all(file: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt as _;
    const BY_OTHERS: u32 = 0o002;
    const STICKY: u32 = 0o1000;
    let open = |path: &&Path| {
        let data = path.metadata();
        data.is_ok_and(|data| {
            data.mode() & BY_OTHERS != 0 && !(data.is_dir() && data.mode() & STICKY != 0)
        })
    };
    file.ancestors().find(open).map(Path::to_owned)
}

/// Only Unix says who can write to a file.
#[cfg(not(unix))]
fn writable_by_all(_file: &Path) -> Option<PathBuf> {
    None
}
