//! `tilesight batch --nats` with a real `nats-server` and real workers: the same files as on one
//! machine.
//!
//! Without a server, the models or ONNX Runtime these tests fail, and print the command to run.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::batches::{FILES, Folder, Running, demo, grey, read_in, text};
use crate::nats::{Server, make_patient};
use crate::waiting;

/// A worker of the fleet, with something that happens at points of it.
fn worker(folder: &Folder, url: &str, points: &str) -> Running {
    let mut command = folder.other("worker", &["--nats", url, "--workers", "1"]);
    make_patient(&mut command);
    waiting::at(&mut command, points).stdout(Stdio::null()).stderr(Stdio::null());
    Running(command.spawn().expect("the binary runs"))
}

#[test]
fn a_fleet_writes_the_files_of_one_machine_despite_kills() {
    let folder = Folder::new("fleet");
    let server = Server::start();
    for number in 0..300_usize {
        let photo = match number {
            7 | 290 => demo(number),
            20 => demo(0)[..3_000].to_vec(),
            _ => grey((number % 100) as u8),
        };
        folder.write(&format!("photos/{number:03}.jpg"), photo);
    }
    let output = folder.run(&["photos", "--out", "here"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(read_in(text(&output.stderr)), 103, "what is the same is read once: {output:?}");

    let url = server.url();
    let args = ["photos", "--out", "there", "--nats", &url];
    // The first worker dies over a photo, before there are thirty rows; the second reads until the
    // batch itself dies at the thirtieth, and beyond.
    let mut first = worker(&folder, &url, "worker.read@20=abort");
    let mut command = folder.command(&args);
    make_patient(&mut command);
    let running = Running::start_at(command, "batch.row@30=abort");
    waiting::aborted(&mut first.0);
    let second = worker(&folder, &url, "");
    running.aborts();
    let mut command = folder.command(&args);
    make_patient(&mut command);
    let output = command.output().expect("the binary runs");
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
fn a_missing_fleet_is_reported() {
    let folder = Folder::new("no-fleet");
    folder.write("a.png", grey(1));
    let output = folder.run(&["a.png", "--out", "out", "--nats", "nats://127.0.0.1:9"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(text(&output.stderr).starts_with("error: "), "{output:?}");
}

/// Returns the exit status and standard error of a process; fails if it does not end in time.
fn ended(mut command: std::process::Command) -> (Option<i32>, String) {
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut running = Running(child.expect("the binary runs"));
    waiting::ended(&mut running.0);
    running.ends()
}

/// Photos and results are not sent over an open network unless a flag allows it.
#[test]
fn servers_on_other_machines_need_tls() {
    let folder = Folder::new("open-fleet");
    folder.write("a.png", grey(1));
    folder.write("user", "one:a word");
    // An address reserved for documentation.
    let commands = |url| {
        [
            folder.other("worker", &["--nats", url]),
            folder.other("serve", &["--listen", "127.0.0.1:0", "--nats", url]),
            folder.other("batch", &["a.png", "--out", "out", "--nats", url]),
        ]
    };
    let user = folder.0.join("user");
    for (url, credentials, lacks) in [
        ("nats://192.0.2.1:4222", false, "neither TLS nor credentials"),
        ("nats://localhost:4222,nats://192.0.2.1:4222", false, "neither TLS nor credentials"),
        ("tls://192.0.2.1:4222", false, "no credentials"),
        ("nats://192.0.2.1:4222", true, "no TLS"),
    ] {
        for mut command in commands(url) {
            if credentials {
                command.env("TILESIGHT_NATS_CREDENTIALS", &user);
            }
            let (code, said) = ended(command);
            assert_eq!(code, Some(2), "{url}: {said}");
            for part in [
                "error: ",
                "192.0.2.1",
                lacks,
                "tls://",
                "TILESIGHT_NATS_CREDENTIALS",
                "--nats-open",
            ] {
                assert!(said.contains(part), "{url}: {part}: {said}");
            }
        }
    }
    let mut doctor = folder.other("doctor", &["--nats", "nats://192.0.2.1:4222"]);
    let reported = doctor.output().expect("the binary runs");
    assert_eq!(reported.status.code(), Some(3), "{reported:?}");
    assert!(text(&reported.stdout).contains("--nats-open"), "{reported:?}");
    assert!(!folder.0.join("out/results.jsonl").exists());
}

#[test]
fn unusable_nats_settings_are_reported() {
    let folder = Folder::new("wrong-fleet");
    for (variable, value, url, parts) in [
        (
            "TILESIGHT_NATS_CERTIFICATE",
            "a.pem",
            "tls://queue",
            ["CERTIFICATE: ", "_KEY is not set"],
        ),
        ("TILESIGHT_NATS_KEY", "a.key", "tls://queue", ["NATS_KEY: ", "CERTIFICATE is not set"]),
        ("TILESIGHT_NATS_API", "FLEET.>", "nats://localhost", ["NATS_API: ", "separated by dots"]),
        ("TILESIGHT_NATS_PATIENCE", "0", "nats://localhost", ["NATS_PATIENCE: ", "zero"]),
        ("TILESIGHT_NATS_OPEN", "true", "nats://one:hidden@queue", ["queue", "NATS_CREDENTIALS"]),
        ("TILESIGHT_NATS_OPEN", "true", "wss://queue", ["wss://queue", "tls://HOST"]),
    ] {
        for command in ["worker", "serve", "batch"] {
            let mut command = folder.other(command, &["--nats", url]);
            if command.get_args().next().is_some_and(|name| name == "batch") {
                command.args(["a.png", "--out", "out"]);
            }
            let (code, said) = ended({
                command.env(variable, value);
                command
            });
            assert_eq!(code, Some(2), "{variable}: {said}");
            let reported = parts.iter().all(|part| said.contains(part)) && !said.contains("hidden");
            assert!(reported, "{variable}: {said}");
        }
    }
}

/// The log warns about a server without credentials, on this machine too, and more strongly on
/// another one.
#[test]
fn an_open_server_is_warned_about() {
    let folder = Folder::new("loud-fleet");
    folder.write("user", "one:a word");
    let server = Server::start();
    // This machine, by an address that is not the loopback's.
    let elsewhere = server.url().replace("127.0.0.1", "0.0.0.0");
    let user = folder.0.join("user");
    for (url, credentials, open, expected) in [
        (server.url(), false, false, 1),
        (server.url(), true, false, 1),
        (elsewhere.clone(), false, true, 2),
        (elsewhere, true, true, 2),
    ] {
        let mut worker = folder.other("worker", &["--nats", &url, "--workers", "1"]);
        if credentials {
            worker.env("TILESIGHT_NATS_CREDENTIALS", &user);
        }
        if open {
            worker.env("TILESIGHT_NATS_OPEN", "true");
        }
        let child = worker.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut worker = Running(child.expect("the binary runs"));
        let lines = BufReader::new(worker.0.stderr.take().expect("piped")).lines();
        let lines = lines.map_while(Result::ok).take_while(|line| !line.contains("ready"));
        let lines: Vec<String> = lines.collect();
        let warnings = lines.iter().filter(|line| line.contains("WARN") && line.contains("OPEN"));
        assert_eq!(warnings.count(), expected, "{url}: {lines:#?}");
    }
}
