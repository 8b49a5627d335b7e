//! Guarantees of every back end for jobs: one suite, run against each of them.
//!
//! A test file of a back end has a function that opens a fresh back end with the lease time of the
//! case, and invokes `suite!(open)`. A case waits only for events, in the calls that wait for them;
//! no case sleeps. Invariant: a case that is not listed in the macro is dead code, and the build
//! says so.

pub(crate) mod documents;
pub(crate) mod outage;
pub(crate) mod queue;
pub(crate) mod store;
pub(crate) mod worker;

use std::any::Any;
use std::time::Duration;

use tilesight_core::context::ContextSetup;
use tilesight_core::contract::{ContextDto, Problem, ProblemKind};
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_core::tile::Wind;
use tilesight_jobs::{
    Backend, Company, Engine, JobId, Lease, Name, NewItem, NewJob, Outcome, PhotoId, Task, Work,
};
use tilesight_vision::contract::TableRequest;
use tilesight_vision::networks::Model as _;
use tilesight_vision::networks::fake::PaintedModel;

use crate::waiting::PATIENCE;

/// A lease time longer than any case.
pub(crate) const LONG: Duration = Duration::from_secs(600);
/// A lease time for cases that wait for its end. The clock of a lease is the server's and can't be
/// stopped, so this is many times what two calls in a row take beside four busy loops.
pub(crate) const SHORT: Duration = Duration::from_secs(4);
/// Time limit of a case for an expected event.
pub(crate) const COMING: Duration = PATIENCE;
/// Time for which a case waits for an event that must not happen.
pub(crate) const NOTHING: Duration = Duration::from_millis(50);

/// A back end of its own, and a value that must live as long.
pub(crate) struct FreshBackend {
    pub(crate) backend: Backend,
    pub(crate) _kept: Box<dyn Any + Send + Sync>,
}

/// Runs every case against the back ends that a function opens:
/// `async fn open(Duration) -> FreshBackend`.
#[macro_export]
macro_rules! suite {
    ($open:path) => {
        suite!(@ $open, queue:
            a_pushed_task_is_leased_once
            a_task_known_already_is_not_pushed_again
            urgent_tasks_then_older_ones_go_first
            a_waiting_worker_notices_a_push
            an_expired_lease_goes_to_another_worker
            a_lease_that_is_extended_stays
            only_a_started_reading_is_an_attempt
            a_late_worker_withdraws_its_attempt
            three_failures_make_a_dead_letter
            three_lost_workers_make_a_dead_letter
            a_worker_lost_beside_other_readings_is_no_failure
            a_reported_failure_counts_beside_other_readings
            a_returned_task_is_not_an_attempt
            a_finished_task_can_be_pushed_again
            the_backlog_counts
            many_workers_lose_no_task
        );
        suite!(@ $open, store:
            items_keep_their_order
            appending_again_changes_nothing
            a_sealed_job_takes_no_more
            missing_records_are_reported
            the_first_outcome_stays
            a_job_is_finished_with_its_last_outcome
            known_outcomes_cost_nothing
            a_cancelled_job_has_nothing_pending
            photos_are_stored_as_long_as_a_job_refers_to_them
            several_processes_release_the_same_photos
            a_job_is_deleted_with_its_data
            jobs_expire
            expired_data_is_swept_by_one_of_many
            jobs_are_listed_by_owner_and_page
            storage_is_counted_per_client
            odd_ids_and_large_outcomes_come_back
        );
        suite!(@ $open, documents:
            a_document_is_saved_loaded_and_removed
            a_stale_save_is_refused
            kinds_are_separate
            concurrent_writers_lose_nothing
        );
        suite!(@ $open, outage:
            an_outage_is_not_an_attempt
        );
        suite!(@ $open, worker:
            every_item_gets_what_its_photo_shows
            the_same_photo_is_read_once
            tasks_of_a_killed_worker_are_read_by_another
            a_photo_that_crashes_workers_is_given_up
            a_photo_that_crashed_three_workers_is_not_read_again
            broken_networks_stop_the_worker
            a_cancelled_job_is_not_read
            a_task_for_another_engine_is_returned
            a_worker_reads_with_the_own_sets_that_it_has
            a_worker_reads_with_the_own_sets_that_came_with_a_job
            a_task_that_does_not_match_its_key_is_rejected
            waiting_tasks_are_returned_at_the_end
            a_task_wanted_again_while_it_is_dropped_is_read
            a_suspect_is_alone_until_its_end_is_reported
            a_queue_that_lost_everything_is_refilled
        );
    };
    (@ $open:path, $part:ident: $($case:ident)*) => {
        mod $part {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    $crate::jobs_suite::$part::$case($open).await;
                }
            )*
        }
    };
}

pub(crate) fn name(text: &str) -> Name {
    text.parse().expect("a name")
}

/// Returns the engine of the tests' own worker.
pub(crate) fn engine() -> Engine {
    Engine::new(PaintedModel::default().manifest(), &Book::shipped())
}

/// Returns a task for a photo that is not stored.
pub(crate) fn task(n: u32) -> Task {
    Task::new(TableRequest::from_photo(PhotoId::from_bytes(&n.to_be_bytes())), Lang::En, engine())
}

/// Returns a task for the same photo, with another win context.
pub(crate) fn with_other_context(task: &Task) -> Task {
    let context =
        ContextDto::from(ContextSetup { seat: Some(Wind::North), ..ContextSetup::default() });
    let table = TableRequest { fields: context.into(), ..task.table.clone() };
    Task::new(table, Lang::En, engine())
}

pub(crate) fn tasks(count: u32) -> Vec<Task> {
    (0..count).map(task).collect()
}

pub(crate) fn items(tasks: &[Task]) -> Vec<NewItem> {
    let named = tasks.iter().enumerate();
    named
        .map(|(n, task)| NewItem { id: format!("photo {n}"), work: Work::Read(task.clone()) })
        .collect()
}

/// Returns a distinct outcome.
pub(crate) fn refused(detail: &str) -> Outcome {
    Outcome::from_problem(Problem::new(ProblemKind::UnreadableImage, detail))
}

/// Returns an outcome that counts as a reading, with any content.
pub(crate) fn read(text: &str) -> Outcome {
    let json = format!(r#"{{"reading":{}}}"#, serde_json::Value::from(text));
    Outcome::from_json(json).expect("an outcome")
}

/// Returns a job without an owner that does not expire.
pub(crate) fn job() -> NewJob {
    NewJob::new(JobId::random().expect("random numbers"))
}

/// Creates a job with these tasks, sealed.
pub(crate) async fn sealed(backend: &Backend, tasks: &[Task]) -> JobId {
    let new = job();
    backend.store.create(&new).await.expect("created");
    backend.store.append(&new.id, 0, &items(tasks)).await.expect("appended");
    backend.store.seal(&new.id).await.expect("sealed");
    new.id
}

/// Returns a lease, which must be available.
pub(crate) async fn leased(backend: &Backend, worker: &str) -> Lease {
    let lease = backend.queue.lease(&name(worker), COMING).await.expect("the queue answers");
    lease.expect("a task waits")
}

/// Returns a lease under which a reading has begun.
pub(crate) async fn begun(backend: &Backend, worker: &str) -> Lease {
    let lease = leased(backend, worker).await;
    backend.queue.begin(&lease, Company::Alone).await.expect("it is held");
    lease
}

/// Asserts that no task waits.
pub(crate) async fn assert_no_task_waits(backend: &Backend) {
    let lease = backend.queue.lease(&name("nobody"), NOTHING).await.expect("the queue answers");
    assert_eq!(lease, None);
}
