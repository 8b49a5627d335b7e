//! Webhooks: one message for each job that has ended, with at-least-once delivery.
//!
//! Input: the address and the secret that came with a job. Output: a POST according to the Standard
//! Webhooks specification (`webhook-id`, `webhook-timestamp`, `webhook-signature`) when the job is
//! finished or cancelled, and retries with growing pauses until the receiver accepts it or answers
//! 410, or all ten attempts have failed. A pending delivery is a document of the store, so that it
//! outlives this process; of several services, one claims it by the document's revision. Clients
//! take turns, and slow receivers do not delay other clients. Invariants: every attempt has the
//! same id and body, so that a receiver can detect duplicates; a secret leaves the service only to
//! the job's creator, and is stored sealed; if no answer came from the address, the client that
//! gave it sees the same error message whatever the reason.

mod address;
mod client;
mod in_flight;
mod seal;
mod secret;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::task::JoinSet;

pub(super) use self::address::{AddressError, Reach, Target};
use self::client::Message;
pub(super) use self::client::Sender;
use self::in_flight::{Flight, InFlight, Way};
pub use self::seal::{Seal, SealError};
pub(super) use self::secret::Secret;
use super::Jobs;
use super::counts::PhotoCounts;
use crate::answer::fault::ServiceFault;
use crate::answer::rfc3339::rfc3339;
use crate::metrics::{DeliveryResult, Metrics};
use tilesight_jobs::{Job, JobId, JobState, Name, Revision, Store, StoreError, Timestamp};

/// Pauses between attempts, as the specification advises: ten attempts in about three days.
const PAUSES: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_secs(5 * 60),
    Duration::from_secs(30 * 60),
    Duration::from_secs(2 * 3600),
    Duration::from_secs(5 * 3600),
    Duration::from_secs(10 * 3600),
    Duration::from_secs(14 * 3600),
    Duration::from_secs(20 * 3600),
    Duration::from_secs(24 * 3600),
];
/// Time for which a message belongs to the service that sends it; longer than any attempt takes.
const CLAIM: Duration = Duration::from_secs(60);
/// Stored state of a job's webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Delivery {
    pub(super) url: String,
    /// Sealed secret.
    sealed: String,
    /// Number of attempts so far.
    pub(super) attempts: u32,
    /// Earliest time of the next attempt.
    next: Timestamp,
    /// Reason why the last attempt failed.
    pub(super) error: Option<String>,
    /// Whether the receiver accepted the message; `None` while attempts continue.
    pub(super) taken: Option<bool>,
}

/// Webhook that a request asks for.
#[derive(Debug, Clone)]
pub(super) struct WebhookTarget {
    pub(super) target: Target,
    pub(super) secret: Secret,
}

/// Returns the kind of the documents of pending webhooks; [`marker_name`] is that of the others.
fn waiting() -> Name {
    "webhook".parse().expect("a name")
}

fn marker_name() -> Name {
    "webhook-over".parse().expect("a name")
}

fn name(job: &JobId) -> Name {
    job.to_string().parse().expect("hex digits are a name")
}

impl Delivery {
    /// Stores the webhook of a job. Called before the job is sealed, so that nothing gets lost.
    pub(super) async fn remember(
        store: &dyn Store,
        job: &JobId,
        asked: &WebhookTarget,
        seal: &Seal,
    ) -> Result<(), StoreError> {
        let sealed =
            seal.close(job, &asked.secret).map_err(|error| StoreError::unavailable(&error))?;
        let delivery = Delivery {
            url: asked.target.to_string(),
            sealed,
            attempts: 0,
            next: Timestamp(0),
            error: None,
            taken: None,
        };
        match store.save(&waiting(), &name(job), None, &delivery.bytes()).await {
            // The document exists already: the same request was sent again.
            Err(StoreError::Conflict) => Ok(()),
            saved => saved.map(drop),
        }
    }

    /// Returns the webhook of a job, if it has one.
    pub(super) async fn load(
        store: &dyn Store,
        job: &JobId,
    ) -> Result<Option<Delivery>, StoreError> {
        for kind in [waiting(), marker_name()] {
            if let Some((_, bytes)) = store.load(&kind, &name(job)).await? {
                return Delivery::read(&bytes).map(Some);
            }
        }
        Ok(None)
    }

    /// Removes the webhook of a job, with its secret.
    pub(super) async fn delete(store: &dyn Store, job: &JobId) -> Result<(), StoreError> {
        store.remove(&waiting(), &name(job)).await?;
        store.remove(&marker_name(), &name(job)).await
    }

    /// Removes the completed webhooks of deleted jobs.
    pub(super) async fn sweep(store: &dyn Store) -> Result<(), StoreError> {
        for id in store.list(&marker_name()).await? {
            let Ok(job) = id.as_str().parse() else { continue };
            if store.job(&job).await?.is_none() {
                store.remove(&marker_name(), &id).await?;
            }
        }
        Ok(())
    }

    /// Returns the secret, for the job's creator and for signing; `None` if the seal's key has
    /// changed.
    pub(super) fn secret(&self, seal: Option<&Seal>, job: &JobId) -> Option<Secret> {
        seal?.open(job, &self.sealed)
    }

    /// Records the result of an attempt, and when the next one is due.
    fn note(&mut self, refusal: Option<Refusal>) -> DeliveryResult {
        let Some(Refusal { reason, last, .. }) = refusal else {
            self.taken = Some(true);
            self.error = None;
            return DeliveryResult::Taken;
        };
        self.error = Some(reason);
        match PAUSES.get(self.attempts as usize - 1).filter(|_| !last) {
            Some(&pause) => {
                self.next = Timestamp::now().saturating_add(jittered(pause));
                DeliveryResult::Refused
            }
            None => {
                self.taken = Some(false);
                DeliveryResult::GivenUp
            }
        }
    }

    fn read(bytes: &[u8]) -> Result<Delivery, StoreError> {
        serde_json::from_slice(bytes).map_err(|error| StoreError::corrupt(&error))
    }

    fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("its keys are texts")
    }
}

/// Sender of the messages that are due.
#[derive(Debug, Clone)]
pub(super) struct WebhookDelivery {
    store: Arc<dyn Store>,
    sender: Sender,
    seal: Option<Arc<Seal>>,
    metrics: Arc<Metrics>,
    in_flight: Arc<InFlight>,
}

/// Message that is due, or that this service has claimed.
#[derive(Debug)]
struct DueDelivery {
    job: Job,
    delivery: Delivery,
    revision: Revision,
}

impl WebhookDelivery {
    pub(super) fn new(jobs: &Jobs, metrics: Arc<Metrics>) -> WebhookDelivery {
        WebhookDelivery {
            store: jobs.store(),
            sender: jobs.sender.clone(),
            seal: jobs.seal.clone(),
            metrics,
            in_flight: Arc::default(),
        }
    }

    /// Claims the messages that are due and may be sent now, and sends them in tasks of
    /// `deliveries`.
    pub(super) async fn round(&self, deliveries: &mut JoinSet<()>) -> Result<(), StoreError> {
        if !self.in_flight.has_room() {
            return Ok(());
        }
        let mut all = Vec::new();
        for id in self.store.list(&waiting()).await? {
            let Ok(job) = id.as_str().parse() else { continue };
            if let Some(due) = self.due(&job).await? {
                all.push((due.way(), due));
            }
        }
        while let Some((at, flight)) = self.in_flight.next(all.iter().map(|(way, _)| way)) {
            let (_, due) = all.remove(at);
            if let Some(due) = self.claim(due).await? {
                deliveries.spawn(self.clone().carry(due, flight));
            }
        }
        Ok(())
    }

    async fn carry(self, due: DueDelivery, _flight: Flight) {
        let job = due.job.new.id;
        if let Err(error) = self.deliver(due).await {
            // The claim expires, and a service tries again.
            tracing::warn!(%job, %error, "the state of a webhook could not be saved");
        }
    }

    /// Returns a message if it is due.
    async fn due(&self, id: &JobId) -> Result<Option<DueDelivery>, StoreError> {
        let Some((revision, bytes)) = self.store.load(&waiting(), &name(id)).await? else {
            return Ok(None);
        };
        let delivery = Delivery::read(&bytes)?;
        if delivery.next > Timestamp::now() {
            return Ok(None);
        }
        let Some(job) = self.store.job(id).await? else {
            self.store.remove(&waiting(), &name(id)).await?;
            return Ok(None);
        };
        let ended = matches!(job.state(), JobState::Finished | JobState::Cancelled);
        Ok(ended.then_some(DueDelivery { job, delivery, revision }))
    }

    /// Claims a message for this service, unless another service has claimed it.
    async fn claim(&self, due: DueDelivery) -> Result<Option<DueDelivery>, StoreError> {
        let DueDelivery { job, mut delivery, revision } = due;
        let id = &job.new.id;
        delivery.attempts += 1;
        delivery.next = Timestamp::now().saturating_add(CLAIM);
        match self.store.save(&waiting(), &name(id), Some(revision), &delivery.bytes()).await {
            Ok(revision) => Ok(Some(DueDelivery { job, delivery, revision })),
            Err(StoreError::Conflict) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn deliver(&self, due: DueDelivery) -> Result<(), StoreError> {
        let DueDelivery { job, mut delivery, revision } = due;
        let refusal = self.send(&job, &delivery).await.err();
        let job = job.new.id;
        let attempts = delivery.attempts;
        match &refusal {
            None => tracing::info!(%job, attempts, "a webhook was delivered"),
            Some(Refusal { reason, cause, .. }) => {
                let reason = cause.as_ref().unwrap_or(reason);
                tracing::info!(%job, attempts, reason, "a webhook was not delivered");
            }
        }
        let outcome = delivery.note(refusal);
        self.metrics.webhook(outcome);
        let kind = if outcome == DeliveryResult::Refused { waiting() } else { marker_name() };
        self.keep(&job, &kind, &delivery, revision).await
    }

    /// Stores the state of a message, unless its job was deleted meanwhile.
    async fn keep(
        &self,
        id: &JobId,
        kind: &Name,
        delivery: &Delivery,
        revision: Revision,
    ) -> Result<(), StoreError> {
        let name = name(id);
        let saved = if *kind == waiting() {
            self.store.save(kind, &name, Some(revision), &delivery.bytes()).await
        } else {
            let saved = self.store.save(kind, &name, None, &delivery.bytes()).await;
            self.store.remove(&waiting(), &name).await?;
            saved
        };
        match saved {
            Err(StoreError::Conflict) => Ok(()),
            saved => saved.map(drop),
        }
    }

    async fn send(&self, job: &Job, delivery: &Delivery) -> Result<(), Refusal> {
        let target: Target = delivery.url.parse().map_err(Refusal::unusable)?;
        let secret =
            delivery.secret(self.seal.as_deref(), &job.new.id).ok_or_else(Refusal::unsigned)?;
        let id = format!("msg_{}", job.new.id);
        let body = body(job);
        let time = Timestamp::now().0 / 1000;
        let signature = secret.sign(&id, time, &body);
        let message = Message { id, time, signature, body };
        match self.sender.send(&target, message).await {
            Ok(status) if status.is_success() => Ok(()),
            // A 410 means that the receiver is gone for good.
            Ok(status) => Err(Refusal {
                reason: format!("it answered {status}"),
                cause: None,
                last: status == 410,
            }),
            Err(error) => Err(Refusal::unusable(error)),
        }
    }
}

/// Reason why a message was not delivered.
#[derive(Debug)]
struct Refusal {
    /// Reason for the client that gave the address.
    reason: String,
    /// Reason for the log, if it is more detailed.
    cause: Option<String>,
    /// Whether another attempt would be pointless.
    last: bool,
}

impl Refusal {
    fn unusable(error: impl std::fmt::Display) -> Refusal {
        let reason = ServiceFault::WebhookAddress.to_string();
        Refusal { reason, cause: Some(error.to_string()), last: false }
    }

    /// Returns the refusal of a secret that can't be opened. Attempts continue, because the
    /// operator may restore the key.
    fn unsigned() -> Refusal {
        let reason = "the service can't sign it: the key that seals secrets has changed";
        Refusal { reason: reason.to_owned(), cause: None, last: false }
    }
}

impl DueDelivery {
    fn way(&self) -> Way {
        let host = self.delivery.url.parse().map(|target: Target| target.host);
        let client = self.job.new.client.clone().unwrap_or_default();
        // An address that can't be parsed is refused when the message is sent.
        Way { client, host: host.unwrap_or_default() }
    }
}

/// Returns the message of a job that has ended; equal at every attempt.
fn body(job: &Job) -> String {
    let state = job.state();
    let kind = if state == JobState::Cancelled { "job.cancelled" } else { "job.finished" };
    let ended = job.cancelled.or(job.finished).unwrap_or(job.new.created);
    let id = job.new.id;
    let data = json!({
        "id": id,
        "status": state,
        "photos": PhotoCounts::from_progress(&job.progress),
        "results": format!("/v1/jobs/{id}/results"),
        "errors": format!("/v1/jobs/{id}/errors"),
    });
    json!({ "type": kind, "timestamp": rfc3339(ended), "data": data }).to_string()
}

/// Lengthens a pause by up to a tenth, so that messages that failed together are not retried
/// together.
fn jittered(pause: Duration) -> Duration {
    // The jitter is optional, so missing random numbers do no harm.
    let part = getrandom::u32().unwrap_or(0) % 100;
    pause + pause * part / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delivery() -> Delivery {
        let url = "https://example.org/".to_owned();
        let sealed = String::new();
        Delivery { url, sealed, attempts: 0, next: Timestamp(0), error: None, taken: None }
    }

    fn refused(last: bool) -> Option<Refusal> {
        Some(Refusal { reason: "it answered 500".to_owned(), cause: None, last })
    }

    #[test]
    fn a_stored_secret_opens_with_its_key_alone() {
        let job = JobId::random().unwrap();
        let seal = Seal::new(&[1; 32]);
        let secret = Secret::generate().unwrap();
        let sealed = seal.close(&job, &secret).unwrap();
        let stored = String::from_utf8(Delivery { sealed, ..delivery() }.bytes()).unwrap();
        assert!(!stored.contains("whsec_"), "{stored}");
        let again = Delivery::read(stored.as_bytes()).unwrap();
        assert_eq!(again.secret(Some(&seal), &job), Some(secret));
        assert_eq!(again.secret(Some(&Seal::new(&[2; 32])), &job), None, "the key was lost");
        assert_eq!(again.secret(None, &job), None);
    }

    #[test]
    fn a_message_is_sent_again_with_growing_pauses_until_somebody_gives_up() {
        let mut delivery = delivery();
        let mut total = Duration::ZERO;
        for pause in PAUSES {
            delivery.attempts += 1;
            let before = Timestamp::now();
            assert_eq!(delivery.note(refused(false)), DeliveryResult::Refused);
            assert!(delivery.next >= before.saturating_add(pause) && delivery.taken.is_none());
            assert!(
                delivery.next <= Timestamp::now().saturating_add(pause + pause / 10),
                "a tenth more at most"
            );
            total += pause;
        }
        assert!(total > Duration::from_secs(3 * 86_400), "{total:?}");
        delivery.attempts += 1;
        assert_eq!(
            (delivery.note(refused(false)), delivery.taken),
            (DeliveryResult::GivenUp, Some(false))
        );
    }

    #[test]
    fn a_delivery_ends_when_taken_or_when_its_receiver_is_gone() {
        let mut gone = Delivery { attempts: 1, ..delivery() };
        assert_eq!((gone.note(refused(true)), gone.taken), (DeliveryResult::GivenUp, Some(false)));
        let mut taken = Delivery { attempts: 4, error: Some("before".to_owned()), ..delivery() };
        assert_eq!((taken.note(None), taken.taken), (DeliveryResult::Taken, Some(true)));
        assert_eq!(taken.error, None);
    }
}
