//! Guarantees of a store for jobs, items, outcomes and photos.

use std::sync::Arc;
use std::time::Duration;

use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_jobs::{
    ExpiryReport, Item, Job, JobId, JobState, NewItem, NewJob, Outcome, PhotoId, Progress,
    Selection, Standing, Store, StoreError, Timestamp, Usage, Work, WriteResult, retention, sweep,
};
use tokio::task::JoinSet;

use super::{
    FreshBackend, LONG, items, job, read, refused, sealed, task, tasks, with_other_context,
};

async fn found(store: &dyn Store, job: &JobId) -> Job {
    store.job(job).await.expect("the store answers").expect("the job is there")
}

async fn all(store: &dyn Store, job: &JobId) -> Vec<Item> {
    store.items(job, 0, usize::MAX).await.expect("the store answers")
}

async fn outcomes(store: &dyn Store, job: &JobId) -> Vec<Option<Outcome>> {
    all(store, job).await.into_iter().map(|item| item.outcome).collect()
}

pub(crate) async fn items_keep_their_order(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (store, new) = (backend.store, job());
    store.create(&new).await.expect("created");
    let items = items(&tasks(25));
    assert_eq!(store.append(&new.id, 0, &items[..10]).await, Ok(10));
    assert_eq!(store.append(&new.id, 10, &items[10..]).await, Ok(25));
    let expected: Vec<_> = (0..25)
        .map(|n| Item {
            index: n,
            id: format!("photo {n}"),
            task: Some(task(u32::try_from(n).expect("small"))),
            outcome: None,
        })
        .collect();
    assert_eq!(all(&*store, &new.id).await, expected);
    assert_eq!(store.items(&new.id, 7, 4).await, Ok(expected[7..11].to_vec()));
    assert_eq!(store.items(&new.id, 24, 4).await, Ok(expected[24..].to_vec()));
    assert_eq!(store.items(&new.id, 25, 4).await, Ok(vec![]));
    assert_eq!(store.items(&new.id, u64::MAX, 4).await, Ok(vec![]));
}

pub(crate) async fn appending_again_changes_nothing(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (store, new) = (backend.store, job());
    store.create(&new).await.expect("created");
    let items = items(&tasks(6));
    assert_eq!(store.append(&new.id, 0, &items[..4]).await, Ok(4));
    store.create(&new).await.expect("created already");
    assert_eq!(store.append(&new.id, 0, &items[..4]).await, Ok(4));
    // Half of the items are stored already.
    assert_eq!(store.append(&new.id, 2, &items[2..]).await, Ok(6));
    assert_eq!(store.append(&new.id, 8, &items).await, Err(StoreError::Gap { total: 6 }));
    let ids: Vec<_> = all(&*store, &new.id).await.into_iter().map(|item| item.id).collect();
    assert_eq!(ids, ["photo 0", "photo 1", "photo 2", "photo 3", "photo 4", "photo 5"]);
    assert_eq!(found(&*store, &new.id).await.progress.total, 6);
}

pub(crate) async fn a_sealed_job_takes_no_more(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let store = &backend.store;
    let id = sealed(&backend, &tasks(2)).await;
    store.seal(&id).await.expect("sealed already");
    assert_eq!(store.append(&id, 2, &items(&tasks(1))).await, Err(StoreError::Sealed));
    // The append had succeeded; only its answer was lost.
    assert_eq!(store.append(&id, 0, &items(&tasks(2))).await, Ok(2));
    let empty = sealed(&backend, &[]).await;
    assert_eq!(found(&**store, &empty).await.state(), JobState::Finished);
}

pub(crate) async fn missing_records_are_reported(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (store, id) = (backend.store, job().id);
    assert_eq!(store.job(&id).await, Ok(None));
    assert_eq!(store.items(&id, 0, 10).await, Ok(vec![]));
    assert_eq!(store.append(&id, 0, &items(&tasks(1))).await, Err(StoreError::NoJob));
    assert_eq!(store.put_photo(&id, b"x").await, Err(StoreError::NoJob));
    assert_eq!(store.seal(&id).await, Err(StoreError::NoJob));
    assert_eq!(store.cancel(&id).await, Err(StoreError::NoJob));
    store.delete(&id).await.expect("nothing to delete");
    store.drop_photos(&id).await.expect("nothing to drop");
    assert_eq!(store.photo(&PhotoId::from_bytes(b"x")).await, Ok(None));
    assert_eq!(store.outcome(&task(0).key).await, Ok(None));
    assert_eq!(store.standing(&task(0).key).await, Ok(Standing::Unwanted));
}

pub(crate) async fn the_first_outcome_stays(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (store, key) = (&backend.store, task(0).key);
    let id = sealed(&backend, &tasks(1)).await;
    assert_eq!(store.standing(&key).await, Ok(Standing::Wanted));
    assert_eq!(store.put_outcome(&key, &read("one")).await, Ok(WriteResult::First));
    assert_eq!(store.put_outcome(&key, &refused("two")).await, Ok(WriteResult::Known));
    assert_eq!(store.outcome(&key).await, Ok(Some(read("one"))));
    assert_eq!(store.standing(&key).await, Ok(Standing::Answered));
    assert_eq!(outcomes(&**store, &id).await, [Some(read("one"))]);
    let progress = found(&**store, &id).await.progress;
    assert_eq!(progress, Progress { total: 1, read: 1, failed: 0 });
}

pub(crate) async fn a_job_is_finished_with_its_last_outcome(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (store, new) = (backend.store, job());
    store.create(&new).await.expect("created");
    assert_eq!(found(&*store, &new.id).await.state(), JobState::Open);
    let problem = Problem::new(ProblemKind::TooLarge, "too large");
    let mut given = items(&[task(0), task(1), task(0)]);
    given.push(NewItem { id: "bad".to_owned(), work: Work::Refused(problem.clone()) });
    store.append(&new.id, 0, &given).await.expect("appended");
    let progress = found(&*store, &new.id).await.progress;
    assert_eq!((progress, progress.pending()), (Progress { total: 4, read: 0, failed: 1 }, 3));
    store.put_outcome(&task(0).key, &read("zero")).await.expect("written");
    let before = found(&*store, &new.id).await;
    assert_eq!(before.progress, Progress { total: 4, read: 2, failed: 1 });
    store.seal(&new.id).await.expect("sealed");
    assert_eq!(found(&*store, &new.id).await.state(), JobState::Running);
    store.put_outcome(&task(1).key, &refused("one")).await.expect("written");
    let after = found(&*store, &new.id).await;
    assert_eq!(after.progress, Progress { total: 4, read: 2, failed: 2 });
    assert_eq!(after.state(), JobState::Finished);
    assert!(after.finished >= Some(new.created), "{after:?}");
    let expected = [read("zero"), refused("one"), read("zero"), Outcome::from_problem(problem)];
    assert_eq!(outcomes(&*store, &new.id).await, expected.map(Some));
}

pub(crate) async fn known_outcomes_cost_nothing(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let store = &backend.store;
    sealed(&backend, &tasks(2)).await;
    store.put_outcome(&task(0).key, &read("zero")).await.expect("written");
    store.put_outcome(&task(1).key, &refused("one")).await.expect("written");
    let id = sealed(&backend, &tasks(2)).await;
    let job = found(&**store, &id).await;
    assert_eq!(job.progress, Progress { total: 2, read: 1, failed: 1 });
    assert_eq!(job.state(), JobState::Finished);
    // Another question about the same photo is another task.
    let other = sealed(&backend, &[with_other_context(&task(0))]).await;
    assert_eq!(found(&**store, &other).await.state(), JobState::Running);
}

pub(crate) async fn a_cancelled_job_has_nothing_pending(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let store = &backend.store;
    let id = sealed(&backend, &tasks(3)).await;
    let other = sealed(&backend, &[task(1)]).await;
    store.put_outcome(&task(0).key, &read("zero")).await.expect("written");
    store.cancel(&id).await.expect("cancelled");
    let job = found(&**store, &id).await;
    assert_eq!((job.state(), job.finished), (JobState::Cancelled, job.cancelled));
    assert_eq!(job.progress, Progress { total: 3, read: 1, failed: 0 });
    // The other job still waits for one of the tasks.
    assert_eq!(store.standing(&task(1).key).await, Ok(Standing::Wanted));
    assert_eq!(store.standing(&task(2).key).await, Ok(Standing::Unwanted));
    store.cancel(&id).await.expect("cancelled already");
    assert_eq!(found(&**store, &id).await, job);
    assert_eq!(store.append(&id, 3, &items(&tasks(1))).await, Err(StoreError::Sealed));
    store.put_outcome(&task(1).key, &read("one")).await.expect("written");
    assert_eq!(found(&**store, &other).await.state(), JobState::Finished);
    assert_eq!(found(&**store, &id).await, job, "it counts no more");
    let what_it_has = outcomes(&**store, &id).await;
    assert_eq!(what_it_has, [Some(read("zero")), None, None]);
    // A finished job can't be cancelled.
    store.cancel(&other).await.expect("it is finished");
    assert_eq!(found(&**store, &other).await.state(), JobState::Finished);
}

pub(crate) async fn photos_are_stored_as_long_as_a_job_refers_to_them(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (store, one, two) = (backend.store, job(), job());
    store.create(&one).await.expect("created");
    store.create(&two).await.expect("created");
    let large: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
    let shared = store.put_photo(&one.id, &large).await.expect("kept");
    assert_eq!(shared, PhotoId::from_bytes(&large));
    assert_eq!(store.put_photo(&one.id, &large).await, Ok(shared));
    assert_eq!(store.put_photo(&two.id, &large).await, Ok(shared));
    let own = store.put_photo(&one.id, b"its own").await.expect("kept");
    let empty = store.put_photo(&two.id, b"").await.expect("kept");
    store.drop_photos(&one.id).await.expect("dropped");
    store.drop_photos(&one.id).await.expect("dropped already");
    assert_eq!(store.photo(&own).await, Ok(None));
    assert_eq!(store.photo(&shared).await.map(|photo| photo == Some(large)), Ok(true));
    assert_eq!(store.photo(&empty).await, Ok(Some(vec![])));
    store.delete(&two.id).await.expect("deleted");
    assert_eq!(store.photo(&shared).await, Ok(None));
    // The photo may be stored again.
    assert_eq!(store.put_photo(&one.id, b"its own").await, Ok(own));
    assert_eq!(store.photo(&own).await, Ok(Some(b"its own".to_vec())));
}

/// Lets the sweeps of several processes and a batch release the photos of the same jobs at once,
/// and then delete the jobs: each finds things that another has just removed.
pub(crate) async fn several_processes_release_the_same_photos(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    const JOBS: u8 = 3;
    const PHOTOS: u8 = 12;
    let FreshBackend { backend, _kept } = open(LONG).await;
    let store = &backend.store;
    let mut jobs = Vec::new();
    for job in 0..JOBS {
        let id = sealed(&backend, &[task(job.into())]).await;
        for photo in 0..PHOTOS {
            store.put_photo(&id, &[job, photo]).await.expect("kept");
        }
        jobs.push(id);
    }
    for delete in [false, true] {
        let mut releasing = JoinSet::new();
        for job in jobs.repeat(4) {
            let store = Arc::clone(store);
            releasing.spawn(async move {
                if delete { store.delete(&job).await } else { store.drop_photos(&job).await }
            });
        }
        while let Some(released) = releasing.join_next().await {
            released.expect("no panic").expect("what is gone is released");
        }
    }
    let photo = PhotoId::from_bytes(&[0, 0]);
    assert_eq!(store.photo(&photo).await, Ok(None));
    assert_eq!(store.job(&jobs[0]).await, Ok(None));
}

pub(crate) async fn a_job_is_deleted_with_its_data(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let store = &backend.store;
    let one = sealed(&backend, &tasks(2)).await;
    let two = sealed(&backend, &[task(1)]).await;
    store.put_outcome(&task(0).key, &read("zero")).await.expect("written");
    store.put_outcome(&task(1).key, &read("one")).await.expect("written");
    store.delete(&one).await.expect("deleted");
    store.delete(&one).await.expect("deleted already");
    assert_eq!(store.job(&one).await, Ok(None));
    assert_eq!(store.items(&one, 0, 10).await, Ok(vec![]));
    assert_eq!(store.outcome(&task(0).key).await, Ok(None), "nobody else has it");
    assert_eq!(outcomes(&**store, &two).await, [Some(read("one"))]);
    // A deleted outcome is read again for the next request.
    let three = sealed(&backend, &[task(0)]).await;
    assert_eq!(found(&**store, &three).await.state(), JobState::Running);
    assert_eq!(store.standing(&task(0).key).await, Ok(Standing::Wanted));
}

pub(crate) async fn jobs_expire(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let store = &backend.store;
    let now = Timestamp::now();
    let later = |seconds| now.saturating_add(Duration::from_secs(seconds));
    let short = NewJob { expires: later(60), ..job() };
    let long = NewJob { expires: later(120), ..job() };
    for new in [&short, &long] {
        store.create(new).await.expect("created");
        store.append(&new.id, 0, &items(&[task(0)])).await.expect("appended");
        store.put_photo(&new.id, b"both").await.expect("kept");
    }
    store.append(&short.id, 1, &items(&[task(1)])).await.expect("appended");
    let own = store.put_photo(&short.id, b"its own").await.expect("kept");
    for n in [0, 1] {
        store.put_outcome(&task(n).key, &read("x")).await.expect("written");
    }
    assert_eq!(store.expire(later(59)).await.map(|expired| expired.jobs), Ok(0));
    assert_eq!(store.expire(later(60)).await.map(|expired| expired.jobs), Ok(1));
    assert_eq!(store.job(&short.id).await, Ok(None));
    assert_eq!(store.photo(&own).await, Ok(None));
    assert_eq!(store.outcome(&task(1).key).await, Ok(None));
    assert_eq!(store.photo(&PhotoId::from_bytes(b"both")).await, Ok(Some(b"both".to_vec())));
    assert_eq!(outcomes(&**store, &long.id).await, [Some(read("x"))]);
    assert_eq!(store.expire(later(120)).await.map(|expired| expired.jobs), Ok(1));
    assert_eq!(store.photo(&PhotoId::from_bytes(b"both")).await, Ok(None));
    assert_eq!(store.outcome(&task(0).key).await, Ok(None));
}

pub(crate) async fn jobs_are_listed_by_owner_and_page(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let store = &backend.store;
    let mut ids = Vec::new();
    for n in 0..6 {
        let owner = (n % 3 > 0).then(|| format!("owner.{} ü>*", n % 3));
        let extra = serde_json::json!({ "n": n });
        // Ids sort by their creation time, and these were created at the same time.
        let id = format!("{n:032x}").parse().expect("an id");
        let new = NewJob { id, owner, extra, ..job() };
        store.create(&new).await.expect("created");
        assert_eq!(found(&**store, &new.id).await.new, new);
        ids.push(new.id);
    }
    store.seal(&ids[4]).await.expect("sealed");
    let everything = Selection { max_jobs: 100, ..Selection::default() };
    let listed = async |which: Selection| -> Vec<usize> {
        let jobs = store.jobs(&which).await.expect("the store answers");
        let places = jobs.iter().map(|job| ids.iter().position(|id| *id == job.new.id));
        places.map(|place| place.expect("one of them")).collect()
    };
    assert_eq!(listed(everything.clone()).await, [5, 4, 3, 2, 1, 0]);
    assert_eq!(listed(Selection { max_jobs: 2, ..everything.clone() }).await, [5, 4]);
    let next = Selection { max_jobs: 2, before: Some(ids[4]), ..everything.clone() };
    assert_eq!(listed(next).await, [3, 2]);
    let unfinished = Selection { unfinished: true, ..everything.clone() };
    assert_eq!(listed(unfinished).await, [5, 3, 2, 1, 0]);
    let owner = Some("owner.1 ü>*".to_owned());
    assert_eq!(listed(Selection { owner, ..everything }).await, [4, 1]);
}

pub(crate) async fn storage_is_counted_per_client(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let store = &backend.store;
    let of = |client: &str| NewJob { client: Some(client.to_owned()), ..job() };
    let (one, two) = (of("one"), of("two"));
    for new in [&one, &two] {
        store.create(new).await.expect("created");
    }
    let usage = async |client: &str| store.usage(client).await.expect("the store answers");
    assert_eq!(usage("one").await, Usage::default());
    store.put_photo(&one.id, &[1; 40_000]).await.expect("put");
    store.put_photo(&two.id, &[2; 50_000]).await.expect("put");
    assert_eq!(usage("one").await, Usage { all: 90_000, theirs: 40_000 });
    assert_eq!(usage("two").await, Usage { all: 90_000, theirs: 50_000 });
    assert_eq!(usage("three").await, Usage { all: 90_000, theirs: 0 });
    let which = Selection { client: Some("one".to_owned()), max_jobs: 9, ..Selection::default() };
    let listed = store.jobs(&which).await.expect("the store answers");
    assert_eq!(listed.iter().map(|job| job.new.id).collect::<Vec<_>>(), [one.id]);
    // Without their photos their results are left.
    store.append(&one.id, 0, &items(&tasks(1))).await.expect("appended");
    store.seal(&one.id).await.expect("sealed");
    store.put_outcome(&task(0).key, &read(&"x".repeat(10_000))).await.expect("written");
    store.drop_photos(&one.id).await.expect("dropped");
    let left = usage("one").await.theirs;
    assert!((10_000..20_000).contains(&left), "{left}");
    store.delete(&one.id).await.expect("deleted");
    assert_eq!(usage("one").await, Usage { all: 50_000, theirs: 0 });
}

pub(crate) async fn odd_ids_and_large_outcomes_come_back(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (store, new) = (backend.store, job());
    store.create(&new).await.expect("created");
    let odd = ["", "ü/../🀄\n\"", "a b.jpg", "*", ">", "\0"];
    let given: Vec<_> = odd
        .iter()
        .zip(tasks(6))
        .map(|(id, task)| NewItem { id: (*id).to_owned(), work: Work::Read(task) })
        .collect();
    store.append(&new.id, 0, &given).await.expect("appended");
    let large = read(&"🀄".repeat(100_000));
    store.put_outcome(&task(2).key, &large).await.expect("written");
    let items = all(&*store, &new.id).await;
    let ids: Vec<_> = items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids, odd);
    assert_eq!(items[2].outcome, Some(large));
}

pub(crate) async fn expired_data_is_swept_by_one_of_many(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let now = Timestamp::now();
    let mut photos = Vec::new();
    // One job that is expired, one that has ended, and one that still waits.
    for (n, expires) in [now, Timestamp::NEVER, Timestamp::NEVER].into_iter().enumerate() {
        let new = NewJob { expires, ..job() };
        backend.store.create(&new).await.expect("created");
        photos.push(backend.store.put_photo(&new.id, &[n as u8; 100]).await.expect("kept"));
        let wanted = items(&[task(n as u32)]);
        backend.store.append(&new.id, 0, &wanted).await.expect("appended");
        backend.store.seal(&new.id).await.expect("sealed");
    }
    backend.store.put_outcome(&task(1).key, &read("ended")).await.expect("written");

    let later = now.saturating_add(Duration::from_secs(1));
    let sweep = || sweep::clear_if_due(backend.store.as_ref(), later);
    let (one, other, third) = tokio::join!(sweep(), sweep(), sweep());
    let done: Vec<_> =
        [one, other, third].into_iter().filter_map(|done| done.expect("it is cleared")).collect();
    assert_eq!(done, [ExpiryReport { jobs: 1, outcomes: 0, photos: 1 }]);
    let mut there = Vec::new();
    for photo in &photos {
        there.push(backend.store.photo(photo).await.expect("answers").is_some());
    }
    assert_eq!(there, [false, false, true]);
    // The sweep is due again after the interval, and not before.
    let again = |now| sweep::clear_if_due(backend.store.as_ref(), now);
    assert_eq!(again(later.saturating_add(retention::INTERVAL / 2)).await, Ok(None));
    assert_eq!(
        again(later.saturating_add(retention::INTERVAL)).await,
        Ok(Some(ExpiryReport::default()))
    );
    // A clock that was set back: the last sweep has a time to come.
    assert_eq!(again(now).await, Ok(Some(ExpiryReport::default())));
}
