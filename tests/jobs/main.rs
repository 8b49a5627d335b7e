//! Jobs of many photos on one machine: the queue and the store in a folder, and jobs over HTTP.
#![cfg(unix)]

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

// The suite that every back end passes, against the embedded one.
mod embedded;

// Jobs of the real service, with webhooks and kills.
mod http;

// The sources that are part of a task's key.
mod sources;

// Killed workers. This test starts itself as the workers.
mod killed;

// Power cuts. This test starts itself under a recorder of file calls.
#[cfg(target_os = "linux")]
mod power;
