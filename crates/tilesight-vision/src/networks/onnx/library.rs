//! ONNX Runtime library: named by a setting, or put into one of the program's own folders by
//! `make setup`. It is code, so only the pinned library is loaded, or one whose hash a setting
//! gives. The same applies to the libraries that it loads to use a GPU.
//!
//! A library is loaded by its path after it was hashed, so a user who can write to that path could
//! replace it in between. A path that every user can write to is therefore rejected; its owner, its
//! group and the administrator are trusted, as they are with the program itself.

use std::path::{Path, PathBuf};

use super::paths::{listed, own_folders};
use super::trust::{KnownHashes, Refusal, TrustedFile};
use crate::networks::{DeviceChoice, ModelError, ModelPaths};
use crate::networks::{Pin, sha256};

/// Libraries that ONNX Runtime loads from its own folder to use a GPU.
const CUDA_LIBRARIES: [&str; 2] =
    ["libonnxruntime_providers_shared.so", "libonnxruntime_providers_cuda.so"];

/// Finds a library that may be loaded: the one that a setting names, else a pinned file in the
/// program's own folders. For a GPU the pinned library with CUDA is tried first, then that for the
/// cores, and for the cores the other way round; each also does the other's work, as far as it can.
///
/// # Errors
/// [`ModelError::NoLibrary`] names the places that were searched, [`ModelError::Refused`] a library
/// that may not be loaded, [`ModelError::Exposed`] a path that every user can write to.
pub fn find_library(paths: &ModelPaths) -> Result<TrustedFile, ModelError> {
    let pins = pins(paths.device);
    let path = locate(paths, &pins)?;
    let built_in = pins.into_iter().map(|pin| pin.library.sha256).collect();
    let given = paths.library_sha256.as_deref();
    trusted(&path, KnownHashes { built_in, given, refusal: refusal(paths) })
}

/// Checks the libraries that a library with CUDA loads itself when a session is opened: they are in
/// the same folder, and are code too.
///
/// # Errors
/// [`ModelError::NoGpu`] if one is missing, else the same as [`find_library`].
pub(super) fn check_cuda_libraries(
    library: &TrustedFile,
    paths: &ModelPaths,
) -> Result<(), ModelError> {
    let pin = Pin::with_cuda();
    for name in CUDA_LIBRARIES {
        let path = library.path.with_file_name(name);
        if !path.is_file() {
            let reason = format!("{} is missing", path.display());
            let advice = "it has to lie beside the ONNX Runtime that it belongs to; `make setup \
                          DEVICE=cuda` installs both";
            return Err(ModelError::NoGpu { reason, advice });
        }
        let beside = pin.iter().flat_map(|pin| &pin.beside).filter(|file| file.file == name);
        let built_in = beside.map(|file| file.sha256.clone()).collect();
        let given = paths.library_sha256.as_deref();
        trusted(&path, KnownHashes { built_in, given, refusal: refusal_beside(paths) })?;
    }
    Ok(())
}

/// Returns the pinned libraries, in the order in which they are tried.
fn pins(device: DeviceChoice) -> Vec<Pin> {
    let (cores, cuda) = (Pin::of_this_platform(), Pin::with_cuda());
    let in_order = match device {
        DeviceChoice::Cpu => [cores, cuda],
        DeviceChoice::Cuda | DeviceChoice::Auto => [cuda, cores],
    };
    in_order.into_iter().flatten().collect()
}

fn locate(paths: &ModelPaths, pins: &[Pin]) -> Result<PathBuf, ModelError> {
    let named = |folder: &Path, pin: &Pin| {
        Some(folder.join(&pin.library.file)).filter(|file| file.is_file())
    };
    if let Some(given) = &paths.library {
        let inside = || pins.iter().find_map(|pin| named(given, pin));
        let found = Some(given.clone()).filter(|file| file.is_file()).or_else(inside);
        let looked = || format!("{}, which TILESIGHT_ONNXRUNTIME names", given.display());
        return found.ok_or_else(|| ModelError::NoLibrary { looked: looked() });
    }
    let folders = own_folders();
    let places = pins
        .iter()
        .flat_map(|pin| folders.iter().map(move |folder| (folder.join(&pin.directory), pin)));
    let places: Vec<(PathBuf, &Pin)> = places.collect();
    let found = places.iter().find_map(|(folder, pin)| named(folder, pin));
    found.ok_or_else(|| {
        let folders: Vec<PathBuf> = places.into_iter().map(|(folder, _)| folder).collect();
        ModelError::NoLibrary { looked: listed(&folders) }
    })
}

/// Checks whether a file of code may be loaded. Links are resolved, so that the path that is loaded
/// is the one that was checked.
fn trusted(path: &Path, known: KnownHashes<'_>) -> Result<TrustedFile, ModelError> {
    let unreadable = |error: std::io::Error| ModelError::WrongLibrary {
        reason: format!("{}: {error}", path.display()),
    };
    let path = path.canonicalize().map_err(unreadable)?;
    if let Some(exposed) = exposed(&path) {
        return Err(ModelError::Exposed { path: exposed });
    }
    let found = sha256(&path).map_err(unreadable)?;
    known.trust(path, found)
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

fn refusal_beside(paths: &ModelPaths) -> Refusal {
    if paths.library.is_some() || paths.library_sha256.is_some() {
        Refusal {
            reason: "it is not the provider of ONNX Runtime that is pinned for this platform",
            advice: "to use a provider of your own, add this hash to TILESIGHT_ONNXRUNTIME_SHA256, \
                     after a comma",
        }
    } else {
        Refusal {
            reason: "it is damaged, or not the provider of ONNX Runtime that is pinned for this \
                     platform",
            advice: "run `make setup DEVICE=cuda`",
        }
    }
}

/// Returns the part of a path that every user of this machine can write to, unless they can change
/// the program itself too, as on drives without owners.
fn exposed(library: &Path) -> Option<PathBuf> {
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
    let open = |path: &&Path| {
        let data = path.metadata();
        data.is_ok_and(|data| {
            data.mode() & BY_OTHERS != 0 && !(data.is_dir() && data.mode() & STICKY != 0)
        })
    };
    file.ancestors().find(open).map(Path::to_owned)
}

/// Returns `None`: only Unix reports who can write to a file.
#[cfg(not(unix))]
fn writable_by_all(_file: &Path) -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::Trust;
    use crate::networks::hash::sha256_of;

    /// A folder with a library and the others that it loads, removed after the test.
    struct Libraries(PathBuf);

    impl Libraries {
        fn new(name: &str) -> Libraries {
            let folder = format!("tilesight-libraries-{name}-{}", std::process::id());
            let folder = std::env::temp_dir().join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            Libraries(folder)
        }

        fn put(&self, name: &str, content: &str) {
            std::fs::write(self.0.join(name), content).unwrap();
        }

        /// Returns the result of the check with the given hashes in the setting.
        fn check(&self, hashes: Option<&str>) -> Result<(), ModelError> {
            let path = self.0.join("libonnxruntime.so");
            let library = TrustedFile { path, sha256: String::new(), trust: Trust::Given };
            let library_sha256 = hashes.map(str::to_owned);
            check_cuda_libraries(&library, &ModelPaths { library_sha256, ..ModelPaths::default() })
        }
    }

    impl Drop for Libraries {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_a_library_loads_is_beside_it_and_has_a_known_hash() {
        let libraries = Libraries::new("beside");
        let [shared, cuda] = CUDA_LIBRARIES;
        let hashes = CUDA_LIBRARIES.map(|name| sha256_of(name.as_bytes()));
        let (first, both) = (hashes[0].as_str(), hashes.join(", "));
        let says = |hashes: Option<&str>, parts: &[&str]| {
            let error = libraries.check(hashes).unwrap_err().to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        };
        says(None, &[shared, "is missing", "make setup DEVICE=cuda"]);
        libraries.put(shared, shared);
        says(None, &[shared, "is refused", "make setup DEVICE=cuda"]);
        says(Some(first), &[cuda, "is missing"]);
        libraries.put(cuda, cuda);
        says(Some(first), &[cuda, "is refused", "after a comma"]);
        assert!(libraries.check(Some(&both)).is_ok());
        libraries.put(shared, "another");
        says(Some(&both), &[shared, "is refused"]);
    }

    #[test]
    fn what_is_pinned_beside_a_library_is_what_it_loads() {
        let names = |pin: Pin| pin.beside.into_iter().map(|file| file.file).collect::<Vec<_>>();
        assert!(Pin::with_cuda().is_none_or(|pin| names(pin) == CUDA_LIBRARIES));
    }
}
