//! Own sets that came with a job: its tasks are read with them, beside those of the worker's
//! reader.
//!
//! Input: a task, whose sets are files in the store. Output: a reader that has them. Invariants: a
//! set of the task takes the place of one of the worker's that has its name, as it did when the
//! task was made; a reader is made once for tasks that follow each other with the same sets.

use std::sync::{Arc, Mutex, PoisonError};

use tilesight_vision::Reader;
use tilesight_vision::sets::{OwnSet, SetError, Shelf};

use crate::worker_threads::{self, WorkError};
use crate::{PhotoId, Store, StoreError, Task};

/// Readers for tasks with own sets.
#[derive(Debug, Clone, Default)]
pub(super) struct SetReaders(Arc<Mutex<Option<SetReader>>>);

/// Reader of the last task with own sets.
#[derive(Debug, Clone)]
struct SetReader {
    sets: Vec<PhotoId>,
    /// Sets of the worker's reader when this one was made.
    shelf: Arc<Shelf>,
    reader: Arc<Reader>,
}

/// Reason why no reader has the sets of a task.
#[derive(Debug, thiserror::Error)]
pub(super) enum TaskSetsError {
    /// The store can't be read now: a retry may succeed.
    #[error(transparent)]
    Store(StoreError),
    /// The file of a set is not in the store.
    #[error("an own set was removed before its photos were read")]
    Removed,
    /// A file is no set that this reader can use.
    #[error(transparent)]
    Set(#[from] SetError),
    /// The sets could not be prepared.
    #[error("preparing the own sets failed: {}", .0.0)]
    Work(WorkError),
}

impl SetReaders {
    /// Returns the reader for a task: the worker's, or one that has the sets of the task too.
    ///
    /// # Errors
    /// [`TaskSetsError`].
    pub(super) async fn for_task(
        &self,
        reader: &Arc<Reader>,
        store: &dyn Store,
        task: &Task,
    ) -> Result<Arc<Reader>, TaskSetsError> {
        if task.sets.is_empty() {
            return Ok(Arc::clone(reader));
        }
        let shelf = reader.sets();
        if let Some(known) = self.find(&task.sets, &shelf) {
            return Ok(known);
        }
        let sets = load(store, &task.sets).await?;
        let plain = Arc::clone(reader);
        let merging = worker_threads::run(move || plain.with_more_sets(sets));
        let merged = Arc::new(merging.await.map_err(TaskSetsError::Work)??);
        let made = SetReader { sets: task.sets.clone(), shelf, reader: Arc::clone(&merged) };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(made);
        Ok(merged)
    }

    fn find(&self, sets: &[PhotoId], shelf: &Arc<Shelf>) -> Option<Arc<Reader>> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.as_ref()?;
        let fits = known.sets == sets && Arc::ptr_eq(&known.shelf, shelf);
        fits.then(|| Arc::clone(&known.reader))
    }
}

/// Loads sets from their files.
async fn load(store: &dyn Store, files: &[PhotoId]) -> Result<Vec<OwnSet>, TaskSetsError> {
    let mut sets = Vec::new();
    for file in files {
        let bytes = store.photo(file).await.map_err(TaskSetsError::Store)?;
        sets.push(OwnSet::from_bytes(&bytes.ok_or(TaskSetsError::Removed)?)?);
    }
    Ok(sets)
}
