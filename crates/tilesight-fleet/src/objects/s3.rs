//! S3-compatible storage: Amazon's, or MinIO, Ceph, R2 and others that support its protocol.
//!
//! Input: a URL such as `s3://bucket/folder`; region, endpoint and credentials come from the
//! environment (`AWS_REGION`, `AWS_ENDPOINT`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, and
//! `AWS_ALLOW_HTTP=true` for an endpoint without TLS). Output: objects under that folder.

use std::fmt;

use async_trait::async_trait;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{Error, ObjectStoreExt as _};
use rustls::crypto::ring;
use tilesight_jobs::StoreError;

use crate::fault::unavailable;
use crate::storage::Objects;

/// Folder of a bucket.
pub(super) struct S3Objects {
    bucket: AmazonS3,
    folder: Path,
}

impl fmt::Debug for S3Objects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The bucket's own text shows its configuration, which does not belong in a log.
        write!(f, "S3Objects({})", self.folder)
    }
}

impl S3Objects {
    pub(super) fn open(url: &str) -> Result<S3Objects, StoreError> {
        // Fails only if a provider is already installed, which then is just as good.
        let _ = ring::default_provider().install_default();
        let bucket = AmazonS3Builder::from_env().with_url(url).build().map_err(unavailable)?;
        let place = url.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
        let folder = place.map_or("", |(_, folder)| folder);
        Ok(S3Objects { bucket, folder: Path::from(folder) })
    }

    fn path(&self, name: &str) -> Path {
        self.folder.clone().join(name)
    }
}

#[async_trait]
impl Objects for S3Objects {
    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.path(name);
        let put = self.bucket.put(&path, bytes.to_vec().into());
        put.await.map(|_| ()).map_err(unavailable)
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let found = match self.bucket.get(&self.path(name)).await {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        Ok(Some(found.bytes().await.map_err(unavailable)?.into()))
    }

    async fn delete(&self, name: &str) -> Result<(), StoreError> {
        match self.bucket.delete(&self.path(name)).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(unavailable(error)),
        }
    }
}
