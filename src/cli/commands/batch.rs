//! `tilesight batch`: reads thousands of photos from files, folders and archives into files of
//! results.
//!
//! Input: sources of photos and a folder. Output: in that folder `results.jsonl`, `results.csv`,
//! `errors.jsonl` and `summary.json`, one row per photo in the order of the sources; the summary on
//! standard output. The steps: [`Sources`] list the photos, [`PlanDraft`] writes the list
//! down in chunks, `feed` submits each chunk to the workers as a job, and `collect` writes the
//! outcomes, with people's corrections of single photos applied ([`BatchCorrections`]). Invariants:
//! a batch that was killed resumes when the same command is run again, and its files are the same
//! as without the interruption; a photo that can't be read does not stop the batch.

mod collect;
mod feed;
mod local_host;
mod out_folder;
mod overlays;
mod progress;
mod run_note;
mod work;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::runtime::Builder;

use self::feed::RetrySelection;
pub(super) use self::run_note::RunNote;
use self::work::{Batch, Workers};
use crate::cli::args::context::ContextArgs;
use crate::cli::args::device::DeviceArgs;
use crate::cli::args::fleet::{FleetOptions, HELP};
use crate::cli::args::photo::LimitArgs;
use crate::cli::args::sets::{self, SetArgs};
use crate::cli::output::{Complaint, Exit, Stop, terminal};
use crate::config::choice::one_of;
use tilesight_core::contract::{ContextDto, FieldError, Problem, ProblemKind, check_named};
use tilesight_core::explain::Lang;
use tilesight_core::rules::{Book, RulesetId};
use tilesight_jobs::batch::result_files::TableFormats;
use tilesight_jobs::batch::{ContextTable, NamePattern, Summary};
use tilesight_jobs::corrections::{BatchCorrections, Corrections, FILE_NAME};
use tilesight_jobs::plan::{BatchFolder, BatchPlan, FolderError, PlanDraft, Sources, Terms};
use tilesight_jobs::sheet::CsvStyle;
use tilesight_jobs::{Engine, Engines};
use tilesight_vision::Reader;
use tilesight_vision::networks::Manifest;
use tilesight_vision::sets::OwnSet;

/// Photos per job: one or a few seconds of work. Larger jobs would only take more room in the
/// store.
const CHUNK: u64 = 64;
/// Photos per job on a fleet, where each job costs a few round trips.
const CHUNK_OF_FLEET: u64 = 256;
/// Threads that wait for the store; photos are read on other threads.
const ASYNC_THREADS: usize = 1;
/// Threads in addition to those that read photos, for waiting on disks.
const DISK_THREADS: usize = 64;
/// Maximum number of skipped paths that are listed if the sources contain no photo.
const MAX_LISTED: usize = 10;
/// Maximum time that an abandoned reading may still take when the process ends.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Arguments of `tilesight batch`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Args {
    /// Photos, folders, patterns such as 'club/*.jpg', ZIP files, manifests (.jsonl), or - for a
    /// list of them on standard input
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<OsString>,
    /// Folder for the results. Progress is kept there: run the same command again to resume after
    /// an interruption; only new photos are read
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Write into a folder even if it has files of these names that no batch wrote, and overwrite
    /// them
    #[arg(long)]
    force: bool,
    /// Number of photos to read at once; by default one per core
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,
    /// Take the win context from the photos' names, by a pattern such as
    /// '{prevalent}{seat}_{win}[-{from}]*'
    #[arg(long, value_name = "PATTERN")]
    names: Option<String>,
    /// Take the win context from a CSV file with a column `file` and any of seat, prevalent, win,
    /// from, ...
    #[arg(long, value_name = "FILE.csv")]
    contexts: Option<PathBuf>,
    /// Rule sets to score by side by side, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    rulesets: Vec<RulesetId>,
    /// Draw the detected tiles and the reading onto each photo, into DIR/overlays
    #[arg(long)]
    overlays: bool,
    /// Language of names and explanations: en, de, da, sv, ja, zh or zh-Hant
    #[arg(long, default_value = "en")]
    lang: Lang,
    /// Retry photos that were given up after several attempts
    #[arg(long)]
    retry: bool,
    /// Expect names on standard input to end with a zero byte, as `find -print0` writes them
    #[arg(long, short = '0')]
    null: bool,
    /// Have the workers of a fleet read: URL of the NATS server, or of several servers of a
    /// cluster, separated by commas
    #[arg(long, value_name = "URL", conflicts_with = "jobs")]
    nats: Option<String>,
    /// Allow NATS servers on other machines without TLS or credentials: anyone who can reach their
    /// network can connect to them
    #[arg(long, env = "TILESIGHT_NATS_OPEN")]
    nats_open: bool,
    /// Open the photos in doubt in the page when the batch is done; see `tilesight review`
    #[arg(long)]
    review: bool,
    /// Format of results.csv: `excel` uses semicolons and starts with the mark by which Excel
    /// recognizes UTF-8
    #[arg(long, value_parser = one_of(&CsvStyle::ALL, CsvStyle::name), value_name = "STYLE", default_value_t)]
    csv: CsvStyle,
    /// Write the table as a workbook of Excel too, results.xlsx
    #[arg(long)]
    xlsx: bool,
    /// Do not print progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    sets: SetArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    context: ContextArgs,
}

/// Runs the batch.
///
/// # Errors
/// When a model or the ONNX Runtime library is missing, or the folder can't be written to.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let workers = workers(args).map_err(Stop::bad_input)?;
    let book = Arc::new(args.context.book());
    let mut sources = sources(args, &book).map_err(Complaint::from)?;
    out_folder::check(&args.out, inputs(args), args.formats(), args.force)
        .map_err(Stop::bad_input)?;
    let limits = args.limits.limits();
    let state = take_folder(&args.out)?;
    let file = args.out.join(FILE_NAME);
    let corrections = Corrections::read(&file, &book)
        .map_err(|error| Stop::bad_input(format!("{}: {error}", file.display())))?;
    let learned = args.sets.read().map_err(Stop::bad_input)?;
    let set = sets::choice(&learned);
    let (reader, engines) = load_reader(args, &workers, &book, &learned)?;
    let chunk = if matches!(workers, Workers::Local(_)) { CHUNK } else { CHUNK_OF_FLEET };
    let engine = engines.for_choice(set.as_ref())?;
    let terms = Terms { folder: state.id(), engine, lang: args.lang, chunk, limits };
    let plan = draft(args, &mut sources, &state, terms)?;
    // The ids of all photos are no longer needed.
    let Sources { corrections: given, skipped, .. } = sources;
    if plan.total() == 0 {
        for line in skipped.lines(MAX_LISTED) {
            writeln!(terminal::stderr(), "skipped {line}")?;
        }
        return Err(Stop::bad_input("the sources contain no photo"));
    }
    args.formats().check(plan.total()).map_err(Stop::bad_input)?;
    let threads =
        if let Workers::Local(jobs) = workers { jobs + DISK_THREADS } else { DISK_THREADS };
    let runtime = Builder::new_multi_thread()
        .worker_threads(ASYNC_THREADS)
        .max_blocking_threads(threads)
        .enable_all()
        .build()
        .context("cannot start the threads of the batch")?;
    let batch = Batch {
        workers,
        out: &args.out,
        lang: args.lang,
        set,
        overlays: args.overlays,
        limits,
        again: if args.retry { RetrySelection::GivenUp } else { RetrySelection::Gone },
        quiet: args.quiet,
        formats: args.formats(),
        skipped,
        reader,
        engines,
        book: Arc::clone(&book),
        plan: Arc::new(plan),
        state,
        corrections: BatchCorrections::new(&corrections, given, book, args.lang),
    };
    RunNote::new(args.lang, &limits).write(&args.out).context("the results cannot be written")?;
    let ended = runtime.block_on(batch.run());
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    match ended? {
        Some(summary) => Ok(print_summary(args, &summary)?),
        None => Ok(Exit::Stopped),
    }
}

/// Returns the folder of the batch, locked for this process.
fn take_folder(out: &Path) -> Result<BatchFolder, Stop> {
    BatchFolder::take(out).map_err(|error| match error {
        FolderError::Busy(_) => Stop::bad_input(error),
        other => other.into(),
    })
}

/// Returns where the photos are read, if the settings make that safe.
fn workers(args: &Args) -> anyhow::Result<Workers> {
    let Some(url) = &args.nats else {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        return Ok(Workers::Local(args.jobs.map_or(cores, usize::from)));
    };
    Ok(Workers::Fleet(FleetOptions::from_environment(url, args.nats_open)?))
}

/// Returns the reader of this process, if it reads photos, and the engines that the jobs require: a
/// fleet's workers must run the same ones, with the own sets that are asked for.
fn load_reader(
    args: &Args,
    workers: &Workers,
    book: &Book,
    learned: &[OwnSet],
) -> Result<(Option<Arc<Reader>>, Engines), Stop> {
    let paths = args.device.paths();
    let sets = learned.iter().map(|set| (set.id(), set));
    let sessions = match workers {
        Workers::Local(jobs) => *jobs,
        Workers::Fleet(_) if !args.overlays => {
            let engine = Engine::new(&Manifest::load(&paths)?, book);
            return Ok((None, Engines::new(engine, sets)));
        }
        Workers::Fleet(_) => 1,
    };
    let reader = Reader::load_for(&paths, sessions)?.with_limits(args.limits.limits());
    let engines = Engines::new(Engine::new(reader.model().manifest(), book), sets);
    let reader = reader.with_sets(learned.to_vec()).map_err(Stop::bad_input)?;
    Ok((Some(Arc::new(reader)), engines))
}

/// Returns the input files named on the command line.
fn inputs(args: &Args) -> impl Iterator<Item = &Path> {
    let sources = args.sources.iter().map(Path::new);
    let tables = args.contexts.as_deref().into_iter().chain(args.context.file());
    sources.chain(tables).chain(args.sets.files())
}

/// Returns the sources as the command line describes them.
fn sources(args: &Args, book: &Arc<Book>) -> Result<Sources, Problem> {
    let context: ContextDto = args.context.read()?;
    let rulesets = Some(args.rulesets.as_slice()).filter(|list| !list.is_empty());
    check_named(book, &context, rulesets)?;
    let contexts = args.contexts.as_deref().map(|file| {
        ContextTable::read(file, book).map_err(|error| {
            let errors = vec![FieldError::new(file.display().to_string(), error)];
            Problem::with_errors(ProblemKind::MalformedRequest, errors)
        })
    });
    let names = args.names.as_deref().map(|pattern| {
        NamePattern::parse(pattern, book).map_err(|error| {
            let errors = vec![FieldError::new("--names", error)];
            Problem::with_errors(ProblemKind::MalformedRequest, errors)
        })
    });
    Ok(Sources::new(Arc::clone(book), context, args.rulesets.clone())
        .with_names(names.transpose()?)
        .with_contexts(contexts.transpose()?)
        .with_null(args.null))
}

/// Lists all photos and writes the list as a plan.
fn draft(
    args: &Args,
    sources: &mut Sources,
    state: &BatchFolder,
    terms: Terms,
) -> anyhow::Result<BatchPlan> {
    let mut draft = PlanDraft::new(state.folder(), terms)?;
    let mut stdin = io::stdin().lock();
    let listed = sources.list(&args.sources, &mut stdin, &mut |entry| draft.add(entry));
    let finished = listed.and_then(|()| draft.finish());
    finished.context("the list of photos cannot be written")
}

impl Args {
    fn formats(&self) -> TableFormats {
        TableFormats { csv: self.csv, workbook: self.xlsx }
    }

    /// Returns the folder whose review should be opened after the batch has ended, and the rule
    /// sets that the photos were scored by.
    pub(super) fn review_after(&self, exit: Exit) -> Option<(&Path, Book)> {
        let is_wanted = self.review && matches!(exit, Exit::Done | Exit::NoResult);
        is_wanted.then(|| (self.out.as_path(), self.context.book()))
    }
}

/// Prints the summary and returns the exit code.
fn print_summary(args: &Args, summary: &Summary) -> anyhow::Result<Exit> {
    write!(terminal::stdout(), "{summary}\nResults in {}\n", args.out.display())?;
    Ok(if summary.failed + summary.no_hand > 0 { Exit::NoResult } else { Exit::Done })
}
