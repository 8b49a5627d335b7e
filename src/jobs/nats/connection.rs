//! The connection to NATS, and how its streams and buckets are made.
//!
//! Input: URLs and [`Options`]. Output: streams that are there. Invariant: what exists is used as it is, so
//! that whoever runs the cluster may have made the streams before, with other limits or replicas.

use std::env::VarError;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use async_nats::jetstream::context::ContextBuilder;
use async_nats::jetstream::stream::{self, DiscardPolicy, Stream};
use async_nats::jetstream::{self, object_store::ObjectStore};
use async_nats::{ConnectOptions, ServerAddr};

use super::objects::PhotoStorage;
use super::records::Records;
use crate::jobs::queue::LEASE;
use crate::jobs::{Name, StoreError};

/// How long one request may take: an election of a leader takes less than five seconds as a rule, and
/// whoever asked tries again anyway.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// Replicas in a cluster: the fewest that survive the loss of a server.
const REPLICAS: usize = 3;
/// Tasks that may wait, of each priority: some 2 GB in the streams, and an hour of work for 100 machines.
const MOST_WAITING: i64 = 1_000_000;

/// How to use a NATS cluster.
#[derive(Debug, Clone)]
pub struct Options {
    /// What the names of streams and buckets begin with: several fleets may share a cluster.
    pub prefix: Name,
    /// How long a lease lasts that is not extended, where the streams are not there yet.
    pub lease: Duration,
    /// How often everything is kept; unless told, three times in a cluster and once elsewhere.
    pub replicas: Option<usize>,
    /// How many tasks of a priority may wait before the queue is full.
    pub most_waiting: i64,
    /// The file with the credentials that the cluster asks for.
    pub credentials: Option<PathBuf>,
    /// Where photos are kept.
    pub photos: PhotoStorage,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            prefix: "tilesight".parse().expect("it has letters only"),
            lease: LEASE,
            replicas: None,
            most_waiting: MOST_WAITING,
            credentials: None,
            photos: PhotoStorage::default(),
        }
    }
}

/// A variable of the environment that can't be used; whoever runs the program can mend it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{variable}: {reason}")]
pub struct OptionsError {
    variable: &'static str,
    reason: String,
}

impl Options {
    /// The usual options, but for what these variables say: `TILESIGHT_NATS_PREFIX`, `TILESIGHT_NATS_REPLICAS`,
    /// `TILESIGHT_NATS_CREDENTIALS` (a file) and `TILESIGHT_PHOTOS` (`s3://bucket/folder`).
    ///
    /// # Errors
    /// [`OptionsError`] names the variable that can't be used.
    pub fn from_environment() -> Result<Options, OptionsError> {
        let mut options = Options::default();
        if let Some(prefix) = variable("TILESIGHT_NATS_PREFIX")? {
            options.prefix = prefix;
        }
        if let Some(replicas) = variable::<NonZeroUsize>("TILESIGHT_NATS_REPLICAS")? {
            options.replicas = Some(replicas.get());
        }
        options.credentials = variable("TILESIGHT_NATS_CREDENTIALS")?;
        if let Some(photos) = variable("TILESIGHT_PHOTOS")? {
            options.photos = photos;
        }
        Ok(options)
    }
}

fn variable<T: FromStr<Err: Display>>(variable: &'static str) -> Result<Option<T>, OptionsError> {
    let named = |reason: String| OptionsError { variable, reason };
    match std::env::var(variable) {
        Err(VarError::NotPresent) => Ok(None),
        Err(error) => Err(named(error.to_string())),
        Ok(value) => value.parse().map(Some).map_err(|error: T::Err| named(error.to_string())),
    }
}

/// A connection that finds its way back when it is lost.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) context: jetstream::Context,
    prefix: String,
    replicas: usize,
}

impl Connection {
    pub(super) async fn open(url: &str, options: &Options) -> Result<Connection, StoreError> {
        let servers = url.split(',').map(|url| url.trim().parse::<ServerAddr>());
        let servers = servers.collect::<Result<Vec<_>, _>>().map_err(unavailable)?;
        let mut connect = ConnectOptions::new().name("tilesight").request_timeout(Some(PATIENCE));
        if let Some(file) = &options.credentials {
            connect = connect.credentials_file(file).await.map_err(unavailable)?;
        }
        let client = connect.connect(servers).await.map_err(unavailable)?;
        let clustered = client.server_info().cluster.is_some();
        let replicas = options.replicas.unwrap_or(if clustered { REPLICAS } else { 1 });
        let context = ContextBuilder::new().timeout(PATIENCE).build(client);
        Ok(Connection { context, prefix: options.prefix.to_string(), replicas })
    }

    /// The name of a stream or bucket of this fleet.
    pub(super) fn named(&self, name: &str) -> String {
        format!("{}_{name}", self.prefix)
    }

    /// What subjects of this fleet begin with.
    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// A stream, made unless it is there.
    pub(super) async fn stream(&self, config: stream::Config) -> Result<Stream, StoreError> {
        let config = stream::Config { num_replicas: self.replicas, ..config };
        self.context.get_or_create_stream(config).await.map_err(unavailable)
    }

    /// A key-value bucket, made unless it is there. It is made as a stream because `create_key_value` asks the
    /// server for limits of the account that servers before 2.10 do not tell.
    pub(super) async fn bucket(&self, name: &str) -> Result<Records, StoreError> {
        self.bucket_for(name, Duration::ZERO).await
    }

    /// The same whose records are kept for so long after their last change; for ever, if that is no time.
    pub(super) async fn bucket_for(
        &self,
        name: &str,
        kept: Duration,
    ) -> Result<Records, StoreError> {
        let bucket = self.named(name);
        self.stream(stream::Config {
            name: format!("KV_{bucket}"),
            subjects: vec![format!("$KV.{bucket}.>")],
            max_messages_per_subject: 1,
            max_age: kept,
            discard: DiscardPolicy::New,
            allow_rollup: true,
            // Replicas may lag behind: what was just written must be what is read.
            allow_direct: false,
            ..stream::Config::default()
        })
        .await?;
        let bucket = self.context.get_key_value(bucket).await.map_err(unavailable)?;
        Ok(Records::new(self.context.clone(), bucket))
    }

    /// An object store with its name and its stream, made unless it is there.
    pub(super) async fn objects(
        &self,
        name: &str,
    ) -> Result<(String, Stream, ObjectStore), StoreError> {
        let bucket = self.named(name);
        let stream = self.stream(stream::Config {
            name: format!("OBJ_{bucket}"),
            subjects: vec![format!("$O.{bucket}.C.>"), format!("$O.{bucket}.M.>")],
            discard: DiscardPolicy::New,
            allow_rollup: true,
            allow_direct: false,
            ..stream::Config::default()
        });
        let stream = stream.await?;
        let objects = self.context.get_object_store(&bucket).await.map_err(unavailable)?;
        Ok((bucket, stream, objects))
    }
}

/// Whatever a server did not do may work later: there is a leader again, or room, or a network.
pub(super) fn unavailable(error: impl Display) -> StoreError {
    StoreError::unavailable(&error)
}
