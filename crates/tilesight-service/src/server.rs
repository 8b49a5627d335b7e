//! Accept loop: HTTP/1.1 connections with timeouts and a graceful shutdown.
//!
//! Input: a bound listener, with or without TLS, the router, the limits, and a future that
//! completes when the service should stop. `axum::serve` can't be used because it sets no timer, so
//! that a client that never finishes its request head would hold a connection forever. Each address
//! has a share of the connections; further ones are closed at once, so that no connection waits
//! behind those of one client. Invariants: a connection ends when its client sends nothing
//! ([`Limits::header`]) or does not read its answer ([`paced`]); when the service stops, it still
//! accepts the connections in the listener's queue, answers every request that it has accepted, and
//! returns.

mod paced;

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

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
use tokio_rustls::TlsAcceptor;
use tower::{Service, ServiceExt as _};

use self::paced::{Pace, PacedStream};
use crate::Limits;
use crate::guard::client::{ClientPrefix, Peer};
use crate::guard::https::Encryption;
use crate::guard::shares::{Full, Share, Shares};

/// Pause after a failed `accept`, for example when descriptors have run out. They are released as
/// connections end, and a loop without a pause would occupy a core until then.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Time that newly accepted connections have to read what has arrived before the server stops.
/// hyper closes connections that have read nothing, and with them a request that is on its way.
const FIRST_BYTES: Duration = Duration::from_millis(50);
/// Maximum size in bytes of a request's head, and of the buffer for a body or for further requests.
/// HTTP libraries accept addresses of at most 64 KB; the other half is for headers.
const BUFFERED: usize = 131_072;
/// Interval between log lines about refused connections: an attacker must not fill a disk with
/// lines.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// Bound socket, with or without TLS.
pub struct Listener {
    socket: TcpListener,
    tls: Option<TlsAcceptor>,
}

impl From<TcpListener> for Listener {
    fn from(socket: TcpListener) -> Listener {
        Listener { socket, tls: None }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener").field("socket", &self.socket).finish_non_exhaustive()
    }
}

impl Listener {
    /// Returns this listener for HTTPS only.
    #[must_use]
    pub fn with_tls(self, tls: TlsAcceptor) -> Listener {
        Listener { tls: Some(tls), ..self }
    }

    fn encrypts(&self) -> bool {
        self.tls.is_some()
    }
}

/// Serves `app` on `listener` until `stop` completes and all accepted requests are answered.
pub async fn serve(
    listener: impl Into<Listener>,
    app: Router,
    limits: &Limits,
    stop: impl Future<Output = ()>,
) {
    let listener = listener.into();
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
    sleep(FIRST_BYTES).await;
    tracing::info!(
        connections = server.connections.count(),
        "stopping: answering accepted requests"
    );
    if timeout(limits.drain, server.connections.shutdown()).await.is_err() {
        tracing::warn!("some clients did not read their answers in time");
    }
}

/// State that all connections share.
struct Server {
    app: Router,
    http: http1::Builder,
    connections: GracefulShutdown,
    permits: Arc<Semaphore>,
    shares: Arc<Shares<ClientPrefix>>,
    proxies: Arc<[IpAddr]>,
    pace: Pace,
    refused: RefusalLog,
    handshake: Duration,
}

impl Server {
    fn new(app: Router, limits: &Limits) -> Server {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(limits.header).max_buf_size(BUFFERED);
        Server {
            app,
            http,
            connections: GracefulShutdown::new(),
            permits: Arc::new(Semaphore::new(limits.connections)),
            shares: Shares::new(limits.connections),
            proxies: limits.proxies.as_slice().into(),
            pace: Pace { limit: limits.write, rate: limits.body_rate },
            refused: RefusalLog::default(),
            handshake: limits.header,
        }
    }

    /// Accepts the next connection as soon as a permit is free.
    ///
    /// Cancellation loses nothing: the permit is given back, and the connection stays in the
    /// listener's queue.
    async fn accept(&self, listener: &Listener) {
        let permits = Arc::clone(&self.permits);
        let permit = permits.acquire_owned().await.expect("the semaphore is never closed");
        match listener.socket.accept().await {
            Ok((stream, address)) => self.take(listener, stream, address.ip(), permit),
            // The client has disconnected already: the listener is fine.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }

    /// Accepts the connections in the listener's queue, because their clients see them as
    /// established.
    async fn accept_waiting(&self, listener: &Listener) {
        while let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            // A timeout of zero polls once: an empty queue ends the loop.
            let Ok(Ok((stream, address))) = timeout(Duration::ZERO, listener.socket.accept()).await
            else {
                break;
            };
            self.take(listener, stream, address.ip(), permit);
        }
    }

    /// Serves a connection, unless its address has used up its share.
    fn take(
        &self,
        listener: &Listener,
        stream: TcpStream,
        address: IpAddr,
        permit: OwnedSemaphorePermit,
    ) {
        match self.share(address) {
            Ok(share) => {
                self.spawn(
                    listener,
                    stream,
                    address,
                    ConnectionPermit { _share: share, _permit: permit },
                );
            }
            Err(_) => self.refused.close(&stream),
        }
    }

    /// Returns the share that a connection takes of those of its address. The connections of a
    /// proxy take no share, because they belong to many clients.
    fn share(&self, address: IpAddr) -> Result<Option<Share<ClientPrefix>>, Full> {
        if self.proxies.contains(&address.to_canonical()) {
            return Ok(None);
        }
        self.shares.take(&address.into()).map(Some)
    }

    fn spawn(
        &self,
        listener: &Listener,
        stream: TcpStream,
        address: IpAddr,
        permit: ConnectionPermit,
    ) {
        self.pace.prepare(&stream);
        // The stream is paced below the encryption, so that the handshake and the closing alert are
        // paced too.
        let stream = PacedStream::new(stream, self.pace);
        let proxies = Arc::clone(&self.proxies);
        let encrypted = Encryption(listener.encrypts());
        let app = self.app.clone().map_request(move |mut request: Request<Incoming>| {
            let peer = Peer(address).resolve_proxies(&proxies, request.headers());
            request.extensions_mut().insert(peer);
            request.extensions_mut().insert(encrypted);
            request
        });
        let connection = Connection {
            http: self.http.clone(),
            service: TowerToHyperService::new(app),
            watcher: self.connections.watcher(),
            _permit: permit,
        };
        if let Some(tls) = &listener.tls {
            let handshake = tls.accept(stream);
            let limit = self.handshake;
            tokio::spawn(async move {
                match timeout(limit, handshake).await {
                    Ok(Ok(stream)) => connection.serve(stream).await,
                    Ok(Err(error)) => tracing::debug!(%error, "a handshake failed"),
                    Err(_) => tracing::debug!("a handshake took too long"),
                }
            });
            return;
        }
        tokio::spawn(connection.serve(stream));
    }
}

/// Permit of a connection. The share is given back first, so that the next client finds it
/// available.
struct ConnectionPermit {
    _share: Option<Share<ClientPrefix>>,
    _permit: OwnedSemaphorePermit,
}

/// Log of connections that were closed because their address has used up its share.
#[derive(Default)]
struct RefusalLog(Mutex<RefusalCount>);

/// Number of refused connections that are not logged yet.
#[derive(Default)]
struct RefusalCount {
    connections: u64,
    last: Option<Instant>,
}

impl RefusalLog {
    /// Closes a connection without an answer. An answer would cost more than the refusal saves, and
    /// the bytes that the client has already sent would cut it off.
    fn close(&self, stream: &TcpStream) {
        // The kernel need not keep the connection either.
        let _ = stream.set_zero_linger();
        let mut unlogged = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        unlogged.connections += 1;
        if unlogged.last.is_none_or(|last| last.elapsed() >= LOG_INTERVAL) {
            let connections = std::mem::take(&mut unlogged.connections);
            unlogged.last = Some(Instant::now());
            tracing::warn!(
                connections,
                "an address has reached its share of the connections: further ones are refused"
            );
        }
    }
}

/// Connection, from its first request to its last.
struct Connection<S> {
    http: http1::Builder,
    service: TowerToHyperService<S>,
    watcher: Watcher,
    _permit: ConnectionPermit,
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
