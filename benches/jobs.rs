//! Costs of the queue and the store without photos: `cargo bench --bench jobs`.
//!
//! Input: nothing; the embedded back end works in a folder below `target`, on the disk used for
//! builds. Output: a Markdown table of tasks per second. A task goes all the way: it is leased, its
//! outcome is written to disk, and it is marked as done. For comparison the disk is measured: files
//! written and synced.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tilesight_core::explain::Lang;
use tilesight_jobs::{
    Backend, Company, EmbeddedStore, Engine, JobId, Name, NewItem, NewJob, Outcome, PhotoId,
    Priority, Task, Work,
};
use tilesight_vision::contract::TableRequest;

/// Number of tasks per measurement: seconds of work, so that the log is copied into the database
/// many times.
const TASKS: u32 = 5_000;
/// Size of the outcome of a photo, in bytes.
const OUTCOME: usize = 12_000;
/// Number of tasks that are pushed and appended at once, as the front ends do.
const STEP: usize = 500;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    // Cargo runs every bench for its tests too.
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("jobs-bench");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder below target");
    println!("| What | A second |\n|---|---:|");
    measure("files of 12 kB written and synced, one after the other", 200, async || {
        sync_files(&folder);
    })
    .await;
    for workers in [1, 2, 8, 32] {
        let place = folder.join(workers.to_string());
        let embedded = Arc::new(EmbeddedStore::open(&place).expect("a back end"));
        let backend = embedded.backend();
        if workers == 1 {
            submit(&backend).await;
        } else {
            prepare(&backend).await;
        }
        let what = format!("tasks leased, answered and done, {workers} at once");
        measure(&what, TASKS, async || work(&backend, workers).await).await;
    }
    fs::remove_dir_all(&folder).expect("removed");
}

async fn measure(what: &str, count: u32, work: impl AsyncFnOnce()) {
    let began = Instant::now();
    work().await;
    println!("| {what} | {:.0} |", f64::from(count) / began.elapsed().as_secs_f64());
}

fn sync_files(folder: &Path) {
    for n in 0..200 {
        let mut file = File::create(folder.join(format!("{n}.synced"))).expect("a file");
        file.write_all(&[b'x'; OUTCOME]).expect("written");
        file.sync_all().expect("synced");
    }
}

fn tasks() -> Vec<Task> {
    let engine: Engine = "00".repeat(32).parse().expect("a hash");
    (0..TASKS)
        .map(|n| {
            Task::new(
                TableRequest::from_photo(PhotoId::from_bytes(&n.to_be_bytes())),
                Lang::En,
                engine,
            )
        })
        .collect()
}

async fn job(backend: &Backend) -> JobId {
    let new = NewJob::new(JobId::random().expect("random numbers"));
    backend.store.create(&new).await.expect("created");
    new.id
}

async fn append(backend: &Backend, job: &JobId) {
    for (n, some) in tasks().chunks(STEP).enumerate() {
        let item =
            |task: &Task| NewItem { id: task.key.to_string(), work: Work::Read(task.clone()) };
        let items: Vec<_> = some.iter().map(item).collect();
        backend.store.append(job, (n * STEP) as u64, &items).await.expect("appended");
    }
}

async fn push(backend: &Backend) {
    for some in tasks().chunks(STEP) {
        backend.queue.push(some, Priority::Normal).await.expect("pushed");
    }
}

/// Appends and pushes tasks, and prints the rates.
async fn submit(backend: &Backend) {
    let job = job(backend).await;
    measure("items appended, 500 at once", TASKS, async || append(backend, &job).await).await;
    measure("tasks pushed, 500 at once", TASKS, async || push(backend).await).await;
    measure("tasks pushed that wait already", TASKS, async || push(backend).await).await;
}

async fn prepare(backend: &Backend) {
    append(backend, &job(backend).await).await;
    push(backend).await;
}

async fn work(backend: &Backend, workers: usize) {
    let working: Vec<_> = (0..workers).map(|_| tokio::spawn(drain(backend.clone()))).collect();
    for worker in working {
        worker.await.expect("it ends");
    }
}

async fn drain(backend: Backend) {
    let name: Name = "bench".parse().expect("a name");
    let json = format!(r#"{{"reading":"{}"}}"#, "x".repeat(OUTCOME));
    let outcome = Outcome::from_json(json).expect("an outcome");
    while let Some(lease) = backend.queue.lease(&name, Duration::ZERO).await.expect("it answers") {
        backend.queue.begin(&lease, Company::Alone).await.expect("it is held");
        backend.store.put_outcome(&lease.task.key, &outcome).await.expect("written");
        backend.queue.complete(lease).await.expect("done");
    }
}
