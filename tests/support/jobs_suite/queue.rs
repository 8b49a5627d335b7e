//! Guarantees of a queue.

use std::collections::HashMap;
use std::time::Duration;

use tilesight_jobs::{
    Backend, Backlog, Company, FailResult, Lease, MAX_ATTEMPTS, Priority, PushResult, QueueError,
};

use super::{
    COMING, FreshBackend, LONG, SHORT, assert_no_task_waits, begun, leased, name, task, tasks,
};

pub(crate) async fn a_pushed_task_is_leased_once(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    assert_no_task_waits(&backend).await;
    let pushed = backend.queue.push(&tasks(2), Priority::Normal).await;
    assert_eq!(pushed, Ok(vec![PushResult::New; 2]));
    let one = leased(&backend, "a").await;
    let two = leased(&backend, "b").await;
    assert_eq!((one.attempt, two.attempt), (1, 1));
    // The tasks of a push are stored at the same time: either of the two may come first.
    let orders = [[task(0), task(1)], [task(1), task(0)]];
    assert!(orders.contains(&[one.task.clone(), two.task.clone()]), "{one:?} {two:?}");
    assert_no_task_waits(&backend).await;
    backend.queue.complete(one).await.expect("done");
    backend.queue.complete(two).await.expect("done");
    assert_eq!(backend.queue.backlog().await, Ok(Backlog::default()));
}

pub(crate) async fn a_task_known_already_is_not_pushed_again(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let twice = [task(0), task(0), task(1)];
    let pushed = backend.queue.push(&twice, Priority::Normal).await;
    // The tasks of a push are stored at the same time: either of the two may come first.
    let pushed = pushed.expect("three results");
    let new = pushed.iter().filter(|&&result| result == PushResult::New).count();
    assert_eq!((new, pushed[2]), (2, PushResult::New), "{pushed:?}");
    let lease = leased(&backend, "a").await;
    // One task is held now and the other waits.
    let pushed = backend.queue.push(&tasks(2), Priority::Normal).await;
    assert_eq!(pushed, Ok(vec![PushResult::Known; 2]));
    backend.queue.complete(lease).await.expect("done");
    backend.queue.complete(leased(&backend, "a").await).await.expect("done");
    assert_no_task_waits(&backend).await;
}

pub(crate) async fn urgent_tasks_then_older_ones_go_first(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (normal, high) = (Priority::Normal, Priority::High);
    // Tasks of one call may wait in any order.
    for (n, priority) in [(0, normal), (1, normal), (2, high), (3, high), (4, normal)] {
        backend.queue.push(&[task(n)], priority).await.expect("pushed");
    }
    for expected in [2, 3, 0, 1, 4] {
        let lease = leased(&backend, "a").await;
        assert_eq!(lease.task, task(expected));
        backend.queue.complete(lease).await.expect("done");
    }
}

pub(crate) async fn a_waiting_worker_notices_a_push(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let waiting = tokio::spawn({
        let backend = backend.clone();
        async move { leased(&backend, "a").await }
    });
    backend.queue.push(&tasks(1), Priority::Normal).await.expect("pushed");
    assert_eq!(waiting.await.expect("it gets one").task, task(0));
}

pub(crate) async fn an_expired_lease_goes_to_another_worker(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(SHORT).await;
    backend.queue.push(&tasks(1), Priority::Normal).await.expect("pushed");
    let lost = begun(&backend, "a").await;
    let lease = leased(&backend, "b").await;
    assert_eq!((&lease.task, lease.attempt), (&task(0), 2));
    assert_eq!(backend.queue.begin(&lost, Company::Alone).await, Err(QueueError::Lost));
    assert_eq!(backend.queue.extend(&lost).await, Err(QueueError::Lost));
    assert_eq!(backend.queue.fail(lost.clone(), "late").await, Err(QueueError::Lost));
    backend.queue.give_back(lost).await.expect("nobody minds");
    // The old holder did not take the task from the new one.
    backend.queue.extend(&lease).await.expect("still held");
    backend.queue.complete(lease).await.expect("done");
    assert_eq!(backend.queue.backlog().await, Ok(Backlog::default()));
}

pub(crate) async fn a_lease_that_is_extended_stays(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(SHORT).await;
    backend.queue.push(&tasks(1), Priority::Normal).await.expect("pushed");
    let lease = leased(&backend, "a").await;
    let end = tokio::time::Instant::now() + 2 * SHORT;
    while tokio::time::Instant::now() < end {
        let other = backend.queue.lease(&name("b"), SHORT / 5).await.expect("the queue answers");
        assert_eq!(other, None, "it is held");
        backend.queue.extend(&lease).await.expect("still held");
    }
    backend.queue.complete(lease).await.expect("done");
    assert_eq!(backend.queue.backlog().await, Ok(Backlog::default()));
}

pub(crate) async fn only_a_started_reading_is_an_attempt(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(SHORT).await;
    backend.queue.push(&tasks(1), Priority::Normal).await.expect("pushed");
    // Repeated as many times as a task has attempts: the holder may have lost its connection, or
    // never began to read.
    for _ in 1..=MAX_ATTEMPTS {
        assert_eq!(leased(&backend, "cut-off").await.attempt, 1);
    }
    let lease = begun(&backend, "a").await;
    assert_eq!(lease.attempt, 1);
    // A client that lost the answer repeats the call.
    backend.queue.begin(&lease, Company::Alone).await.expect("still held");
    assert_eq!(leased(&backend, "cut-off").await.attempt, 2);
    let lease = begun(&backend, "b").await;
    assert_eq!(lease.attempt, 2);
    backend.queue.complete(lease).await.expect("done");
    // Attempts are deleted with their task.
    backend.queue.push(&tasks(1), Priority::Normal).await.expect("pushed");
    assert_eq!(leased(&backend, "c").await.attempt, 1);
    assert_eq!(leased(&backend, "c").await.attempt, 1);
}

pub(crate) async fn a_late_worker_withdraws_its_attempt(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(SHORT).await;
    backend.queue.push(&tasks(1), Priority::Normal).await.expect("pushed");
    let late = begun(&backend, "late").await;
    let vanished = begun(&backend, "vanished").await;
    assert_eq!(vanished.attempt, 2);
    let lease = leased(&backend, "a").await;
    assert_eq!(lease.attempt, 3);
    for _ in 0..2 {
        backend.queue.give_back(late.clone()).await.expect("nobody minds");
    }
    // The late call did not affect the task's holder, and removed only its own reading.
    backend.queue.extend(&lease).await.expect("still held");
    backend.queue.give_back(lease).await.expect("given back");
    let lease = leased(&backend, "a").await;
    assert_eq!(lease.attempt, 2);
    backend.queue.complete(lease).await.expect("done");
    // A holder that returns after the end leaves no trace.
    backend.queue.give_back(late).await.expect("nobody minds");
    assert_eq!(backend.queue.backlog().await, Ok(Backlog::default()));
}

pub(crate) async fn three_failures_make_a_dead_letter(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    // Pushed one after the other, since the tasks of one push may come in any order.
    backend.queue.push(&[task(0)], Priority::Normal).await.expect("pushed");
    backend.queue.push(&[task(1)], Priority::Normal).await.expect("pushed");
    backend.queue.complete(leased(&backend, "a").await).await.expect("done");
    for attempt in 1..=MAX_ATTEMPTS {
        let lease = leased(&backend, "a").await;
        assert_eq!(lease.attempt, attempt);
        if attempt > 1 {
            // The first attempt fails before it begins, for example because its photo can't be
            // fetched.
            backend.queue.begin(&lease, Company::Alone).await.expect("it is held");
        }
        let became = backend.queue.fail(lease, &format!("reason {attempt}")).await;
        let expected = if attempt < MAX_ATTEMPTS { FailResult::Retried } else { FailResult::Dead };
        assert_eq!(became, Ok(expected), "attempt {attempt}");
    }
    assert_no_task_waits(&backend).await;
    let dead = backend.queue.dead_letters(10).await.expect("the queue answers");
    let letters: Vec<_> =
        dead.iter().map(|dead| (dead.task.clone(), dead.attempts, dead.reason.as_str())).collect();
    assert_eq!(letters, [(task(1), MAX_ATTEMPTS, "reason 3")]);
    assert_eq!(backend.queue.backlog().await, Ok(Backlog { dead: 1, ..Backlog::default() }));

    // A new request for the task gets new attempts.
    assert_eq!(backend.queue.push(&[task(1)], Priority::Normal).await, Ok(vec![PushResult::New]));
    let lease = leased(&backend, "a").await;
    assert_eq!((&lease.task, lease.attempt), (&task(1), 1));
    backend.queue.complete(lease).await.expect("done");
    backend.queue.delete_dead_letter(&task(1).key).await.expect("forgotten");
    assert_eq!(backend.queue.dead_letters(10).await, Ok(vec![]));
}

pub(crate) async fn three_lost_workers_make_a_dead_letter(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(SHORT).await;
    backend.queue.push(&tasks(1), Priority::Normal).await.expect("pushed");
    for attempt in 1..=MAX_ATTEMPTS {
        assert_eq!(begun(&backend, "a").await.attempt, attempt);
    }
    let lease = leased(&backend, "b").await;
    assert!(lease.is_spent(), "{lease:?}");
    assert_eq!(backend.queue.fail(lease, "vanished").await, Ok(FailResult::Dead));
    assert_no_task_waits(&backend).await;
    let dead = backend.queue.dead_letters(10).await.expect("the queue answers");
    assert_eq!((dead[0].attempts, dead[0].reason.as_str()), (MAX_ATTEMPTS, "vanished"));
}

/// Lets processes end while they read the task beside others, and one that reads it alone: only the
/// last says something about its photo.
pub(crate) async fn a_worker_lost_beside_other_readings_is_no_failure(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(SHORT).await;
    backend.queue.push(&tasks(1), Priority::Normal).await.expect("pushed");
    for lost in 0..2 {
        let lease = begun_in(&backend, Company::Others).await;
        assert_eq!((lease.attempt, lease.failures), (lost + 1, 0));
    }
    let lease = begun_in(&backend, Company::Alone).await;
    assert_eq!((lease.attempt, lease.failures), (3, 0));
    let lease = leased(&backend, "a").await;
    assert_eq!((lease.attempt, lease.failures), (4, 1));
}

/// Leases the task and begins it twice, as a client does that lost the answer. Where the machine is
/// so busy that the lease ends before, the task is leased again.
async fn begun_in(backend: &Backend, company: Company) -> Lease {
    loop {
        let lease = leased(backend, "killed").await;
        let begun = backend.queue.begin(&lease, company).await;
        match begun {
            Ok(()) => {
                let again = backend.queue.begin(&lease, company).await;
                assert!(matches!(again, Ok(()) | Err(QueueError::Lost)), "{again:?}");
                return lease;
            }
            Err(error) => assert_eq!(error, QueueError::Lost),
        }
    }
}

/// Counts a failure that a worker reports, also of a task that it read beside others.
pub(crate) async fn a_reported_failure_counts_beside_other_readings(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    backend.queue.push(&tasks(1), Priority::Normal).await.expect("pushed");
    let lease = leased(&backend, "a").await;
    assert_eq!((lease.attempt, lease.failures), (1, 0));
    backend.queue.begin(&lease, Company::Others).await.expect("it is held");
    assert_eq!(backend.queue.fail(lease, "bad luck").await, Ok(FailResult::Retried));
    let lease = leased(&backend, "a").await;
    assert_eq!((lease.attempt, lease.failures), (2, 1));
    backend.queue.forget_attempts(&lease.task.key).await.expect("forgotten");
    backend.queue.give_back(lease).await.expect("given back");
    let lease = leased(&backend, "a").await;
    assert_eq!((lease.attempt, lease.failures), (1, 0));
}

pub(crate) async fn a_returned_task_is_not_an_attempt(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    backend.queue.push(&tasks(2), Priority::Normal).await.expect("pushed");
    // More often than there are attempts; the other task gets its turn meanwhile.
    let mut seen = HashMap::new();
    for _ in 0..2 * (MAX_ATTEMPTS + 1) {
        let lease = begun(&backend, "a").await;
        assert_eq!(lease.attempt, 1);
        *seen.entry(lease.task.key).or_insert(0) += 1;
        backend.queue.give_back(lease).await.expect("given back");
    }
    assert_eq!(
        seen,
        HashMap::from([(task(0).key, MAX_ATTEMPTS + 1), (task(1).key, MAX_ATTEMPTS + 1)])
    );
    // A failed attempt still counts after a lease that was not an attempt.
    let lease = leased(&backend, "a").await;
    backend.queue.complete(leased(&backend, "a").await).await.expect("done");
    assert_eq!(backend.queue.fail(lease, "bad luck").await, Ok(FailResult::Retried));
    let lease = begun(&backend, "a").await;
    assert_eq!(lease.attempt, 2);
    backend.queue.give_back(lease).await.expect("given back");
    assert_eq!(leased(&backend, "a").await.attempt, 2);
}

pub(crate) async fn a_finished_task_can_be_pushed_again(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    for _ in 0..3 {
        let pushed = backend.queue.push(&tasks(1), Priority::Normal).await;
        assert_eq!(pushed, Ok(vec![PushResult::New]));
        let lease = leased(&backend, "a").await;
        assert_eq!(lease.attempt, 1);
        backend.queue.complete(lease).await.expect("done");
    }
}

pub(crate) async fn the_backlog_counts(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    backend.queue.push(&tasks(5), Priority::Normal).await.expect("pushed");
    let (one, _two) = (leased(&backend, "a").await, leased(&backend, "b").await);
    let backlog = backend.queue.backlog().await.expect("the queue answers");
    assert_eq!(backlog, Backlog { waiting: 3, held: 2, dead: 0 });
    backend.queue.give_back(one).await.expect("given back");
    let backlog = backend.queue.backlog().await.expect("the queue answers");
    assert_eq!(backlog, Backlog { waiting: 4, held: 1, dead: 0 });
}

pub(crate) async fn many_workers_lose_no_task(open: impl AsyncFn(Duration) -> FreshBackend) {
    const COUNT: u32 = 400;
    let FreshBackend { backend, _kept } = open(LONG).await;
    let workers: Vec<_> = (0..8)
        .map(|worker| {
            let backend = backend.clone();
            tokio::spawn(async move {
                let (name, mut got) = (name(&format!("worker-{worker}")), Vec::new());
                // The end is a task of its own, so that no worker waits in vain.
                while let Some(lease) = backend.queue.lease(&name, COMING).await.expect("answers") {
                    let task = lease.task.clone();
                    backend.queue.complete(lease).await.expect("done");
                    if task.key == self::task(u32::MAX).key {
                        let end = [self::task(u32::MAX)];
                        backend.queue.push(&end, Priority::Normal).await.expect("pushed");
                        break;
                    }
                    got.push(task.key);
                }
                got
            })
        })
        .collect();
    for some in tasks(COUNT).chunks(50) {
        backend.queue.push(some, Priority::Normal).await.expect("pushed");
    }
    backend.queue.push(&[task(u32::MAX)], Priority::Normal).await.expect("pushed");
    let mut all = Vec::new();
    for worker in workers {
        all.extend(worker.await.expect("it ends"));
    }
    all.sort_unstable();
    let mut expected: Vec<_> = tasks(COUNT).into_iter().map(|task| task.key).collect();
    expected.sort_unstable();
    assert_eq!(all, expected);
}
