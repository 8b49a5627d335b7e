//! Runs `tilesight batch` as a process in a folder of its own, and provides photos for it.
#![allow(dead_code)] // Each test file uses its own part of this.

use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use crate::waiting;

pub(crate) const DEMO: &str = "datasets/samples/demo.jpg";
/// Files of a finished batch.
pub(crate) const FILES: [&str; 5] =
    ["results.jsonl", "results.csv", "errors.jsonl", "summary.json", "summary.txt"];
/// A folder that is removed with the test. Programs run in it, so that rows don't contain paths of
/// this machine.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let folder =
            std::env::temp_dir().join(format!("tilesight-batch-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let file = self.0.join(name);
        fs::create_dir_all(file.parent().expect("below the folder")).expect("a folder");
        fs::write(file, bytes).expect("a file");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn rows(&self, name: &str) -> Vec<Value> {
        let text = self.read(name);
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
            .collect()
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        self.other("batch", args)
    }

    /// Returns another subcommand that runs in the same folder.
    pub(crate) fn other(&self, name: &str, args: &[&str]) -> Command {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilesight"));
        command.current_dir(&self.0).arg(name).args(args);
        for (variable, place) in
            [("TILESIGHT_MODELS", "models"), ("TILESIGHT_ONNXRUNTIME", ".onnxruntime")]
        {
            if std::env::var_os(variable).is_none() {
                command.env(variable, here.join(place));
            }
        }
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the binary runs")
    }

    /// Starts a batch, with something that happens at points of it.
    pub(crate) fn start_at(&self, points: &str, args: &[&str]) -> Running {
        Running::start_at(self.command(args), points)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A running batch; it is killed if the test ends first.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    /// Starts a command, with something that happens at points of it.
    pub(crate) fn start_at(mut command: Command, points: &str) -> Running {
        waiting::at(&mut command, points).stdout(Stdio::null()).stderr(Stdio::piped());
        Running(command.spawn().expect("the binary runs"))
    }

    pub(crate) fn signal(&self, signal: &str) {
        let kill = Command::new("kill").args([signal, &self.0.id().to_string()]).status();
        assert!(kill.expect("kill is there").success());
    }

    /// Waits until it ends at a point where it is to abort.
    pub(crate) fn aborts(mut self) {
        // Read to the end, because a full pipe would block it.
        let said = self.said();
        let status = self.0.wait().expect("our process");
        assert!(waiting::is_abort(status), "it ended elsewhere: {status}, {said}");
    }

    /// Waits until it has written a line with this text to standard error.
    pub(crate) fn says(&mut self, text: &str) {
        let stderr = self.0.stderr.as_mut().expect("piped");
        let mut said = Vec::new();
        while !String::from_utf8_lossy(&said).contains(text) {
            let mut byte = [0];
            let read = stderr.read(&mut byte).expect("a pipe");
            assert_ne!(read, 0, "it ended without {text:?}: {}", String::from_utf8_lossy(&said));
            said.push(byte[0]);
        }
    }

    /// Returns everything that the process wrote to standard error until it closed it.
    fn said(&mut self) -> String {
        let mut text = String::new();
        self.0.stderr.take().expect("piped").read_to_string(&mut text).expect("UTF-8");
        text
    }

    pub(crate) fn ends(mut self) -> (Option<i32>, String) {
        let text = self.said();
        (self.0.wait().expect("our process").code(), text)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the sample photo. Each number gives a different file with the same picture, because
/// bytes after a JPEG's end have no meaning.
pub(crate) fn demo(number: usize) -> Vec<u8> {
    let mut photo =
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(DEMO)).expect("the sample photo");
    photo.extend(std::iter::repeat_n(0, number));
    photo
}

/// Returns a plain picture without any tile.
pub(crate) fn grey(shade: u8) -> Vec<u8> {
    let mut png = Cursor::new(Vec::new());
    let image = image::RgbImage::from_pixel(160, 120, image::Rgb([shade, 90, 90]));
    image.write_to(&mut png, image::ImageFormat::Png).expect("PNG holds RGB");
    png.into_inner()
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Returns the number of photos that a run read, according to its standard error.
pub(crate) fn read_in(stderr: &str) -> usize {
    let line = stderr
        .lines()
        .find(|line| line.contains(" photos read in ") || line.contains(" photo read in "))
        .unwrap_or_else(|| panic!("{stderr}"));
    line.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{line}"))
}
