//! Models folder: finds it, reads `manifest.json` and the networks, and checks their hashes.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::paths::{ModelPaths, installed_folder, join_names, own_folders};
use super::trust::{HashedFile, TrustedFile};
use crate::networks::hash::{open_regular, sha256_of};
use crate::networks::manifest::BUILT_IN;
use crate::networks::{Manifest, ModelError};

/// Name of the models folder within each of the program's own folders.
const MODELS: &str = "models";

const MANIFEST: &str = "manifest.json";

impl ModelPaths {
    /// Returns the models folder.
    ///
    /// # Errors
    /// [`ModelError::NoModel`] if no setting names it and none of the program's folders contains
    /// it.
    pub fn models_folder(&self) -> Result<PathBuf, ModelError> {
        if let Some(folder) = &self.models {
            return Ok(folder.clone());
        }
        let own = own_folders().into_iter().chain(installed_folder());
        let folders: Vec<_> = own.map(|folder| folder.join(MODELS)).collect();
        let found = folders.iter().find(|folder| folder.join(MANIFEST).is_file());
        found.cloned().ok_or_else(|| {
            self.no_model(format!("manifest.json (looked in {})", join_names(&folders)))
        })
    }

    fn no_model(&self, file: impl Into<String>) -> ModelError {
        ModelError::NoModel { file: file.into(), advice: self.advice() }
    }

    /// Returns the advice about a folder with wrong files: correct the setting that names it, or
    /// restore the program's own folder.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        if self.models.is_some() {
            "TILESIGHT_MODELS names this folder: correct the variable, or unset it to use the models \
             of the program's own folder"
        } else {
            "run `git checkout models`, or install the package again, or name the folder in \
             TILESIGHT_MODELS where the program does not lie in the target/ of its checkout"
        }
    }
}

/// The files of a folder.
impl Manifest {
    /// Reads and checks `manifest.json` in the models folder.
    ///
    /// # Errors
    /// [`ModelError::NoModel`] without the file, [`ModelError::Refused`] when it is neither the one
    /// that this program was built with nor the one that a setting gives,
    /// [`ModelError::BadManifest`] when something in it is missing or wrong.
    pub fn load(paths: &ModelPaths) -> Result<Manifest, ModelError> {
        let (_, bytes) = Manifest::find(paths)?;
        Manifest::read(&bytes, paths.advice())
    }

    /// Reads the manifest's file, if it is trusted, and returns it with the bytes that were
    /// checked.
    ///
    /// # Errors
    /// Those of [`Manifest::load`], except for those of the content.
    pub fn find(paths: &ModelPaths) -> Result<(TrustedFile, Vec<u8>), ModelError> {
        let path = paths.models_folder()?.join(MANIFEST);
        let bytes = read_file(&path).map_err(|_| paths.no_model(path.display().to_string()))?;
        let sha256 = sha256_of(&bytes);
        let file = HashedFile::Manifest.trust(paths, &[sha256_of(BUILT_IN)], path, sha256)?;
        Ok((file, bytes))
    }

    /// Reads one network and checks its hash.
    pub(super) fn read_model(
        paths: &ModelPaths,
        file: &str,
        sha256: &str,
    ) -> Result<Vec<u8>, ModelError> {
        // A manifest names files beside it, never a path.
        if Path::new(file).components().count() != 1 {
            return Err(paths.no_model(file));
        }
        let path = paths.models_folder()?.join(file);
        let bytes = read_file(&path).map_err(|_| paths.no_model(file))?;
        if sha256_of(&bytes).eq_ignore_ascii_case(sha256) {
            Ok(bytes)
        } else {
            Err(ModelError::WrongModel { file: file.to_owned(), advice: paths.advice() })
        }
    }
}

/// Maximum size of a file of the models in bytes: the largest network has two million.
const MAX_BYTES: u64 = 256 << 20;

/// Reads a regular file: a device, to which a link may lead, has no end.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let mut bytes = Vec::new();
    let count = file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    let is_whole = count as u64 <= MAX_BYTES;
    if is_whole { Ok(bytes) } else { Err(io::ErrorKind::FileTooLarge.into()) }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_a_device_is_no_model() {
        let folder = std::env::temp_dir().join(format!("tilesight-models-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for file in [MANIFEST, "detector.onnx"] {
            std::os::unix::fs::symlink("/dev/zero", folder.join(file)).expect("a link");
        }
        let paths = ModelPaths { models: Some(folder.clone()), ..ModelPaths::default() };
        let of_manifest = Manifest::find(&paths).map(|_| ());
        let of_network = Manifest::read_model(&paths, "detector.onnx", "00").map(|_| ());
        for refused in [of_manifest, of_network] {
            assert!(matches!(refused, Err(ModelError::NoModel { .. })), "{refused:?}");
        }
        std::fs::remove_dir_all(folder).expect("its own folder");
    }
}
