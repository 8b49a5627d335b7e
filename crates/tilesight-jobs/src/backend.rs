//! Queue and store together, and the submission of a job's items, for the first time or again.
//!
//! Items are written to the store before their tasks are pushed to the queue, so that a process
//! that dies in between loses nothing: [`Backend::resume`] pushes all tasks without an outcome.
//! Invariant: any process may repeat both calls at any time, without a photo being read in vain.

use std::sync::Arc;

use crate::{Item, JobId, NewItem, Priority, Queue, QueueError, Store, StoreError, Task};

/// Number of items that are processed at once: enough to make a commit cheap, few enough for
/// memory.
const PAGE: usize = 500;

/// A queue and a store that belong together.
#[derive(Debug, Clone)]
pub struct Backend {
    /// Queue of the tasks.
    pub queue: Arc<dyn Queue>,
    /// Store of the jobs, their items and outcomes.
    pub store: Arc<dyn Store>,
}

/// Error when items could not be submitted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// The store did not accept the items.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The queue did not accept the tasks; the store has the items, and [`Backend::resume`]
    /// continues.
    #[error(transparent)]
    Queue(#[from] QueueError),
}

impl Backend {
    /// Appends items, as [`append`](crate::Store::append) does, and pushes the tasks of those that
    /// have no outcome yet. Returns the number of items that the job has now.
    ///
    /// # Errors
    /// [`SubmitError`]; after [`QueueError::Full`] the items are in the store and wait for
    /// [`Backend::resume`].
    pub async fn submit(
        &self,
        job: &JobId,
        from: u64,
        items: &[NewItem],
        priority: Priority,
    ) -> Result<u64, SubmitError> {
        let total = self.store.append(job, from, items).await?;
        self.push_pending(job, from, from + items.len() as u64, priority).await?;
        Ok(total)
    }

    /// Pushes every task of a job that has no outcome: after a start, or once a full queue has
    /// space again. Returns the number of tasks that were new to the queue.
    ///
    /// # Errors
    /// [`SubmitError`].
    pub async fn resume(&self, job: &JobId, priority: Priority) -> Result<u64, SubmitError> {
        self.push_pending(job, 0, u64::MAX, priority).await
    }

    async fn push_pending(
        &self,
        job: &JobId,
        mut from: u64,
        end: u64,
        priority: Priority,
    ) -> Result<u64, SubmitError> {
        let mut new = 0;
        while from < end {
            let max = PAGE.min(usize::try_from(end - from).unwrap_or(PAGE));
            let items = self.store.items(job, from, max).await?;
            let Some(last) = items.last() else { break };
            from = last.index + 1;
            let tasks: Vec<Task> = items.into_iter().filter_map(pending).collect();
            if !tasks.is_empty() {
                let pushed = self.queue.push(&tasks, priority).await?;
                new += pushed.iter().filter(|pushed| **pushed == super::PushResult::New).count()
                    as u64;
            }
        }
        Ok(new)
    }
}

fn pending(item: Item) -> Option<Task> {
    item.task.filter(|_| item.outcome.is_none())
}
