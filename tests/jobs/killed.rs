//! Worker processes that share a folder and die again and again at points of their work: the
//! results are those of an undisturbed run.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::{env, fs};

use image::{ImageFormat, RgbImage};
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_jobs::{
    Backlog, EmbeddedStore, Engine, ForeignTasks, IdleHost, JobId, Name, NewItem, NewJob, PhotoId,
    Priority, Progress, Settings, Task, Timestamp, Work, Worker,
};
use tilesight_vision::Reader;
use tilesight_vision::contract::TableRequest;
use tilesight_vision::networks::fake::PaintedModel;
use tilesight_vision::networks::{
    Cells, ClassifierRows, Corners, DetectorMaps, Manifest, Model, ModelError, Planes,
};
use tokio::sync::watch;

use crate::waiting::{aborted, at, ended, until, until_async};

/// Variables that make a process of this program a worker: its folder and its name.
const FOLDER: &str = "TILESIGHT_KILLED_FOLDER";
const WORKER: &str = "TILESIGHT_KILLED_WORKER";
const WORKERS: [&str; 2] = ["one", "two"];
/// Variable with the number of items of both jobs together, by default [`Size::default`];
/// `make chaos` sets it.
const ITEMS: &str = "TILESIGHT_KILLED_ITEMS";

/// Points of a worker at which it dies, from the lease of a task to its end. At the first two the
/// other hand of the worker may read any photo. At the others only photos are read that nobody
/// tried before: after three deaths over a photo it would be given up.
const POINTS: [&str; 5] = [
    "worker.leased",
    "worker.written",
    "worker.reading[attempt=1]",
    "worker.read[attempt=1]",
    "worker.reading[attempt=1]",
];

/// The number of items and of kills.
#[derive(Clone, Copy)]
struct Size {
    /// Number of items of each of the two jobs.
    items: usize,
    /// Number of distinct photos among them.
    photos: usize,
    /// The number of deaths.
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
        // Two in three are other photos, as in the shorter form.
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

/// A model that finds nothing, so that a photo takes little time.
#[derive(Debug, Default)]
struct Blind(PaintedModel);

impl Model for Blind {
    fn manifest(&self) -> &Manifest {
        self.0.manifest()
    }

    fn detect(&self, image: &Cells) -> Result<DetectorMaps, ModelError> {
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
    let engine = Engine::new(Blind::default().manifest(), &Book::shipped());
    let backend = embedded.backend();
    for (n, id) in jobs().into_iter().enumerate() {
        let new = NewJob { created: Timestamp(0), ..NewJob::new(id) };
        backend.store.create(&new).await.expect("created");
        let (size, mut items) = (Size::from_env(), Vec::new());
        for at in 0..size.items {
            let bytes = photo((at * 7 + n) % size.photos);
            let photo = backend.store.put_photo(&id, &bytes).await.expect("kept");
            let work = Work::Read(Task::new(TableRequest::from_photo(photo), Lang::En, engine));
            items.push(NewItem { id: format!("{at}.png"), work });
        }
        backend.submit(&id, 0, &items, Priority::Normal).await.expect("submitted");
        backend.store.seal(&id).await.expect("sealed");
    }
}

fn jobs() -> [JobId; 2] {
    [1, 2].map(|n| format!("{n:032x}").parse().expect("an id"))
}

/// Works in a folder until the jobs are finished and the queue is empty.
async fn work(embedded: &Arc<EmbeddedStore>, worker: &str) {
    let (backend, name) = (embedded.backend(), name(worker));
    embedded.reclaim(&name).await.expect("the queue answers");
    for job in jobs() {
        backend.resume(&job, Priority::Normal).await.expect("resumed");
    }
    let reader = Arc::new(Reader::with_model(Blind::default()));
    let settings = Settings::new(name, ForeignTasks::Read);
    let worker = Worker::new(embedded.backend(), reader, Arc::new(IdleHost), settings);
    let (stop, stopped) = watch::channel(false);
    let working = tokio::spawn(async move { worker.run(2, &stopped).await });
    let over = async || {
        done(embedded).await == Size::from_env().all()
            && backend.queue.backlog().await == Ok(Backlog::default())
    };
    until_async("all is done", over).await;
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
    fn start(worker: &str, folder: &Path, points: &str) -> Process {
        let mut program = Command::new(env::current_exe().expect("this program"));
        program.args(["killed::one_undisturbed_worker", "--exact"]);
        program.env(WORKER, worker).env(FOLDER, folder).stdout(Stdio::null());
        Process(at(&mut program, points).spawn().expect("this program starts"))
    }

    fn has_ended(&mut self) -> bool {
        self.0.try_wait().expect("our child").is_some()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the next point at which a worker dies, with the number of the arrival there. All workers
/// together come to each point at least once for each photo, and all deaths together take two
/// thirds of that.
fn death(kill: usize, size: Size, random: &mut fastrand::Rng) -> String {
    // The first two points come once each, before any photo was tried twice.
    let point = if kill < 2 { kill } else { 2 + random.usize(..POINTS.len() - 2) };
    let max = (size.photos * 2 / 3 / size.kills).max(1);
    format!("{}@{}=abort", POINTS[point], random.usize(1..=max))
}

/// Lets workers die while there is work left, and starts each again under the same name, at last
/// without a death ahead.
fn die_and_restart(folder: &Path, random: &mut fastrand::Rng) -> [Process; 2] {
    let size = Size::from_env();
    let mut deaths = (0..size.kills).map(|kill| death(kill, size, random));
    let mut start = |worker| Some(Process::start(worker, folder, &deaths.next()?));
    let mut running = WORKERS.map(&mut start);
    while running.iter().any(Option::is_some) {
        until("a worker dies", || running.iter_mut().flatten().any(Process::has_ended));
        for (place, worker) in WORKERS.into_iter().enumerate() {
            if let Some(mut process) = running[place].take_if(Process::has_ended) {
                aborted(&mut process.0);
                running[place] = start(worker);
            }
        }
    }
    WORKERS.map(|worker| Process::start(worker, folder, ""))
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
    for mut process in die_and_restart(&folder.0, random) {
        assert!(ended(&mut process.0).success(), "a worker ends when all is done");
    }
    assert_eq!(done(&wild).await, Size::from_env().all());
    assert_eq!(wild.backend().queue.backlog().await, Ok(Backlog::default()));
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
