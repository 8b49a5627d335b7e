//! The settings of the service: flags, environment and one file, in this order of precedence.
//!
//! Input: [`Choices`] from each source, all optional. Output: [`Settings`], complete and checked,
//! or a list of all errors. The names are the same everywhere: `--max-body`, `TILESIGHT_MAX_BODY`
//! and `max_body` in the file. Invariant: every name is defined once, in [`Choices`]; an unknown
//! name is refused with its line, because a misspelt limit would not limit anything.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilesight_files::trusted;
use tilesight_jobs::evenings::EveningLimits;
use tilesight_jobs::journals::JournalLimits;
use tilesight_vision::DecodeLimits;
use tilesight_vision::networks::DeviceChoice;

use tilesight_service::{JobLimits, Limits, MIN_DECODE_MEMORY, PageReads};

use super::ListenAddress;

/// Default address of a service: on this machine only.
const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);
/// Length of a day, the unit of lifetimes.
const DAY: Duration = Duration::from_secs(86_400);

macro_rules! choices {
    ($($(#[$attribute:meta])* $name:ident: $kind:ty,)*) => {
        /// Settings of one source; an absent setting comes from another source, or has a default.
        #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
        #[derive(clap::Args)]
        #[serde(default, deny_unknown_fields)]
        pub struct Choices {
            $($(#[$attribute])* pub $name: Option<$kind>,)*
        }

        impl Choices {
            /// Names of the settings, as they are written in a file.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// Returns the settings of this source, completed from another.
            #[must_use]
            pub fn or(self, other: Choices) -> Choices {
                Choices { $($name: self.$name.or(other.$name)),* }
            }
        }
    };
}

choices! {
    /// Address or host name, and port, to listen on; port 0 uses any free port [default:
    /// 127.0.0.1:8080]
    #[arg(long, env = "TILESIGHT_LISTEN", value_name = "ADDRESS")]
    listen: ListenAddress,
    /// Let every client that reaches the address use the service without a key
    #[arg(long, env = "TILESIGHT_OPEN", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    open: bool,
    /// File with the API keys of the service; `tilesight keys new` adds a key
    #[arg(long, env = "TILESIGHT_KEYS", value_name = "FILE")]
    keys: PathBuf,
    /// Host name or address of the service for requests without a key, in addition to those of this
    /// machine; separate several with commas
    #[arg(long, env = "TILESIGHT_HOST", value_name = "NAME", value_delimiter = ',')]
    host: Vec<String>,
    /// Site whose pages may use the service with a key, such as `https://club.example`; separate
    /// several with commas
    #[arg(long, env = "TILESIGHT_CORS", value_name = "ORIGIN", value_delimiter = ',')]
    cors: Vec<String>,
    /// Address of a trusted proxy, whose `X-Forwarded-For` names the client; separate several with
    /// commas
    #[arg(long, env = "TILESIGHT_PROXY", value_name = "ADDRESS", value_delimiter = ',')]
    proxy: Vec<IpAddr>,
    /// Separate address for /livez, /readyz and /metrics, without a key and independent of the main
    /// address
    #[arg(long, env = "TILESIGHT_HEALTH_LISTEN", value_name = "ADDRESS")]
    health_listen: ListenAddress,
    /// Maximum number of requests per minute for a key without its own rate [default: 600]
    #[arg(long, env = "TILESIGHT_KEY_RATE", value_name = "COUNT")]
    key_rate: NonZeroU32,
    /// Certificate chain in PEM format, for HTTPS
    #[arg(long, env = "TILESIGHT_TLS_CERTIFICATE", value_name = "FILE")]
    tls_certificate: PathBuf,
    /// Private key of the certificate in PEM format
    #[arg(long, env = "TILESIGHT_TLS_KEY", value_name = "FILE")]
    tls_key: PathBuf,
    /// Folder with your own rule profiles, or a single profile; they are added to the shipped ones
    #[arg(long, env = "TILESIGHT_RULES", value_name = "PLACE")]
    rules: PathBuf,
    /// Folder with the files of own sets (`*.set`), which requests choose with `set`
    #[arg(long, env = "TILESIGHT_SETS", value_name = "FOLDER")]
    sets: PathBuf,
    /// Folder to store feedback in; without it, the service accepts no feedback
    #[arg(long, env = "TILESIGHT_FEEDBACK", value_name = "FOLDER")]
    feedback: PathBuf,
    /// Days after which feedback expires [default: 365]
    #[arg(long, env = "TILESIGHT_FEEDBACK_DAYS", value_name = "DAYS")]
    feedback_days: NonZeroU32,
    /// Maximum number of feedback records to store [default: 10000]
    #[arg(long, env = "TILESIGHT_MAX_FEEDBACK", value_name = "COUNT")]
    max_feedback: NonZeroUsize,
    /// Folder for jobs, their photos and results, and for games; without it, the service accepts
    /// none
    #[arg(long, env = "TILESIGHT_DATA", value_name = "FOLDER")]
    data: PathBuf,
    /// NATS servers for jobs and games, shared with a fleet of workers
    #[arg(long, env = "TILESIGHT_NATS", value_name = "URL")]
    nats: String,
    /// File with the key that seals webhook secrets in the store [default: beside the folder of
    /// --data]
    #[arg(long, env = "TILESIGHT_SEAL_KEY", value_name = "FILE")]
    seal_key: PathBuf,
    /// Maximum size of the photos and results of all jobs, in bytes [default: 100000000000]
    #[arg(long, env = "TILESIGHT_DATA_BYTES", value_name = "BYTES")]
    data_bytes: u64,
    /// Maximum size of the photos and results of all jobs of one key, or of one address if no keys
    /// are used, in bytes [default: a quarter of --data-bytes]
    #[arg(long, env = "TILESIGHT_DATA_BYTES_PER_CLIENT", value_name = "BYTES")]
    data_bytes_per_client: u64,
    /// Days after its last change when a game expires [default: 365]
    #[arg(long, env = "TILESIGHT_GAME_DAYS", value_name = "DAYS")]
    game_days: NonZeroU32,
    /// Maximum number of games to store [default: 10000]
    #[arg(long, env = "TILESIGHT_MAX_GAMES", value_name = "COUNT")]
    max_games: NonZeroUsize,
    /// Maximum number of games of one key, or of one address if no keys are used [default: a
    /// quarter of --max-games]
    #[arg(long, env = "TILESIGHT_MAX_GAMES_PER_CLIENT", value_name = "COUNT")]
    max_games_per_client: NonZeroUsize,
    /// Days after its last change when a series expires [default: 1095]
    #[arg(long, env = "TILESIGHT_SERIES_DAYS", value_name = "DAYS")]
    series_days: NonZeroU32,
    /// Maximum number of series to store [default: 1000]
    #[arg(long, env = "TILESIGHT_MAX_SERIES", value_name = "COUNT")]
    max_series: NonZeroUsize,
    /// Maximum number of series of one key, or of one address if no keys are used [default: a
    /// quarter of --max-series]
    #[arg(long, env = "TILESIGHT_MAX_SERIES_PER_CLIENT", value_name = "COUNT")]
    max_series_per_client: NonZeroUsize,
    /// Allow NATS servers on other machines without TLS or credentials: everyone on their network
    /// gets access
    #[arg(long, env = "TILESIGHT_NATS_OPEN", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    nats_open: bool,
    /// Days after which a job and its results expire [default: 7]
    #[arg(long, env = "TILESIGHT_JOB_DAYS", value_name = "DAYS")]
    job_days: NonZeroU32,
    /// Maximum number of photos per job [default: 10000]
    #[arg(long, env = "TILESIGHT_JOB_PHOTOS", value_name = "COUNT")]
    job_photos: NonZeroUsize,
    /// Maximum size of a job's photos, sent or unpacked, in bytes [default: 2000000000]
    #[arg(long, env = "TILESIGHT_JOB_MAX_BODY", value_name = "BYTES")]
    job_max_body: NonZeroUsize,
    /// Timeout for the upload of a job, in seconds [default: 900]
    #[arg(long, env = "TILESIGHT_JOB_BODY_SECONDS", value_name = "SECONDS")]
    job_body_seconds: NonZeroU32,
    /// Maximum number of concurrent uploads of jobs [default: 4]
    #[arg(long, env = "TILESIGHT_JOB_UPLOADS", value_name = "COUNT")]
    job_uploads: NonZeroUsize,
    /// Maximum number of unfinished jobs per key [default: 100]
    #[arg(long, env = "TILESIGHT_JOBS_UNFINISHED", value_name = "COUNT")]
    jobs_unfinished: NonZeroUsize,
    /// Maximum number of concurrent event streams of jobs [default: 256]
    #[arg(long, env = "TILESIGHT_JOB_STREAMS", value_name = "COUNT")]
    job_streams: usize,
    /// Number of photos of jobs that this process reads concurrently; 0 leaves them to other
    /// workers [default: as --workers]
    #[arg(long, env = "TILESIGHT_JOB_WORKERS", value_name = "COUNT")]
    job_workers: usize,
    /// Allow webhooks to addresses inside this network, and unencrypted ones
    #[arg(long, env = "TILESIGHT_WEBHOOKS_ANYWHERE", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    webhooks_anywhere: bool,
    /// Number of photos to read concurrently [default: one per core]
    #[arg(long, env = "TILESIGHT_WORKERS", value_name = "COUNT")]
    workers: NonZeroUsize,
    /// Device to run the networks on: cpu, cuda (an NVIDIA GPU), or auto, which uses a GPU if
    /// possible [default: cpu]
    #[arg(long, env = "TILESIGHT_DEVICE", value_parser = super::choice::one_of(&DeviceChoice::ALL, DeviceChoice::name), value_name = "DEVICE", hide_possible_values = true)]
    device: DeviceChoice,
    /// Place where the page reads photos and scores hands: device (the phone itself, if it is able
    /// to), or server [default: device]
    #[arg(long, env = "TILESIGHT_PAGE_READS", value_parser = super::choice::one_of(&PageReads::ALL, PageReads::name), value_name = "PLACE", hide_possible_values = true)]
    page_reads: PageReads,
    /// Maximum number of photos that wait to be read [default: one per worker]
    #[arg(long, env = "TILESIGHT_WAITING", value_name = "COUNT")]
    waiting: usize,
    /// Maximum number of concurrent uploads of photos [default: 16 per worker]
    #[arg(long, env = "TILESIGHT_UPLOADS", value_name = "COUNT")]
    uploads: NonZeroUsize,
    /// Maximum number of open connections; one address may hold three quarters of them [default:
    /// 1024]
    #[arg(long, env = "TILESIGHT_CONNECTIONS", value_name = "COUNT")]
    connections: NonZeroUsize,
    /// Maximum size of a request's body, in bytes [default: 20000000]
    #[arg(long, env = "TILESIGHT_MAX_BODY", value_name = "BYTES")]
    max_body: usize,
    /// Maximum number of pixels of a photo [default: 50000000]
    #[arg(long, env = "TILESIGHT_MAX_PIXELS", value_name = "PIXELS")]
    max_pixels: u64,
    /// Maximum number of bytes that all photos decoded at the same time hold together; a photo that
    /// needs more is refused [default: 1000000000, or 20 for each pixel of --max-pixels]
    #[arg(long, env = "TILESIGHT_DECODE_MEMORY", value_name = "BYTES")]
    decode_memory: u64,
    /// Maximum number of pixels of all photos decoded at the same time [default: as many as
    /// --decode-memory allows]
    #[arg(long, env = "TILESIGHT_DECODE_PIXELS", value_name = "PIXELS")]
    decode_pixels: u64,
    /// Timeout for a request's head, in seconds [default: 10]
    #[arg(long, env = "TILESIGHT_HEADER_SECONDS", value_name = "SECONDS")]
    header_seconds: NonZeroU32,
    /// Timeout for a request's body, in seconds [default: 20]
    #[arg(long, env = "TILESIGHT_BODY_SECONDS", value_name = "SECONDS")]
    body_seconds: NonZeroU32,
    /// Minimum rate of a body, in bytes per second, measured every five seconds [default: 1000]
    #[arg(long, env = "TILESIGHT_BODY_RATE", value_name = "BYTES")]
    body_rate: u64,
    /// Timeout from a request's head to its answer, in seconds [default: 60]
    #[arg(long, env = "TILESIGHT_REQUEST_SECONDS", value_name = "SECONDS")]
    request_seconds: NonZeroU32,
    /// Timeout for a client to read an answer, in seconds; reading extends it [default: 20]
    #[arg(long, env = "TILESIGHT_WRITE_TIMEOUT", value_name = "SECONDS")]
    write_timeout: NonZeroU32,
    /// Minimum room on the disks of jobs and feedback, in bytes; with less the service is not ready
    /// [default: as --max-body]
    #[arg(long, env = "TILESIGHT_MIN_FREE", value_name = "BYTES")]
    min_free: u64,
    /// Write the log as JSON
    #[arg(long, env = "TILESIGHT_LOG_JSON", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    log_json: bool,
}

/// Error when a configuration file can't be used; its author can correct it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Error when the file can't be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        error: std::io::Error,
    },
    /// Error when the file is not TOML, names an unknown setting, or gives one a value of the wrong
    /// type.
    #[error("{}: {error}", path.display())]
    Malformed {
        /// Path of the file.
        path: PathBuf,
        /// Error of the parser, with the line.
        error: toml::de::Error,
    },
}

impl Choices {
    /// Returns the address to listen on.
    #[must_use]
    pub fn listen_address(&self) -> SocketAddr {
        self.listen.as_ref().map_or(DEFAULT_LISTEN, ListenAddress::address)
    }

    /// Reads a TOML file. Paths in it are relative to its own folder.
    ///
    /// # Errors
    /// [`FileError`] names the file and the faulty line.
    pub fn from_file(path: &Path) -> Result<Choices, FileError> {
        let text = trusted::read_to_string(path).map_err(|error| FileError::Unreadable {
            path: path.to_owned(),
            error: error.into(),
        })?;
        let mut choices: Choices = toml::from_str(&text)
            .map_err(|error| FileError::Malformed { path: path.to_owned(), error })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let Choices {
            keys, rules, sets, tls_certificate, tls_key, feedback, data, seal_key, ..
        } = &mut choices;
        let named = [keys, rules, sets, tls_certificate, tls_key, feedback, data, seal_key];
        for named in named.into_iter().flatten() {
            *named = folder.join(&named);
        }
        Ok(choices)
    }
}

/// The complete settings of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Address for health and metrics.
    pub health_listen: Option<SocketAddr>,
    /// File with the keys; without it, none is required.
    pub keys: Option<PathBuf>,
    /// Whether every client that reaches the address may use the service.
    pub open: bool,
    /// Host names for requests without a key, in addition to those of this machine.
    pub hosts: Vec<String>,
    /// Sites whose pages may use the service with a key.
    pub cors: Vec<String>,
    /// Certificate chain and private key.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Folder or file with rule profiles in addition to the shipped ones.
    pub rules: Option<PathBuf>,
    /// Folder with the files of own sets.
    pub sets: Option<PathBuf>,
    /// Settings for feedback.
    pub feedback: Option<FeedbackSettings>,
    /// Settings for jobs and games.
    pub jobs: Option<JobSettings>,
    /// File with the key that seals webhook secrets.
    pub seal_key: Option<PathBuf>,
    /// Sizes, counts and times.
    pub limits: Limits,
    /// Device that the networks run on.
    pub device: DeviceChoice,
    /// Place where the page reads photos and scores hands.
    pub page_reads: PageReads,
    /// Whether the log is JSON.
    pub log_json: bool,
}

/// Settings for feedback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedbackSettings {
    /// Folder of the feedback.
    pub folder: PathBuf,
    /// Time after which a record is removed.
    pub lifetime: Duration,
    /// Maximum number of records.
    pub max_records: usize,
}

/// Settings for jobs and games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobSettings {
    /// Place where jobs are stored and read.
    pub place: JobBackend,
    /// Sizes, counts and times of jobs.
    pub limits: JobLimits,
    /// Counts and times of games, which are stored in the same place.
    pub games: EveningLimits,
    /// Counts and times of series, which are stored in the same place.
    pub series: JournalLimits,
}

/// Place where jobs are stored and read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobBackend {
    /// In a folder; this process reads them.
    Folder(PathBuf),
    /// On NATS servers; the workers of the fleet read them.
    Nats {
        /// URLs of the servers, separated by commas.
        url: String,
        /// Whether servers on other machines may be used without TLS and without credentials.
        open: bool,
    },
}

/// Error when settings contradict each other; the operator can correct them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct SettingsError(
    /// All contradictions.
    pub Vec<String>,
);

impl Settings {
    /// Fills in the defaults and checks everything.
    ///
    /// # Errors
    /// [`SettingsError`] with all contradictions.
    pub fn from_choices(choices: &Choices) -> Result<Settings, SettingsError> {
        let settings = Settings {
            listen: choices.listen_address(),
            health_listen: choices.health_listen.as_ref().map(|listen| listen.address()),
            keys: choices.keys.clone(),
            open: choices.open.unwrap_or(false),
            hosts: choices.host.clone().unwrap_or_default(),
            cors: choices.cors.clone().unwrap_or_default(),
            tls: choices.tls_certificate.clone().zip(choices.tls_key.clone()),
            rules: choices.rules.clone(),
            sets: choices.sets.clone(),
            feedback: choices.feedback.clone().map(|folder| FeedbackSettings {
                folder,
                lifetime: choices.feedback_days.map_or(365, NonZeroU32::get) * DAY,
                max_records: choices.max_feedback.map_or(10_000, NonZeroUsize::get),
            }),
            jobs: job_backend(choices).map(|place| JobSettings {
                place,
                limits: job_limits(choices),
                games: evening_limits(choices),
                series: series_limits(choices),
            }),
            seal_key: choices.seal_key.clone(),
            limits: limits(choices),
            device: choices.device.unwrap_or_default(),
            page_reads: choices.page_reads.unwrap_or_default(),
            log_json: choices.log_json.unwrap_or(false),
        };
        let reasons = settings.contradictions(choices);
        if reasons.is_empty() { Ok(settings) } else { Err(SettingsError(reasons)) }
    }

    fn contradictions(&self, choices: &Choices) -> Vec<String> {
        let open = self.open;
        let reachable = !self.listen.ip().is_loopback() && self.keys.is_none() && !open;
        let half_tls = choices.tls_certificate.is_some() != choices.tls_key.is_some();
        let address = self.listen;
        let faults = [
            (
                reachable,
                format!(
                    "other machines can reach {address} without a key: name a file of keys with --keys, \
                     or allow it with --open"
                ),
            ),
            (open && self.keys.is_some(), "--open and --keys contradict each other".to_owned()),
            (
                choices.data.is_some() && choices.nats.is_some(),
                "--data and --nats contradict each other: jobs have one store".to_owned(),
            ),
            (half_tls, "HTTPS needs both --tls-certificate and --tls-key".to_owned()),
            (
                self.limits.decode_pixels.is_some_and(|pixels| pixels < self.limits.decode.pixels),
                format!(
                    "decode_pixels ({}) is less than max_pixels ({}): the largest photos could \
                     never be decoded",
                    self.limits.decode_pixels.unwrap_or_default(),
                    self.limits.decode.pixels
                ),
            ),
            (
                self.limits.decode.memory < MIN_DECODE_MEMORY,
                format!(
                    "decode_memory ({}) is less than {MIN_DECODE_MEMORY} bytes: a phone's photo \
                     could never be decoded",
                    self.limits.decode.memory
                ),
            ),
            (self.limits.body_bytes == 0, "max_body is 0: no request could have a body".to_owned()),
            (
                !self.cors.is_empty() && self.keys.is_none(),
                "--cors needs --keys: without keys no other site may use the service".to_owned(),
            ),
            (
                self.health_listen == Some(address) && address.port() != 0,
                format!("--health-listen must differ from --listen ({address})"),
            ),
        ];
        let found = faults.into_iter().filter(|(wrong, _)| *wrong).map(|(_, reason)| reason);
        let hosts = self.hosts.iter().filter(|host| !is_host(host)).map(|host| {
            format!("--host {host:?} is not a name or address: write it like club.example, without scheme or port")
        });
        let sites = self.cors.iter().filter(|site| !is_origin(site)).map(|site| {
            format!(
                "--cors {site:?} is not a site: write it like https://club.example, without a path"
            )
        });
        found.chain(hosts).chain(sites).collect()
    }
}

/// Returns whether a text is a name or an address, without scheme or port.
fn is_host(text: &str) -> bool {
    let address = text.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let is_name = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    address.is_ok() || !text.is_empty() && is_name
}

/// Returns whether a text is a site as browsers write it: scheme, lower-case name and, unless it is
/// the default, port.
fn is_origin(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (rest, None),
    };
    let usual = match scheme {
        "http" => "80",
        "https" => "443",
        _ => return false,
    };
    let lower = !host.bytes().any(|byte| byte.is_ascii_uppercase());
    lower && is_host(host) && port.is_none_or(|port| port != usual && port.parse::<u16>().is_ok())
}

/// Returns a chosen number of seconds, or the usual time.
fn seconds(chosen: Option<NonZeroU32>, usual: Duration) -> Duration {
    chosen.map_or(usual, |seconds| Duration::from_secs(seconds.get().into()))
}

fn limits(choices: &Choices) -> Limits {
    let mut usual = Limits::default();
    if let Some(workers) = choices.workers {
        usual = usual.with_workers(workers.get());
    }
    let header = seconds(choices.header_seconds, usual.header);
    let request = seconds(choices.request_seconds, usual.request);
    Limits {
        body_bytes: choices.max_body.unwrap_or(usual.body_bytes),
        waiting: choices.waiting.unwrap_or(usual.waiting),
        uploads: choices.uploads.map_or(usual.uploads, NonZeroUsize::get),
        connections: choices.connections.map_or(usual.connections, NonZeroUsize::get),
        header,
        body: seconds(choices.body_seconds, usual.body),
        body_rate: choices.body_rate.unwrap_or(usual.body_rate),
        decode: decode_limits(choices),
        decode_pixels: choices.decode_pixels,
        write: seconds(choices.write_timeout, usual.write),
        proxies: choices.proxy.clone().unwrap_or_default(),
        key_rate: choices.key_rate.unwrap_or(usual.key_rate),
        request,
        min_free: choices.min_free,
        drain: header + request + Duration::from_secs(5),
        ..usual
    }
}

fn job_backend(choices: &Choices) -> Option<JobBackend> {
    let folder = choices.data.clone().map(JobBackend::Folder);
    let open = choices.nats_open.unwrap_or(false);
    folder.or_else(|| choices.nats.clone().map(|url| JobBackend::Nats { url, open }))
}

fn evening_limits(choices: &Choices) -> EveningLimits {
    let usual = EveningLimits::default();
    let max_journals = choices.max_games.map_or(usual.max_journals, NonZeroUsize::get);
    EveningLimits {
        lifetime: choices.game_days.map_or(usual.lifetime, |days| days.get() * DAY),
        max_journals,
        max_per_client: choices
            .max_games_per_client
            .map_or(max_journals.div_ceil(4), NonZeroUsize::get),
    }
}

fn series_limits(choices: &Choices) -> JournalLimits {
    let max_journals = choices.max_series.map_or(1000, NonZeroUsize::get);
    JournalLimits {
        lifetime: choices.series_days.map_or(1095, NonZeroU32::get) * DAY,
        max_journals,
        max_per_client: choices
            .max_series_per_client
            .map_or(max_journals.div_ceil(4), NonZeroUsize::get),
    }
}

fn job_limits(choices: &Choices) -> JobLimits {
    let usual = JobLimits::default();
    let kept = choices.data_bytes.unwrap_or(usual.kept);
    JobLimits {
        photos: choices.job_photos.map_or(usual.photos, NonZeroUsize::get),
        bytes: choices.job_max_body.map_or(usual.bytes, NonZeroUsize::get),
        upload: seconds(choices.job_body_seconds, usual.upload),
        uploads: choices.job_uploads.map_or(usual.uploads, NonZeroUsize::get),
        unfinished: choices.jobs_unfinished.map_or(usual.unfinished, NonZeroUsize::get),
        lifetime: choices.job_days.map_or(usual.lifetime, |days| days.get() * DAY),
        kept,
        kept_per_client: choices.data_bytes_per_client.unwrap_or(kept.div_ceil(4)),
        streams: choices.job_streams.unwrap_or(usual.streams),
        workers: choices.job_workers.unwrap_or(limits(choices).workers),
        webhooks_anywhere: choices.webhooks_anywhere.unwrap_or(usual.webhooks_anywhere),
    }
}

fn decode_limits(choices: &Choices) -> DecodeLimits {
    let bytes = choices.max_body.map(|body| body.max(DecodeLimits::default().bytes));
    DecodeLimits::new(bytes, choices.max_pixels, choices.decode_memory)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn read(toml: &str) -> Choices {
        toml::from_str(toml).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn settings_without_choices_are_the_defaults() {
        let settings = Settings::from_choices(&Choices::default()).expect("they are consistent");
        assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(settings.limits, Limits::default());
        assert_eq!(settings.device, DeviceChoice::Cpu);
        assert_eq!(settings.page_reads, PageReads::Device);
        assert!(settings.jobs.is_none(), "no jobs without a store");
        assert!(settings.keys.is_none() && settings.feedback.is_none() && settings.tls.is_none());
    }

    #[test]
    fn the_first_source_that_says_something_counts() {
        let flags = read("workers = 3");
        let file = read(
            "workers = 5\ndevice = 'auto'\npage_reads = 'server'\nmax_body = 1000\nheader_seconds = 2\nrequest_seconds = 9",
        );
        let settings = Settings::from_choices(&flags.or(file)).expect("they are consistent");
        let limits = &settings.limits;
        assert_eq!((limits.workers, limits.waiting, limits.uploads), (3, 3, 48));
        assert_eq!(settings.limits.body_bytes, 1000);
        assert_eq!(settings.device, DeviceChoice::Auto);
        assert_eq!(settings.page_reads, PageReads::Server);
        assert!(settings.limits.drain > settings.limits.header + settings.limits.request);
    }

    #[test]
    fn every_contradiction_is_named() {
        for (toml, parts) in [
            ("listen = '0.0.0.0:80'", &["without a key"][..]),
            ("listen = '[::]:80'\ntls_key = 'a'", &["without a key", "both"]),
            ("open = true\nkeys = 'k'", &["contradict"]),
            ("max_pixels = 2000\ndecode_pixels = 1000", &["decode_pixels"]),
            ("decode_memory = 1000", &["decode_memory"]),
            ("max_body = 0", &["max_body"]),
            ("data = 'd'\nnats = 'nats://n'", &["one store"]),
            ("cors = ['https://club.example']", &["--keys"]),
            (
                "keys = 'k'\ncors = ['*', 'https://club.example/', 'null']",
                &["\"*\"", "example/", "null"],
            ),
            (
                "keys = 'k'\ncors = ['https://Club.example', 'https://club.example:443']",
                &["Club", ":443"],
            ),
            ("host = ['http://club.example', 'club.example:80', '']", &["http:", ":80", "\"\""]),
            ("listen = '127.0.0.1:80'\nhealth_listen = '127.0.0.1:80'", &["--health-listen"]),
        ] {
            let error = Settings::from_choices(&read(toml)).expect_err(toml);
            assert_eq!(error.0.len(), parts.len(), "{toml}: {error}");
            for part in parts {
                assert!(error.to_string().contains(part), "{toml}: {error}");
            }
        }
        for toml in [
            "listen = '0.0.0.0:80'\nopen = true",
            "listen = '0.0.0.0:80'\nkeys = 'k'",
            "listen = '[::1]:80'",
            "keys = 'k'\ncors = ['https://club.example', 'http://localhost:5173', 'http://[::1]:5173']",
            "host = ['club.example', 'tilesight', '192.0.2.1', '2001:db8::1', '[2001:db8::1]']",
            "health_listen = '127.0.0.1:9090'",
        ] {
            assert!(Settings::from_choices(&read(toml)).is_ok(), "{toml}");
        }
    }

    #[test]
    fn files_are_checked_line_by_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("tilesight.toml");
        for (toml, parts) in [
            ("workers = 2\nworker = 3", ["line 2", "worker"]),
            ("\n\nmax_body = 'large'", ["line 3", "usize"]),
            ("listen = 8080", ["line 1", "listen"]),
            ("workers = 0", ["line 1", "zero"]),
            ("device = 'gpu'", ["line 1", "cuda"]),
        ] {
            fs::write(&file, toml).expect("a file");
            let error = Choices::from_file(&file).expect_err(toml).to_string();
            for part in parts {
                assert!(
                    error.contains(part) && error.contains("tilesight.toml"),
                    "{toml}: {error}"
                );
            }
        }
        fs::write(&file, "keys = 'keys.txt'\nfeedback = '/var/feedback'").expect("a file");
        let choices = Choices::from_file(&file).expect("a configuration");
        assert_eq!(
            choices.keys,
            Some(folder.path().join("keys.txt")),
            "from the file's own folder"
        );
        assert_eq!(choices.feedback, Some("/var/feedback".into()));
        fs::remove_file(&file).expect("it was there");
        assert!(matches!(Choices::from_file(&file), Err(FileError::Unreadable { .. })));
    }
}
