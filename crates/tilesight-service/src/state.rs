//! State that all requests share: the reader once it is loaded, the limits, the keys, and the
//! stores.
//!
//! A [`ServiceBuilder`] collects the parts of the service and is consumed by
//! [`build`](ServiceBuilder::build). Invariant: only the reader with its own sets, the keys
//! ([`Service::renew_keys`]) and the stop signal of a built service can change, so that no code can
//! start to require keys too late.

use std::sync::{Arc, OnceLock};

use axum::extract::{FromRef, Request};
use axum::http::{Extensions, HeaderValue};
use tilesight_core::rules::Book;
use tilesight_vision::Reader;
use tilesight_vision::sets::{OwnSet, SetError};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::answer::failure::Failure;
use crate::guard::admission::{Admission, UploadPermit};
use crate::guard::client::Client;
use crate::guard::discard::refuse_unless;
use crate::guard::gate::Gate;
use crate::guard::keys::Keys;
use crate::guard::ledger;
use crate::guard::origin::Hosts;
use crate::metrics::Metrics;
use crate::{Limits, PageReads};

/// Handle of the state that all requests share: the reader once it is loaded, the limits, and the
/// access rules.
#[derive(Debug, Clone)]
pub struct Service(Arc<ServiceState>);

#[derive(Debug)]
struct ServiceState {
    reader: OnceLock<Arc<Reader>>,
    admission: Admission,
    gate: Arc<Gate>,
    limits: Limits,
    stopping: watch::Sender<bool>,
    sites: Vec<HeaderValue>,
    /// Stores by their types.
    stores: Extensions,
    book: Arc<Book>,
    page_reads: PageReads,
    metrics: Arc<Metrics>,
}

impl Service {
    /// Returns a builder with these limits and defaults for the rest: no keys, only this machine's
    /// names as hosts, the shipped rule sets, and no stores for feedback, jobs or games.
    pub fn builder(limits: Limits) -> ServiceBuilder {
        ServiceBuilder {
            limits,
            keys: Keys::default(),
            hosts: Hosts::default(),
            sites: Vec::new(),
            stores: Extensions::new(),
            book: Arc::new(Book::shipped()),
            page_reads: PageReads::default(),
        }
    }

    /// Makes the reader available, so that photos can be read. Only the first call has an effect.
    pub fn ready(&self, reader: Arc<Reader>) {
        self.0.metrics.runs_on(reader.model().device());
        let _ = self.0.reader.set(reader);
    }

    /// Replaces the own sets that photos can be read with. Returns whether the reader is there that
    /// has them.
    ///
    /// # Errors
    /// [`SetError`] if a set can't be used; the sets then stay.
    pub fn renew_sets(&self, sets: Vec<OwnSet>) -> Result<bool, SetError> {
        match self.0.reader.get() {
            Some(reader) => reader.renew_sets(sets).map(|()| true),
            None => Ok(false),
        }
    }

    /// Signals that the process is stopping: `/readyz` reports it, and accepted requests are still
    /// answered.
    pub fn stop(&self) {
        self.0.stopping.send_replace(true);
    }

    pub(crate) fn stopping(&self) -> bool {
        *self.0.stopping.borrow()
    }

    /// Returns a receiver that becomes `true` once the process is stopping.
    pub(crate) fn stop_signal(&self) -> watch::Receiver<bool> {
        self.0.stopping.subscribe()
    }

    pub(crate) fn reader(&self) -> Result<Arc<Reader>, Failure> {
        self.0.reader.get().cloned().ok_or(Failure::Starting)
    }

    /// Takes an upload permit for a request whose photos are to be read. Refuses the request if
    /// photos can't be read yet, or if no permit is free. `bodies` is the size limit of its body,
    /// in bodies of usual size.
    pub(crate) fn admit(
        &self,
        request: Request,
        bodies: usize,
        limits: &Limits,
    ) -> Result<(Arc<Reader>, UploadPermit, Request), Failure> {
        let client = Client::from_extensions(request.extensions());
        let entered = self
            .reader()
            .and_then(|reader| Ok((reader, self.admission().enter_with(&client, bodies)?)));
        let ((reader, permit), request) = refuse_unless(entered, request, limits)?;
        Ok((reader, permit, request))
    }

    /// Answers a request within its time limit. Beyond it, whatever the request still waits for is
    /// dropped, and work that it began ends at its next checkpoint.
    pub(crate) async fn in_time<T>(
        &self,
        answering: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        timeout(self.limits().request, answering).await.unwrap_or(Err(Failure::Overdue))
    }

    /// Replaces the keys. Event streams of a removed key end.
    pub fn renew_keys(&self, keys: Keys) {
        self.0.gate.renew_keys(keys);
    }

    /// Counts on from the usage of keys that the store of jobs has, and saves it every few seconds
    /// until the service stops. Without a store, usage is counted from the start of the process.
    pub async fn keep_usage(self) {
        let Ok(jobs) = self.jobs() else { return };
        let ledger = Arc::clone(&self.0.gate.usage);
        let store = &jobs.backend().store;
        if let Err(error) = ledger.load(store.as_ref()).await {
            tracing::warn!(%error, "the usage of keys can't be read: quotas begin anew");
        }
        let mut stop = self.stop_signal();
        while !*stop.borrow() {
            tokio::select! { () = sleep(ledger::INTERVAL) => {}, _ = stop.wait_for(|stop| *stop) => {} }
            self.save_usage().await;
        }
    }

    /// Saves the usage of keys, if there is a store of jobs.
    pub async fn save_usage(&self) {
        let Ok(jobs) = self.jobs() else { return };
        if let Err(error) = self.0.gate.usage.save(jobs.backend().store.as_ref()).await {
            tracing::warn!(%error, "the usage of keys can't be saved yet");
        }
    }

    pub(crate) fn sites(&self) -> &[HeaderValue] {
        &self.0.sites
    }

    /// Returns a store that the service was built with. The file of its endpoints knows its type.
    pub(crate) fn store<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.0.stores.get::<Arc<T>>().cloned()
    }

    /// Returns the rule sets by which hands can be scored.
    pub(crate) fn book(&self) -> &Arc<Book> {
        &self.0.book
    }

    /// Returns where the page reads photos by default.
    #[cfg_attr(not(feature = "web"), allow(dead_code, reason = "there is no page"))]
    pub(crate) fn page_reads(&self) -> PageReads {
        self.0.page_reads
    }

    pub(crate) fn metrics(&self) -> &Arc<Metrics> {
        &self.0.metrics
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Returns what the guards know of the service.
    pub(crate) fn gate(&self) -> &Arc<Gate> {
        &self.0.gate
    }

    pub(crate) fn admission(&self) -> &Admission {
        &self.0.admission
    }
}

impl FromRef<Service> for Admission {
    fn from_ref(service: &Service) -> Admission {
        service.admission().clone()
    }
}

/// Builder of a service; [`build`](ServiceBuilder::build) completes it.
#[derive(Debug)]
#[must_use = "nothing is served until it is built"]
pub struct ServiceBuilder {
    limits: Limits,
    keys: Keys,
    hosts: Hosts,
    sites: Vec<HeaderValue>,
    /// Stores by their types.
    stores: Extensions,
    book: Arc<Book>,
    page_reads: PageReads,
}

impl ServiceBuilder {
    /// Sets the keys of which a request must have one. Without any, no key is required.
    pub fn keys(self, keys: Keys) -> ServiceBuilder {
        ServiceBuilder { keys, ..self }
    }

    /// Sets the service's names in addition to this machine's own, for requests without a key.
    pub fn hosts(self, hosts: Hosts) -> ServiceBuilder {
        ServiceBuilder { hosts, ..self }
    }

    /// Sets the sites, such as `https://club.example`, whose pages may use the service with a key.
    /// A text that is not the address of a site, such as `*`, is ignored.
    pub fn sites<S: AsRef<str>>(self, sites: &[S]) -> ServiceBuilder {
        let sites = sites
            .iter()
            .map(AsRef::as_ref)
            .filter(|site| site.contains("://"))
            .filter_map(|site| HeaderValue::try_from(site).ok())
            .collect();
        ServiceBuilder { sites, ..self }
    }

    /// Sets the rule sets by which hands can be scored. Default: the shipped rule sets.
    pub fn book(self, book: Arc<Book>) -> ServiceBuilder {
        ServiceBuilder { book, ..self }
    }

    /// Sets where the page reads photos by default. Default: on the device.
    pub fn page_reads(self, page_reads: PageReads) -> ServiceBuilder {
        ServiceBuilder { page_reads, ..self }
    }

    /// Adds a store. Methods beside the endpoints that use it call this.
    pub(crate) fn with_store<T: Send + Sync + 'static>(mut self, store: Arc<T>) -> ServiceBuilder {
        self.stores.insert(store);
        self
    }

    /// Builds the service. It answers everything except photos until [`ready`](Service::ready) is
    /// called.
    #[must_use]
    pub fn build(self) -> Service {
        let ServiceBuilder { limits, keys, hosts, sites, stores, book, page_reads } = self;
        Service(Arc::new(ServiceState {
            reader: OnceLock::new(),
            admission: Admission::new(&limits),
            gate: Arc::new(Gate::new(keys, hosts, limits.clone())),
            limits,
            stopping: watch::Sender::new(false),
            sites,
            stores,
            book,
            page_reads,
            metrics: Arc::new(Metrics::new()),
        }))
    }
}
