//! Settings: what the HTTP service allows, and which ONNX Runtime the program is made for.
//!
//! [`Limits`] and [`JobLimits`] are the sizes, counts and times of the service;
//! `Settings` are these and everything else that flags, environment and a file may set.
//! `pipeline::model` finds the library and the models.

#[cfg(feature = "http")]
mod listen;
#[cfg(feature = "http")]
mod page_reads;
#[cfg(feature = "http")]
mod settings;

#[cfg(feature = "http")]
pub use listen::{ListenAddress, ListenAddressError};
#[cfg(feature = "http")]
pub use page_reads::PageReads;
#[cfg(feature = "http")]
pub use settings::{
    Choices, FeedbackSettings, FileError, JobPlace, JobSettings, Settings, SettingsError,
};

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::thread::available_parallelism;
use std::time::Duration;

/// Sizes, counts and times of jobs, where the service takes any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobLimits {
    /// Photos of a job.
    pub photos: usize,
    /// Bytes of the request that creates a job, and of all its photos once they are unpacked.
    pub bytes: usize,
    /// Time for that request's body; the least rate of any body holds for it too.
    pub upload: Duration,
    /// Such requests at the same time: each may hold two photos in memory.
    pub uploads: usize,
    /// Unfinished jobs of one key, or of all clients where there are no keys.
    pub unfinished: usize,
    /// How long a job and its results are kept.
    pub lifetime: Duration,
    /// Bytes of photos and results that all jobs store together.
    pub kept: u64,
    /// The same for the jobs of one client.
    pub kept_each: u64,
    /// Streams of events at the same time: each holds a connection.
    pub streams: usize,
    /// Photos of jobs that the service itself reads at the same time.
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
            kept_each: 25_000_000_000,
            streams: 256,
            workers: available_parallelism().map_or(1, usize::from),
            webhooks_anywhere: false,
        }
    }
}

/// Sizes, counts and times of the service. The defaults suit one machine and phone photos.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a request's body: a 12-megapixel JPEG has 3 to 8 MB, base64 adds a third. A table
    /// of several photos that says how long it is may have four times as many, and takes as many
    /// places to send in.
    pub body_bytes: usize,
    /// Photos read at the same time: one a core, since a session uses one thread.
    pub workers: usize,
    /// Photos that may wait for a worker. One for each worker makes the last of them wait as long
    /// as one photo takes, so that under any load an accepted one takes twice as long as alone at
    /// the most; what comes beside is refused at once.
    pub waiting: usize,
    /// Photos that may be on their way in at the same time. A phone sends for seconds what is read
    /// in a tenth of one, so workers stay busy only where many more may send than wait.
    pub uploads: usize,
    /// Open connections; more wait in the listener's queue. One address may have three times as
    /// many as stay free, and further ones are closed at once, unless it is one of `proxies`.
    pub connections: usize,
    /// Time for a request's head, and for an idle connection.
    pub header: Duration,
    /// Time for a request's body.
    pub body: Duration,
    /// Bytes a second that a body has to bring at the least, in every window of `body_window`: less
    /// means that the client is lost, or wants to occupy a place.
    pub body_rate: u64,
    /// The window in which `body_rate` is measured.
    pub body_window: Duration,
    /// How long a client may keep an answer waiting; every `body_rate` bytes that it reads add a
    /// second. As long as its own body may take: a phone in a lift is back within it.
    pub write: Duration,
    /// Proxies whose `X-Forwarded-For` is believed: behind one, all connections come from its
    /// address.
    pub proxies: Vec<IpAddr>,
    /// Pixels of all photos that are decoded at the same time. A pixel costs 3 to 16 bytes until it
    /// is read; small photos seldom wait for it, huge ones wait for each other.
    pub decode_pixels: u64,
    /// Requests a minute for a key that has no rate of its own.
    pub key_rate: NonZeroU32,
    /// Time from a request's head to its answer.
    pub request: Duration,
    /// Time for the last answers when the process stops; longer than `header` and
    /// `request` together, so that only a client that doesn't read meets it.
    pub drain: Duration,
}

impl Limits {
    /// The same for another number of workers, with places to wait to match.
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
            decode_pixels: 100_000_000,
            key_rate: const { NonZeroU32::new(600).expect("not zero") },
            request: Duration::from_secs(60),
            drain: Duration::from_secs(75),
        };
        limits.with_workers(available_parallelism().map_or(1, usize::from))
    }
}
