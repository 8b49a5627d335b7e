//! Seal of the secrets of webhooks, so that a thief of the store's documents can't sign with them.
//!
//! Input: a key of 32 bytes from a file outside the store, the job that a secret belongs to, and
//! the secret. Output: base64 of a nonce, the secret encrypted with ChaCha20-Poly1305 (RFC 8439),
//! and its tag. Invariants: every sealing has a nonce of its own from the system's random numbers;
//! a sealed secret opens only for the job that it was sealed for.

use std::fmt;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use tilesight_core::hex;
use tilesight_files::private;
use tilesight_files::trusted::{self, TrustError};
use tilesight_jobs::JobId;
use tilesight_jobs::evenings::LinkKey;
use tilesight_jobs::random;

use super::Secret;
use crate::guard::keys::unhex;

const KEY: usize = 32;
/// Maximum number of bytes that are read of a key file: a key with whitespace around it.
const MAX_TEXT: u64 = 1024;

/// Key, ready for use.
pub struct Seal {
    cipher: LessSafeKey,
    links: LinkKey,
}

/// Error when the key can't be loaded; the operator can fix it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// The file can't be read.
    #[error("{} can't be read: {error}; make one with `openssl rand -hex 32`", path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
    /// The file may belong to another user.
    #[error("the key can't be used: {error}")]
    Untrusted {
        /// Path of the file.
        path: PathBuf,
        /// Reason, and how to fix it.
        error: io::Error,
    },
    /// The file can't be created.
    #[error("{} can't be made: {error}", path.display())]
    Unwritable {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
    /// The file does not contain a key.
    #[error("{} is not a key: expected 64 hex digits, as `openssl rand -hex 32` prints them", path.display())]
    Malformed {
        /// Path of the file.
        path: PathBuf,
    },
}

impl Seal {
    /// Reads the key in a file: 64 hex digits.
    ///
    /// # Errors
    /// [`SealError`].
    pub fn read(path: &Path) -> Result<Seal, SealError> {
        let text = trusted::read_to_string(path).map_err(|error| seal_error(path, error))?;
        parse_key(path, &text)
    }

    /// Reads the key in a file of the program's own, and creates it if it is missing, readable by
    /// this user only. If other users can read the key, their access is removed.
    ///
    /// # Errors
    /// [`SealError`]. A link, another user's file or a file without a key is left unchanged.
    pub fn read_or_make(path: &Path) -> Result<Seal, SealError> {
        match Seal::read_own(path) {
            Err(SealError::Unreadable { path, error })
                if error.kind() == io::ErrorKind::NotFound =>
            {
                make(&path).map_err(|error| SealError::Unwritable { path: path.clone(), error })?;
                Seal::read_own(&path)
            }
            read => read,
        }
    }

    fn read_own(path: &Path) -> Result<Seal, SealError> {
        let file = trusted::open_own(path).map_err(|error| seal_error(path, error))?;
        let mut text = Vec::new();
        let read = (&file).take(MAX_TEXT).read_to_end(&mut text);
        read.map_err(|error| SealError::Unreadable { path: path.to_owned(), error })?;
        let seal = parse_key(path, &String::from_utf8_lossy(&text))?;
        // The content is ours. The permissions are changed only now, and through the open file,
        // because the path may lead to another file by now.
        match trusted::close_to_others(&file) {
            Ok(false) => {}
            Ok(true) => {
                tracing::info!(file = %path.display(), "removed the access of other users to this key");
            }
            Err(error) => {
                tracing::warn!(file = %path.display(), %error, "other users may read this key");
            }
        }
        Ok(seal)
    }

    pub(super) fn new(key: &[u8; KEY]) -> Seal {
        let cipher =
            UnboundKey::new(&CHACHA20_POLY1305, key).expect("the key has the cipher's length");
        Seal { cipher: LessSafeKey::new(cipher), links: LinkKey::new(key) }
    }

    /// Returns the key from which the tokens of games' links are derived: it must be kept outside
    /// the store as well.
    #[must_use]
    pub fn link_key(&self) -> LinkKey {
        self.links.clone()
    }

    /// Seals the secret of a job's webhook.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(super) fn close(&self, job: &JobId, secret: &Secret) -> Result<String, getrandom::Error> {
        let nonce: [u8; NONCE_LEN] = random::bytes()?;
        let mut text = secret.text().into_bytes();
        let tag = self
            .cipher
            .seal_in_place_separate_tag(
                Nonce::assume_unique_for_key(nonce),
                belongs(job),
                &mut text,
            )
            .expect("a secret is shorter than the cipher's limit of 256 GB");
        Ok(BASE64.encode([&nonce, &text[..], tag.as_ref()].concat()))
    }

    /// Opens a sealed secret; `None` if it was sealed with another key or for another job.
    pub(super) fn open(&self, job: &JobId, sealed: &str) -> Option<Secret> {
        let mut bytes = BASE64.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk_mut::<NONCE_LEN>()?;
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let text = self.cipher.open_in_place(nonce, belongs(job), sealed).ok()?;
        std::str::from_utf8(text).ok()?.parse().ok()
    }
}

/// Converts the reason why a file was not read.
fn seal_error(path: &Path, error: TrustError) -> SealError {
    let path = path.to_owned();
    match error {
        TrustError::Unreadable(error) => SealError::Unreadable { path, error },
        error => SealError::Untrusted { path, error: error.into() },
    }
}

fn parse_key(path: &Path, text: &str) -> Result<Seal, SealError> {
    let key =
        unhex::<KEY>(text.trim()).ok_or_else(|| SealError::Malformed { path: path.to_owned() })?;
    Ok(Seal::new(&key))
}

fn belongs(job: &JobId) -> Aad<String> {
    Aad::from(format!("tilesight webhook {job}"))
}

/// Writes a new key to a temporary file and links it to its path, unless another process was
/// faster.
fn make(path: &Path) -> io::Result<()> {
    let key: [u8; KEY] = random::bytes().map_err(io::Error::other)?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", hex::encode(&key[..4])));
    let mut file = private::options().write(true).create_new(true).open(&beside)?;
    let mut made = writeln!(file, "{}", hex::encode(&key)).and_then(|()| file.sync_all());
    if made.is_ok() {
        made = match fs::hard_link(&beside, path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            linked => linked,
        };
    }
    fs::remove_file(&beside).and(made)
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_opens_with_its_key_for_its_job_alone() {
        let (one, other) = (Seal::new(&[1; KEY]), Seal::new(&[2; KEY]));
        let (job, another) = (JobId::random().unwrap(), JobId::random().unwrap());
        let secret = Secret::generate().unwrap();
        let sealed = one.close(&job, &secret).unwrap();
        assert_eq!(one.open(&job, &sealed), Some(secret.clone()));
        assert!(other.open(&job, &sealed).is_none(), "another key");
        assert!(one.open(&another, &sealed).is_none(), "another job");
        assert_ne!(one.close(&job, &secret).unwrap(), sealed, "each has a nonce of its own");
        let mut bytes = BASE64.decode(&sealed).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        for bad in [BASE64.encode(&bytes), String::new(), "***".to_owned(), BASE64.encode([0; 12])]
        {
            assert!(one.open(&job, &bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_key_is_made_once_and_only_for_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.key");
        assert!(matches!(Seal::read(&path), Err(SealError::Unreadable { .. })));
        let job = JobId::random().unwrap();
        let secret = Secret::generate().unwrap();
        let sealed = Seal::read_or_make(&path).unwrap().close(&job, &secret).unwrap();
        let again = Seal::read_or_make(&path).unwrap();
        assert_eq!(again.open(&job, &sealed), Some(secret), "the same after a restart");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing lies beside it");
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(
                &fs::metadata(&path).unwrap().permissions(),
            );
            assert_eq!(mode & 0o777, 0o600);
        }
        fs::write(&path, "12ab").unwrap();
        assert!(matches!(Seal::read_or_make(&path), Err(SealError::Malformed { .. })));
        let nowhere = folder.path().join("none/data.key");
        assert!(matches!(Seal::read_or_make(&nowhere), Err(SealError::Unwritable { .. })));
    }
}
