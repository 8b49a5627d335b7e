//! The calls of the process whose power is cut, and the state that must exist after that.
//!
//! The script is a list of steps; a step is a few concurrent calls, and it is answered when all of
//! them are. After a cut all effects of the answered steps are stored; each call of the next step
//! happened or did not; and no other step has any effect.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_core::explain::Lang;
use tilesight_jobs::{
    Backend, Engine, JobId, Name, NewItem, NewJob, Outcome, PhotoId, Priority, Progress,
    PushResult, Task, TaskKey, Timestamp, Work,
};
use tilesight_vision::contract::TableRequest;

/// A call to the back end.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    Create(usize),
    Photo {
        job: usize,
        photo: u32,
    },
    DropPhotos(usize),
    Append {
        job: usize,
        from: u64,
        tasks: Vec<u32>,
    },
    Refuse {
        job: usize,
        from: u64,
    },
    Seal(usize),
    Cancel(usize),
    Delete(usize),
    Push(Vec<u32>),
    /// Leases a task and reports that it is done, which has no effect that must survive.
    Work,
    Answer(u32),
    Save {
        id: &'static str,
        text: String,
    },
}

/// Returns the whole script.
pub(crate) fn script() -> Vec<Vec<Call>> {
    use Call::{
        Answer, Append, Cancel, Create, Delete, DropPhotos, Photo, Push, Refuse, Save, Seal,
    };
    let save = |text: &str| Save { id: "a", text: text.to_owned() };
    let mut steps = vec![
        vec![Create(0)],
        vec![Create(1), save("one")],
        vec![Photo { job: 0, photo: 1 }, Photo { job: 1, photo: 2 }],
        vec![Photo { job: 0, photo: 2 }],
        vec![Append { job: 0, from: 0, tasks: (0..70).collect() }],
        vec![Push((0..70).collect())],
        vec![Append { job: 1, from: 0, tasks: vec![3, 200, 201, 3] }, Refuse { job: 0, from: 70 }],
        vec![Seal(1), save("two")],
    ];
    // Large enough together for the log to be copied into the database and restarted, twice.
    for n in 0..30_u32 {
        steps.push(vec![Answer(2 * n), Answer(2 * n + 1), Call::Work]);
        if n % 8 == 0 {
            steps.push(vec![save(&format!("at {n}")), Photo { job: 0, photo: 10 + n }]);
        }
    }
    steps.extend([
        vec![Cancel(1), Push(vec![200])],
        vec![Delete(1)],
        vec![Seal(0), Create(2)],
        vec![Photo { job: 2, photo: 1 }],
        vec![DropPhotos(0), save("three")],
    ]);
    steps.extend((60..70).map(|n| vec![Answer(n)]));
    steps.push(vec![Delete(0), save("four")]);
    steps
}

fn id(job: usize) -> JobId {
    format!("{:032x}", job + 1).parse().expect("an id")
}

fn name(text: &str) -> Name {
    text.parse().expect("a name")
}

fn task(n: u32) -> Task {
    let engine: Engine = "00".repeat(32).parse().expect("an engine");
    Task::new(TableRequest::from_photo(PhotoId::from_bytes(&n.to_be_bytes())), Lang::En, engine)
}

/// Returns photos of few and of many bytes.
fn photo(n: u32) -> Vec<u8> {
    let length = if n.is_multiple_of(2) { 100_000 } else { 1_000 };
    (0..length).map(|at: u32| (at.wrapping_mul(n + 7) >> 3) as u8).collect()
}

fn outcome(n: u32) -> Outcome {
    if n.is_multiple_of(7) {
        return Outcome::from_problem(Problem::new(ProblemKind::UnreadableImage, format!("{n}")));
    }
    let text = format!("{n} ").repeat(50_000);
    Outcome::from_json(format!(r#"{{"reading":"{text}"}}"#)).expect("an outcome")
}

fn items(tasks: &[u32]) -> Vec<NewItem> {
    let item = |n: &u32| NewItem { id: n.to_string(), work: Work::Read(task(*n)) };
    tasks.iter().map(item).collect()
}

/// Makes the call. It may have been made before, by a client whose power was cut before the answer.
pub(crate) async fn make(backend: &Backend, call: &Call) {
    let (queue, store) = (&backend.queue, &backend.store);
    match call {
        Call::Create(job) => {
            let (created, extra) = (Timestamp(0), job.to_string().into());
            let new = NewJob { created, extra, ..NewJob::new(id(*job)) };
            store.create(&new).await.expect("created");
        }
        Call::Photo { job, photo } => {
            store.put_photo(&id(*job), &self::photo(*photo)).await.expect("kept");
        }
        Call::DropPhotos(job) => store.drop_photos(&id(*job)).await.expect("dropped"),
        Call::Append { job, from, tasks } => {
            store.append(&id(*job), *from, &items(tasks)).await.expect("appended");
        }
        Call::Refuse { job, from } => {
            let problem = Problem::new(ProblemKind::TooLarge, "too large");
            let item = NewItem { id: "refused".to_owned(), work: Work::Refused(problem) };
            store.append(&id(*job), *from, &[item]).await.expect("appended");
        }
        Call::Seal(job) => store.seal(&id(*job)).await.expect("sealed"),
        Call::Cancel(job) => store.cancel(&id(*job)).await.expect("cancelled"),
        Call::Delete(job) => store.delete(&id(*job)).await.expect("deleted"),
        Call::Push(tasks) => {
            let tasks: Vec<Task> = tasks.iter().map(|n| task(*n)).collect();
            queue.push(&tasks, Priority::Normal).await.expect("pushed");
        }
        Call::Work => {
            let lease = queue.lease(&name("worker"), Duration::ZERO).await.expect("answers");
            queue.complete(lease.expect("tasks wait")).await.expect("done");
        }
        Call::Answer(n) => {
            store.put_outcome(&task(*n).key, &outcome(*n)).await.expect("written");
        }
        Call::Save { id, text } => {
            let (kind, id) = (name("kind"), name(id));
            let loaded = store.load(&kind, &id).await.expect("the store answers");
            let revision = loaded.map(|(revision, _)| revision);
            store.save(&kind, &id, revision, text.as_bytes()).await.expect("saved");
        }
    }
}

/// The whole state, except data that need not survive.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct World {
    jobs: BTreeMap<usize, Job>,
    photos: BTreeSet<u32>,
    outcomes: BTreeSet<u32>,
    documents: BTreeMap<&'static str, String>,
    pub(crate) pushed: BTreeSet<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Job {
    items: Vec<(String, bool)>,
    photos: BTreeSet<u32>,
    sealed: bool,
    cancelled: bool,
    read: u64,
    failed: u64,
}

impl World {
    /// Returns the expected state after these steps.
    pub(crate) fn after(steps: &[Vec<Call>]) -> World {
        let mut world = World::default();
        steps.iter().flatten().for_each(|call| world.apply(call));
        world
    }

    pub(crate) fn apply(&mut self, call: &Call) {
        match call {
            Call::Create(job) => drop(self.jobs.entry(*job).or_default()),
            Call::Photo { job, photo } => drop(self.job(*job).photos.insert(*photo)),
            Call::DropPhotos(job) => self.job(*job).photos.clear(),
            Call::Append { job, tasks, .. } => {
                let done = self.outcomes.clone();
                for n in tasks {
                    let answered = done.contains(n);
                    self.job(*job).items.push((n.to_string(), answered));
                    if answered {
                        self.job(*job).count(*n, 1);
                    }
                }
            }
            Call::Refuse { job, .. } => {
                self.job(*job).items.push(("refused".to_owned(), true));
                self.job(*job).failed += 1;
            }
            Call::Seal(job) => self.job(*job).sealed = true,
            Call::Cancel(job) => self.job(*job).cancelled = true,
            Call::Delete(job) => {
                self.jobs.remove(job);
                let left = self.jobs.values().flat_map(|job| &job.items);
                let left: BTreeSet<String> = left.map(|(id, _)| id.clone()).collect();
                self.outcomes.retain(|n| left.contains(&n.to_string()));
            }
            Call::Push(tasks) => self.pushed.extend(tasks),
            Call::Work => {}
            Call::Answer(n) => {
                self.outcomes.insert(*n);
                for job in self.jobs.values_mut().filter(|job| !job.cancelled) {
                    let mut count = 0;
                    for (_, done) in job.items.iter_mut().filter(|(id, _)| *id == n.to_string()) {
                        *done = true;
                        count += 1;
                    }
                    job.count(*n, count);
                }
            }
            Call::Save { id, text } => drop(self.documents.insert(id, text.clone())),
        }
        self.photos = self.jobs.values().flat_map(|job| job.photos.iter().copied()).collect();
    }

    fn job(&mut self, job: usize) -> &mut Job {
        self.jobs.get_mut(&job).expect("the script creates it before")
    }

    /// Returns the state of a back end. Panics if it is inconsistent.
    pub(crate) async fn found(backend: &Backend) -> World {
        let mut world = World::default();
        let store = &backend.store;
        let steps = script();
        let calls = || steps.iter().flatten();
        for job in
            calls().filter_map(|call| if let Call::Create(job) = call { Some(*job) } else { None })
        {
            if let Some(found) = self::job(backend, job).await {
                world.jobs.insert(job, found);
            }
        }
        let photos = calls().filter_map(|call| match call {
            Call::Photo { photo, .. } => Some(*photo),
            _ => None,
        });
        for n in photos {
            let bytes = photo(n);
            let found =
                store.photo(&PhotoId::from_bytes(&bytes)).await.expect("no photo by halves");
            if found.is_some() {
                world.photos.insert(n);
            }
        }
        let answers = calls().filter_map(|call| match call {
            Call::Answer(n) => Some(*n),
            _ => None,
        });
        for n in answers {
            if let Some(found) = store.outcome(&task(n).key).await.expect("no outcome by halves") {
                assert!(found == outcome(n), "another outcome of {n}");
                world.outcomes.insert(n);
            }
        }
        let loaded = store.load(&name("kind"), &name("a")).await.expect("the store answers");
        if let Some((_, bytes)) = loaded {
            world.documents.insert("a", String::from_utf8(bytes).expect("it was text"));
        }
        world
    }

    /// Returns the state without the jobs that keep a photo, which the store does not report, and
    /// without the queue.
    pub(crate) fn comparable(mut self) -> World {
        self.jobs.values_mut().for_each(|job| job.photos.clear());
        self.pushed.clear();
        self
    }
}

impl Job {
    fn count(&mut self, n: u32, items: u64) {
        if outcome_fails(n) { self.failed += items } else { self.read += items }
    }
}

fn outcome_fails(n: u32) -> bool {
    n.is_multiple_of(7)
}

async fn job(backend: &Backend, job: usize) -> Option<Job> {
    let store = &backend.store;
    let found = store.job(&id(job)).await.expect("the store answers")?;
    let items = store.items(&id(job), 0, usize::MAX).await.expect("no item by halves");
    for item in &items {
        let asked = item.id.parse().ok().map(task);
        assert_eq!(item.task, asked, "the task of an item");
        if let (Some(outcome), Ok(n)) = (&item.outcome, item.id.parse()) {
            assert!(*outcome == self::outcome(n), "the outcome of an item");
        }
    }
    let Progress { total, read, failed } = found.progress;
    assert_eq!(total, items.len() as u64, "the count of items");
    Some(Job {
        items: items.into_iter().map(|item| (item.id, item.outcome.is_some())).collect(),
        photos: BTreeSet::new(),
        sealed: found.sealed,
        cancelled: found.cancelled.is_some(),
        read,
        failed,
    })
}

/// Returns the tasks that the queue no longer knows. Each may be one that is done.
pub(crate) async fn unknown(backend: &Backend, tasks: &BTreeSet<u32>) -> BTreeSet<TaskKey> {
    let asked: Vec<Task> = tasks.iter().map(|n| task(*n)).collect();
    let pushed = backend.queue.push(&asked, Priority::Normal).await.expect("pushed");
    let lost = asked.iter().zip(pushed).filter(|(_, pushed)| *pushed == PushResult::New);
    lost.map(|(task, _)| task.key).collect()
}
