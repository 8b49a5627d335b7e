//! HTTPS with a certificate and its key from two files.
//!
//! rustls with the ciphers of ring; TLS 1.2 and 1.3, HTTP/1.1 only. The files can be reloaded while
//! the service runs: existing connections keep their certificate.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tilesight_files::trusted;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};

/// Error when HTTPS can't be used; the operator can correct it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file can't be read as PEM.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        error: pem::Error,
    },
    /// The file contains no certificate.
    #[error("{} holds no certificate", .0.display())]
    NoCertificate(PathBuf),
    /// The certificate and the key don't match.
    #[error("the certificate and its key can't be used: {0}")]
    Unusable(#[from] rustls::Error),
}

/// Certificate with its key, which can be reloaded while the service runs.
#[derive(Debug)]
pub struct Certificate {
    certificate: PathBuf,
    key: PathBuf,
    current: RwLock<Arc<CertifiedKey>>,
}

impl Certificate {
    /// Reads both files.
    ///
    /// # Errors
    /// [`TlsError`] names the file.
    pub fn read(certificate: &Path, key: &Path) -> Result<Arc<Certificate>, TlsError> {
        let current = RwLock::new(certified(certificate, key)?);
        let (certificate, key) = (certificate.to_owned(), key.to_owned());
        Ok(Arc::new(Certificate { certificate, key, current }))
    }

    /// Reloads both files, for new connections.
    ///
    /// # Errors
    /// [`TlsError`] names the file; the previous certificate stays in use.
    pub fn renew(&self) -> Result<(), TlsError> {
        let renewed = certified(&self.certificate, &self.key)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = renewed;
        Ok(())
    }

    /// Returns the acceptor of encrypted connections.
    ///
    /// # Errors
    /// [`TlsError::Unusable`].
    pub fn acceptor(self: &Arc<Self>) -> Result<TlsAcceptor, TlsError> {
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(self) as Arc<dyn ResolvesServerCert>);
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn certified(certificate: &Path, key: &Path) -> Result<Arc<CertifiedKey>, TlsError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| TlsError::Unreadable { path, error }
    };
    let read = |path: &Path| trusted::read(path).map_err(|error| pem::Error::Io(error.into()));
    let text = read(certificate).map_err(unreadable(certificate))?;
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let chain = chain.map_err(unreadable(certificate))?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate(certificate.to_owned()));
    }
    let text = read(key).map_err(unreadable(key))?;
    let key = PrivateKeyDer::from_pem_slice(&text).map_err(unreadable(key))?;
    Ok(Arc::new(CertifiedKey::from_der(chain, key, &ring::default_provider())?))
}
