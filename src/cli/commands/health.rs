//! `tilesight health`: checks whether a service on this machine can read photos; meant for
//! containers, which have no other HTTP client.
//!
//! Input: the settings of the service, from the same flags, environment and file. Output: the exit
//! code. The command queries the service's health address if there is one, else the main address,
//! by HTTPS if the service has a certificate. Invariant: it accepts that certificate and no other,
//! so it asks no program that took the port of the service.

use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use tokio_rustls::rustls::{ClientConnection, StreamOwned};

use crate::cli::args::settings::SettingsArgs;
use crate::cli::output::Exit;
use crate::config::ListenAddress;
use tilesight_service::tls;

/// Default timeout, in seconds; a healthy service answers at once.
const TIMEOUT_SECONDS: &str = "3";
/// Maximum number of bytes that are read for the first line of the answer.
const MAX_BYTES: usize = 1000;

/// Arguments of `tilesight health`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Address of the service, instead of the one in its settings; if it listens on all interfaces,
    /// this machine is queried
    #[arg(long, value_name = "ADDRESS")]
    address: Option<ListenAddress>,
    /// Check only that the port is open
    #[arg(long)]
    tcp: bool,
    /// Maximum time to wait for each part of the answer, in seconds
    #[arg(long, value_name = "N", default_value = TIMEOUT_SECONDS)]
    timeout_seconds: NonZeroU16,
    #[command(flatten)]
    settings: SettingsArgs,
}

/// Requests `/readyz`.
///
/// # Errors
/// When the settings can't be used, nothing listens, or photos can't be read.
pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    let (choices, _) = args.settings.choices()?;
    // The health address has no TLS.
    let certificate =
        choices.tls_certificate.as_deref().filter(|_| choices.health_listen.is_none());
    let main = args.address.as_ref().map_or(choices.listen_address(), ListenAddress::address);
    let address = choices.health_listen.as_ref().map_or(main, ListenAddress::address);
    ensure!(
        address.port() != 0,
        "the system chose the port of the service: name it with --address"
    );
    let address = SocketAddr::new(reachable(address.ip()), address.port());
    let timeout = Duration::from_secs(args.timeout_seconds.get().into());
    let stream = TcpStream::connect_timeout(&address, timeout)
        .with_context(|| format!("nothing listens on {address}"))?;
    if args.tcp {
        return Ok(Exit::Done);
    }
    stream.set_read_timeout(Some(timeout))?;
    stream.set_write_timeout(Some(timeout))?;
    let answer = match certificate {
        Some(certificate) => ask(&mut encrypted(stream, address, certificate)?, address),
        None => ask(&mut { stream }, address),
    };
    match answer.context("the service does not answer")?.split(' ').nth(1) {
        Some("200") => Ok(Exit::Done),
        Some(status) => bail!("the service is not ready: it answers {status}"),
        None => bail!("the service does not answer in HTTP"),
    }
}

/// Returns the address of this machine for one that stands for all its interfaces.
fn reachable(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        address => address,
    }
}

fn encrypted(
    stream: TcpStream,
    address: SocketAddr,
    certificate: &Path,
) -> anyhow::Result<StreamOwned<ClientConnection, TcpStream>> {
    let config = Arc::new(tls::client_for(certificate)?);
    let connection = ClientConnection::new(config, address.ip().into())?;
    Ok(StreamOwned::new(connection, stream))
}

/// Sends the request and returns the first line of the answer, or its beginning.
fn ask(stream: &mut (impl Read + Write), address: SocketAddr) -> std::io::Result<String> {
    write!(stream, "GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    stream.flush()?;
    let mut line = Vec::new();
    while line.len() < MAX_BYTES && !line.contains(&b'\n') {
        let mut bytes = [0; 256];
        match stream.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => line.extend_from_slice(&bytes[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(String::from_utf8_lossy(&line).into_owned())
}
