//! What is to be read, and the key that says everything its outcome depends on.
//!
//! Input: a photo's id, what is asked of it and by which engine. Output: a [`Task`] that travels to a
//! worker as JSON. Invariant: two tasks with the same key have the same outcome; whatever changes an
//! outcome (the photo, the circumstances, the rule sets, the language, the networks, the program's own
//! sources) changes the key.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::hash::{PhotoId, as_hash};
use crate::contract::ContextDto;
use crate::explain::Lang;
use crate::pipeline::model::Manifest;
use crate::rules::RulesetId;

/// What is asked of a photo.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ask {
    /// The circumstances of the win, and the rule set that lays out the tiles.
    pub context: ContextDto,
    /// The rule sets to score by side by side; none when the context's alone counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rulesets: Vec<RulesetId>,
    /// The language of names and questions.
    pub lang: Lang,
}

/// The program and the networks that read: engines that differ may read differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Engine([u8; 32]);

as_hash!(Engine);

impl Engine {
    /// This program with these networks.
    #[must_use]
    pub fn of(manifest: &Manifest) -> Engine {
        let mut hash = Sha256::new();
        part(&mut hash, env!("CARGO_PKG_VERSION").as_bytes());
        for (network, _, sha256) in manifest.networks() {
            part(&mut hash, network.as_bytes());
            part(&mut hash, sha256.as_bytes());
        }
        Engine(hash.finalize().into())
    }
}

/// The name of a task and of its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskKey([u8; 32]);

as_hash!(TaskKey);

/// One photo to be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// What names it.
    pub key: TaskKey,
    /// The photo, which the store has.
    pub photo: PhotoId,
    /// What is asked of it.
    pub ask: Ask,
    /// Who is to read it.
    pub engine: Engine,
}

impl Task {
    /// A task with its key.
    #[must_use]
    pub fn new(photo: PhotoId, ask: Ask, engine: Engine) -> Task {
        let mut hash = Sha256::new();
        part(&mut hash, b"tilesight task 1");
        part(&mut hash, photo.to_string().as_bytes());
        part(
            &mut hash,
            &serde_json::to_vec(&ask).expect("it has no maps with keys of other kinds"),
        );
        part(&mut hash, engine.to_string().as_bytes());
        Task { key: TaskKey(hash.finalize().into()), photo, ask, engine }
    }
}

/// Hashes one part with its length, so that no two lists of parts look the same.
fn part(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_be_bytes());
    hash.update(bytes);
}
