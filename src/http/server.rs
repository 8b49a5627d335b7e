//! The accept loop: HTTP/1.1 connections with time limits and a graceful end.
//!
//! Input: a bound listener, the router, the limits, and a future that ends when the process is told
//! to stop. It exists because `axum::serve` sets no timer, so a client that never finishes its
//! request head would hold a connection for ever. Invariant: once told to stop it takes the
//! connections that already wait in the listener's queue, answers every request it has accepted,
//! and then returns; a client that neither sends nor reads is cut off at the drain limit.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use crate::config::Limits;

/// How long to wait after a failed `accept`, such as when descriptors have run out: they come back
/// as connections end, and a loop without a pause would burn a core until then.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves `app` on `listener` until `stop` ends and all accepted requests are answered.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    limits: &Limits,
    stop: impl Future<Output = ()>,
) {
    let server = Server::new(app, limits);
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            () = server.accept(&listener) => {}
        }
    }
    server.accept_waiting(&listener).await;
    drop(listener);
    tracing::info!(
        connections = server.connections.count(),
        "stopping: answering what was accepted"
    );
    if timeout(limits.drain, server.connections.shutdown()).await.is_err() {
        tracing::warn!("some clients did not read their answers in time");
    }
}

/// What every connection shares.
struct Server {
    app: Router,
    http: http1::Builder,
    connections: GracefulShutdown,
    places: Arc<Semaphore>,
}

impl Server {
    fn new(app: Router, limits: &Limits) -> Server {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(limits.header);
        let places = Arc::new(Semaphore::new(limits.connections));
        Server { app, http, connections: GracefulShutdown::new(), places }
    }

    /// Takes the next connection, as soon as there is a place for it.
    ///
    /// Cancelling it loses nothing: the place is given back, and the connection stays in the queue.
    async fn accept(&self, listener: &TcpListener) {
        let places = Arc::clone(&self.places);
        let place = places.acquire_owned().await.expect("the semaphore is never closed");
        match listener.accept().await {
            Ok((stream, _)) => self.spawn(stream, place),
            // The client has gone already: nothing is wrong with the listener.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }

    /// Takes what waits in the listener's queue now: those clients were told that they are connected.
    async fn accept_waiting(&self, listener: &TcpListener) {
        while let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            // A limit of nothing polls once: an empty queue ends the loop.
            let Ok(Ok((stream, _))) = timeout(Duration::ZERO, listener.accept()).await else {
                break;
            };
            self.spawn(stream, place);
        }
    }

    fn spawn(&self, stream: TcpStream, place: OwnedSemaphorePermit) {
        // Answers are short; without this the last segment may wait for an acknowledgement.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(self.app.clone());
        let connection = self.http.serve_connection(TokioIo::new(stream), service);
        let connection = self.connections.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(place);
        });
    }
}
