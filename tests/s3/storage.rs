//! The back end of a fleet whose photos are in S3-compatible storage: the suite that every back end
//! passes, against a real nats-server and a real S3-compatible server, which `make check-s3`
//! starts.
//!
//! `TILESIGHT_CHECK_S3` names a bucket, the `AWS_` variables its server and its keys. Without them
//! the tests fail and say so.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore as _, ObjectStoreExt as _};
use tilesight_fleet::Nats;
use tilesight_fleet::{NatsOptions, PhotoStorage};
use tilesight_jobs::{JobId, StoreError};

use crate::jobs_suite::{FreshBackend, LONG, job};
use crate::nats;

suite!(super::open);

/// Returns a folder of the bucket for this test only.
fn folder() -> String {
    let bucket = std::env::var("TILESIGHT_CHECK_S3");
    let bucket = bucket.expect("TILESIGHT_CHECK_S3 names no bucket: run `make check-s3`");
    format!("{bucket}/{}", JobId::random().expect("random numbers"))
}

async fn open(lease: Duration) -> FreshBackend {
    open_in(&folder(), lease).await
}

async fn open_in(folder: &str, lease: Duration) -> FreshBackend {
    let server = nats::Server::start();
    let photos: PhotoStorage = folder.parse().expect("a place for photos");
    let options = NatsOptions { lease, photos, ..nats::patient() };
    let nats = Nats::open(&server.url(), &options).await.expect("the server is there");
    FreshBackend { backend: Arc::new(nats).backend(), _kept: Box::new(server) }
}

/// Returns the contents of a folder of the bucket, read without the store.
async fn listed(folder: &str) -> (AmazonS3, Vec<ObjectMeta>) {
    let bucket = AmazonS3Builder::from_env().with_url(folder).build().expect("a bucket");
    let (_, path) = folder.trim_start_matches("s3://").split_once('/').expect("a folder");
    let list = bucket.list_with_delimiter(Some(&Path::from(path))).await.expect("it is listed");
    (bucket, list.objects)
}

async fn bytes_in(folder: &str) -> u64 {
    listed(folder).await.1.iter().map(|object| object.size).sum()
}

#[tokio::test]
async fn photos_are_in_the_bucket_until_their_job_is_deleted() {
    let folder = folder();
    let FreshBackend { backend, _kept } = open_in(&folder, LONG).await;
    let (one, two) = (vec![7; 1 << 20], b"a photo".to_vec());
    let new = job();
    backend.store.create(&new).await.expect("created");
    let large = backend.store.put_photo(&new.id, &one).await.expect("kept");
    backend.store.put_photo(&new.id, &two).await.expect("kept");
    assert_eq!(bytes_in(&folder).await, (one.len() + two.len()) as u64);
    assert_eq!(backend.store.photo(&large).await, Ok(Some(one)));
    backend.store.delete(&new.id).await.expect("deleted");
    assert_eq!(backend.store.photo(&large).await, Ok(None));
    assert_eq!(bytes_in(&folder).await, 0);
}

#[tokio::test]
async fn changed_bytes_are_rejected() {
    let folder = folder();
    let FreshBackend { backend, _kept } = open_in(&folder, LONG).await;
    let new = job();
    backend.store.create(&new).await.expect("created");
    let photo = backend.store.put_photo(&new.id, b"a photo").await.expect("kept");
    let (bucket, objects) = listed(&folder).await;
    bucket.put(&objects[0].location, "another".into()).await.expect("it is replaced");
    let found = backend.store.photo(&photo).await;
    assert!(matches!(found, Err(StoreError::Corrupt { .. })), "{found:?}");
}
