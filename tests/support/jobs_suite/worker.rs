//! Guarantees of the worker's loop with any back end.

use std::future::{Future, ready};
use std::io::Cursor;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use image::ImageFormat;
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::{ContextDto, PhotoFields, Problem, ProblemKind, Scoring};
use tilesight_core::explain::Lang;
use tilesight_core::rules::{Book, RulesetId};
use tilesight_core::tile::Wind;
use tilesight_jobs::{
    Backend, Backlog, Company, DeadLetter, Engine, Engines, FailResult, ForeignTasks, Host,
    IdleHost, JobId, JobState, Lease, MAX_ATTEMPTS, Name, NewItem, Outcome, PhotoId, Priority,
    PushResult, Queue, QueueError, Settings, Task, TaskKey, Work, Worker, WorkerError,
    WorkerPermit, WorkerTally,
};
use tilesight_vision::contract::TableRequest;
use tilesight_vision::networks::fake::{PaintedModel, paint};
use tilesight_vision::networks::{
    Cells, ClassifierRows, Corners, DetectorMaps, Manifest, Model, ModelError, Planes,
};
use tilesight_vision::sets::{LabelledPhoto, LabelledTile, OwnSet, learn};
use tilesight_vision::{DecodeLimits, Photo, Reader, Reading, TableReading};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::{
    COMING, FreshBackend, LONG, NOTHING, SHORT, assert_no_task_waits, begun, engine, job, leased,
    name, sealed,
};
use crate::common::placed;
use crate::waiting::until_async as until;

/// Distinct hands, as they are painted.
pub(crate) const SCENES: [&str; 3] = [
    "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C | C",
    "2m 2m 2m 4p 5p 6p 7s 8s 9s E E | 5m 6m 7m",
    "1m 9m 1p 9p 1s 9s E S W N C F P | P",
];
/// Width of a photo that crashes the model; the detector's picture of it is as wide.
const POISON: u32 = 1600;

pub(crate) fn photo(scene: &str) -> Vec<u8> {
    encoded(scene, 640, 240)
}

fn encoded(scene: &str, width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let picture = paint(width, height, &placed(scene));
    picture.write_to(&mut bytes, ImageFormat::Png).expect("encodes");
    bytes.into_inner()
}

/// Returns a photo on which [`CrashingModel`] panics: so flat that its picture for the detector has
/// few rows.
fn poison() -> Vec<u8> {
    encoded(SCENES[0], POISON, 160)
}

/// The painted model, which fails on pictures of one shape.
#[derive(Debug)]
struct CrashingModel {
    painted: PaintedModel,
    panics: bool,
    fails: bool,
}

impl Model for CrashingModel {
    fn manifest(&self) -> &Manifest {
        self.painted.manifest()
    }

    fn detect(&self, image: &Cells) -> Result<DetectorMaps, ModelError> {
        // The panic ends its own thread, like a fault in the networks' library would end the
        // process.
        assert!(!self.panics || image.columns < 5 * image.rows, "this picture is poison");
        if self.fails {
            let reason = "no memory".to_owned();
            return Err(ModelError::Failed { network: "detector", reason });
        }
        self.painted.detect(image)
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        self.painted.refine(crops)
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        self.painted.classify(crops)
    }
}

pub(crate) fn reader() -> Arc<Reader> {
    Arc::new(Reader::with_model(PaintedModel::default()))
}

fn crashing_reader(panics: bool, fails: bool) -> Arc<Reader> {
    Arc::new(Reader::with_model(CrashingModel { painted: PaintedModel::default(), panics, fails }))
}

/// Counts the photos that were read.
#[derive(Debug, Default)]
pub(crate) struct CountingHost(pub(crate) AtomicU32);

#[async_trait]
impl Host for CountingHost {
    async fn permit(&self, _photo: &[u8]) -> WorkerPermit {
        WorkerPermit::new(())
    }

    fn read(&self, _task: &Task, _reading: &Reading) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A worker that runs until it is stopped.
pub(crate) struct RunningWorker {
    stop: watch::Sender<bool>,
    ended: JoinHandle<Result<WorkerTally, WorkerError>>,
}

impl RunningWorker {
    pub(crate) fn start(
        backend: &Backend,
        reader: Arc<Reader>,
        host: Arc<dyn Host>,
        at_once: usize,
    ) -> RunningWorker {
        RunningWorker::start_as(backend, reader, host, at_once, settings(ForeignTasks::Read))
    }

    fn start_as(
        backend: &Backend,
        reader: Arc<Reader>,
        host: Arc<dyn Host>,
        at_once: usize,
        settings: Settings,
    ) -> RunningWorker {
        let worker = Worker::new(backend.clone(), reader, host, settings);
        let (stop, stopped) = watch::channel(false);
        let ended = tokio::spawn(async move { worker.run(at_once, &stopped).await });
        RunningWorker { stop, ended }
    }

    pub(crate) async fn stop(self) -> WorkerTally {
        self.stop.send(true).expect("it runs");
        self.ended.await.expect("no panic").expect("nothing is broken")
    }
}

fn settings(foreign: ForeignTasks) -> Settings {
    Settings { heartbeat: SHORT / 5, ..Settings::new(name("worker"), foreign) }
}

/// Creates a sealed job of these photos and queues them.
pub(crate) async fn submit(backend: &Backend, photos: &[Vec<u8>], fields: &PhotoFields) -> JobId {
    submit_for(engine(), backend, photos, fields).await
}

async fn submit_for(
    engine: Engine,
    backend: &Backend,
    photos: &[Vec<u8>],
    fields: &PhotoFields,
) -> JobId {
    let new = job();
    backend.store.create(&new).await.expect("created");
    let mut items = Vec::new();
    for (n, photo) in photos.iter().enumerate() {
        let photo = backend.store.put_photo(&new.id, photo).await.expect("kept");
        let table = TableRequest { fields: fields.clone(), ..TableRequest::from_photo(photo) };
        let work = Work::Read(Task::new(table, Lang::En, engine));
        items.push(NewItem { id: format!("photo {n}"), work });
    }
    let submitted = backend.submit(&new.id, 0, &items, Priority::Normal).await;
    assert_eq!(submitted, Ok(photos.len() as u64));
    backend.store.seal(&new.id).await.expect("sealed");
    new.id
}

pub(crate) async fn finished(backend: &Backend, job: &JobId) {
    let state = async || backend.store.job(job).await.expect("answers").expect("there").state();
    until("the job is finished", async || state().await == JobState::Finished).await;
}

pub(crate) async fn lines(backend: &Backend, job: &JobId) -> Vec<String> {
    let items = backend.store.items(job, 0, 1000).await.expect("the store answers");
    let line = |item: &tilesight_jobs::Item| {
        item.outcome.as_ref().expect("it is finished").line(&item.id, item.index)
    };
    items.iter().map(line).collect()
}

/// Returns the result of reading a photo without a queue.
pub(crate) fn expected(photo: &[u8], fields: &PhotoFields) -> Outcome {
    let reader = reader();
    let book = Book::shipped();
    let scoring = &fields.scoring;
    let table = TableRequest { fields: fields.clone(), ..TableRequest::from_photo(()) };
    let options = table.options(&book).expect("shipped");
    match reader.read(photo, &scoring.context.setup, options.clone()) {
        Ok(reading) => {
            let table = TableReading::settle(options.ruleset, reading, Vec::new(), Vec::new());
            let rulesets = scoring.find(&book).expect("shipped").all;
            Outcome::from_table(&table, rulesets.as_deref(), reader.model().manifest(), Lang::En)
        }
        Err(error) => Outcome::from_problem(Problem::from(&error)),
    }
}

pub(crate) async fn every_item_gets_what_its_photo_shows(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let context =
        ContextDto::from(ContextSetup { seat: Some(Wind::South), ..ContextSetup::default() });
    let scoring = Scoring { context, rulesets: Some(vec![RulesetId::MCR_WMO]) };
    let asks = [PhotoFields::default(), PhotoFields { scoring, ..PhotoFields::default() }];
    let mut photos: Vec<Vec<u8>> = SCENES.iter().map(|scene| photo(scene)).collect();
    photos.insert(1, b"no picture at all".to_vec());
    photos.push(photos[0].clone());
    let worker = RunningWorker::start(&backend, reader(), Arc::new(IdleHost), 2);
    for ask in &asks {
        let job = submit(&backend, &photos, ask).await;
        finished(&backend, &job).await;
        let direct: Vec<String> = (0..)
            .zip(&photos)
            .map(|(n, photo)| expected(photo, ask).line(&format!("photo {n}"), n))
            .collect();
        assert!(direct[0].starts_with(r#"{"id":"photo 0","index":0,"reading":{"#), "{}", direct[0]);
        assert!(direct[1].contains("unsupported-media"), "{}", direct[1]);
        assert_eq!(lines(&backend, &job).await, direct);
    }
    // Each of the four pictures once for each question: the fifth is a duplicate.
    assert_eq!(worker.stop().await, WorkerTally { read: 8, skipped: 0, failed: 0 });
    assert_eq!(backend.queue.backlog().await, Ok(Backlog::default()));
}

pub(crate) async fn the_same_photo_is_read_once(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (photos, counting) = (vec![photo(SCENES[0]); 10], Arc::new(CountingHost::default()));
    let first = submit(&backend, &photos, &PhotoFields::default()).await;
    let second = submit(&backend, &photos, &PhotoFields::default()).await;
    let worker = RunningWorker::start(&backend, reader(), counting.clone(), 3);
    finished(&backend, &first).await;
    finished(&backend, &second).await;
    let third = submit(&backend, &photos, &PhotoFields::default()).await;
    finished(&backend, &third).await;
    worker.stop().await;
    assert_eq!(counting.0.load(Ordering::Relaxed), 1);
    assert_eq!(lines(&backend, &first).await, lines(&backend, &third).await);
}

pub(crate) async fn tasks_of_a_killed_worker_are_read_by_another(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(SHORT).await;
    let job =
        submit(&backend, &[photo(SCENES[0]), photo(SCENES[1])], &PhotoFields::default()).await;
    // One worker was killed before it wrote its result, one between that and its acknowledgement.
    let (_killed, late) = (leased(&backend, "killed").await, leased(&backend, "late").await);
    let outcome = expected(&photo(SCENES[1]), &PhotoFields::default());
    backend.store.put_outcome(&late.task.key, &outcome).await.expect("written");
    let worker = RunningWorker::start(&backend, reader(), Arc::new(IdleHost), 1);
    finished(&backend, &job).await;
    let empty = async || backend.queue.backlog().await == Ok(Backlog::default());
    until("the queue is empty", empty).await;
    assert_eq!(worker.stop().await, WorkerTally { read: 1, skipped: 1, failed: 0 });
}

pub(crate) async fn a_photo_that_crashes_workers_is_given_up(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let photos = [poison(), photo(SCENES[0])];
    let job = submit(&backend, &photos, &PhotoFields::default()).await;
    let worker =
        RunningWorker::start(&backend, crashing_reader(true, false), Arc::new(IdleHost), 1);
    finished(&backend, &job).await;
    assert_eq!(
        worker.stop().await,
        WorkerTally { read: 1, skipped: 0, failed: u64::from(MAX_ATTEMPTS) }
    );
    let lines = lines(&backend, &job).await;
    assert!(lines[0].contains("failed 3 times"), "{}", lines[0]);
    assert_eq!(lines[1], expected(&photos[1], &PhotoFields::default()).line("photo 1", 1));
    let dead = backend.queue.dead_letters(10).await.expect("the queue answers");
    assert_eq!((dead.len(), dead[0].attempts), (1, MAX_ATTEMPTS));
    assert!(dead[0].reason.contains("panic"), "{}", dead[0].reason);
}

pub(crate) async fn a_photo_that_crashed_three_workers_is_not_read_again(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(SHORT).await;
    let job = submit(&backend, &[photo(SCENES[0])], &PhotoFields::default()).await;
    for attempt in 1..=MAX_ATTEMPTS {
        assert_eq!(begun(&backend, "killed").await.attempt, attempt);
    }
    let counting = Arc::new(CountingHost::default());
    let worker = RunningWorker::start(&backend, reader(), counting.clone(), 1);
    finished(&backend, &job).await;
    worker.stop().await;
    assert_eq!(counting.0.load(Ordering::Relaxed), 0);
    let problem = Problem::new(ProblemKind::Internal, "reading the photo failed 3 times");
    assert_eq!(lines(&backend, &job).await, [Outcome::from_problem(problem).line("photo 0", 0)]);
    assert_eq!(backend.queue.backlog().await, Ok(Backlog { dead: 1, ..Backlog::default() }));
}

pub(crate) async fn broken_networks_stop_the_worker(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let photos: Vec<_> = SCENES.iter().map(|scene| photo(scene)).collect();
    let job = submit(&backend, &photos, &PhotoFields::default()).await;
    let worker =
        RunningWorker::start(&backend, crashing_reader(false, true), Arc::new(IdleHost), 1);
    let ended = timeout(COMING, worker.ended).await.expect("it stops").expect("no panic");
    assert_eq!(ended, Err(WorkerError::Broken { readings: 5 }));
    // Five attempts are not enough for three photos to be given up.
    let worker = RunningWorker::start(&backend, reader(), Arc::new(IdleHost), 1);
    finished(&backend, &job).await;
    worker.stop().await;
}

pub(crate) async fn a_cancelled_job_is_not_read(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let photos: Vec<_> = SCENES.iter().map(|scene| photo(scene)).collect();
    let job = submit(&backend, &photos, &PhotoFields::default()).await;
    backend.store.cancel(&job).await.expect("cancelled");
    let worker = RunningWorker::start(&backend, reader(), Arc::new(IdleHost), 2);
    let empty = async || backend.queue.backlog().await == Ok(Backlog::default());
    until("the queue is empty", empty).await;
    assert_eq!(worker.stop().await, WorkerTally { read: 0, skipped: 3, failed: 0 });
}

pub(crate) async fn a_task_for_another_engine_is_returned(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let new = job();
    backend.store.create(&new).await.expect("created");
    let photo = backend.store.put_photo(&new.id, &photo(SCENES[0])).await.expect("kept");
    let other = "ab".repeat(32).parse().expect("an engine");
    let foreign = Task::new(TableRequest::from_photo(photo), Lang::En, other);
    let items = [NewItem { id: "old".to_owned(), work: Work::Read(foreign.clone()) }];
    backend.submit(&new.id, 0, &items, Priority::Normal).await.expect("submitted");
    backend.store.seal(&new.id).await.expect("sealed");
    let own = submit(&backend, &[self::photo(SCENES[1])], &PhotoFields::default()).await;

    let careful = settings(ForeignTasks::GiveBack);
    let worker = RunningWorker::start_as(&backend, reader(), Arc::new(IdleHost), 1, careful);
    finished(&backend, &own).await;
    assert_eq!(worker.stop().await, WorkerTally { read: 1, skipped: 0, failed: 0 });
    let lease = leased(&backend, "somebody").await;
    assert_eq!((&lease.task, lease.attempt), (&foreign, 1));
    backend.queue.give_back(lease).await.expect("given back");

    let worker = RunningWorker::start(&backend, reader(), Arc::new(IdleHost), 1);
    finished(&backend, &new.id).await;
    worker.stop().await;
}

/// Returns a set that was learned from a painted hand.
fn own_set(name: &str, scene: &str) -> OwnSet {
    let photo = Photo::decode(&photo(scene), &DecodeLimits::default()).expect("a photo");
    let seen = reader().see_tiles(&photo).expect("tiles").into_iter();
    let tiles = seen.filter_map(|tile| {
        let label = tile.faces.best()?.into();
        Some(LabelledTile { quad: tile.quad, label })
    });
    let lessons = [LabelledPhoto { photo: &photo, tiles: tiles.collect() }];
    learn(name.parse().expect("a name"), &lessons, &PaintedModel::default()).expect("a set")
}

/// Reads photos without a set and with a set that the worker has, and returns those for a set of
/// the same name with other content.
pub(crate) async fn a_worker_reads_with_the_own_sets_that_it_has(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (home, changed) = (own_set("Home", SCENES[0]), own_set("Home", SCENES[2]));
    let ask = PhotoFields { set: Some("Home".parse().expect("a name")), ..PhotoFields::default() };
    let submit_with = async |set: &OwnSet, scene: &str| {
        let engine =
            Engines::new(engine(), [(set.id(), set)]).for_choice(ask.set.as_ref()).expect("known");
        submit_for(engine, &backend, &[photo(scene)], &ask).await
    };
    let foreign = submit_with(&changed, SCENES[1]).await;
    let named = submit_with(&home, SCENES[0]).await;
    let plain = submit(&backend, &[photo(SCENES[0])], &PhotoFields::default()).await;
    let reader = Reader::with_model(PaintedModel::default()).with_sets(vec![home]);
    let (reader, careful) = (reader.expect("a shelf"), settings(ForeignTasks::GiveBack));
    let host = Arc::new(IdleHost);
    let worker = RunningWorker::start_as(&backend, Arc::new(reader), host, 1, careful);
    finished(&backend, &named).await;
    finished(&backend, &plain).await;
    assert_eq!(worker.stop().await, WorkerTally { read: 2, skipped: 0, failed: 0 });
    let line = lines(&backend, &named).await.remove(0);
    assert!(line.contains(r#""used":"Home""#), "{line}");
    assert!(!lines(&backend, &plain).await[0].contains(r#""used""#));
    let lease = leased(&backend, "somebody").await;
    assert_eq!((&lease.task.table.fields.set, lease.attempt), (&ask.set, 1));
    backend.queue.give_back(lease).await.expect("given back");
    let left = backend.store.job(&foreign).await.expect("answers").expect("there");
    assert_ne!(left.state(), JobState::Finished);
}

/// Reads a photo with a set that came with its job, beside the worker's own of that name, and gives
/// up one whose set is not there.
pub(crate) async fn a_worker_reads_with_the_own_sets_that_came_with_a_job(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (home, other) = (own_set("Home", SCENES[0]), own_set("Home", SCENES[2]));
    let ask = PhotoFields { set: Some("Home".parse().expect("a name")), ..PhotoFields::default() };
    let engines = Engines::new(engine(), [(home.id(), &home)]);
    let engine = engines.for_choice(ask.set.as_ref()).expect("known");
    let new = job();
    backend.store.create(&new).await.expect("created");
    let set = backend.store.put_photo(&new.id, &home.to_bytes()).await.expect("kept");
    let mut items = Vec::new();
    for (scene, sets) in [(SCENES[0], vec![set]), (SCENES[1], vec![PhotoId::from_bytes(b"gone")])] {
        let photo = backend.store.put_photo(&new.id, &photo(scene)).await.expect("kept");
        let table = TableRequest { fields: ask.clone(), ..TableRequest::from_photo(photo) };
        let task = Task::new(table, Lang::En, engine).with_sets(sets);
        items.push(NewItem { id: scene.to_owned(), work: Work::Read(task) });
    }
    backend.submit(&new.id, 0, &items, Priority::Normal).await.expect("submitted");
    backend.store.seal(&new.id).await.expect("sealed");
    let reader = Reader::with_model(PaintedModel::default()).with_sets(vec![other]);
    let (reader, careful) = (reader.expect("a shelf"), settings(ForeignTasks::GiveBack));
    let host = Arc::new(IdleHost);
    let worker = RunningWorker::start_as(&backend, Arc::new(reader), host, 1, careful);
    finished(&backend, &new.id).await;
    let tally = WorkerTally { read: 1, skipped: 0, failed: MAX_ATTEMPTS.into() };
    assert_eq!(worker.stop().await, tally);
    let lines = lines(&backend, &new.id).await;
    let used = format!(r#""used":"Home","id":"{}""#, home.id());
    assert!(lines[0].contains(&used), "{}", lines[0]);
    assert!(lines[1].contains("reading the photo failed 3 times"), "{}", lines[1]);
}

/// Stores a different photo under the key of a needed task.
pub(crate) async fn a_task_that_does_not_match_its_key_is_rejected(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (new, wanted) = (job(), photo(SCENES[0]));
    backend.store.create(&new).await.expect("created");
    let own = backend.store.put_photo(&new.id, &wanted).await.expect("kept");
    let other = backend.store.put_photo(&new.id, &photo(SCENES[1])).await.expect("kept");
    let task = Task::new(TableRequest::from_photo(own), Lang::En, engine());
    let item = NewItem { id: "photo 0".to_owned(), work: Work::Read(task.clone()) };
    backend.store.append(&new.id, 0, &[item]).await.expect("appended");
    backend.store.seal(&new.id).await.expect("sealed");
    let forged = Task { table: TableRequest::from_photo(other), ..task.clone() };
    backend.queue.push(&[forged], Priority::Normal).await.expect("pushed");

    let counting = Arc::new(CountingHost::default());
    let worker = RunningWorker::start(&backend, reader(), counting.clone(), 1);
    let dead = async || backend.queue.dead_letters(10).await.expect("the queue answers");
    until("the task is refused", async || !dead().await.is_empty()).await;
    assert!(dead().await[0].reason.contains("does not match its key"), "{:?}", dead().await);
    assert_eq!(counting.0.load(Ordering::Relaxed), 0, "the other photo was read");
    assert_eq!(backend.store.outcome(&task.key).await, Ok(None), "the key is still free");
    // The owner of the job queues the true task again.
    assert_eq!(backend.resume(&new.id, Priority::Normal).await, Ok(1));
    finished(&backend, &new.id).await;
    assert_eq!(worker.stop().await, WorkerTally { read: 1, skipped: 0, failed: 1 });
    let line = expected(&wanted, &PhotoFields::default()).line("photo 0", 0);
    assert_eq!(lines(&backend, &new.id).await, [line]);
}

/// A process whose own requests always take precedence over jobs.
#[derive(Debug, Default)]
struct BusyHost(Notify);

#[async_trait]
impl Host for BusyHost {
    async fn permit(&self, _photo: &[u8]) -> WorkerPermit {
        self.0.notify_one();
        std::future::pending().await
    }
}

pub(crate) async fn waiting_tasks_are_returned_at_the_end(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(SHORT).await;
    submit(&backend, &[photo(SCENES[0])], &PhotoFields::default()).await;
    let busy = Arc::new(BusyHost::default());
    let worker = RunningWorker::start(&backend, reader(), busy.clone(), 1);
    timeout(COMING, busy.0.notified()).await.expect("it asks for a turn");
    // The worker holds the task for as long as it waits.
    let other = backend.queue.lease(&name("other"), 2 * SHORT).await.expect("the queue answers");
    assert_eq!(other, None);
    assert_eq!(worker.stop().await, WorkerTally::default());
    assert_eq!(leased(&backend, "other").await.attempt, 1);
}

/// Step of a worker with a task that it holds.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Begin,
    Complete,
    GiveBack,
}

/// Event right before a step, which prevents the step if it is an error.
type Event = dyn Fn(Step, Lease) -> BoxFuture<'static, Result<(), QueueError>> + Send + Sync;

/// A real queue with an event before each step.
struct InterruptedQueue {
    queue: Arc<dyn Queue>,
    event: Box<Event>,
}

impl InterruptedQueue {
    /// Returns a back end whose queue has these events.
    fn over<F>(
        backend: &Backend,
        event: impl Fn(Step, Lease) -> F + Send + Sync + 'static,
    ) -> Backend
    where
        F: Future<Output = Result<(), QueueError>> + Send + 'static,
    {
        let event = Box::new(move |step, lease| event(step, lease).boxed());
        let queue = Arc::new(InterruptedQueue { queue: Arc::clone(&backend.queue), event });
        Backend { queue, store: Arc::clone(&backend.store) }
    }
}

impl std::fmt::Debug for InterruptedQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.queue.fmt(f)
    }
}

#[async_trait]
impl Queue for InterruptedQueue {
    async fn push(
        &self,
        tasks: &[Task],
        priority: Priority,
    ) -> Result<Vec<PushResult>, QueueError> {
        self.queue.push(tasks, priority).await
    }

    async fn lease(&self, worker: &Name, wait: Duration) -> Result<Option<Lease>, QueueError> {
        self.queue.lease(worker, wait).await
    }

    async fn extend(&self, lease: &Lease) -> Result<(), QueueError> {
        self.queue.extend(lease).await
    }

    async fn begin(&self, lease: &Lease, company: Company) -> Result<(), QueueError> {
        (self.event)(Step::Begin, lease.clone()).await?;
        self.queue.begin(lease, company).await
    }

    async fn complete(&self, lease: Lease) -> Result<(), QueueError> {
        (self.event)(Step::Complete, lease.clone()).await?;
        self.queue.complete(lease).await
    }

    async fn fail(&self, lease: Lease, reason: &str) -> Result<FailResult, QueueError> {
        self.queue.fail(lease, reason).await
    }

    async fn give_back(&self, lease: Lease) -> Result<(), QueueError> {
        (self.event)(Step::GiveBack, lease.clone()).await?;
        self.queue.give_back(lease).await
    }

    async fn forget_attempts(&self, key: &TaskKey) -> Result<(), QueueError> {
        self.queue.forget_attempts(key).await
    }

    async fn dead_letters(&self, max: usize) -> Result<Vec<DeadLetter>, QueueError> {
        self.queue.dead_letters(max).await
    }

    async fn delete_dead_letter(&self, key: &TaskKey) -> Result<(), QueueError> {
        self.queue.delete_dead_letter(key).await
    }

    async fn backlog(&self) -> Result<Backlog, QueueError> {
        self.queue.backlog().await
    }
}

pub(crate) async fn a_task_wanted_again_while_it_is_dropped_is_read(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let job = submit(&backend, &[photo(SCENES[0])], &PhotoFields::default()).await;
    backend.store.cancel(&job).await.expect("cancelled");
    let once = Mutex::new(Some(backend.clone()));
    let raced = InterruptedQueue::over(&backend, move |step, lease| {
        let racing = once.lock().expect("nobody panicked").take_if(|_| step == Step::Complete);
        async move {
            if let Some(backend) = racing {
                let wanted = sealed(&backend, &[lease.task]).await;
                assert_eq!(backend.resume(&wanted, Priority::Normal).await, Ok(0), "it is known");
            }
            Ok(())
        }
    });
    let counting = Arc::new(CountingHost::default());
    let worker = RunningWorker::start(&raced, reader(), counting.clone(), 1);
    until("the photo is read", async || counting.0.load(Ordering::Relaxed) == 1).await;
    assert_eq!(worker.stop().await, WorkerTally { read: 1, skipped: 1, failed: 0 });
    assert_no_task_waits(&backend).await;
}

/// Lets a worker read a suspect whose end it can't report. A task beside it must wait: if that one
/// crashed the process, the suspect's attempt would never be withdrawn.
pub(crate) async fn a_suspect_is_alone_until_its_end_is_reported(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    // Nobody extends the suspect's lease while its end can't be reported: it must last until the
    // other task is leased.
    let FreshBackend { backend, _kept } = open(6 * SHORT).await;
    let suspected = submit(&backend, &[photo(SCENES[0])], &PhotoFields::default()).await;
    let innocents = [photo(SCENES[1])];
    assert_eq!(begun(&backend, "killed").await.attempt, 1);
    let cut = Arc::new(AtomicBool::new(true));
    let (refused, innocent) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (line, at_end, at_begin) = (cut.clone(), refused.clone(), innocent.clone());
    let remote = InterruptedQueue::over(&backend, move |step, lease| {
        let is_refused = step != Step::Begin && line.load(Ordering::SeqCst);
        match (step, lease.attempt) {
            (Step::Begin, 1) => at_begin.notify_one(),
            (Step::GiveBack, _) if is_refused => at_end.notify_one(),
            _ => {}
        }
        ready(if is_refused { Err(QueueError::unavailable(&"it is cut")) } else { Ok(()) })
    });
    let worker = RunningWorker::start(&remote, reader(), Arc::new(IdleHost), 2);
    timeout(COMING, refused.notified()).await.expect("the suspect is read");
    let other = submit(&backend, &innocents, &PhotoFields::default()).await;
    let waiting = async || backend.queue.backlog().await.expect("the queue answers").waiting;
    until("the other task is leased", async || waiting().await == 0).await;
    assert!(timeout(NOTHING, innocent.notified()).await.is_err(), "it is read beside a suspect");
    cut.store(false, Ordering::SeqCst);
    finished(&backend, &suspected).await;
    finished(&backend, &other).await;
    assert_eq!(worker.stop().await.failed, 0);
}

pub(crate) async fn a_queue_that_lost_everything_is_refilled(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let photos: Vec<_> = SCENES.iter().map(|scene| photo(scene)).collect();
    let job = submit(&backend, &photos, &PhotoFields::default()).await;
    for _ in &photos {
        backend.queue.complete(leased(&backend, "thief").await).await.expect("done");
    }
    assert_no_task_waits(&backend).await;
    assert_eq!(backend.resume(&job, Priority::Normal).await, Ok(3));
    assert_eq!(backend.resume(&job, Priority::Normal).await, Ok(0));
    let worker = RunningWorker::start(&backend, reader(), Arc::new(IdleHost), 2);
    finished(&backend, &job).await;
    worker.stop().await;
    assert_eq!(backend.resume(&job, Priority::Normal).await, Ok(0));
}
