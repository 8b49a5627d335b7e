//! The back end of a fleet: the suite that every back end passes, against a real nats-server.

#![cfg(feature = "fleet")]

mod common;
#[macro_use]
mod jobs_suite;
mod nats;

use std::sync::Arc;
use std::time::Duration;

use jobs_suite::Opened;
use tilesight::jobs::Nats;
use tilesight::jobs::nats::Options;

suite!(super::open);

/// A server of its own for each case: they run at once, and none sees another's tasks.
async fn open(lease: Duration) -> Opened {
    let server = nats::Server::start();
    let options = Options { lease, ..Options::default() };
    let nats = Nats::open(&server.url(), &options).await.expect("the server is there");
    Opened { backend: Arc::new(nats).backend(), _kept: Box::new(server) }
}
