//! The address for the process's health: `--health-listen`.
//!
//! The health server has its own listener, connections, thread and runtime, so that it answers
//! under any load or attack on the main address. Invariant: it answers from the service's start to
//! its last answer.

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
        let named = || format!("cannot listen on the health address {address}");
        let listener = TcpListener::bind(address).with_context(named)?;
        listener.set_nonblocking(true).with_context(named)?;
        let address = listener.local_addr().with_context(named)?;
        let runtime = Builder::new_current_thread().enable_all().build().with_context(named)?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener).with_context(named)?
        };
        let (stop, stopped) = oneshot::channel();
        let answer = move || {
            // The future completes when the sender is dropped; nothing is ever sent.
            let stopped = async { drop::<Result<(), _>>(stopped.await) };
            runtime.block_on(tilesight_service::serve(
                listener,
                tilesight_service::health(service),
                &limits(),
                stopped,
            ));
        };
        thread::Builder::new().name("health".to_owned()).spawn(answer).with_context(named)?;
        Ok(HealthServer { address, _stop: stop })
    }
}

/// Returns the limits that suit monitors: few connections, each answered at once or closed.
fn limits() -> Limits {
    let soon = Duration::from_secs(2);
    Limits { connections: 16, header: soon, write: soon, drain: soon, ..Limits::default() }
}
