//! The address that tells the process's health: `--health-listen`.
//!
//! It has its own listener, connections, thread and runtime, so neither photos nor whoever besets the first address
//! keeps it from answering. Invariant: it answers from the first moment to the last answer of the service.

use std::net::{SocketAddr, TcpListener};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use tokio::runtime::Builder;
use tokio::sync::oneshot;

use crate::config::Limits;
use crate::http::{self, Service};

/// An address that is answered until this is dropped.
pub(super) struct Watched {
    /// Where that is, with the port that the system chose.
    pub(super) address: SocketAddr,
    _stop: oneshot::Sender<()>,
}

impl Watched {
    /// Listens and answers.
    pub(super) fn start(address: SocketAddr, service: Service) -> anyhow::Result<Watched> {
        let named = || format!("cannot tell the service's health at {address}");
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
            // It ends when the other end is dropped; nothing is ever sent.
            let stopped = async { drop::<Result<(), _>>(stopped.await) };
            runtime.block_on(http::serve(listener, http::health(service), &limits(), stopped));
        };
        thread::Builder::new().name("health".to_owned()).spawn(answer).with_context(named)?;
        Ok(Watched { address, _stop: stop })
    }
}

/// What those who watch a process need: few connections, and each answered at once or ended.
fn limits() -> Limits {
    let soon = Duration::from_secs(2);
    Limits { connections: 16, header: soon, write: soon, drain: soon, ..Limits::default() }
}
