//! A real `nats-server` with JetStream, alone or as a cluster of three, for tests of the fleet.
//!
//! Input: nothing; the servers listen on free ports of the loopback and keep their files in a
//! folder that is removed with the test. Output: URLs to connect to, and methods to disturb a
//! server: kill it, restart it under the same name, cut it off from the others. Nothing is mocked:
//! a cut ends TCP connections, which run through [`Link`]s, and a kill is SIGKILL. A test without a
//! server fails and prints the command to run.
#![allow(dead_code, reason = "each test binary uses some of it")]

pub(crate) mod example;
mod link;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use link::Link;
use tilesight_fleet::Options;

/// Timeout: much longer than a start or an election, so that only a hang exceeds it.
const PATIENCE: Duration = Duration::from_secs(60);
/// Number of attempts to start: another process may take a port that was found free.
const MAX_ATTEMPTS: usize = 5;
/// Number of nodes of a cluster: the fewest of which one may be missing.
const NODES: usize = 3;

/// Returns options for a server that no test disturbs: on a busy machine its answers may take
/// longer than the program's usual timeout, after which a caller normally tries again.
pub(crate) fn patient() -> Options {
    Options { timeout: PATIENCE, ..Options::default() }
}

/// Sets this timeout for a program that uses such a server.
pub(crate) fn make_patient(program: &mut Command) {
    program.env("TILESIGHT_NATS_PATIENCE", PATIENCE.as_secs().to_string());
}

/// A server. It is killed, and its files are removed, with the test.
#[derive(Debug)]
pub(crate) struct Server {
    name: String,
    folder: PathBuf,
    /// Working directory of the process.
    home: PathBuf,
    arguments: Vec<OsString>,
    process: Option<Child>,
    client: SocketAddr,
    monitor: SocketAddr,
}

impl Server {
    /// Starts a server that stands alone.
    pub(crate) fn start() -> Server {
        Server::start_with("")
    }

    /// Starts a server that stands alone, with additional settings.
    pub(crate) fn start_with(settings: &str) -> Server {
        for _ in 0..MAX_ATTEMPTS {
            let mut server = Server::new(&folder(), "n1");
            server.configure(settings);
            if server.run() {
                return server;
            }
        }
        panic!("no nats-server came up on a free port");
    }

    fn new(folder: &Path, name: &str) -> Server {
        let [client, monitor] = free_ports();
        let folder = folder.join(name);
        fs::create_dir_all(&folder).expect("a folder for the server");
        let arguments = vec!["--config".into(), folder.join("nats.conf").into()];
        let home = folder.clone();
        Server { name: name.to_owned(), folder, home, arguments, process: None, client, monitor }
    }

    fn configure(&self, cluster: &str) {
        let store = self.folder.join("store");
        let config = format!(
            "server_name: {}\nlisten: \"{}\"\nhttp: \"{}\"\njetstream {{ store_dir: {store:?} }}\n{cluster}",
            self.name, self.client, self.monitor
        );
        fs::write(self.folder.join("nats.conf"), config).expect("the settings are written");
    }

    /// Runs the server and returns whether it came up; it does not if a port was taken meanwhile.
    fn run(&mut self) -> bool {
        self.spawn();
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let process = self.process.as_mut().expect("it was just started");
            if process.try_wait().expect("a child can be asked").is_some() {
                return false;
            }
            if self.is_healthy() {
                return true;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("{} never became healthy: {}", self.name, self.log());
    }

    fn spawn(&mut self) {
        let log = File::options().create(true).append(true).open(self.folder.join("log"));
        let log = log.expect("a log");
        let process = Command::new(program())
            .args(&self.arguments)
            .current_dir(&self.home)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        self.process = Some(process.expect("nats-server starts"));
    }

    /// Returns the address for clients.
    pub(crate) fn url(&self) -> String {
        format!("nats://{}", self.client)
    }

    /// Returns the name in the cluster, as streams state it for their leader.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the log so far, for the message of a failing test.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// Sends SIGKILL, like a power cut; the files stay.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            // The process may have ended by itself; its status does not matter.
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Sends SIGSTOP: its connections stay, and it answers nothing until it is resumed.
    pub(crate) fn pause(&mut self) {
        self.signal("-STOP");
        // On a busy machine the server may still answer between the sending and the arrival of the
        // signal.
        let deadline = Instant::now() + PATIENCE;
        while !self.is_paused() {
            assert!(Instant::now() < deadline, "{} goes on", self.name);
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns whether all of its threads are stopped.
    fn is_paused(&self) -> bool {
        let process = self.process.as_ref().expect("it runs").id();
        let mut threads = fs::read_dir(format!("/proc/{process}/task")).expect("it runs");
        threads.all(|thread| {
            let stat = fs::read_to_string(thread.expect("a thread").path().join("stat"));
            // The state is after the name in brackets.
            stat.is_ok_and(|stat| {
                stat.rsplit(')').next().is_some_and(|rest| rest.starts_with(" T"))
            })
        })
    }

    /// Sends SIGCONT.
    pub(crate) fn resume(&mut self) {
        self.signal("-CONT");
    }

    fn signal(&mut self, signal: &str) {
        let process = self.process.as_ref().expect("it runs").id().to_string();
        let sent = Command::new("kill").args([signal, &process]).status();
        assert!(sent.expect("kill is there").success());
    }

    /// Restarts the server, under the same name and with the same files.
    pub(crate) fn restart(&mut self) {
        self.kill();
        assert!(self.run(), "{} did not come up again: {}", self.name, self.log());
    }

    /// Returns whether the server reports that its streams can be used.
    ///
    /// After a node was away, Debian's nats-server 2.9.10 may call an unused consumer "not current"
    /// for minutes, or until it is used: that is no reason to wait.
    pub(crate) fn is_healthy(&self) -> bool {
        let is_idle =
            |answer: &str| answer.contains("consumer") && answer.contains("is not current");
        self.ask("/healthz").is_some_and(|answer| answer.contains("\"ok\"") || is_idle(&answer))
    }

    /// Returns the body of an answer of the server's monitor.
    fn ask(&self, path: &str) -> Option<String> {
        let mut stream = TcpStream::connect_timeout(&self.monitor, Duration::from_secs(1)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
        write!(stream, "GET {path} HTTP/1.0\r\n\r\n").ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        Some(answer)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = fs::remove_dir_all(&self.folder);
        // The folder of the whole test is removed with its last server.
        if let Some(parent) = self.folder.parent() {
            let _ = fs::remove_dir(parent);
        }
    }
}

/// Three servers that replicate each other's streams.
#[derive(Debug)]
pub(crate) struct Cluster {
    nodes: Vec<Server>,
    /// `links[a][b]` carries the requests of `a` to `b`.
    links: Vec<Vec<Link>>,
}

impl Cluster {
    /// Starts three nodes and waits until they have agreed on a leader.
    pub(crate) fn start() -> Cluster {
        for _ in 0..MAX_ATTEMPTS {
            if let Some(cluster) = Cluster::try_start() {
                return cluster;
            }
        }
        panic!("no cluster came up on free ports");
    }

    fn try_start() -> Option<Cluster> {
        let folder = folder();
        let nodes = (1..=NODES).map(|n| Server::new(&folder, &format!("n{n}"))).collect();
        let routes: [SocketAddr; NODES] = free_ports();
        let link = |to: &SocketAddr| Link::to(*to);
        let links = (0..NODES).map(|_| routes.iter().map(link).collect()).collect();
        let mut cluster = Cluster { nodes, links };
        for (node, listen) in routes.iter().enumerate() {
            cluster.nodes[node].configure(&cluster.settings(node, *listen));
            cluster.nodes[node].spawn();
        }
        come_up(&mut cluster.nodes).then_some(cluster)
    }

    /// Returns the part of a node's settings about the others. Each is reached through a link of
    /// its own; the address that is advertised to others is unreachable, so that no server bypasses
    /// the links by gossip.
    fn settings(&self, node: usize, listen: SocketAddr) -> String {
        let mut routes = String::new();
        for other in (0..NODES).filter(|other| *other != node) {
            let link = self.links[node][other].address();
            write!(routes, "\"nats-route://{link}\", ").expect("a string takes everything");
        }
        format!(
            "cluster {{ name: fleet, listen: \"{listen}\", advertise: \"127.0.0.1:1\", no_advertise: true, \
             connect_retries: 1000000, routes: [{routes}] }}\n"
        )
    }

    /// Returns the addresses of all nodes for clients.
    pub(crate) fn urls(&self) -> String {
        self.nodes.iter().map(Server::url).collect::<Vec<_>>().join(",")
    }

    /// Returns a node, counted from 0.
    pub(crate) fn node(&mut self, node: usize) -> &mut Server {
        &mut self.nodes[node]
    }

    /// Returns the number of the node of this name.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.name == name)
    }

    /// Cuts a node off from the others. It runs on, and clients still reach it, but their requests
    /// to it find no majority.
    pub(crate) fn cut_off(&self, node: usize) {
        self.links_of(node).for_each(Link::cut);
    }

    /// Reconnects the node to the others.
    pub(crate) fn heal(&self, node: usize) {
        self.links_of(node).for_each(Link::heal);
    }

    fn links_of(&self, node: usize) -> impl Iterator<Item = &Link> {
        let others = (0..NODES).filter(move |other| *other != node);
        others.flat_map(move |other| [&self.links[node][other], &self.links[other][node]])
    }

    /// Waits until every node reports that its streams are complete again.
    pub(crate) fn wait_until_whole(&self) {
        let deadline = Instant::now() + PATIENCE;
        while !self.nodes.iter().all(Server::is_healthy) {
            assert!(Instant::now() < deadline, "a node never caught up: {}", self.nodes[0].log());
            thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Waits until started servers can be used together; returns whether all of them came up.
fn come_up(nodes: &mut [Server]) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while !nodes.iter().all(Server::is_healthy) {
        for node in &mut *nodes {
            let process = node.process.as_mut().expect("it was just started");
            if process.try_wait().expect("a child can be asked").is_some() {
                return false;
            }
        }
        assert!(Instant::now() < deadline, "no leader: {}", nodes[0].log());
        thread::sleep(Duration::from_millis(50));
    }
    true
}

/// Returns the server's program: where `scripts/setup-nats` installs it, or as the environment
/// says.
fn program() -> PathBuf {
    if let Some(named) = std::env::var_os("TILESIGHT_NATS_SERVER") {
        return named.into();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Debian installs it into a folder that is only in root's PATH.
    let places = std::env::split_paths(&path).chain(["/usr/sbin".into()]);
    let mut programs = places.map(|place| place.join("nats-server"));
    programs.find(|program| program.is_file()).unwrap_or_else(|| {
        panic!(
            "nats-server is missing: run scripts/setup-nats, or name it in TILESIGHT_NATS_SERVER"
        )
    })
}

/// Returns an empty folder of its own for each server or cluster of this process.
fn folder() -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("tilesight-nats-{}-{count}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Returns ports that are free now, each given to one server of this process only: another test
/// would otherwise talk to a server that took the port in between.
fn free_ports<const N: usize>() -> [SocketAddr; N] {
    static GIVEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());
    let mut given = GIVEN.lock().expect("no panic");
    // Held until all are found, so that they differ.
    let mut held = Vec::new();
    std::array::from_fn(|_| {
        loop {
            let socket = TcpListener::bind("127.0.0.1:0").expect("a free port");
            let address = socket.local_addr().expect("its address");
            held.push(socket);
            if given.insert(address.port()) {
                break address;
            }
        }
    })
}
