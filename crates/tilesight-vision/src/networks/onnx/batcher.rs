//! Requests of several threads, answered by fewer runs.
//!
//! Input: from each thread one request at a time. Output: its own answer. While a run is under way,
//! requests wait; when it ends, one of the waiting threads takes the oldest request and all that
//! can go with it, and runs them as one. Nobody waits for a clock: a request that comes alone runs
//! at once, and batches grow with the load, to what comes in during a run. Invariant: every request
//! gets exactly one answer, also when a run fails or panics; no lock is held during a run.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::networks::ModelError;
use crate::networks::error::failed;

/// A request whose rows can go through a network together with those of another.
pub(super) trait Joinable: Clone {
    /// Its rows: pictures or crops.
    fn count(&self) -> usize;
    /// Whether the rows of both have the same shape.
    fn goes_with(&self, other: &Self) -> bool;
    /// Puts the other's rows behind its own.
    fn append(&mut self, other: &Self);
}

/// Answers to joined requests.
pub(super) trait Splittable: Sized {
    /// The answers to requests with so many rows each, in their order; `None` when the answers are
    /// more or fewer than all those rows.
    fn split(self, rows: &[usize]) -> Option<Vec<Self>>;
}

/// A list cut into parts of these lengths; `None` when it is shorter or longer than all of them.
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

/// Runs one network for several threads, one run at a time.
#[derive(Debug)]
pub(super) struct Batcher<I, O> {
    network: &'static str,
    most_rows: usize,
    queue: Mutex<Queue<I, O>>,
    /// A run has ended.
    ended: Condvar,
}

#[derive(Debug)]
struct Queue<I, O> {
    is_running: bool,
    next: u64,
    /// What no run has taken yet, the oldest first.
    waiting: VecDeque<Request<I>>,
    /// What nobody has fetched yet, by the request's number.
    answers: HashMap<u64, Result<O, ModelError>>,
}

#[derive(Debug)]
struct Request<I> {
    number: u64,
    input: I,
}

impl<I: Joinable, O: Splittable> Batcher<I, O> {
    /// For a network by its name; a run takes at most so many rows, unless one request has more.
    pub(super) fn new(network: &'static str, most_rows: usize) -> Batcher<I, O> {
        let (waiting, answers) = (VecDeque::new(), HashMap::new());
        let queue = Mutex::new(Queue { is_running: false, next: 0, waiting, answers });
        Batcher { network, most_rows, queue, ended: Condvar::new() }
    }

    /// Answers one request. `run` runs the network, perhaps with the rows of other threads behind
    /// or before this one's; it is the same for all callers.
    ///
    /// # Errors
    /// What the run failed with, [`ModelError::Failed`] when it panicked: each of its requests gets
    /// the error.
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

    /// Whether nothing runs and nothing waits: then the caller runs, and ends the run.
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
            let batch = queue.take_batch(self.most_rows);
            queue.is_running = true;
            drop(queue);
            self.end_run(self.run_together(batch, &run));
            queue = self.queue();
        }
    }

    /// One run for all requests of a batch.
    fn run_together(
        &self,
        batch: Vec<Request<I>>,
        run: impl Fn(&I) -> Result<O, ModelError>,
    ) -> Vec<(u64, Result<O, ModelError>)> {
        let numbers: Vec<u64> = batch.iter().map(|request| request.number).collect();
        let answers = self.guard(|| {
            let rows: Vec<usize> = batch.iter().map(|request| request.input.count()).collect();
            let mut inputs = batch.into_iter().map(|request| request.input);
            let first = inputs.next().ok_or_else(|| failed(self.network, "a batch is empty"))?;
            let joined = inputs.fold(first, |mut joined, input| {
                joined.append(&input);
                joined
            });
            let wrong = || failed(self.network, "a batch has another number of answers than rows");
            run(&joined)?.split(&rows).ok_or_else(wrong)
        });
        match answers {
            Ok(answers) => numbers.into_iter().zip(answers.into_iter().map(Ok)).collect(),
            Err(error) => numbers.into_iter().map(|n| (n, Err(error.clone()))).collect(),
        }
    }

    /// Turns a panic into an error, so that no thread waits for an answer that never comes. ONNX
    /// Runtime keeps the state of a run outside the session, which can be used again.
    fn guard<T>(&self, run: impl FnOnce() -> Result<T, ModelError>) -> Result<T, ModelError> {
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(failed(self.network, format_args!("panicked: {}", text.unwrap_or("no reason"))))
        })
    }

    fn end_run(&self, answers: impl IntoIterator<Item = (u64, Result<O, ModelError>)>) {
        let mut queue = self.queue();
        queue.is_running = false;
        queue.answers.extend(answers);
        drop(queue);
        self.ended.notify_all();
    }

    /// The queue is whole whenever the lock is free: nothing panics while it is held.
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

    /// The oldest request, and those behind it that go with it while they fit. A request that fits
    /// into no batch runs when it is the oldest.
    fn take_batch(&mut self, most_rows: usize) -> Vec<Request<I>> {
        let mut batch: Vec<Request<I>> = Vec::new();
        let mut rows = 0;
        let waiting = std::mem::take(&mut self.waiting);
        for request in waiting {
            let fits = batch.first().is_none_or(|oldest| {
                request.input.goes_with(&oldest.input) && rows + request.input.count() <= most_rows
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
