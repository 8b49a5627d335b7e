//! API keys: who may use the service, and at what rate.
//!
//! Input: a file with a line for each key, `NAME SHA256 [REQUESTS_A_MINUTE]`, with words for its
//! expiry and its quotas, and the `Authorization` of a request. Output: the name of the key, or a
//! refusal. A key has 256 random bits, so a plain SHA-256 is the right hash: slow hashes protect
//! passwords, which can be guessed; a key can't, and every request would pay for a slow hash.
//! Invariants: only the hash of a key is stored; a comparison takes the same time wherever the
//! bytes differ, and covers all keys.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::Arc;
use std::time::SystemTime;

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use serde::Serialize;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tilesight_core::hex;
use tilesight_jobs::random;

use crate::answer::failure::Failure;
use crate::guard::client::KeyName;
use crate::guard::quota::Quotas;
use crate::guard::rate::RateState;

/// Prefix of every key, by which secret scanners recognize a leaked one.
const PREFIX: &str = "tilesight_";
/// Maximum length of a name, because names are printed in logs.
const MAX_NAME: usize = 64;
/// Prefix of the word with the time at which a key expires.
const UNTIL: &str = "until=";

/// Keys that a service accepts.
#[derive(Debug, Default)]
pub struct Keys(Vec<Key>);

#[derive(Debug)]
pub(crate) struct Key {
    id: KeyId,
    rate: NonZeroU32,
    /// Time from which the key is refused.
    expires: Option<SystemTime>,
    quotas: Quotas,
    limiter: Arc<Limiter>,
}

/// Counter of a key's requests, which reports how many are left.
type Limiter = RateLimiter<NotKeyed, InMemoryState, DefaultClock, StateInformationMiddleware>;

/// Window of a key's rate, in seconds.
const WINDOW: u64 = 60;

/// Identity of a key: its line in the file without rate and expiry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyId {
    name: Arc<str>,
    hash: [u8; 32],
}

/// Error when a line of the file is not a key; its author can correct it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct KeysError {
    /// Number of the line, counted from 1.
    pub line: usize,
    /// Reason why the line is invalid.
    pub reason: &'static str,
}

/// New key. It is printed once; afterwards only its line is known.
#[derive(Clone)]
pub struct NewKey {
    /// Secret that a client sends.
    pub secret: String,
    /// Line for the file.
    pub line: String,
}

impl fmt::Debug for NewKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewKey").field("line", &self.line).finish_non_exhaustive()
    }
}

impl NewKey {
    /// Generates a key from the system's random numbers. It is refused from the time `expires` on.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn generate(
        name: &KeyLabel,
        rate: Option<NonZeroU32>,
        expires: Option<SystemTime>,
    ) -> Result<NewKey, getrandom::Error> {
        let bytes: [u8; 32] = random::bytes()?;
        let secret = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
        let rate = rate.map_or_else(String::new, |rate| format!(" {rate}"));
        let until = expires.map_or_else(String::new, |time| {
            format!(" {UNTIL}{}", humantime::format_rfc3339_seconds(time))
        });
        let line = format!("{name} {}{rate}{until}", hex::encode(&hash(&secret)));
        Ok(NewKey { secret, line })
    }

    /// Returns this key with quotas.
    #[must_use]
    pub fn with_quotas(self, quotas: &Quotas) -> NewKey {
        NewKey { line: self.line + &quotas.words(), ..self }
    }
}

/// Name of a key: 1 to 64 letters, digits and `-_.`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyLabel(String);

/// Error when a text is not the name of a key; its author can choose another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{INVALID_NAME}")]
pub struct KeyLabelError;

const INVALID_NAME: &str = "invalid name: expected 1 to 64 letters, digits and -_.";

impl FromStr for KeyLabel {
    type Err = KeyLabelError;

    fn from_str(text: &str) -> Result<KeyLabel, KeyLabelError> {
        let fits = (1..=MAX_NAME).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
        fits.then(|| KeyLabel(text.to_owned())).ok_or(KeyLabelError)
    }
}

impl fmt::Display for KeyLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Key in a list of keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListedKey {
    /// Name of the key's user.
    pub name: String,
    /// Maximum number of requests per minute.
    pub rate: NonZeroU32,
    /// Time from which the key is refused, in RFC 3339; `None` if it does not expire.
    pub expires: Option<String>,
    /// Whether the key has expired.
    pub expired: bool,
    /// Maximum numbers of photos and requests in a day and in a month.
    pub quotas: Quotas,
}

impl Keys {
    /// Lists the keys in the order of their lines.
    #[must_use]
    pub fn list(&self, now: SystemTime) -> Vec<ListedKey> {
        let listed = self.0.iter().map(|key| ListedKey {
            name: key.id.name.to_string(),
            rate: key.rate,
            expires: key.expires.map(|time| humantime::format_rfc3339_seconds(time).to_string()),
            expired: key.is_expired(now),
            quotas: key.quotas,
        });
        listed.collect()
    }

    /// Returns the text of a file without the line of a key; `None` if no line has the name.
    #[must_use]
    pub fn remove_key(text: &str, name: &KeyLabel) -> Option<String> {
        let rest: String = text
            .split_inclusive('\n')
            .filter(|line| line.split_whitespace().next() != Some(name.0.as_str()))
            .collect();
        (rest.len() < text.len()).then_some(rest)
    }

    /// Reads the lines of a file; empty lines and lines that start with `#` are skipped.
    ///
    /// # Errors
    /// [`KeysError`] for the first line that is not a key.
    pub fn read(text: &str, usual: NonZeroU32) -> Result<Keys, KeysError> {
        let mut keys: Vec<Key> = Vec::new();
        for (line, text) in (1..).zip(text.lines().map(str::trim)) {
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let key = Key::read(text, usual).map_err(|reason| KeysError { line, reason })?;
            if keys.iter().any(|other| other.id.name == key.id.name || other.id.hash == key.id.hash)
            {
                return Err(KeysError {
                    line,
                    reason: "a line above has the same name or key: remove one of the two",
                });
            }
            keys.push(key);
        }
        if keys.is_empty() {
            let reason = "no key in the file: run `tilesight keys new`";
            return Err(KeysError { line: 1, reason });
        }
        Ok(Keys(keys))
    }

    /// Returns the number of keys.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no keys, so that requests need no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns these keys as a replacement of earlier ones. A key that exists in both, with the
    /// same rate, keeps its count of requests.
    pub(crate) fn in_place_of(mut self, before: &Keys) -> Keys {
        for key in &mut self.0 {
            let earlier =
                before.0.iter().find(|other| other.id == key.id && other.rate == key.rate);
            if let Some(earlier) = earlier {
                key.limiter = Arc::clone(&earlier.limiter);
            }
        }
        self
    }

    /// Returns whether a key still exists and has not expired.
    pub(crate) fn has(&self, id: &KeyId) -> bool {
        let now = SystemTime::now();
        self.0.iter().any(|key| key.id == *id && !key.is_expired(now))
    }

    /// Returns the quotas of the key with this name.
    pub(crate) fn quotas(&self, name: &str) -> Quotas {
        let found = self.0.iter().find(|key| &*key.id.name == name);
        found.map_or_else(Quotas::default, |key| key.quotas)
    }

    /// Returns the index of the key with this secret, if it exists and has not expired.
    fn find(&self, secret: &str) -> Option<usize> {
        let given = hash(secret);
        let mut found = None;
        // Every key is compared, and each in constant time.
        for (at, key) in self.0.iter().enumerate() {
            if bool::from(key.id.hash.ct_eq(&given)) {
                found = Some(at);
            }
        }
        let now = SystemTime::now();
        found.filter(|&at| !self.0[at].is_expired(now))
    }
}

/// Key that a request came with, if any. It is looked up once, when the request arrives.
#[derive(Debug, Clone)]
pub(crate) struct Credential {
    keys: Arc<Keys>,
    at: Option<usize>,
}

impl Credential {
    /// Reads the credential in these headers, for a service with these keys.
    pub(crate) fn new(keys: Arc<Keys>, headers: &HeaderMap) -> Credential {
        let secret = if keys.is_empty() { None } else { find_secret(headers) };
        let at = secret.and_then(|secret| keys.find(&secret));
        Credential { keys, at }
    }

    pub(crate) fn is_required(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Returns whether a key is required and the request has no known key.
    pub(crate) fn lacks_key(&self) -> bool {
        !self.keys.is_empty() && self.at.is_none()
    }

    /// Returns the key. Fails with [`Failure::NoKey`] if the request has no known key.
    pub(crate) fn key(&self, ask: bool) -> Result<&Key, Failure> {
        self.at.map(|at| &self.keys.0[at]).ok_or(Failure::NoKey { ask })
    }
}

impl Key {
    pub(crate) fn id(&self) -> &KeyId {
        &self.id
    }

    pub(crate) fn name(&self) -> KeyName {
        KeyName(Arc::clone(&self.id.name))
    }

    pub(crate) fn quotas(&self) -> &Quotas {
        &self.quotas
    }

    /// Counts a request. Returns what is left of the key's rate; if the request exceeds the rate,
    /// fails with the seconds until the next one may be sent.
    pub(crate) fn admit(&self) -> Result<RateState, RateState> {
        let rate = self.rate.get();
        match self.limiter.check() {
            Ok(left) => {
                let remaining = left.remaining_burst_capacity();
                let used = u64::from(rate.saturating_sub(remaining));
                Ok(self.state(remaining, (used * WINDOW).div_ceil(u64::from(rate))))
            }
            Err(until) => {
                let wait = until.wait_time_from(DefaultClock::default().now());
                Err(self.state(0, wait.as_secs().saturating_add(1)))
            }
        }
    }

    fn state(&self, remaining: u32, reset: u64) -> RateState {
        RateState { policy: "key", quota: self.rate.get(), window: WINDOW, remaining, reset }
    }

    fn read(text: &str, usual: NonZeroU32) -> Result<Key, &'static str> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        name.parse::<KeyLabel>().map_err(|_| INVALID_NAME)?;
        let hash = words
            .next()
            .and_then(unhex)
            .ok_or("invalid hash: expected a SHA-256 in hex after the name")?;
        let mut words = words.peekable();
        let rate = match words.next_if(|word| !word.contains('=')) {
            Some(rate) => rate
                .parse()
                .map_err(|_| "invalid rate: expected the number of requests a minute")?,
            None => usual,
        };
        let expires = words.next_if(|word| word.starts_with(UNTIL)).map(read_time).transpose()?;
        let mut quotas = Quotas::default();
        for word in words {
            if !quotas.read_word(word)? {
                return Err(
                    "too many words: expected a name, a hash, a rate, `until=` and quotas such as \
                     `photos/day=500`, no more",
                );
            }
        }
        let limiter = Arc::new(RateLimiter::direct(Quota::per_minute(rate)).with_middleware());
        Ok(Key { id: KeyId { name: name.into(), hash }, rate, expires, quotas, limiter })
    }

    fn is_expired(&self, now: SystemTime) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }
}

/// Parses a time such as `until=2027-01-31T00:00:00Z`.
fn read_time(word: &str) -> Result<SystemTime, &'static str> {
    let time = word.strip_prefix(UNTIL).and_then(|time| humantime::parse_rfc3339(time).ok());
    time.ok_or("invalid time: expected one such as until=2027-01-31T00:00:00Z")
}

/// Returns the key in `Authorization`: a bearer token, or the password that a browser prompted for.
fn find_secret(headers: &HeaderMap) -> Option<String> {
    let (scheme, value) = headers.get(AUTHORIZATION)?.to_str().ok()?.trim().split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(value.trim().to_owned());
    }
    // A browser adds the password by itself, even to requests that other sites make it send.
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if !matches!(site, None | Some(b"same-origin" | b"none")) {
        return None;
    }
    let decoded =
        scheme.eq_ignore_ascii_case("basic").then(|| STANDARD.decode(value.trim()).ok())??;
    let (_, password) = std::str::from_utf8(&decoded).ok()?.split_once(':')?;
    Some(password.to_owned())
}

fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// Parses `N` bytes from hex.
pub(crate) fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::Request;
    use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};

    use std::time::Duration;

    use super::*;
    use crate::Service;
    use crate::testing::{limits, send};

    const USUAL: NonZeroU32 = NonZeroU32::new(600).unwrap();

    fn key(rate: Option<u32>) -> (Service, String) {
        let key =
            NewKey::generate(&"app".parse().expect("a name"), rate.and_then(NonZeroU32::new), None)
                .unwrap();
        let keys = Keys::read(&format!("# the app\n\n{}\n", key.line), USUAL).unwrap();
        (Service::builder(limits()).keys(keys).build(), key.secret)
    }

    fn get(path: &str, authorization: Option<&str>) -> Request {
        let request = Request::get(path);
        let request = match authorization {
            Some(value) => request.header(AUTHORIZATION, value),
            None => request,
        };
        request.body(Body::empty()).unwrap()
    }

    #[tokio::test]
    async fn without_a_key_there_is_nothing_but_health() {
        let (service, secret) = key(None);
        for path in ["/v1/rulesets", "/metrics", "/openapi.json", "/docs", "/docs/page.js"] {
            for wrong in
                [None, Some("Bearer "), Some("Bearer x"), Some("Basic eDp4"), Some(&*secret)]
            {
                let answer = send(&service, get(path, wrong)).await;
                answer.is_problem(401, "unauthorized");
                let challenge = answer.headers[WWW_AUTHENTICATE].to_str().unwrap();
                assert_eq!(challenge.starts_with("Basic"), path.starts_with("/docs"), "{path}");
            }
            let answer = send(&service, get(path, Some(&format!("bearer {secret}")))).await;
            assert_eq!(answer.status, 200, "{path}");
            let basic = STANDARD.encode(format!("anybody:{secret}"));
            let answer = send(&service, get(path, Some(&format!("Basic {basic}")))).await;
            assert_eq!(answer.status, 200, "{path}");
        }
        for path in ["/v1/hands", "/v1/score", "/v1/readings/answers", "/v1/feedback"] {
            let post = Request::post(path).body(Body::from("{}")).unwrap();
            send(&service, post).await.is_problem(401, "unauthorized");
        }
        assert_eq!(send(&service, get("/livez", None)).await.status, 200);
        assert_eq!(send(&service, get("/readyz", None)).await.status, 503, "no models, but no key");
    }

    #[tokio::test]
    async fn a_browser_sends_no_key_for_another_site() {
        let (service, secret) = key(None);
        let basic = format!("Basic {}", STANDARD.encode(format!("x:{secret}")));
        for (site, status) in
            [("same-origin", 200), ("none", 200), ("same-site", 401), ("cross-site", 401)]
        {
            let mut request = get("/v1/rulesets", Some(&basic));
            request.headers_mut().insert("sec-fetch-site", site.parse().unwrap());
            assert_eq!(send(&service, request).await.status, status, "{site}");
        }
    }

    #[tokio::test]
    async fn a_key_has_its_rate() {
        let (service, secret) = key(Some(3));
        let bearer = format!("Bearer {secret}");
        // The rate is in real time, and a request is free again after twenty seconds: a page that
        // is made at once.
        for (left, reset) in [(2, 20), (1, 40), (0, 60)] {
            let answer = send(&service, get("/metrics", Some(&bearer))).await;
            assert_eq!(answer.status, 200);
            assert_eq!(answer.headers["ratelimit-policy"], "\"key\";q=3;w=60");
            let state = format!("\"key\";r={left};t={reset}");
            assert_eq!(answer.headers["ratelimit"].to_str().unwrap(), state);
        }
        let over = send(&service, get("/metrics", Some(&bearer))).await;
        over.is_problem(429, "too-many-requests");
        let wait = over.headers[RETRY_AFTER].to_str().unwrap();
        assert_eq!(over.headers["ratelimit"].to_str().unwrap(), format!("\"key\";r=0;t={wait}"));
        assert_eq!(over.headers["ratelimit-policy"], "\"key\";q=3;w=60");
        let wait: u64 = over.headers[RETRY_AFTER].to_str().unwrap().parse().unwrap();
        assert!((1..=21).contains(&wait), "a third of a minute: {wait}");
        let health = send(&service, get("/livez", None)).await;
        assert_eq!(health.status, 200);
        assert!(!health.headers.contains_key("ratelimit"), "it has no limit that is counted");
    }

    #[tokio::test]
    async fn keys_are_read_again_and_have_sent_what_they_have_sent() {
        let (service, secret) = key(Some(1));
        let bearer = format!("Bearer {secret}");
        let list =
            async || send(&service, get("/v1/rulesets", Some(&bearer))).await.status.as_u16();
        assert_eq!([list().await, list().await], [200, 429]);
        let hash = hex::encode(&hash(&secret));
        let other = NewKey::generate(&"other".parse().expect("a name"), None, None).unwrap();
        let renew = |line: &str| {
            service.renew_keys(Keys::read(&format!("{line}\n{}", other.line), USUAL).unwrap());
        };
        renew(&format!("app {hash} 1"));
        assert_eq!(list().await, 429, "reloading the file gives no new requests");
        renew(&format!("app {hash} 100"));
        assert_eq!(list().await, 200, "another rate starts a new count");
        renew("");
        assert_eq!(list().await, 401, "it was removed");
        let bearer = format!("Bearer {}", other.secret);
        assert_eq!(send(&service, get("/v1/rulesets", Some(&bearer))).await.status, 200);
    }

    #[tokio::test(start_paused = true)]
    async fn requests_without_a_key_are_slowed_and_no_others() {
        let (service, secret) = key(None);
        let start = tokio::time::Instant::now();
        for _ in 0..300 {
            send(&service, get("/v1/rulesets", None)).await.is_problem(401, "unauthorized");
        }
        let slowed = start.elapsed();
        assert_eq!(slowed, Duration::from_secs(2), "two hundred at once, then fifty a second");
        let bearer = format!("Bearer {secret}");
        for _ in 0..5 {
            assert_eq!(send(&service, get("/v1/rulesets", Some(&bearer))).await.status, 200);
        }
        assert_eq!(start.elapsed(), slowed, "these wait for nothing");
    }

    #[test]
    fn keys_are_random_and_not_kept() {
        let (one, two) = (
            NewKey::generate(&"a".parse().expect("a name"), None, None).unwrap(),
            NewKey::generate(&"a".parse().expect("a name"), None, None).unwrap(),
        );
        assert_ne!(one.secret, two.secret);
        assert_eq!(one.secret.len(), PREFIX.len() + 43, "256 bits in base64");
        assert!(!one.line.contains(&one.secret[PREFIX.len()..]));
        assert!(!format!("{one:?}").contains(&one.secret));
    }

    #[test]
    fn a_line_that_is_not_a_key_is_named() {
        let hash = "ab".repeat(32);
        for (text, line, part) in [
            ("", 1, "no key"),
            ("# only words", 1, "no key"),
            ("\napp", 2, "SHA-256"),
            ("app 12ab", 1, "SHA-256"),
            (&*format!("app {}", "é".repeat(32)), 1, "SHA-256"),
            (&*format!("a/b {hash}"), 1, "letters"),
            (&*format!("app {hash} fast"), 1, "rate"),
            (&*format!("app {hash} 0"), 1, "rate"),
            (&*format!("app {hash} 5 5"), 1, "no more"),
            (&*format!("app {hash}\nother {hash}"), 2, "same name or key"),
        ] {
            let error = Keys::read(text, USUAL).expect_err(text);
            assert_eq!(error.line, line, "{text}");
            assert!(error.reason.contains(part), "{text}: {error}");
        }
    }

    #[tokio::test]
    async fn a_key_is_refused_from_its_time_on() {
        let second = Duration::from_secs(1);
        for (expires, status) in [
            (SystemTime::now() + 3600 * second, 200),
            (SystemTime::now() - second, 401),
            (SystemTime::UNIX_EPOCH, 401),
        ] {
            let key = NewKey::generate(&"app".parse().unwrap(), None, Some(expires)).unwrap();
            let keys = Keys::read(&key.line, USUAL).unwrap();
            assert_eq!(keys.list(SystemTime::now())[0].expired, status == 401);
            let id = keys.0[0].id.clone();
            assert_eq!(keys.has(&id), status == 200, "for what goes on for long");
            let service = Service::builder(limits()).keys(keys).build();
            let bearer = format!("Bearer {}", key.secret);
            let answer = send(&service, get("/v1/rulesets", Some(&bearer))).await;
            assert_eq!(answer.status, status, "{}", key.line);
        }
    }

    #[test]
    fn lines_with_and_without_rate_and_time_are_read() {
        let hash = "0".repeat(64);
        let listed = |line: &str| -> Result<_, &'static str> {
            let keys =
                Keys::read(&format!("app {hash}{line}"), USUAL).map_err(|error| error.reason)?;
            let ListedKey { rate, expires, .. } = keys.list(SystemTime::now()).remove(0);
            Ok((rate.get(), expires))
        };
        let time = "2027-01-31T00:00:00Z".to_owned();
        assert_eq!(listed(""), Ok((600, None)));
        assert_eq!(listed(" 9"), Ok((9, None)));
        assert_eq!(listed(" until=2027-01-31T00:00:00Z"), Ok((600, Some(time.clone()))));
        assert_eq!(listed(" 9 until=2027-01-31T00:00:00Z"), Ok((9, Some(time))));
        let quotas = " 9 until=2027-01-31T00:00:00Z photos/month=5 requests/day=7";
        assert_eq!(listed(quotas), Ok((9, Some("2027-01-31T00:00:00Z".to_owned()))));
        for wrong in [
            " until=soon",
            " until=2027-01-31T00:00:00Z 9",
            " 0",
            " photos/day=0",
            " photos/year=1",
            " photos/day=1 photos/day=2",
        ] {
            listed(wrong).expect_err(wrong);
        }
    }
}
