//! Photos: the jobs that keep a photo, and the name of the object with its bytes.
//!
//! Invariant: a photo's record names a complete object, because the object is written first; and
//! the process that deletes a job finds every object that was written for it, because a marker of
//! the job names the object before it is written.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilesight_jobs::{JobId, PhotoId, StoreError};
use tokio::time::sleep;

use super::records::{JsonRecord, RecordChange, Records};
use super::storage::Objects;

/// Number of attempts to find the object of a photo that has a record, and the pause between them:
/// a replica that was away lags behind for some seconds. A photo is given up after three readings
/// that fail, together 15 s, by when a cluster of three has elected its leaders.
const MAX_CHECKS: u32 = 10;
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// All photos.
#[derive(Debug)]
pub(super) struct Photos {
    records: Records,
    objects: Arc<dyn Objects>,
}

/// Record of a photo.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct PhotoRecord {
    jobs: Vec<JobId>,
    /// Name of the object with the photo's bytes.
    object: String,
}

impl JsonRecord for PhotoRecord {}

/// Marker that a job writes before an object is written or removed: the objects that may have to be
/// deleted with the job. The first is the one that the job may write.
#[derive(Debug, Serialize, Deserialize)]
struct Marker(Vec<String>);

impl JsonRecord for Marker {}

impl Photos {
    pub(super) fn new(records: Records, objects: Arc<dyn Objects>) -> Photos {
        Photos { records, objects }
    }

    /// Keeps a photo for a job.
    pub(super) async fn put(&self, job: &JobId, bytes: &[u8]) -> Result<PhotoId, StoreError> {
        let photo = PhotoId::from_bytes(bytes);
        let key = marker_key(job, &photo);
        let name = new_name(&photo)?;
        // If an earlier attempt of this job left a marker, its name is used again: the object may
        // be half written.
        let object = self
            .records
            .change(&key, |marker: Option<Marker>| match marker {
                Some(Marker(names)) if !names.is_empty() => {
                    Ok((RecordChange::Keep, names[0].clone()))
                }
                _ => Ok((RecordChange::Save(Marker(vec![name.clone()])), name.clone())),
            })
            .await?;
        if !self.refer(job, &photo, None).await? {
            self.objects.put(&object, bytes).await?;
            // If another process was faster, the record names its object, and this one is deleted
            // with the job.
            self.refer(job, &photo, Some(&object)).await?;
        }
        Ok(photo)
    }

    /// Records that a job keeps a photo. Creates the record if the name of an object is given;
    /// returns whether there is a record now.
    async fn refer(
        &self,
        job: &JobId,
        photo: &PhotoId,
        object: Option<&str>,
    ) -> Result<bool, StoreError> {
        self.records
            .change(&photo_key(photo), |record: Option<PhotoRecord>| {
                Ok(match (record, object) {
                    (None, None) => (RecordChange::Keep, false),
                    (None, Some(object)) => {
                        let record = PhotoRecord { jobs: vec![*job], object: object.to_owned() };
                        (RecordChange::Save(record), true)
                    }
                    (Some(record), _) if record.jobs.contains(job) => (RecordChange::Keep, true),
                    (Some(mut record), _) => {
                        record.jobs.push(*job);
                        (RecordChange::Save(record), true)
                    }
                })
            })
            .await
    }

    /// Returns the bytes of a photo that some job keeps.
    pub(super) async fn get(&self, photo: &PhotoId) -> Result<Option<Vec<u8>>, StoreError> {
        for _ in 0..MAX_CHECKS {
            let Some(record) = self.records.get::<PhotoRecord>(&photo_key(photo)).await? else {
                return Ok(None);
            };
            match self.objects.get(&record.object).await? {
                Some(bytes) if PhotoId::from_bytes(&bytes) == *photo => return Ok(Some(bytes)),
                Some(_) | None => sleep(CHECK_INTERVAL).await,
            }
        }
        Err(StoreError::corrupt(&format!("the bytes of the photo {photo} are missing or wrong")))
    }

    /// Releases the photos of a job. Returns the number of photos that no job keeps any more.
    pub(super) async fn release(&self, job: &JobId) -> Result<u64, StoreError> {
        let mut removed = 0;
        for photo in self.records.list(&format!("job.{job}.")).await? {
            let photo: PhotoId = photo.parse().map_err(|error| StoreError::corrupt(&error))?;
            removed += u64::from(self.release_one(job, &photo).await?);
        }
        Ok(removed)
    }

    async fn release_one(&self, job: &JobId, photo: &PhotoId) -> Result<bool, StoreError> {
        let key = photo_key(photo);
        let marker = marker_key(job, photo);
        // Noted before the record is removed, because a process that finishes the release after a
        // crash no longer finds the object's name in the record.
        if let Some(PhotoRecord { object, .. }) = self.records.get(&key).await? {
            self.records
                .change(&marker, |marker: Option<Marker>| {
                    let Marker(mut names) = marker.unwrap_or(Marker(Vec::new()));
                    if names.contains(&object) {
                        return Ok((RecordChange::Keep, ()));
                    }
                    names.push(object.clone());
                    Ok((RecordChange::Save(Marker(names)), ()))
                })
                .await?;
        }
        let in_use = self
            .records
            .change(&key, |record: Option<PhotoRecord>| {
                let Some(mut record) = record else { return Ok((RecordChange::Keep, None)) };
                record.jobs.retain(|other| other != job);
                if record.jobs.is_empty() {
                    return Ok((RecordChange::Remove, None));
                }
                Ok((RecordChange::Save(record.clone()), Some(record.object)))
            })
            .await?;
        let Marker(names) = self.records.get(&marker).await?.unwrap_or(Marker(Vec::new()));
        for name in names.iter().filter(|name| in_use.as_ref() != Some(*name)) {
            self.objects.delete(name).await?;
        }
        self.records.clear(&marker).await?;
        Ok(in_use.is_none())
    }
}

/// Returns a name that no object had before, so that an object that is being deleted is never taken
/// for a new one.
fn new_name(photo: &PhotoId) -> Result<String, StoreError> {
    Ok(format!("{photo}-{}", JobId::random()?))
}

fn photo_key(photo: &PhotoId) -> String {
    format!("photo.{photo}")
}

fn marker_key(job: &JobId, photo: &PhotoId) -> String {
    format!("job.{job}.{photo}")
}
