//! Lane for one priority: a work-queue stream and its pull consumer.
//!
//! Invariant: a message says nothing about attempts at its task, so any process can take it over.

use std::error::Error as _;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::response::Response;
use async_nats::jetstream::stream::{
    self, DiscardPolicy, LastRawMessageErrorKind, RawMessageErrorKind, RetentionPolicy, Stream,
};
use async_nats::jetstream::{AckKind, Context, Message};
use futures_util::StreamExt as _;
use serde::Deserialize;
use tilesight_jobs::{Backlog, QueueError, Task, TaskKey};
use tokio::time::{sleep, timeout};

use super::unavailable;
use crate::StoreError;
use crate::connection::Connection;
use crate::options::NatsOptions;

/// Name of the consumer that all workers share.
const WORKERS: &str = "workers";
/// Time for which a stream remembers message ids: longer than any retry after a lost answer. For a
/// later push, the stream is searched for the task.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);
/// Maximum number of tasks that are held at once, and of workers that wait for one.
const MAX_WORKERS: i64 = 65_536;
/// Error code of the server for a stream that accepts no more messages.
const STORE_FAILED: u64 = 10077;
/// Number of checks, and the pause between them, within which an acknowledged message disappears
/// from its stream: with replicas, the leader of the stream is informed by the leader of the
/// consumer.
const MAX_CHECKS: u32 = 50;
const CHECK_INTERVAL: Duration = Duration::from_millis(10);

/// Time within which a consumer counts a message that was published. Both are on one server, or on
/// servers that exchange heartbeats each second.
const COUNTED: Duration = Duration::from_secs(2);

/// Answer to the request for another leader.
#[derive(Debug, Deserialize)]
struct Stepdown {
    success: bool,
}

/// Lane for one priority.
#[derive(Debug)]
pub(super) struct Lane {
    context: Context,
    stream: Stream,
    consumer: Consumer<pull::Config>,
    /// Prefix of the lane's subjects.
    subjects: String,
    lease: Duration,
    /// Time to wait for an answer.
    timeout: Duration,
}

/// Task that this process holds, with its message.
#[derive(Debug, Clone)]
pub(super) struct LeasedMessage {
    pub(super) task: Task,
    /// Subject on which the message is acknowledged.
    pub(super) reply: String,
    message: Message,
    /// Number of the message in the stream, the same for each delivery.
    pub(super) sequence: u64,
}

/// Result of publishing a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PublishResult {
    /// The message is in the stream.
    New,
    /// The stream remembers the message's id, and stored nothing.
    Repeated,
}

impl Lane {
    pub(super) async fn open(
        connection: &Connection,
        name: &str,
        options: &NatsOptions,
    ) -> Result<Lane, StoreError> {
        let subjects = format!("{}.{name}.", connection.prefix());
        let config = stream::Config {
            name: connection.full_name(name),
            subjects: vec![format!("{subjects}*")],
            retention: RetentionPolicy::WorkQueue,
            max_messages: options.max_waiting,
            discard: DiscardPolicy::New,
            duplicate_window: DUPLICATE_WINDOW,
            ..stream::Config::default()
        };
        let stream = connection.stream(config).await?;
        let workers = pull::Config {
            durable_name: Some(WORKERS.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: options.lease,
            // Unlimited: the worker that receives a message once too often gives the task up, but
            // the server would only stop delivering it.
            max_deliver: -1,
            max_ack_pending: MAX_WORKERS,
            max_waiting: MAX_WORKERS,
            ..pull::Config::default()
        };
        let consumer = stream
            .get_or_create_consumer(WORKERS, workers)
            .await
            .map_err(|error| StoreError::unavailable(&error))?;
        Ok(Lane {
            context: connection.context.clone(),
            stream,
            lease: consumer.cached_info().config.ack_wait,
            consumer,
            subjects,
            timeout: options.timeout,
        })
    }

    pub(super) fn lease_time(&self) -> Duration {
        self.lease
    }

    /// Returns whether a task is waiting or held here.
    pub(super) async fn has(&self, key: &TaskKey) -> Result<bool, QueueError> {
        let subject = format!("{}{key}", self.subjects);
        match self.stream.get_last_raw_message_by_subject(&subject).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(false),
            Err(error) => Err(unavailable(error)),
        }
    }

    /// Publishes a task. With `once`, the message carries the task's key as its id, so that the
    /// stream does not store it twice.
    pub(super) async fn publish(
        &self,
        task: &Task,
        once: bool,
    ) -> Result<PublishResult, QueueError> {
        let body = serde_json::to_vec(task).expect("its keys are texts");
        let mut message = PublishMessage::build().payload(body.into());
        if once {
            message = message.message_id(task.key.to_string());
        }
        let subject = format!("{}{}", self.subjects, task.key);
        let sent = self.context.send_publish(subject, message).await.map_err(publish_error)?;
        let taken = sent.await.map_err(publish_error)?;
        Ok(if taken.duplicate { PublishResult::Repeated } else { PublishResult::New })
    }

    /// Returns the next task; `None` if there is none within `wait`.
    ///
    /// A request whose answer is lost with the connection is never answered: a caller that waited
    /// for it without a limit would never take a task again, nor stop. A task in the lost answer is
    /// redelivered after the lease time.
    pub(super) async fn next(&self, wait: Duration) -> Result<Option<LeasedMessage>, QueueError> {
        let answer = timeout(wait + self.timeout, self.pull(wait)).await;
        let Some(message) = answer.map_err(|_| unavailable("no answer to a look for tasks"))??
        else {
            return Ok(None);
        };
        match leased(message.clone()) {
            Ok(leased) => Ok(Some(leased)),
            Err(error) => {
                // Another version of the program may understand the message. It stays
                // unacknowledged until the lease time is over, so that it does not keep workers
                // busy.
                tracing::error!(%error, subject = %message.subject, "a message is not a task");
                Ok(None)
            }
        }
    }

    /// Requests one message.
    async fn pull(&self, wait: Duration) -> Result<Option<Message>, QueueError> {
        let messages = match wait {
            Duration::ZERO => self.consumer.fetch().max_messages(1).messages().await,
            wait => self.consumer.batch().max_messages(1).expires(wait).messages().await,
        };
        let message = messages.map_err(unavailable)?.next().await;
        message.transpose().map_err(unavailable)
    }

    /// Extends a lease by the lease time.
    pub(super) async fn extend(&self, held: &LeasedMessage) -> Result<(), QueueError> {
        held.message.ack_with(AckKind::Progress).await.map_err(unavailable)
    }

    /// Removes a task from the stream, and returns when it is gone.
    pub(super) async fn acknowledge(&self, held: &LeasedMessage) -> Result<(), QueueError> {
        held.message.double_ack().await.map_err(unavailable)?;
        for _ in 0..MAX_CHECKS {
            match self.stream.get_raw_message(held.sequence).await {
                Ok(_) => sleep(CHECK_INTERVAL).await,
                Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => return Ok(()),
                Err(error) => return Err(unavailable(error)),
            }
        }
        Err(unavailable("a task stayed in its stream after it was acknowledged"))
    }

    /// Requests another delivery of a task.
    pub(super) async fn refuse(&self, held: &LeasedMessage) -> Result<(), QueueError> {
        held.message.double_ack_with(AckKind::Nak(None)).await.map_err(unavailable)
    }

    /// Removes messages that stayed in the stream after they were acknowledged: a server that was
    /// down at that time may miss the acknowledgement (seen with nats-server 2.9.10), and a later
    /// push of their tasks would be taken for a duplicate.
    pub(super) async fn purge_acknowledged(&self) -> Result<(), QueueError> {
        let state = self.stream.get_info().await.map_err(unavailable)?.state;
        let consumer = self.consumer.get_info().await.map_err(unavailable)?;
        // All messages up to this one were acknowledged.
        let floor = consumer.ack_floor.stream_sequence;
        if state.messages > 0 && state.first_sequence <= floor {
            let purged = self.stream.purge().sequence(floor + 1).await.map_err(unavailable)?;
            tracing::info!(
                messages = purged.purged,
                "messages stayed after they were acknowledged"
            );
        }
        Ok(())
    }

    /// Asks the servers for another leader of the consumer, if the present one does not see the
    /// messages of the stream. After a node was away, nats-server 2.9.10 may lead a consumer by a
    /// copy of the stream that stays behind: it counts no waiting message, old or new, and delivers
    /// none.
    pub(super) async fn replace_blind_leader(&self) -> Result<(), QueueError> {
        let Some(seen) = self.seen_of_more().await? else { return Ok(()) };
        // A message that was published at this moment is counted soon.
        sleep(COUNTED).await;
        if self.seen_of_more().await? != Some(seen) {
            return Ok(());
        }
        let stream = &self.stream.cached_info().config.name;
        let subject = format!("CONSUMER.LEADER.STEPDOWN.{stream}.{WORKERS}");
        match self.context.request(subject, &()).await.map_err(unavailable)? {
            Response::Ok(Stepdown { success }) => {
                tracing::warn!(stream, seen, success, "asked for a leader that sees all messages");
            }
            // A single server has no other leader.
            Response::Err { error } => {
                tracing::warn!(stream, seen, %error, "the server does not deliver all messages");
            }
        }
        Ok(())
    }

    /// Returns the number of the last message that the consumer delivered, if the stream has more
    /// and the consumer counts none that waits or is held.
    async fn seen_of_more(&self) -> Result<Option<u64>, QueueError> {
        let state = self.stream.get_info().await.map_err(unavailable)?.state;
        let consumer = self.consumer.get_info().await.map_err(unavailable)?;
        let seen = consumer.delivered.stream_sequence;
        let is_idle = consumer.num_pending == 0 && consumer.num_ack_pending == 0;
        Ok((is_idle && state.messages > 0 && seen < state.last_sequence).then_some(seen))
    }

    /// Returns the numbers of waiting and held tasks.
    pub(super) async fn counts(&self) -> Result<Backlog, QueueError> {
        let info = self.consumer.get_info().await.map_err(unavailable)?;
        Ok(Backlog { waiting: info.num_pending, held: info.num_ack_pending as u64, dead: 0 })
    }
}

/// Parses a message as a task.
fn leased(message: Message) -> Result<LeasedMessage, async_nats::Error> {
    let task = serde_json::from_slice(&message.payload)?;
    let sequence = message.info()?.stream_sequence;
    let reply = message.reply.as_ref().ok_or("it can't be acknowledged")?.to_string();
    Ok(LeasedMessage { task, reply, message, sequence })
}

/// Converts the error of a message that was not stored.
fn publish_error(error: PublishError) -> QueueError {
    let code = error
        .source()
        .and_then(|source| source.downcast_ref::<async_nats::jetstream::Error>())
        .map(|source| source.error_code().0);
    match error.kind() {
        PublishErrorKind::Other if code == Some(STORE_FAILED) => QueueError::Full,
        _ => unavailable(error),
    }
}
