//! `tilesight health`: checks whether a service on this machine can read photos; meant for
//! containers, which have no other HTTP client.
//!
//! The command queries the service's health address if there is one, else the main address. Plain
//! HTTP only: for a service with HTTPS and without a health address, `--tcp` checks only that the
//! port is open.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context as _, bail};

use super::Exit;
use crate::config::ListenAddress;

/// Timeout; a healthy service answers at once.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Arguments of `tilesight health`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Address of the service; if it listens on all interfaces, this machine is queried
    #[arg(
        long,
        env = "TILESIGHT_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS"
    )]
    address: ListenAddress,
    /// Health address of the service, which is queried instead
    #[arg(long, env = "TILESIGHT_HEALTH_LISTEN", value_name = "ADDRESS")]
    health_listen: Option<ListenAddress>,
    /// Check only that the port is open
    #[arg(long)]
    tcp: bool,
}

/// Requests `/readyz`.
///
/// # Errors
/// When nothing listens, or photos can't be read.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let address = args.health_listen.as_ref().unwrap_or(&args.address).address();
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)
        .with_context(|| format!("nothing listens on {address}"))?;
    if args.tcp {
        return Ok(Exit::Done);
    }
    stream.set_read_timeout(Some(TIMEOUT))?;
    write!(stream, "GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(10_000).read_to_string(&mut answer).context("the service does not answer")?;
    match answer.split(' ').nth(1) {
        Some("200") => Ok(Exit::Done),
        Some(status) => bail!("the service is not ready: it answers {status}"),
        None => bail!("the service does not answer in HTTP"),
    }
}
