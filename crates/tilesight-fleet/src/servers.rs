//! Servers to connect to, and a check that the connection is safe.
//!
//! Input: URLs and [`NatsOptions`]. Output: the servers, or the reason for refusing them.
//! Invariant: a server on another machine is used with TLS and with credentials, unless the
//! operator explicitly allowed it to be open. Anyone who can reach a cluster that requires neither
//! can read every photo, write results and empty the queue.

use std::net::IpAddr;

use async_nats::ServerAddr;

use super::options::NatsOptions;

/// Servers of a cluster that may be used.
#[derive(Debug, Clone)]
pub(super) struct Servers {
    pub(super) addresses: Vec<ServerAddr>,
    /// Whether all connections must use TLS.
    pub(super) tls: bool,
    /// Servers on other machines that are open, which the operator had to allow.
    open: Vec<String>,
}

/// Error when a server must not be connected to; the operator can fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ServersError {
    /// The URL is invalid.
    #[error(
        "`{url}` is not the URL of a NATS server: {reason}. Write nats://HOST:4222 or tls://HOST:4222"
    )]
    Malformed {
        /// URL as given, without its credentials.
        url: String,
        /// Fault of the URL.
        reason: String,
    },
    /// The URL contains credentials.
    #[error(
        "the URL of {host} has credentials in it, and lists of processes and logs show URLs: write `user:password` \
         into a file and name it in TILESIGHT_NATS_CREDENTIALS"
    )]
    Credentials {
        /// Host name.
        host: String,
    },
    /// Anyone on the server's network could read along or join in.
    #[error(
        "{host} is another machine, and the connection to it would have {missing}: anyone who reaches its network could \
         read photos and change results. Either name it as tls://{host} and its credentials in \
         TILESIGHT_NATS_CREDENTIALS (or TILESIGHT_NATS_CERTIFICATE and TILESIGHT_NATS_KEY; docs/fleet.md has an \
         example), or accept that with --nats-open"
    )]
    Exposed {
        /// Host name.
        host: String,
        /// Missing protection.
        missing: &'static str,
    },
}

impl Servers {
    /// Returns the servers at URLs that are separated by commas.
    pub(super) fn parse(urls: &str, options: &NatsOptions) -> Result<Servers, ServersError> {
        let addresses =
            urls.split(',').map(|url| address(url.trim())).collect::<Result<Vec<_>, _>>()?;
        let shown = options.certificate.is_some();
        // A configuration with an authority or a certificate requires TLS, regardless of the URLs.
        let tls = shown || options.ca.is_some() || addresses.iter().any(ServerAddr::tls_required);
        let credentials = shown || options.credentials.is_some();
        let mut open = Vec::new();
        for address in addresses.iter().filter(|address| !is_here(address.host())) {
            let host = address.host().to_owned();
            let missing = match (tls, credentials) {
                (true, true) => continue,
                (true, false) => "no credentials",
                (false, true) => "no TLS",
                (false, false) => "neither TLS nor credentials",
            };
            if !options.open {
                return Err(ServersError::Exposed { host, missing });
            }
            open.push(format!("{host} ({missing})"));
        }
        Ok(Servers { addresses, tls, open })
    }

    /// Logs a warning if anyone on the network of these servers can do more than they should.
    pub(super) fn warn(&self, asks_for_credentials: bool) {
        for server in &self.open {
            tracing::warn!(
                server,
                "OPEN: anyone who reaches the network of this NATS server can read photos and change results"
            );
        }
        if !asks_for_credentials {
            tracing::warn!(
                "OPEN: the NATS server asks nobody for credentials: anyone who reaches it can read photos and change \
                 results (docs/fleet.md shows how to close it)"
            );
        }
    }
}

fn address(url: &str) -> Result<ServerAddr, ServersError> {
    let address: ServerAddr = url.parse().map_err(|error| malformed(url, format!("{error}")))?;
    if address.host().is_empty() {
        return Err(malformed(url, "the host is missing".to_owned()));
    }
    if address.is_websocket() {
        return Err(malformed(url, "WebSockets are not supported".to_owned()));
    }
    if address.username().is_some() || address.password().is_some() {
        return Err(ServersError::Credentials { host: address.host().to_owned() });
    }
    Ok(address)
}

/// Returns the error for a URL, without its credentials, if it has any.
fn malformed(url: &str, reason: String) -> ServersError {
    let url = url.rsplit('@').next().unwrap_or_default().to_owned();
    ServersError::Malformed { url, reason }
}

/// Returns whether a host is this machine.
fn is_here(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(change: impl FnOnce(&mut NatsOptions)) -> NatsOptions {
        let mut options = NatsOptions::default();
        change(&mut options);
        options
    }

    #[test]
    fn this_machine_needs_nothing_and_another_needs_both() {
        let nothing = NatsOptions::default();
        let known = with(|options| options.credentials = Some("file".into()));
        let shown = with(|options| options.certificate = Some(("a".into(), "b".into())));
        let authority = with(|options| options.ca = Some("ca".into()));
        let open = with(|options| options.open = true);
        for (urls, options, missing) in [
            ("nats://localhost:4222", &nothing, None),
            ("nats://LOCALHOST", &nothing, None),
            ("127.0.0.1:4222,nats://[::1]:4222,nats://127.8.8.8", &nothing, None),
            ("nats://queue:4222", &nothing, Some("neither TLS nor credentials")),
            ("queue", &nothing, Some("neither TLS nor credentials")),
            ("nats://0.0.0.0:4222", &nothing, Some("neither TLS nor credentials")),
            ("nats://localhost.example.org", &nothing, Some("neither TLS nor credentials")),
            ("nats://localhost,nats://10.0.0.7", &nothing, Some("neither TLS nor credentials")),
            ("nats://[::ffff:10.0.0.7]", &nothing, Some("neither TLS nor credentials")),
            ("tls://queue:4222", &nothing, Some("no credentials")),
            ("nats://queue", &authority, Some("no credentials")),
            ("nats://queue:4222", &known, Some("no TLS")),
            ("tls://queue:4222", &known, None),
            // TLS is used for all of them then.
            ("tls://queue-1,nats://queue-2", &known, None),
            ("nats://queue:4222", &shown, None),
            ("nats://queue:4222,queue-2", &open, None),
        ] {
            let found = Servers::parse(urls, options);
            let found = found.map(|_| ()).map_err(|error| match error {
                ServersError::Exposed { missing, .. } => missing,
                other => panic!("{urls}: {other}"),
            });
            assert_eq!(found, missing.map_or(Ok(()), Err), "{urls}");
        }
    }

    #[test]
    fn one_server_in_tls_puts_all_of_them_in_tls() {
        let known = with(|options| options.credentials = Some("file".into()));
        let servers = Servers::parse("tls://queue-1,nats://localhost", &known).expect("it is safe");
        assert!(servers.tls);
        assert!(!Servers::parse("nats://localhost", &known).expect("it is this machine").tls);
    }

    #[test]
    fn a_refusal_of_a_url_hides_its_secrets() {
        let open = with(|options| options.open = true);
        for (url, part) in [
            ("nats://somebody:hidden@localhost:4222", "TILESIGHT_NATS_CREDENTIALS"),
            ("nats://hidden@localhost:4222", "TILESIGHT_NATS_CREDENTIALS"),
            ("wss://localhost:443", "WebSockets"),
            ("http://somebody:hidden@localhost", "`localhost` is not"),
            ("nats://localhost,", "is not the URL"),
        ] {
            let error = Servers::parse(url, &open).expect_err(url).to_string();
            assert!(error.contains(part) && !error.contains("hidden"), "{url}: {error}");
        }
        let message =
            Servers::parse("nats://queue:4222", &NatsOptions::default()).expect_err("open");
        let message = message.to_string();
        for way in ["tls://queue", "TILESIGHT_NATS_CREDENTIALS", "--nats-open"] {
            assert!(message.contains(way), "{message}");
        }
    }
}
