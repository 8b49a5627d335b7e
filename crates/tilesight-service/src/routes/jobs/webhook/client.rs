//! Client that sends one message to one receiver, and returns the status of the answer.
//!
//! Input: a [`Target`] and a signed message. Output: the status of the answer. Each message has a
//! connection of its own, which is closed afterwards: jobs end minutes apart. Invariants: the
//! connection goes to an address that [`Target::resolve`] has checked; only the head of an answer
//! is read, so that an endless body can't hold a connection; no redirect is followed.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::header::{CONTENT_TYPE, HOST, USER_AGENT};
use axum::http::{HeaderValue, Request, StatusCode};
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName};

use super::address::{AddressError, Reach, Target};

/// Timeout from the name resolution to the head of the answer; the specification advises 15 to 30
/// s.
const PATIENCE: Duration = Duration::from_secs(20);
/// Timeout of the connection to one of several addresses of a name. A firewall that drops packets
/// must not use up the time for the others.
const CONNECTING: Duration = Duration::from_secs(5);

const AGENT: &str = concat!("tilesight/", env!("CARGO_PKG_VERSION"));

/// Sender of messages.
#[derive(Clone)]
pub(in crate::routes::jobs) struct Sender {
    reach: Reach,
    tls: TlsConnector,
}

/// Reason why a message did not arrive. Receivers of webhooks can fix most of them.
#[derive(Debug, thiserror::Error)]
pub(super) enum SendError {
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error("no connection: {0}")]
    Connect(io::Error),
    #[error("the connection is not secure: {0}")]
    Tls(io::Error),
    #[error("the connection broke: {0}")]
    Http(#[from] hyper::Error),
    #[error("no answer within {} s", PATIENCE.as_secs())]
    Overdue,
}

/// Message to be sent.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) id: String,
    /// Seconds since 1970.
    pub(super) time: u64,
    pub(super) signature: String,
    pub(super) body: String,
}

impl std::fmt::Debug for Sender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sender").field("reach", &self.reach).finish_non_exhaustive()
    }
}

impl Sender {
    /// Returns a sender that trusts the machine's certificates (`SSL_CERT_FILE` names others).
    /// Reads files.
    #[must_use]
    pub(in crate::routes::jobs) fn new(reach: Reach) -> Sender {
        Sender { reach, tls: connector() }
    }

    /// Returns the receivers to which this sender may send.
    pub(in crate::routes::jobs) const fn reach(&self) -> Reach {
        self.reach
    }

    /// Sends a message and waits for the status of the answer.
    pub(super) async fn send(
        &self,
        to: &Target,
        message: Message,
    ) -> Result<StatusCode, SendError> {
        timeout(PATIENCE, self.exchange(to, message)).await.unwrap_or(Err(SendError::Overdue))
    }

    async fn exchange(&self, to: &Target, message: Message) -> Result<StatusCode, SendError> {
        let stream = connect(&to.resolve(self.reach).await?).await?;
        let request = request(to, message);
        if !to.https {
            return post(stream, request).await;
        }
        let name = ServerName::try_from(to.host.clone()).map_err(|_| AddressError::Malformed)?;
        let encrypted = self.tls.connect(name, stream).await.map_err(SendError::Tls)?;
        post(encrypted, request).await
    }
}

fn connector() -> TlsConnector {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    let (added, _) = roots.add_parsable_certificates(found.certs);
    if added == 0 {
        tracing::warn!(
            "no trusted certificates found: webhooks over https will fail (Debian: ca-certificates)"
        );
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has the ciphers of TLS 1.2 and 1.3");
    TlsConnector::from(Arc::new(config.with_root_certificates(roots).with_no_client_auth()))
}

/// Connects to the first of the addresses that accepts a connection.
async fn connect(addresses: &[SocketAddr]) -> Result<TcpStream, SendError> {
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for address in addresses {
        match timeout(CONNECTING, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => last = error,
            Err(_) => last = io::ErrorKind::TimedOut.into(),
        }
    }
    Err(SendError::Connect(last))
}

fn request(to: &Target, message: Message) -> Request<Full<Bytes>> {
    let mut request = Request::new(Full::new(Bytes::from(message.body)));
    *request.method_mut() = axum::http::Method::POST;
    *request.uri_mut() = to.path().parse().expect("it is a part of an address that was read");
    let headers = request.headers_mut();
    headers.insert(HOST, header(to.authority()));
    headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert("webhook-id", header(&message.id));
    headers.insert("webhook-timestamp", HeaderValue::from(message.time));
    headers.insert("webhook-signature", header(&message.signature));
    request
}

fn header(text: &str) -> HeaderValue {
    HeaderValue::try_from(text).expect("ids, digits and base64 are plain")
}

async fn post(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Full<Bytes>>,
) -> Result<StatusCode, SendError> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    // The task transfers the bytes, and ends with the connection.
    let moving = tokio::spawn(connection);
    let answered = sender.send_request(request).await;
    moving.abort();
    Ok(answered?.status())
}
