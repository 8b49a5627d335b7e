//! `tilesight worker`: one machine of a fleet, which reads photos until it is stopped.
//!
//! Input: the URL of a NATS cluster. Output: outcomes in it; a log on standard error. The worker
//! stores nothing on this machine, so it may be started and killed at any time: another worker
//! reads its photos once its leases expire. On SIGTERM or Ctrl-C it finishes the photos that it is
//! reading, releases the others and exits with success.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::Context as _;
use async_trait::async_trait;
use clap::ArgAction;
use tilesight_core::plural::format_count;
use tilesight_core::rules::Book;
use tilesight_fleet::{ENVIRONMENT, Nats, NatsOptions, Role};
use tilesight_jobs::{
    ForeignTasks, Host, Name, Settings, Store, StoreError, Timestamp, Worker, WorkerPermit, sweep,
};
use tilesight_service::DecodeMemory;
use tilesight_vision::{DecodeLimits, Reader};
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::cli::args::device::DeviceArgs;
use crate::cli::args::photo::LimitArgs;
use crate::cli::args::rulesets;
use crate::cli::args::sets;
use crate::cli::output::{Exit, Stop, log};
use crate::cli::process::models::load;
use crate::cli::process::signals::{Hangup, Hangups, stop_signal};

/// Threads for network traffic; photos are read on other threads.
const ASYNC_THREADS: usize = 2;
/// Interval between two attempts to reach the cluster at the start.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);
/// Interval at which a worker checks whether expired data is due for removal. It is short compared
/// with the interval of removals, so that they happen soon even if workers come and go.
const SWEEP_CHECK_INTERVAL: Duration = Duration::from_secs(300);
/// Maximum time that a hanging reading may still take when the process ends.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// Arguments of `tilesight worker`.
#[derive(Debug, clap::Args)]
#[command(after_help = ENVIRONMENT)]
pub(in crate::cli) struct Args {
    /// URL of the NATS server, or of several servers of a cluster, separated by commas
    #[arg(long, env = "TILESIGHT_NATS", value_name = "URL")]
    nats: String,
    /// Allow NATS servers on other machines without TLS or credentials: everyone on their network
    /// gets access
    #[arg(long, env = "TILESIGHT_NATS_OPEN")]
    nats_open: bool,
    /// Remove expired data, as services do; set to false if workers are not permitted to
    #[arg(long, env = "TILESIGHT_SWEEP", value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    sweep: bool,
    /// Number of photos to read at the same time [default: one per core]
    #[arg(long, env = "TILESIGHT_WORKERS", value_name = "N")]
    workers: Option<NonZeroUsize>,
    /// Name of this machine in the log: letters, digits, `-` and `_`
    #[arg(long, env = "TILESIGHT_NAME", default_value = "worker")]
    name: Name,
    /// Folder with your own rule profiles, or a single profile; use the same as for the service
    #[arg(long, env = "TILESIGHT_RULES", value_name = "PLACE")]
    rules: Option<PathBuf>,
    /// Folder with the files of own sets; use the same as for the service
    #[arg(long, env = "TILESIGHT_SETS", value_name = "FOLDER")]
    sets: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Write the log as JSON
    #[arg(long, env = "TILESIGHT_LOG_JSON")]
    log_json: bool,
}

/// Works until SIGTERM or Ctrl-C.
///
/// # Errors
/// When the models or ONNX Runtime are missing, or the cluster contains data that can't be read.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let (options, book) = prepare(args).map_err(|error| Stop::Logged {
        json: args.log_json,
        exit: Exit::BadInput,
        error,
    })?;
    log::start(args.log_json);
    run_with(args, &options, book).map_err(|error| Stop::Logged {
        json: args.log_json,
        exit: Exit::Unavailable,
        error,
    })?;
    Ok(Exit::Done)
}

/// Reads the files that the arguments name. The operator can correct all errors.
fn prepare(args: &Args) -> anyhow::Result<(NatsOptions, Arc<Book>)> {
    let options = NatsOptions::from_environment(&args.nats, Role::Worker, args.nats_open)?;
    let book = rulesets::book_from(args.rules.as_deref()).map_err(anyhow::Error::msg)?;
    Ok((options, Arc::new(book)))
}

fn run_with(args: &Args, options: &NatsOptions, book: Arc<Book>) -> anyhow::Result<()> {
    let mut runtime = Builder::new_multi_thread();
    runtime.worker_threads(ASYNC_THREADS).enable_all();
    let runtime = runtime.build().context("cannot start the threads of the worker")?;
    let worked = runtime.block_on(work(args, options, book));
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    worked
}

async fn work(args: &Args, options: &NatsOptions, book: Arc<Book>) -> anyhow::Result<()> {
    let stop_signal = stop_signal()?;
    let mut hangups = Hangups::listen()?;
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(async move {
        let terminal_closed = async {
            while hangups.next().await == Hangup::Reload {
                tracing::info!("SIGHUP: a worker has nothing to reload; settings need a restart");
            }
        };
        tokio::select! { () = stop_signal => {}, () = terminal_closed => {} }
        // The send fails if the worker has ended already; that is fine.
        let _ = stop.send(true);
    });
    let paths = args.device.paths();
    let limits = args.limits.limits();
    let sets = args
        .sets
        .as_deref()
        .map_or(Ok(Vec::new()), sets::from_folder)
        .map_err(anyhow::Error::msg)?;
    let loading = spawn_blocking(move || load(&paths, limits, sets));
    let reader = Arc::new(loading.await.context("the models cannot be loaded")??);
    let Some(nats) = connect(&args.nats, options, &stopped).await? else { return Ok(()) };
    let workers = args.workers.or_else(|| available_parallelism().ok()).map_or(1, usize::from);
    let nats = Arc::new(nats);
    let device = reader.model().device();
    let worker = worker(args, &nats, reader, limits).with_book(book);
    if args.sweep {
        // The task ends with the runtime; another process removes the rest.
        tokio::spawn(keep_clear(nats));
    }
    log::announce(
        args.log_json,
        &format!("tilesight works on {} at once", format_count(workers, "photo", "photos")),
    )?;
    tracing::info!(name = %args.name, at_once = workers, %device, "ready");
    let tally = worker.run(workers, &stopped).await?;
    tracing::info!(tally.read, tally.skipped, tally.failed, "stopped");
    Ok(())
}

/// Removes expired data, unless another process does: a fleet may have no service.
async fn keep_clear(store: Arc<dyn Store>) {
    loop {
        if let Err(error) = sweep::clear_if_due(store.as_ref(), Timestamp::now()).await {
            tracing::warn!(%error, "cannot remove expired data: another try follows");
        }
        sleep(SWEEP_CHECK_INTERVAL).await;
    }
}

/// Waits for the cluster, which may be started after its workers. Returns `None` if stopped before
/// it is reachable.
async fn connect(
    url: &str,
    options: &NatsOptions,
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
            () = sleep(RETRY_INTERVAL) => {}
            _ = stopped.wait_for(|stop| *stop) => return Ok(None),
        }
    }
}

/// Host without any other work, in which photos wait for memory to be decoded in.
#[derive(Debug)]
struct MemoryHost(DecodeMemory);

#[async_trait]
impl Host for MemoryHost {
    async fn permit(&self, photo: &[u8]) -> WorkerPermit {
        WorkerPermit::new(self.0.take(photo).await)
    }
}

fn worker(args: &Args, nats: &Arc<Nats>, reader: Arc<Reader>, limits: DecodeLimits) -> Worker {
    let mut settings = Settings::new(args.name.clone(), ForeignTasks::GiveBack);
    // A third of the cluster's lease time, so that two heartbeats may get lost.
    settings.heartbeat = nats.lease_time() / 3;
    Worker::new(nats.backend(), reader, Arc::new(MemoryHost(DecodeMemory::new(limits))), settings)
}
