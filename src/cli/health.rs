//! `tilesight health`: whether a service on this machine can read photos; for containers, which have no
//! other program to ask with.
//!
//! It asks the address that tells the service's health where there is one, and else the service's own. Plain HTTP only:
//! where the service speaks HTTPS and has no other address, `--tcp` only asks whether somebody listens.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context as _, bail};

use super::Exit;

/// The service answers at once, or it is not well.
const PATIENCE: Duration = Duration::from_secs(3);

/// What `tilesight health` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where the service listens; an address of all interfaces is asked on this machine
    #[arg(
        long,
        env = "TILESIGHT_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS"
    )]
    address: SocketAddr,
    /// Where the service tells its health; this is asked instead where it is given
    #[arg(long, env = "TILESIGHT_HEALTH_LISTEN", value_name = "ADDRESS")]
    health_listen: Option<SocketAddr>,
    /// Only ask whether somebody listens
    #[arg(long)]
    tcp: bool,
}

/// Asks `/readyz`.
///
/// # Errors
/// When nobody listens, or photos can't be read.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let address = args.health_listen.unwrap_or(args.address);
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)
        .with_context(|| format!("nobody listens on {address}"))?;
    if args.tcp {
        return Ok(Exit::Done);
    }
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(stream, "GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(10_000).read_to_string(&mut answer).context("the service does not answer")?;
    match answer.split(' ').nth(1) {
        Some("200") => Ok(Exit::Done),
        Some(status) => bail!("the service is not ready: it answers {status}"),
        None => bail!("the service does not answer in HTTP"),
    }
}
