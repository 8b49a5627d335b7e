//! `--device`: the message of every command that should use a GPU where there is none, and that
//! `auto` reads as the cores do.
//!
//! The library is the pinned one for the cores, whatever else this machine has.

use std::process::{Command, Output};

use serde_json::Value;
use tilesight_vision::ModelPaths;
use tilesight_vision::networks::find_library;

use crate::service::{folder, tilesight};

const DEMO: &str = "datasets/samples/demo.jpg";
/// Name of a photo that does not exist: a command that looks for it has begun to read.
const NO_PHOTO: &str = "no-such-photo.jpg";

/// Returns the program with the library for the cores.
fn on_cores(args: &[&str]) -> Command {
    let library = find_library(&ModelPaths::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut command = tilesight();
    command.env("TILESIGHT_ONNXRUNTIME", library.path).env_remove("TILESIGHT_ONNXRUNTIME_SHA256");
    command.args(args);
    command
}

fn output(mut command: Command) -> Output {
    command.output().expect("the program starts")
}

/// Asserts that the program ended before it read anything, with one line that says what is missing
/// and what to run.
fn says_what_is_missing(output: &Output, what: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{what}: {said}");
    assert!(!said.contains(NO_PHOTO), "{what} read first: {said}");
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error:")).collect();
    let [error] = errors[..] else { panic!("{what}: {said}") };
    for part in ["NVIDIA GPU", "without CUDA", "make setup DEVICE=cuda", "TILESIGHT_ONNXRUNTIME"] {
        assert!(error.contains(part), "{what}: {error}");
    }
}

#[test]
fn a_gpu_that_is_asked_for_and_missing_is_an_error_of_every_command() {
    let out = folder("device");
    let out = out.to_str().expect("plain");
    let worker = ["worker", "--nats", "nats://127.0.0.1:9", "--device", "cuda"];
    let batch = ["batch", DEMO, "--out", out, "--device", "cuda"];
    for args in [
        &["read", NO_PHOTO, "--device", "cuda"][..],
        &["classify", NO_PHOTO, "--device", "cuda"],
        &["serve", "--listen", "127.0.0.1:0", "--device", "cuda"],
        &batch,
        &worker,
    ] {
        says_what_is_missing(&output(on_cores(args)), args[0]);
    }
    let mut by_environment = on_cores(&["read", NO_PHOTO]);
    by_environment.env("TILESIGHT_DEVICE", "cuda");
    says_what_is_missing(&output(by_environment), "the environment");
    let file = format!("{out}/tilesight.toml");
    std::fs::write(&file, "listen = '127.0.0.1:0'\ndevice = 'cuda'\n").expect("a file");
    says_what_is_missing(&output(on_cores(&["serve", "--config", &file])), "the file");
    let mut flag_first = on_cores(&["read", DEMO, "--device", "cpu"]);
    flag_first.env("TILESIGHT_DEVICE", "cuda");
    assert!(output(flag_first).status.success());
}

#[test]
fn another_device_is_refused_with_those_there_are() {
    for args in [&["read", NO_PHOTO, "--device", "gpu"][..], &["serve", "--device", "gpu"]] {
        let refused = output(on_cores(args));
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(["gpu", "cpu", "cuda", "auto"].iter().all(|name| said.contains(name)), "{said}");
    }
}

#[test]
fn auto_reads_on_the_cores_where_there_is_no_gpu() {
    let read = |device: &str| {
        let output = output(on_cores(&["read", DEMO, "--json", "--device", device]));
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let mut answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        answer["timings_ms"].take();
        answer
    };
    assert_eq!(read("auto"), read("cpu"));
}

#[test]
fn the_doctor_names_the_device_and_why_it_is_not_the_gpu() {
    let doctor = |device: &str| {
        let output = output(on_cores(&["doctor", "--json", "--device", device]));
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")
    };
    let (cpu, auto, cuda) = (doctor("cpu"), doctor("auto"), doctor("cuda"));
    assert_eq!((&cpu["device"], &cpu["no_gpu"]), (&"cpu".into(), &Value::Null));
    assert_eq!((&auto["device"], &auto["ok"]), (&"cpu".into(), &true.into()));
    assert!(auto["no_gpu"].as_str().is_some_and(|why| why.contains("without CUDA")), "{auto}");
    assert_eq!((&cuda["device"], &cuda["ok"]), (&Value::Null, &false.into()));
    assert!(cuda["problems"].to_string().contains("make setup DEVICE=cuda"), "{cuda}");
    let text = output(on_cores(&["doctor", "--device", "auto"]));
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("device           cpu\n"), "{text}");
    assert!(text.contains("without CUDA") && text.ends_with("Photos can be read.\n"), "{text}");
}
