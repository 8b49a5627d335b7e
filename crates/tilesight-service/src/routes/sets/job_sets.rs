//! Own sets for the photos of a job, which are read later: those of the service, and those that the
//! key of the job uploaded.
//!
//! Input: a client. Output: a reader that knows all of its sets, and the files of the uploaded ones
//! that a task needs. Invariant: a job is read with the sets as they were when it was created,
//! because the files that its tasks name are stored with its photos.

use std::sync::Arc;

use tilesight_core::contract::{SetChoice, SetName};
use tilesight_jobs::PhotoId;
use tilesight_vision::Reader;
use tilesight_vision::sets::OwnSet;

use super::refuse_set;
use super::uploaded::UploadedSets;
use crate::Service;
use crate::answer::failure::Failure;
use crate::guard::admission::{Turns, WorkSize};
use crate::guard::client::Client;

/// Own sets that the photos of a job may be read with.
#[derive(Debug)]
pub(crate) struct JobSets {
    /// Reader with all of the sets.
    pub(crate) reader: Arc<Reader>,
    /// Sets that the key uploaded.
    uploaded: Vec<UploadedFile>,
}

/// File of an uploaded set.
#[derive(Debug)]
struct UploadedFile {
    name: SetName,
    id: PhotoId,
    bytes: Vec<u8>,
}

impl UploadedFile {
    fn new(set: &OwnSet) -> UploadedFile {
        let bytes = set.to_bytes();
        UploadedFile { name: set.name().clone(), id: PhotoId::from_bytes(&bytes), bytes }
    }
}

impl JobSets {
    /// Returns the sets that a client may name.
    ///
    /// # Errors
    /// Failures of the store; [`Failure::Problem`] if the sets can't be used together.
    pub(crate) async fn for_client(
        service: &Service,
        reader: Arc<Reader>,
        client: &Client,
    ) -> Result<JobSets, Failure> {
        let Ok(sets) = UploadedSets::for_client(service, client) else {
            return Ok(JobSets { reader, uploaded: Vec::new() });
        };
        let sets = sets.all().await?;
        if sets.is_empty() {
            return Ok(JobSets { reader, uploaded: Vec::new() });
        }
        let turns = Turns::new(service.admission().clone(), client.clone());
        let merged = turns.compute(WorkSize::Large, move || {
            let uploaded = sets.iter().map(UploadedFile::new).collect();
            let reader = Arc::new(reader.with_more_sets(sets)?);
            Ok(JobSets { reader, uploaded })
        });
        merged.await?.map_err(refuse_set)
    }

    /// Returns the files of the uploaded sets that a choice allows, in the order of their names.
    pub(crate) fn files_for(&self, choice: Option<&SetChoice>) -> Vec<PhotoId> {
        let allowed = self.uploaded.iter().filter(|set| match choice {
            None => false,
            Some(SetChoice::Auto) => true,
            Some(SetChoice::Named(name)) => set.name == *name,
        });
        allowed.map(|set| set.id).collect()
    }

    /// Returns the content of a file of these.
    pub(crate) fn file(&self, id: &PhotoId) -> Option<&[u8]> {
        self.uploaded.iter().find(|set| set.id == *id).map(|set| set.bytes.as_slice())
    }
}
