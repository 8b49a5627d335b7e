//! The back end of a fleet: the suite that every back end passes, against a real nats-server.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::jetstream;
use tilesight_core::contract::PhotoFields;
use tilesight_core::explain::Lang;
use tilesight_fleet::Nats;
use tilesight_fleet::NatsOptions;
use tilesight_jobs::{
    Backend, MAX_ATTEMPTS, PhotoId, Priority, QueueError, Standing, StoreError, Task,
};
use tilesight_vision::contract::TableRequest;
use tokio::time::timeout;

use crate::jobs_suite;
use crate::jobs_suite::worker::{
    CountingHost, RunningWorker, SCENES, expected, finished, lines, photo, reader, submit,
};
use crate::jobs_suite::{FreshBackend, LONG, begun, engine, leased};
use crate::nats;
use crate::waiting::until_async;

suite!(super::open);

/// Starts a server for each case: cases run in parallel and must not see each other's tasks.
async fn open(lease: Duration) -> FreshBackend {
    let server = nats::Server::start();
    let options = NatsOptions { lease, ..nats::patient() };
    let nats = Nats::open(&server.url(), &options).await.expect("the server is there");
    FreshBackend { backend: Arc::new(nats).backend(), _kept: Box::new(server) }
}

/// The answer to a poll for tasks is lost with a connection or never given: afterwards tasks arrive
/// again.
#[tokio::test]
async fn an_unanswered_poll_ends() {
    let mut server = nats::Server::start();
    // A short patience, since an answer is missing here; on a busy machine the server is asked
    // again.
    let options = NatsOptions { timeout: Duration::from_secs(5), ..NatsOptions::default() };
    let mut opened = Nats::open(&server.url(), &options).await;
    for _ in 0..30 {
        if let Err(StoreError::Unavailable { .. }) = opened {
            opened = Nats::open(&server.url(), &options).await;
        }
    }
    let nats = opened.expect("the server is there");
    let queue = Arc::new(nats).backend().queue;
    let name = "one".parse().expect("a name");
    let wait = Duration::from_millis(100);
    let answered = async || queue.lease(&name, wait).await == Ok(None);
    until_async("a poll is answered", answered).await;
    server.pause();
    let ended = timeout(LONG, queue.lease(&name, wait)).await.expect("it ends");
    assert!(matches!(ended, Err(QueueError::Unavailable { .. })), "{ended:?}");
    server.resume();
    until_async("a poll is answered", answered).await;
}

/// Returns a back end, and a direct connection to the same server, as an intruder with write access
/// has it.
async fn with_intruder() -> (nats::Server, Backend, jetstream::Context) {
    let server = nats::Server::start();
    let nats = Nats::open(&server.url(), &nats::patient()).await.expect("the server is there");
    let intruder = async_nats::connect(server.url()).await.expect("the server is there");
    (server, Arc::new(nats).backend(), jetstream::new(intruder))
}

/// An intruder replaces a stored photo, or makes its record refer to another one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_photo_that_was_replaced_is_not_read() {
    let (_server, backend, intruder) = with_intruder().await;
    let photos = SCENES.map(photo);
    let job = submit(&backend, &photos, &PhotoFields::default()).await;
    let [first, second, third] = photos.each_ref().map(|photo| PhotoId::from_bytes(photo));
    let kept = intruder.get_key_value("tilesight_kept").await.expect("a bucket");
    let record = async |photo: &PhotoId| {
        let record = kept.get(format!("photo.{photo}")).await.expect("it is read");
        serde_json::from_slice::<serde_json::Value>(&record.expect("a record")).expect("JSON")
    };
    let objects = intruder.get_object_store("tilesight_photos").await.expect("photos");
    let name = record(&first).await["object"].as_str().expect("a name").to_owned();
    objects.put(name.as_str(), &mut photos[2].as_slice()).await.expect("replaced");
    let mut redirected = record(&second).await;
    redirected["object"] = record(&third).await["object"].clone();
    let redirected = serde_json::to_vec(&redirected).expect("JSON");
    kept.put(format!("photo.{second}"), redirected.into()).await.expect("replaced");

    let counting = Arc::new(CountingHost::default());
    let worker = RunningWorker::start(&backend, reader(), counting.clone(), 2);
    finished(&backend, &job).await;
    worker.stop().await;
    assert_eq!(counting.0.load(Ordering::Relaxed), 1, "only the third is what was handed in");
    let lines = lines(&backend, &job).await;
    assert!(lines[..2].iter().all(|line| line.contains("failed 3 times")), "{lines:?}");
    assert_eq!(lines[2], expected(&photos[2], &PhotoFields::default()).line("photo 2", 2));
    let dead = backend.queue.dead_letters(3).await.expect("the queue answers");
    assert!(dead.iter().all(|letter| letter.reason.contains("missing or wrong")), "{dead:?}");
}

/// A server may deliver a message as if for the first time although a reading of its task began:
/// the records of attempts count, and not the deliveries.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attempts_count_when_the_server_forgot_its_deliveries() {
    let (_server, backend, intruder) = with_intruder().await;
    submit(&backend, &[photo(SCENES[0])], &PhotoFields::default()).await;
    let stream = intruder.get_stream("tilesight_normal").await.expect("a stream");
    for attempt in 1..=MAX_ATTEMPTS {
        assert_eq!(begun(&backend, "killed").await.attempt, attempt);
        let message = stream.get_last_raw_message_by_subject(">").await.expect("the task");
        stream.delete_message(message.sequence).await.expect("deleted");
        let sent = intruder.publish(message.subject, message.payload).await.expect("sent");
        sent.await.expect("published again");
    }
    assert!(leased(&backend, "another").await.is_spent());
}

/// An intruder changes the outcome of a photo, or replaces it by another one's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outcome_of_another_task_is_read_again() {
    let (_server, backend, intruder) = with_intruder().await;
    let photos = SCENES.map(photo);
    let job = submit(&backend, &photos, &PhotoFields::default()).await;
    let key = |photo: &Vec<u8>| {
        Task::new(TableRequest::from_photo(PhotoId::from_bytes(photo)), Lang::En, engine()).key
    };
    let [changed, moved, model] = photos.each_ref().map(key);
    for (key, photo) in [(changed, &photos[0]), (model, &photos[2])] {
        let outcome = expected(photo, &PhotoFields::default());
        backend.store.put_outcome(&key, &outcome).await.expect("written");
    }
    let tasks = intruder.get_key_value("tilesight_tasks").await.expect("a bucket");
    let text = async |key: &tilesight_jobs::TaskKey| {
        let record = tasks.get(key.to_string()).await.expect("it is read").expect("a record");
        String::from_utf8(record.to_vec()).expect("text")
    };
    let forge = async |key: &tilesight_jobs::TaskKey, text: String| {
        tasks.put(key.to_string(), text.into()).await.expect("replaced");
    };
    let whole = text(&changed).await;
    let other = whole.replacen("\"concealed\"", "\"exposed\"", 1);
    assert_ne!(whole, other);
    let unsealed = whole.replacen("\"seal\"", "\"other\"", 1);
    assert_ne!(whole, unsealed);
    for text in [other.clone(), unsealed] {
        forge(&changed, text).await;
        assert_eq!(backend.store.outcome(&changed).await, Ok(None));
        assert_eq!(backend.store.standing(&changed).await, Ok(Standing::Wanted));
    }
    forge(&moved, text(&model).await).await;
    assert_eq!(backend.store.outcome(&moved).await, Ok(None));
    let progress = backend.store.job(&job).await.expect("answers").expect("there").progress;
    assert_eq!((progress.read, progress.failed), (1, 0), "the third alone is what it should be");

    let counting = Arc::new(CountingHost::default());
    let worker = RunningWorker::start(&backend, reader(), counting.clone(), 2);
    backend.resume(&job, Priority::Normal).await.expect("resumed");
    finished(&backend, &job).await;
    worker.stop().await;
    assert_eq!(counting.0.load(Ordering::Relaxed), 2);
    let line = |n: usize| {
        expected(&photos[n], &PhotoFields::default()).line(&format!("photo {n}"), n as u64)
    };
    assert_eq!(lines(&backend, &job).await, [line(0), line(1), line(2)]);

    // No worker reads the photos of a job that has ended: its line says so, and the others stay.
    forge(&changed, other).await;
    let after = lines(&backend, &job).await;
    assert!(after[0].contains("stored result was changed"), "{}", after[0]);
    assert_eq!(after[1..], [line(1), line(2)]);
}

/// A photo of many messages is returned complete; one that lost a message is not returned.
#[tokio::test]
async fn a_photo_of_many_messages_is_reassembled() {
    let (_server, backend, intruder) = with_intruder().await;
    let new = jobs_suite::job();
    backend.store.create(&new).await.expect("created");
    let large: Vec<u8> = (0..2_500_000_u32).map(|n| (n % 251) as u8).collect();
    let (kept, beside) = tokio::join!(
        backend.store.put_photo(&new.id, &large),
        backend.store.put_photo(&new.id, &large[1..]),
    );
    let (kept, beside) = (kept.expect("kept"), beside.expect("kept"));
    assert_eq!(
        backend.store.photo(&kept).await.map(|photo| photo == Some(large.clone())),
        Ok(true)
    );
    assert_eq!(
        backend.store.photo(&beside).await.map(|photo| photo.as_deref() == Some(&large[1..])),
        Ok(true)
    );
    let mut stream = intruder.get_stream("OBJ_tilesight_photos").await.expect("photos");
    let first = stream.info().await.expect("it exists").state.first_sequence;
    stream.delete_message(first).await.expect("deleted");
    let found = [backend.store.photo(&kept).await, backend.store.photo(&beside).await];
    let broken = |found: &Result<_, StoreError>| matches!(found, Err(StoreError::Corrupt { .. }));
    assert_eq!(found.iter().filter(|found| broken(found)).count(), 1, "one of them lost a message");
}

/// Returns a server with TLS that requires a password, and the folder with its authority.
fn closed(name: &str) -> (nats::Server, PathBuf) {
    let folder = std::env::temp_dir().join(format!("tilesight-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    nats::example::certificates(&folder);
    let file = |name: &str| folder.join(name);
    let server = nats::Server::start_with(&format!(
        "tls {{ cert_file: {:?}, key_file: {:?} }}\nauthorization {{ user: one, password: \"a word\" }}\n",
        file("nats.pem"),
        file("nats.key")
    ));
    fs::write(file("user"), "one:a word\n").expect("a file");
    (server, folder)
}

fn in_tls(server: &nats::Server) -> String {
    server.url().replace("nats://127.0.0.1", "tls://localhost")
}

/// Only a server of the configured authority is trusted, and it gets the credentials in the file.
#[tokio::test]
async fn servers_are_verified_by_their_authority() {
    let (server, folder) = closed("nats-tls");
    let (_other, strange) = closed("nats-tls-other");
    let url = in_tls(&server);
    let options_of = |ca: Option<&Path>, user: Option<&Path>| NatsOptions {
        ca: ca.map(|folder| folder.join("ca.pem")),
        credentials: user.map(|folder| folder.join("user")),
        ..nats::patient()
    };
    let own = Some(folder.as_path());
    Nats::open(&url, &options_of(own, own)).await.expect("it is let in");
    // An authority alone enables TLS too.
    Nats::open(&url.replace("tls://", "nats://"), &options_of(own, own))
        .await
        .expect("it is let in");
    for (case, options) in [
        ("the world's authorities", options_of(None, own)),
        ("another authority", options_of(Some(&strange), own)),
        ("no credentials", options_of(own, None)),
    ] {
        let refused = Nats::open(&url, &options).await;
        assert!(matches!(refused, Err(StoreError::Unavailable { .. })), "{case}: {refused:?}");
    }
    fs::write(folder.join("user"), "one:another").expect("a file");
    let refused = Nats::open(&url, &options_of(own, own)).await;
    assert!(matches!(refused, Err(StoreError::Unavailable { .. })), "{refused:?}");
    // Errors that a retry can't fix are reported as such.
    fs::write(folder.join("user"), "nothing").expect("a file");
    for options in [options_of(own, own), options_of(own, Some(Path::new("nowhere")))] {
        let refused = Nats::open(&url, &options).await;
        assert!(matches!(refused, Err(StoreError::Settings { .. })), "{refused:?}");
    }
    // A server without TLS gets no data, whatever is in between.
    let plain = nats::Server::start();
    let refused = Nats::open(&in_tls(&plain), &options_of(own, None)).await;
    assert!(matches!(refused, Err(StoreError::Unavailable { .. })), "{refused:?}");
    for folder in [folder, strange] {
        let _ = fs::remove_dir_all(folder);
    }
}

/// The library itself refuses an open server on another machine, no matter which program calls it.
#[tokio::test]
async fn open_servers_on_other_machines_are_refused() {
    let server = nats::Server::start();
    // This machine, by an address that is not the loopback's.
    let url = server.url().replace("127.0.0.1", "0.0.0.0");
    let refused = Nats::open(&url, &NatsOptions::default()).await;
    assert!(matches!(refused, Err(StoreError::Settings { .. })), "{refused:?}");
    let accepted = NatsOptions { open: true, ..nats::patient() };
    Nats::open(&url, &accepted).await.expect("somebody said that it may be");
}
