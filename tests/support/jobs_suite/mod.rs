//! What every back end of the jobs promises: one suite, run against each of them.
//!
//! A test file of a back end brings a function that opens a fresh one, with the lease time that a case
//! asks for, and writes `suite!(open)`. A case waits only for things that happen, in the calls that wait
//! for them; no case sleeps. Invariant: a case that is not listed in the macro is dead code, and the
//! build says so.

pub(crate) mod documents;
pub(crate) mod outage;
pub(crate) mod queue;
pub(crate) mod store;
pub(crate) mod worker;

use std::any::Any;
use std::time::Duration;

use tilesight::context::ContextSetup;
use tilesight::contract::{ContextDto, Problem, ProblemKind};
use tilesight::jobs::{
    Ask, Backend, Engine, JobId, Lease, Name, NewItem, NewJob, Outcome, PhotoId, Task, Work,
};
use tilesight::pipeline::model::Model as _;
use tilesight::pipeline::model::fake::Painted;
use tilesight::tile::Wind;

/// A lease time that no case lives to see the end of.
pub(crate) const LONG: Duration = Duration::from_secs(30);
/// A lease time for cases that wait for its end. It is long beside what a call takes on a busy machine.
pub(crate) const SHORT: Duration = Duration::from_millis(1500);
/// How long a case waits for what must come: in vain only when something is broken.
pub(crate) const COMING: Duration = Duration::from_secs(20);
/// How long a case waits for what must not come.
pub(crate) const NOTHING: Duration = Duration::from_millis(50);

/// A back end that nobody else uses, and whatever has to live as long as it.
pub(crate) struct Opened {
    pub(crate) backend: Backend,
    pub(crate) _kept: Box<dyn Any + Send + Sync>,
}

/// Runs every case against the back ends that a function opens: `async fn open(Duration) -> Opened`.
#[macro_export]
macro_rules! suite {
    ($open:path) => {
        suite!(@ $open, queue:
            what_is_pushed_is_leased_once
            a_task_known_already_is_not_pushed_again
            the_urgent_and_then_the_older_goes_first
            who_waits_is_told_of_a_push
            a_lease_that_runs_out_goes_to_somebody_else
            a_lease_that_is_extended_stays
            only_a_reading_that_began_is_an_attempt
            who_comes_back_late_takes_its_attempt_back
            what_failed_three_times_is_dead
            what_vanished_with_its_workers_is_dead
            what_is_given_back_was_no_attempt
            what_is_done_may_be_pushed_again
            the_backlog_counts
            many_workers_share_without_loss
        );
        suite!(@ $open, store:
            items_keep_their_order
            appending_again_changes_nothing
            a_sealed_job_takes_no_more
            what_is_not_there
            the_first_outcome_stays
            a_job_is_finished_with_its_last_outcome
            what_is_known_already_is_free
            a_cancelled_job_waits_for_nothing
            photos_live_as_long_as_a_job_keeps_them
            a_job_is_deleted_with_all_that_is_its_own
            jobs_end_with_their_time
            what_is_over_is_cleared_away_by_one_of_many
            jobs_are_listed_by_owner_and_page
            what_is_kept_is_counted_for_its_client
            odd_ids_and_large_outcomes_come_back
        );
        suite!(@ $open, documents:
            a_document_is_saved_loaded_and_removed
            a_stale_save_is_refused
            kinds_are_apart
            writers_at_once_lose_nothing
        );
        suite!(@ $open, outage:
            an_outage_is_no_attempt
        );
        suite!(@ $open, worker:
            every_item_gets_what_its_photo_shows
            the_same_photo_is_read_once
            what_a_killed_worker_held_is_read_by_another
            a_photo_that_ends_the_program_is_given_up
            a_photo_that_ended_three_workers_is_not_read_again
            broken_networks_stop_the_worker
            a_cancelled_job_is_not_read
            a_task_for_another_engine_goes_back
            a_task_that_does_not_fit_its_key_is_refused
            what_waits_for_its_turn_goes_back_at_the_end
            what_is_wanted_while_it_is_dismissed_is_read
            a_queue_that_lost_everything_is_filled_again
        );
    };
    (@ $open:path, $part:ident: $($case:ident)*) => {
        mod $part {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    crate::jobs_suite::$part::$case($open).await;
                }
            )*
        }
    };
}

pub(crate) fn name(text: &str) -> Name {
    text.parse().expect("a name")
}

/// The engine that the tests' own worker has.
pub(crate) fn engine() -> Engine {
    Engine::of(Painted::default().manifest())
}

/// A task for a photo that is nowhere.
pub(crate) fn task(n: u32) -> Task {
    Task::new(PhotoId::of(&n.to_be_bytes()), Ask::default(), engine())
}

/// The same photo, asked about with other circumstances.
pub(crate) fn asked_otherwise(task: &Task) -> Task {
    let context =
        ContextDto::from(ContextSetup { seat: Some(Wind::North), ..ContextSetup::default() });
    Task::new(task.photo, Ask { context, ..Ask::default() }, engine())
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

/// An outcome that can be told from others.
pub(crate) fn refused(detail: &str) -> Outcome {
    Outcome::refused(Problem::new(ProblemKind::UnreadableImage, detail))
}

/// An outcome that counts as a reading; nobody looks into it.
pub(crate) fn read(text: &str) -> Outcome {
    let json = format!(r#"{{"reading":{}}}"#, serde_json::Value::from(text));
    Outcome::from_json(json).expect("an outcome")
}

/// A job of nobody that never ends by itself.
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

/// A lease that must be there.
pub(crate) async fn leased(backend: &Backend, worker: &str) -> Lease {
    let lease = backend.queue.lease(&name(worker), COMING).await.expect("the queue answers");
    lease.expect("a task waits")
}

/// The same, and a reading begins under it.
pub(crate) async fn begun(backend: &Backend, worker: &str) -> Lease {
    let lease = leased(backend, worker).await;
    backend.queue.begin(&lease).await.expect("it is held");
    lease
}

/// Asserts that no task waits.
pub(crate) async fn nothing_waits(backend: &Backend) {
    let lease = backend.queue.lease(&name("nobody"), NOTHING).await.expect("the queue answers");
    assert_eq!(lease, None);
}
