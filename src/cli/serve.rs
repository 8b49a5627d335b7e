//! `tilesight serve`: the HTTP service as a process.
//!
//! It listens at once and loads the models beside: `/livez` answers from the first moment,
//! `/readyz` once the models have run. A missing model ends the process with one line. Told to stop
//! by SIGTERM or Ctrl-C it answers what it has accepted and ends well. It listens on this machine
//! only unless told otherwise, because it asks nobody for a key.

use std::future::Future;
use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::task::spawn_blocking;
use tracing_subscriber::EnvFilter;

use super::Exit;
use crate::config::Limits;
use crate::http::{self, Service};
use crate::pipeline::model::warm_up;
use crate::pipeline::{DecodeLimits, ModelError, ModelPaths, Reader};

/// Threads that move bytes; photos are read on others.
const ASYNC_THREADS: usize = 2;
/// What a reading that nobody waits for any more may still take when the process ends.
const LEFTOVERS: Duration = Duration::from_secs(5);

/// What `tilesight serve` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Address and port to listen on; port 0 takes a free one
    #[arg(
        long,
        env = "TILESIGHT_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS"
    )]
    listen: SocketAddr,
    /// Most bytes of a request's body
    #[arg(long, env = "TILESIGHT_MAX_BODY", default_value_t = Limits::default().body_bytes, value_name = "BYTES")]
    max_body: usize,
    /// Most pixels of a photo
    #[arg(long, env = "TILESIGHT_MAX_PIXELS", default_value_t = DecodeLimits::default().pixels, value_name = "PIXELS")]
    max_pixels: u64,
    /// Photos read at the same time [default: one a core]
    #[arg(long, env = "TILESIGHT_WORKERS", value_name = "COUNT")]
    workers: Option<std::num::NonZeroUsize>,
    /// Write the log as JSON
    #[arg(long, env = "TILESIGHT_LOG_JSON")]
    log_json: bool,
}

impl Args {
    fn limits(&self) -> Limits {
        let limits = Limits { body_bytes: self.max_body, ..Limits::default() };
        self.workers.map_or(limits.clone(), |workers| limits.with_workers(workers.get()))
    }
}

/// Serves until told to stop.
///
/// # Errors
/// When the address can't be listened on, or the models or ONNX Runtime are missing.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    log(args.log_json);
    let mut runtime = Builder::new_multi_thread();
    runtime.worker_threads(ASYNC_THREADS).enable_all();
    let runtime = runtime.build().context("cannot start the threads of the service")?;
    let served = runtime.block_on(serve(args));
    runtime.shutdown_timeout(LEFTOVERS);
    served.map(|()| Exit::Done)
}

async fn serve(args: &Args) -> anyhow::Result<()> {
    // Listened for before anybody can know the address: a signal is never lost.
    let told_to_stop = told_to_stop()?;
    let listener = TcpListener::bind(args.listen);
    let listener = listener.await.with_context(|| format!("cannot listen on {}", args.listen))?;
    announce(listener.local_addr()?)?;
    let limits = args.limits();
    let service = Service::new(limits.clone());
    let max_pixels = args.max_pixels;
    let loading = spawn_blocking(move || load(max_pixels));
    let mut failure = None;
    let stop = async {
        tokio::pin!(told_to_stop);
        tokio::select! {
            () = &mut told_to_stop => {}
            loaded = loading => match loaded.context("the models cannot be loaded").and_then(|loaded| Ok(loaded?)) {
                Ok(reader) => {
                    service.ready(Arc::new(reader));
                    tracing::info!("ready");
                    told_to_stop.await;
                }
                Err(error) => failure = Some(error),
            },
        }
        service.stop();
    };
    http::serve(listener, http::app(service.clone()), &limits, stop).await;
    failure.map_or(Ok(()), Err)
}

/// Loads the models and runs each once, so that the first photo waits for nothing.
fn load(max_pixels: u64) -> Result<Reader, ModelError> {
    let limits = DecodeLimits { pixels: max_pixels, ..DecodeLimits::default() };
    let reader = Reader::load(&ModelPaths::from_environment())?.with_limits(limits);
    warm_up(reader.model())?;
    Ok(reader)
}

/// One line on standard output, for people and for whoever started the process with port 0.
fn announce(address: SocketAddr) -> io::Result<()> {
    writeln!(io::stdout(), "tilesight listens on http://{address}")?;
    io::stdout().flush()?;
    if !address.ip().is_loopback() {
        tracing::warn!("other machines can reach this address, and nobody is asked for a key");
    }
    Ok(())
}

/// Ends when the process is sent SIGTERM or Ctrl-C.
fn told_to_stop() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminate = {
        use tokio::signal::unix::{SignalKind, signal};
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?)
    };
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = terminate.0.recv() => {}
            _ = terminate.1.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Logs to standard error; `TILESIGHT_LOG` chooses what, as in `tilesight=debug`.
fn log(json: bool) {
    let filter = EnvFilter::try_from_env("TILESIGHT_LOG")
        .unwrap_or_else(|_| EnvFilter::new("tilesight=info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let log = log.with_ansi(io::stderr().is_terminal());
    // It fails only when something is logging already, as in a test.
    let _ = if json { log.json().try_init() } else { log.try_init() };
}
