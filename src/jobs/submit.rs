//! Bringing a job's items to the queue, for the first time or once more.
//!
//! Items go to the store before their tasks go to the queue, so that a process that dies in between
//! has lost nothing: [`Backend::resume`] pushes what has no outcome. Invariant: both calls may be
//! repeated, by whomever and however often, without a photo being read for nothing.

use super::{Backend, Item, JobId, NewItem, Priority, QueueError, StoreError, Task};

/// How many items are looked at at once: enough for a commit to cost little, few enough for memory.
const PAGE: usize = 500;

/// Why items did not get to where they are read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SubmitError {
    /// The store does not take them.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The queue does not take them; the store has them, and [`Backend::resume`] goes on.
    #[error(transparent)]
    Queue(#[from] QueueError),
}

impl Backend {
    /// Appends items, as [`append`](super::Store::append) does, and lets those wait to be read that
    /// have no outcome yet. Returns how many items the job has now.
    ///
    /// # Errors
    /// [`SubmitError`]; after [`QueueError::Full`] the items are there and wait for
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

    /// Pushes every task of a job that has no outcome: after a start, and after a queue that was
    /// full has room again. Returns how many the queue did not know.
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
            let most = PAGE.min(usize::try_from(end - from).unwrap_or(PAGE));
            let items = self.store.items(job, from, most).await?;
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
