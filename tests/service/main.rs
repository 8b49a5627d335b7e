//! `tilesight serve`: sockets, start and stop, a table of four photos, slow clients.
//!
//! The endpoints themselves are tested beside their code in `crates/tilesight-service`.
#![cfg(unix)]

#[path = "../support/client.rs"]
mod client;
#[path = "../support/service.rs"]
mod service;
#[path = "../support/waiting.rs"]
mod waiting;

// The service on a socket, without the models; the example client.
mod examples;
mod socket;

// The whole program: start, stop, `doctor`.
mod serve;

// A service behind nginx and Caddy.
#[cfg(target_os = "linux")]
mod proxies;

// A certificate that is replaced while the service runs.
mod renewal;

// Four photos in one request; answers to doubts.
mod answers;
mod table;

// Photos of sixteen tiles, up to the payments.
mod taiwan;

// Several photos of one hand.
mod together;

// Clients that are slow or leave early, overload, shutdown, HTTPS.
#[cfg(target_os = "linux")]
mod slow_clients;
