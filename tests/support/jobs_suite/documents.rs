//! Guarantees of a store for documents.

use std::time::Duration;

use tilesight_jobs::StoreError;

use super::{FreshBackend, LONG, name};

pub(crate) async fn a_document_is_saved_loaded_and_removed(
    open: impl AsyncFn(Duration) -> FreshBackend,
) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (kind, id) = (name("evening"), name("2026-11-22"));
    assert_eq!(backend.store.load(&kind, &id).await, Ok(None));
    let first = backend.store.save(&kind, &id, None, b"one").await.expect("there is none");
    let second = backend.store.save(&kind, &id, Some(first), b"\0\xff").await.expect("the newest");
    assert!(second > first, "{second:?} after {first:?}");
    assert_eq!(backend.store.load(&kind, &id).await, Ok(Some((second, b"\0\xff".to_vec()))));
    assert_eq!(backend.store.revision(&kind, &id).await, Ok(Some(second)));
    backend.store.remove(&kind, &id).await.expect("removed");
    backend.store.remove(&kind, &id).await.expect("removed already");
    assert_eq!(backend.store.load(&kind, &id).await, Ok(None));
    assert_eq!(backend.store.revision(&kind, &id).await, Ok(None));
    assert_eq!(backend.store.list(&kind).await, Ok(vec![]));
}

pub(crate) async fn a_stale_save_is_refused(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    let (kind, id) = (name("evening"), name("a"));
    let save = |expected, bytes: &'static [u8]| backend.store.save(&kind, &id, expected, bytes);
    let first = save(None, b"one").await.expect("there is none");
    assert_eq!(save(None, b"two").await, Err(StoreError::Conflict));
    let second = save(Some(first), b"two").await.expect("the newest");
    assert_eq!(save(Some(first), b"three").await, Err(StoreError::Conflict));
    backend.store.remove(&kind, &id).await.expect("removed");
    assert_eq!(save(Some(second), b"three").await, Err(StoreError::Conflict));
    // A revision of the deleted document does not match its successor.
    let again = save(None, b"four").await.expect("there is none");
    assert!(again > second, "{again:?} after {second:?}");
    for stale in [first, second] {
        assert_eq!(save(Some(stale), b"five").await, Err(StoreError::Conflict));
    }
    assert_eq!(backend.store.load(&kind, &id).await, Ok(Some((again, b"four".to_vec()))));
}

pub(crate) async fn kinds_are_separate(open: impl AsyncFn(Duration) -> FreshBackend) {
    let FreshBackend { backend, _kept } = open(LONG).await;
    for (kind, id) in [("evening", "b"), ("evening", "a"), ("evening_old", "c"), ("key", "a")] {
        let bytes = format!("{kind} {id}");
        backend.store.save(&name(kind), &name(id), None, bytes.as_bytes()).await.expect("new");
    }
    assert_eq!(backend.store.list(&name("evening")).await, Ok(vec![name("a"), name("b")]));
    assert_eq!(backend.store.list(&name("evening_old")).await, Ok(vec![name("c")]));
    let loaded = backend.store.load(&name("key"), &name("a")).await.expect("the store answers");
    assert_eq!(loaded.map(|(_, bytes)| bytes), Some(b"key a".to_vec()));
}

pub(crate) async fn concurrent_writers_lose_nothing(open: impl AsyncFn(Duration) -> FreshBackend) {
    const WRITERS: u64 = 6;
    const TURNS: u64 = 10;
    let FreshBackend { backend, _kept } = open(LONG).await;
    let writers: Vec<_> = (0..WRITERS)
        .map(|_| {
            let backend = backend.clone();
            tokio::spawn(async move {
                let (kind, id, mut added) = (name("count"), name("a"), 0);
                while added < TURNS {
                    let loaded = backend.store.load(&kind, &id).await.expect("the store answers");
                    let (revision, count) = match &loaded {
                        None => (None, 0),
                        Some((revision, bytes)) => {
                            (Some(*revision), u64::from_be_bytes(bytes[..].try_into().expect("8")))
                        }
                    };
                    let more = (count + 1).to_be_bytes();
                    match backend.store.save(&kind, &id, revision, &more).await {
                        Ok(_) => added += 1,
                        Err(StoreError::Conflict) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.expect("it ends");
    }
    let loaded = backend.store.load(&name("count"), &name("a")).await.expect("the store answers");
    let count = loaded.expect("it was written").1;
    assert_eq!(count, (WRITERS * TURNS).to_be_bytes());
}
