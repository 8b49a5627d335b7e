//! Ledger of what keys use, within their quotas.
//!
//! Input: what is about to be answered. Output: the counts of each key, and a refusal where a quota
//! would be exceeded. The counts are in memory, and every few seconds those that changed are added
//! to a document of the store, one for each key; several services may add to the same document.
//! Invariants: nothing is counted twice, because a document is saved only in the revision that it
//! was read in; a process that is killed loses the counts of [`INTERVAL`] at most.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use axum::body::{Body, Bytes, HttpBody};
use http_body_util::BodyExt as _;
use sha2::{Digest as _, Sha256};
use tilesight_core::hex;
use tilesight_jobs::{Documents, Name, StoreError};

use super::quota::Quotas;
use super::usage::{Amounts, Date, KeyUsage};
use crate::answer::quota::QuotaReached;

/// Interval between writes of the counts.
pub(crate) const INTERVAL: Duration = Duration::from_secs(10);
/// Kind of the documents.
const KIND: &str = "usage";
/// Number of bytes of a key's hash that name its document.
const ID_BYTES: usize = 16;
/// Maximum number of attempts to add to a document that other services change too.
const MAX_ATTEMPTS: usize = 5;

/// Amount that is not in the store yet.
#[derive(Debug, Clone)]
struct PendingUsage {
    date: Date,
    amounts: Amounts,
    last: SystemTime,
}

/// Counts of one key in memory.
#[derive(Debug, Default)]
struct LedgerEntry {
    /// Counts of the store, and those that are not in it yet.
    usage: KeyUsage,
    /// Amounts that are not in the store yet, of at most a few days.
    pending: Vec<PendingUsage>,
}

impl LedgerEntry {
    fn add(&mut self, amounts: Amounts, now: SystemTime) {
        let date = Date::new(now);
        self.usage.add(&date, amounts, now);
        self.usage.note_use(now);
        match self.pending.last_mut() {
            Some(last) if last.date == date => {
                last.amounts.add(amounts);
                last.last = last.last.max(now);
            }
            _ => self.pending.push(PendingUsage { date, amounts, last: now }),
        }
    }
}

/// Usage of all keys.
#[derive(Debug, Default)]
pub(crate) struct UsageLedger {
    keys: Mutex<HashMap<Arc<str>, LedgerEntry>>,
}

impl UsageLedger {
    fn keys(&self) -> MutexGuard<'_, HashMap<Arc<str>, LedgerEntry>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an amount of a key, unless it exceeds a quota.
    pub(crate) fn take(
        &self,
        key: &Arc<str>,
        amounts: Amounts,
        quotas: &Quotas,
        now: SystemTime,
    ) -> Result<(), QuotaReached> {
        let mut keys = self.keys();
        let entry = keys.entry(Arc::clone(key)).or_default();
        match quotas.find_exceeded(&entry.usage, amounts, now) {
            Some(reached) => Err(reached),
            None => {
                entry.add(amounts, now);
                Ok(())
            }
        }
    }

    /// Returns the usage of all keys, sorted by their names.
    pub(crate) fn list(&self) -> Vec<KeyUsage> {
        let keys = self.keys();
        let mut list: Vec<KeyUsage> = keys
            .iter()
            .map(|(name, entry)| KeyUsage { name: name.to_string(), ..entry.usage.clone() })
            .collect();
        list.sort_by(|a, b| a.name.cmp(&b.name));
        list
    }

    /// Adds what earlier processes counted.
    ///
    /// # Errors
    /// [`StoreError`]; then the counts begin anew, until they can be saved.
    pub(crate) async fn load(&self, store: &dyn Documents) -> Result<(), StoreError> {
        for usage in load_usage(store).await? {
            self.keys().entry(usage.name.as_str().into()).or_default().renew(usage);
        }
        Ok(())
    }

    /// Saves what was counted since the last call.
    ///
    /// # Errors
    /// [`StoreError`]; the next call saves what this one could not.
    pub(crate) async fn save(&self, store: &dyn Documents) -> Result<(), StoreError> {
        let changed: Vec<Arc<str>> = {
            let keys = self.keys();
            let changed = keys.iter().filter(|(_, entry)| !entry.pending.is_empty());
            changed.map(|(name, _)| Arc::clone(name)).collect()
        };
        for name in changed {
            let pending =
                std::mem::take(&mut self.keys().entry(Arc::clone(&name)).or_default().pending);
            let saved = add_to_document(store, &name, &pending).await;
            let mut keys = self.keys();
            let entry = keys.entry(name).or_default();
            match saved {
                Ok(usage) => entry.renew(usage),
                Err(error) => {
                    entry.pending.splice(..0, pending);
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

impl LedgerEntry {
    /// Takes the usage of the store, and adds what is not in it yet.
    fn renew(&mut self, stored: KeyUsage) {
        self.usage = stored;
        for pending in &self.pending {
            self.usage.add(&pending.date, pending.amounts, SystemTime::now());
            self.usage.note_use(pending.last);
        }
    }
}

/// Adds amounts to the document of a key, and returns it.
async fn add_to_document(
    store: &dyn Documents,
    key: &str,
    pending: &[PendingUsage],
) -> Result<KeyUsage, StoreError> {
    let kind = kind();
    let id = document_of(key);
    let mut attempt = 1;
    loop {
        let found = store.load(&kind, &id).await?;
        let revision = found.as_ref().map(|(revision, _)| *revision);
        let mut usage = match &found {
            Some((_, bytes)) => parse(bytes)?,
            None => KeyUsage { name: key.to_owned(), ..KeyUsage::default() },
        };
        for PendingUsage { date, amounts, last } in pending {
            usage.add(date, *amounts, SystemTime::now());
            usage.note_use(*last);
        }
        let bytes = serde_json::to_vec(&usage).expect("texts and numbers");
        match store.save(&kind, &id, revision, &bytes).await {
            Err(StoreError::Conflict) if attempt < MAX_ATTEMPTS => attempt += 1,
            saved => return saved.map(|_| usage),
        }
    }
}

/// Returns the usage of all keys that a store has, sorted by their names.
///
/// # Errors
/// [`StoreError`].
pub async fn load_usage(store: &dyn Documents) -> Result<Vec<KeyUsage>, StoreError> {
    let kind = kind();
    let mut list = Vec::new();
    for id in store.list(&kind).await? {
        if let Some((_, bytes)) = store.load(&kind, &id).await? {
            list.push(parse(&bytes)?);
        }
    }
    list.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(list)
}

fn parse(bytes: &[u8]) -> Result<KeyUsage, StoreError> {
    serde_json::from_slice(bytes).map_err(|error| StoreError::corrupt(&error))
}

fn kind() -> Name {
    KIND.parse().expect("a name")
}

/// Returns the id of a key's document: names of keys may have characters that ids have not.
fn document_of(key: &str) -> Name {
    hex::encode(&Sha256::digest(key.as_bytes())[..ID_BYTES]).parse().expect("hex digits")
}

/// Body whose bytes are counted for a key when it ends, or when nothing reads it any more.
pub(crate) fn count_body(body: Body, ledger: &Arc<UsageLedger>, key: &Arc<str>) -> Body {
    if body.is_end_stream() {
        return body;
    }
    let mut counted = CountedBytes { ledger: Arc::clone(ledger), key: Arc::clone(key), bytes: 0 };
    Body::new(body.map_frame(move |frame| {
        counted.add(frame.data_ref().map_or(0, Bytes::len));
        frame
    }))
}

/// Bytes of a body, which count on drop.
struct CountedBytes {
    ledger: Arc<UsageLedger>,
    key: Arc<str>,
    bytes: u64,
}

impl CountedBytes {
    fn add(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
    }
}

impl Drop for CountedBytes {
    fn drop(&mut self) {
        let amounts = Amounts { bytes: self.bytes, ..Amounts::default() };
        // Without quotas nothing is refused.
        let _ = self.ledger.take(&self.key, amounts, &Quotas::default(), SystemTime::now());
    }
}

#[cfg(test)]
mod tests {
    use axum::extract::Request;
    use axum::http::header::{ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_TYPE, HOST, RETRY_AFTER};
    use axum::http::request::Builder;
    use http_body_util::BodyExt as _;
    use tilesight_core::explain::Lang;
    use tilesight_jobs::EmbeddedStore;
    use tilesight_vision::Reader;
    use tilesight_vision::networks::fake::PaintedModel;
    use tower::ServiceExt as _;

    use super::*;
    use crate::guard::client::Client;
    use crate::testing::{Answer, limits, photo, send};
    use crate::{Keys, NewKey, Service, health};

    const REQUEST: Amounts = Amounts { requests: 1, photos: 0, bytes: 0 };

    fn photos(photos: u64) -> Amounts {
        Amounts { photos, ..Amounts::default() }
    }

    fn store() -> (tempfile::TempDir, EmbeddedStore) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = EmbeddedStore::open(&folder.path().join("data")).expect("a store");
        (folder, store)
    }

    fn requests(list: &[KeyUsage]) -> Vec<(&str, u64)> {
        list.iter().map(|usage| (usage.name.as_str(), usage.total.requests)).collect()
    }

    #[tokio::test]
    async fn counts_of_two_services_add_up_and_are_found_after_a_start() {
        let (_folder, store) = store();
        let [one, two] = [UsageLedger::default(), UsageLedger::default()];
        let key: Arc<str> = "a.b".into();
        let quotas = Quotas::default();
        let now = SystemTime::now();
        for _ in 0..3 {
            one.take(&key, REQUEST, &quotas, now).expect("no quota");
            two.take(&key, REQUEST, &quotas, now).expect("no quota");
        }
        one.save(&store).await.expect("saved");
        two.save(&store).await.expect("saved");
        two.save(&store).await.expect("nothing new");
        assert_eq!(requests(&two.list()), [("a.b", 6)]);
        one.take(&key, REQUEST, &quotas, now).expect("no quota");
        one.save(&store).await.expect("saved");
        assert_eq!(requests(&one.list()), [("a.b", 7)]);
        let later = UsageLedger::default();
        later.take(&key, REQUEST, &quotas, now).expect("before the store was read");
        later.load(&store).await.expect("loaded");
        assert_eq!(requests(&later.list()), [("a.b", 8)]);
        let stored = load_usage(&store).await.expect("a list");
        assert_eq!(requests(&stored), [("a.b", 7)]);
        assert!(stored[0].last_used.is_some());
    }

    /// Returns a service with a key that has these quotas, and the value of `Authorization`.
    fn service(quotas: Quotas) -> (Service, String) {
        let key = NewKey::generate(&"club".parse().expect("a name"), None, None).expect("random");
        let key = key.with_quotas(&quotas);
        let keys = Keys::read(&key.line, limits().key_rate).expect("a key");
        let service = Service::builder(limits()).keys(keys).build();
        service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
        (service, format!("Bearer {}", key.secret))
    }

    async fn ask(service: &Service, (request, key): (Builder, &str), body: Vec<u8>) -> Answer {
        let request = request.header(AUTHORIZATION, key);
        send(service, request.body(body.into()).expect("a request")).await
    }

    async fn list_rules(service: &Service, key: &str) -> Answer {
        ask(service, (Request::get("/v1/rulesets"), key), Vec::new()).await
    }

    async fn read(service: &Service, key: &str, photo: &[u8]) -> Answer {
        let request = Request::post("/v1/hands?seat=S&prevalent=E&win=self_drawn")
            .header(CONTENT_TYPE, "image/png");
        ask(service, (request, key), photo.to_vec()).await
    }

    /// Returns the metrics of the health's own address.
    async fn metrics(service: &Service) -> String {
        let request = Request::get("/metrics").header(HOST, "localhost").body(Body::empty());
        let answer = health(service.clone()).oneshot(request.expect("a request")).await;
        let body = answer.expect("it answers").into_body().collect().await.expect("a body");
        String::from_utf8(body.to_bytes().into()).expect("text")
    }

    #[tokio::test]
    async fn requests_and_bytes_of_a_key_are_shown_at_the_health_address_alone() {
        let (service, key) = service(Quotas::default());
        for _ in 0..2 {
            let request = Request::post("/v1/score").header(CONTENT_TYPE, "application/json");
            ask(&service, (request, &key), b"12345".to_vec()).await;
        }
        let text = metrics(&service).await;
        for line in [
            "tilesight_key_requests_total{key=\"club\"} 2\n",
            "tilesight_key_photos_total{key=\"club\"} 0\n",
            "tilesight_key_received_bytes_total{key=\"club\"} 10\n",
            "tilesight_key_last_used_seconds{key=\"club\"} 1",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
        assert!(text.ends_with("# EOF\n") && text.matches("# EOF").count() == 1, "{text}");
        let request =
            Request::get("/metrics").header(AUTHORIZATION, &key).header(HOST, "localhost");
        let main =
            crate::app(service.clone()).oneshot(request.body(Body::empty()).expect("one")).await;
        let main = main.expect("it answers").into_body().collect().await.expect("a body");
        assert!(!String::from_utf8_lossy(&main.to_bytes()).contains("club"));
    }

    #[tokio::test]
    async fn a_request_beyond_a_quota_is_refused_until_the_next_day() {
        let quotas = Quotas { requests_a_day: std::num::NonZeroU64::new(2), ..Quotas::default() };
        let (service, key) = service(quotas);
        // Unless midnight comes between them.
        for _ in 0..2 {
            assert_eq!(list_rules(&service, &key).await.status, 200);
        }
        let refused = list_rules(&service, &key).await;
        refused.is_problem(429, "quota-exceeded");
        let detail = refused.json["detail"].as_str().expect("a text");
        assert!(detail.contains("at most 2 requests a day"), "{detail}");
        let wait: u64 =
            refused.headers[RETRY_AFTER].to_str().expect("digits").parse().expect("one");
        assert!((1..=86_400).contains(&wait), "{wait}");
        assert!(metrics(&service).await.contains("key_requests_total{key=\"club\"} 2\n"));
    }

    #[tokio::test]
    async fn photos_have_quotas_and_typed_hands_go_on() {
        let quotas = Quotas { photos_a_month: std::num::NonZeroU64::new(1), ..Quotas::default() };
        let (service, key) = service(quotas);
        let photo = photo("2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 5s 5s - 8s");
        assert_eq!(read(&service, &key, &photo).await.status, 200);
        read(&service, &key, &photo).await.is_problem(429, "quota-exceeded");
        assert_eq!(list_rules(&service, &key).await.status, 200);
        assert!(metrics(&service).await.contains("key_photos_total{key=\"club\"} 1\n"));
    }

    #[tokio::test]
    async fn a_refusal_says_which_quota_is_reached_and_until_when_in_every_language() {
        let number = std::num::NonZeroU64::new(23);
        let quotas = [
            Quotas { photos_a_day: number, ..Quotas::default() },
            Quotas { photos_a_month: number, ..Quotas::default() },
        ];
        for (quotas, end) in quotas.into_iter().zip(["", "-01"]) {
            let (service, key) = service(quotas);
            let row = photo("2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 5s 5s - 8s");
            let client = Client::Key("club".into());
            service.gate().take_photos(&client, 23).expect("as many as the quota");
            for lang in Lang::ALL {
                let request = Request::post("/v1/hands?seat=S").header(CONTENT_TYPE, "image/png");
                let request = request.header(ACCEPT_LANGUAGE, lang.code());
                let refused = ask(&service, (request, &key), row.clone()).await;
                refused.is_problem(429, "quota-exceeded");
                let detail = refused.json["detail"].as_str().expect("a text");
                assert!(detail.contains("23") && detail.contains("00:00"), "{lang:?}: {detail}");
                assert!(detail.contains("UTC"), "{lang:?}: {detail}");
                let wait = refused.headers[RETRY_AFTER].to_str().expect("digits");
                let wait = Duration::from_secs(wait.parse().expect("a number"));
                // The service asked the clock a moment earlier.
                let over = humantime::format_rfc3339_seconds(SystemTime::now() + wait).to_string();
                let [day, time] = [&over[..10], &over[11..16]];
                assert!(day.ends_with(end) && time == "00:00", "{lang:?}: {over}");
            }
        }
    }

    #[tokio::test]
    async fn a_month_begins_anew_for_what_was_counted_around_its_end() {
        let (_folder, store) = store();
        let ledger = UsageLedger::default();
        let key: Arc<str> = "club".into();
        let quotas = Quotas { photos_a_month: std::num::NonZeroU64::new(2), ..Quotas::default() };
        let [last, first] = ["2025-11-30T23:59:59Z", "2025-12-01T00:00:00Z"]
            .map(|time| humantime::parse_rfc3339(time).expect("a time"));
        ledger.take(&key, photos(2), &quotas, last).expect("the whole quota");
        let refused = ledger.take(&key, photos(1), &quotas, last).expect_err("one more");
        assert_eq!(refused.wait, 1);
        ledger.take(&key, photos(1), &quotas, first).expect("another month");
        ledger.take(&key, photos(2), &quotas, first).expect_err("more than is left");
        // Both months are saved together, after the second began.
        ledger.save(&store).await.expect("saved");
        let later = UsageLedger::default();
        later.load(&store).await.expect("loaded");
        let usage = &later.list()[0];
        assert_eq!((&*usage.month.of, usage.month.amounts.photos), ("2025-12", 1));
        assert_eq!((&*usage.day.of, usage.day.amounts.photos), ("2025-12-01", 1));
        assert_eq!(usage.total.photos, 3);
        later.take(&key, photos(1), &quotas, first).expect("one is left");
        later.take(&key, photos(1), &quotas, first).expect_err("none is left");
    }

    fn at(time: &str) -> SystemTime {
        humantime::parse_rfc3339(time).expect("a time")
    }

    #[test]
    fn a_wrong_clock_does_not_stop_the_count() {
        let [now, wrong] = ["2026-11-30T12:00:00Z", "2031-01-01T00:00:00Z"].map(at);
        let mut entry = LedgerEntry::default();
        for time in [now, wrong, now] {
            entry.add(REQUEST, time);
        }
        assert_eq!(entry.usage.total.requests, 3);
        assert_eq!((&*entry.usage.day.of, entry.usage.day.amounts.requests), ("2026-11-30", 1));
        // What is saved late counts for its own day only.
        entry.usage.add(&Date::new(at("2026-11-29T23:59:59Z")), REQUEST, now);
        assert_eq!(entry.usage.day.amounts.requests, 1);
        assert_eq!(entry.usage.month.amounts.requests, 2);
    }
}
