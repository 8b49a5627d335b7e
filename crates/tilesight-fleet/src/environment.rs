//! Settings of a NATS cluster from the environment.
//!
//! Input: environment variables. Output: [`NatsOptions`]. Invariant: a secret is in a file that a
//! variable names, never in a variable or a URL, which process lists and logs would show.

use std::env::VarError;
use std::fmt::Display;
use std::num::{NonZeroU16, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::options::{NatsOptions, Role};
use super::servers::{Servers, ServersError};

/// Environment variables, for the help of the commands that use a cluster.
pub const ENVIRONMENT: &str = "\
Environment, for NATS:
  TILESIGHT_NATS_CREDENTIALS  file with a user's credentials: .creds, an nkey's seed, or user:password
  TILESIGHT_NATS_CA           certificate in PEM of the authority that signed the servers' own
  TILESIGHT_NATS_CERTIFICATE  certificate in PEM that this program shows the servers
  TILESIGHT_NATS_KEY          private key of that certificate in PEM
  TILESIGHT_NATS_API          what the subjects of JetStream's API begin with, where the streams are another
                              account's [default: $JS.API]
  TILESIGHT_NATS_PREFIX       what the names of streams begin with [default: tilesight]
  TILESIGHT_NATS_REPLICAS     copies of everything [default: 3 in a cluster, 1 elsewhere]
  TILESIGHT_NATS_PATIENCE     seconds that an answer of the servers may take [default: 5]
  TILESIGHT_PHOTOS            nats, or s3://bucket/folder [default: nats]";

/// Error when the settings can't be used; the operator can fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// An environment variable is invalid.
    #[error("{variable}: {reason}")]
    Variable {
        /// Name of the variable.
        variable: &'static str,
        /// Fault of the value.
        reason: String,
    },
    /// The servers can't be used with these options.
    #[error(transparent)]
    Servers(#[from] ServersError),
}

impl NatsOptions {
    /// Returns the options for the servers at `urls` (separated by commas) in a role: the defaults,
    /// overridden by the variables in [`ENVIRONMENT`]. With `open`, servers on other machines may
    /// be used without TLS and without credentials.
    ///
    /// # Errors
    /// [`OptionsError`] names the variable that can't be used, or says what makes the servers
    /// unsafe.
    pub fn from_environment(
        urls: &str,
        role: Role,
        open: bool,
    ) -> Result<NatsOptions, OptionsError> {
        let mut options = NatsOptions { role, open, ..NatsOptions::default() };
        if let Some(prefix) = variable("TILESIGHT_NATS_PREFIX")? {
            options.prefix = prefix;
        }
        if let Some(replicas) = variable::<NonZeroUsize>("TILESIGHT_NATS_REPLICAS")? {
            options.replicas = Some(replicas.get());
        }
        if let Some(seconds) = variable::<NonZeroU16>("TILESIGHT_NATS_PATIENCE")? {
            options.timeout = Duration::from_secs(seconds.get().into());
        }
        options.credentials = variable("TILESIGHT_NATS_CREDENTIALS")?;
        options.ca = variable("TILESIGHT_NATS_CA")?;
        options.certificate = certificate()?;
        options.api = api()?;
        if let Some(photos) = variable("TILESIGHT_PHOTOS")? {
            options.photos = photos;
        }
        Servers::parse(urls, &options)?;
        Ok(options)
    }
}

/// Returns the prefix of the subjects of JetStream's API, if the environment sets it.
fn api() -> Result<Option<String>, OptionsError> {
    let name = "TILESIGHT_NATS_API";
    let api: Option<String> = variable(name)?;
    if api.as_ref().is_some_and(|api| !api.split('.').all(is_token)) {
        let reason = "expected words separated by dots, such as FLEET.API".to_owned();
        return Err(OptionsError::Variable { variable: name, reason });
    }
    Ok(api)
}

/// Returns the paths of this program's certificate and its key, if the environment sets them.
fn certificate() -> Result<Option<(PathBuf, PathBuf)>, OptionsError> {
    const CERTIFICATE: &str = "TILESIGHT_NATS_CERTIFICATE";
    const KEY: &str = "TILESIGHT_NATS_KEY";
    let (variable, other) = match (variable(CERTIFICATE)?, variable(KEY)?) {
        (Some(file), Some(private)) => return Ok(Some((file, private))),
        (None, None) => return Ok(None),
        (Some(_), None) => (CERTIFICATE, KEY),
        (None, Some(_)) => (KEY, CERTIFICATE),
    };
    let reason = format!("a certificate needs its private key, and {other} is not set");
    Err(OptionsError::Variable { variable, reason })
}

/// Returns whether a text can be a word of a subject.
fn is_token(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|b| b.is_ascii_graphic() && b != b'*' && b != b'>')
}

fn variable<T: FromStr<Err: Display>>(variable: &'static str) -> Result<Option<T>, OptionsError> {
    let reason = match std::env::var(variable) {
        Err(VarError::NotPresent) => return Ok(None),
        Err(error) => error.to_string(),
        Ok(value) => match value.parse() {
            Ok(value) => return Ok(Some(value)),
            Err(error) => T::Err::to_string(&error),
        },
    };
    Err(OptionsError::Variable { variable, reason })
}
