//! The connection to NATS, and how its streams and buckets are made.
//!
//! Input: URLs and [`Options`]. Output: streams that are there. Invariants: what exists is used as
//! it is, so that the operator may have made the streams before, with other limits or replicas; a
//! server on another machine is asked for TLS and shown credentials, unless the options say that it
//! may be open.

use std::io;
use std::time::Duration;

use async_nats::jetstream::context::ContextBuilder;
use async_nats::jetstream::stream::{self, DiscardPolicy, Stream};
use async_nats::jetstream::{self, object_store::ObjectStore};
use async_nats::{Client, ConnectOptions, Event};

use super::credentials::Credentials;
use super::fault::{settings, unavailable};
use super::options::Options;
use super::records::Records;
use super::servers::Servers;
use crate::jobs::StoreError;
use crate::trusted_file;

/// Replicas in a cluster: the fewest that survive the loss of a server.
const REPLICAS: usize = 3;

/// A connection that finds its way back when it is lost.
#[derive(Debug, Clone)]
pub(super) struct Connection {
    pub(super) context: jetstream::Context,
    prefix: String,
    replicas: usize,
}

impl Connection {
    pub(super) async fn open(url: &str, options: &Options) -> Result<Connection, StoreError> {
        let servers = Servers::of(url, options).map_err(|error| settings(&error))?;
        let client = Self::connect(&servers, options).await?;
        servers.warn(client.server_info().auth_required);
        let clustered = client.server_info().cluster.is_some();
        let replicas = options.replicas.unwrap_or(if clustered { REPLICAS } else { 1 });
        let context = ContextBuilder::new().timeout(options.patience);
        let context = match &options.api {
            Some(api) => context.api_prefix(api).build(client),
            None => context.build(client),
        };
        Ok(Connection { context, prefix: options.prefix.to_string(), replicas })
    }

    async fn connect(servers: &Servers, options: &Options) -> Result<Client, StoreError> {
        let mut connect = ConnectOptions::new()
            .name("tilesight")
            .request_timeout(Some(options.patience))
            .custom_inbox_prefix(options.inbox())
            .require_tls(servers.tls)
            .event_callback(|event| async move { tell(&event) });
        if let Some(file) = &options.credentials {
            connect = Credentials::read(file).map_err(|error| settings(&error))?.give(connect)?;
        }
        // The library opens these itself.
        let pair = options.certificate.iter().flat_map(|(certificate, key)| [certificate, key]);
        for file in pair.chain(&options.ca) {
            trusted_file::check(file).map_err(|error| {
                settings(&io::Error::other(format!("{} can't be used: {error}", file.display())))
            })?;
        }
        if let Some((certificate, key)) = &options.certificate {
            connect = connect.add_client_certificate(certificate.clone(), key.clone());
        }
        connect = match &options.ca {
            Some(ca) => connect.add_root_certificates(ca.clone()),
            // A server tells of others before it has shown who it is. Where any of the world's
            // authorities is believed, an attacker in between could name a machine of their
            // own.
            None if servers.tls => connect.ignore_discovered_servers(),
            None => connect,
        };
        connect.connect(servers.addresses.clone()).await.map_err(unavailable)
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

    /// A key-value bucket, made unless it is there. It is made as a stream because
    /// `create_key_value` asks the server for limits of the account that servers before 2.10 do not
    /// tell.
    pub(super) async fn bucket(&self, name: &str) -> Result<Records, StoreError> {
        self.bucket_for(name, Duration::ZERO).await
    }

    /// The same whose records are kept for so long after their last change; zero means never.
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

/// What a server complains of, a right that is missing above all: the request itself may never be
/// answered.
fn tell(event: &Event) {
    if let Event::ServerError(error) = event {
        tracing::warn!(%error, "the NATS server sent an error");
    }
}
