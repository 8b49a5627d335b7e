//! Errors when the networks cannot be used. A message names in one line the problem, its location,
//! and the command to run.

use std::fmt;
use std::path::PathBuf;

/// Error when the models cannot be used. The operator of the program can correct these errors.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No ONNX Runtime library was found.
    #[error(
        "ONNX Runtime is not installed (looked in {looked}): run `make setup`, or install the package \
         again, or name the library in TILESIGHT_ONNXRUNTIME where the program does not lie in the \
         target/ of its checkout"
    )]
    NoLibrary {
        /// Places that were searched.
        looked: String,
    },
    /// A library or a manifest is neither the one that this program was built for nor the one that
    /// the settings name. No part of it was used.
    #[error("{} is refused (SHA-256 {sha256}): {reason}; {advice}", .path.display())]
    Refused {
        /// Path of the file.
        path: PathBuf,
        /// Actual SHA-256 of the file.
        sha256: String,
        /// Reason of the refusal.
        reason: &'static str,
        /// Advice on how to correct the problem.
        advice: &'static str,
    },
    /// The library's path is writable for other users, who could exchange it between its check and
    /// its loading.
    #[error(
        "every user of this machine may write to {0} and could replace ONNX Runtime: run \
         `chmod o-w {0}`",
        .path.display()
    )]
    Exposed {
        /// The file, or a folder that contains it.
        path: PathBuf,
    },
    /// The library was found but cannot be used.
    #[error("ONNX Runtime cannot be loaded ({reason}): run `make setup`{}", memory_advice(.reason))]
    WrongLibrary {
        /// Message of the loader.
        reason: String,
    },
    /// The networks should run on a GPU, but they cannot use any.
    #[error("the networks can't run on an NVIDIA GPU ({reason}): {advice}")]
    NoGpu {
        /// Missing component.
        reason: String,
        /// Advice on how to correct the problem.
        advice: &'static str,
    },
    /// A model file is missing or unreadable.
    #[error("{file} is missing or unreadable: {advice}")]
    NoModel {
        /// Name of the file, or the places that were searched for it.
        file: String,
        /// Advice on how to correct the problem.
        advice: &'static str,
    },
    /// A file does not have the hash in the manifest.
    #[error("{file} is not the file that the manifest of the models describes: {advice}")]
    WrongModel {
        /// Name of the file.
        file: String,
        /// Advice on how to correct the problem.
        advice: &'static str,
    },
    /// The manifest is incomplete or invalid.
    #[error("the manifest of the models is not understood ({reason}): {advice}")]
    BadManifest {
        /// Problem in the manifest.
        reason: String,
        /// Advice on how to correct the problem.
        advice: &'static str,
    },
    /// A network failed to run, or returned an output of another shape than specified.
    #[error("the {network} failed: {reason}{}", memory_advice(.reason))]
    Failed {
        /// `detector`, `refiner`, `classifier` or `large_classifier`.
        network: &'static str,
        /// Message of the runtime.
        reason: String,
    },
}

/// Words by which ONNX Runtime, the system's loader and the standard libraries say that memory
/// could not be had.
const NO_MEMORY: [&str; 5] =
    ["bad_alloc", "bad allocation", "allocate memory", "out of memory", "cannot map"];

/// Returns the advice that follows a message about missing memory; nothing for other messages.
fn memory_advice(reason: &str) -> &'static str {
    let reason = reason.to_ascii_lowercase();
    if NO_MEMORY.iter().any(|words| reason.contains(words)) {
        "; there is too little memory: give the program 1 GB, such as by the limit of the container or \
         `ulimit -v`, or read fewer photos at once with --workers"
    } else {
        ""
    }
}

pub(super) fn network_failure(network: &'static str, reason: impl fmt::Display) -> ModelError {
    ModelError::Failed { network, reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lack_of_memory_comes_with_advice() {
        for reason in ["std::bad_alloc", "Failed to allocate memory for requested buffer of size 7"]
        {
            let failed = network_failure("detector", reason).to_string();
            assert!(
                failed.contains("too little memory") && failed.contains("--workers"),
                "{failed}"
            );
        }
        let loader = "libonnxruntime.so: cannot allocate memory in static TLS block".to_owned();
        let message = ModelError::WrongLibrary { reason: loader }.to_string();
        assert!(message.contains("too little memory"), "{message}");
        let other = network_failure("detector", "Invalid rank").to_string();
        assert_eq!(other, "the detector failed: Invalid rank");
    }
}
