//! `tilesight review`: a person reviews the photos of a batch that are in doubt, in the page.
//!
//! Input: the folder of a batch. Output: `corrections.csv` in it, which the same batch applies when
//! it is run again; `merge` combines the files of several reviewers, `export` turns them into
//! lessons. The module `queue` lists the photos to review. Invariants: only this machine can open
//! the review; reviewing reads no photo, so it needs no models.

mod lessons;
mod merge;
mod queue;

use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Subcommand;
use tilesight_core::plural::format_count;
use tilesight_core::rules::{Book, Profile};
use tokio::net::TcpListener;
use tokio::runtime::Builder;

use self::queue::FolderQueue;
use crate::cli::args::rulesets;
use crate::cli::output::{Exit, Stop, log, terminal};
use crate::cli::process::signals::stop_signal;
use crate::config::ListenAddress;
use tilesight_service::{Limits, Service, review_app};

/// Address with port 0, for which the system chooses a free port.
const ANY_PORT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// Arguments of `tilesight review`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    what: Option<ReviewCommand>,
    #[command(flatten)]
    queue: QueueArgs,
}

/// Subcommands on corrections.
#[derive(Debug, Subcommand)]
enum ReviewCommand {
    /// Merges the corrections of several reviewers into one file
    Merge(merge::Args),
    /// Exports the corrections as lessons for training the models
    Export(lessons::Args),
}

/// Arguments for the review of a folder.
#[derive(Debug, clap::Args)]
struct QueueArgs {
    /// Folder of results of `tilesight batch`
    #[arg(required = true, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Address of the review, on this machine
    #[arg(long, value_name = "ADDRESS", default_value_t = ANY_PORT.into())]
    listen: ListenAddress,
    /// Name of the reviewer, which is stored with each correction
    #[arg(long, value_name = "NAME", default_value_t = user())]
    reviewer: String,
    /// File of the profile, if the batch used one with --ruleset
    #[arg(long, value_name = "RULES", value_parser = rulesets::parse_named)]
    ruleset: Option<Arc<Profile>>,
}

/// Returns the user's login name.
fn user() -> String {
    ["USER", "USERNAME"].iter().find_map(|name| std::env::var(name).ok()).unwrap_or_default()
}

/// Opens a review, or merges or exports corrections.
///
/// # Errors
/// When files can't be read or written, or the address can't be listened on.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    match (&args.what, &args.queue.out) {
        (Some(ReviewCommand::Merge(args)), _) => merge::run(args),
        (Some(ReviewCommand::Export(args)), _) => lessons::run(args),
        (None, Some(out)) => {
            let book = rulesets::book_with(args.queue.ruleset.as_ref());
            let listen = args.queue.listen.address();
            open(out, listen, args.queue.reviewer.clone(), book)
        }
        (None, None) => Ok(Exit::BadInput),
    }
}

/// Opens the review of a batch that has ended.
///
/// # Errors
/// As [`run`].
pub(super) fn open_after(out: &Path, book: Book) -> Result<Exit, Stop> {
    open(out, ANY_PORT, user(), book)
}

/// Serves the review of a folder until Ctrl-C.
///
/// # Errors
/// As [`run`].
fn open(out: &Path, listen: SocketAddr, reviewer: String, book: Book) -> Result<Exit, Stop> {
    can_open(listen).map_err(Stop::bad_input)?;
    let queue = FolderQueue::open(out, reviewer, book.clone())
        .map_err(|error| Stop::bad_input(format!("{error:#}")))?;
    if queue.len() == 0 {
        writeln!(terminal::stdout(), "nothing to review: every photo was read for sure")?;
        return Ok(Exit::Done);
    }
    log::start(false);
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .context("cannot start the threads of the review")?;
    runtime.block_on(serve(listen, queue, book))?;
    Ok(Exit::Done)
}

/// Checks that a review can be opened at this address by this build.
fn can_open(listen: SocketAddr) -> Result<(), &'static str> {
    if !cfg!(feature = "web") {
        return Err("this program was built without the page: build it with the feature `web`, \
                    or edit corrections.csv in a spreadsheet");
    }
    if !listen.ip().is_loopback() {
        return Err("a review is for this machine alone: listen on 127.0.0.1 or [::1]");
    }
    Ok(())
}

async fn serve(listen: SocketAddr, queue: FolderQueue, book: Book) -> anyhow::Result<()> {
    let stop = stop_signal()?;
    let listener =
        TcpListener::bind(listen).await.with_context(|| format!("cannot listen on {listen}"))?;
    let address = listener.local_addr()?;
    let photos = format_count(queue.len(), "photo", "photos");
    let limits = Limits::default();
    let service = Service::builder(limits.clone()).book(Arc::new(book)).build();
    let app = review_app(service, Arc::new(queue));
    writeln!(
        terminal::stdout(),
        "{photos} to review: tilesight listens on http://{address}/#review\n\
         Ctrl-C ends the review; answers are kept as they are given"
    )?;
    std::io::stdout().flush()?;
    tilesight_service::serve(listener, app, &limits, stop).await;
    Ok(())
}
