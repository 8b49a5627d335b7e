//! Conversion of rows into jobs.
//!
//! Input: a job's id, or a selection of jobs. Output: the jobs. Invariant: this module writes
//! nothing; an unreadable row is an error, never a missing job.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::{Job, JobId, NewJob, Progress, Selection, StoreError, Timestamp};

/// Fails if the job does not exist.
pub(super) fn is_there(db: &Connection, job: &JobId) -> Result<(), StoreError> {
    let mut select = db.prepare_cached("SELECT 1 FROM jobs WHERE id = ?")?;
    if select.exists([job.to_string()])? { Ok(()) } else { Err(StoreError::NoJob) }
}

/// Returns a job.
pub(super) fn find(db: &Connection, job: &JobId) -> Result<Option<Job>, StoreError> {
    let mut select = db.prepare_cached(&format!("SELECT {JOB} FROM jobs WHERE id = ?"))?;
    let found = select.query_row([job.to_string()], read_job).optional()?;
    found.transpose()
}

/// Returns the selected jobs, the latest first.
pub(super) fn select(db: &Connection, which: &Selection) -> Result<Vec<Job>, StoreError> {
    let mut select = db.prepare_cached(&format!(
        "SELECT {JOB} FROM jobs WHERE (?1 IS NULL OR owner = ?1) AND (?2 IS NULL OR id < ?2)
         AND NOT (?3 AND finished IS NOT NULL) AND (?5 IS NULL OR client = ?5)
         ORDER BY id DESC LIMIT ?4",
    ))?;
    let before = which.before.map(|job| job.to_string());
    let max = i64::try_from(which.max_jobs).unwrap_or(i64::MAX);
    let Selection { owner, client, unfinished, .. } = which;
    let rows = select.query_map(params![owner, before, unfinished, max, client], read_job)?;
    rows.map(|row| row?).collect()
}

const JOB: &str =
    "id, owner, created, expires, extra, sealed, cancelled, finished, total, read, failed, client";

fn read_job(row: &Row<'_>) -> Result<Result<Job, StoreError>, rusqlite::Error> {
    let id: String = row.get(0)?;
    let extra: String = row.get(4)?;
    let (Ok(id), Ok(extra)) = (id.parse(), serde_json::from_str(&extra)) else {
        return Ok(Err(StoreError::corrupt(&"a job's id or extra can't be read")));
    };
    Ok(Ok(Job {
        new: NewJob {
            id,
            owner: row.get(1)?,
            client: row.get(11)?,
            created: Timestamp(row.get(2)?),
            expires: Timestamp(row.get(3)?),
            extra,
        },
        sealed: row.get(5)?,
        cancelled: row.get::<_, Option<_>>(6)?.map(Timestamp),
        finished: row.get::<_, Option<_>>(7)?.map(Timestamp),
        progress: Progress { total: row.get(8)?, read: row.get(9)?, failed: row.get(10)? },
    }))
}

/// Returns the jobs that have expired.
pub(super) fn expired_jobs(db: &Connection, now: Timestamp) -> Result<Vec<JobId>, StoreError> {
    let mut select = db.prepare_cached("SELECT id FROM jobs WHERE expires <= ?")?;
    let ids = select.query_map([now.0], |row| row.get::<_, String>(0))?;
    ids.map(|id| id?.parse().map_err(|error| StoreError::corrupt(&error))).collect()
}
