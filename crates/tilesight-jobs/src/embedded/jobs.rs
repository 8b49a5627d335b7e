//! Jobs, their items, and their outcomes.
//!
//! A job counts its own items, so that querying its progress costs one row: every change of an
//! item's state changes the count in the same transaction.

use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::rows::{expired_jobs, find, is_there, select};
use super::writer::Safety;
use super::{EmbeddedStore, database, photos, queue};
use crate::{
    DEAD_LETTER_LIFETIME, ExpiryReport, Item, Job, JobId, NewItem, NewJob, Outcome, PhotoId,
    Progress, Selection, Standing, Store, StoreError, Task, TaskKey, Timestamp, Usage, Work,
    WriteResult,
};

/// State of an item that waits for its outcome.
const WAITING: u8 = 0;
/// State of an item that has its outcome.
const ANSWERED: u8 = 1;
/// State of an item that had no outcome when its job was cancelled.
const LEFT: u8 = 2;

#[async_trait]
impl Store for EmbeddedStore {
    async fn check(&self) -> Result<(), StoreError> {
        let files = Arc::clone(&self.files);
        let database = self.database.clone();
        photos::blocking(move || {
            files.check()?;
            database::check(&database)
        })
        .await
    }

    async fn create(&self, job: &NewJob) -> Result<(), StoreError> {
        let job = job.clone();
        let create = self.writer.write(Safety::PowerCut, move |db| {
            let mut insert = db.prepare_cached(
                "INSERT OR IGNORE INTO jobs (id, owner, client, created, expires, extra)
                 VALUES (?, ?, ?, ?, ?, ?)",
            )?;
            let NewJob { id, owner, client, created, expires, extra } = job;
            let id = id.to_string();
            let extra = extra.to_string();
            insert.execute(params![id, owner, client, created.0, expires.0, extra])?;
            Ok(())
        });
        create.await
    }

    async fn put_photo(&self, job: &JobId, bytes: &[u8]) -> Result<PhotoId, StoreError> {
        photos::put(self, job, bytes).await
    }

    async fn photo(&self, photo: &PhotoId) -> Result<Option<Vec<u8>>, StoreError> {
        photos::get(self, photo).await
    }

    async fn drop_photos(&self, job: &JobId) -> Result<(), StoreError> {
        photos::drop_all(self, job).await
    }

    async fn append(&self, job: &JobId, from: u64, items: &[NewItem]) -> Result<u64, StoreError> {
        let job = *job;
        let items = items.to_vec();
        self.writer.write(Safety::PowerCut, move |db| append(db, &job, from, &items)).await
    }

    async fn seal(&self, job: &JobId) -> Result<(), StoreError> {
        let job = *job;
        let seal = self.writer.write(Safety::PowerCut, move |db| {
            is_there(db, &job)?;
            db.prepare_cached("UPDATE jobs SET sealed = 1 WHERE id = ?")?
                .execute([job.to_string()])?;
            finish(db, &job.to_string())
        });
        seal.await
    }

    async fn job(&self, job: &JobId) -> Result<Option<Job>, StoreError> {
        let job = *job;
        self.readers.read(move |db| find(db, &job)).await
    }

    async fn jobs(&self, which: &Selection) -> Result<Vec<Job>, StoreError> {
        let which = which.clone();
        self.readers.read(move |db| select(db, &which)).await
    }

    async fn usage(&self, client: &str) -> Result<Usage, StoreError> {
        let client = client.to_owned();
        let usage = self.readers.read(move |db| {
            let mut sum = db.prepare_cached(
                "SELECT coalesce(sum(bytes), 0), coalesce(sum(bytes) FILTER (WHERE client = ?), 0)
                 FROM jobs",
            )?;
            let row =
                sum.query_row([client], |row| Ok(Usage { all: row.get(0)?, theirs: row.get(1)? }));
            Ok::<_, StoreError>(row?)
        });
        usage.await
    }

    async fn items(&self, job: &JobId, from: u64, max: usize) -> Result<Vec<Item>, StoreError> {
        let job = *job;
        self.readers.read(move |db| items(db, &job, from, max)).await
    }

    async fn cancel(&self, job: &JobId) -> Result<(), StoreError> {
        let job = *job;
        let cancel = self.writer.write(Safety::PowerCut, move |db| {
            is_there(db, &job)?;
            let job = job.to_string();
            let now = Timestamp::now().0;
            let mut stop = db.prepare_cached(
                "UPDATE jobs SET cancelled = ?2, finished = ?2 WHERE id = ?1 AND finished IS NULL",
            )?;
            if stop.execute(params![job, now])? == 1 {
                let mut leave =
                    db.prepare_cached("UPDATE items SET state = ? WHERE job = ? AND state = ?")?;
                leave.execute(params![LEFT, job, WAITING])?;
            }
            Ok(())
        });
        cancel.await
    }

    async fn delete(&self, job: &JobId) -> Result<(), StoreError> {
        let job = *job;
        let (_, files) = self.writer.write(Safety::PowerCut, move |db| delete(db, &job)).await?;
        photos::remove_files(self, files).await
    }

    async fn expire(&self, now: Timestamp) -> Result<ExpiryReport, StoreError> {
        let mut expired = ExpiryReport::default();
        for job in self.readers.read(move |db| expired_jobs(db, now)).await? {
            // One transaction per job, so that another process that writes does not wait for all of
            // them.
            let gone = self.writer.write(Safety::PowerCut, move |db| delete(db, &job)).await?;
            expired.jobs += 1;
            expired.outcomes += gone.0;
            expired.photos += gone.1.len() as u64;
            photos::remove_files(self, gone.1).await?;
        }
        expired.outcomes += self.writer.write(Safety::PowerCut, move |db| litter(db, now)).await?;
        expired.photos += photos::sweep(self).await?;
        Ok(expired)
    }

    async fn standing(&self, key: &TaskKey) -> Result<Standing, StoreError> {
        let key = key.to_string();
        let standing = self.readers.read(move |db| {
            let mut answered = db.prepare_cached("SELECT 1 FROM outcomes WHERE key = ?")?;
            if answered.exists([&key])? {
                return Ok(Standing::Answered);
            }
            let mut waiting =
                db.prepare_cached("SELECT 1 FROM items WHERE key = ? AND state = ? LIMIT 1")?;
            let is_wanted = waiting.exists(params![key, WAITING])?;
            Ok::<_, StoreError>(if is_wanted { Standing::Wanted } else { Standing::Unwanted })
        });
        standing.await
    }

    async fn put_outcome(
        &self,
        key: &TaskKey,
        outcome: &Outcome,
    ) -> Result<WriteResult, StoreError> {
        let key = key.to_string();
        let outcome = outcome.clone();
        self.writer.write(Safety::PowerCut, move |db| answer(db, &key, &outcome)).await
    }

    async fn outcome(&self, key: &TaskKey) -> Result<Option<Outcome>, StoreError> {
        let key = key.to_string();
        let outcome = self.readers.read(move |db| {
            let mut select = db.prepare_cached("SELECT json FROM outcomes WHERE key = ?")?;
            let json = select.query_row([key], |row| row.get(0)).optional()?;
            json.map(parse_outcome).transpose()
        });
        outcome.await
    }
}

fn append(db: &Connection, job: &JobId, from: u64, items: &[NewItem]) -> Result<u64, StoreError> {
    let Job { progress: Progress { total, .. }, sealed, finished, .. } =
        find(db, job)?.ok_or(StoreError::NoJob)?;
    if from > total {
        return Err(StoreError::Gap { total });
    }
    let there = usize::try_from(total - from).unwrap_or(usize::MAX).min(items.len());
    let new = &items[there..];
    if new.is_empty() {
        return Ok(total);
    }
    if sealed || finished.is_some() {
        return Err(StoreError::Sealed);
    }
    let job = job.to_string();
    let mut counted = JobCounts::default();
    for (place, item) in (total..).zip(new) {
        insert(db, &job, place, item, &mut counted)?;
    }
    count(db, &job, counted)?;
    Ok(total + counted.progress.total)
}

/// Increments to the counts of a job.
#[derive(Debug, Clone, Copy, Default)]
struct JobCounts {
    progress: Progress,
    /// Bytes of results.
    bytes: usize,
}

fn insert(
    db: &Connection,
    job: &str,
    place: u64,
    item: &NewItem,
    counted: &mut JobCounts,
) -> Result<(), StoreError> {
    let (task, refused) = match &item.work {
        Work::Read(task) => (Some(task), None),
        Work::Refused(problem) => (None, Some(Outcome::from_problem(problem.clone()))),
    };
    let key = task.map(|task| task.key.to_string());
    let mut select = db.prepare_cached("SELECT json FROM outcomes WHERE key = ?")?;
    let answered =
        select.query_row([&key], |row| row.get(0)).optional()?.map(parse_outcome).transpose()?;
    let outcome = refused.as_ref().or(answered.as_ref());
    counted.progress.total += 1;
    counted.bytes += outcome.map_or(0, |outcome| outcome.json().len());
    match outcome.map(Outcome::is_failure) {
        Some(true) => counted.progress.failed += 1,
        Some(false) => counted.progress.read += 1,
        None => {}
    }
    let state = if outcome.is_some() { ANSWERED } else { WAITING };
    let text = task.map(queue::text);
    let json = refused.as_ref().map(Outcome::json);
    let mut insert = db.prepare_cached("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?)")?;
    insert.execute(params![job, place, item.id, key, text, json, state])?;
    Ok(())
}

fn count(db: &Connection, job: &str, more: JobCounts) -> Result<(), StoreError> {
    let mut update = db.prepare_cached(
        "UPDATE jobs SET total = total + ?, read = read + ?, failed = failed + ?, bytes = bytes + ?
         WHERE id = ?",
    )?;
    let JobCounts { progress: Progress { total, read, failed }, bytes } = more;
    update.execute(params![total, read, failed, bytes, job])?;
    Ok(())
}

/// Marks a job as finished if it is complete.
fn finish(db: &Connection, job: &str) -> Result<(), StoreError> {
    let mut update = db.prepare_cached(
        "UPDATE jobs SET finished = ? WHERE id = ? AND finished IS NULL AND sealed
         AND read + failed = total",
    )?;
    update.execute(params![Timestamp::now().0, job])?;
    Ok(())
}

/// Writes the outcome of a task, and assigns it to all items that wait for it.
fn answer(db: &Connection, key: &str, outcome: &Outcome) -> Result<WriteResult, StoreError> {
    let mut insert = db.prepare_cached("INSERT OR IGNORE INTO outcomes VALUES (?, ?)")?;
    if insert.execute([key, outcome.json()])? == 0 {
        return Ok(WriteResult::Known);
    }
    let mut select = db.prepare_cached(
        "SELECT job, count(*) FROM items WHERE key = ? AND state = ? GROUP BY job",
    )?;
    let waiting: Vec<(String, u64)> = select
        .query_map(params![key, WAITING], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let mut update = db.prepare_cached("UPDATE items SET state = ? WHERE key = ? AND state = ?")?;
    update.execute(params![ANSWERED, key, WAITING])?;
    for (job, items) in waiting {
        let (read, failed) = if outcome.is_failure() { (0, items) } else { (items, 0) };
        let progress = Progress { total: 0, read, failed };
        // The outcome is counted once per job, regardless of the number of items that have it.
        count(db, &job, JobCounts { progress, bytes: outcome.json().len() })?;
        finish(db, &job)?;
    }
    Ok(WriteResult::First)
}

/// Removes a job; returns the number of outcomes that were removed because no other job refers to
/// them, and the files of photos likewise.
fn delete(db: &Connection, job: &JobId) -> Result<(u64, Vec<String>), StoreError> {
    let files = photos::release(db, job)?;
    let job = job.to_string();
    let mut alone = db.prepare_cached(
        "DELETE FROM outcomes WHERE key IN (SELECT key FROM items WHERE job = ?1)
         AND NOT EXISTS (SELECT 1 FROM items WHERE items.key = outcomes.key AND items.job <> ?1)",
    )?;
    let outcomes = alone.execute([&job])? as u64;
    // The job's items are deleted by cascade.
    db.prepare_cached("DELETE FROM jobs WHERE id = ?")?.execute([&job])?;
    Ok((outcomes, files))
}

/// Removes outcomes that were written after their last job was gone, old dead letters, and the
/// lines of clients that have been served.
fn litter(db: &Connection, now: Timestamp) -> Result<u64, StoreError> {
    let mut dead = db.prepare_cached("DELETE FROM dead WHERE at <= ?")?;
    dead.execute([now.0.saturating_sub(DEAD_LETTER_LIFETIME.as_millis() as u64)])?;
    let mut lines = db.prepare_cached(
        "DELETE FROM lines WHERE next <=
         (SELECT turn FROM rounds WHERE rounds.priority = lines.priority)",
    )?;
    lines.execute([])?;
    let mut alone = db.prepare_cached(
        "DELETE FROM outcomes WHERE NOT EXISTS (SELECT 1 FROM items WHERE items.key = outcomes.key)",
    )?;
    Ok(alone.execute([])? as u64)
}

fn items(db: &Connection, job: &JobId, from: u64, max: usize) -> Result<Vec<Item>, StoreError> {
    let mut select = db.prepare_cached(
        "SELECT place, items.id, task, coalesce(refused, json) FROM items
         LEFT JOIN outcomes ON outcomes.key = items.key AND state = ?4
         WHERE job = ?1 AND place >= ?2 ORDER BY place LIMIT ?3",
    )?;
    // There are no items beyond the largest number that the database can represent.
    let Ok(from) = i64::try_from(from) else { return Ok(Vec::new()) };
    let max = i64::try_from(max).unwrap_or(i64::MAX);
    let mut rows = select.query(params![job.to_string(), from, max, ANSWERED])?;
    let mut items = Vec::new();
    while let Some(row) = rows.next()? {
        let stored: Option<String> = row.get(2)?;
        let task: Option<Task> = stored.map(|_| queue::task(row, 2)).transpose()?;
        let json: Option<String> = row.get(3)?;
        let outcome = json.map(parse_outcome).transpose()?;
        items.push(Item { index: row.get(0)?, id: row.get(1)?, task, outcome });
    }
    Ok(items)
}

fn parse_outcome(json: String) -> Result<Outcome, StoreError> {
    Outcome::from_json(json).map_err(|error| StoreError::corrupt(&error))
}
