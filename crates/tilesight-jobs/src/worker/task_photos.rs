//! Photos of one task: the photo of the winning hand, and those of the other hands if the rules
//! score every player.
//!
//! Input: a task and the bytes of its photos. Output: readings, one photo at a time, and then the
//! outcome. Invariant: the outcome depends only on the task, and names an unreadable photo by its
//! form field.

use std::sync::Arc;

use tilesight_core::contract::{HandField, Problem, ProblemKind};
use tilesight_core::rules::{Book, OtherHand, Profile};
use tilesight_vision::contract::{SeatPhoto, TablePlan};
use tilesight_vision::{ModelError, ReadError, Reader, Reading, TableReading};

use super::Host;
use crate::{Outcome, Store, StoreError, Task};

/// Task whose photos are being read.
#[derive(Debug)]
pub(super) struct TaskPhotos {
    task: Task,
    ruleset: Arc<Profile>,
    rulesets: Option<Vec<Arc<Profile>>>,
    /// Photos that are not read yet, the next one last.
    waiting: Vec<SeatPhoto<Vec<u8>>>,
    /// Reading of the winner, then those of the other players.
    readings: Vec<Reading>,
    typed: Vec<OtherHand>,
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
        let TablePlan { ruleset, rulesets, photos, typed } = match task.ask.plan(task.photo, book) {
            Ok(plan) => plan,
            Err(problem) => return Ok(Err(Outcome::from_problem(problem))),
        };
        let mut waiting = Vec::with_capacity(photos.len());
        for SeatPhoto { place, photo, context, options, .. } in photos.into_iter().rev() {
            let Some(photo) = store.photo(&photo).await? else {
                return Ok(Err(Outcome::from_problem(removed_photo(place))));
            };
            waiting.push(SeatPhoto { place, photo, more: Vec::new(), context, options });
        }
        Ok(Ok(TaskPhotos {
            task: task.clone(),
            ruleset,
            rulesets,
            waiting,
            readings: Vec::new(),
            typed,
        }))
    }

    /// Returns the photo that is read next.
    pub(super) fn next(&self) -> &[u8] {
        self.waiting.last().map_or(&[], |next| next.photo.as_slice())
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
        let Some(next) = self.waiting.pop() else {
            return Ok(TaskProgress::Done(self.outcome(reader)));
        };
        match reader.read(&next.photo, &next.context, next.options) {
            Ok(reading) if self.readings.is_empty() => {
                host.read(&self.task, &reading);
                self.readings.push(reading);
            }
            Ok(reading) => {
                host.read_other(&self.task, &reading);
                self.readings.push(reading);
            }
            Err(ReadError::Model(error)) => return Err(error),
            Err(error) => {
                let problem =
                    name_photo(Problem::from(&error).translate(self.task.ask.lang), next.place);
                return Ok(TaskProgress::Done(Outcome::from_problem(problem)));
            }
        }
        if self.waiting.is_empty() {
            Ok(TaskProgress::Done(self.outcome(reader)))
        } else {
            Ok(TaskProgress::More(Box::new(self)))
        }
    }

    fn outcome(self, reader: &Reader) -> Outcome {
        let TaskPhotos { task, ruleset, rulesets, mut readings, typed, .. } = self;
        let winner = readings.remove(0);
        let table = TableReading::settle(ruleset, winner, readings, typed);
        Outcome::from_table(&table, rulesets.as_deref(), reader.model().manifest(), task.ask.lang)
    }
}

/// Returns the problem of a photo that was removed while its task was still wanted: its job
/// released it too early.
fn removed_photo(place: Option<HandField>) -> Problem {
    let detail = "the photo was removed before it was read";
    name_photo(Problem::new(ProblemKind::NotFound, detail), place)
}

/// Returns a problem that names its photo, if there are several.
fn name_photo(problem: Problem, place: Option<HandField>) -> Problem {
    match place {
        Some(place) => problem.about(&place.photo()),
        None => problem,
    }
}
