//! The models folder: reads `manifest.json` and the networks, and checks their hashes.

use std::path::Path;

use super::paths::ModelPaths;
use super::trust::{KnownHashes, TrustedFile};
use crate::networks::hash::sha256_of;
use crate::networks::manifest::BUILT_IN;
use crate::networks::{Manifest, ModelError};

const MANIFEST: &str = "manifest.json";

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

    /// The manifest's file, if it is trusted, and the bytes that were checked.
    pub fn find(paths: &ModelPaths) -> Result<(TrustedFile, Vec<u8>), ModelError> {
        let path = paths.models_folder()?.join(MANIFEST);
        let bytes = std::fs::read(&path).map_err(|_| ModelError::NoModel {
            file: path.display().to_string(),
            advice: paths.advice(),
        })?;
        let known = KnownHashes {
            built_in: vec![sha256_of(BUILT_IN)],
            given: paths.models_sha256.as_deref(),
            refusal: paths.manifest_refusal(),
        };
        Ok((known.trust(path, sha256_of(&bytes))?, bytes))
    }

    /// Reads one network and checks its hash.
    pub(super) fn read_model(
        paths: &ModelPaths,
        file: &str,
        sha256: &str,
    ) -> Result<Vec<u8>, ModelError> {
        let missing = || ModelError::NoModel { file: file.to_owned(), advice: paths.advice() };
        // A manifest names files beside it, never a path.
        if Path::new(file).components().count() != 1 {
            return Err(missing());
        }
        let bytes = std::fs::read(paths.models_folder()?.join(file)).map_err(|_| missing())?;
        if sha256_of(&bytes).eq_ignore_ascii_case(sha256) {
            Ok(bytes)
        } else {
            Err(ModelError::WrongModel { file: file.to_owned(), advice: paths.advice() })
        }
    }
}
