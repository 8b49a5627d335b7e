//! Costs of a queue and a store in NATS: `cargo bench --bench fleet`.
//!
//! Input: nothing; it starts a single nats-server, and then a cluster of three, on this machine.
//! Output: a table of operations per second without photos, and the photos per second of a worker
//! compared with a bare loop around the reader. The two take turns, so that other load on the
//! machine affects both.

#[path = "../tests/support/nats/mod.rs"]
mod nats;
#[path = "../tests/support/waiting.rs"]
mod waiting;

use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tilesight_core::context::ContextSetup;
use tilesight_core::contract::{ContextDto, PhotoFields};
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_core::tile::Wind;
use tilesight_fleet::Nats;
use tilesight_fleet::NatsOptions;
use tilesight_jobs::{
    Backend, Company, Engine, ForeignTasks, IdleHost, JobId, Name, NewItem, NewJob, Outcome,
    PhotoId, Priority, Settings, Task, Timestamp, Work, Worker,
};
use tilesight_vision::contract::TableRequest;
use tilesight_vision::{ModelPaths, Reader};
use tokio::sync::watch;
use tokio::time::sleep;

/// Number of tasks without photos: enough for a second or more per step.
const TASKS: u32 = 5000;
/// Number of workers that lease them concurrently.
const WORKERS: usize = 32;
/// Size of a reading with two rule sets, size of a photo as phones send it when asked for 1.2
/// megapixels, and number of photos.
const OUTCOME: usize = 30_000;
const PHOTO: usize = 300_000;
const PHOTOS: usize = 100;
/// Number of turns of the worker and of the bare loop, and number of photos in each.
const ROUNDS: usize = 5;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    // Cargo runs every bench for its tests too.
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    let reader = Arc::new(reader());
    {
        let server = nats::Server::start();
        measure("one server", &server.url(), &reader).await;
    }
    let cluster = nats::Cluster::start();
    measure("three servers, three replicas", &cluster.urls(), &reader).await;
}

async fn measure(what: &str, url: &str, reader: &Arc<Reader>) {
    let nats = Nats::open(url, &NatsOptions::default()).await.expect("the server is there");
    let backend = Arc::new(nats).backend();
    println!("{what}");
    queue(&backend).await;
    store(&backend).await;
    overhead(&backend, reader).await;
}

/// Measures some work and prints the operations per second.
async fn timed(what: &str, count: usize, work: impl Future<Output = ()>) {
    let began = Instant::now();
    work.await;
    println!("  {what:<48} {:>8.0} a second", count as f64 / began.elapsed().as_secs_f64());
}

async fn queue(backend: &Backend) {
    let tasks: Vec<Task> = (0..TASKS).map(task).collect();
    let count = tasks.len();
    timed("tasks pushed, 500 at a time", count, async {
        for part in tasks.chunks(500) {
            backend.queue.push(part, Priority::Normal).await.expect("pushed");
        }
    })
    .await;
    timed("tasks pushed that wait already", count, async {
        for part in tasks.chunks(500) {
            backend.queue.push(part, Priority::Normal).await.expect("known");
        }
    })
    .await;
    // The difference is the cost of recording an attempt before a photo is read.
    for (what, begins) in [
        ("tasks leased, begun and done, 32 at once", true),
        ("tasks leased and done without, 32 at once", false),
    ] {
        // Tasks that are queued already stay.
        for part in tasks.chunks(500) {
            backend.queue.push(part, Priority::Normal).await.expect("pushed");
        }
        timed(what, count, async {
            let workers = (0..WORKERS).map(|_| tokio::spawn(take(backend.clone(), begins)));
            for worker in workers.collect::<Vec<_>>() {
                worker.await.expect("it ends");
            }
        })
        .await;
    }
}

async fn take(backend: Backend, begins: bool) {
    let name: Name = "bench".parse().expect("a name");
    while let Some(lease) =
        backend.queue.lease(&name, Duration::from_millis(200)).await.expect("it answers")
    {
        if begins {
            backend.queue.begin(&lease, Company::Alone).await.expect("it is held");
        }
        backend.queue.complete(lease).await.expect("done");
    }
}

async fn store(backend: &Backend) {
    let (job, tasks) = (new_job(backend).await, (0..TASKS).map(task).collect::<Vec<_>>());
    let items: Vec<_> = tasks.iter().map(item).collect();
    timed("items appended, 500 at a time", items.len(), async {
        for (n, part) in items.chunks(500).enumerate() {
            backend.store.append(&job, 500 * n as u64, part).await.expect("appended");
        }
    })
    .await;
    let json = format!(r#"{{"reading":"{}"}}"#, "x".repeat(OUTCOME));
    let outcome = Outcome::from_json(json).expect("an outcome");
    timed("outcomes of 30 kB written, 32 at once", tasks.len(), async {
        let parts: Vec<Vec<_>> =
            tasks.chunks(tasks.len() / WORKERS + 1).map(<[_]>::to_vec).collect();
        let writers = parts.into_iter().map(|part| {
            let (backend, outcome) = (backend.clone(), outcome.clone());
            tokio::spawn(async move {
                for task in part {
                    backend.store.put_outcome(&task.key, &outcome).await.expect("written");
                }
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.expect("it ends");
        }
    })
    .await;
    let photo = |n: usize| (0..PHOTO).map(|k| (k * (n + 1) % 251) as u8).collect::<Vec<_>>();
    let photos: Vec<_> = (0..PHOTOS).map(photo).collect();
    timed("photos of 300 kB kept, one after the other", PHOTOS, async {
        for photo in &photos {
            backend.store.put_photo(&job, photo).await.expect("kept");
        }
    })
    .await;
    timed("photos of 300 kB fetched, one after the other", PHOTOS, async {
        for photo in &photos {
            backend.store.photo(&PhotoId::from_bytes(photo)).await.expect("fetched");
        }
    })
    .await;
    backend.store.delete(&job).await.expect("deleted");
}

/// Compares a worker that reads one photo at a time with a bare loop around the reader.
async fn overhead(backend: &Backend, reader: &Arc<Reader>) {
    let photos = samples();
    let (mut bare, mut worked) = (Vec::new(), Vec::new());
    let usual = Arc::clone(Book::shipped().usual());
    for round in 0..ROUNDS {
        let ask = PhotoFields::from(context(round));
        let began = Instant::now();
        for photo in &photos {
            let (reader, photo, setup) =
                (Arc::clone(reader), photo.clone(), ask.scoring.context.setup);
            let ruleset = Arc::clone(&usual);
            let read = move || reader.read(&photo, &setup, &ruleset);
            tokio::task::spawn_blocking(read).await.expect("no panic").expect("it is a photo");
        }
        bare.push(photos.len() as f64 / began.elapsed().as_secs_f64());
        worked.push(work(backend, reader, &photos, &ask).await);
    }
    let (bare, worked) = (median(bare), median(worked));
    println!(
        "  one worker: {worked:.1} photos a second, a bare loop {bare:.1}: {:+.1} %",
        100.0 * (bare / worked - 1.0)
    );
}

/// Returns the photos per second of a job, from the first lease to the last outcome.
async fn work(
    backend: &Backend,
    reader: &Arc<Reader>,
    photos: &[Vec<u8>],
    ask: &PhotoFields,
) -> f64 {
    let job = new_job(backend).await;
    let engine = Engine::new(reader.model().manifest(), &Book::shipped());
    let mut items = Vec::new();
    for photo in photos {
        let photo = backend.store.put_photo(&job, photo).await.expect("kept");
        let table = TableRequest { fields: ask.clone(), ..TableRequest::from_photo(photo) };
        items.push(item(&Task::new(table, Lang::En, engine)));
    }
    backend.submit(&job, 0, &items, Priority::Normal).await.expect("submitted");
    backend.store.seal(&job).await.expect("sealed");
    let settings = Settings::new("bench".parse().expect("a name"), ForeignTasks::GiveBack);
    let worker = Worker::new(backend.clone(), Arc::clone(reader), Arc::new(IdleHost), settings);
    let (stop, stopped) = watch::channel(false);
    let began = Timestamp::now();
    let working = tokio::spawn(async move { worker.run(1, &stopped).await });
    let finished = loop {
        sleep(Duration::from_millis(200)).await;
        let now = backend.store.job(&job).await.expect("it answers").expect("it is there");
        if let Some(finished) = now.finished {
            break finished;
        }
    };
    stop.send(true).expect("it works");
    working.await.expect("no panic").expect("it ends well");
    backend.store.delete(&job).await.expect("deleted");
    1000.0 * photos.len() as f64 / (finished.0 - began.0) as f64
}

async fn new_job(backend: &Backend) -> JobId {
    let job = NewJob::new(JobId::random().expect("random numbers"));
    backend.store.create(&job).await.expect("created");
    job.id
}

fn item(task: &Task) -> NewItem {
    NewItem { id: task.table.photo.to_string(), work: Work::Read(task.clone()) }
}

/// Returns a task for a photo that is not stored.
fn task(n: u32) -> Task {
    let engine = "00".repeat(32).parse().expect("a hash");
    Task::new(TableRequest::from_photo(PhotoId::from_bytes(&n.to_be_bytes())), Lang::En, engine)
}

/// Returns a different context for each turn, because a task with an outcome is not read again.
fn context(turn: usize) -> ContextDto {
    const WINDS: [Wind; 4] = [Wind::East, Wind::South, Wind::West, Wind::North];
    let (seat, prevalent) = (Some(WINDS[turn % 4]), Some(WINDS[turn / 4 % 4]));
    ContextDto::from(ContextSetup { seat, prevalent, ..ContextSetup::default() })
}

fn samples() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/samples");
    let files = std::fs::read_dir(folder).expect("the samples").flatten().map(|file| file.path());
    let photos = files.filter(|file| file.extension().is_some_and(|kind| kind == "jpg"));
    let mut photos: Vec<_> = photos.collect();
    photos.sort();
    photos.iter().map(|photo| std::fs::read(photo).expect("a photo")).collect()
}

fn reader() -> Reader {
    Reader::load(&ModelPaths::from_environment()).unwrap_or_else(|error| panic!("{error}"))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
