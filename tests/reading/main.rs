//! From pixels to a hand: decoding, the networks, the layout, and the questions about a photo.
//!
//! Everything runs in this process, through the library. The tests with photos need ONNX Runtime
//! and the models (`make setup`); without them they fail and print the command to run.

#[path = "../support/common.rs"]
mod common;
#[path = "../support/files.rs"]
mod files;
#[path = "../support/held.rs"]
mod held;
#[path = "../support/tables/mod.rs"]
mod tables;

// Files: decoding, and the removal of a photo's metadata.
mod decoding;
mod metadata;
mod stills;

// The layout alone, without networks: crowds, single cases, a table of every form, laws, and the
// samples' truth.
mod layout_crowds;
mod layout_golden;
mod layout_laws;
mod layout_samples;
mod layout_sixteen;
mod layout_table;
mod layout_turning;

// Painted pictures through every stage: clutter, doubts, several hands in view, MMM's tables,
// riichi, the game of sixteen tiles.
mod clutter;
mod doubts;
mod hands_in_view;
mod mmm;
mod riichi;
mod taiwan;

// Rendered photos through the committed networks.
mod batched;
mod forms;
mod games;
mod large;
mod samples;
mod second_looks;
mod together;

// The example that reads a photo.
mod examples;
