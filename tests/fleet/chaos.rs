//! The chaos test of the fleet: a job on a cluster of three nodes, while workers die at points of
//! their work, poison photos kill their readers, the node that leads the streams is killed, and one
//! is cut off from the others. The job grows before a node goes away, so that there is work
//! meanwhile.
//!
//! The result must be: the lines of an undisturbed run on the embedded back end, byte for byte, one
//! for each item; a dead letter for each poison photo; and no data left when the job is deleted.
//! The short form is part of `make test`; `make chaos` runs 10,000 items (`TILESIGHT_CHAOS=N` for
//! another number).

mod photos;
mod watchdog;
mod workers;

use std::cell::Cell;
use std::collections::HashSet;
use std::future::Future;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::TryStreamExt as _;
use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_fleet::Nats;
use tilesight_fleet::NatsOptions;
use tilesight_jobs::{
    Backend, Backlog, EmbeddedStore, Engine, ForeignTasks, IdleHost, Item, JobId, MAX_ATTEMPTS,
    Name, NewItem, NewJob, Outcome, PhotoId, Priority, QueueError, Settings, StoreError, Task,
    Timestamp, Work, Worker, sweep,
};
use tilesight_vision::Reader;
use tilesight_vision::contract::TableRequest;
use tokio::sync::watch;
use tokio::time::sleep;
use watchdog::Watchdog;
use workers::Workers;

use crate::common;
use crate::nats::Cluster;
use crate::waiting::{PATIENCE, until_async};

/// Items of the short form, how many of a job have the same photo, and how many different questions
/// they ask about it: the others are the same task once more.
const SHORT: usize = 256;
const PER_PHOTO: usize = 32;
const QUESTIONS: usize = 8;
/// Number of poison photos, which crash their readers, and number of workers.
const POISON: u8 = 2;
const WORKERS: usize = 2;
/// Lease time, short so that three attempts at a poison photo don't take minutes.
const LEASE: Duration = Duration::from_secs(5);
/// Points at which workers die. All come while only photos are read that nobody tried before, so
/// that each photo is hit once at most: after three deaths over it it would be given up.
const POINTS: [&str; 2] = ["worker.reading[attempt=1]", "worker.read[attempt=1]"];
/// Items for each death of a worker.
const ITEMS_PER_DEATH: usize = 32;
/// Time for which a node is away: longer than three leases, none of which may count as an attempt
/// because its end could not be reported.
const AWAY: Duration = Duration::from_secs(16);
/// Time limit per item, and minimum limit for the whole: only a job that hangs exceeds it.
const LIMIT: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(900));

/// Interval between two sweeps, which a service makes every half hour: after a node was away,
/// nats-server may lead a consumer by an old copy of its stream, and deliver nothing until a sweep
/// asks for another leader. So one of 64 tasks once stayed in the queue for good.
const SWEEP_INTERVAL: Duration = Duration::from_secs(20);

/// Between two looks at what happens.
const LOOK: Duration = Duration::from_millis(200);

/// Tasks and photos of the job, in its order: all questions about one photo after the other, with
/// poison photos in between.
struct Workload {
    /// Photos, each with its questions.
    tasks: Vec<TableRequest<PhotoId>>,
    photos: Vec<Vec<u8>>,
    poison: HashSet<PhotoId>,
}

fn workload(count: usize) -> Workload {
    let rasters = photos::rasters();
    let distinct = count.div_ceil(PER_PHOTO) as u64;
    let plain: Vec<_> = (0..distinct).map(|seed| photos::photo(&rasters, seed)).collect();
    let bad: Vec<_> = (0..POISON).map(photos::poison).collect();
    let ids: Vec<_> = plain.iter().map(|photo| PhotoId::from_bytes(photo)).collect();
    let poison: Vec<_> = bad.iter().map(|photo| PhotoId::from_bytes(photo)).collect();
    let mut tasks: Vec<_> =
        (0..count).map(|n| photos::ask(ids[n % ids.len()], n * QUESTIONS / count)).collect();
    for (n, id) in poison.iter().enumerate() {
        tasks.insert((n + 1) * count / (bad.len() + 1), TableRequest::from_photo(*id));
    }
    Workload { tasks, photos: [plain, bad].concat(), poison: poison.into_iter().collect() }
}

fn items() -> usize {
    let setting = std::env::var("TILESIGHT_CHAOS");
    setting.map_or(SHORT, |count| count.parse().expect("a number of items"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fleet_loses_nothing_and_repeats_nothing() {
    let (each, min) = LIMIT;
    let watchdog = Watchdog::start(2 * (min + each * items() as u32));
    let (workload, reader) = (workload(items()), Arc::new(common::reader()));
    let engine = Engine::new(reader.model().manifest(), &Book::shipped());
    let began = Instant::now();
    let expected = undisturbed(&workload, &reader, engine).await;
    eprintln!("undisturbed: {} lines in {:?}", expected.len(), began.elapsed());

    watchdog.step("the cluster comes up");
    let mut cluster = Cluster::start();
    let options = NatsOptions { lease: LEASE, ..NatsOptions::default() };
    let nats = Arc::new(open(&cluster, &options).await);
    let backend = nats.backend();
    let poison = workload.poison.iter().map(ToString::to_string);
    let workers = Workers::start(WORKERS, &cluster.urls(), poison, deaths());
    let began = Instant::now();
    watchdog.step("everything goes wrong");
    let job = disturbed(&mut cluster, &backend, &workload, engine).await;
    let (killed, poisoned) = workers.deaths();
    eprintln!("disturbed: {:?}; {killed} died on the way, {poisoned} over poison", began.elapsed());
    watchdog.step("its lines are fetched");
    let found = lines(&backend, &job).await;
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        let letters = async || backend.queue.dead_letters(100).await;
        assert!(found == expected, "{found}, not {expected}: {:?}", letters().await);
    }
    // Each poison ends as many as it is tried; more if a lease ran out while a node was away, and
    // fewer if a worker that held it died of something else, which counts as an attempt too.
    let attempts = usize::from(POISON) * MAX_ATTEMPTS as usize;
    assert!(killed > 0, "nobody was disturbed");
    assert!(
        poisoned >= usize::from(POISON)
            && poisoned + killed >= attempts
            && poisoned <= 2 * attempts,
        "{poisoned} workers died over poison and {killed} of something else"
    );
    watchdog.step("dead letters and queues are looked at");
    buried(&backend, &workload).await;
    drained(&backend).await;
    // A worker that still held a poison task may have written its letter once more.
    for letter in persist(async || backend.queue.dead_letters(100).await).await {
        backend.queue.delete_dead_letter(&letter.task.key).await.expect("forgotten");
    }
    watchdog.step("workers are asked to stop");
    workers.stop();
    watchdog.step("the job is deleted");
    assert_nothing_left(&backend, &job, &cluster).await;
}

/// Connects to a cluster that may still elect its leaders, as a worker waits for it.
async fn open(cluster: &Cluster, options: &NatsOptions) -> Nats {
    loop {
        match Nats::open(&cluster.urls(), options).await {
            Ok(nats) => return nats,
            Err(StoreError::Unavailable { reason }) => eprintln!("no cluster yet: {reason}"),
            Err(error) => panic!("{error}"),
        }
        sleep(Duration::from_secs(1)).await;
    }
}

/// Returns the lines of the same job on the embedded back end, with the outcome of a poison photo
/// for each of them.
async fn undisturbed(workload: &Workload, reader: &Arc<Reader>, engine: Engine) -> Vec<String> {
    let folder = std::env::temp_dir().join(format!("tilesight-chaos-{}", std::process::id()));
    let embedded = Arc::new(EmbeddedStore::open(&folder).expect("a new folder"));
    let backend = embedded.backend();
    let job = create(&backend, workload).await;
    append(&backend, &job, workload, engine, 0..workload.tasks.len()).await;
    persist(async || backend.store.seal(&job).await).await;
    let given_up = Problem::new(
        ProblemKind::Internal,
        format!("reading the photo failed {MAX_ATTEMPTS} times"),
    );
    let poisoned = workload.tasks.iter().filter(|table| workload.poison.contains(&table.photo));
    for table in poisoned {
        let task = Task::new(table.clone(), Lang::En, engine);
        let outcome = Outcome::from_problem(given_up.clone());
        backend.store.put_outcome(&task.key, &outcome).await.expect("written");
    }
    let name: Name = "one".parse().expect("a name");
    let settings = Settings::new(name, ForeignTasks::GiveBack);
    let worker = Worker::new(backend.clone(), Arc::clone(reader), Arc::new(IdleHost), settings);
    let (stop, stopped) = watch::channel(false);
    let working = tokio::spawn(async move { worker.run(2, &stopped).await });
    until_async("the job is finished", async || is_finished(&backend, &job).await).await;
    stop.send(true).expect("it works");
    working.await.expect("no panic").expect("it ends well");
    let lines = lines(&backend, &job).await;
    drop((backend, embedded));
    std::fs::remove_dir_all(&folder).expect("its folder");
    lines
}

/// Returns the points at which workers die, one after the other. All deaths together take two
/// thirds of the tasks.
fn deaths() -> impl Iterator<Item = String> {
    let mut random = fastrand::Rng::with_seed(6);
    let tasks = items().div_ceil(PER_PHOTO) * QUESTIONS;
    let count = items().div_ceil(ITEMS_PER_DEATH);
    let max = (tasks * 2 / 3 / count).max(1);
    (0..count).map(move |n| format!("{}@{}=abort", POINTS[n % 2], random.usize(1..=max)))
}

/// Creates the job with its photos.
async fn create(backend: &Backend, workload: &Workload) -> JobId {
    let new = NewJob::new(JobId::random().expect("random numbers"));
    persist(async || backend.store.create(&new).await).await;
    for photo in &workload.photos {
        persist(async || backend.store.put_photo(&new.id, photo).await).await;
    }
    new.id
}

/// Appends some of the items.
async fn append(
    backend: &Backend,
    job: &JobId,
    workload: &Workload,
    engine: Engine,
    which: Range<usize>,
) {
    let mut from = which.start as u64;
    for part in workload.tasks[which].chunks(500) {
        let items = part.iter().enumerate().map(|(n, table)| NewItem {
            id: format!("{}.png", from + n as u64),
            work: Work::Read(Task::new(table.clone(), Lang::En, engine)),
        });
        let items: Vec<_> = items.collect();
        persist(async || backend.submit(job, from, &items, Priority::Normal).await).await;
        from += items.len() as u64;
    }
}

/// Hands in the job in three parts and waits for its end. In the middle of the first and of the
/// second part the next one is appended and a node goes away; the job ends when both are back.
async fn disturbed(
    cluster: &mut Cluster,
    backend: &Backend,
    workload: &Workload,
    engine: Engine,
) -> JobId {
    let (total, (each, min)) = (workload.tasks.len(), LIMIT);
    let (began, limit) = (Instant::now(), min + each * total as u32);
    let job = create(backend, workload).await;
    let swept = Cell::new(Instant::now());
    let done = async || {
        if swept.get().elapsed() >= SWEEP_INTERVAL {
            persist(async || sweep::clear(backend.store.as_ref(), Timestamp::now()).await).await;
            swept.set(Instant::now());
        }
        let now = persist(async || backend.store.job(&job).await).await.expect("the job is there");
        if began.elapsed() >= limit {
            let left = persist(async || backend.queue.backlog().await).await;
            panic!("it stands still: {now:?}, {left:?}");
        }
        (now.progress.total - now.progress.pending()) as usize
    };
    append(backend, &job, workload, engine, 0..total / 3).await;
    for (part, trouble) in [(1, Trouble::Kill), (2, Trouble::CutOff)] {
        while done().await < (2 * part - 1) * total / 6 {
            sleep(LOOK).await;
        }
        eprintln!("{trouble:?} after {} of {total} items", done().await);
        // What is read meanwhile.
        let next = part * total / 3..(part + 1) * total / 3;
        append(backend, &job, workload, engine, next).await;
        let node = trouble.begin(cluster).await;
        sleep(AWAY).await;
        trouble.end(cluster, backend, node).await;
    }
    persist(async || backend.store.seal(&job).await).await;
    while done().await < total {
        sleep(LOOK).await;
    }
    assert!(is_finished(backend, &job).await);
    job
}

/// Failure of a node of the cluster.
#[derive(Debug, Clone, Copy)]
enum Trouble {
    /// The node that leads the stream of tasks is killed, and restarted later.
    Kill,
    /// The one that leads it is cut off from the others, and reconnected later.
    CutOff,
}

impl Trouble {
    /// Takes a node away, and returns its number.
    async fn begin(self, cluster: &mut Cluster) -> usize {
        let leader = leader(cluster, "tilesight_normal").await;
        match self {
            Trouble::Kill => cluster.kill(leader),
            // The others elect a new leader, and the old one steps down.
            Trouble::CutOff => cluster.cut_off(leader),
        }
        leader
    }

    /// Brings it back.
    async fn end(self, cluster: &mut Cluster, backend: &Backend, node: usize) {
        match self {
            Trouble::Kill => cluster.restart(node),
            Trouble::CutOff => cluster.heal(node),
        }
        cluster.wait_until_whole();
        // Wait until the cluster answers again.
        persist(async || backend.queue.backlog().await).await;
    }
}

/// Returns the number of the node that leads a stream.
async fn leader(cluster: &Cluster, stream: &str) -> usize {
    let client = connect(cluster).await;
    let stream = persist(async || client.get_stream(stream).await).await;
    let info = persist(async || stream.get_info().await).await;
    let leader = info.cluster.and_then(|cluster| cluster.leader).expect("it has one");
    cluster.named(&leader).expect("one of the nodes")
}

async fn connect(cluster: &Cluster) -> async_nats::jetstream::Context {
    let servers: Vec<async_nats::ServerAddr> =
        cluster.urls().split(',').map(|url| url.parse().expect("a URL")).collect();
    async_nats::jetstream::new(async_nats::connect(servers).await.expect("a node is there"))
}

/// Retries until the call succeeds, as the fleet requires of a client.
async fn persist<T, E: std::fmt::Display, F: Future<Output = Result<T, E>>>(
    mut again: impl FnMut() -> F,
) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match again().await {
            Ok(result) => return result,
            Err(error) => assert!(Instant::now() < deadline, "{error}"),
        }
        sleep(LOOK).await;
    }
}

async fn is_finished(backend: &Backend, job: &JobId) -> bool {
    let job = persist(async || backend.store.job(job).await).await;
    job.expect("the job is there").finished.is_some()
}

/// The lines of a finished job. A server that was away may still miss some outcomes that it asks
/// the others for.
async fn lines(backend: &Backend, job: &JobId) -> Vec<String> {
    persist(async || {
        let items = backend.store.items(job, 0, usize::MAX).await;
        let items: Vec<Item> = items.map_err(|error| error.to_string())?;
        let line = |item: &Item| {
            let outcome = item.outcome.as_ref();
            let line = outcome.map(|outcome| outcome.line(&item.id, item.index));
            line.ok_or_else(|| format!("no outcome for {}", item.id))
        };
        items.iter().map(line).collect()
    })
    .await
}

/// Asserts that every poison photo is a dead letter, and that there are no others.
async fn buried(backend: &Backend, workload: &Workload) {
    // The outcome, with which the job ends, is written before the letter.
    let letters = persist(async || {
        let letters = backend.queue.dead_letters(100).await.map_err(|error| error.to_string())?;
        let photos: HashSet<_> = letters.iter().map(|letter| letter.task.table.photo).collect();
        if workload.poison.is_subset(&photos) {
            return Ok(letters);
        }
        Err(format!("{} of {} poisons are buried", photos.len(), workload.poison.len()))
    })
    .await;
    let photos: HashSet<_> = letters.iter().map(|letter| letter.task.table.photo).collect();
    assert_eq!(photos, workload.poison);
    for letter in letters {
        assert_eq!(letter.reason, "each worker that read it vanished");
        backend.queue.delete_dead_letter(&letter.task.key).await.expect("forgotten");
    }
}

/// Waits until the queue is empty. Tasks that were put back while a node was away may be
/// duplicated. The worker that gets them finds their outcomes.
async fn drained(backend: &Backend) {
    persist(async || {
        let Backlog { waiting, held, .. } =
            backend.queue.backlog().await.map_err(|error| error.to_string())?;
        if waiting + held == 0 { Ok(()) } else { Err(format!("{waiting} wait, {held} are held")) }
    })
    .await;
}

/// Asserts that the streams are as empty as before once the job is deleted and swept. Servers apply
/// this one after the other.
async fn assert_nothing_left(backend: &Backend, job: &JobId, cluster: &Cluster) {
    persist(async || backend.store.delete(job).await).await;
    let context = connect(cluster).await;
    let expected = [
        ("tilesight_high", 0),
        ("tilesight_normal", 0),
        ("tilesight_dead", 0),
        // The layout of the records.
        ("KV_tilesight_jobs", 1),
        ("KV_tilesight_tasks", 0),
        ("KV_tilesight_kept", 0),
        ("OBJ_tilesight_photos", 0),
    ];
    persist(async || {
        end_repeated(backend).await.map_err(|error| error.to_string())?;
        backend.store.expire(Timestamp::now()).await.map_err(|error| error.to_string())?;
        for (name, messages) in expected {
            let stream = context.get_stream(name).await.map_err(|error| error.to_string())?;
            let state = stream.cached_info().state.clone();
            if state.messages != messages && !is_acknowledged(&stream).await? {
                let consumers: Vec<_> =
                    stream.consumers().try_collect().await.map_err(|error| error.to_string())?;
                return Err(format!("{name}: {state:?}, read by {consumers:?}"));
            }
        }
        Ok(())
    })
    .await;
}

/// Ends tasks that are delivered once more, as a worker would: a node that was away while they were
/// acknowledged may become the leader.
async fn end_repeated(backend: &Backend) -> Result<(), QueueError> {
    let name: Name = "last".parse().expect("a name");
    while let Some(lease) = backend.queue.lease(&name, Duration::ZERO).await? {
        backend.queue.complete(lease).await?;
    }
    Ok(())
}

/// Returns whether the consumers of a queue count no message that waits or is held. After a change
/// of leader nats-server 2.9.10 may keep messages in the stream that it never delivers again: those
/// that were acknowledged, and repeated ones that its copy of the stream missed. The queue asks for
/// another leader then; that every task has its outcome was checked before.
async fn is_acknowledged(stream: &async_nats::jetstream::stream::Stream) -> Result<bool, String> {
    let consumers: Vec<_> =
        stream.consumers().try_collect().await.map_err(|error| error.to_string())?;
    let is_done = |consumer: &async_nats::jetstream::consumer::Info| {
        consumer.num_pending == 0 && consumer.num_ack_pending == 0
    };
    Ok(!consumers.is_empty() && consumers.iter().all(is_done))
}
