//! HTTPS with a certificate and its key from two files.
//!
//! rustls with the ciphers of ring; TLS 1.2 and 1.3, HTTP/1.1 only. The files can be reloaded while
//! the service runs: existing connections keep their certificate.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tilesight_files::trusted;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{
    self, CertificateError, ClientConfig, DigitallySignedStruct, ServerConfig, SignatureScheme,
};

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
    #[error("the certificate and its key can't be used")]
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
        Ok(Arc::new(Certificate {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            current,
        }))
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

/// Returns the settings of a client that accepts the certificate of a file, and no other.
///
/// # Errors
/// [`TlsError`] names the file.
pub fn client_for(certificate: &Path) -> Result<ClientConfig, TlsError> {
    let expected = read_chain(certificate)?.swap_remove(0);
    let provider = Arc::new(ring::default_provider());
    let verifier = OwnCertificate { expected, provider: Arc::clone(&provider) };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier));
    Ok(config.with_no_client_auth())
}

/// Verifier that accepts one certificate, by its bytes: a program that has its key is the service,
/// whatever its name, its issuer and its last day. Signatures are verified as usual.
#[derive(Debug)]
struct OwnCertificate {
    expected: CertificateDer<'static>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for OwnCertificate {
    fn verify_server_cert(
        &self,
        found: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if *found == self.expected {
            return Ok(ServerCertVerified::assertion());
        }
        Err(CertificateError::ApplicationVerificationFailure.into())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

fn unreadable(path: &Path, error: pem::Error) -> TlsError {
    TlsError::Unreadable { path: path.to_owned(), error }
}

fn read_pem(path: &Path) -> Result<Vec<u8>, TlsError> {
    trusted::read(path).map_err(|error| unreadable(path, pem::Error::Io(error.into())))
}

/// Returns the certificates of a file, of which there is at least one.
fn read_chain(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let text = read_pem(path)?;
    let chain = CertificateDer::pem_slice_iter(&text)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| unreadable(path, error))?;
    if chain.is_empty() { Err(TlsError::NoCertificate(path.to_owned())) } else { Ok(chain) }
}

fn certified(certificate: &Path, key: &Path) -> Result<Arc<CertifiedKey>, TlsError> {
    let chain = read_chain(certificate)?;
    let text = read_pem(key)?;
    let key = PrivateKeyDer::from_pem_slice(&text).map_err(|error| unreadable(key, error))?;
    Ok(Arc::new(CertifiedKey::from_der(chain, key, &ring::default_provider())?))
}
