//! Power cuts and the embedded back end: everything that was acknowledged is still stored
//! afterwards.
//!
//! A process runs a script of calls while a recorder logs its file operations. From the log the
//! test derives the states that a disk may be in after a power cut at any point. In each state it
//! opens and checks the back end, and in some it runs the script to its end. `TILESIGHT_POWER_CUTS`
//! sets the number of cuts; the default takes some seconds.

mod disk;
mod record;
mod script;

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use disk::{Disk, Keeps, lay_out};
use record::{ANSWERS, Op, recorder, run};
use script::{Call, World, make, script, unknown};
use tilesight_jobs::EmbeddedStore;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

/// Variable that names the folder for the recorded process.
const FOLDER: &str = "TILESIGHT_POWER_FOLDER";
/// Default number of cuts.
const CUTS: usize = 160;
/// The script is continued to its end after one in this number of cuts.
const RECOVERED: usize = 10;

/// A folder of this test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("tilesight-power-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).expect("a new folder");
        Folder(folder.canonicalize().expect("it is there"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Makes the calls of a step concurrently, and returns when all are answered.
async fn step(embedded: &Arc<EmbeddedStore>, calls: &[Call]) {
    let mut made = JoinSet::new();
    for call in calls {
        let (backend, call) = (embedded.backend(), call.clone());
        made.spawn(async move { make(&backend, &call).await });
    }
    while let Some(done) = made.join_next().await {
        done.expect("the call was answered");
    }
}

/// Runs the script without a cut. In a process of its own this test is also what the recorder logs.
#[test]
fn the_script_runs_to_its_end() {
    let watched = std::env::var_os(FOLDER).map(PathBuf::from);
    let own = watched.is_none().then(|| Folder::new("whole"));
    let folder = watched.unwrap_or_else(|| own.as_ref().expect("one of them").0.join("data"));
    fs::create_dir_all(&folder).expect("a folder");
    let mut answers =
        OpenOptions::new().append(true).create(true).open(folder.join(ANSWERS)).expect("a file");
    Runtime::new().expect("threads").block_on(async {
        let embedded = Arc::new(EmbeddedStore::open(&folder).expect("a new back end"));
        for calls in script() {
            step(&embedded, &calls).await;
            answers.write_all(b".").expect("written");
        }
        let end = World::after(&script()).comparable();
        assert_eq!(World::found(&embedded.backend()).await, end);
    });
}

/// Returns the fault after a cut at a point, if there is one.
fn check(folder: &Path, answered: usize, recover: bool) -> Result<(), String> {
    let steps = script();
    let runtime = Runtime::new().expect("threads");
    let folder = folder.to_path_buf();
    // A panic means an inconsistent state, and is reported like other errors.
    let looked_at = async move {
        let embedded = EmbeddedStore::open(&folder).map_err(|error| error.to_string())?;
        let embedded = Arc::new(embedded);
        let backend = embedded.backend();
        let found = World::found(&backend).await;
        if !possible(&steps, answered).contains(&found) {
            return Err(format!("after {answered} answers there is {found:?}"));
        }
        lost_tasks(&embedded, &steps[..answered]).await?;
        if recover {
            for calls in &steps[answered.min(steps.len())..] {
                step(&embedded, calls).await;
            }
            let end = World::found(&backend).await;
            if end != World::after(&steps).comparable() {
                return Err(format!("gone on after {answered} answers it ends with {end:?}"));
            }
        }
        Ok(())
    };
    let checked = runtime.block_on(async { tokio::spawn(looked_at).await });
    checked.unwrap_or_else(|panic| Err(panic.to_string()))
}

/// Possible states: with any subset of the calls that were not acknowledged.
struct Possible(Vec<World>);

fn possible(steps: &[Vec<Call>], answered: usize) -> Possible {
    let certain = World::after(&steps[..answered]);
    let open = steps.get(answered).map_or(&[][..], Vec::as_slice);
    let choices = (0..1_u32 << open.len()).map(|choice| {
        let mut world = certain.clone();
        let made = open.iter().enumerate().filter(|(n, _)| choice & (1 << n) != 0);
        made.for_each(|(_, call)| world.apply(call));
        world.comparable()
    });
    Possible(choices.collect())
}

impl Possible {
    fn contains(&self, found: &World) -> bool {
        self.0.contains(found)
    }
}

/// Fails if pushed tasks are lost. Tasks that are done may be unknown: each `Work` may have been
/// one.
async fn lost_tasks(embedded: &Arc<EmbeddedStore>, steps: &[Vec<Call>]) -> Result<(), String> {
    let pushed: BTreeSet<u32> = World::after(steps).pushed;
    let worked = steps.iter().flatten().filter(|call| matches!(call, Call::Work)).count();
    let unknown = unknown(&embedded.backend(), &pushed).await;
    // The step that was not answered may account for one more.
    if unknown.len() > worked + 1 {
        return Err(format!("{} tasks are lost, {worked} were done", unknown.len()));
    }
    Ok(())
}

/// Records the script and checks that the records are complete.
fn recorded(folder: &Folder) -> (PathBuf, Vec<Op>) {
    let data = folder.0.join("data");
    let library = recorder(&folder.0);
    let ops = run("power::the_script_runs_to_its_end", FOLDER, &data, &library);
    let mut disk = Disk::default();
    ops.iter().for_each(|op| disk.apply(op));
    let state = disk.after_cut(&mut Keeps::Everything);
    for (path, content) in &state {
        let Some(content) = content else { continue };
        let real = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(*content == real, "the records of {} are incomplete", path.display());
    }
    let mut real = Vec::new();
    walk(&data, &mut real);
    real.retain(|path| !path.to_string_lossy().ends_with("-shm") && !path.ends_with(ANSWERS));
    assert_eq!(real.len(), state.values().flatten().count(), "the records name other files");
    (data, ops)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        if entry.path().is_dir() {
            walk(&entry.path(), files);
        } else {
            files.push(entry.path());
        }
    }
}

/// Tries cuts and returns the errors with their positions.
fn cuts(folder: &Folder, root: &Path, ops: &[Op], count: usize, seed: u64) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(seed);
    // A point between two syncs is like its neighbors, except for the randomly chosen sectors that
    // are kept.
    let mut points: Vec<usize> = (0..=ops.len()).collect();
    random.shuffle(&mut points);
    points.truncate(count);
    points.sort_unstable();
    let (mut disk, mut answered, mut done, mut wrong) = (Disk::default(), 0, 0, Vec::new());
    for (n, point) in points.into_iter().enumerate() {
        for op in &ops[done..point] {
            disk.apply(op);
            if let Op::Acknowledged(count) = op {
                answered = *count;
            }
        }
        done = point;
        let mut keeps = match n % 3 {
            0 => Keeps::Nothing,
            1 => Keeps::Some(random.fork()),
            _ => Keeps::Everything,
        };
        let after = folder.0.join(format!("after-{n}"));
        lay_out(&disk.after_cut(&mut keeps), root, &after);
        if let Err(what) = check(&after, answered, n % RECOVERED == 0) {
            wrong.push(format!("cut at {point} of {}, {keeps:?}: {what}", ops.len()));
        }
        fs::remove_dir_all(&after).expect("removed");
    }
    wrong
}

#[test]
fn acknowledged_calls_survive_a_power_cut() {
    let folder = Folder::new("cuts");
    let (root, ops) = recorded(&folder);
    let asked = std::env::var("TILESIGHT_POWER_CUTS").ok();
    let count = asked.map_or(CUTS, |count| count.parse().expect("a number of cuts"));
    let seed = std::env::var("TILESIGHT_POWER_SEED").ok();
    let seed = seed.map_or_else(|| fastrand::u64(..), |seed| seed.parse().expect("a number"));
    let wrong = cuts(&folder, &root, &ops, count, seed);
    assert!(wrong.is_empty(), "TILESIGHT_POWER_SEED={seed}\n{}", wrong.join("\n"));
}

/// A disk that lies about syncs loses acknowledged calls, which proves that the check above can
/// fail.
#[test]
fn a_disk_that_lies_about_syncs_loses_calls() {
    let folder = Folder::new("lies");
    let (root, mut ops) = recorded(&folder);
    ops.retain(|op| !matches!(op, Op::Synced { .. }));
    let wrong = cuts(&folder, &root, &ops, 12, 1);
    assert!(!wrong.is_empty(), "nothing was lost");
}
