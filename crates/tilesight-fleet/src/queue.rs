//! Queue with one work-queue stream per priority, and a stream for dead letters.
//!
//! A task is a message under its key, delivered to one pull request at a time and redelivered if it
//! is not acknowledged within the lease time. To return a task to the queue, it is published again
//! behind the others and then acknowledged. Attempts are counted outside the streams, in records.
//! Invariants: a message is acknowledged after its replacement is stored; after a crash a task may
//! be in a stream twice, but it is read once, because its outcome is known by then.

mod attempts;
mod lane;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::jetstream::stream::{self, LastRawMessageErrorKind, RawMessageErrorKind, Stream};
use async_trait::async_trait;
use tilesight_jobs::{
    Backlog, Company, DEAD_LETTER_LIFETIME, DeadLetter, FailResult, Lease, MAX_ATTEMPTS, Name,
    Priority, PushResult, Queue, QueueError, Task, TaskKey, Timestamp, Token,
};
use tokio::time::Instant;

use self::attempts::Attempts;
use self::lane::{Lane, LeasedMessage, PublishResult};
use super::connection::Connection;
use super::options::NatsOptions;
use super::records::{all, delete_message};
use super::{Nats, StoreError};

/// Maximum time that a worker waits for a task of normal priority before it checks for an urgent
/// one.
const SLICE: Duration = Duration::from_millis(500);

/// Streams of the queue.
#[derive(Debug)]
pub(super) struct Lanes {
    context: async_nats::jetstream::Context,
    high: Lane,
    normal: Lane,
    attempts: Attempts,
    dead_letters: Stream,
    /// Prefix of the subjects of dead letters.
    dead_letter_prefix: String,
    /// Leases that this process holds, by token.
    leases: Mutex<HashMap<String, HeldLease>>,
}

/// Lease of this process.
#[derive(Debug, Clone)]
struct HeldLease {
    priority: Priority,
    message: LeasedMessage,
    /// Time from which another worker may have the task.
    until: Instant,
    /// Whether the task may have a record of attempts, of this lease or of earlier ones.
    has_record: bool,
    /// Revision of the record of attempts that this lease created.
    record: Option<u64>,
}

impl Lanes {
    pub(super) async fn open(
        connection: &Connection,
        options: &NatsOptions,
    ) -> Result<Lanes, StoreError> {
        let dead_letter_prefix = format!("{}.dead.", connection.prefix());
        let dead = stream::Config {
            name: connection.full_name("dead"),
            subjects: vec![format!("{dead_letter_prefix}*")],
            max_messages_per_subject: 1,
            max_age: DEAD_LETTER_LIFETIME,
            ..stream::Config::default()
        };
        Ok(Lanes {
            context: connection.context.clone(),
            high: Lane::open(connection, "high", options).await?,
            normal: Lane::open(connection, "normal", options).await?,
            attempts: Attempts::open(connection).await?,
            dead_letters: connection.stream(dead).await?,
            dead_letter_prefix,
            leases: Mutex::default(),
        })
    }

    pub(super) fn lease_time(&self) -> Duration {
        self.normal.lease_time()
    }

    fn lane(&self, priority: Priority) -> &Lane {
        match priority {
            Priority::High => &self.high,
            Priority::Normal => &self.normal,
        }
    }

    fn leases(&self) -> MutexGuard<'_, HashMap<String, HeldLease>> {
        // An entry is consistent at any time, so a panic elsewhere does no harm.
        self.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn push(&self, task: &Task, priority: Priority) -> Result<PushResult, QueueError> {
        let (high, normal) =
            tokio::try_join!(self.high.has(&task.key), self.normal.has(&task.key))?;
        if high || normal {
            return Ok(PushResult::Known);
        }
        let lane = self.lane(priority);
        match lane.publish(task, true).await? {
            PublishResult::New => Ok(PushResult::New),
            // Either another process pushed the task at this moment, or it was done within the time
            // for which the stream remembers ids.
            PublishResult::Repeated if lane.has(&task.key).await? => Ok(PushResult::Known),
            PublishResult::Repeated => lane.publish(task, false).await.map(|_| PushResult::New),
        }
    }

    /// Returns the next task, or `None` if there is none within `wait`.
    async fn next(&self, wait: Duration) -> Result<Option<(Priority, LeasedMessage)>, QueueError> {
        let end = Instant::now() + wait;
        loop {
            if let Some(message) = self.high.next(Duration::ZERO).await? {
                return Ok(Some((Priority::High, message)));
            }
            let slice = end.saturating_duration_since(Instant::now()).min(SLICE);
            if let Some(message) = self.normal.next(slice).await? {
                return Ok(Some((Priority::Normal, message)));
            }
            if Instant::now() >= end {
                return Ok(None);
            }
        }
    }

    /// Removes acknowledged messages that stayed in the streams, and gets tasks delivered that the
    /// servers do not see.
    pub(super) async fn mend(&self) -> Result<(), QueueError> {
        tokio::try_join!(self.high.purge_acknowledged(), self.normal.purge_acknowledged())?;
        let Lanes { high, normal, .. } = self;
        tokio::try_join!(high.replace_blind_leader(), normal.replace_blind_leader()).map(|_| ())
    }

    /// Closes a lease of this process, and returns it if it had not expired.
    fn end(&self, lease: &Lease) -> Option<HeldLease> {
        let held = self.leases().remove(&lease.token.0)?;
        (Instant::now() < held.until).then_some(held)
    }

    /// Puts a task back into the queue, behind the others.
    async fn put_back(&self, held: &HeldLease) -> Result<(), QueueError> {
        let lane = self.lane(held.priority);
        match lane.publish(&held.message.task, false).await {
            Ok(_) => lane.acknowledge(&held.message).await,
            // The queue has no space for it: the task returns to its old place.
            Err(QueueError::Full) => lane.refuse(&held.message).await,
            Err(error) => Err(error),
        }
    }

    async fn publish_dead_letter(&self, letter: &DeadLetter) -> Result<(), QueueError> {
        let subject = format!("{}{}", self.dead_letter_prefix, letter.task.key);
        let letter = serde_json::to_vec(letter).expect("its keys are texts");
        let published = self.context.publish(subject, letter.into()).await;
        published.map_err(unavailable)?.await.map_err(unavailable)?;
        Ok(())
    }
}

#[async_trait]
impl Queue for Nats {
    async fn push(
        &self,
        tasks: &[Task],
        priority: Priority,
    ) -> Result<Vec<PushResult>, QueueError> {
        all(tasks.iter().map(|task| self.lanes.push(task, priority)).collect()).await
    }

    async fn lease(&self, _worker: &Name, wait: Duration) -> Result<Option<Lease>, QueueError> {
        let Some((priority, message)) = self.lanes.next(wait).await? else { return Ok(None) };
        let lane = self.lanes.lane(priority);
        let until = Instant::now() + lane.lease_time();
        let task = message.task.clone();
        let before = self.lanes.attempts.count(&task.key).await?;
        let lease = Lease {
            task,
            attempt: before.begun.saturating_add(1),
            failures: before.failed,
            token: Token(message.reply.clone()),
        };
        let mut leases = self.lanes.leases();
        // Drops leases that were never ended, because their holder met an error that the queue was
        // not informed of. The earlier delivery of this message is lost, even if its lease expires
        // later by this process's clock: the server's began with the delivery, which a busy process
        // notices late.
        leases.retain(|_, held| {
            (held.priority, held.message.sequence) != (priority, message.sequence)
                && held.until + lane.lease_time() > Instant::now()
        });
        leases.insert(
            message.reply.clone(),
            HeldLease { priority, message, until, has_record: before.begun > 0, record: None },
        );
        Ok(Some(lease))
    }

    async fn extend(&self, lease: &Lease) -> Result<(), QueueError> {
        let asked = Instant::now();
        let held = self.lanes.leases().get(&lease.token.0).cloned().ok_or(QueueError::Lost)?;
        if asked >= held.until {
            return Err(QueueError::Lost);
        }
        let lane = self.lanes.lane(held.priority);
        lane.extend(&held.message).await?;
        if let Some(held) = self.lanes.leases().get_mut(&lease.token.0) {
            held.until = asked + lane.lease_time();
        }
        Ok(())
    }

    async fn begin(&self, lease: &Lease, company: Company) -> Result<(), QueueError> {
        let first = {
            let mut leases = self.lanes.leases();
            let held = leases.get_mut(&lease.token.0).ok_or(QueueError::Lost)?;
            if Instant::now() >= held.until {
                return Err(QueueError::Lost);
            }
            // Set before the attempt is recorded, because the answer may get lost.
            !std::mem::replace(&mut held.has_record, true)
        };
        let Lease { task, token, .. } = lease;
        let record = self.lanes.attempts.note(&task.key, token, company, first).await?;
        if let Some(held) = self.lanes.leases().get_mut(&lease.token.0) {
            held.record = record.or(held.record);
        }
        Ok(())
    }

    async fn complete(&self, lease: Lease) -> Result<(), QueueError> {
        let held = self.lanes.leases().remove(&lease.token.0);
        if held.as_ref().is_none_or(|held| held.has_record) {
            let record = held.as_ref().and_then(|held| held.record);
            self.lanes.attempts.delete(&lease.task.key, record).await?;
        }
        match held {
            Some(held) => self.lanes.lane(held.priority).acknowledge(&held.message).await,
            // The worker that has the task now will find its outcome.
            None => Ok(()),
        }
    }

    async fn fail(&self, lease: Lease, reason: &str) -> Result<FailResult, QueueError> {
        let held = self.lanes.end(&lease).ok_or(QueueError::Lost)?;
        let Lanes { attempts, .. } = &self.lanes;
        if !lease.is_last() {
            attempts.note(&lease.task.key, &lease.token, Company::Alone, false).await?;
            self.lanes.put_back(&held).await?;
            return Ok(FailResult::Retried);
        }
        let key = lease.task.key;
        let letter = DeadLetter {
            task: lease.task,
            attempts: MAX_ATTEMPTS,
            reason: reason.to_owned(),
            at: Timestamp::now(),
        };
        self.lanes.publish_dead_letter(&letter).await?;
        attempts.delete(&key, held.record).await?;
        self.lanes.lane(held.priority).acknowledge(&held.message).await?;
        Ok(FailResult::Dead)
    }

    async fn give_back(&self, lease: Lease) -> Result<(), QueueError> {
        let held = self.lanes.end(&lease);
        if held.as_ref().is_none_or(|held| held.has_record) {
            self.lanes.attempts.withdraw(&lease.task.key, &lease.token).await?;
        }
        match held {
            Some(held) => self.lanes.put_back(&held).await,
            None => Ok(()),
        }
    }

    async fn forget_attempts(&self, key: &TaskKey) -> Result<(), QueueError> {
        self.lanes.attempts.delete(key, None).await
    }

    async fn dead_letters(&self, max: usize) -> Result<Vec<DeadLetter>, QueueError> {
        let dead = &self.lanes.dead_letters;
        let state = dead.get_info().await.map_err(unavailable)?.state;
        let mut letters = Vec::new();
        for sequence in (state.first_sequence..=state.last_sequence).rev() {
            if letters.len() >= max || state.messages == 0 {
                break;
            }
            match dead.get_raw_message(sequence).await {
                Ok(message) => letters.push(
                    serde_json::from_slice(&message.payload)
                        .map_err(|error| QueueError::corrupt(&error))?,
                ),
                Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => {}
                Err(error) => return Err(unavailable(error)),
            }
        }
        Ok(letters)
    }

    async fn delete_dead_letter(&self, key: &TaskKey) -> Result<(), QueueError> {
        let Lanes { dead_letters, dead_letter_prefix, context, .. } = &self.lanes;
        match dead_letters
            .get_last_raw_message_by_subject(&format!("{dead_letter_prefix}{key}"))
            .await
        {
            Ok(letter) => {
                let name = &dead_letters.cached_info().config.name;
                let deleted = delete_message(context, name, letter.sequence).await;
                deleted.map(|_| ()).map_err(unavailable)
            }
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(()),
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn backlog(&self) -> Result<Backlog, QueueError> {
        let Lanes { high, normal, dead_letters, .. } = &self.lanes;
        let dead = async { dead_letters.get_info().await.map_err(unavailable) };
        let (high, normal, dead) = tokio::try_join!(high.counts(), normal.counts(), dead)?;
        Ok(Backlog {
            waiting: high.waiting + normal.waiting,
            held: high.held + normal.held,
            dead: dead.state.messages,
        })
    }
}

/// Returns an error that permits a retry.
fn unavailable(error: impl std::fmt::Display) -> QueueError {
    QueueError::unavailable(&error)
}
