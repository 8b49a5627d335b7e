//! Connection to NATS, and creation of its streams and buckets.
//!
//! Input: URLs and [`NatsOptions`]. Output: existing streams. Invariants: an existing stream is
//! used unchanged, so that the operator may create the streams in advance, with other limits or
//! replicas; a server on another machine is used with TLS and credentials, unless the options allow
//! it to be open.

use std::io;
use std::time::Duration;

use async_nats::jetstream::context::ContextBuilder;
use async_nats::jetstream::stream::{self, DiscardPolicy, Stream};
use async_nats::jetstream::{self, object_store::ObjectStore};
use async_nats::{Client, ConnectOptions, Event};
use tilesight_files::trusted;
use tilesight_jobs::StoreError;

use super::credentials::Credentials;
use super::fault::{settings, unavailable};
use super::options::NatsOptions;
use super::records::Records;
use super::servers::Servers;

/// Number of replicas in a cluster: the fewest that survive the loss of a server.
const REPLICAS: usize = 3;

/// Connection that reconnects when it is lost.
#[derive(Debug, Clone)]
pub(super) struct Connection {
    pub(super) context: jetstream::Context,
    prefix: String,
    replicas: usize,
}

impl Connection {
    pub(super) async fn open(url: &str, options: &NatsOptions) -> Result<Connection, StoreError> {
        let servers = Servers::parse(url, options).map_err(|error| settings(&error))?;
        let client = Self::connect(&servers, options).await?;
        servers.warn(client.server_info().auth_required);
        let clustered = client.server_info().cluster.is_some();
        let replicas = options.replicas.unwrap_or(if clustered { REPLICAS } else { 1 });
        let builder = ContextBuilder::new().timeout(options.timeout);
        let context = match &options.api {
            Some(api) => builder.api_prefix(api).build(client),
            None => builder.build(client),
        };
        Ok(Connection { context, prefix: options.prefix.to_string(), replicas })
    }

    async fn connect(servers: &Servers, options: &NatsOptions) -> Result<Client, StoreError> {
        let mut connect = ConnectOptions::new()
            .name("tilesight")
            .request_timeout(Some(options.timeout))
            .custom_inbox_prefix(options.inbox())
            .require_tls(servers.tls)
            .event_callback(|event| async move { log_event(&event) });
        if let Some(file) = &options.credentials {
            connect =
                Credentials::read(file).map_err(|error| settings(&error))?.apply_to(connect)?;
        }
        // The library opens these files itself.
        let pair = options.certificate.iter().flat_map(|(certificate, key)| [certificate, key]);
        for file in pair.chain(&options.ca) {
            trusted::check(file).map_err(|error| {
                settings(&io::Error::other(format!("{} can't be used: {error}", file.display())))
            })?;
        }
        if let Some((certificate, key)) = &options.certificate {
            connect = connect.add_client_certificate(certificate.clone(), key.clone());
        }
        connect = match &options.ca {
            Some(ca) => connect.add_root_certificates(ca.clone()),
            // A server announces other servers before it has proved its identity. If every public
            // authority is trusted, an attacker in between could announce a machine of their own.
            None if servers.tls => connect.ignore_discovered_servers(),
            None => connect,
        };
        connect.connect(servers.addresses.clone()).await.map_err(unavailable)
    }

    /// Returns the name of a stream or bucket of this fleet.
    pub(super) fn full_name(&self, name: &str) -> String {
        format!("{}_{name}", self.prefix)
    }

    /// Returns the prefix of this fleet's subjects.
    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns a stream, and creates it if it is missing.
    pub(super) async fn stream(&self, config: stream::Config) -> Result<Stream, StoreError> {
        let config = stream::Config { num_replicas: self.replicas, ..config };
        self.context.get_or_create_stream(config).await.map_err(unavailable)
    }

    /// Returns a key-value bucket, and creates it if it is missing. The bucket is created as a
    /// stream because `create_key_value` queries limits of the account that servers before 2.10 do
    /// not report.
    pub(super) async fn bucket(&self, name: &str) -> Result<Records, StoreError> {
        self.bucket_for(name, Duration::ZERO).await
    }

    /// Like [`Connection::bucket`], but records expire after `kept` without a change; zero means
    /// never.
    pub(super) async fn bucket_for(
        &self,
        name: &str,
        kept: Duration,
    ) -> Result<Records, StoreError> {
        let bucket = self.full_name(name);
        self.stream(stream::Config {
            name: format!("KV_{bucket}"),
            subjects: vec![format!("$KV.{bucket}.>")],
            max_messages_per_subject: 1,
            max_age: kept,
            discard: DiscardPolicy::New,
            allow_rollup: true,
            // Replicas may lag behind, but reads must return the latest write.
            allow_direct: false,
            ..stream::Config::default()
        })
        .await?;
        let bucket = self.context.get_key_value(bucket).await.map_err(unavailable)?;
        Ok(Records::new(self.context.clone(), bucket))
    }

    /// Returns an object store with its name and its stream, and creates it if it is missing.
    pub(super) async fn objects(
        &self,
        name: &str,
    ) -> Result<(String, Stream, ObjectStore), StoreError> {
        let bucket = self.full_name(name);
        let config = stream::Config {
            name: format!("OBJ_{bucket}"),
            subjects: vec![format!("$O.{bucket}.C.>"), format!("$O.{bucket}.M.>")],
            discard: DiscardPolicy::New,
            allow_rollup: true,
            allow_direct: false,
            ..stream::Config::default()
        };
        let stream = self.stream(config).await?;
        let objects = self.context.get_object_store(&bucket).await.map_err(unavailable)?;
        Ok((bucket, stream, objects))
    }
}

/// Logs a server's error, above all a missing permission: the request itself may never be answered.
fn log_event(event: &Event) {
    if let Event::ServerError(error) = event {
        tracing::warn!(%error, "the NATS server sent an error");
    }
}
