//! `tilesight batch --nats` with a real `nats-server` and real workers: the same files as on one machine.
//!
//! Without a server, the models or ONNX Runtime these tests fail, and say what to run.
#![cfg(all(feature = "batch", feature = "fleet", unix))]

mod batches;
mod nats;

use std::fs;
use std::process::Stdio;

use batches::{FILES, Folder, Running, demo, grey, read_in, text};
use nats::Server;

/// A worker of the fleet.
fn worker(folder: &Folder, url: &str) -> Running {
    let mut command = folder.other("worker", &["--nats", url, "--workers", "1"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Running(command.spawn().expect("the binary runs"))
}

#[test]
fn a_fleet_gives_the_files_that_one_machine_gives_whoever_is_killed() {
    let folder = Folder::new("fleet");
    let server = Server::start();
    for number in 0..300_u16 {
        let photo = match number {
            7 | 290 => demo(number as u8),
            20 => demo(0)[..3_000].to_vec(),
            _ => grey((number % 40) as u8),
        };
        folder.write(&format!("photos/{number:03}.jpg"), photo);
    }
    let output = folder.run(&["photos", "--out", "here"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(read_in(text(&output.stderr)), 43, "what is the same is read once: {output:?}");

    let url = server.url();
    let args = ["photos", "--out", "there", "--nats", &url];
    let first = worker(&folder, &url);
    let mut running = folder.start(&args);
    folder.wait_for_rows("there/results.jsonl.partial", 30, &mut running);
    running.signal("-KILL");
    running.ends();
    first.signal("-KILL");
    drop(first);
    let second = worker(&folder, &url);
    let output = folder.run(&args);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    drop(second);
    for file in FILES {
        let (there, here) = (format!("there/{file}"), format!("here/{file}"));
        assert_eq!(folder.read(&there), folder.read(&here), "{file}");
    }
    let kept = fs::exists(folder.0.join("there/state/jobs.sqlite3")).expect("a folder");
    assert!(!kept, "the fleet's store keeps it, not this machine");
}

#[test]
fn a_fleet_that_is_not_there_is_told() {
    let folder = Folder::new("no-fleet");
    folder.write("a.png", grey(1));
    let output = folder.run(&["a.png", "--out", "out", "--nats", "nats://127.0.0.1:9"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(text(&output.stderr).starts_with("error: "), "{output:?}");
}
