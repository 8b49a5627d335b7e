//! Attacks by hostile users on the real program; docs/security.md states what must hold.
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
#[path = "../support/waiting.rs"]
mod waiting;

// Parsers and image decoding with mutated inputs: seconds here, hours with `make fuzz`.
mod fuzz;

// Files, archives, names.
mod archives;
mod inputs;
mod names;
#[cfg(target_os = "linux")]
mod photos;

// Connections, open files, and fair shares of clients.
#[cfg(target_os = "linux")]
mod connections;
#[cfg(target_os = "linux")]
mod descriptors;
mod shares;

// Games and their links.
mod games;

// The machine: planted libraries and models, permissions of files.
mod planted;
mod private_files;
mod trusted_files;
