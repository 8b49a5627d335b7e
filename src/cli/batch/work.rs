//! Works on a batch that is ready: on this machine, or on a fleet.
//!
//! Input: a plan and where it is worked on. Output: the files of results and the summary.
//! Invariant: the two differ in who reads and in how much may be on its way; lists, rows and files
//! are the same.

use std::future::pending;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tracing_subscriber::EnvFilter;

use super::collect::Collect;
use super::correct::CorrectionTable;
use super::feed::{Again, Feed};
use super::files::Files;
use super::here::LocalHost;
use super::overlays::{OverlayWriter, Overlays};
use super::plan::Plan;
use super::progress::{Log, Progress};
use super::state::State;
use crate::batch::{CsvStyle, Skipped, Summary};
use crate::cli::Exit;
use crate::cli::signals::Stop;
use crate::jobs::Nats;
use crate::jobs::nats::Options;
use crate::jobs::{
    Backend, EmbeddedStore, Engine, ForeignTasks, Name, Selection, Settings, Store, Tally, Worker,
    WorkerError,
};
use crate::pipeline::{DecodeLimits, Reader};

/// Chunks that may be on their way, so that workers have the next one while the last photo of one
/// is read; and one more for so many workers.
const AHEAD: usize = 2;
const WORKERS_A_CHUNK: usize = 16;
/// Chunks on their way to a fleet: two thousand photos keep some hundreds of workers busy, and
/// their copies take a few gigabytes of its storage.
const AHEAD_OF_A_FLEET: usize = 8;
/// How long the outcomes in a batch's own folder are of use: as long as the folder is there.
const LIFETIME_IN_A_FOLDER: Duration = Duration::from_secs(100 * 365 * 86_400);
/// How long a fleet keeps them: a batch that was interrupted is gone on with within days, or given
/// up.
const LIFETIME_ON_A_FLEET: Duration = Duration::from_secs(7 * 86_400);
/// The name that this process works under in its own queue. The folder's lock keeps others out.
const WORKER: &str = "batch";

/// Who reads the photos.
#[derive(Debug)]
pub(super) enum Place {
    /// This machine, so many at once.
    Here(usize),
    /// The workers of a fleet behind these URLs.
    Fleet { url: String, options: Box<Options> },
}

/// A batch that is ready to be worked on.
#[derive(Debug)]
pub(super) struct Batch<'a> {
    pub(super) place: Place,
    pub(super) out: &'a Path,
    pub(super) lang: Lang,
    pub(super) overlays: bool,
    /// Limits of a photo.
    pub(super) limits: DecodeLimits,
    pub(super) again: Again,
    pub(super) quiet: bool,
    /// How the table is written.
    pub(super) style: CsvStyle,
    /// Files and folders of the sources that are not read.
    pub(super) skipped: Skipped,
    /// Reads photos here, and draws them.
    pub(super) reader: Option<Arc<Reader>>,
    pub(super) engine: Engine,
    pub(super) book: Arc<Book>,
    pub(super) plan: Arc<Plan>,
    pub(super) state: State,
    /// What people say of the photos.
    pub(super) said: CorrectionTable,
}

/// The queue and the store that a batch goes through.
struct BatchBackend {
    backend: Backend,
    /// Those of this machine, where it is they.
    local: Option<Arc<EmbeddedStore>>,
}

impl Batch<'_> {
    /// Works until all is there, which is the summary, or until it has to stop.
    ///
    /// # Errors
    /// When the models, the disk or the fleet can't be used.
    pub(super) async fn run(mut self) -> anyhow::Result<Option<Summary>> {
        let progress = Arc::new(Progress::new(self.plan.total(), self.quiet));
        log(&progress);
        let (stop, stopped) = watch::channel(false);
        let listening = tokio::spawn(listen(stop, Arc::clone(&progress)));
        let skipped = std::mem::take(&mut self.skipped);
        let files =
            Files::new(self.out, self.style, skipped).context("the results cannot be written")?;
        let through = self.through().await?;
        let (halt, halted) = watch::channel(false);
        let host = Arc::new(LocalHost::new(self.draws(&through)));
        let mut working = self.work(&through, &host, halted).await?;
        let room = Arc::new(Semaphore::new(self.ahead()));
        let mut feeding = tokio::spawn(self.feed(&through, &stopped).run(Arc::clone(&room)));
        let collect = self.collect(&through, &progress, room, &stopped)?;
        let collected = tokio::select! {
            collected = collect.run(files) => collected,
            error = failed(&mut working) => Err(error),
            error = failed(&mut feeding) => Err(error),
        };
        listening.abort();
        feeding.abort();
        halt.send_replace(true);
        // What is being read is finished and kept. When all is there, hands only wait for more.
        if !matches!(collected, Ok(Some(_))) && !working.is_finished() {
            let _ = working.await;
        }
        progress.end(self.reads_here().then(|| host.read()));
        let summary = collected?;
        if let (Some(_), Some(local)) = (&summary, &through.local) {
            self.forget_others(local.as_ref()).await?;
        }
        Ok(summary)
    }

    fn reads_here(&self) -> bool {
        matches!(self.place, Place::Here(_))
    }

    async fn through(&self) -> anyhow::Result<BatchBackend> {
        match &self.place {
            Place::Here(_) => {
                let embedded = Arc::new(EmbeddedStore::open(self.state.folder())?);
                Ok(BatchBackend { backend: embedded.backend(), local: Some(embedded) })
            }
            Place::Fleet { url, options } => {
                let nats = Arc::new(Nats::open(url, options).await?);
                Ok(BatchBackend { backend: nats.backend(), local: None })
            }
        }
    }

    /// What draws photos as they are read, where that is wanted and they are read here.
    fn draws(&self, through: &BatchBackend) -> Option<OverlayWriter> {
        let reader = self.reader.clone().filter(|_| self.overlays && self.reads_here())?;
        let (store, folder) = (Arc::clone(&through.backend.store), self.state.drawn());
        Some(OverlayWriter { reader, store, folder, runtime: Handle::current() })
    }

    /// The workers of this process, until they have to stop; of a fleet there are none here.
    async fn work(
        &self,
        through: &BatchBackend,
        host: &Arc<LocalHost>,
        halted: watch::Receiver<bool>,
    ) -> anyhow::Result<JoinHandle<Result<Tally, WorkerError>>> {
        let (Place::Here(at_once), Some(local), Some(reader)) =
            (&self.place, &through.local, &self.reader)
        else {
            return Ok(tokio::spawn(async { Ok(Tally::default()) }));
        };
        let (at_once, name): (usize, Name) =
            (*at_once, WORKER.parse().expect("it has letters only"));
        local.reclaim(&name).await?;
        let settings = Settings::new(name, ForeignTasks::Read);
        let (host, reader) = (Arc::clone(host), Arc::clone(reader));
        let worker = Worker::new(through.backend.clone(), reader, host, settings);
        let worker = worker.with_book(Arc::clone(&self.book));
        Ok(tokio::spawn(async move { worker.run(at_once, &halted).await }))
    }

    fn ahead(&self) -> usize {
        match self.place {
            Place::Here(jobs) => AHEAD + jobs / WORKERS_A_CHUNK,
            Place::Fleet { .. } => AHEAD_OF_A_FLEET,
        }
    }

    fn feed(&self, through: &BatchBackend, stop: &watch::Receiver<bool>) -> Feed {
        Feed {
            backend: through.backend.clone(),
            local: through.local.clone(),
            plan: Arc::clone(&self.plan),
            engine: self.engine,
            book: Arc::clone(&self.book),
            lang: self.lang,
            limits: self.limits,
            again: self.again,
            lifetime: if self.reads_here() { LIFETIME_IN_A_FOLDER } else { LIFETIME_ON_A_FLEET },
            stop: stop.clone(),
        }
    }

    fn collect(
        &mut self,
        through: &BatchBackend,
        progress: &Arc<Progress>,
        room: Arc<Semaphore>,
        stop: &watch::Receiver<bool>,
    ) -> io::Result<Collect> {
        let limit = self.limits.bytes;
        let overlays =
            self.reader.as_ref().filter(|_| self.overlays).map(|reader| {
                Overlays::new(self.out, self.state.drawn(), (reader, &self.book), limit)
            });
        Ok(Collect {
            backend: through.backend.clone(),
            remote: through.local.is_none(),
            plan: Arc::clone(&self.plan),
            said: std::mem::take(&mut self.said),
            overlays: overlays.transpose()?,
            progress: Arc::clone(progress),
            room,
            ahead: self.ahead(),
            stop: stop.clone(),
        })
    }

    /// Removes the jobs of earlier lists from the batch's own store: its outcomes are those of the
    /// results.
    async fn forget_others(&self, store: &dyn Store) -> anyhow::Result<()> {
        let ours: std::collections::HashSet<_> =
            self.plan.chunks().iter().map(|chunk| chunk.job).collect();
        let mut page = Selection { most: 1_000, ..Selection::default() };
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

/// Ends only when a task does badly: one that is done, or was stopped, says nothing.
async fn failed<T, E>(task: &mut JoinHandle<Result<T, E>>) -> anyhow::Error
where
    E: std::error::Error + Send + Sync + 'static,
{
    match task.await {
        Ok(Ok(_)) => pending().await,
        Ok(Err(error)) => error.into(),
        Err(error) => error.into(),
    }
}

/// Tells the batch to stop at the first SIGINT or SIGTERM; the second ends the process as it
/// stands.
async fn listen(stop: watch::Sender<bool>, progress: Arc<Progress>) {
    let mut told = match Stop::listen() {
        Ok(told) => told,
        Err(error) => return progress.tell(&format!("can't listen for Ctrl-C: {error}")),
    };
    told.next().await;
    progress.tell("stopping; run the same command again to go on");
    stop.send_replace(true);
    told.next().await;
    std::process::exit(i32::from(Exit::Stopped as u8));
}

/// Warnings go to standard error, above the bar; `TILESIGHT_LOG` chooses others.
fn log(progress: &Arc<Progress>) {
    let filter = EnvFilter::try_from_env("TILESIGHT_LOG")
        .unwrap_or_else(|_| EnvFilter::new("tilesight=warn"));
    let log = Log(Arc::clone(progress));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false);
    // It fails only when something is logging already, as in a test.
    let _ = subscriber.with_writer(move || log.clone()).try_init();
}
