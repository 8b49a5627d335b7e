//! The accept loop: HTTP/1.1 connections with time limits and a graceful end.
//!
//! Input: a bound listener, which may encrypt, the router, the limits, and a future that ends when the process is told
//! to stop. It exists because `axum::serve` sets no timer, so a client that never finishes its
//! request head would hold a connection for ever. Invariant: once told to stop it takes the
//! connections that already wait in the listener's queue, answers every request it has accepted,
//! and then returns; a client that neither sends nor reads is cut off at the drain limit.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
#[cfg(feature = "tls")]
use tokio_rustls::TlsAcceptor;
use tower::{Service, ServiceExt as _};

use super::shares::Peer;
use crate::config::Limits;

/// How long to wait after a failed `accept`, such as when descriptors have run out: they come back
/// as connections end, and a loop without a pause would burn a core until then.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Where connections come in: a listener, and whether they are encrypted.
pub struct Door {
    listener: TcpListener,
    #[cfg(feature = "tls")]
    tls: Option<TlsAcceptor>,
}

impl From<TcpListener> for Door {
    fn from(listener: TcpListener) -> Door {
        Door {
            listener,
            #[cfg(feature = "tls")]
            tls: None,
        }
    }
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door").field("listener", &self.listener).finish_non_exhaustive()
    }
}

impl Door {
    /// The same for HTTPS only.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn with_tls(self, tls: TlsAcceptor) -> Door {
        Door { tls: Some(tls), ..self }
    }
}

/// Serves `app` at `door` until `stop` ends and all accepted requests are answered.
pub async fn serve(
    door: impl Into<Door>,
    app: Router,
    limits: &Limits,
    stop: impl Future<Output = ()>,
) {
    let door = door.into();
    let server = Server::new(app, limits);
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            () = server.accept(&door) => {}
        }
    }
    server.accept_waiting(&door).await;
    drop(door);
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
    proxies: Arc<[IpAddr]>,
    #[cfg(feature = "tls")]
    handshake: Duration,
}

impl Server {
    fn new(app: Router, limits: &Limits) -> Server {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(limits.header);
        let places = Arc::new(Semaphore::new(limits.connections));
        Server {
            app,
            http,
            connections: GracefulShutdown::new(),
            places,
            proxies: limits.proxies.as_slice().into(),
            #[cfg(feature = "tls")]
            handshake: limits.header,
        }
    }

    /// Takes the next connection, as soon as there is a place for it.
    ///
    /// Cancelling it loses nothing: the place is given back, and the connection stays in the queue.
    async fn accept(&self, door: &Door) {
        let places = Arc::clone(&self.places);
        let place = places.acquire_owned().await.expect("the semaphore is never closed");
        match door.listener.accept().await {
            Ok((stream, address)) => self.spawn(door, stream, address.ip(), place),
            // The client has gone already: nothing is wrong with the listener.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }

    /// Takes what waits in the listener's queue now: those clients were told that they are connected.
    async fn accept_waiting(&self, door: &Door) {
        while let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            // A limit of nothing polls once: an empty queue ends the loop.
            let Ok(Ok((stream, address))) = timeout(Duration::ZERO, door.listener.accept()).await
            else {
                break;
            };
            self.spawn(door, stream, address.ip(), place);
        }
    }

    fn spawn(&self, door: &Door, stream: TcpStream, address: IpAddr, place: OwnedSemaphorePermit) {
        // Answers are short; without this the last segment may wait for an acknowledgement.
        let _ = stream.set_nodelay(true);
        let proxies = Arc::clone(&self.proxies);
        let app = self.app.clone().map_request(move |mut request: Request<Incoming>| {
            let peer = Peer(address).behind(&proxies, request.headers());
            request.extensions_mut().insert(peer);
            request
        });
        let connection = Connection {
            http: self.http.clone(),
            service: TowerToHyperService::new(app),
            watcher: self.connections.watcher(),
            _place: place,
        };
        #[cfg(feature = "tls")]
        if let Some(tls) = &door.tls {
            let (handshake, limit) = (tls.accept(stream), self.handshake);
            tokio::spawn(async move {
                match timeout(limit, handshake).await {
                    Ok(Ok(stream)) => connection.serve(stream).await,
                    Ok(Err(error)) => tracing::debug!(%error, "a handshake failed"),
                    Err(_) => tracing::debug!("a handshake took too long"),
                }
            });
            return;
        }
        #[cfg(not(feature = "tls"))]
        let _ = door;
        tokio::spawn(connection.serve(stream));
    }
}

/// One connection, from its first request to its last.
struct Connection<S> {
    http: http1::Builder,
    service: TowerToHyperService<S>,
    watcher: Watcher,
    _place: OwnedSemaphorePermit,
}

impl<S> Connection<S>
where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        let connection = self.http.serve_connection(TokioIo::new(stream), self.service);
        if let Err(error) = self.watcher.watch(connection).await {
            tracing::debug!(%error, "a connection ended early");
        }
    }
}
