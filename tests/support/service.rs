//! `tilesight serve` as a process, and helpers to start it in tests: folders, keys, certificates.

#![allow(dead_code, reason = "each test binary uses some of it")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::client::{Client, when_stored};
use crate::waiting::PATIENCE;

/// Returns the program, to run in the folder of the project.
pub(crate) fn tilesight() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilesight"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// A folder that is removed with the test.
pub(crate) struct Folder(PathBuf);

/// Returns an empty folder whose name contains this one. No two calls get the same folder.
pub(crate) fn folder(name: &str) -> Folder {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = std::env::temp_dir().join(format!("tilesight-{name}-{process}-{count}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    Folder(folder)
}

/// Adds a new key of this name to a file with `tilesight keys new`, and returns the key.
pub(crate) fn new_key(file: &Path, name: &str) -> String {
    let made = tilesight().args(["keys", "new", name, "--file"]).arg(file).output();
    let made = made.expect("the program starts");
    assert!(made.status.success(), "{made:?}");
    String::from_utf8(made.stdout).expect("text").trim().to_owned()
}

/// Writes a file of keys with given names and secrets, and returns its path.
pub(crate) fn keys_file(folder: &Path, keys: &[(&str, &str)]) -> String {
    let hash = |secret: &str| {
        let hash = Sha256::digest(secret.as_bytes());
        hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let lines = keys.iter().map(|(name, secret)| format!("{name} {}\n", hash(secret)));
    let file = folder.join("keys.txt");
    fs::write(&file, lines.collect::<String>()).expect("a file");
    file.to_str().expect("a plain path").to_owned()
}

/// Returns a self-signed certificate for `localhost`.
pub(crate) fn certificate() -> rcgen::CertifiedKey<rcgen::KeyPair> {
    rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate")
}

/// Writes a certificate and its key into a folder, and returns the flags of `serve` that name them.
pub(crate) fn tls_flags(folder: &Path, made: &rcgen::CertifiedKey<rcgen::KeyPair>) -> [String; 4] {
    let (certificate, key) = (folder.join("chain.pem"), folder.join("key.pem"));
    fs::write(&certificate, made.cert.pem()).expect("a file");
    fs::write(&key, made.signing_key.serialize_pem()).expect("a file");
    let text = |path: PathBuf| path.to_str().expect("a plain path").to_owned();
    ["--tls-certificate".to_owned(), text(certificate), "--tls-key".to_owned(), text(key)]
}

impl std::ops::Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
        // A service creates this file beside the folder of its jobs.
        let _ = fs::remove_file(self.0.with_extension("key"));
    }
}

/// A running service; it is killed if a test does not stop it.
pub(crate) struct Service {
    pub(crate) process: Child,
    pub(crate) address: SocketAddr,
    /// Address of its health endpoints, if it has a separate one.
    pub(crate) health: Option<SocketAddr>,
    log: Mutex<Receiver<String>>,
}

impl Service {
    /// Starts a service on a free port and waits until it is ready.
    pub(crate) fn start() -> Service {
        Service::start_with(&[])
    }

    /// Like [`Service::start`], with more flags.
    pub(crate) fn start_with(flags: &[&str]) -> Service {
        Service::start_as(tilesight(), flags)
    }

    /// Like [`Service::start_with`], for a command whose environment was changed.
    pub(crate) fn start_as(program: Command, flags: &[&str]) -> Service {
        Service::start_as_given(program, &[&["--listen", "127.0.0.1:0"], flags].concat())
    }

    /// Starts it with these flags alone, among them where it listens.
    pub(crate) fn start_as_given(program: Command, flags: &[&str]) -> Service {
        let service = Service::begin(program, flags);
        let service = service.unwrap_or_else(|line| panic!("no address in {line:?}"));
        service.wait_for("ready");
        service
    }

    /// Starts it on a free port and waits until it listens; `None` if it ends before.
    pub(crate) fn spawn(program: Command, flags: &[&str]) -> Option<Service> {
        Service::begin(program, &[&["--listen", "127.0.0.1:0"], flags].concat()).ok()
    }

    /// Starts it and waits until it says where it listens; otherwise returns what it said.
    fn begin(mut program: Command, flags: &[&str]) -> Result<Service, String> {
        program.arg("serve").args(flags).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Also the time for which a connection may be idle. A test may take long between two
        // requests; those about the limit set it by its flag.
        program.env("TILESIGHT_HEADER_SECONDS", "3600");
        let mut process = program.spawn().expect("the program starts");
        let log = Mutex::new(lines(process.stderr.take().expect("a pipe")));
        let out = lines(process.stdout.take().expect("a pipe"));
        let address = || {
            let line = out.recv_timeout(PATIENCE).unwrap_or_default();
            // With --log-json the line is JSON.
            let address = line.rsplit('/').next().map(|end| end.trim_end_matches(['"', '}']));
            let address = address.and_then(|address| address.parse().ok());
            address.ok_or(line)
        };
        let asks = flags.contains(&"--health-listen");
        let addresses = address().and_then(|first| Ok((first, asks.then(address).transpose()?)));
        match addresses {
            Ok((address, health)) => Ok(Service { process, address, health, log }),
            Err(line) => {
                let _ = process.kill();
                let _ = process.wait();
                Err(line)
            }
        }
    }

    /// Waits for a word in the log. A service without models ends here, and its log states the
    /// command to run.
    pub(crate) fn wait_for(&self, word: &str) {
        self.log_until(word);
    }

    /// Returns the lines of the log up to one with a word.
    pub(crate) fn log_until(&self, word: &str) -> Vec<String> {
        let mut seen = Vec::new();
        let log = self.log.lock().expect("no panic");
        while let Ok(line) = log.recv_timeout(PATIENCE) {
            let found = line.contains(word);
            seen.push(line);
            if found {
                return seen;
            }
        }
        panic!(
            "the log never said {word:?}; without the library or the models run `make setup`: {seen:#?}"
        );
    }

    /// Deletes a job. Its first deletion may have succeeded although the answer said otherwise.
    pub(crate) fn delete_job(&self, job: &str) {
        let answer = when_stored(|| self.client().request("DELETE", job, "", b""));
        assert!(matches!(answer.status, 204 | 404), "{}", answer.status);
    }

    pub(crate) fn client(&self) -> Client {
        Client::connect(self.address)
    }

    /// Sends SIGTERM, as process managers do.
    pub(crate) fn terminate(&self) {
        let kill = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status();
        assert!(kill.expect("kill is there").success());
    }

    /// Waits for the end of the process and asserts success.
    pub(crate) fn ends_well(mut self) {
        let status = self.process.wait().expect("the process ends");
        assert!(status.success(), "{status}");
    }

    /// Returns the rest of its log.
    pub(crate) fn last_words(&self) -> Vec<String> {
        let log = self.log.lock().expect("no panic");
        std::iter::from_fn(|| log.recv_timeout(PATIENCE).ok()).collect()
    }

    /// Returns the number of resources of a kind that the process holds, by its folder in /proc.
    pub(crate) fn count(&self, what: &str) -> usize {
        fs::read_dir(format!("/proc/{}/{what}", self.process.id())).expect("it runs").count()
    }

    /// Returns a value of /proc/PID/status in kilobytes.
    pub(crate) fn kilobytes(&self, name: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let status = status.expect("it runs");
        let line = status.lines().find(|line| line.starts_with(name)).expect(name);
        line.split_whitespace().nth(1).and_then(|figure| figure.parse().ok()).expect("a figure")
    }

    /// Returns the processor time that the process has used so far, which other load on this
    /// machine does not change.
    pub(crate) fn processor(&self) -> Duration {
        let stat =
            fs::read_to_string(format!("/proc/{}/stat", self.process.id())).expect("it runs");
        // The name in brackets may contain anything; after it user and system time are the 12th and
        // 13th.
        let behind = stat.rsplit(')').next().expect("a name in brackets");
        let ticks = behind.split_whitespace().skip(11).take(2);
        let ticks: u64 = ticks.filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        // Linux counts in hundredths of a second here, whatever the kernel's own clock.
        Duration::from_millis(10 * ticks)
    }

    /// Returns a value of /metrics.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        self.find_metric(name).unwrap_or_else(|| panic!("/metrics has no {name}"))
    }

    /// Returns a value of /metrics, or `None` before the first event that it counts.
    pub(crate) fn find_metric(&self, name: &str) -> Option<f64> {
        let answer = self.client().get("/metrics");
        let text = String::from_utf8(answer.body).expect("text");
        let line = text.lines().find(|line| line.split(' ').next() == Some(name))?;
        line.split(' ').nth(1)?.parse().ok()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // The process has ended already if the test succeeded.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the lines of a stream, read on a thread of their own so that the pipe never fills.
fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            // The test may have stopped listening; the pipe is emptied all the same.
            let _ = send.send(line);
        }
    });
    lines
}
