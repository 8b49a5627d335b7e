//! File with the credentials that a NATS cluster requires.
//!
//! Input: a file in one of three forms: the output of `nsc` (`.creds`), the seed of an nkey, or a
//! line `user:password`. Output: the credentials that a connection presents to the servers.
//! Invariant: no message contains any part of them.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use async_nats::ConnectOptions;
use tilesight_files::trusted;
use tilesight_jobs::StoreError;

use super::fault::settings;

/// Marker that identifies a `.creds` file.
const CREDS: &str = "-----BEGIN NATS USER JWT-----";
/// Prefix and length of the seed of a user's nkey.
const SEED: (&str, usize) = ("SU", 58);

/// Credentials of a user.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Credentials {
    /// Signed token with the seed of its key.
    Creds(String),
    /// Seed of a key.
    Seed(String),
    /// User name and password.
    User(String, String),
}

/// Error when a file has no credentials; its author can fix it.
#[derive(Debug, thiserror::Error)]
pub(super) enum CredentialsError {
    #[error("the credentials in {} can't be read: {error}", file.display())]
    Unreadable { file: PathBuf, error: io::Error },
    #[error(
        "{} has no credentials for NATS: a .creds file has, the seed of an nkey (SU...) is one, and so is a line \
         `user:password`",
        file.display()
    )]
    Unknown { file: PathBuf },
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials")
    }
}

impl Credentials {
    /// Reads the credentials in a file.
    pub(super) fn read(file: &Path) -> Result<Credentials, CredentialsError> {
        let text = trusted::read_to_string(file).map_err(|error| CredentialsError::Unreadable {
            file: file.to_owned(),
            error: io::Error::from(error),
        })?;
        Credentials::parse(&text).ok_or_else(|| CredentialsError::Unknown { file: file.to_owned() })
    }

    fn parse(text: &str) -> Option<Credentials> {
        if text.contains(CREDS) {
            return Some(Credentials::Creds(text.to_owned()));
        }
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let (Some(line), None) = (lines.next(), lines.next()) else { return None };
        if line.starts_with(SEED.0) && line.len() == SEED.1 {
            return Some(Credentials::Seed(line.to_owned()));
        }
        let (user, password) = line.split_once(':')?;
        let whole = !user.is_empty() && !password.is_empty();
        whole.then(|| Credentials::User(user.to_owned(), password.to_owned()))
    }

    /// Adds the credentials to a connection's options.
    pub(super) fn apply_to(self, connect: ConnectOptions) -> Result<ConnectOptions, StoreError> {
        Ok(match self {
            Credentials::Creds(text) => {
                connect.credentials(&text).map_err(|error| settings(&error))?
            }
            Credentials::Seed(seed) => connect.nkey(seed),
            Credentials::User(user, password) => connect.user_and_password(user, password),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms_are_told_apart() {
        let seed = "SUANQDPB2RUOE4ETUA26CNX7FUKE5ZZKFCQIIW63OX225F2CO7UEXTM7ZY";
        let creds = format!("{CREDS}\nabc\n------END NATS USER JWT------\n");
        let user = |name: &str, word: &str| Some(Credentials::User(name.into(), word.into()));
        for (text, expected) in [
            (creds.as_str(), Some(Credentials::Creds(creds.clone()))),
            (seed, Some(Credentials::Seed(seed.to_owned()))),
            (&format!("\n{seed}\n"), Some(Credentials::Seed(seed.to_owned()))),
            ("worker:pass:word\n", user("worker", "pass:word")),
            ("", None),
            ("worker", None),
            ("worker:", None),
            (":word", None),
            ("a:b\nc:d", None),
            (&seed[..57], None),
        ] {
            assert_eq!(Credentials::parse(text), expected, "{text}");
        }
        assert_eq!(format!("{:?}", user("worker", "hidden")), "Some(Credentials)");
    }
}
