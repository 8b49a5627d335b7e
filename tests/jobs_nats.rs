//! The back end of a fleet: the suite that every back end passes, against a real nats-server.

#![cfg(feature = "fleet")]

mod common;
#[macro_use]
mod jobs_suite;
mod nats;

use std::sync::Arc;
use std::time::Duration;

use jobs_suite::{LONG, Opened};
use tilesight::jobs::nats::Options;
use tilesight::jobs::{Nats, QueueError};
use tokio::time::timeout;

suite!(super::open);

/// A server of its own for each case: they run at once, and none sees another's tasks.
async fn open(lease: Duration) -> Opened {
    let server = nats::Server::start();
    let options = Options { lease, ..Options::default() };
    let nats = Nats::open(&server.url(), &options).await.expect("the server is there");
    Opened { backend: Arc::new(nats).backend(), _kept: Box::new(server) }
}

/// The answer to a look for tasks is lost with a connection, or never given: whoever waits takes tasks again afterwards.
#[tokio::test]
async fn a_look_for_tasks_that_nobody_answers_ends() {
    let mut server = nats::Server::start();
    let nats = Nats::open(&server.url(), &Options::default()).await.expect("the server is there");
    let queue = Arc::new(nats).backend().queue;
    let name = "one".parse().expect("a name");
    let wait = Duration::from_millis(100);
    assert_eq!(queue.lease(&name, wait).await, Ok(None));
    server.pause();
    let ended = timeout(LONG, queue.lease(&name, wait)).await.expect("it ends");
    assert!(matches!(ended, Err(QueueError::Unavailable { .. })), "{ended:?}");
    server.resume();
    assert_eq!(queue.lease(&name, wait).await, Ok(None));
}
