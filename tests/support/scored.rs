//! Runs `tilesight score` as a process of its own, with text on standard input.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the command with these arguments to its end.
pub(crate) fn score(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tilesight"))
        .arg("score")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.to_owned();
    // The input is written while the output is read, so that neither side waits for a full pipe. A
    // command that does not read its input closes it, which is not a failure here.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the writer does not panic");
    output
}
