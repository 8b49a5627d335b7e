//! Worker processes that share a folder and are killed repeatedly: the results are those of an
//! undisturbed run.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs};

use image::{ImageFormat, RgbImage};
use tilesight_core::rules::Book;
use tilesight_jobs::{
    Ask, Backlog, EmbeddedStore, Engine, ForeignTasks, IdleHost, JobId, Name, NewItem, NewJob,
    PhotoId, Priority, Progress, Settings, Task, Timestamp, Work, Worker,
};
use tilesight_vision::Reader;
use tilesight_vision::networks::fake::PaintedModel;
use tilesight_vision::networks::{
    Cells, ClassifierRows, Corners, DetectorMaps, Manifest, Model, ModelError, Planes,
};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// Variables that make a process of this program a worker: its folder and its name.
const FOLDER: &str = "TILESIGHT_KILLED_FOLDER";
const WORKER: &str = "TILESIGHT_KILLED_WORKER";
const WORKERS: [&str; 2] = ["one", "two"];
/// Variable with the number of items of both jobs together, by default [`Size::default`];
/// `make chaos` sets it.
const ITEMS: &str = "TILESIGHT_KILLED_ITEMS";

/// Numbers of items, photos and kills.
#[derive(Clone, Copy)]
struct Size {
    /// Number of items of each of the two jobs.
    items: usize,
    /// Number of distinct photos among them.
    photos: usize,
    /// Number of kills. A photo that is hit by three of them is given up, by bad luck.
    kills: usize,
}

impl Default for Size {
    fn default() -> Size {
        Size { items: 150, photos: 100, kills: 12 }
    }
}

impl Size {
    fn from_env() -> Size {
        let Ok(items) = env::var(ITEMS) else { return Size::default() };
        let items: usize = items.parse().expect("a number of items");
        // One in three is another photo, as in the shorter form; a worker is killed every few
        // seconds.
        Size { items: items / 2, photos: items / 3, kills: items / 100 }
    }

    fn all(self) -> usize {
        2 * self.items
    }
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder =
            env::temp_dir().join(format!("tilesight-killed-{name}-{}", std::process::id()));
        fs::create_dir(&folder).expect("a new folder");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn name(text: &str) -> Name {
    text.parse().expect("a name")
}

/// A model that finds nothing and takes as long as real networks, without using a core.
#[derive(Debug, Default)]
struct Slow(PaintedModel);

impl Model for Slow {
    fn manifest(&self) -> &Manifest {
        self.0.manifest()
    }

    fn detect(&self, image: &Cells) -> Result<DetectorMaps, ModelError> {
        std::thread::sleep(Duration::from_millis(30));
        let (rows, columns) = (image.rows / 2, image.columns / 2);
        let plane = |count| Planes::filled(1, count, rows, columns, 0.0);
        Ok(DetectorMaps { heat: plane(1), quad: plane(16), axis: plane(1), face: plane(1) })
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        self.0.refine(crops)
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        self.0.classify(crops)
    }
}

/// Returns pictures of different sizes, which their outcomes contain, and some files that are not
/// pictures.
fn photo(n: usize) -> Vec<u8> {
    if n % 10 == 3 {
        return format!("no picture: {n}").into_bytes();
    }
    let n = u32::try_from(n).expect("small");
    let picture = RgbImage::new(320 + n % 1000, 32 + n / 1000);
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).expect("encodes");
    bytes.into_inner()
}

/// Submits two jobs that share photos, each with every photo more than once.
async fn submit(embedded: &Arc<EmbeddedStore>) {
    let engine = Engine::new(Slow::default().manifest(), &Book::shipped());
    let backend = embedded.backend();
    for (n, id) in jobs().into_iter().enumerate() {
        let new = NewJob { created: Timestamp(0), ..NewJob::new(id) };
        backend.store.create(&new).await.expect("created");
        let (size, mut items) = (Size::from_env(), Vec::new());
        for at in 0..size.items {
            let bytes = photo((at * 7 + n) % size.photos);
            let photo = backend.store.put_photo(&id, &bytes).await.expect("kept");
            let work = Work::Read(Task::new(photo, Ask::default(), engine));
            items.push(NewItem { id: format!("{at}.png"), work });
        }
        backend.submit(&id, 0, &items, Priority::Normal).await.expect("submitted");
        backend.store.seal(&id).await.expect("sealed");
    }
}

fn jobs() -> [JobId; 2] {
    [1, 2].map(|n| format!("{n:032x}").parse().expect("an id"))
}

/// Works in a folder until the jobs are finished.
async fn work(embedded: &Arc<EmbeddedStore>, worker: &str) {
    let (backend, name) = (embedded.backend(), name(worker));
    embedded.reclaim(&name).await.expect("the queue answers");
    for job in jobs() {
        backend.resume(&job, Priority::Normal).await.expect("resumed");
    }
    let reader = Arc::new(Reader::with_model(Slow::default()));
    let settings = Settings::new(name, ForeignTasks::Read);
    let worker = Worker::new(backend.clone(), reader, Arc::new(IdleHost), settings);
    let (stop, stopped) = watch::channel(false);
    let working = tokio::spawn(async move { worker.run(2, &stopped).await });
    while done(embedded).await < Size::from_env().all() {
        sleep(Duration::from_millis(20)).await;
    }
    stop.send(true).expect("it runs");
    working.await.expect("no panic").expect("nothing is broken");
}

/// Returns the number of items that have their outcome.
async fn done(embedded: &Arc<EmbeddedStore>) -> usize {
    let progress = progress(embedded).await;
    let done: u64 = progress.iter().map(|progress| progress.read + progress.failed).sum();
    usize::try_from(done).expect("as many as there are")
}

async fn progress(embedded: &Arc<EmbeddedStore>) -> Vec<Progress> {
    let mut all = Vec::new();
    for job in jobs() {
        let job = embedded.backend().store.job(&job).await.expect("answers").expect("there");
        all.push(job.progress);
    }
    all
}

async fn lines(embedded: &Arc<EmbeddedStore>) -> Vec<String> {
    let mut lines = Vec::new();
    for job in jobs() {
        let items = embedded.backend().store.items(&job, 0, usize::MAX).await.expect("answers");
        lines.extend(
            items.iter().map(|item| {
                item.outcome.as_ref().expect("it is finished").line(&item.id, item.index)
            }),
        );
    }
    lines
}

async fn calm(folder: &Folder) -> Vec<String> {
    let embedded = Arc::new(EmbeddedStore::open(&folder.0).expect("a back end"));
    submit(&embedded).await;
    work(&embedded, "calm").await;
    lines(&embedded).await
}

/// Runs an undisturbed worker. In a process of its own this test is also the worker that is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_undisturbed_worker() {
    let other = env::var(WORKER).ok().zip(env::var_os(FOLDER).map(PathBuf::from));
    if let Some((worker, folder)) = other {
        let embedded = Arc::new(EmbeddedStore::open(&folder).expect("the folder of the others"));
        return work(&embedded, &worker).await;
    }
    let folder = Folder::new("calm");
    let lines = calm(&folder).await;
    let size = Size::from_env();
    assert_eq!(lines.len(), size.all());
    let readings = lines.iter().filter(|line| line.contains(r#""reading":"#)).count();
    let pictures = (0..size.items).flat_map(|at| [at * 7, at * 7 + 1]);
    let pictures = pictures.filter(|n| n % size.photos % 10 != 3).count();
    assert_eq!(readings, pictures, "one in ten is not a picture");
}

struct Process(Child);

impl Process {
    fn start(worker: &str, folder: &Path) -> Process {
        let child = Command::new(env::current_exe().expect("this program"))
            .args(["killed::one_undisturbed_worker", "--exact"])
            .env(WORKER, worker)
            .env(FOLDER, folder)
            .stdout(Stdio::null())
            .spawn();
        Process(child.expect("this program starts"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Kills random workers repeatedly while there is work left, and restarts them under the same
/// names.
async fn kill_and_restart(
    wild: &Arc<EmbeddedStore>,
    folder: &Path,
    random: &mut fastrand::Rng,
) -> BTreeMap<&'static str, Process> {
    let mut running: BTreeMap<_, _> =
        WORKERS.into_iter().map(|worker| (worker, Process::start(worker, folder))).collect();
    let size = Size::from_env();
    for kill in 1..=size.kills {
        // The last kills leave enough work that no task is hit three times in a row.
        let due = kill * size.all() / (size.kills + 3);
        until(async || done(wild).await >= due).await;
        sleep(Duration::from_millis(random.u64(0..40))).await;
        let worker = WORKERS[random.usize(..WORKERS.len())];
        drop(running.remove(worker));
        running.insert(worker, Process::start(worker, folder));
    }
    running
}

async fn until(so: impl AsyncFn() -> bool) {
    let waiting = async {
        while !so().await {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(60), waiting).await.expect("it goes on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_workers_leave_the_results_of_an_undisturbed_one() {
    let seed = env::var("TILESIGHT_KILLED_SEED").ok();
    let seed = seed.map_or_else(|| fastrand::u64(..), |seed| seed.parse().expect("a number"));
    println!("TILESIGHT_KILLED_SEED={seed}");
    let (folder, compared) = (Folder::new("wild"), Folder::new("compared"));
    let wild = Arc::new(EmbeddedStore::open(&folder.0).expect("a back end"));
    submit(&wild).await;
    let random = &mut fastrand::Rng::with_seed(seed);
    let processes = kill_and_restart(&wild, &folder.0, random).await;
    until(async || done(&wild).await == Size::from_env().all()).await;
    until(async || wild.backend().queue.backlog().await == Ok(Backlog::default())).await;
    drop(processes);
    let calm_lines = calm(&compared).await;
    let wild_lines = lines(&wild).await;
    assert_eq!(wild_lines.len(), calm_lines.len());
    for (wild, calm) in wild_lines.iter().zip(&calm_lines) {
        assert_eq!(wild, calm);
    }

    // No data is left.
    for job in jobs() {
        wild.backend().store.delete(&job).await.expect("deleted");
    }
    for n in 0..Size::from_env().photos {
        let id = PhotoId::from_bytes(&photo(n));
        assert_eq!(wild.backend().store.photo(&id).await, Ok(None));
    }
    let files = fs::read_dir(folder.0.join("photos")).expect("the folder of photos");
    assert_eq!(files.count(), 0);
}
