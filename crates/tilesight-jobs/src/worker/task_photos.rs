//! Photos of one task: the photo of the winning hand, and those of the other hands if the rules
//! score every player.
//!
//! Input: a task and the bytes of its photos. Output: readings, one photo at a time, and then the
//! outcome. Invariant: the outcome depends only on the task, and names an unreadable photo by its
//! form field.

use std::sync::Arc;

use tilesight_core::contract::{HandField, Problem, ProblemKind};
use tilesight_core::rules::{Book, Profile};
use tilesight_vision::{ModelError, ReadError, Reader, TableReader};

use super::Host;
use crate::{Outcome, Store, StoreError, Task};

/// Task whose photos are being read.
#[derive(Debug)]
pub(super) struct TaskPhotos {
    task: Task,
    rulesets: Option<Vec<Arc<Profile>>>,
    table: TableReader<Vec<u8>>,
}

/// Progress after reading one photo.
#[derive(Debug)]
pub(super) enum TaskProgress {
    /// Further photos remain.
    More(Box<TaskPhotos>),
    /// All photos were read, or one of them can't be.
    Done(Outcome),
}

impl TaskPhotos {
    /// Fetches the photos of a task.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) async fn fetch(
        store: &dyn Store,
        task: &Task,
        book: &Book,
    ) -> Result<Result<TaskPhotos, Outcome>, StoreError> {
        let (table, ids) = task.table.clone().take_photos();
        let mut photos = Vec::with_capacity(ids.len());
        for (id, place) in ids {
            match store.photo(&id).await? {
                Some(photo) => photos.push(photo),
                None => return Ok(Err(Outcome::from_problem(removed_photo(place)))),
            }
        }
        let mut plan = match table.with_photos(photos).plan(book) {
            Ok(plan) => plan,
            Err(problem) => return Ok(Err(Outcome::from_problem(problem))),
        };
        let rulesets = plan.rulesets.take();
        Ok(Ok(TaskPhotos { task: task.clone(), rulesets, table: TableReader::new(plan) }))
    }

    /// Returns the photo that is read next.
    pub(super) fn next(&self) -> &[u8] {
        self.table.next_photo().map_or(&[], Vec::as_slice)
    }

    /// Reads the next photo.
    ///
    /// # Errors
    /// [`ModelError`]: the photo is not at fault.
    pub(super) fn read(
        mut self,
        reader: &Reader,
        host: &dyn Host,
    ) -> Result<TaskProgress, ModelError> {
        let is_winner = self.table.readings().is_empty();
        match self.table.read_next(reader) {
            Ok(None) => {}
            Ok(Some(reading)) if is_winner => host.read(&self.task, reading),
            Ok(Some(reading)) => host.read_other(&self.task, reading),
            Err(error) => match error.error {
                ReadError::Model(error) => return Err(error),
                _ => {
                    let problem = Problem::from(&error).translate(self.task.lang);
                    return Ok(TaskProgress::Done(Outcome::from_problem(problem)));
                }
            },
        }
        if self.table.next_photo().is_some() {
            return Ok(TaskProgress::More(Box::new(self)));
        }
        let TaskPhotos { task, rulesets, table } = self;
        let table = table.settle().expect("the winner's hand is read first");
        let manifest = reader.model().manifest();
        let outcome = Outcome::from_table(&table, rulesets.as_deref(), manifest, task.lang);
        Ok(TaskProgress::Done(outcome))
    }
}

/// Returns the problem of a photo that was removed while its task was still wanted: its job
/// released it too early.
fn removed_photo(place: Option<HandField>) -> Problem {
    let detail = "the photo was removed before it was read";
    Problem::new(ProblemKind::NotFound, detail).about_photo(place)
}
