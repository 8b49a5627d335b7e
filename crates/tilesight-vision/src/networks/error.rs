//! Why the networks cannot be used.
//!
//! Input: what the loader, the manifest or a run reports. Output: an error whose message says in
//! one line what is wrong, where, and what to run.

use std::fmt;
use std::path::PathBuf;

/// Why the models cannot be used. The operator of the program can correct these.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No ONNX Runtime library was found.
    #[error(
        "ONNX Runtime is not installed (looked in {looked}): run `make setup`, or name the library in \
         TILESIGHT_ONNXRUNTIME where the program does not lie in the target/ of its checkout"
    )]
    NoLibrary {
        /// The places that were tried.
        looked: String,
    },
    /// A library or a manifest that is neither the one that this program was built for nor the one
    /// that the settings name. Nothing of it was used.
    #[error("{} is refused (SHA-256 {sha256}): {reason}; {advice}", .path.display())]
    Refused {
        /// Where it is.
        path: PathBuf,
        /// The SHA-256 that it has.
        sha256: String,
        /// Which one it should be.
        reason: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// Another user could exchange the library between its check and its loading.
    #[error(
        "every user of this machine may write to {0} and could replace ONNX Runtime: run \
         `chmod o-w {0}`",
        .path.display()
    )]
    Exposed {
        /// The file, or a folder that it lies in.
        path: PathBuf,
    },
    /// The library is there but cannot be used.
    #[error("ONNX Runtime cannot be loaded ({reason}): run `make setup`")]
    WrongLibrary {
        /// What the loader said.
        reason: String,
    },
    /// The networks are to run on a GPU, and there is none that they can use.
    #[error("the networks can't run on an NVIDIA GPU ({reason}): {advice}")]
    NoGpu {
        /// What is missing.
        reason: String,
        /// What to do.
        advice: &'static str,
    },
    /// A model file is missing or unreadable.
    #[error("{file} is missing or unreadable: {advice}")]
    NoModel {
        /// Its name, or where it was looked for.
        file: String,
        /// What to do.
        advice: &'static str,
    },
    /// A file does not have the hash that the manifest gives.
    #[error("{file} is not the file that the manifest of the models describes: {advice}")]
    WrongModel {
        /// Its name.
        file: String,
        /// What to do.
        advice: &'static str,
    },
    /// The manifest does not say what is needed.
    #[error("the manifest of the models is not understood ({reason}): {advice}")]
    BadManifest {
        /// What is wrong with it.
        reason: String,
        /// What to do.
        advice: &'static str,
    },
    /// A network failed to run, or answered in another shape than the contract's.
    #[error("the {network} failed: {reason}")]
    Failed {
        /// `detector`, `refiner` or `classifier`.
        network: &'static str,
        /// What the runtime said.
        reason: String,
    },
}

pub(super) fn failed(network: &'static str, reason: impl fmt::Display) -> ModelError {
    ModelError::Failed { network, reason: reason.to_string() }
}
