//! Queue with one row per task, which records the lease's holder and expiry.
//!
//! Clients are served in scheduling rounds: each task has the number of the round in which it is
//! read, and the tasks of one client are in consecutive rounds from the current one on (start-time
//! fair queueing, Goyal, Vin and Cheng 1996). Invariant: within a priority the task of the earliest
//! round goes first, and within a round the oldest task.

use std::time::Duration;

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use tokio::time::{Instant, timeout_at};

use super::EmbeddedStore;
use super::writer::Safety;
use crate::{
    Backlog, Company, DeadLetter, FailResult, Lease, MAX_ATTEMPTS, Name, Priority, PushResult,
    Queue, QueueError, Task, TaskKey, Timestamp, Token,
};

/// Interval at which a waiting worker checks for tasks that another process pushed or lost.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);
/// Time for which suspects are not read after a process has taken over the tasks of one that died:
/// twice the second in which people who start and kill a batch do so. A kill in it interrupts no
/// suspect, which would count against its photo.
pub(super) const SUSPECT_REST: Duration = Duration::from_secs(2);

#[async_trait]
impl Queue for EmbeddedStore {
    async fn push(
        &self,
        tasks: &[Task],
        priority: Priority,
    ) -> Result<Vec<PushResult>, QueueError> {
        let tasks = tasks.to_vec();
        let push = self.writer.write(Safety::PowerCut, move |db| {
            tasks.iter().map(|task| push(db, task, priority)).collect()
        });
        let pushed = push.await?;
        self.pushed.notify_waiters();
        Ok(pushed)
    }

    async fn lease(&self, worker: &Name, wait: Duration) -> Result<Option<Lease>, QueueError> {
        let deadline = Instant::now() + wait;
        loop {
            let notified = self.pushed.notified();
            tokio::pin!(notified);
            // From here on, no push that happens during the check of the queue is missed.
            notified.as_mut().enable();
            let worker = worker.to_string();
            let times = LeaseTimes { lease: self.lease, suspect_rest: self.suspect_rest };
            let take = self.writer.write(Safety::Kill, move |db| take(db, &worker, times));
            if let Some(lease) = take.await? {
                return Ok(Some(lease));
            }
            let now = Instant::now();
            if now >= deadline {
                return Ok(None);
            }
            let _ = timeout_at(deadline.min(now + CHECK_INTERVAL), notified).await;
        }
    }

    async fn extend(&self, lease: &Lease) -> Result<(), QueueError> {
        let held = HeldLease::from_lease(lease)?;
        let until = Timestamp::now().saturating_add(self.lease);
        let extend = self.writer.write(Safety::Kill, move |db| {
            let mut update =
                db.prepare_cached("UPDATE tasks SET until = ? WHERE key = ? AND token = ?")?;
            held.check_lease(update.execute(params![until.0, held.key, held.token])?)
        });
        extend.await
    }

    async fn begin(&self, lease: &Lease, company: Company) -> Result<(), QueueError> {
        let held = HeldLease::from_lease(lease)?;
        let counts = company == Company::Alone;
        self.writer.write(Safety::Kill, move |db| note(db, &held, counts)).await
    }

    async fn complete(&self, lease: Lease) -> Result<(), QueueError> {
        let key = lease.task.key.to_string();
        let done = self.writer.write(Safety::Kill, move |db| {
            db.prepare_cached("DELETE FROM tasks WHERE key = ?")?.execute([key])?;
            Ok(())
        });
        done.await
    }

    async fn fail(&self, lease: Lease, reason: &str) -> Result<FailResult, QueueError> {
        let held = HeldLease::from_lease(&lease)?;
        let reason = reason.to_owned();
        let last = lease.is_last();
        let failed =
            self.writer.write(Safety::PowerCut, move |db| fail(db, &held, last, &reason)).await?;
        self.pushed.notify_waiters();
        Ok(failed)
    }

    async fn give_back(&self, lease: Lease) -> Result<(), QueueError> {
        let held = HeldLease::from_lease(&lease)?;
        let give = self.writer.write(Safety::Kill, move |db| {
            // Applies even if the lease was lost: its holder is alive, so its reading is not an
            // attempt.
            let mut withdraw =
                db.prepare_cached("DELETE FROM attempts WHERE key = ? AND token = ?")?;
            withdraw.execute(params![held.key, held.token])?;
            release_leases(db, "key = ? AND token = ?", params![held.key, held.token])
        });
        give.await?;
        self.pushed.notify_waiters();
        Ok(())
    }

    async fn forget_attempts(&self, key: &TaskKey) -> Result<(), QueueError> {
        let key = key.to_string();
        let forget = self.writer.write(Safety::PowerCut, move |db| {
            db.prepare_cached("DELETE FROM attempts WHERE key = ?")?.execute([key])?;
            Ok(())
        });
        forget.await
    }

    async fn dead_letters(&self, max: usize) -> Result<Vec<DeadLetter>, QueueError> {
        let dead = self.readers.read(move |db| {
            let mut select = db.prepare_cached(
                "SELECT task, attempts, reason, at FROM dead ORDER BY at DESC, key LIMIT ?",
            )?;
            let rows = select.query_map([i64::try_from(max).unwrap_or(i64::MAX)], |row| {
                Ok(DeadLetter {
                    task: task(row, 0)?,
                    attempts: row.get(1)?,
                    reason: row.get(2)?,
                    at: Timestamp(row.get(3)?),
                })
            })?;
            Ok::<_, QueueError>(rows.collect::<Result<_, _>>()?)
        });
        dead.await
    }

    async fn delete_dead_letter(&self, key: &TaskKey) -> Result<(), QueueError> {
        let key = key.to_string();
        let forget = self.writer.write(Safety::PowerCut, move |db| {
            db.prepare_cached("DELETE FROM dead WHERE key = ?")?.execute([key])?;
            Ok(())
        });
        forget.await
    }

    async fn backlog(&self) -> Result<Backlog, QueueError> {
        let count = self.readers.read(|db| {
            let mut count = db.prepare_cached(
                "SELECT count(*) FILTER (WHERE token IS NULL OR until <= ?),
                 count(*) FILTER (WHERE token IS NOT NULL AND until > ?),
                 (SELECT count(*) FROM dead) FROM tasks",
            )?;
            let now = Timestamp::now().0;
            let row = count.query_row([now, now], |row| {
                Ok(Backlog { waiting: row.get(0)?, held: row.get(1)?, dead: row.get(2)? })
            });
            Ok::<_, QueueError>(row?)
        });
        count.await
    }
}

/// Returns a number that was never used before.
pub(super) fn number(db: &Connection) -> Result<u64, rusqlite::Error> {
    let mut next = db.prepare_cached("UPDATE numbers SET last = last + 1 RETURNING last")?;
    next.query_row([], |row| row.get(0))
}

/// Parses a task that was stored as JSON.
pub(super) fn task(row: &Row<'_>, column: usize) -> Result<Task, rusqlite::Error> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| {
        let kind = rusqlite::types::Type::Text;
        rusqlite::Error::FromSqlConversionFailure(column, kind, Box::new(error))
    })
}

/// Returns a task as JSON.
pub(super) fn text(task: &Task) -> String {
    serde_json::to_string(task).expect("its keys are texts")
}

/// Key and token that identify a lease in the database.
#[derive(Debug)]
struct HeldLease {
    key: String,
    token: u64,
}

impl HeldLease {
    fn from_lease(lease: &Lease) -> Result<HeldLease, QueueError> {
        let token = lease.token.0.parse().map_err(|_| QueueError::Lost)?;
        Ok(HeldLease { key: lease.task.key.to_string(), token })
    }

    fn check_lease(&self, rows: usize) -> Result<(), QueueError> {
        if rows == 1 { Ok(()) } else { Err(QueueError::Lost) }
    }
}

fn push(db: &Connection, task: &Task, priority: Priority) -> Result<PushResult, QueueError> {
    let mut insert = db.prepare_cached(
        "INSERT OR IGNORE INTO tasks (key, task, priority, place) VALUES (?, ?, ?, ?)",
    )?;
    let key = task.key.to_string();
    let place = number(db)?;
    let new = insert.execute(params![key, text(task), rank(priority), place])? == 1;
    // A later client may need the task more urgently than the client that pushed it first.
    let mut hurry =
        db.prepare_cached("UPDATE tasks SET priority = ?2 WHERE key = ?1 AND priority > ?2")?;
    if new || hurry.execute(params![key, rank(priority)])? == 1 {
        enqueue(db, &key, priority)?;
    }
    Ok(if new { PushResult::New } else { PushResult::Known })
}

/// Assigns a task to its client's next round, which is not before the current one. Tasks without a
/// job, and those of jobs without a client, share one line.
fn enqueue(db: &Connection, key: &str, priority: Priority) -> Result<(), QueueError> {
    let mut advance = db.prepare_cached(
        "INSERT INTO lines
         SELECT ?1, coalesce((SELECT client FROM items JOIN jobs ON jobs.id = items.job
             WHERE items.key = ?2 LIMIT 1), ''), turn + 1 FROM rounds WHERE priority = ?1
         ON CONFLICT DO UPDATE SET next = max(next + 1, excluded.next) RETURNING next",
    )?;
    let next: u64 = advance.query_row(params![rank(priority), key], |row| row.get(0))?;
    db.prepare_cached("UPDATE tasks SET turn = ? WHERE key = ?")?
        .execute(params![next - 1, key])?;
    Ok(())
}

fn rank(priority: Priority) -> u8 {
    match priority {
        Priority::High => 0,
        Priority::Normal => 1,
    }
}

/// Times that a lease depends on.
#[derive(Debug, Clone, Copy)]
struct LeaseTimes {
    lease: Duration,
    suspect_rest: Duration,
}

/// Leases the next waiting task. A task whose lease expired waits behind the others: whatever ended
/// its holder may soon end the next one, and in this way the same few photos do not end three
/// workers in quick succession. A suspect that [rests](SUSPECT_REST) is passed over; an end of its
/// rest beyond that time was written by a clock that has been set back.
fn take(db: &Connection, worker: &str, times: LeaseTimes) -> Result<Option<Lease>, QueueError> {
    let now = Timestamp::now();
    release_leases(db, "until <= ?", [now.0])?;
    let mut next = db.prepare_cached(
        "SELECT key, task, (SELECT count(*) FROM attempts WHERE attempts.key = tasks.key),
         (SELECT count(*) FROM attempts WHERE attempts.key = tasks.key AND failed),
         priority, turn FROM tasks
         WHERE token IS NULL AND (until IS NULL OR until NOT BETWEEN ?1 + 1 AND ?2)
         ORDER BY priority, turn, place LIMIT 1",
    )?;
    let found = next.query_row([now.0, now.saturating_add(times.suspect_rest).0], |row| {
        let attempts: (u32, u32) = (row.get(2)?, row.get(3)?);
        let round: (u8, u64) = (row.get(4)?, row.get(5)?);
        Ok((row.get::<_, String>(0)?, task(row, 1)?, attempts, round))
    });
    let Some((key, task, (begun, failures), round)) = found.optional()? else { return Ok(None) };
    let mut begin =
        db.prepare_cached("UPDATE rounds SET turn = ?2 WHERE priority = ?1 AND turn < ?2")?;
    begin.execute(params![round.0, round.1])?;
    let token = number(db)?;
    let mut update =
        db.prepare_cached("UPDATE tasks SET token = ?, worker = ?, until = ? WHERE key = ?")?;
    update.execute(params![token, worker, now.saturating_add(times.lease).0, key])?;
    Ok(Some(Lease { task, attempt: begun + 1, failures, token: Token(token.to_string()) }))
}

/// Puts the held tasks that match a condition back into the queue, behind the others. Returns their
/// number.
fn release_leases<P: rusqlite::Params>(
    db: &Connection,
    which: &str,
    is: P,
) -> Result<u64, QueueError> {
    let mut select =
        db.prepare_cached(&format!("SELECT key FROM tasks WHERE token IS NOT NULL AND {which}"))?;
    let held: Vec<String> = select.query_map(is, |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut update = db.prepare_cached(
        "UPDATE tasks SET token = NULL, worker = NULL, until = NULL, place = ?1,
         turn = max(turn, coalesce((SELECT max(waiting.turn) FROM tasks AS waiting
             WHERE waiting.token IS NULL AND waiting.priority = tasks.priority), 0))
         WHERE key = ?2",
    )?;
    for key in &held {
        update.execute(params![number(db)?, key])?;
    }
    Ok(held.len() as u64)
}

/// Records an attempt at a held task, only once even if it is reported repeatedly, and whether it
/// counts as a failure.
fn note(db: &Connection, held: &HeldLease, counts: bool) -> Result<(), QueueError> {
    let mut note = db.prepare_cached(
        "INSERT INTO attempts (key, token, failed)
         SELECT key, token, ?3 FROM tasks WHERE key = ?1 AND token = ?2
         ON CONFLICT DO UPDATE SET failed = max(failed, excluded.failed)",
    )?;
    held.check_lease(note.execute(params![held.key, held.token, counts])?)
}

fn fail(
    db: &Connection,
    held: &HeldLease,
    last: bool,
    reason: &str,
) -> Result<FailResult, QueueError> {
    note(db, held, true)?;
    // Uses the holder's count: if this was the last attempt, the holder has already written the
    // outcome.
    if !last {
        release_leases(db, "key = ?", [&held.key])?;
        return Ok(FailResult::Retried);
    }
    let mut bury = db.prepare_cached(
        "INSERT OR REPLACE INTO dead (key, task, attempts, reason, at)
         SELECT key, task, ?, ?, ? FROM tasks WHERE key = ?",
    )?;
    bury.execute(params![MAX_ATTEMPTS, reason, Timestamp::now().0, held.key])?;
    db.prepare_cached("DELETE FROM tasks WHERE key = ?")?.execute([&held.key])?;
    Ok(FailResult::Dead)
}

/// Puts the tasks of a worker whose process was killed back into the queue, but not those that have
/// their outcome: it died before it could report their end. Suspects rest. Returns the number of
/// tasks.
pub(super) async fn reclaim(queue: &EmbeddedStore, worker: &Name) -> Result<u64, QueueError> {
    let worker = worker.to_string();
    let suspect_rest = queue.suspect_rest;
    let reclaim = queue.writer.write(Safety::Kill, move |db| {
        let mut done = db.prepare_cached(
            "DELETE FROM tasks WHERE (token IS NULL OR worker = ?)
             AND EXISTS (SELECT 1 FROM outcomes WHERE outcomes.key = tasks.key)",
        )?;
        done.execute([&worker])?;
        let released = release_leases(db, "worker = ?", [&worker])?;
        let mut rest = db.prepare_cached(
            "UPDATE tasks SET until = ? WHERE token IS NULL AND key IN (SELECT key FROM attempts)",
        )?;
        rest.execute([Timestamp::now().saturating_add(suspect_rest).0])?;
        Ok::<_, QueueError>(released)
    });
    let count = reclaim.await?;
    queue.pushed.notify_waiters();
    Ok(count)
}
