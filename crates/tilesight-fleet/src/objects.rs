//! Photos in NATS's object store, and the choice between it and S3-compatible storage.
//!
//! Input: a name that is used once, and bytes. Output: the bytes. Invariant: the bytes under a name
//! never change, so that no reader gets half of one photo and half of another.

#[cfg(feature = "s3")]
mod s3;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::object_store::{
    DeleteErrorKind, InfoErrorKind, ObjectMetadata, ObjectStore,
};
use async_nats::jetstream::stream::{LastRawMessageErrorKind, RawMessageErrorKind, Stream};
use async_trait::async_trait;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE;
use tilesight_jobs::StoreError;
use tokio::time::timeout;

use super::connection::Connection;
use super::fault::unavailable;
use super::records::delete_message;
use super::storage::{Objects, PhotoStorage};

/// Size of a message in bytes: half of a server's default limit, and a few messages per photo.
const CHUNK: usize = 512 * 1024;
/// Maximum size of an object in bytes: far more than any accepted photo has (20 MB unless a service
/// is configured otherwise), and few enough for a worker's memory. The size that an object declares
/// is not trusted.
const MAX_SIZE: usize = 512 * 1024 * 1024;
/// Maximum time to transfer a photo: 20 MB at 10 Mbit/s, with some reserve.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Opens the storage that the options select.
pub(super) async fn open(
    connection: &Connection,
    storage: &PhotoStorage,
) -> Result<Arc<dyn Objects>, StoreError> {
    Ok(match storage {
        PhotoStorage::Nats => Arc::new(NatsObjects::open(connection).await?),
        #[cfg(feature = "s3")]
        PhotoStorage::S3(url) => Arc::new(s3::S3Objects::open(url)?),
    })
}

/// Object store in NATS.
struct NatsObjects {
    context: Context,
    bucket: ObjectStore,
    /// Stream of the bucket.
    stream: Stream,
    /// Prefixes of the subjects of the objects' descriptions and of their bytes.
    descriptions: String,
    chunks: String,
}

impl fmt::Debug for NatsObjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NatsObjects({})", self.stream.cached_info().config.name)
    }
}

impl NatsObjects {
    async fn open(connection: &Connection) -> Result<NatsObjects, StoreError> {
        let (name, stream, bucket) = connection.objects("photos").await?;
        let context = connection.context.clone();
        let descriptions = format!("$O.{name}.M.");
        let chunks = format!("$O.{name}.C.");
        Ok(NatsObjects { context, bucket, stream, descriptions, chunks })
    }

    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match self.bucket.info(name).await {
            Ok(info) if !info.deleted => self.messages(&info.nuid, info.chunks).await,
            Ok(_) => Ok(None),
            Err(error) if error.kind() == InfoErrorKind::NotFound => Ok(None),
            Err(error) => Err(unavailable(error)),
        }
    }

    /// Returns the bytes of an object, fetched message by message. A consumer for them would
    /// require an agreement of the cluster, and the permission to create consumers is a permission
    /// to have messages delivered anywhere.
    async fn messages(&self, id: &str, count: usize) -> Result<Option<Vec<u8>>, StoreError> {
        let subject = format!("{}{id}", self.chunks);
        if count == 1 {
            // The last message of a subject is found at once, regardless of the size of the stream.
            return match self.stream.get_last_raw_message_by_subject(&subject).await {
                Ok(message) => Ok(Some(message.payload.into())),
                Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
                Err(error) => Err(unavailable(error)),
            };
        }
        let mut bytes = Vec::new();
        let mut from = 1;
        for _ in 0..count {
            match self.stream.get_first_raw_message_by_subject(&subject, from).await {
                Ok(message) => {
                    from = message.sequence + 1;
                    bytes.extend_from_slice(&message.payload);
                }
                Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => {
                    return Ok(None);
                }
                Err(error) => return Err(unavailable(error)),
            }
            if bytes.len() > MAX_SIZE {
                return Err(StoreError::corrupt(&format!(
                    "the object {id} is larger than any photo"
                )));
            }
        }
        Ok(Some(bytes))
    }

    /// Removes the tombstone that an object store keeps of a deleted object. It has no reader, and
    /// a million tombstones a day would fill the disk.
    async fn remove_tombstone(&self, name: &str) -> Result<(), StoreError> {
        let subject = format!("{}{}", self.descriptions, BASE64_URL_SAFE.encode(name));
        match self.stream.get_last_raw_message_by_subject(&subject).await {
            Ok(message) => delete_message(
                &self.context,
                &self.stream.cached_info().config.name,
                message.sequence,
            )
            .await
            .map(|_| ()),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(()),
            Err(error) => Err(unavailable(error)),
        }
    }
}

#[async_trait]
impl Objects for NatsObjects {
    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let description = ObjectMetadata {
            name: name.to_owned(),
            chunk_size: Some(CHUNK),
            ..ObjectMetadata::default()
        };
        let mut bytes = bytes;
        let put = timeout(TIMEOUT, self.bucket.put(description, &mut bytes));
        put.await.map_err(unavailable)?.map_err(unavailable)?;
        Ok(())
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        timeout(TIMEOUT, self.read(name)).await.map_err(unavailable)?
    }

    async fn delete(&self, name: &str) -> Result<(), StoreError> {
        match self.bucket.delete(name).await {
            Ok(()) => {}
            // The object was deleted before; its tombstone may still exist.
            Err(error) if error.kind() == DeleteErrorKind::NotFound => {}
            Err(error) => return Err(unavailable(error)),
        }
        self.remove_tombstone(name).await
    }
}
