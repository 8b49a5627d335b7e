//! What all requests share: the reader once it is loaded, the limits, the keys, and where things
//! are kept.
//!
//! A [`ServiceBuilder`] takes what the service is made of and is consumed by
//! [`build`](ServiceBuilder::build). Invariant: of a built service nothing changes but its reader,
//! its keys ([`Service::renew_keys`]) and whether it stops, so that nobody can require keys too
//! late.

use std::sync::{Arc, OnceLock};

use axum::http::HeaderValue;
use tilesight_core::rules::Book;
use tokio::sync::watch;

use super::admission::Admission;
use super::failure::Failure;
use super::feedback::Store;
use super::games::Games;
use super::jobs::Jobs;
use super::keys::Keys;
use super::metrics::Metrics;
use super::origin::Hosts;
use super::rulesets::RulesetLists;
use super::throttle::Throttle;
use crate::config::{Limits, PageReads};
use crate::pipeline::Reader;

/// What all requests share: the reader once it is loaded, the limits, and who may come in.
#[derive(Debug, Clone)]
pub struct Service(Arc<ServiceState>);

#[derive(Debug)]
struct ServiceState {
    reader: OnceLock<Arc<Reader>>,
    admission: Admission,
    throttle: Throttle,
    limits: Limits,
    stopping: watch::Sender<bool>,
    keys: watch::Sender<Arc<Keys>>,
    hosts: Hosts,
    sites: Vec<HeaderValue>,
    feedback: Option<Arc<Store>>,
    jobs: Option<Arc<Jobs>>,
    games: Option<Arc<Games>>,
    book: Arc<Book>,
    page_reads: PageReads,
    ruleset_lists: OnceLock<RulesetLists>,
    metrics: Metrics,
}

impl Service {
    /// A service with these limits, and nothing else yet: without keys, for this machine alone, by
    /// the shipped rule sets, and without a place for feedback, jobs or games.
    pub fn builder(limits: Limits) -> ServiceBuilder {
        ServiceBuilder {
            limits,
            keys: Keys::default(),
            hosts: Hosts::default(),
            sites: Vec::new(),
            feedback: None,
            jobs: None,
            games: None,
            book: Arc::new(Book::shipped()),
            page_reads: PageReads::default(),
        }
    }

    /// Photos can be read from now on. The first reader stays.
    pub fn ready(&self, reader: Arc<Reader>) {
        self.0.metrics.runs_on(reader.model().device());
        let _ = self.0.reader.set(reader);
    }

    /// The process was asked to stop: `/readyz` says so, and what was accepted is still answered.
    pub fn stop(&self) {
        self.0.stopping.send_replace(true);
    }

    pub(super) fn stopping(&self) -> bool {
        *self.0.stopping.borrow()
    }

    /// Says `true` once the process was asked to stop.
    pub(super) fn stopped(&self) -> watch::Receiver<bool> {
        self.0.stopping.subscribe()
    }

    pub(super) fn reader(&self) -> Result<Arc<Reader>, Failure> {
        self.0.reader.get().cloned().ok_or(Failure::Starting)
    }

    /// Other keys from now on: what belongs to one that is not among them ends.
    pub fn renew_keys(&self, keys: Keys) {
        self.0.keys.send_modify(|known| *known = Arc::new(keys.in_place_of(known)));
    }

    pub(super) fn keys(&self) -> Arc<Keys> {
        Arc::clone(&self.0.keys.borrow())
    }

    pub(super) fn keys_as_they_change(&self) -> watch::Receiver<Arc<Keys>> {
        self.0.keys.subscribe()
    }

    pub(super) fn sites(&self) -> &[HeaderValue] {
        &self.0.sites
    }

    pub(super) fn hosts(&self) -> &Hosts {
        &self.0.hosts
    }

    pub(super) fn feedback(&self) -> Result<Arc<Store>, Failure> {
        self.0.feedback.clone().ok_or(Failure::NoFeedback)
    }

    pub(super) fn jobs(&self) -> Result<Arc<Jobs>, Failure> {
        self.0.jobs.clone().ok_or(Failure::NoJobs)
    }

    pub(super) fn games(&self) -> Result<Arc<Games>, Failure> {
        self.0.games.clone().ok_or(Failure::NoGames)
    }

    /// The rule sets that hands can be scored by.
    pub(super) fn book(&self) -> &Arc<Book> {
        &self.0.book
    }

    /// The answers of `GET /v1/rulesets`, written when the first is asked for.
    pub(super) fn ruleset_lists(&self) -> &RulesetLists {
        self.0.ruleset_lists.get_or_init(|| RulesetLists::new(self.book()))
    }

    /// Where the page reads photos, unless a person chooses.
    #[cfg_attr(not(feature = "web"), allow(dead_code, reason = "there is no page"))]
    pub(super) fn page_reads(&self) -> PageReads {
        self.0.page_reads
    }

    pub(super) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(super) fn throttle(&self) -> &Throttle {
        &self.0.throttle
    }

    pub(super) fn admission(&self) -> &Admission {
        &self.0.admission
    }
}

/// What a service is made of, before it is shared: [`build`](ServiceBuilder::build) ends the
/// choice.
#[derive(Debug)]
#[must_use = "nothing is served until it is built"]
pub struct ServiceBuilder {
    limits: Limits,
    keys: Keys,
    hosts: Hosts,
    sites: Vec<HeaderValue>,
    feedback: Option<Arc<Store>>,
    jobs: Option<Arc<Jobs>>,
    games: Option<Arc<Games>>,
    book: Arc<Book>,
    page_reads: PageReads,
}

impl ServiceBuilder {
    /// Only requests with one of these keys are answered; without any, none is required.
    pub fn keys(self, keys: Keys) -> ServiceBuilder {
        ServiceBuilder { keys, ..self }
    }

    /// The service's names beside this machine's own, for requests without a key.
    pub fn hosts(self, hosts: Hosts) -> ServiceBuilder {
        ServiceBuilder { hosts, ..self }
    }

    /// Sites, such as `https://club.example`, whose pages may use the service with a key. What is
    /// not the address of a site, such as `*`, is left out.
    pub fn sites<S: AsRef<str>>(self, sites: &[S]) -> ServiceBuilder {
        let sites = sites.iter().map(AsRef::as_ref).filter(|site| site.contains("://"));
        let sites = sites.filter_map(|site| HeaderValue::try_from(site).ok()).collect();
        ServiceBuilder { sites, ..self }
    }

    /// The rule sets that hands can be scored by; the shipped ones where it is not called.
    pub fn book(self, book: Arc<Book>) -> ServiceBuilder {
        ServiceBuilder { book, ..self }
    }

    /// Where the page reads photos, unless a person chooses; on the device where it is not called.
    pub fn page_reads(self, page_reads: PageReads) -> ServiceBuilder {
        ServiceBuilder { page_reads, ..self }
    }

    /// Where feedback is kept.
    pub fn feedback(self, store: Arc<Store>) -> ServiceBuilder {
        ServiceBuilder { feedback: Some(store), ..self }
    }

    /// Where jobs are kept. A [`Keeper`](super::Keeper) reads their photos.
    pub fn jobs(self, jobs: Arc<Jobs>) -> ServiceBuilder {
        ServiceBuilder { jobs: Some(jobs), ..self }
    }

    /// Where games are kept.
    pub fn games(self, games: Arc<Games>) -> ServiceBuilder {
        ServiceBuilder { games: Some(games), ..self }
    }

    /// The service. It answers everything but photos until [`ready`](Service::ready) is called.
    #[must_use]
    pub fn build(self) -> Service {
        let ServiceBuilder { limits, keys, hosts, sites, feedback, jobs, games, book, page_reads } =
            self;
        Service(Arc::new(ServiceState {
            reader: OnceLock::new(),
            admission: Admission::new(&limits),
            throttle: Throttle::default(),
            limits,
            stopping: watch::Sender::new(false),
            keys: watch::Sender::new(Arc::new(keys)),
            hosts,
            sites,
            feedback,
            jobs,
            games,
            book,
            page_reads,
            ruleset_lists: OnceLock::new(),
            metrics: Metrics::new(),
        }))
    }
}
