//! Runs a test of this program under the recorder, and parses its log.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// An operation on the folder. Files are identified by their inodes, names by their paths.
#[derive(Debug, Clone)]
pub(crate) enum Op {
    Created {
        path: PathBuf,
        inode: u64,
    },
    Linked {
        path: PathBuf,
        inode: u64,
    },
    MadeFolder {
        path: PathBuf,
    },
    Removed {
        path: PathBuf,
    },
    Written {
        inode: u64,
        at: usize,
        data: Vec<u8>,
    },
    Truncated {
        inode: u64,
        length: usize,
    },
    Synced {
        inode: u64,
    },
    SyncedFolder {
        path: PathBuf,
    },
    /// Number of steps of the script that were answered.
    Acknowledged(usize),
}

/// Name of the file that the script writes to after each answer. It is on no disk of the model: a
/// client that got an answer remembers it.
pub(crate) const ANSWERS: &str = "answers";

/// Builds the recorder with the C compiler that SQLite needs too.
pub(crate) fn recorder(folder: &Path) -> PathBuf {
    let library = folder.join("recorder.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jobs/power/recorder.c");
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let built = Command::new(&compiler)
        .args(["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .args(["-ldl", "-lpthread"])
        .output();
    let built = built.unwrap_or_else(|error| panic!("{compiler} does not run: {error}"));
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    library
}

/// Runs one test of this program with a folder of its own, and returns its operations there.
pub(crate) fn run(test: &str, variable: &str, folder: &Path, recorder: &Path) -> Vec<Op> {
    let log = folder.with_extension("log");
    let program = env::current_exe().expect("this program");
    let ran = Command::new(program)
        .args([test, "--exact", "--test-threads", "1"])
        .env(variable, folder)
        .env("LD_PRELOAD", recorder)
        .env("TILESIGHT_RECORD_FOLDER", folder)
        .env("TILESIGHT_RECORD_LOG", &log)
        .output()
        .expect("this program starts");
    let printed = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{printed}{}", String::from_utf8_lossy(&ran.stderr));
    assert!(printed.contains("1 passed"), "there is no test {test}: {printed}");
    let ops = read(&fs::read(&log).expect("the log of the recorder"));
    fs::remove_file(&log).expect("removed");
    ops
}

fn read(log: &[u8]) -> Vec<Op> {
    let (mut ops, mut answered, mut at) = (Vec::new(), 0, 0);
    while at < log.len() {
        let number = |n: usize| {
            let bytes = log[at + 1 + 8 * n..][..8].try_into().expect("eight bytes");
            u64::from_ne_bytes(bytes)
        };
        let size = |n| usize::try_from(number(n)).expect("a length");
        let (kind, inode, offset) = (log[at], number(0), size(1));
        let path = &log[at + 33..][..size(2)];
        let data = if kind == b'w' { &log[at + 33 + path.len()..][..size(3)] } else { &[] };
        at += 33 + path.len() + data.len();
        let path = PathBuf::from(std::str::from_utf8(path).expect("our own path"));
        if path.file_name().is_some_and(|name| name == ANSWERS) {
            if kind == b'w' {
                answered += data.len();
                ops.push(Op::Acknowledged(answered));
            }
            continue;
        }
        // The index of the log is memory shared by processes: it is rebuilt from the log.
        if path.extension().is_some_and(|extension| extension.to_string_lossy().ends_with("-shm")) {
            continue;
        }
        ops.push(match kind {
            b'c' => Op::Created { path, inode },
            b'l' => Op::Linked { path, inode },
            b'm' => Op::MadeFolder { path },
            b'u' => Op::Removed { path },
            b'w' => Op::Written { inode, at: offset, data: data.to_vec() },
            b't' => Op::Truncated { inode, length: offset },
            b's' => Op::Synced { inode },
            b'd' => Op::SyncedFolder { path },
            other => panic!("a record of the kind {other}"),
        });
    }
    ops
}
