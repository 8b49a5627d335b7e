//! Batching of the requests of several threads into fewer runs.
//!
//! Input: one request at a time from each thread. Output: that request's answer. Requests wait
//! while a run is in progress. When it ends, one of the waiting threads takes the oldest request
//! and all that are compatible with it, and runs them as one batch. There is no timer: a single
//! request runs at once, and batches grow with the load, to the requests that arrive during a run.
//! Invariant: every request gets exactly one answer, also when a run fails or panics; no lock is
//! held during a run.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::networks::ModelError;
use crate::networks::error::network_failure;

/// A request whose rows can be joined with those of another for a run of a network.
pub(super) trait Joinable: Clone {
    /// Returns the number of rows: pictures or crops.
    fn count(&self) -> usize;
    /// Returns whether the rows of both requests have the same shape.
    fn goes_with(&self, other: &Self) -> bool;
    /// Appends the other request's rows.
    fn append(&mut self, other: &Self);
}

/// Answers to joined requests.
pub(super) trait Splittable: Sized {
    /// Splits the answers into those of requests with the given numbers of rows, in their order;
    /// `None` when there are more or fewer answers than rows.
    fn split(self, rows: &[usize]) -> Option<Vec<Self>>;
}

/// Cuts a list into parts of the given lengths; `None` when the lengths do not add up to the
/// list's.
pub(super) fn parts<T>(
    all: Vec<T>,
    lengths: impl Iterator<Item = usize> + Clone,
) -> Option<Vec<Vec<T>>> {
    if all.len() != lengths.clone().sum::<usize>() {
        return None;
    }
    let mut rest = all.into_iter();
    Some(lengths.map(|length| rest.by_ref().take(length).collect()).collect())
}

/// Batcher of several threads' requests to a network, with one run at a time.
#[derive(Debug)]
pub(super) struct Batcher<I, O> {
    network: &'static str,
    max_rows: usize,
    queue: Mutex<Queue<I, O>>,
    /// Signal that a run has ended.
    ended: Condvar,
}

#[derive(Debug)]
struct Queue<I, O> {
    is_running: bool,
    next: u64,
    /// Requests that no run has taken yet, oldest first.
    waiting: VecDeque<Request<I>>,
    /// Answers that were not fetched yet, by the request's number.
    answers: HashMap<u64, Result<O, ModelError>>,
}

#[derive(Debug)]
struct Request<I> {
    number: u64,
    input: I,
}

impl<I: Joinable, O: Splittable> Batcher<I, O> {
    /// Creates a batcher for a network by its name; a run takes at most `max_rows` rows, unless a
    /// single request has more.
    pub(super) fn new(network: &'static str, max_rows: usize) -> Batcher<I, O> {
        let queue =
            Queue { is_running: false, next: 0, waiting: VecDeque::new(), answers: HashMap::new() };
        Batcher { network, max_rows, queue: Mutex::new(queue), ended: Condvar::new() }
    }

    /// Answers a request. `run` runs the network, possibly with the rows of other threads before or
    /// behind this request's; it must be the same for all callers.
    ///
    /// # Errors
    /// The error of the run, or [`ModelError::Failed`] when it panicked: every request of the run
    /// gets it.
    pub(super) fn answer(
        &self,
        input: &I,
        run: impl Fn(&I) -> Result<O, ModelError>,
    ) -> Result<O, ModelError> {
        if !self.starts_alone() {
            return self.answer_among_others(input.clone(), run);
        }
        let answer = self.guard(|| run(input));
        self.end_run([]);
        answer
    }

    /// Returns whether the batcher was idle: if so, the caller must run its request and end the
    /// run.
    fn starts_alone(&self) -> bool {
        let mut queue = self.queue();
        let is_idle = !queue.is_running && queue.waiting.is_empty();
        queue.is_running |= is_idle;
        is_idle
    }

    fn answer_among_others(
        &self,
        input: I,
        run: impl Fn(&I) -> Result<O, ModelError>,
    ) -> Result<O, ModelError> {
        let mut queue = self.queue();
        let number = queue.enter(input);
        loop {
            if let Some(answer) = queue.answers.remove(&number) {
                return answer;
            }
            if queue.is_running {
                queue = self.ended.wait(queue).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let batch = queue.take_batch(self.max_rows);
            queue.is_running = true;
            drop(queue);
            self.end_run(self.run_together(batch, &run));
            queue = self.queue();
        }
    }

    fn run_together(
        &self,
        batch: Vec<Request<I>>,
        run: impl Fn(&I) -> Result<O, ModelError>,
    ) -> Vec<(u64, Result<O, ModelError>)> {
        let numbers: Vec<u64> = batch.iter().map(|request| request.number).collect();
        let answers = self.guard(|| {
            let rows: Vec<usize> = batch.iter().map(|request| request.input.count()).collect();
            let mut inputs = batch.into_iter().map(|request| request.input);
            let first =
                inputs.next().ok_or_else(|| network_failure(self.network, "a batch is empty"))?;
            let joined = inputs.fold(first, |mut joined, input| {
                joined.append(&input);
                joined
            });
            run(&joined)?.split(&rows).ok_or_else(|| {
                network_failure(self.network, "a batch has another number of answers than rows")
            })
        });
        match answers {
            Ok(answers) => numbers.into_iter().zip(answers.into_iter().map(Ok)).collect(),
            Err(error) => numbers.into_iter().map(|n| (n, Err(error.clone()))).collect(),
        }
    }

    /// Converts a panic into an error, so that no thread waits for an answer that never comes. ONNX
    /// Runtime keeps the state of a run outside the session, so the session can be used again.
    fn guard<T>(&self, run: impl FnOnce() -> Result<T, ModelError>) -> Result<T, ModelError> {
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
            let formatted = panic.downcast_ref::<String>().map(String::as_str);
            let said = formatted.or_else(|| panic.downcast_ref::<&str>().copied());
            let text = said.unwrap_or("no reason");
            Err(network_failure(self.network, format_args!("panicked: {text}")))
        })
    }

    fn end_run(&self, answers: impl IntoIterator<Item = (u64, Result<O, ModelError>)>) {
        let mut queue = self.queue();
        queue.is_running = false;
        queue.answers.extend(answers);
        drop(queue);
        self.ended.notify_all();
    }

    /// Locks the queue. It is consistent whenever the lock is free: nothing panics while it is
    /// held.
    fn queue(&self) -> MutexGuard<'_, Queue<I, O>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<I: Joinable, O> Queue<I, O> {
    fn enter(&mut self, input: I) -> u64 {
        let number = self.next;
        self.next += 1;
        self.waiting.push_back(Request { number, input });
        number
    }

    /// Takes the oldest request, and the later compatible ones that fit into the batch. A request
    /// that is too large for any batch runs when it is the oldest.
    fn take_batch(&mut self, max_rows: usize) -> Vec<Request<I>> {
        let mut batch: Vec<Request<I>> = Vec::new();
        let mut rows = 0;
        let waiting = std::mem::take(&mut self.waiting);
        for request in waiting {
            let fits = batch.first().is_none_or(|oldest| {
                request.input.goes_with(&oldest.input) && rows + request.input.count() <= max_rows
            });
            if fits {
                rows += request.input.count();
                batch.push(request);
            } else {
                self.waiting.push_back(request);
            }
        }
        batch
    }
}

#[cfg(test)]
mod tests;
