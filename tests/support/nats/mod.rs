//! A real `nats-server` with JetStream, alone or as a cluster of three, for tests of the fleet.
//!
//! Input: nothing; the servers listen on ports of the loopback that the kernel gives them, say
//! which in a file, and keep their files in a folder that goes with the test. Output: URLs to
//! connect to, and the means to hurt a server: kill it, start it again under the same name, cut it
//! off from the others. Nothing is mocked: a cut is a TCP connection that ends, on links that run
//! through [`Link`]s, and a kill is SIGKILL. Links also give the nodes of a cluster addresses that
//! stay when a node comes back on other ports. A test without a server fails and says what to run.
#![allow(dead_code, reason = "each test binary uses some of it")]

pub(crate) mod example;
mod link;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use link::Link;
use serde_json::Value;
use tilesight_fleet::NatsOptions;

use crate::waiting::{PATIENCE, until};

/// Log line of a server whose sockets took more than five seconds: it writes no file of its ports
/// then, and is started once more.
const NO_PORTS: &str = "Unable to resolve the ports";
/// Address of a server: the kernel chooses the port.
const ANY_PORT: &str = "127.0.0.1:-1";
/// The nodes of a cluster: the fewest of which one may be missing.
const NODES: usize = 3;

/// Returns options for a server that no test disturbs: on a busy machine its answers may take
/// longer than the program's usual timeout, after which a caller normally tries again.
pub(crate) fn patient() -> NatsOptions {
    NatsOptions { timeout: PATIENCE, ..NatsOptions::default() }
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
    ports: Option<Ports>,
}

/// Ports of a server, from the file that it writes.
#[derive(Debug, Clone, Copy)]
struct Ports {
    client: SocketAddr,
    monitor: SocketAddr,
    /// Address for other servers of the cluster.
    cluster: Option<SocketAddr>,
}

impl Ports {
    /// Reads the server's file; `None` while it is not whole.
    fn read(file: &Path) -> Option<Ports> {
        let written: Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
        let port = |kind: &str| {
            let url = written[kind][0].as_str()?;
            url.rsplit('/').next()?.parse().ok()
        };
        Some(Ports {
            client: port("nats")?,
            monitor: port("monitoring")?,
            cluster: port("cluster"),
        })
    }
}

impl Server {
    /// Starts a server that stands alone.
    pub(crate) fn start() -> Server {
        Server::start_with("")
    }

    /// Starts a server that stands alone, with additional settings.
    pub(crate) fn start_with(settings: &str) -> Server {
        let mut server = Server::new(&folder(), "n1");
        server.configure(settings);
        server.spawn();
        come_up(std::slice::from_mut(&mut server));
        server
    }

    fn new(folder: &Path, name: &str) -> Server {
        let folder = folder.join(name);
        fs::create_dir_all(&folder).expect("a folder for the server");
        let arguments = vec!["--config".into(), folder.join("nats.conf").into()];
        let home = folder.clone();
        Server { name: name.to_owned(), folder, home, arguments, process: None, ports: None }
    }

    fn configure(&self, cluster: &str) {
        let store = self.folder.join("store");
        let config = format!(
            "server_name: {}\nlisten: \"{ANY_PORT}\"\nhttp: \"{ANY_PORT}\"\n\
             jetstream {{ store_dir: {store:?} }}\n{cluster}",
            self.name
        );
        fs::write(self.folder.join("nats.conf"), config).expect("the settings are written");
    }

    fn spawn(&mut self) {
        let log = File::options().create(true).append(true).open(self.folder.join("log"));
        let log = log.expect("a log");
        let process = Command::new(program())
            .args(&self.arguments)
            .arg("--ports_file_dir")
            .arg(&self.folder)
            .current_dir(&self.home)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        self.process = Some(process.expect("nats-server starts"));
        self.ports = None;
    }

    /// The ports of the process that was spawned.
    fn ports(&self) -> Ports {
        self.ports.expect("it has come up")
    }

    /// Waits until the process has said on which ports it listens.
    fn wait_for_ports(&mut self) {
        until("a nats-server listens", || {
            let process = self.process.as_mut().expect("it was just started");
            let ended = process.try_wait().expect("a child can be asked");
            assert_eq!(ended, None, "{} ended: {}", self.name, self.log());
            // The file has the names of the program and of its process.
            let of_process = format!("_{}.ports", process.id());
            let files = fs::read_dir(&self.folder).expect("its folder");
            let mut files = files.map(|file| file.expect("a file").path());
            let file = files.find(|file| file.to_string_lossy().ends_with(&of_process));
            self.ports = file.and_then(|file| Ports::read(&file));
            if self.ports.is_none() && self.log().contains(NO_PORTS) {
                self.kill();
                let _ = fs::remove_file(self.folder.join("log"));
                self.spawn();
            }
            self.ports.is_some()
        });
    }

    /// Returns the address for clients.
    pub(crate) fn url(&self) -> String {
        format!("nats://{}", self.ports().client)
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
        until("the server is paused", || self.is_paused());
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
        let mut stream = TcpStream::connect(self.ports?.monitor).ok()?;
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
    /// Links from clients to each node.
    fronts: Vec<Link>,
}

impl Cluster {
    /// Starts three nodes and waits until they have agreed on a leader.
    pub(crate) fn start() -> Cluster {
        let folder = folder();
        let nodes = (1..=NODES).map(|n| Server::new(&folder, &format!("n{n}"))).collect();
        let link = |_| Link::nowhere();
        let links = (0..NODES).map(|_| (0..NODES).map(link).collect()).collect();
        let mut cluster = Cluster { nodes, links, fronts: (0..NODES).map(link).collect() };
        for node in 0..NODES {
            cluster.nodes[node].configure(&cluster.settings(node));
            cluster.nodes[node].spawn();
        }
        for node in 0..NODES {
            cluster.lead_to(node);
        }
        come_up(&mut cluster.nodes);
        cluster
    }

    /// Waits until a node listens, and lets all links to it lead there.
    fn lead_to(&mut self, node: usize) {
        self.nodes[node].wait_for_ports();
        let ports = self.nodes[node].ports();
        self.fronts[node].lead_to(ports.client);
        for links in &self.links {
            links[node].lead_to(ports.cluster.expect("it is one of a cluster"));
        }
    }

    /// Returns the part of a node's settings about the others. Each is reached through a link of
    /// its own; the address that is advertised to others is unreachable, so that no server bypasses
    /// the links by gossip.
    fn settings(&self, node: usize) -> String {
        let mut routes = String::new();
        for other in (0..NODES).filter(|other| *other != node) {
            let link = self.links[node][other].address();
            write!(routes, "\"nats-route://{link}\", ").expect("a string takes everything");
        }
        format!(
            "cluster {{ name: fleet, listen: \"{ANY_PORT}\", advertise: \"127.0.0.1:1\", no_advertise: true, \
             connect_retries: 1000000, routes: [{routes}] }}\n"
        )
    }

    /// Returns the addresses of all nodes for clients.
    pub(crate) fn urls(&self) -> String {
        let url = |front: &Link| format!("nats://{}", front.address());
        self.fronts.iter().map(url).collect::<Vec<_>>().join(",")
    }

    /// SIGKILL for a node, counted from 0.
    pub(crate) fn kill(&mut self, node: usize) {
        self.nodes[node].kill();
    }

    /// Starts a node again that was killed, under the same name and with the same files.
    pub(crate) fn restart(&mut self, node: usize) {
        self.nodes[node].spawn();
        self.lead_to(node);
        come_up(&mut self.nodes[node..=node]);
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
        until("all nodes have caught up", || self.nodes.iter().all(Server::is_healthy));
    }
}

/// Waits until servers that were started can be used together.
fn come_up(nodes: &mut [Server]) {
    for node in &mut *nodes {
        if node.ports.is_none() {
            node.wait_for_ports();
        }
    }
    until("the servers can be used", || {
        for node in &mut *nodes {
            let process = node.process.as_mut().expect("it was just started");
            let ended = process.try_wait().expect("a child can be asked");
            assert_eq!(ended, None, "{} ended: {}", node.name, node.log());
        }
        nodes.iter().all(Server::is_healthy)
    });
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
