//! The networks that the host runs.
//!
//! Input: nothing; the manifest is compiled in. Output: what the host has to load, and a reader of
//! photos. Invariant: the networks are those of the manifest that the module was built with,
//! identified by their hashes.

use serde::Serialize;
use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_engine::{Answer, to_json};
use tilesight_vision::networks::{Device, Manifest, Networks};
use tilesight_vision::{ModelError, Reader, set_stage_clock};

use crate::host::{HostNetwork, stage_clock};

/// Description of a network for the host.
#[derive(Debug, Serialize)]
struct NetworkFile<'a> {
    file: &'a str,
    sha256: &'a str,
    input: &'static str,
    outputs: &'static [&'static str],
}

/// Lists the networks of the manifest, in the order of the stages.
///
/// # Errors
/// No error that a request can cause.
pub fn networks() -> Answer {
    let manifest = manifest()?;
    let networks = manifest.networks().map(|(name, file, sha256)| {
        let (input, outputs): (_, &[_]) = match name {
            "detector" => ("image", &["heat", "quad", "axis", "face"]),
            "refiner" => ("crops", &["corners"]),
            "classifier" if manifest.classifier.embedding.is_some() => {
                ("crops", &["classes", "turn", "red", "embedding"])
            }
            _ => ("crops", &["classes", "turn", "red"]),
        };
        NetworkFile { file, sha256, input, outputs }
    });
    to_json(&networks.collect::<Vec<_>>())
}

/// Checks that bytes are those of a network.
///
/// # Errors
/// A [`Problem`] if the bytes have another hash.
pub fn check_network(network: usize, bytes: &[u8]) -> Answer {
    let manifest = manifest()?;
    let Some((name, file, _)) = manifest.networks().nth(network) else {
        return Err(internal(&"the manifest has no such network"));
    };
    if manifest.is_network(name, bytes) {
        return Ok(Vec::new());
    }
    let advice = "use the models of this version of the package";
    Err(internal(&ModelError::WrongModel { file: file.to_owned(), advice }))
}

/// Returns a reader whose networks the host runs. It has no state of its own.
pub(crate) fn reader() -> Result<Reader, Problem> {
    set_stage_clock(stage_clock);
    let manifest = manifest()?;
    let names: Vec<&'static str> = manifest.networks().map(|(name, ..)| name).collect();
    let networks = Networks::open(manifest, Device::Cpu, |wanted| {
        let place = names.iter().position(|&name| name == wanted);
        Ok(HostNetwork(place.unwrap_or(usize::MAX)))
    });
    Ok(Reader::with_model(networks.map_err(|error| internal(&error))?))
}

fn manifest() -> Result<Manifest, Problem> {
    Manifest::built_in().map_err(|error| internal(&error))
}

fn internal(error: &dyn std::fmt::Display) -> Problem {
    Problem::new(ProblemKind::Internal, error.to_string())
}
