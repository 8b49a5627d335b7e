//! Thread that performs all writes and commits waiting writes together.
//!
//! SQLite has one writer at a time, and a commit that survives a power cut waits for the disk.
//! Input: pieces of work from all tasks of the process. Output: their results, once the transaction
//! that contains them is committed. Invariants: a piece of work that fails leaves no changes and
//! does not affect the others; success is reported only after the commit.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::fault::Fault;

/// Maximum number of pieces of work in one commit: with this many, the writer waits for the disk
/// less than once per hundred pieces, and no caller waits long for the pieces before its own.
const MAX_BATCH: usize = 256;

/// Durability of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Safety {
    /// The write is on disk when the call returns.
    PowerCut,
    /// The write survives the process, and reaches the disk with the next [`Safety::PowerCut`]
    /// write.
    Kill,
}

/// Handle that sends work to the thread. After it is dropped, the thread has ended and its
/// connection is closed, so the folder may be removed.
#[derive(Debug)]
pub(super) struct Writer {
    /// Sender to the thread; `None` only during drop.
    work: Option<Sender<Piece>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Without a sender, the thread finishes the work that was sent, and ends.
        self.work = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Piece {
    safety: Safety,
    /// Runs the work, or reports why there is no transaction to run it in.
    run: Run,
}

type Run = Box<dyn FnOnce(Result<&Connection, &Fault>) -> CommitResult + Send>;

/// Remaining steps for a piece of work after its transaction has ended.
struct CommitResult {
    failed: bool,
    report: Box<dyn FnOnce(Result<(), Fault>) + Send>,
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(connection: Connection) -> io::Result<Writer> {
        let (work, pieces) = channel();
        let thread = thread::Builder::new()
            .name("jobs-writer".to_owned())
            .spawn(move || serve(&connection, &pieces))?;
        Ok(Writer { work: Some(work), thread: Some(thread) })
    }

    /// Runs work in a transaction.
    pub(super) async fn write<T, E>(
        &self,
        safety: Safety,
        work: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Fault> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let run = Box::new(move |connection: Result<&Connection, &Fault>| {
            let result = connection.map_err(|fault| E::from(fault.clone())).and_then(work);
            let failed = result.is_err();
            let report = Box::new(move |committed: Result<(), Fault>| {
                // The caller may be gone by now.
                let _ =
                    sender.send(result.and_then(|done| committed.map(|()| done).map_err(E::from)));
            });
            CommitResult { failed, report }
        });
        let work = self.work.as_ref().ok_or_else(ended)?;
        work.send(Piece { safety, run }).map_err(|_| ended())?;
        receiver.await.unwrap_or_else(|_| Err(ended().into()))
    }
}

fn ended() -> Fault {
    Fault::Unavailable("the writer thread has ended".to_owned())
}

fn serve(connection: &Connection, pieces: &Receiver<Piece>) {
    let mut written = Safety::PowerCut;
    while let Ok(first) = pieces.recv() {
        let rest = pieces.try_iter().take(MAX_BATCH - 1);
        let batch: Vec<Piece> = std::iter::once(first).chain(rest).collect();
        let cut = batch.iter().any(|piece| piece.safety == Safety::PowerCut);
        let safety = if cut { Safety::PowerCut } else { Safety::Kill };
        let begun = begin(connection, safety, &mut written).map_err(|error| Fault::from(&error));
        let mut broken = begun.err();
        let mut done = Vec::with_capacity(batch.len());
        for piece in batch {
            match &broken {
                None => done.push(savepoint(connection, piece, &mut broken)),
                Some(fault) => done.push((piece.run)(Err(fault))),
            }
        }
        let ended = broken.map_or_else(|| commit(connection), Err);
        for CommitResult { report, .. } in done {
            report(ended.clone());
        }
    }
}

fn commit(connection: &Connection) -> Result<(), Fault> {
    connection.execute_batch("COMMIT").map_err(|error| Fault::from(&error))
}

/// Begins a transaction with the requested durability.
fn begin(
    connection: &Connection,
    safety: Safety,
    written: &mut Safety,
) -> Result<(), rusqlite::Error> {
    if *written != safety {
        let level = if safety == Safety::PowerCut { "full" } else { "normal" };
        connection.pragma_update(None, "synchronous", level)?;
        *written = safety;
    }
    connection.execute_batch("BEGIN IMMEDIATE")
}

/// Runs one piece of work in a savepoint, so that its failure undoes only its own changes. A full
/// disk, however, rolls back the whole transaction: `broken` then reports the fault to all pieces.
fn savepoint(connection: &Connection, piece: Piece, broken: &mut Option<Fault>) -> CommitResult {
    let begun = connection.execute_batch("SAVEPOINT piece");
    let done = (piece.run)(Ok(connection));
    let end = if done.failed { "ROLLBACK TO piece; RELEASE piece" } else { "RELEASE piece" };
    if let Err(error) = begun.and_then(|()| connection.execute_batch(end)) {
        let undone = format!("another call ended the transaction of this one ({error})");
        *broken = Some(Fault::Unavailable(undone));
        if !connection.is_autocommit() {
            // If the rollback fails, closing the connection does it.
            let _ = connection.execute_batch("ROLLBACK");
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::StoreError;

    fn writer() -> Writer {
        let connection = Connection::open_in_memory().expect("memory");
        connection.execute_batch("CREATE TABLE things (thing TEXT NOT NULL)").expect("a table");
        Writer::start(connection).expect("a thread")
    }

    fn add(db: &Connection, thing: &str) -> Result<(), StoreError> {
        db.execute("INSERT INTO things VALUES (?)", [thing])?;
        Ok(())
    }

    async fn count(writer: &Writer) -> Result<i64, StoreError> {
        let count = "SELECT count(*) FROM things";
        writer.write(Safety::Kill, |db| Ok(db.query_row(count, [], |row| row.get(0))?)).await
    }

    /// Keeps the thread busy, so that everything sent in the meantime is committed together.
    async fn together<T>(writer: &Writer, work: impl Future<Output = T>) -> T {
        let (go_on, wait) = channel::<()>();
        let busy = writer.write(Safety::Kill, move |_| {
            wait.recv().expect("somebody says so");
            Ok::<_, StoreError>(())
        });
        let sent = async {
            let done = tokio::join!(biased; work, async { go_on.send(()).expect("it waits") });
            done.0
        };
        tokio::join!(biased; busy, sent).1
    }

    #[tokio::test]
    async fn a_failed_write_leaves_nothing_and_others_succeed() {
        let writer = writer();
        let one = writer.write(Safety::PowerCut, |db| add(db, "one"));
        let two = writer.write(Safety::PowerCut, |db| {
            add(db, "two")?;
            Err::<(), _>(StoreError::NoJob)
        });
        let three = writer.write(Safety::Kill, |db| add(db, "three"));
        let done = together(&writer, async { tokio::join!(biased; one, two, three) }).await;
        assert_eq!(done, (Ok(()), Err(StoreError::NoJob), Ok(())));
        assert_eq!(count(&writer).await, Ok(2));
    }

    #[tokio::test]
    async fn every_write_of_the_transaction_reports_a_full_disk_and_later_ones_succeed() {
        let writer = writer();
        let limit = |pages: &'static str| {
            writer.write(Safety::Kill, move |db| {
                let limit = format!("PRAGMA max_page_count = {pages}");
                Ok::<_, StoreError>(db.query_row(&limit, [], |_| Ok(()))?)
            })
        };
        limit("3").await.expect("set");
        let one = writer.write(Safety::PowerCut, |db| add(db, "one"));
        let large = writer.write(Safety::PowerCut, |db| add(db, &"x".repeat(100_000)));
        let three = writer.write(Safety::PowerCut, |db| add(db, "three"));
        let (one, large, three) =
            together(&writer, async { tokio::join!(biased; one, large, three) }).await;
        assert_eq!(large, Err(StoreError::Full));
        // The database has exactly the writes that were reported as successful.
        let successful = [&one, &three].into_iter().filter(|result| result.is_ok()).count();
        assert_eq!(count(&writer).await, Ok(i64::try_from(successful).expect("two at most")));
        limit("1000").await.expect("set");
        writer.write(Safety::PowerCut, |db| add(db, &"x".repeat(100_000))).await.expect("room");
    }

    #[tokio::test]
    async fn writes_are_finished_before_the_writer_ends() {
        let folder = std::env::temp_dir().join(format!("tilesight-writer-{}", std::process::id()));
        let connection = Connection::open(&folder).expect("a file");
        connection.execute_batch("CREATE TABLE things (thing TEXT NOT NULL)").expect("a table");
        let writer = Writer::start(connection).expect("a thread");
        for _ in 0..10 {
            let mut sent = Box::pin(writer.write(Safety::Kill, |db| add(db, "a thing")));
            // The caller is dropped before there is an answer.
            let _ = tokio::time::timeout(std::time::Duration::ZERO, sent.as_mut()).await;
        }
        drop(writer);
        let read = Connection::open(&folder).expect("a file");
        let count = read.query_row("SELECT count(*) FROM things", [], |row| row.get::<_, i64>(0));
        drop(read);
        std::fs::remove_file(&folder).expect("removed");
        assert_eq!(count, Ok(10));
    }
}
