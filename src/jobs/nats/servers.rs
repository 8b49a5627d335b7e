//! Which servers are connected to, and whether that is safe.
//!
//! Input: URLs and [`Options`]. Output: the servers, or why not. Invariant: a server on another
//! machine is used with TLS and with credentials, or somebody said that it may be open. Anyone who
//! can talk to a cluster that asks for neither reads every photo, writes results and empties the
//! queue.

use std::net::IpAddr;

use async_nats::ServerAddr;

use super::options::Options;

/// Servers of a cluster that may be used.
#[derive(Debug, Clone)]
pub(super) struct Servers {
    pub(super) addresses: Vec<ServerAddr>,
    /// Nothing is said to any of them without TLS.
    pub(super) tls: bool,
    /// Those on other machines of which somebody had to say that they may be open.
    open: Vec<String>,
}

/// Why a server is not connected to; the operator can fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ServersError {
    /// It has no URL.
    #[error(
        "`{url}` is not the URL of a NATS server: {reason}. Write nats://HOST:4222 or tls://HOST:4222"
    )]
    Malformed {
        /// What was given, without its credentials.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// It has credentials in its URL.
    #[error(
        "the URL of {host} has credentials in it, and lists of processes and logs show URLs: write `user:password` \
         into a file and name it in TILESIGHT_NATS_CREDENTIALS"
    )]
    Credentials {
        /// The machine.
        host: String,
    },
    /// Everybody on its network could read along or join in.
    #[error(
        "{host} is another machine, and the connection to it would have {missing}: anyone who reaches its network could \
         read photos and change results. Either name it as tls://{host} and its credentials in \
         TILESIGHT_NATS_CREDENTIALS (or TILESIGHT_NATS_CERTIFICATE and TILESIGHT_NATS_KEY; docs/fleet.md has an \
         example), or accept that with --nats-open"
    )]
    Exposed {
        /// The machine.
        host: String,
        /// What is missing.
        missing: &'static str,
    },
}

impl Servers {
    /// The servers behind URLs with commas between.
    pub(super) fn of(urls: &str, options: &Options) -> Result<Servers, ServersError> {
        let addresses = urls.split(',').map(|url| address(url.trim()));
        let addresses = addresses.collect::<Result<Vec<_>, _>>()?;
        let shown = options.certificate.is_some();
        // A configuration that names an authority or a certificate asks for TLS, whatever the URLs
        // say.
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

    /// Says what everybody on the network of these servers can do, where that is more than it
    /// should be.
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
    let malformed = |reason: String| {
        // Behind the credentials, if there are any.
        let url = url.rsplit('@').next().unwrap_or_default().to_owned();
        ServersError::Malformed { url, reason }
    };
    let address: ServerAddr = url.parse().map_err(|error| malformed(format!("{error}")))?;
    if address.host().is_empty() {
        return Err(malformed("the host is missing".to_owned()));
    }
    if address.is_websocket() {
        return Err(malformed("WebSockets are not supported".to_owned()));
    }
    if address.username().is_some() || address.password().is_some() {
        return Err(ServersError::Credentials { host: address.host().to_owned() });
    }
    Ok(address)
}

/// Whether a host is this machine.
fn is_here(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(change: impl FnOnce(&mut Options)) -> Options {
        let mut options = Options::default();
        change(&mut options);
        options
    }

    #[test]
    fn this_machine_needs_nothing_and_another_needs_both() {
        let nothing = Options::default();
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
            // All of them are spoken to in TLS then.
            ("tls://queue-1,nats://queue-2", &known, None),
            ("nats://queue:4222", &shown, None),
            ("nats://queue:4222,queue-2", &open, None),
        ] {
            let found = Servers::of(urls, options);
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
        let servers = Servers::of("tls://queue-1,nats://localhost", &known).expect("it is safe");
        assert!(servers.tls);
        assert!(!Servers::of("nats://localhost", &known).expect("it is this machine").tls);
    }

    #[test]
    fn what_is_refused_is_told_without_secrets() {
        let open = with(|options| options.open = true);
        for (url, part) in [
            ("nats://somebody:hidden@localhost:4222", "TILESIGHT_NATS_CREDENTIALS"),
            ("nats://hidden@localhost:4222", "TILESIGHT_NATS_CREDENTIALS"),
            ("wss://localhost:443", "WebSockets"),
            ("http://somebody:hidden@localhost", "`localhost` is not"),
            ("nats://localhost,", "is not the URL"),
        ] {
            let error = Servers::of(url, &open).expect_err(url).to_string();
            assert!(error.contains(part) && !error.contains("hidden"), "{url}: {error}");
        }
        let told = Servers::of("nats://queue:4222", &Options::default()).expect_err("open");
        let told = told.to_string();
        for way in ["tls://queue", "TILESIGHT_NATS_CREDENTIALS", "--nats-open"] {
            assert!(told.contains(way), "{told}");
        }
    }
}
