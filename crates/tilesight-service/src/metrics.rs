//! Metrics of the service for Prometheus; `GET /metrics` returns them.
//!
//! Input: every answered request with its route, status and duration, and every stage of every
//! photo; the free resources are looked up at each scrape. Output: the OpenMetrics text. Invariant:
//! labels come from small fixed sets or are names of keys, never client input, so that no client
//! can fill the memory with them.

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::Method;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tilesight_files::private::DiskSpace;
use tilesight_jobs::Backlog;
use tilesight_vision::networks::Device;

use crate::guard::admission::Admission;
use crate::guard::usage::KeyUsage;

/// Upper bounds of the histogram's buckets, in seconds. A typed hand takes well below a
/// millisecond, a photo some 0.1 s, the longest wait 60 s.
const SECONDS: [f64; 14] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0];

/// Interval between looks at the sizes of all stored files: a hundred thousand files take a
/// second.
const SIZE_INTERVAL: Duration = Duration::from_secs(60);
/// Prefix of the names of metrics.
const PREFIX: &str = "tilesight";
/// Maximum number of keys with figures of their own.
const MAX_KEYS: usize = 200;
/// Label of all further keys; no name of a key has a space.
const OTHER_KEYS: &str = "other keys";

/// Counters, histograms and gauges of the service.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabels, Histogram>,
    stages: Family<StageLabels, Histogram>,
    jobs: Counter,
    job_photos: Counter,
    webhooks: Family<WebhookLabels, Counter>,
    gauges: Gauges,
    /// Time at which the sizes of the stores were last looked up.
    sized: Mutex<Option<Instant>>,
}

/// Gauge of a quantity that does not fit into the registry's own 32 bits on small machines.
type LargeGauge = Gauge<i64, std::sync::atomic::AtomicI64>;

#[derive(Debug, Clone, Default)]
struct Gauges {
    disk_free: Family<StoreLabels, LargeGauge>,
    disk: Family<StoreLabels, LargeGauge>,
    stored: Family<StoreLabels, LargeGauge>,
    data: LargeGauge,
    data_limit: LargeGauge,
    tasks: Family<TaskLabels, Gauge>,
    ready: Gauge,
    device: Family<DeviceLabels, Gauge>,
    in_flight: Gauge,
    working: Gauge,
    computing: Gauge,
    places_free: Gauge,
    places: Gauge,
    pixels_free: LargeGauge,
    pixels: LargeGauge,
    memory_free: LargeGauge,
    memory: LargeGauge,
}

/// Usage of keys, made for each scrape that may see it.
#[derive(Debug, Default)]
struct KeyMetrics {
    requests: Family<KeyLabels, Counter>,
    photos: Family<KeyLabels, Counter>,
    bytes: Family<KeyLabels, Counter>,
    last_used: Family<KeyLabels, LargeGauge>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct KeyLabels {
    key: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    method: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StageLabels {
    stage: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WebhookLabels {
    result: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TaskLabels {
    state: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DeviceLabels {
    device: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StoreLabels {
    store: &'static str,
}

/// Result of an attempt to deliver a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeliveryResult {
    /// The receiver accepted the message.
    Taken,
    /// The attempt failed, and is retried.
    Refused,
    /// The attempt failed, and is not retried.
    GivenUp,
}

/// Returns the name of a method for labels. All methods outside this list become `other`, because a
/// client may invent methods of any length.
pub(crate) fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

fn histogram() -> Histogram {
    Histogram::new(SECONDS)
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut registry = Registry::with_prefix(PREFIX);
        let requests = Family::<RequestLabels, Counter<u64, AtomicU64>>::default();
        let durations = Family::<RouteLabels, Histogram>::new_with_constructor(histogram);
        let stages = Family::<StageLabels, Histogram>::new_with_constructor(histogram);
        let gauges = Gauges::default();
        registry.register(
            "requests",
            "Requests, by what they were answered with; 499 left before",
            requests.clone(),
        );
        let help = "Time from a request's head to its answer";
        registry.register_with_unit("request_duration", help, Unit::Seconds, durations.clone());
        let help = "Time that a stage of reading a photo took";
        registry.register_with_unit("stage_duration", help, Unit::Seconds, stages.clone());
        let jobs = Counter::default();
        registry.register("jobs", "Jobs that were created", jobs.clone());
        let job_photos = Counter::default();
        registry.register("job_photos", "Photos of jobs that were created", job_photos.clone());
        let webhooks = Family::<WebhookLabels, Counter>::default();
        registry.register("webhooks", "Attempts to deliver a webhook", webhooks.clone());
        gauges.register(&mut registry);
        Metrics {
            registry,
            requests,
            durations,
            stages,
            jobs,
            job_photos,
            webhooks,
            gauges,
            sized: Mutex::default(),
        }
    }

    /// Counts a job with its photos.
    pub(crate) fn job_created(&self, photos: usize) {
        self.jobs.inc();
        self.job_photos.inc_by(photos as u64);
    }

    /// Counts an attempt to deliver a webhook.
    pub(crate) fn webhook(&self, sent: DeliveryResult) {
        let result = match sent {
            DeliveryResult::Taken => "taken",
            DeliveryResult::Refused => "refused",
            DeliveryResult::GivenUp => "given_up",
        };
        self.webhooks.get_or_create(&WebhookLabels { result }).inc();
    }

    /// Records the device that the networks run on.
    pub(crate) fn runs_on(&self, device: Device) {
        self.gauges.device.get_or_create_owned(&DeviceLabels { device: device.name() }).set(1);
    }

    /// Sets the number of tasks of jobs.
    pub(crate) fn backlog(&self, backlog: Backlog) {
        let Backlog { waiting, held, dead } = backlog;
        for (state, count) in [("waiting", waiting), ("held", held), ("dead", dead)] {
            self.gauges.tasks.get_or_create_owned(&TaskLabels { state }).set(signed(count));
        }
    }

    /// Sets the room on the disk of a store.
    pub(crate) fn disk(&self, store: &'static str, space: DiskSpace) {
        let label = StoreLabels { store };
        self.gauges.disk_free.get_or_create_owned(&label).set(signed(space.free));
        self.gauges.disk.get_or_create_owned(&label).set(signed(space.total));
    }

    /// Returns whether the sizes of the stores are to be looked up again; they are then not for the
    /// next minute.
    pub(crate) fn is_size_due(&self) -> bool {
        let mut sized = self.sized.lock().unwrap_or_else(PoisonError::into_inner);
        let due = sized.is_none_or(|at| at.elapsed() >= SIZE_INTERVAL);
        if due {
            *sized = Some(Instant::now());
        }
        due
    }

    /// Sets the bytes of a store's files.
    pub(crate) fn set_stored(&self, store: &'static str, bytes: u64) {
        self.gauges.stored.get_or_create_owned(&StoreLabels { store }).set(signed(bytes));
    }

    /// Sets the bytes that jobs keep.
    pub(crate) fn data(&self, kept: u64) {
        self.gauges.data.set(signed(kept));
    }

    /// Sets the most bytes that jobs may keep.
    pub(crate) fn data_limit(&self, limit: u64) {
        self.gauges.data_limit.set(signed(limit));
    }

    /// Counts an answer. `route` is the pattern that matched, never the path itself.
    pub(crate) fn count_answer(&self, route: &str, method: &Method, status: u16, took: Duration) {
        let routed = RouteLabels { route: route.to_owned() };
        self.durations.get_or_create(&routed).observe(took.as_secs_f64());
        let method = self::method(method);
        self.requests.get_or_create(&RequestLabels { route: routed.route, method, status }).inc();
    }

    /// Counts the stages of a photo.
    pub(crate) fn steps(&self, steps: &[(&'static str, Duration)]) {
        for &(stage, took) in steps {
            self.stages.get_or_create(&StageLabels { stage }).observe(took.as_secs_f64());
        }
    }

    /// Returns all metrics as OpenMetrics text, with the usage of these keys.
    pub(crate) fn text(&self, ready: bool, admission: &Admission, keys: &[KeyUsage]) -> String {
        self.gauges.set(ready, admission);
        let mut text = String::new();
        // Writing to a string can't fail.
        let _ = encode_registry(&mut text, &self.registry);
        if !keys.is_empty() {
            let _ = encode_registry(&mut text, &registry_of(keys));
        }
        let _ = encode_eof(&mut text);
        text
    }
}

/// Returns a registry with the usage of keys.
fn registry_of(keys: &[KeyUsage]) -> Registry {
    let mut registry = Registry::with_prefix(PREFIX);
    let metrics = KeyMetrics::default();
    metrics.register(&mut registry);
    metrics.set(keys);
    registry
}

fn signed(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

impl KeyMetrics {
    fn register(&self, registry: &mut Registry) {
        let help = "Requests of a key that were answered";
        registry.register("key_requests", help, self.requests.clone());
        let help = "Photos that were read for a key, or taken for its jobs";
        registry.register("key_photos", help, self.photos.clone());
        let help = "Bodies that were received with a key";
        registry.register_with_unit("key_received", help, Unit::Bytes, self.bytes.clone());
        let help = "Time of the last request of a key, since 1970";
        registry.register_with_unit("key_last_used", help, Unit::Seconds, self.last_used.clone());
    }

    /// Sets the figures of the first keys, and those of all others together.
    fn set(&self, usage: &[KeyUsage]) {
        for (at, used) in usage.iter().enumerate() {
            let key = if at < MAX_KEYS { used.name.clone() } else { OTHER_KEYS.to_owned() };
            let label = KeyLabels { key };
            self.requests.get_or_create_owned(&label).inc_by(used.total.requests);
            self.photos.get_or_create_owned(&label).inc_by(used.total.photos);
            self.bytes.get_or_create_owned(&label).inc_by(used.total.bytes);
            let last = self.last_used.get_or_create_owned(&label);
            last.set(last.get().max(used.last_used_seconds()));
        }
    }
}

impl Gauges {
    fn register(&self, registry: &mut Registry) {
        let help = "1 for what the networks run on, once they are loaded";
        registry.register("device", help, self.device.clone());
        registry.register("tasks", "Photos of jobs, by where they are", self.tasks.clone());
        let help = "Room on the disk of what is stored, by what it is";
        registry.register_with_unit("disk_free", help, Unit::Bytes, self.disk_free.clone());
        let help = "Size of the disk of what is stored, by what it is";
        registry.register_with_unit("disk", help, Unit::Bytes, self.disk.clone());
        let help = "Size of the files of what is stored, by what it is, at most a minute old";
        registry.register_with_unit("stored", help, Unit::Bytes, self.stored.clone());
        let help = "Photos and results that jobs keep";
        registry.register_with_unit("jobs_kept", help, Unit::Bytes, self.data.clone());
        let help = "The most that jobs may keep";
        registry.register_with_unit("jobs_kept_max", help, Unit::Bytes, self.data_limit.clone());
        let all = [
            ("ready", "Whether photos can be read", &self.ready),
            ("photos_in_flight", "Photos that were accepted and not answered yet", &self.in_flight),
            ("photos_working", "Workers that read photos or do other large work", &self.working),
            ("computing", "Requests with large work other than photos", &self.computing),
            ("queue_places_free", "Photos that may still wait or be read", &self.places_free),
            ("queue_places", "The most photos that may wait or be read", &self.places),
            ("decode_pixels_free", "Pixels that may still be decoded at once", &self.pixels_free),
            ("decode_pixels", "Pixels that may be decoded at once", &self.pixels),
            ("decode_memory_free_bytes", "Memory that decoding may still take", &self.memory_free),
            ("decode_memory_bytes", "Memory that all decoding may take", &self.memory),
        ];
        for (name, help, gauge) in all {
            registry.register(name, help, gauge.clone());
        }
    }

    fn set(&self, ready: bool, admission: &Admission) {
        let free = admission.free();
        let total = admission.total();
        self.ready.set(i64::from(ready));
        self.in_flight.set(signed(admission.in_flight()));
        self.working.set(signed(total.workers - free.workers));
        self.computing.set(signed(admission.count_computing()));
        self.places_free.set(signed(free.places));
        self.places.set(signed(total.places));
        self.pixels_free.set(signed(free.pixels));
        self.pixels.set(signed(total.pixels));
        self.memory_free.set(signed(free.memory));
        self.memory.set(signed(total.memory));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::usage::Amounts;

    fn usage(number: usize) -> KeyUsage {
        KeyUsage {
            name: format!("key{number:04}"),
            total: Amounts { requests: 1, ..Amounts::default() },
            ..KeyUsage::default()
        }
    }

    #[test]
    fn keys_beyond_the_limit_share_one_label() {
        let keys: Vec<KeyUsage> = (0..MAX_KEYS + 7).map(usage).collect();
        let mut text = String::new();
        encode_registry(&mut text, &registry_of(&keys)).expect("a string takes all");
        assert_eq!(text.matches("tilesight_key_requests_total{").count(), MAX_KEYS + 1);
        assert!(text.contains("tilesight_key_requests_total{key=\"other keys\"} 7\n"), "{text}");
    }
}
