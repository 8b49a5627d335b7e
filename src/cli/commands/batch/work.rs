//! Runs a batch that is ready: on this machine, or on a fleet.
//!
//! Input: a plan and the place of work. Output: the files of results and the summary. Invariant:
//! the two places differ only in who reads and in how many photos may be in progress; lists, rows
//! and files are the same.

use std::future::pending;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tilesight_core::contract::SetChoice;
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_jobs::batch::result_files::{ResultFiles, TableFormats};
use tilesight_jobs::batch::{Skipped, Summary};
use tilesight_jobs::corrections::BatchCorrections;
use tilesight_jobs::plan::{BatchFolder, BatchPlan};
use tilesight_jobs::{
    Backend, EmbeddedStore, Engines, ForeignTasks, Name, Selection, Settings, Store, Worker,
    WorkerError, WorkerTally,
};
use tilesight_vision::{DecodeLimits, Reader};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tracing_subscriber::EnvFilter;

use super::collect::Collector;
use super::feed::{Feeder, RetrySelection};
use super::local_host::LocalHost;
use super::overlays::{OverlayWriter, Overlays};
use super::progress::{BatchProgress, Log};
use crate::cli::args::fleet::FleetOptions;
use crate::cli::output::Exit;
use crate::cli::process::signals::StopSignals;

/// Chunks that may be in progress, so that workers have the next one while the last photo of one is
/// read; and the number of workers for which one more chunk is allowed.
const MAX_CHUNKS_AHEAD: usize = 2;
const WORKERS_A_CHUNK: usize = 16;
/// Chunks in progress on a fleet: two thousand photos keep several hundred workers busy, and their
/// copies take a few gigabytes of its storage.
const MAX_CHUNKS_AHEAD_OF_FLEET: usize = 8;
/// Lifetime of the outcomes in a batch's own folder: as long as the folder exists.
const LIFETIME_IN_A_FOLDER: Duration = Duration::from_secs(100 * 365 * 86_400);
/// Lifetime of the outcomes on a fleet: an interrupted batch is resumed within days, or given up.
const LIFETIME_ON_A_FLEET: Duration = Duration::from_secs(7 * 86_400);
/// Name of this process as a worker of its own queue. The folder's lock keeps others out.
const WORKER: &str = "batch";

/// Workers that read the photos.
#[derive(Debug)]
pub(super) enum Workers {
    /// On this machine, with a number of photos at once.
    Local(usize),
    /// On the workers of a fleet behind these URLs.
    Fleet(FleetOptions),
}

/// A batch that is ready to run.
#[derive(Debug)]
pub(super) struct Batch<'a> {
    pub(super) workers: Workers,
    pub(super) out: &'a Path,
    pub(super) lang: Lang,
    /// Choice of the own set.
    pub(super) set: Option<SetChoice>,
    pub(super) overlays: bool,
    /// Limits on a photo.
    pub(super) limits: DecodeLimits,
    pub(super) again: RetrySelection,
    pub(super) quiet: bool,
    /// Formats of the table.
    pub(super) formats: TableFormats,
    /// Files and folders of the sources that are not read.
    pub(super) skipped: Skipped,
    /// Reader of photos in this process; it also draws them.
    pub(super) reader: Option<Arc<Reader>>,
    pub(super) engines: Engines,
    pub(super) book: Arc<Book>,
    pub(super) plan: Arc<BatchPlan>,
    pub(super) state: BatchFolder,
    /// People's corrections of photos.
    pub(super) corrections: BatchCorrections,
}

/// Queue and store of a batch.
struct BatchBackend {
    backend: Backend,
    /// The embedded store, if the queue and the store are on this machine.
    local: Option<Arc<EmbeddedStore>>,
}

impl Batch<'_> {
    /// Works until all rows are written and returns the summary, or `None` if it was stopped.
    ///
    /// # Errors
    /// When the models, the disk or the fleet can't be used.
    pub(super) async fn run(mut self) -> anyhow::Result<Option<Summary>> {
        let progress = Arc::new(BatchProgress::new(self.plan.total(), self.quiet));
        log(&progress);
        let (stop, stopped) = watch::channel(false);
        let listening = tokio::spawn(listen(stop, Arc::clone(&progress)));
        let skipped = std::mem::take(&mut self.skipped);
        let files = ResultFiles::new(self.out, self.formats, skipped)
            .context("the results cannot be written")?;
        let opened = self.open_backend().await?;
        let (halt, halted) = watch::channel(false);
        let host = Arc::new(LocalHost::new(self.draws(&opened), self.limits));
        let mut working = self.work(&opened, &host, halted).await?;
        let room = Arc::new(Semaphore::new(self.max_chunks_ahead()));
        let (prepared, preparing) = watch::channel(0);
        let feeder = self.feed(&opened, prepared, &stopped);
        let mut feeding = tokio::spawn(feeder.run(Arc::clone(&room)));
        let collect = self.collect(&opened, &progress, room, preparing, &stopped)?;
        let collected = tokio::select! {
            collected = collect.run(files) => collected,
            error = wait_for_failure(&mut working) => Err(error),
            error = wait_for_failure(&mut feeding) => Err(error),
        };
        listening.abort();
        feeding.abort();
        halt.send_replace(true);
        tilesight_failpoint::point!("batch.halted");
        // Readings in progress are finished and kept. Once all rows are written, workers only wait
        // for more tasks.
        if !matches!(collected, Ok(Some(_))) && !working.is_finished() {
            let _ = working.await;
        }
        progress.end(self.reads_here().then(|| host.read()));
        let summary = collected?;
        if let (Some(_), Some(local)) = (&summary, &opened.local) {
            self.delete_other_jobs(local.as_ref()).await?;
        }
        Ok(summary)
    }

    fn reads_here(&self) -> bool {
        matches!(self.workers, Workers::Local(_))
    }

    async fn open_backend(&self) -> anyhow::Result<BatchBackend> {
        match &self.workers {
            Workers::Local(_) => {
                let folder = self.state.folder();
                let store =
                    EmbeddedStore::open(folder).with_context(|| folder.display().to_string())?;
                let embedded = Arc::new(store);
                Ok(BatchBackend { backend: embedded.backend(), local: Some(embedded) })
            }
            Workers::Fleet(options) => {
                Ok(BatchBackend { backend: options.connect().await?.backend, local: None })
            }
        }
    }

    /// Returns the writer of overlays, if overlays are wanted and photos are read here.
    fn draws(&self, opened: &BatchBackend) -> Option<OverlayWriter> {
        let reader = self.reader.clone().filter(|_| self.overlays && self.reads_here())?;
        let store = Arc::clone(&opened.backend.store);
        let folder = self.state.drawings();
        Some(OverlayWriter { reader, store, folder, runtime: Handle::current() })
    }

    /// Starts the workers of this process, which run until they are stopped; a fleet has none here.
    async fn work(
        &self,
        opened: &BatchBackend,
        host: &Arc<LocalHost>,
        halted: watch::Receiver<bool>,
    ) -> anyhow::Result<JoinHandle<Result<WorkerTally, WorkerError>>> {
        let (Workers::Local(at_once), Some(local), Some(reader)) =
            (&self.workers, &opened.local, &self.reader)
        else {
            return Ok(tokio::spawn(async { Ok(WorkerTally::default()) }));
        };
        let at_once = *at_once;
        let name: Name = WORKER.parse().expect("it has letters only");
        local.reclaim(&name).await?;
        let settings = Settings::new(name, ForeignTasks::Read);
        let worker =
            Worker::new(opened.backend.clone(), Arc::clone(reader), host.clone(), settings)
                .with_book(Arc::clone(&self.book));
        Ok(tokio::spawn(async move { worker.run(at_once, &halted).await }))
    }

    fn max_chunks_ahead(&self) -> usize {
        match self.workers {
            Workers::Local(jobs) => MAX_CHUNKS_AHEAD + jobs / WORKERS_A_CHUNK,
            Workers::Fleet { .. } => MAX_CHUNKS_AHEAD_OF_FLEET,
        }
    }

    fn feed(
        &self,
        opened: &BatchBackend,
        prepared: watch::Sender<u64>,
        stop: &watch::Receiver<bool>,
    ) -> Feeder {
        Feeder {
            backend: opened.backend.clone(),
            local: opened.local.clone(),
            plan: Arc::clone(&self.plan),
            engines: self.engines.clone(),
            book: Arc::clone(&self.book),
            lang: self.lang,
            set: self.set.clone(),
            limits: self.limits,
            again: self.again,
            lifetime: if self.reads_here() { LIFETIME_IN_A_FOLDER } else { LIFETIME_ON_A_FLEET },
            prepared,
            stop: stop.clone(),
        }
    }

    fn collect(
        &mut self,
        opened: &BatchBackend,
        progress: &Arc<BatchProgress>,
        room: Arc<Semaphore>,
        prepared: watch::Receiver<u64>,
        stop: &watch::Receiver<bool>,
    ) -> io::Result<Collector> {
        let limit = self.limits.bytes;
        let overlays = self.reader.as_ref().filter(|_| self.overlays).map(|reader| {
            Overlays::new(self.out, self.state.drawings(), (reader, &self.book), limit)
        });
        Ok(Collector {
            backend: opened.backend.clone(),
            remote: opened.local.is_none(),
            plan: Arc::clone(&self.plan),
            corrections: std::mem::take(&mut self.corrections),
            overlays: overlays.transpose()?,
            progress: Arc::clone(progress),
            room,
            ahead: self.max_chunks_ahead(),
            prepared,
            stop: stop.clone(),
        })
    }

    /// Removes the jobs of earlier lists from the batch's own store: their outcomes are not part of
    /// the results.
    async fn delete_other_jobs(&self, store: &dyn Store) -> anyhow::Result<()> {
        let ours: std::collections::HashSet<_> =
            self.plan.chunks().iter().map(|chunk| chunk.job).collect();
        let mut page = Selection { max_jobs: 1_000, ..Selection::default() };
        loop {
            let jobs = store.jobs(&page).await?;
            let Some(last) = jobs.last() else { return Ok(()) };
            page.before = Some(last.new.id);
            for job in jobs.iter().filter(|job| !ours.contains(&job.new.id)) {
                store.delete(&job.new.id).await?;
            }
        }
    }
}

/// Resolves only if the task fails, not when it completes or is stopped.
async fn wait_for_failure<T, E>(task: &mut JoinHandle<Result<T, E>>) -> anyhow::Error
where
    E: std::error::Error + Send + Sync + 'static,
{
    match task.await {
        Ok(Ok(_)) => pending().await,
        Ok(Err(error)) => error.into(),
        Err(error) => error.into(),
    }
}

/// Tells the batch to stop at the first SIGINT or SIGTERM; the second one exits the process at
/// once.
async fn listen(stop: watch::Sender<bool>, progress: Arc<BatchProgress>) {
    let mut signals = match StopSignals::listen() {
        Ok(signals) => signals,
        Err(error) => return progress.print(&format!("can't listen for Ctrl-C: {error}")),
    };
    signals.next().await;
    progress.print("stopping; run the same command again to go on");
    stop.send_replace(true);
    signals.next().await;
    std::process::exit(i32::from(Exit::Stopped as u8));
}

/// Sends warnings to standard error, above the bar; `TILESIGHT_LOG` sets another filter.
fn log(progress: &Arc<BatchProgress>) {
    let filter = EnvFilter::try_from_env("TILESIGHT_LOG")
        .unwrap_or_else(|_| EnvFilter::new("tilesight=warn"));
    let log = Log(Arc::clone(progress));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false);
    // This fails only if a logger is set already, as in a test.
    let _ = subscriber.with_writer(move || log.clone()).try_init();
}
