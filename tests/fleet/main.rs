//! Jobs of many machines: NATS servers, clusters, object storage, and the examples in deploy/.
//!
//! Needs nats-server (`scripts/setup-nats`); without it the tests fail and print the command to
//! run.
#![cfg(unix)]

#[path = "../support/batches.rs"]
mod batches;
#[path = "../support/client.rs"]
mod client;
#[path = "../support/common.rs"]
mod common;
#[macro_use]
#[path = "../support/jobs_suite/mod.rs"]
mod jobs_suite;
#[path = "../support/nats/mod.rs"]
mod nats;
#[path = "../support/service.rs"]
mod service;
#[path = "../support/waiting.rs"]
mod waiting;

// The suite that every back end passes, against a real nats-server.
mod backend;

// `tilesight batch` with a fleet.
mod batch;

// The examples in deploy/ against the program.
mod deploy;

// The chaos test: workers, a node of the cluster and its network fail during a job. `make chaos`
// runs the long one.
mod chaos;
