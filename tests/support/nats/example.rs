//! The NATS servers of deploy/fleet with their own settings and certificates, on this machine.
//!
//! Input: the unchanged files of the example, and its script that makes certificates. Output: a
//! cluster of three, and the access of each role. Only settings that differ from machine to machine
//! are replaced: ports, the disk, and the addresses of the other nodes.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};

use async_nats::{Client, ConnectOptions, Event};
use tilesight_fleet::{NatsOptions, Role};

use super::{ANY_PORT, Link, NODES, PATIENCE, Server, come_up, folder, until};

/// Prefix of JetStream's API for members: the streams are in an account of their own.
pub(crate) const API: &str = "FLEET.API";

/// The cluster of the example.
#[derive(Debug)]
pub(crate) struct Example {
    secrets: PathBuf,
    nodes: Vec<Server>,
    /// Links from the other nodes to each node; their addresses are known before it listens.
    routes: [Link; NODES],
}

/// Makes certificates with the script of the example.
pub(crate) fn certificates(folder: &Path) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/fleet/certificates");
    let made = Command::new(script).arg(folder).output().expect("the script runs");
    assert!(made.status.success(), "the certificates need openssl: {made:?}");
}

impl Example {
    pub(crate) fn start() -> Example {
        let folder = folder();
        let secrets = folder.join("secrets");
        certificates(&secrets);
        let routes: [Link; NODES] = std::array::from_fn(|_| Link::nowhere());
        let node = |n: usize| {
            let mut server = Server::new(&folder, &format!("nats-{}", n + 1));
            // The folder that contains `secrets`.
            server.home.clone_from(&folder);
            server.arguments = arguments(&server, n, &routes);
            server.spawn();
            server
        };
        let nodes = (0..NODES).map(node).collect();
        let mut example = Example { secrets, nodes, routes };
        for (node, route) in example.nodes.iter_mut().zip(&example.routes) {
            node.wait_for_ports();
            route.lead_to(node.ports().cluster.expect("it is one of a cluster"));
        }
        come_up(&mut example.nodes);
        example
    }

    /// Returns the addresses of all nodes for clients, by a name that is in their certificate.
    pub(crate) fn urls(&self) -> String {
        let url = |node: &Server| format!("tls://localhost:{}", node.ports().client.port());
        self.nodes.iter().map(url).collect::<Vec<_>>().join(",")
    }

    /// Returns the path of a file that the script made.
    pub(crate) fn secret(&self, name: &str) -> PathBuf {
        self.secrets.join(name)
    }

    /// Returns the example's settings for a program of this role, as environment variables.
    pub(crate) fn variables(&self, role: &str) -> [(&'static str, OsString); 4] {
        let [ca, certificate, key] = self.files(role);
        [
            ("TILESIGHT_NATS_API", API.into()),
            ("TILESIGHT_NATS_CA", ca.into()),
            ("TILESIGHT_NATS_CERTIFICATE", certificate.into()),
            ("TILESIGHT_NATS_KEY", key.into()),
        ]
    }

    /// Returns the authority, a role's certificate and its key.
    fn files(&self, role: &str) -> [PathBuf; 3] {
        [
            self.secret("ca.pem"),
            self.secret(&format!("{role}.pem")),
            self.secret(&format!("{role}.key")),
        ]
    }

    /// Returns the example's settings for a role, for the library.
    pub(crate) fn options(&self, role: Role) -> NatsOptions {
        let name = if role == Role::Worker { "worker" } else { "service" };
        let [ca, certificate, key] = self.files(name);
        let (ca, certificate, api) = (Some(ca), Some((certificate, key)), Some(API.to_owned()));
        NatsOptions { role, ca, certificate, api, ..super::patient() }
    }

    /// Opens a direct connection with a role's certificate, and returns it with a channel of the
    /// servers' refusals.
    pub(crate) async fn intruder(&self, role: &str) -> (Client, Receiver<String>) {
        let (sender, refusals) = channel();
        let [ca, certificate, key] = self.files(role);
        let options = ConnectOptions::new()
            .add_root_certificates(ca)
            .add_client_certificate(certificate, key)
            .custom_inbox_prefix(format!("_INBOX.tilesight.{role}"))
            .request_timeout(Some(PATIENCE))
            .event_callback(move |event| {
                if let Event::ServerError(error) = event {
                    // The test may have ended.
                    let _ = sender.send(error.to_string());
                }
                async {}
            });
        let client = options.connect(self.urls().split(',').next().expect("a node")).await;
        (client.expect("the role is known"), refusals)
    }

    /// Starts an unknown server with a role's certificate that tries to join the cluster, and waits
    /// until it is refused.
    pub(crate) fn is_refused_as_server(&self, role: &str) {
        let folder = folder();
        let mut server = Server::new(&folder, "uninvited");
        let [ca, certificate, key] = self.files(role);
        let route = self.routes[0].address().port();
        server.configure(&format!(
            "cluster {{ name: fleet, listen: \"{ANY_PORT}\", routes: [\"nats-route://localhost:{route}\"]\n\
             tls {{ cert_file: {certificate:?}, key_file: {key:?}, ca_file: {ca:?} }} }}\n"
        ));
        server.spawn();
        until("the server is refused", || {
            self.nodes[0].log().contains("Router connection closed: Authentication Failure")
        });
    }
}

impl Drop for Example {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.secrets);
    }
}

/// Returns the arguments of a node.
fn arguments(server: &Server, n: usize, routes: &[Link; NODES]) -> Vec<OsString> {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/fleet/nats.conf");
    let others = routes.iter().enumerate().filter(|(other, _)| *other != n);
    let others =
        others.map(|(_, route)| format!("nats-route://localhost:{}", route.address().port()));
    let others: Vec<String> = others.collect();
    let pairs = [
        ("--config", config.into_os_string()),
        ("--name", server.name.clone().into()),
        ("--addr", "127.0.0.1".into()),
        ("--port", "-1".into()),
        ("--http_port", "-1".into()),
        ("--store_dir", server.folder.join("store").into()),
        ("--cluster", format!("nats://{ANY_PORT}").into()),
        ("--routes", others.join(",").into()),
    ];
    let pairs = pairs.into_iter().flat_map(|(flag, value)| [flag.into(), value]);
    std::iter::once("--jetstream".into()).chain(pairs).collect()
}
