//! What hostile people send and do, against the real program: docs/security.md is what must hold.
//!
//! The tests with photos need ONNX Runtime and the models (`make setup`).
#![cfg(unix)]

#[path = "../support/client.rs"]
mod client;
#[path = "../support/evening.rs"]
mod evening;
#[path = "../support/files.rs"]
mod files;
#[path = "../support/fuzzing.rs"]
mod fuzzing;
#[path = "../support/held.rs"]
mod held;
#[path = "../support/service.rs"]
mod service;

// Parsers and image decoding on changed inputs: seconds here, hours by `make fuzz`.
mod fuzz;

// Files, archives, names.
mod archives;
mod inputs;
mod names;
#[cfg(target_os = "linux")]
mod photos;

// Connections, open files, and the shares of clients beside each other.
#[cfg(target_os = "linux")]
mod connections;
#[cfg(target_os = "linux")]
mod descriptors;
mod shares;

// Games and their links.
mod games;

// The machine: planted libraries and models, rights of files.
mod planted;
mod private_files;
mod trusted_files;
