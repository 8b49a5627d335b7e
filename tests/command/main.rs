//! The `tilesight` command as a process: what it reads, prints and refuses.
//!
//! The tests with photos need ONNX Runtime and the models (`make setup`).
#![cfg(unix)]

#[path = "../support/batches.rs"]
mod batches;
#[path = "../support/client.rs"]
mod client;
#[path = "../support/scored.rs"]
mod scored;
#[path = "../support/service.rs"]
mod service;
#[path = "../support/waiting.rs"]
mod waiting;

// Typed hands.
mod classical;
mod mmm;
mod score;

// Photos, one and many.
mod batch;
mod device;
mod read;
mod review;
mod set;

// Rule sets and profiles.
mod rules;

// Backups of a service.
mod backup;

// Keys of the service.
mod keys;

// Completions and manual pages of the command.
mod manual;

// Terminal output in the documentation.
mod docs;
