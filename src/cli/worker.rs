//! `tilesight worker`: one machine of a fleet, which reads photos until it is stopped.
//!
//! Input: the URL of a NATS cluster. Output: outcomes in it; a log on standard error. It stores
//! nothing on this machine, so it may be started and killed at any time: another worker reads its
//! photos once its leases expire. On SIGTERM or Ctrl-C it finishes the photos that it is reading,
//! gives the others back and exits with success.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::Context as _;
use clap::ArgAction;
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::Exit;
use super::device::DeviceArgs;
use super::photo::LimitArgs;
use super::serve::{load, log, stop_signal};
use crate::cli::terminal;
use crate::jobs::nats::{ENVIRONMENT, Options, Role};
use crate::jobs::{
    ForeignTasks, IdleHost, Name, Nats, Settings, Store, StoreError, Timestamp, Worker, sweep,
};
use crate::pipeline::Reader;
use crate::rules::Book;

/// Threads that move bytes; photos are read on others.
const ASYNC_THREADS: usize = 2;
/// How long a worker waits between two tries to reach the cluster at its start.
const BETWEEN_LOOKS: Duration = Duration::from_secs(2);
/// How often a worker looks whether what is over is to be cleared away: often beside the time after
/// which it is, so that it is done soon where workers come and go.
const SWEEP_LOOKS: Duration = Duration::from_secs(300);
/// How long a hanging reading may still take when the process ends.
const LEFTOVERS: Duration = Duration::from_secs(1);

/// What `tilesight worker` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = ENVIRONMENT)]
pub struct Args {
    /// NATS server; separate several of a cluster with commas
    #[arg(long, env = "TILESIGHT_NATS", value_name = "URL")]
    nats: String,
    /// Use NATS servers on other machines without TLS or credentials: everybody on their network
    /// gets access
    #[arg(long, env = "TILESIGHT_NATS_OPEN")]
    nats_open: bool,
    /// Remove expired data, as services do; false where workers may not
    #[arg(long, env = "TILESIGHT_SWEEP", value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    sweep: bool,
    /// Photos read at the same time [default: one per core]
    #[arg(long, env = "TILESIGHT_WORKERS", value_name = "N")]
    workers: Option<NonZeroUsize>,
    /// Name of this machine in the log: letters, digits, `-` and `_`
    #[arg(long, env = "TILESIGHT_NAME", default_value = "worker")]
    name: Name,
    /// Folder with your own rule profiles, or one such file; the same as at the service
    #[arg(long, env = "TILESIGHT_RULES", value_name = "PLACE")]
    rules: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Log as JSON
    #[arg(long, env = "TILESIGHT_LOG_JSON")]
    log_json: bool,
}

/// Works until SIGTERM or Ctrl-C.
///
/// # Errors
/// When the models or ONNX Runtime are missing, or the cluster holds what can't be read.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let options = match Options::from_environment(&args.nats, Role::Worker, args.nats_open) {
        Ok(options) => options,
        Err(error) => {
            writeln!(terminal::stderr(), "error: {error}")?;
            return Ok(Exit::BadInput);
        }
    };
    let book = match super::rules::book_from(args.rules.as_deref()) {
        Ok(book) => Arc::new(book),
        Err(error) => {
            writeln!(terminal::stderr(), "error: {error}")?;
            return Ok(Exit::BadInput);
        }
    };
    log(args.log_json);
    let mut runtime = Builder::new_multi_thread();
    runtime.worker_threads(ASYNC_THREADS).enable_all();
    let runtime = runtime.build().context("cannot start the threads of the worker")?;
    let worked = runtime.block_on(work(args, &options, book));
    runtime.shutdown_timeout(LEFTOVERS);
    worked.map(|()| Exit::Done)
}

async fn work(args: &Args, options: &Options, book: Arc<Book>) -> anyhow::Result<()> {
    let stop_signal = stop_signal()?;
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(async move {
        stop_signal.await;
        // Nobody listens any more when the worker has ended already.
        let _ = stop.send(true);
    });
    let (paths, limits) = (args.device.paths(), args.limits.limits());
    let reader = spawn_blocking(move || load(&paths, limits));
    let reader = Arc::new(reader.await.context("the models cannot be loaded")??);
    let Some(nats) = connect(&args.nats, options, &stopped).await? else { return Ok(()) };
    let at_once = args.workers.or_else(|| available_parallelism().ok()).map_or(1, usize::from);
    let (nats, device) = (Arc::new(nats), reader.model().device());
    let worker = worker(args, &nats, reader).with_book(book);
    if args.sweep {
        // It ends with the runtime: what it did not get to, somebody else does.
        tokio::spawn(keep_clear(nats));
    }
    writeln!(terminal::stdout(), "tilesight works on {at_once} photos at once")?;
    terminal::stdout().flush()?;
    tracing::info!(name = %args.name, at_once, %device, "ready");
    let tally = worker.run(at_once, &stopped).await?;
    tracing::info!(tally.read, tally.skipped, tally.failed, "stopped");
    Ok(())
}

/// Removes expired data, unless another process does: a fleet may have no service.
async fn keep_clear(store: Arc<dyn Store>) {
    loop {
        if let Err(error) = sweep::clear_if_due(store.as_ref(), Timestamp::now()).await {
            tracing::warn!(%error, "cannot remove expired data: another try follows");
        }
        sleep(SWEEP_LOOKS).await;
    }
}

/// Waits for the cluster: it may be started after its workers. `None` when asked to stop before it
/// is there.
async fn connect(
    url: &str,
    options: &Options,
    stopped: &watch::Receiver<bool>,
) -> anyhow::Result<Option<Nats>> {
    let mut stopped = stopped.clone();
    loop {
        match Nats::open(url, options).await {
            Ok(nats) => return Ok(Some(nats)),
            Err(StoreError::Unavailable { reason }) => {
                tracing::warn!(reason, "waiting for the NATS servers");
            }
            Err(error) => return Err(error.into()),
        }
        tokio::select! {
            () = sleep(BETWEEN_LOOKS) => {}
            _ = stopped.wait_for(|stop| *stop) => return Ok(None),
        }
    }
}

fn worker(args: &Args, nats: &Arc<Nats>, reader: Arc<Reader>) -> Worker {
    let mut settings = Settings::new(args.name.clone(), ForeignTasks::GiveBack);
    // A third of whatever lease time the cluster was made with, so that two marks may get lost.
    settings.heartbeat = nats.lease_time() / 3;
    Worker::new(nats.backend(), reader, Arc::new(IdleHost), settings)
}
