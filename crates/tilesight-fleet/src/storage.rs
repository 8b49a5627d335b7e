//! Storage of photos: the choice between the back ends, and their common interface.
//!
//! Input: `nats`, or a URL such as `s3://bucket/folder`. Output: a [`PhotoStorage`], and the
//! operations on the objects in it.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use tilesight_jobs::StoreError;

/// Storage of photos.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum PhotoStorage {
    /// In NATS, with everything else.
    #[default]
    Nats,
    /// In a bucket of S3-compatible storage, as in `s3://bucket/folder`; region, endpoint and
    /// credentials come from the `AWS_` variables of the environment.
    #[cfg(feature = "s3")]
    S3(String),
}

/// Error when a text does not name a storage for photos.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected `nats`, or `s3://bucket/folder` where the program was built with the feature `s3`"
)]
pub struct PhotoStorageError;

impl FromStr for PhotoStorage {
    type Err = PhotoStorageError;

    fn from_str(text: &str) -> Result<PhotoStorage, PhotoStorageError> {
        match text {
            "nats" => Ok(PhotoStorage::Nats),
            #[cfg(feature = "s3")]
            url if url.starts_with("s3://") => Ok(PhotoStorage::S3(url.to_owned())),
            _ => Err(PhotoStorageError),
        }
    }
}

/// Storage of bytes under names.
#[async_trait]
pub(super) trait Objects: Send + Sync + fmt::Debug {
    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError>;
    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;
    /// Removes an object; does nothing if it does not exist.
    async fn delete(&self, name: &str) -> Result<(), StoreError>;
}
