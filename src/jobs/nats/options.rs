//! How a NATS cluster is used.
//!
//! Output: [`Options`] with their defaults. Invariant: a secret is in a file that an option names,
//! never in an option itself.

use std::path::PathBuf;
use std::time::Duration;

use super::storage::PhotoStorage;
use crate::jobs::Name;
use crate::jobs::queue::LEASE;

/// Tasks that may wait, of each priority: some 2 GB in the streams, and an hour of work for 100
/// machines.
const MOST_WAITING: i64 = 1_000_000;

/// How long an answer may take: an election of a leader takes less than five seconds as a rule, and
/// the caller tries again anyway.
const PATIENCE: Duration = Duration::from_secs(5);

/// How to use a NATS cluster.
#[derive(Debug, Clone)]
pub struct Options {
    /// What the names of streams and buckets begin with: several fleets may share a cluster.
    pub prefix: Name,
    /// What this process does in the fleet.
    pub role: Role,
    /// How long a lease lasts that is not extended, where the streams are not there yet.
    pub lease: Duration,
    /// How long the servers may take to answer a request before it has failed.
    pub patience: Duration,
    /// How often everything is kept; by default three times in a cluster and once elsewhere.
    pub replicas: Option<usize>,
    /// How many tasks of a priority may wait before the queue is full.
    pub most_waiting: i64,
    /// The file with the credentials that the cluster asks for: a `.creds` file, an nkey's seed, or
    /// `user:password`.
    pub credentials: Option<PathBuf>,
    /// The authority that signed the servers' certificates, in PEM; by default those of the system.
    pub ca: Option<PathBuf>,
    /// A certificate to show the servers and its private key, both in PEM.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// What the subjects of JetStream's API begin with, where the streams are another account's; by
    /// default `$JS.API`.
    pub api: Option<String>,
    /// Servers on other machines may be used without TLS and without credentials.
    pub open: bool,
    /// Where photos are kept.
    pub photos: PhotoStorage,
}

/// What a process does in a fleet. It decides which subjects answers come back on, so that the
/// servers can let nobody listen to the answers of another role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// It hands photos in and takes results, as a service and a batch do.
    #[default]
    Service,
    /// It reads photos.
    Worker,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            prefix: "tilesight".parse().expect("it has letters only"),
            role: Role::default(),
            lease: LEASE,
            patience: PATIENCE,
            replicas: None,
            most_waiting: MOST_WAITING,
            credentials: None,
            ca: None,
            certificate: None,
            api: None,
            open: false,
            photos: PhotoStorage::default(),
        }
    }
}

impl Options {
    /// What the subjects begin with that answers come back on.
    pub(super) fn inbox(&self) -> String {
        let role = match self.role {
            Role::Service => "service",
            Role::Worker => "worker",
        };
        format!("_INBOX.{}.{role}", self.prefix)
    }
}
