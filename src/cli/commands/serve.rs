//! `tilesight serve`: the HTTP service as a process.
//!
//! The service listens at once and loads the models in the background: `/livez` answers from the
//! start, `/readyz` once the models have run. A missing model ends the process with one line. On
//! SIGTERM or Ctrl-C it completes the requests that it has accepted, then exits with success. It
//! listens on this machine only, unless it requires keys or `--open` is given. With
//! `--health-listen` health and metrics have an address and a thread of their own.

mod descriptors;
mod health;
mod reload;

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tilesight_core::rules::Book;
use tilesight_files::private;
use tilesight_files::trusted;
use tilesight_jobs::evenings::EveningStore;
use tilesight_jobs::series::SeriesStore;
use tilesight_jobs::{
    Backend, EmbeddedStore, ForeignTasks, Name, Settings as Worker, StoreError, backup,
};
use tilesight_vision::ModelPaths;
use tilesight_vision::sets::OwnSet;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio::time::{Instant, sleep};

use self::health::HealthServer;
use self::reload::{ReloadableFiles, RunningSettings};
use crate::cli::args::fleet::{FleetOptions, HELP};
use crate::cli::args::rulesets;
use crate::cli::args::sets;
use crate::cli::args::settings::SettingsArgs;
use crate::cli::output::{Exit, Stop, log};
use crate::cli::process::models::load;
use crate::cli::process::signals::{Hangups, stop_signal};
use crate::cli::process::{data_paths, rights};
use crate::config::{JobBackend, JobSettings, Settings};
use tilesight_service::tls::Certificate;
use tilesight_service::{
    AllSeries, Games, Hosts, JobMaintenance, Jobs, Keys, Limits, Listener, Seal, SealError,
    Service, Store,
};

/// Threads for network traffic; photos are read on other threads.
const ASYNC_THREADS: usize = 2;
/// Maximum time that an abandoned reading may still take when the process ends.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Name under which a service leases photos of jobs in its own folder: the same after a restart, so
/// that it finds its leases.
const WORKER: &str = "serve";

/// Maximum time that a starting service waits for a cluster that does not answer yet, and the
/// interval between two attempts.
const CONNECTING: Duration = Duration::from_secs(30);
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// Arguments of `tilesight serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    settings: SettingsArgs,
}

/// Serves until SIGTERM or Ctrl-C.
///
/// # Errors
/// When the address can't be listened on, or the models or ONNX Runtime are missing.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let json = args.settings.logs_json();
    let (mut settings, book, sets) =
        prepare(args).map_err(|error| Stop::Logged { json, exit: Exit::BadInput, error })?;
    log::start(json);
    settings.limits.connections = descriptors::raise_limit(settings.limits.connections);
    run_with(&settings, &args.settings, book, sets).map_err(|error| Stop::Logged {
        json,
        exit: Exit::Unavailable,
        error,
    })?;
    Ok(Exit::Done)
}

/// Reads the files that the settings name. The operator can correct all errors.
fn prepare(args: &Args) -> anyhow::Result<(Settings, Arc<Book>, Vec<OwnSet>)> {
    let settings = args.settings.settings()?;
    if let Some(JobSettings { place: JobBackend::Nats { url, open }, .. }) = &settings.jobs {
        FleetOptions::from_environment(url, *open)?;
    }
    let book = rulesets::book_from(settings.rules.as_deref()).map_err(anyhow::Error::msg)?;
    let sets = own_sets(settings.sets.as_deref())?;
    Ok((settings, Arc::new(book), sets))
}

fn own_sets(folder: Option<&Path>) -> anyhow::Result<Vec<OwnSet>> {
    let sets = folder.map_or(Ok(Vec::new()), sets::from_folder);
    sets.map_err(anyhow::Error::msg).context("the own sets can't be used")
}

fn run_with(
    settings: &Settings,
    args: &SettingsArgs,
    book: Arc<Book>,
    sets: Vec<OwnSet>,
) -> anyhow::Result<()> {
    let mut runtime = Builder::new_multi_thread();
    runtime.worker_threads(ASYNC_THREADS).enable_all();
    let runtime = runtime.build().context("cannot start the threads of the service")?;
    let served = runtime.block_on(serve(settings, args, book, sets));
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    served
}

async fn serve(
    settings: &Settings,
    args: &SettingsArgs,
    book: Arc<Book>,
    sets: Vec<OwnSet>,
) -> anyhow::Result<()> {
    // Before the address is announced, so that no signal is lost.
    let stop_signal = stop_signal()?;
    let hangups = Hangups::listen()?;
    let (service, worker) = service(settings, book).await?;
    tokio::spawn(service.clone().keep_usage());
    let address = settings.listen;
    let socket =
        TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
    let address = socket.local_addr()?;
    let (listener, mut files) = listener_of(socket, settings)?;
    if let Some(file) = &settings.keys {
        files.push(reload_keys(file, &service, &settings.limits));
    }
    if let Some(folder) = &settings.sets {
        files.push(reload_sets(folder, &service));
    }
    let terminal_closed = reload::watch(files, RunningSettings::new(args)?, hangups);
    let stop_signal = async {
        tokio::select! { () = stop_signal => {}, () = terminal_closed => {} }
    };
    let health =
        settings.health_listen.map(|at| HealthServer::start(at, service.clone())).transpose()?;
    announce(address, health.as_ref(), settings)?;
    let decode = settings.limits.decode;
    let paths = ModelPaths::from_environment().with_device(settings.device);
    let loading = spawn_blocking(move || load(&paths, decode, sets));
    let mut failure = None;
    let mut keeping = None;
    let stop = async {
        tokio::pin!(stop_signal);
        tokio::select! {
            () = &mut stop_signal => {}
            loaded = loading => match loaded.context("the models cannot be loaded").and_then(|loaded| Ok(loaded?)) {
                Ok(reader) => {
                    let device = reader.model().device();
                    let reader = Arc::new(reader);
                    service.ready(Arc::clone(&reader));
                    // They may have changed while the networks were loaded.
                    if let Some(folder) = &settings.sets
                        && let Err(error) = renew_sets(folder, &service)
                    {
                        tracing::error!("cannot reload the own sets, keeping the previous version: {error:#}");
                    }
                    tracing::info!(%device, "ready");
                    let keeper = JobMaintenance::new(&service).zip(worker);
                    keeping = keeper.map(|(keeper, worker)| tokio::spawn(keeper.run(reader, worker)));
                    stop_signal.await;
                }
                Err(error) => failure = Some(error),
            },
        }
        service.stop();
    };
    tilesight_service::serve(
        listener,
        tilesight_service::app(service.clone()),
        &settings.limits,
        stop,
    )
    .await;
    if let Some(keeping) = keeping
        && timeout(SHUTDOWN_TIMEOUT, keeping).await.is_err()
    {
        tracing::warn!("a photo of a job took too long: another worker will read it again");
    }
    // What the last requests used.
    let _ = timeout(SHUTDOWN_TIMEOUT, service.save_usage()).await;
    // Until the last answer is sent, the health address reports that the process is alive and not
    // ready.
    drop(health);
    failure.map_or(Ok(()), Err)
}

/// Returns the service with its keys and stores, and the settings of the worker that reads the
/// photos of its jobs.
async fn service(
    settings: &Settings,
    book: Arc<Book>,
) -> anyhow::Result<(Service, Option<Worker>)> {
    rights::check_links(settings)?;
    check_data(settings)?;
    rights::tighten(settings);
    let mut hosts = Hosts::new(&settings.hosts);
    if settings.open {
        hosts = hosts.with_addresses();
    }
    let mut service = Service::builder(settings.limits.clone())
        .hosts(hosts)
        .sites(&settings.cors)
        .book(Arc::clone(&book))
        .page_reads(settings.page_reads);
    if let Some(file) = &settings.keys {
        service = service.keys(keys(file, &settings.limits)?);
    }
    if let Some(feedback) = &settings.feedback {
        let folder = &feedback.folder;
        data_paths::check_usable(folder).context("cannot store feedback")?;
        let store = Store::open(folder, feedback.lifetime, feedback.max_records)
            .map(Arc::new)
            .with_context(|| folder.display().to_string())
            .context("cannot store feedback")?;
        tokio::spawn(tilesight_service::sweep(Arc::clone(&store)));
        service = service.feedback(store);
    }
    let Some(JobSettings { place, limits, games, series }) = &settings.jobs else {
        return Ok((service.build(), None));
    };
    let keyless = lacks_key(settings.seal_key.as_deref(), place);
    let (backend, scratch, worker) = match place {
        JobBackend::Folder(folder) => {
            open_folder(folder).await.with_context(|| folder.display().to_string())
        }
        JobBackend::Nats { url, open } => open_nats(url, *open).await,
    }
    .context("cannot store jobs and games")?;
    let mut all = SeriesStore::new(backend.store.clone())
        .with_book(Arc::clone(&book))
        .with_limits(series.clone());
    let mut store =
        EveningStore::new(backend.store.clone()).with_book(book).with_limits(games.clone());
    let mut jobs = Jobs::new(backend, limits.clone(), &scratch);
    if let JobBackend::Folder(folder) = place {
        jobs = jobs.with_folder(folder);
    }
    if let Some(seal) = seal(settings.seal_key.as_deref(), place)? {
        if let Some(file) = keyless {
            tracing::warn!(
                file = %file.display(),
                "this key is new, but the folder has data: webhooks that were not sent can't be sent, and \
                 links of games can't be shown again; if there is a backup of the key, stop the service and \
                 put it in this place"
            );
        }
        store = store.with_link_key(seal.link_key());
        all = all.with_link_key(seal.link_key());
        jobs = jobs.with_seal(seal);
    }
    let service = service
        .games(Arc::new(Games::new(store)))
        .series(Arc::new(AllSeries::new(all)))
        .jobs(Arc::new(jobs));
    Ok((service.build(), Some(worker)))
}

/// Returns the key that seals webhook secrets and signs the links of games. It is in the named
/// file, or else beside the folder of jobs, where it is created at the first start. Several
/// services share a NATS store, so there the file has to be named.
fn seal(named: Option<&Path>, place: &JobBackend) -> anyhow::Result<Option<Seal>> {
    let advice = "webhooks are disabled: name a key file with --seal-key (TILESIGHT_SEAL_KEY)";
    match (named, place) {
        (Some(file), _) => Ok(Some(Seal::read(file).context("cannot seal webhook secrets")?)),
        (None, JobBackend::Folder(folder)) => {
            match data_paths::seal_key(folder)
                .map_err(anyhow::Error::from)
                .and_then(|file| Ok(Seal::read_or_make(&file)?))
            {
                Ok(seal) => Ok(Some(seal)),
                // A file or link of another user is a trap, so the service must not start.
                Err(error) if is_untrusted(&error) => {
                    Err(error.context("cannot seal webhook secrets"))
                }
                Err(error) => {
                    tracing::warn!(%error, "{advice}");
                    Ok(None)
                }
            }
        }
        (None, JobBackend::Nats { .. }) => {
            tracing::info!("{advice}, the same for every service of the fleet");
            Ok(None)
        }
    }
}

/// Returns the file of the key beside a folder of jobs that has data but no key, as after a backup
/// of the folder alone was restored.
fn lacks_key(named: Option<&Path>, place: &JobBackend) -> Option<PathBuf> {
    let (None, JobBackend::Folder(folder)) = (named, place) else { return None };
    let file = data_paths::seal_key(folder).ok()?;
    (EmbeddedStore::has_data(folder) && file.symlink_metadata().is_err()).then_some(file)
}

fn is_untrusted(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(SealError::Untrusted { .. }))
}

/// Checks the folder of jobs before anything is created in it or its permissions are changed: it
/// may belong to another user.
fn check_data(settings: &Settings) -> anyhow::Result<()> {
    let Some(JobSettings { place: JobBackend::Folder(folder), .. }) = &settings.jobs else {
        return Ok(());
    };
    check_folder(folder)
        .with_context(|| folder.display().to_string())
        .context("cannot store jobs and games")
}

fn check_folder(folder: &Path) -> anyhow::Result<()> {
    data_paths::check_usable(folder)?;
    backup::check_restored(folder)?;
    EmbeddedStore::check_folder(folder)?;
    data_paths::check_incoming(folder)
}

/// Opens a store of jobs in a folder of this machine, whose photos this process reads.
async fn open_folder(folder: &Path) -> anyhow::Result<(Backend, PathBuf, Worker)> {
    let embedded = Arc::new(EmbeddedStore::open(folder)?);
    let scratch = folder.join(data_paths::INCOMING);
    private::create_folders(&scratch)?;
    let name: Name = WORKER.parse()?;
    // A process that was killed could not release its leases.
    embedded.reclaim(&name).await?;
    Ok((embedded.backend(), scratch, Worker::new(name, ForeignTasks::Read)))
}

/// Connects to a store of jobs on NATS servers, whose photos any worker of the fleet reads. The
/// servers may start at the same time as this process.
async fn open_nats(url: &str, open: bool) -> anyhow::Result<(Backend, PathBuf, Worker)> {
    let options = FleetOptions::from_environment(url, open)?;
    let until = Instant::now() + CONNECTING;
    let fleet = loop {
        match options.connect().await {
            Err(StoreError::Unavailable { reason }) if Instant::now() < until => {
                tracing::warn!(reason, "waiting for the NATS servers");
                sleep(RETRY_INTERVAL).await;
            }
            opened => break opened?,
        }
    };
    let mut worker = Worker::new(WORKER.parse()?, ForeignTasks::GiveBack);
    worker.heartbeat = fleet.lease_time / 3;
    // On some systems this path contains a link.
    let temporary = std::env::temp_dir();
    let scratch = temporary.canonicalize().unwrap_or(temporary);
    Ok((fleet.backend, scratch, worker))
}

/// Checks the files that the settings name, for `tilesight doctor`. Returns what the service will
/// do at its start.
pub(super) fn check(settings: &Settings) -> anyhow::Result<Vec<String>> {
    if let Some(file) = &settings.keys {
        keys(file, &settings.limits)?;
    }
    if let Some(file) = &settings.seal_key {
        Seal::read(file)?;
    }
    own_sets(settings.sets.as_deref())?;
    let mut notes = Vec::new();
    if let Some(feedback) = &settings.feedback {
        notes.extend(data_paths::check_usable(&feedback.folder).context("cannot keep feedback")?);
    }
    if let Some(JobSettings { place: JobBackend::Folder(folder), .. }) = &settings.jobs {
        notes.extend(data_paths::check_usable(folder).context("cannot keep jobs")?);
    }
    check_data(settings)?;
    if let Some(JobSettings { place: JobBackend::Nats { url, open }, .. }) = &settings.jobs {
        FleetOptions::from_environment(url, *open)?;
    }
    if let Some((certificate, key)) = &settings.tls {
        Certificate::read(certificate, key)?;
    }
    Ok(notes)
}

fn keys(file: &Path, limits: &Limits) -> anyhow::Result<Keys> {
    read_keys(file, limits).with_context(|| format!("cannot use the keys in {}", file.display()))
}

fn read_keys(file: &Path, limits: &Limits) -> anyhow::Result<Keys> {
    let text = trusted::read_to_string(file)?;
    Ok(Keys::read(&text, limits.key_rate)?)
}

/// Returns the file with the keys and the function that reloads it.
fn reload_keys(file: &Path, service: &Service, limits: &Limits) -> ReloadableFiles {
    let path = file.to_owned();
    let service = service.clone();
    let limits = limits.clone();
    ReloadableFiles::new("the keys", vec![file.to_owned()], move || {
        service.renew_keys(keys(&path, &limits)?);
        Ok(())
    })
}

/// Returns the files of own sets and the function that reloads them.
fn reload_sets(folder: &Path, service: &Service) -> ReloadableFiles {
    let place = folder.to_owned();
    let service = service.clone();
    let folder = folder.to_owned();
    ReloadableFiles::with_list(
        "the own sets",
        move || sets::files(&place).unwrap_or_default(),
        move || renew_sets(&folder, &service),
    )
}

/// Reads the own sets again. Before the networks are loaded it does nothing.
fn renew_sets(folder: &Path, service: &Service) -> anyhow::Result<()> {
    let sets = own_sets(Some(folder))?;
    service.renew_sets(sets)?;
    Ok(())
}

/// Returns the listener, with TLS if the settings name a certificate, and the certificate's files
/// for reloading.
fn listener_of(
    socket: TcpListener,
    settings: &Settings,
) -> anyhow::Result<(Listener, Vec<ReloadableFiles>)> {
    let listener = Listener::from(socket);
    let Some((chain, key)) = &settings.tls else { return Ok((listener, Vec::new())) };
    let certificate = Certificate::read(chain, key)?;
    let listener = listener.with_tls(certificate.acceptor()?);
    let files = vec![chain.clone(), key.clone()];
    let reload = ReloadableFiles::new("the certificate", files, move || Ok(certificate.renew()?));
    Ok((listener, vec![reload]))
}

/// Prints the address on standard output, with the port that the system chose, and the health
/// address on a second line.
fn announce(
    address: SocketAddr,
    health: Option<&HealthServer>,
    settings: &Settings,
) -> io::Result<()> {
    let scheme = if settings.tls.is_some() { "https" } else { "http" };
    let json = settings.log_json;
    log::announce(json, &format!("tilesight listens on {scheme}://{address}"))?;
    if let Some(HealthServer { address, .. }) = health {
        log::announce(json, &format!("tilesight reports its health at http://{address}"))?;
    }
    if !address.ip().is_loopback() && settings.keys.is_none() {
        tracing::warn!("other machines can reach this address, and no key is required");
    }
    Ok(())
}
