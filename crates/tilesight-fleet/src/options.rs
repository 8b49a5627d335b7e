//! Options for the use of a NATS cluster.
//!
//! Output: [`NatsOptions`] with their defaults. Invariant: a secret is in a file that an option
//! names, never in an option itself.

use std::path::PathBuf;
use std::time::Duration;

use tilesight_jobs::LEASE;
use tilesight_jobs::Name;

use super::storage::PhotoStorage;

/// Maximum number of waiting tasks of each priority: about 2 GB in the streams, and an hour of work
/// for 100 machines.
const MAX_WAITING: i64 = 1_000_000;

/// Default time to wait for an answer: the election of a leader usually takes less than five
/// seconds, and the caller retries anyway.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Options for a NATS cluster.
#[derive(Debug, Clone)]
pub struct NatsOptions {
    /// Prefix of the names of streams and buckets: several fleets may share a cluster.
    pub prefix: Name,
    /// Role of this process in the fleet.
    pub role: Role,
    /// Time after which a lease expires unless it is extended; used when the streams are created.
    pub lease: Duration,
    /// Time to wait for the servers' answer before a request fails.
    pub timeout: Duration,
    /// Number of replicas; by default three in a cluster and one elsewhere.
    pub replicas: Option<usize>,
    /// Maximum number of waiting tasks per priority before the queue is full.
    pub max_waiting: i64,
    /// File with the credentials that the cluster requires: a `.creds` file, an nkey's seed, or
    /// `user:password`.
    pub credentials: Option<PathBuf>,
    /// Certificate of the authority that signed the servers' certificates, in PEM; by default the
    /// system's authorities.
    pub ca: Option<PathBuf>,
    /// Certificate to present to the servers and its private key, both in PEM.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// Prefix of the subjects of JetStream's API, if the streams belong to another account; by
    /// default `$JS.API`.
    pub api: Option<String>,
    /// Whether servers on other machines may be used without TLS and without credentials.
    pub open: bool,
    /// Storage of photos.
    pub photos: PhotoStorage,
}

/// Role of a process in a fleet. The role selects the subjects on which the process receives
/// answers, so that the servers can keep processes from reading the answers of another role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// Process that submits photos and fetches results, such as a service or a batch.
    #[default]
    Service,
    /// Process that reads photos.
    Worker,
}

impl Default for NatsOptions {
    fn default() -> NatsOptions {
        NatsOptions {
            prefix: "tilesight".parse().expect("it has letters only"),
            role: Role::default(),
            lease: LEASE,
            timeout: TIMEOUT,
            replicas: None,
            max_waiting: MAX_WAITING,
            credentials: None,
            ca: None,
            certificate: None,
            api: None,
            open: false,
            photos: PhotoStorage::default(),
        }
    }
}

impl NatsOptions {
    /// Returns the prefix of the subjects on which answers are received.
    pub(super) fn inbox(&self) -> String {
        let role = match self.role {
            Role::Service => "service",
            Role::Worker => "worker",
        };
        format!("_INBOX.{}.{role}", self.prefix)
    }
}
