//! Points of a process: this test starts itself and is ended or held there.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The variable that tells a process of this program to walk past the points.
const WALK: &str = "TILESIGHT_FAILPOINT_WALK";
const PATIENCE: Duration = Duration::from_secs(60);

/// The walk: ten arrivals, of which the odd ones say so; the child prints how far it came.
#[test]
fn a_walk() {
    let Some(file) = env::var_os(WALK) else { return };
    for step in 1..=10 {
        let word = if step % 2 == 1 { "odd" } else { "even" };
        tilesight_failpoint::point!("walk.step", "step={step} {word}");
        fs::write(&file, step.to_string()).expect("written");
    }
}

/// Starts the walk with points, and returns the file in which it says how far it came.
fn walk(name: &str, points: &str) -> (Child, PathBuf) {
    let file = env::temp_dir().join(format!("tilesight-walk-{name}-{}", std::process::id()));
    let child = Command::new(env::current_exe().expect("this program"))
        .args(["a_walk", "--exact"])
        .env(WALK, &file)
        .env(tilesight_failpoint::VARIABLE, points)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    (child.expect("this program starts"), file)
}

fn steps(file: &PathBuf) -> String {
    let steps = fs::read_to_string(file).expect("it has begun");
    fs::remove_file(file).expect("removed");
    steps
}

#[test]
fn a_process_ends_at_a_point() {
    let (mut child, file) = walk("abort", "walk.step[odd]@3=abort");
    let ended = child.wait().expect("our child");
    if tilesight_failpoint::ARMED {
        assert_eq!(ended.code(), None, "ended by a signal");
        assert_eq!(steps(&file), "4", "at the beginning of the fifth step, the third odd one");
    } else {
        assert!(ended.success());
        assert_eq!(steps(&file), "10", "a release build has no points");
    }
}

#[test]
fn a_thread_is_held_at_a_point() {
    if !tilesight_failpoint::ARMED {
        return;
    }
    let held = env::temp_dir().join(format!("tilesight-held-{}", std::process::id()));
    let (mut child, file) = walk("hold", &format!("walk.step@2=hold:{}", held.display()));
    let began = Instant::now();
    while !held.exists() {
        assert!(began.elapsed() < PATIENCE, "it never came to the point");
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(fs::read_to_string(&file).expect("it has begun"), "1");
    assert_eq!(child.try_wait().expect("our child"), None);
    fs::remove_file(held).expect("removed");
    assert!(child.wait().expect("our child").success());
    assert_eq!(steps(&file), "10");
}

#[test]
fn a_misspelt_setting_ends_the_process() {
    let (mut child, file) = walk("wrong", "walk.step=abort");
    assert_eq!(child.wait().expect("our child").success(), !tilesight_failpoint::ARMED);
    let _ = fs::remove_file(file);
}
