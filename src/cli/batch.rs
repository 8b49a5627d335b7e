//! `tilesight batch`: thousands of photos, from wherever they are to files of results.
//!
//! Input: sources of photos and a folder. Output: in that folder `results.jsonl`, `results.csv`,
//! `errors.jsonl` and `summary.json`, one row a photo in the order of the sources; the summary on standard
//! output. The steps stand in the tree: `sources` lists what there is, `plan` writes it down in chunks,
//! `feed` brings each chunk to the workers as a job, and `collect` writes what they answer. Invariants: a
//! batch that was killed goes on where it was when the same command is run again, and its files are the
//! same as if nothing had happened; a photo that can't be read stops nothing.

mod collect;
mod contexts;
mod entry;
mod feed;
mod files;
mod here;
mod names;
mod overlays;
mod plan;
mod progress;
mod shelf;
mod sources;
mod state;

use std::ffi::OsString;
use std::future::pending;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::runtime::{Builder, Handle};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tracing_subscriber::EnvFilter;

use self::collect::Collect;
use self::contexts::Contexts;
use self::feed::{Again, Feed};
use self::files::Files;
use self::here::Here;
use self::names::Names;
use self::overlays::{Draws, Overlays};
use self::plan::{Draft, Plan, Terms};
use self::progress::{Log, Progress};
use self::sources::Sources;
use self::state::{State, Taken};
use super::Exit;
use super::complaint::complaint;
use super::context::ContextArgs;
use crate::batch::Summary;
use crate::contract::{ContextDto, FieldError, Problem, ProblemKind, check_rulesets};
use crate::explain::Lang;
use crate::jobs::embedded::Embedded;
use crate::jobs::worker::{Foreign, Settings, Worker};
use crate::jobs::{Backend, Engine, Name, Selection, Store};
use crate::pipeline::{DecodeLimits, ModelPaths, Reader};
use crate::rules::RulesetId;

/// Photos of a job: what a second or a few of work are. More would only take room in the store.
const CHUNK: u64 = 64;
/// Chunks that may be on their way, so that workers have the next one while the last photo of one is read;
/// and one more for so many workers.
const AHEAD: usize = 2;
const WORKERS_A_CHUNK: usize = 16;
/// How long the outcomes in a batch's own folder are of use: as long as the folder is there.
const FOR_EVER: Duration = Duration::from_secs(100 * 365 * 86_400);
/// Threads that wait for the store; photos are read on others.
const ASYNC_THREADS: usize = 1;
/// What a reading that nobody waits for any more may still take when the process ends.
const LEFTOVERS: Duration = Duration::from_secs(5);
/// The name that this process works under in its own queue. The folder's lock keeps others out.
const WORKER: &str = "batch";

/// What `tilesight batch` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Photos, folders, patterns such as 'club/*.jpg', ZIP files, manifests (.jsonl), or - for a list of
    /// them on standard input
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<OsString>,
    /// The folder for results; what was read is kept there, so that the same command goes on after an
    /// interruption and reads only what is new
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Photos that are read at once; one a core unless told otherwise
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,
    /// Circumstances from the photos' names, such as '{prevalent}{seat}_{win}[-{from}]*'
    #[arg(long, value_name = "PATTERN")]
    names: Option<Names>,
    /// Circumstances from a CSV file with a column `file` and any of seat, prevalent, win, from, ...
    #[arg(long, value_name = "FILE.csv")]
    contexts: Option<PathBuf>,
    /// Several rule sets to score by side by side, with commas between them
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = super::context::named::<RulesetId>)]
    rulesets: Vec<RulesetId>,
    /// Draw what was seen onto each photo, into DIR/overlays
    #[arg(long)]
    overlays: bool,
    /// Language of names and explanations: en, de, da, sv or zh
    #[arg(long, default_value = "en")]
    lang: Lang,
    /// Try photos again that were given up after several attempts
    #[arg(long)]
    retry: bool,
    /// Names on standard input end with a zero byte, as `find -print0` writes them
    #[arg(long, short = '0')]
    null: bool,
    /// Tell no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    context: ContextArgs,
}

/// Reads the photos.
///
/// # Errors
/// When a model or the ONNX Runtime library is missing, or the folder can't be written to.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let mut sources = match sources(args) {
        Ok(sources) => sources,
        Err(problem) => return refuse(&problem),
    };
    let state = match State::take(&args.out) {
        Ok(state) => state,
        Err(error) if error.is::<Taken>() => {
            writeln!(io::stderr(), "error: {error}")?;
            return Ok(Exit::BadInput);
        }
        Err(error) => return Err(error),
    };
    sources.not = args.out.canonicalize().ok();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, usize::from);
    let reader = Arc::new(Reader::load_for(&ModelPaths::from_environment(), jobs)?);
    let engine = Engine::of(reader.model().manifest());
    let terms = Terms { folder: state.id(), engine, lang: args.lang, chunk: CHUNK };
    let plan = draft(args, &mut sources, &state, terms)?;
    if plan.total() == 0 {
        writeln!(io::stderr(), "error: there is no photo in what was named")?;
        return Ok(Exit::BadInput);
    }
    let mut runtime = Builder::new_multi_thread();
    // Each photo that is read has a thread; the others wait for disks.
    let runtime =
        runtime.worker_threads(ASYNC_THREADS).max_blocking_threads(jobs + 64).enable_all();
    let runtime = runtime.build().context("cannot start the threads of the batch")?;
    let batch = Batch { args, jobs, reader, engine, plan: Arc::new(plan), state };
    let ended = runtime.block_on(batch.run());
    runtime.shutdown_timeout(LEFTOVERS);
    ended
}

/// What was told on the command line about the photos.
fn sources(args: &Args) -> Result<Sources, Problem> {
    let context: ContextDto = args.context.read()?;
    check_rulesets(Some(args.rulesets.as_slice()).filter(|list| !list.is_empty()))?;
    let contexts = args.contexts.as_deref().map(|file| {
        Contexts::read(file).map_err(|error| {
            let errors = vec![FieldError::new(file.display().to_string(), error)];
            Problem::with_errors(ProblemKind::MalformedRequest, errors)
        })
    });
    Ok(Sources {
        context,
        rulesets: args.rulesets.clone(),
        names: args.names.clone(),
        contexts: contexts.transpose()?,
        not: None,
        null: args.null,
    })
}

fn refuse(problem: &Problem) -> anyhow::Result<Exit> {
    write!(io::stderr(), "{}", complaint(None, "", problem))?;
    Ok(Exit::BadInput)
}

/// Writes the list of photos down.
fn draft(args: &Args, sources: &mut Sources, state: &State, terms: Terms) -> anyhow::Result<Plan> {
    let mut draft = Draft::new(state.folder(), terms)?;
    let mut stdin = io::stdin().lock();
    let listed = sources.list(&args.sources, &mut stdin, &mut |entry| draft.add(entry));
    let finished = listed.and_then(|()| draft.finish());
    finished.context("the list of photos cannot be written")
}

/// A batch that is ready to be worked on.
#[derive(Debug)]
struct Batch<'a> {
    args: &'a Args,
    jobs: usize,
    reader: Arc<Reader>,
    engine: Engine,
    plan: Arc<Plan>,
    state: State,
}

impl Batch<'_> {
    async fn run(self) -> anyhow::Result<Exit> {
        let progress = Arc::new(Progress::new(self.plan.total(), self.args.quiet));
        log(&progress);
        let (stop, stopped) = watch::channel(false);
        let listening = tokio::spawn(listen(stop, Arc::clone(&progress)));
        let embedded = Arc::new(Embedded::open(self.state.folder())?);
        let worker: Name = WORKER.parse().expect("it has letters only");
        embedded.reclaim(&worker).await?;
        let files = Files::new(&self.args.out).context("the results cannot be written")?;
        let backend = embedded.backend();
        let (halt, halted) = watch::channel(false);
        let host = self.host(&backend);
        let working = self.worker(&backend, &host, worker);
        let mut working = tokio::spawn({
            let jobs = self.jobs;
            async move { working.run(jobs, &halted).await }
        });
        let room = Arc::new(Semaphore::new(self.ahead()));
        let feed = self.feed(&backend, &embedded, &stopped).run(Arc::clone(&room));
        let mut feeding = tokio::spawn(feed);
        let collect = self.collect(&backend, &progress, room, &stopped)?;
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
        progress.end(host.read());
        match collected? {
            Some(summary) => {
                self.forget_others(backend.store.as_ref()).await?;
                tell(self.args, &summary)
            }
            None => Ok(Exit::Stopped),
        }
    }

    /// What counts, and draws where that is wanted.
    fn host(&self, backend: &Backend) -> Arc<Here> {
        let draws = self.args.overlays.then(|| Draws {
            reader: Arc::clone(&self.reader),
            store: Arc::clone(&backend.store),
            folder: self.state.drawn(),
            runtime: Handle::current(),
        });
        Arc::new(Here::new(draws))
    }

    fn worker(&self, backend: &Backend, host: &Arc<Here>, name: Name) -> Worker {
        let host = Arc::clone(host);
        Worker::new(
            backend.clone(),
            Arc::clone(&self.reader),
            host,
            Settings::new(name, Foreign::Read),
        )
    }

    fn ahead(&self) -> usize {
        AHEAD + self.jobs / WORKERS_A_CHUNK
    }

    fn feed(
        &self,
        backend: &Backend,
        embedded: &Arc<Embedded>,
        stop: &watch::Receiver<bool>,
    ) -> Feed {
        Feed {
            backend: backend.clone(),
            local: Some(Arc::clone(embedded)),
            plan: Arc::clone(&self.plan),
            engine: self.engine,
            lang: self.args.lang,
            limit: DecodeLimits::default().bytes,
            again: if self.args.retry { Again::GivenUp } else { Again::Gone },
            lifetime: FOR_EVER,
            stop: stop.clone(),
        }
    }

    fn collect(
        &self,
        backend: &Backend,
        progress: &Arc<Progress>,
        room: Arc<Semaphore>,
        stop: &watch::Receiver<bool>,
    ) -> io::Result<Collect> {
        let limit = DecodeLimits::default().bytes;
        let overlays = self.args.overlays.then(|| {
            Overlays::new(&self.args.out, self.state.drawn(), Arc::clone(&self.reader), limit)
        });
        Ok(Collect {
            backend: backend.clone(),
            remote: false,
            plan: Arc::clone(&self.plan),
            overlays: overlays.transpose()?,
            progress: Arc::clone(progress),
            room,
            ahead: self.ahead(),
            stop: stop.clone(),
        })
    }

    /// Removes the jobs of earlier lists from the batch's own store: its outcomes are those of the results.
    async fn forget_others(&self, store: &dyn Store) -> anyhow::Result<()> {
        let ours: std::collections::HashSet<_> =
            self.plan.chunks().iter().map(|chunk| chunk.job).collect();
        let mut page = Selection { owner: None, unfinished: false, before: None, most: 1_000 };
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

/// The summary for people, and what scripts go by.
fn tell(args: &Args, summary: &Summary) -> anyhow::Result<Exit> {
    write!(io::stdout(), "{summary}\nResults in {}\n", args.out.display())?;
    Ok(if summary.failed + summary.no_hand > 0 { Exit::NoResult } else { Exit::Done })
}

/// Ends only when a task does badly: one that is done, or was told to stop, says nothing.
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

/// Tells the batch to stop at the first SIGINT or SIGTERM; the second ends the process as it stands.
async fn listen(stop: watch::Sender<bool>, progress: Arc<Progress>) {
    let mut told = match super::signals::Stop::listen() {
        Ok(told) => told,
        Err(error) => return progress.tell(&format!("Ctrl-C can't be listened for: {error}")),
    };
    told.next().await;
    progress.tell("stopping; the same command goes on where this one ends");
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
