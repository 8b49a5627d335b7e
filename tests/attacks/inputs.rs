//! Inputs that are not ordinary files: devices, pipes, and files that claim to be huge. None
//! exhausts the machine's memory or hangs, and no output is written for it.
//!
//! Programs run with 3 GB of address space, so that one that reads without a limit fails here
//! instead of exhausting the machine.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::service::{Folder, folder};

/// Address space in kilobytes: twice the need of ONNX Runtime and the models.
const ADDRESS_SPACE: u32 = 3_000_000;
/// Size of a file without content, in bytes.
const SPARSE: u64 = 6 << 30;

/// A folder with inputs that have no end.
struct Endless(Folder);

impl Endless {
    fn new(name: &str) -> Endless {
        let endless = Endless(folder(&format!("inputs-{name}")));
        let made = Command::new("mkfifo").arg(endless.pipe()).status();
        assert!(made.expect("every Unix has it").success());
        for ending in ["jpg", "csv", "json", "toml", "jsonl", "zip", "set"] {
            let file = File::create(endless.sparse(ending)).expect("a file");
            file.set_len(SPARSE).expect("a file without content");
        }
        endless
    }

    fn pipe(&self) -> PathBuf {
        self.0.join("pipe.jpg")
    }

    fn sparse(&self, ending: &str) -> PathBuf {
        self.0.join(format!("sparse.{ending}"))
    }

    /// Runs the program in the root of the project.
    fn run(&self, args: &[&str]) -> Output {
        let mut shell = Command::new("sh");
        shell.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
        let limited = format!("ulimit -v {ADDRESS_SPACE}; exec \"$0\" \"$@\"");
        shell.args(["-c", &limited, env!("CARGO_BIN_EXE_tilesight")]).args(args);
        shell.output().expect("a shell")
    }

    /// Asserts that each place is refused with a reason, as an error of the input.
    #[track_caller]
    fn refuses(&self, command: &[&str], place: &Path, words: &[&str]) {
        let place = place.to_str().expect("UTF-8");
        let output = self.run(&[command, &[place]].concat());
        let printed = [&output.stdout[..], &output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed);
        assert_eq!(output.status.signal(), None, "{command:?} {place}: {printed}");
        assert!(matches!(output.status.code(), Some(2 | 3)), "{command:?} {place}: {output:?}");
        assert!(printed.len() < 2_000, "{command:?} {place}");
        for word in words.iter().chain([&place]) {
            assert!(printed.contains(word), "{command:?} {place}: {word:?} is not in {printed}");
        }
    }
}

#[test]
fn inputs_without_an_end_are_refused() {
    let endless = Endless::new("alone");
    let (zero, pipe) = (Path::new("/dev/zero"), endless.pipe());
    let demo = "datasets/samples/demo.jpg";
    let hand = "123456789m11pFFF";
    let commands: [(&[&str], &str); 7] = [
        (&["read"], "jpg"),
        (&["classify"], "jpg"),
        (&["score", hand, "--context"], "json"),
        (&["read", demo, "--context"], "json"),
        (&["rules", "check"], "toml"),
        (&["set", "show"], "set"),
        (&["read", demo, "--set"], "set"),
    ];
    for (command, ending) in commands {
        for place in [zero, &pipe] {
            endless.refuses(command, place, &["regular file"]);
        }
        endless.refuses(command, &endless.sparse(ending), &["bytes"]);
    }
    let size = SPARSE.to_string();
    endless.refuses(&["read"], &endless.sparse("jpg"), &[&size, "at most 20000000"]);
    let out = endless.0.join("out").display().to_string();
    for place in [zero, &pipe, &endless.sparse("csv")] {
        endless.refuses(&["batch", demo, "--out", &out, "--contexts"], place, &[]);
    }
    // Standard input has the same limit.
    let mut shell = Command::new("sh");
    let piped = format!("ulimit -v {ADDRESS_SPACE}; \"$0\" read - < /dev/zero");
    shell.args(["-c", &piped, env!("CARGO_BIN_EXE_tilesight")]);
    let output = shell.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("a shell");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.contains("more than 20000000 bytes"), "{printed}");
}

#[test]
fn a_batch_has_a_row_for_each_input_without_an_end() {
    let endless = Endless::new("batch");
    let out = endless.0.join("out");
    let path = |place: PathBuf| place.display().to_string();
    let places = [
        "/dev/zero".to_owned(),
        path(endless.pipe()),
        path(endless.sparse("jpg")),
        path(endless.sparse("zip")),
        "datasets/samples/demo.jpg".to_owned(),
    ];
    let flags = ["--quiet".to_owned(), "--out".to_owned(), path(out.clone())];
    let args: Vec<&str> =
        ["batch"].into_iter().chain(places.iter().chain(&flags).map(String::as_str)).collect();
    let output = endless.run(&args);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let rows = fs::read_to_string(out.join("results.jsonl")).expect("results");
    let rows: Vec<serde_json::Value> =
        rows.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let ids: Vec<_> = rows.iter().map(|row| row["id"].as_str().unwrap_or_default()).collect();
    assert_eq!(ids, places);
    for (row, word) in rows.iter().zip(["regular file", "regular file", &SPARSE.to_string()]) {
        let detail = row["error"]["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(word), "{word:?} is not in {row}");
    }
    assert!(rows[3]["error"].is_object() && rows[4]["reading"].is_object(), "{rows:?}");
}

/// Runs a batch in a folder.
fn batch(folder: &Path, args: &[&str]) -> Output {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilesight"));
    command.current_dir(folder).arg("batch").args(args).arg("--quiet");
    for (variable, place) in
        [("TILESIGHT_MODELS", "models"), ("TILESIGHT_ONNXRUNTIME", ".onnxruntime")]
    {
        if std::env::var_os(variable).is_none() {
            command.env(variable, here.join(place));
        }
    }
    command.output().expect("the program starts")
}

#[test]
fn the_results_of_a_batch_never_destroy_a_file() {
    let place = folder("inputs-results");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(here.join("datasets/samples/demo.jpg"), place.join("a.jpg")).expect("a copy");
    let refused = |args: &[&str], words: &[&str]| {
        let output = batch(&place, args);
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {printed}");
        for word in words {
            assert!(printed.contains(word), "{args:?}: {word:?} is not in {printed}");
        }
    };
    let mine = "name,phone\nKim,123\n";
    for name in ["results.csv", "results.jsonl", "summary.json", "summary.txt"] {
        let out = place.join(format!("mine-{name}"));
        fs::create_dir(&out).expect("a folder");
        fs::write(out.join(name), mine).expect("a file");
        let out = out.to_str().expect("UTF-8");
        refused(&["a.jpg", "--out", out], &["--out", name, "--force"]);
        assert_eq!(fs::read_to_string(Path::new(out).join(name)).expect("there"), mine);
        assert_eq!(fs::read_dir(out).expect("a folder").count(), 1, "nothing was written");
    }
    refused(&["a.jpg", "--out", "a.jpg"], &["--out a.jpg", "no folder"]);
    // A batch replaces its own results, with and without the state.
    for _ in 0..2 {
        let output = batch(&place, &["a.jpg", "--out", "out"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        fs::remove_dir_all(place.join("out/state")).expect("its state");
    }
    assert_eq!(batch(&place, &["a.jpg", "--out", "out"]).status.code(), Some(0));
    refused(&["out/results.jsonl", "--out", "./out"], &["results.jsonl would be overwritten"]);
    // An unfinished file of results is a link to a photo.
    let photo = fs::read(place.join("a.jpg")).expect("the photo");
    for link in ["results.jsonl.partial", "summary.txt.partial", "state/lock"] {
        let link = place.join("out").join(link);
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(place.join("a.jpg"), link).expect("a link");
    }
    let output = batch(&place, &["a.jpg", "--out", "out"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(fs::read(place.join("a.jpg")).expect("the photo") == photo, "the photo is as it was");
}
