//! The ONNX Runtime library: named by a setting, or put into one of the program's own folders by
//! `make setup`. It is code, so only the pinned one is loaded, or the one whose hash is told.
//!
//! Not promised: a library is loaded by its path after it was hashed, so whoever may write to that
//! path could change it between the two. A path that everybody may write to is therefore refused;
//! its owner, its group and the administrator are trusted, as they are with the program itself.

use std::path::{Path, PathBuf};

use super::paths::{listed, own_folders};
use super::trust::{Known, Refusal, Trusted};
use super::{ModelError, ModelPaths};
use crate::config::{Pin, sha256};

/// Finds the library: the one that was named, else the pinned file in `.onnxruntime` of the
/// program's own folders. It may be loaded.
///
/// # Errors
/// [`ModelError::NoLibrary`] names the places that were tried, [`ModelError::Refused`] a library
/// that is not the one to load, [`ModelError::Exposed`] what everybody may write to.
pub fn find_library(paths: &ModelPaths) -> Result<Trusted, ModelError> {
    let pin = Pin::of_this_platform();
    let path = locate(paths, pin.as_ref())?;
    // The path that is loaded is the one that was looked at, whatever links lead there.
    let unreadable = |error: std::io::Error| ModelError::WrongLibrary {
        reason: format!("{}: {error}", path.display()),
    };
    let path = path.canonicalize().map_err(unreadable)?;
    if let Some(exposed) = exposed(&path) {
        return Err(ModelError::Exposed { path: exposed });
    }
    let found = sha256(&path).map_err(unreadable)?;
    let told = paths.library_sha256.as_deref();
    Known { built_in: pin.map(|pin| pin.sha256), told, refusal: refusal(paths) }.trust(path, found)
}

fn locate(paths: &ModelPaths, pin: Option<&Pin>) -> Result<PathBuf, ModelError> {
    let named = |folder: &Path| pin.map(|pin| folder.join(&pin.file)).filter(|file| file.is_file());
    if let Some(given) = &paths.library {
        let found = if given.is_file() { Some(given.clone()) } else { named(given) };
        let looked = || format!("{}, as TILESIGHT_ONNXRUNTIME says", given.display());
        return found.ok_or_else(|| ModelError::NoLibrary { looked: looked() });
    }
    let folders: Vec<_> = own_folders().iter().map(|own| own.join(Pin::DIRECTORY)).collect();
    let found = folders.iter().find_map(|folder| named(folder));
    found.ok_or_else(|| ModelError::NoLibrary { looked: listed(&folders) })
}

fn refusal(paths: &ModelPaths) -> Refusal {
    if paths.library_sha256.is_some() {
        Refusal {
            reason: "TILESIGHT_ONNXRUNTIME_SHA256 tells another hash",
            advice: "correct the variable, or unset it to use the pinned library",
        }
    } else if paths.library.is_some() {
        Refusal {
            reason: "it is not the ONNX Runtime that is pinned for this platform",
            advice: "to use a library of your own, tell this hash in TILESIGHT_ONNXRUNTIME_SHA256",
        }
    } else {
        Refusal {
            reason: "it is damaged, or not the ONNX Runtime that is pinned for this platform",
            advice: "run `make setup`",
        }
    }
}

/// What of a path everybody on this machine may write to, unless they may change the program itself
/// just as well: so it is with drives that know no owners.
fn exposed(library: &Path) -> Option<PathBuf> {
    let writable = anybody_may_write(library)?;
    let program = std::env::current_exe().and_then(|program| program.canonicalize());
    let program_too = program.is_ok_and(|program| anybody_may_write(&program).is_some());
    (!program_too).then_some(writable)
}

/// The file, or the folder above it, that everybody may change. In a sticky folder, such as /tmp,
/// nobody replaces what is another's.
#[cfg(unix)]
fn anybody_may_write(file: &Path) -> Option<PathBuf> {
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

/// Who may write to a file is known on Unix only.
#[cfg(not(unix))]
fn anybody_may_write(_file: &Path) -> Option<PathBuf> {
    None
}
