//! HTTPS: a certificate and its key out of two files.
//!
//! rustls with the ciphers of ring; TLS 1.2 and 1.3, HTTP/1.1 only. The files are read once, when the
//! service starts: a renewed certificate is taken up by a restart.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

/// Why there is no HTTPS; whoever runs the service can mend it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file can't be read as PEM.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: pem::Error,
    },
    /// The file holds no certificate.
    #[error("{} holds no certificate", .0.display())]
    NoCertificate(PathBuf),
    /// The two don't go together.
    #[error("the certificate and its key can't be used: {0}")]
    Unusable(#[from] rustls::Error),
}

/// What turns connections into encrypted ones.
///
/// # Errors
/// [`TlsError`] names the file.
pub fn acceptor(certificate: &Path, key: &Path) -> Result<TlsAcceptor, TlsError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| TlsError::Unreadable { path, error }
    };
    let chain = CertificateDer::pem_file_iter(certificate).map_err(unreadable(certificate))?;
    let chain: Vec<_> = chain.collect::<Result<_, _>>().map_err(unreadable(certificate))?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate(certificate.to_owned()));
    }
    let key = PrivateKeyDer::from_pem_file(key).map_err(unreadable(key))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
