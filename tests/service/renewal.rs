//! A renewed certificate: new connections see it, and the process is not restarted.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::service::{Service, certificate, folder, tls_flags};
use crate::waiting::PATIENCE;

/// An HTTPS client that trusts certain certificates.
struct Client(StreamOwned<ClientConnection, TcpStream>);

impl Client {
    fn connect(address: SocketAddr, trusted: &[CertificateDer<'static>]) -> Client {
        let mut roots = RootCertStore::empty();
        for root in trusted {
            roots.add(root.clone()).expect("a root");
        }
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from("localhost").expect("a name");
        let connection = ClientConnection::new(Arc::new(config), name).expect("a client");
        let stream = TcpStream::connect(address).expect("it accepts");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut client = Client(StreamOwned::new(connection, stream));
        client.lives();
        client
    }

    /// Asserts that the service answers on this connection.
    fn lives(&mut self) {
        self.0.write_all(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it reads");
        let mut answer = Vec::new();
        while !answer.ends_with(b"}") {
            let mut bytes = [0; 1024];
            let count = self.0.read(&mut bytes).expect("it answers");
            assert_ne!(count, 0, "it closed: {:?}", String::from_utf8_lossy(&answer));
            answer.extend_from_slice(&bytes[..count]);
        }
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{:?}", String::from_utf8_lossy(&answer));
    }

    /// Returns the certificate that the service sent.
    fn certificate(&self) -> CertificateDer<'static> {
        let chain = self.0.conn.peer_certificates().expect("a handshake");
        chain.first().expect("a certificate").clone().into_owned()
    }
}

#[test]
fn a_renewed_certificate_needs_no_restart() {
    let folder = folder("renewal");
    let (first, second) = (certificate(), certificate());
    let tls = tls_flags(&folder, &first);
    let service = Service::start_with(&tls.each_ref().map(String::as_str));
    let trusted = [first.cert.der().clone(), second.cert.der().clone()];
    let mut before = Client::connect(service.address, &trusted);
    assert_eq!(before.certificate(), trusted[0]);

    // A file that can't be used changes nothing.
    fs::write(&tls[1], "half a certificate").expect("a file");
    service.wait_for("keeping the previous version");
    assert_eq!(Client::connect(service.address, &trusted).certificate(), trusted[0]);

    tls_flags(&folder, &second);
    service.wait_for("reloaded the certificate");
    assert_eq!(Client::connect(service.address, &trusted).certificate(), trusted[1]);
    before.lives();
    service.terminate();
    service.ends_well();
}
