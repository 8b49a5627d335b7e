//! Games: an evening of deals from the first hand to the standings.
#![cfg(unix)]

#[path = "../support/client.rs"]
mod client;
#[path = "../support/evening.rs"]
mod evening;
#[path = "../support/mcr_rows.rs"]
mod mcr_rows;
#[path = "../support/service.rs"]
mod service;
#[path = "../support/waiting.rs"]
mod waiting;

// `tilesight game`.
mod command;

// The service: phones at one table, by photos and typed.
mod evenings;
mod http;

// Streams of events of both.
mod events;

// A series of evenings: organisers at once, evenings of its tables, tables of results.
mod series;
