//! Limits of the service: sizes, counts and times.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::thread::available_parallelism;
use std::time::Duration;

use tilesight_vision::DecodeLimits;

/// Limits on jobs, if the service accepts any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobLimits {
    /// Maximum number of photos of a job.
    pub photos: usize,
    /// Maximum size in bytes of the request that creates a job, and of all its unpacked photos.
    pub bytes: usize,
    /// Maximum time for the body of that request. The minimum rate of every body applies too.
    pub upload: Duration,
    /// Maximum number of such requests at the same time. Each may hold two photos in memory.
    pub uploads: usize,
    /// Maximum number of unfinished jobs of one key, or of all clients if no keys are required.
    pub unfinished: usize,
    /// Time for which a job and its results are kept.
    pub lifetime: Duration,
    /// Maximum number of bytes of photos and results that all jobs store together.
    pub kept: u64,
    /// Maximum number of bytes of photos and results that the jobs of one client store together.
    pub kept_per_client: u64,
    /// Maximum number of event streams at the same time. Each holds a connection.
    pub streams: usize,
    /// Maximum number of job photos that the service itself reads at the same time.
    pub workers: usize,
    /// Whether webhooks may go to any address, and unencrypted.
    pub webhooks_anywhere: bool,
}

impl Default for JobLimits {
    fn default() -> JobLimits {
        JobLimits {
            photos: 10_000,
            bytes: 2_000_000_000,
            upload: Duration::from_secs(900),
            uploads: 4,
            unfinished: 100,
            lifetime: Duration::from_secs(7 * 86_400),
            kept: 100_000_000_000,
            kept_per_client: 25_000_000_000,
            streams: 256,
            workers: available_parallelism().map_or(1, usize::from),
            webhooks_anywhere: false,
        }
    }
}

/// Sizes, counts and times of the service. The defaults suit one machine and phone photos.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of a request's body in bytes. A 12-megapixel JPEG has 3 to 8 MB, and base64
    /// adds a third. A request with several photos of a table that states its length may be four
    /// times as large, and then takes as many upload permits.
    pub body_bytes: usize,
    /// Number of photos that are read at the same time: one per core, because a session uses one
    /// thread.
    pub workers: usize,
    /// Maximum number of photos that wait for a worker. With one per worker, the last of them waits
    /// as long as one photo takes, so under any load an accepted photo takes at most twice as long
    /// as alone. Further photos are rejected at once.
    pub waiting: usize,
    /// Maximum number of uploads at the same time. A phone takes seconds to send a photo that is
    /// read in a tenth of a second, so workers are only kept busy if many more photos may be
    /// uploaded than wait.
    pub uploads: usize,
    /// Maximum number of open connections; more wait in the listener's queue. One address may hold
    /// three times as many connections as remain free. Further ones from it are closed at once,
    /// unless it is one of `proxies`.
    pub connections: usize,
    /// Maximum time for a request's head, and for an idle connection.
    pub header: Duration,
    /// Maximum time for a request's body.
    pub body: Duration,
    /// Minimum number of bytes per second of a body, measured in every window of `body_window`. A
    /// slower client is lost, or wants to occupy a permit.
    pub body_rate: u64,
    /// Window in which `body_rate` is measured.
    pub body_window: Duration,
    /// Maximum time for which a client may delay an answer. Every `body_rate` bytes that it reads
    /// add a second. The default equals the time for a body: a phone in an elevator is back online
    /// within it.
    pub write: Duration,
    /// Proxies whose `X-Forwarded-For` is trusted: behind a proxy, all connections come from its
    /// address.
    pub proxies: Vec<IpAddr>,
    /// Limits on each photo. Its memory is also the most that all photos that are decoded at the
    /// same time hold together: a pixel takes 3 to 20 bytes until the photo is upright, by its
    /// format. Small photos rarely wait because of this limit; huge ones wait for each other, and
    /// one that needs more is refused.
    pub decode: DecodeLimits,
    /// Maximum number of pixels of all photos that are decoded at the same time; `None` leaves it
    /// to the memory.
    pub decode_pixels: Option<u64>,
    /// Maximum number of requests per minute for a key without a rate of its own.
    pub key_rate: NonZeroU32,
    /// Maximum time from a request's head to its answer.
    pub request: Duration,
    /// Minimum room in bytes on the disk of what is stored, below which the service is not ready;
    /// `None` for that of one body.
    pub min_free: Option<u64>,
    /// Time for the last answers when the process stops. It is longer than `header` and `request`
    /// together, so that it only cuts off a client that doesn't read.
    pub drain: Duration,
}

impl Limits {
    /// Returns these limits for another number of workers, with a queue and upload permits to
    /// match.
    #[must_use]
    pub fn with_workers(self, workers: usize) -> Limits {
        Limits { workers, waiting: workers, uploads: 16 * workers, ..self }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        let limits = Limits {
            body_bytes: 20_000_000,
            workers: 1,
            waiting: 1,
            uploads: 16,
            connections: 1024,
            header: Duration::from_secs(10),
            body: Duration::from_secs(20),
            body_rate: 1_000,
            body_window: Duration::from_secs(5),
            write: Duration::from_secs(20),
            proxies: Vec::new(),
            decode: DecodeLimits::default(),
            decode_pixels: None,
            key_rate: const { NonZeroU32::new(600).expect("not zero") },
            request: Duration::from_secs(60),
            min_free: None,
            drain: Duration::from_secs(75),
        };
        limits.with_workers(available_parallelism().map_or(1, usize::from))
    }
}
