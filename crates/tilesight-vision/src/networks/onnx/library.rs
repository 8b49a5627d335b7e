//! ONNX Runtime library: named by a setting, put into one of the program's own folders by
//! `make setup`, or installed with its package. It is code, so only the pinned library is loaded,
//! or one whose hash a setting gives. The same applies to the libraries that it loads to use a GPU.

use std::path::PathBuf;

use super::paths::{installed_folder, join_names, own_folders};
use super::trust::{HashedFile, TrustedFile};
use crate::networks::{DeviceChoice, ModelError, ModelPaths, Pin};

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
    let cores = Pin::for_this_platform();
    let cuda = Pin::with_cuda();
    let preferred = match paths.device {
        DeviceChoice::Cpu => [cores, cuda],
        DeviceChoice::Cuda | DeviceChoice::Auto => [cuda, cores],
    };
    let pins: Vec<Pin> = preferred.into_iter().flatten().collect();
    let path = locate(paths, &pins)?;
    let built_in: Vec<String> = pins.into_iter().map(|pin| pin.library.sha256).collect();
    HashedFile::Library.trust_code(paths, &built_in, &path)
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
    let pinned = Pin::with_cuda().map(|pin| pin.beside).unwrap_or_default();
    for name in CUDA_LIBRARIES {
        let path = library.path.with_file_name(name);
        if !path.is_file() {
            let reason = format!("{} is missing", path.display());
            let advice = "it has to lie beside the ONNX Runtime that it belongs to; `make setup \
                          DEVICE=cuda` installs both";
            return Err(ModelError::NoGpu { reason, advice });
        }
        let of_name = pinned.iter().filter(|file| file.file == name);
        let built_in: Vec<String> = of_name.map(|file| file.sha256.clone()).collect();
        HashedFile::CudaProvider.trust_code(paths, &built_in, &path)?;
    }
    Ok(())
}

/// Finds the library that a setting names, or the first pinned one in the folder that it names;
/// without a setting, the first pinned one in the program's own folders or its package's.
fn locate(paths: &ModelPaths, pins: &[Pin]) -> Result<PathBuf, ModelError> {
    if let Some(given) = &paths.library {
        if given.is_file() {
            return Ok(given.clone());
        }
        let found = pins.iter().find_map(|pin| pin.find_in(given));
        return found.ok_or_else(|| ModelError::NoLibrary {
            looked: format!("{}, which TILESIGHT_ONNXRUNTIME names", given.display()),
        });
    }
    let mut looked = Vec::new();
    for pin in pins {
        let own = own_folders().into_iter().map(|folder| folder.join(&pin.directory));
        for folder in own.chain(installed_folder()) {
            if let Some(library) = pin.find_in(&folder) {
                return Ok(library);
            }
            looked.push(folder);
        }
    }
    Err(ModelError::NoLibrary { looked: join_names(&looked) })
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
    fn loaded_libraries_lie_beside_it_with_a_known_hash() {
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
    fn the_pinned_libraries_are_the_loaded_ones() {
        let names = |pin: Pin| pin.beside.into_iter().map(|file| file.file).collect::<Vec<_>>();
        assert!(Pin::with_cuda().is_none_or(|pin| names(pin) == CUDA_LIBRARIES));
    }
}
