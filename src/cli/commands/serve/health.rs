//! The address for the process's health: `--health-listen`.
//!
//! The health server has its own listener, connections, thread and runtime, so that it answers
//! under any load or attack on the main address. Invariant: it answers from the service's start to
//! its last answer.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use tokio::runtime::Builder;
use tokio::sync::oneshot;

use tilesight_service::{Limits, Service};

/// A server for the health of the process; it stops when this is dropped.
pub(super) struct HealthServer {
    /// Address, with the port that the system chose.
    pub(super) address: SocketAddr,
    _stop: oneshot::Sender<()>,
}

impl HealthServer {
    /// Listens and starts to answer.
    pub(super) fn start(address: SocketAddr, service: Service) -> anyhow::Result<HealthServer> {
        listen(address, service)
            .with_context(|| format!("cannot listen on the health address {address}"))
    }
}

fn listen(address: SocketAddr, service: Service) -> io::Result<HealthServer> {
    let socket = TcpListener::bind(address)?;
    socket.set_nonblocking(true)?;
    let address = socket.local_addr()?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let listener = {
        let _inside = runtime.enter();
        tokio::net::TcpListener::from_std(socket)?
    };
    let (stop, stopped) = oneshot::channel();
    thread::Builder::new().name("health".to_owned()).spawn(move || {
        // The future completes when the sender is dropped; nothing is ever sent.
        let stopped = async { drop::<Result<(), _>>(stopped.await) };
        let app = tilesight_service::health(service);
        runtime.block_on(tilesight_service::serve(listener, app, &limits(), stopped));
    })?;
    Ok(HealthServer { address, _stop: stop })
}

/// Returns the limits that suit monitors: few connections, each answered at once or closed.
fn limits() -> Limits {
    let soon = Duration::from_secs(2);
    Limits { connections: 16, header: soon, write: soon, drain: soon, ..Limits::default() }
}
