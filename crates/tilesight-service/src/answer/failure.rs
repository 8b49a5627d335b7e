//! Failures of a request, and the one place that turns them into answers.
//!
//! Errors in the content of a request are a [`Problem`] of the contract already; this module has
//! the failures that only a server has. `texts.rs` has their texts in every language. Invariant: a
//! client never reads a cause, a path or a panic message; those go to the log, once.

mod texts;

use std::io;

use axum::Json;
use axum::http::header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tilesight_core::contract::{FieldError, Kind as _, Problem, ProblemKind};
use tilesight_core::explain::Message;
use tilesight_files::private::is_full;
use tilesight_jobs::{QueueError, StoreError};
use tilesight_vision::ReadError;

use crate::answer::problem::ServiceProblemKind;
use crate::answer::quota::QuotaReached;

const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");
/// Seconds until a retry is sensible: a photo takes well under a second, so the queue has moved by
/// then.
const RETRY_SECONDS: u64 = 1;
/// Seconds until a retry is sensible where only the sweeper makes room, which runs every hour.
const RETRY_SWEPT_SECONDS: u64 = 3600;

/// Seconds until a retry is sensible where jobs must end first, or a store must become reachable.
const RETRY_JOBS_SECONDS: u64 = 10;

/// Reason why a request fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Error in the content of the request, which the client can correct.
    Problem(Problem<ServiceProblemKind>),
    /// The body is larger than allowed.
    TooLarge {
        /// Maximum number of bytes.
        limit: usize,
    },
    /// The content type is not supported.
    UnsupportedBody {
        /// Supported types.
        expected: &'static str,
    },
    /// The body is compressed, or otherwise encoded.
    EncodedBody,
    /// The body did not arrive in time.
    SlowBody,
    /// An API key is required, and no known key was sent.
    NoKey {
        /// Whether a browser should prompt for it.
        ask: bool,
    },
    /// The key has reached its rate limit.
    OverRate {
        /// Seconds until the client may send again.
        wait: u64,
    },
    /// The key has reached a quota.
    OverQuota(QuotaReached),
    /// The service was started without feedback.
    NoFeedback,
    /// No feedback has this id.
    NoSuchFeedback,
    /// The token does not belong to the feedback. Ids are random, so a client that knows one may
    /// learn that the feedback exists.
    WrongToken,
    /// The store for feedback is full.
    FeedbackFull,
    /// The service was started without jobs.
    NoJobs,
    /// No job has this id, or the job belongs to another key.
    NoSuchJob,
    /// A request with the same idempotency key is still being processed.
    InFlight {
        /// Seconds until that request is answered, or its claim expires.
        wait: u64,
    },
    /// The idempotency key was used for another request.
    KeyReused,
    /// The key has reached its limit of unfinished jobs.
    TooManyJobs {
        /// Maximum number of unfinished jobs.
        max: usize,
    },
    /// The service has no key to seal the secrets of webhooks with.
    NoWebhooks,
    /// The jobs of this client have reached their storage limit.
    TooMuchKept {
        /// Maximum number of bytes.
        max: u64,
    },
    /// All jobs together have reached the storage limit.
    NoRoom,
    /// The disk or the fleet's storage is full.
    NoSpace {
        /// Cause, for the log only.
        cause: String,
    },
    /// The disk has less room left than a photo may need.
    DiskFull {
        /// Cause, for the log only.
        cause: String,
    },
    /// The store of jobs is unreachable.
    Storage {
        /// Cause, for the log only.
        cause: String,
    },
    /// The service has no store for own sets.
    NoSetStore,
    /// Sets belong to keys, and the service has none.
    KeylessSets,
    /// The key has no own set of this name.
    NoSuchSet,
    /// The key has reached its limit of own sets.
    TooManySets {
        /// Maximum number of sets of one key.
        max: usize,
    },
    /// The service was started without games.
    NoGames,
    /// No game has this id, or the game belongs to another key.
    NoSuchGame,
    /// Games can be listed only for the holder of a key, and the service has no keys: an id is all
    /// that protects a game there.
    UnlistedGames,
    /// The game was modified since the client read it.
    StaleGame,
    /// No series has this id, or the series belongs to another key.
    NoSuchSeries,
    /// Series can be listed only for the holder of a key, and the service has no keys.
    UnlistedSeries,
    /// The series was modified since the client read it.
    StaleSeries,
    /// The client has reached its limit of stored series.
    TooManySeries {
        /// Maximum number of series for one client.
        max: usize,
    },
    /// The service has reached its limit of stored series.
    SeriesFull {
        /// Maximum number of series.
        max: usize,
    },
    /// No link has this token any more.
    NoSuchLink,
    /// A change does not name the revision that it is based on.
    Unconditional,
    /// The client has reached its limit of stored games.
    TooManyGames {
        /// Maximum number of games for one client.
        max: usize,
    },
    /// The service has reached its limit of stored games.
    GamesFull {
        /// Maximum number of games.
        max: usize,
    },
    /// No stream of a game's events can be opened now.
    Crowded(StreamLimit),
    /// The request names a host that the service does not serve.
    WrongHost {
        /// Name of the host.
        name: String,
    },
    /// A page of another site sent the request.
    ForeignPage,
    /// All places are taken.
    Busy,
    /// The client has used up its share of a resource; the rest is for others.
    Share {
        /// The shared resource.
        what: SharedResource,
    },
    /// The models are still being loaded.
    Starting,
    /// The process is stopping.
    Stopping,
    /// The answer took longer than allowed.
    Overdue,
    /// No route has this path.
    NoSuchPath,
    /// The path does not support the method.
    NoSuchMethod,
    /// The service failed.
    Internal {
        /// Cause, for the log only.
        cause: String,
    },
}

impl Failure {
    /// Returns the failure of a request that can't be used because of one of its fields.
    pub(crate) fn invalid(field: &str, fault: &(impl Message + ?Sized)) -> Failure {
        let errors = vec![FieldError::from_message(field, fault)];
        Problem::with_errors(ProblemKind::MalformedRequest, errors).into()
    }

    /// Returns the failure of a file that can't be written; `what` names it in the log.
    pub(crate) fn from_io(what: &str, error: &io::Error) -> Failure {
        let cause = format!("{what}: {error}");
        if is_full(error) { Failure::NoSpace { cause } } else { Failure::Internal { cause } }
    }

    /// Returns the seconds after which a retry may succeed; `None` where a retry does not help.
    fn wait(&self) -> Option<u64> {
        match self {
            Failure::OverRate { wait }
            | Failure::InFlight { wait }
            | Failure::OverQuota(QuotaReached { wait, .. }) => Some(*wait),
            Failure::TooManyJobs { .. } | Failure::DiskFull { .. } | Failure::Storage { .. } => {
                Some(RETRY_JOBS_SECONDS)
            }
            Failure::FeedbackFull
            | Failure::TooManyGames { .. }
            | Failure::GamesFull { .. }
            | Failure::TooManySeries { .. }
            | Failure::SeriesFull { .. }
            | Failure::TooManySets { .. }
            | Failure::TooMuchKept { .. } => Some(RETRY_SWEPT_SECONDS),
            Failure::Crowded(_)
            | Failure::Busy
            | Failure::Share { .. }
            | Failure::Starting
            | Failure::Stopping
            | Failure::Overdue => Some(RETRY_SECONDS),
            _ => None,
        }
    }

    /// Returns the authentication challenge. A browser prompts for a key only if a person opens a
    /// page.
    fn challenge(&self) -> Option<&'static str> {
        match self {
            Failure::NoKey { ask: true } => {
                Some("Basic realm=\"tilesight: any name, the key as password\"")
            }
            Failure::NoKey { ask: false } => Some("Bearer"),
            _ => None,
        }
    }

    /// Returns the kind of problem that the client sees.
    fn kind(&self) -> ServiceProblemKind {
        use ServiceProblemKind as Kind;
        match self {
            Failure::Problem(problem) => problem.kind,
            Failure::TooLarge { .. } => ProblemKind::TooLarge.into(),
            Failure::UnsupportedBody { .. } | Failure::EncodedBody => {
                ProblemKind::UnsupportedMedia.into()
            }
            Failure::NoWebhooks => ProblemKind::MalformedRequest.into(),
            Failure::NoSuchFeedback
            | Failure::NoSuchJob
            | Failure::NoSuchGame
            | Failure::NoSuchSeries
            | Failure::NoSuchLink
            | Failure::NoSuchSet
            | Failure::NoSuchPath => ProblemKind::NotFound.into(),
            Failure::Internal { .. } => ProblemKind::Internal.into(),
            Failure::SlowBody => Kind::RequestTimeout,
            Failure::NoKey { .. } => Kind::Unauthorized,
            Failure::WrongToken
            | Failure::ForeignPage
            | Failure::UnlistedGames
            | Failure::KeylessSets
            | Failure::UnlistedSeries => Kind::Forbidden,
            Failure::NoFeedback => Kind::FeedbackDisabled,
            Failure::NoJobs => Kind::JobsDisabled,
            Failure::NoGames => Kind::GamesDisabled,
            Failure::NoSetStore => Kind::SetsDisabled,
            Failure::InFlight { .. } => Kind::RequestInFlight,
            Failure::KeyReused => Kind::IdempotencyKeyReused,
            Failure::StaleGame => Kind::GameChanged,
            Failure::StaleSeries => Kind::SeriesChanged,
            Failure::Unconditional => Kind::PreconditionRequired,
            Failure::WrongHost { .. } => Kind::MisdirectedRequest,
            Failure::NoSuchMethod => Kind::MethodNotAllowed,
            Failure::OverQuota(_) => Kind::QuotaExceeded,
            Failure::OverRate { .. }
            | Failure::TooManyJobs { .. }
            | Failure::TooMuchKept { .. }
            | Failure::TooManyGames { .. }
            | Failure::TooManySeries { .. }
            | Failure::TooManySets { .. }
            | Failure::Crowded(StreamLimit::Client)
            | Failure::Share { .. } => Kind::TooManyRequests,
            Failure::NoRoom
            | Failure::NoSpace { .. }
            | Failure::GamesFull { .. }
            | Failure::SeriesFull { .. } => Kind::InsufficientStorage,
            Failure::FeedbackFull
            | Failure::DiskFull { .. }
            | Failure::Storage { .. }
            | Failure::Crowded(_)
            | Failure::Busy
            | Failure::Starting
            | Failure::Stopping
            | Failure::Overdue => Kind::Unavailable,
        }
    }

    /// Returns the problem that the client reads.
    fn problem(self) -> Problem<ServiceProblemKind> {
        match self {
            Failure::Problem(problem) => problem,
            Failure::NoWebhooks => {
                Problem::with_errors(self.kind(), vec![FieldError::from_message("webhook", &self)])
            }
            _ => Problem::from_message(self.kind(), &self),
        }
    }
}

/// Resource of which each client has a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SharedResource {
    /// Photos that are being uploaded.
    Uploads,
    /// Bodies that create jobs.
    JobUploads,
    /// Streams of a job's events.
    EventStreams,
    /// Stored feedback.
    Feedback,
    /// Requests with much to compute.
    Computing,
}

/// Limit of event streams that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StreamLimit {
    /// Limit of this client.
    Client,
    /// Limit of the players of this game.
    Players,
    /// Limit of one link.
    Link,
    /// Limit of the viewers of this game.
    Onlookers,
    /// Limit of the service.
    All,
}

/// Problem in the extensions of its answer, in English and without the id of the request.
#[derive(Debug, Clone)]
pub(crate) struct EnglishProblem {
    pub(crate) problem: Problem<ServiceProblemKind>,
    /// Cause, for the log only.
    pub(crate) cause: Option<String>,
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Failure {
        Failure::Problem(problem.into_kind())
    }
}

impl From<Problem<ServiceProblemKind>> for Failure {
    fn from(problem: Problem<ServiceProblemKind>) -> Failure {
        Failure::Problem(problem)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        match error {
            ReadError::Model(error) => Failure::Internal { cause: error.to_string() },
            error => Problem::from(&error).into(),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        match error {
            StoreError::NoJob => Failure::NoSuchJob,
            StoreError::Full => Failure::NoSpace { cause: error.to_string() },
            StoreError::Unavailable { .. } => Failure::Storage { cause: error.to_string() },
            error => Failure::Internal { cause: error.to_string() },
        }
    }
}

impl From<QueueError> for Failure {
    fn from(error: QueueError) -> Failure {
        match error {
            QueueError::Full | QueueError::NoSpace => Failure::NoSpace { cause: error.to_string() },
            QueueError::Unavailable { .. } => Failure::Storage { cause: error.to_string() },
            error => Failure::Internal { cause: error.to_string() },
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let cause = match &self {
            Failure::Internal { cause }
            | Failure::NoSpace { cause }
            | Failure::DiskFull { cause }
            | Failure::Storage { cause } => Some(cause.clone()),
            _ => None,
        };
        // The rest of such a body would be taken for the next request.
        let close = matches!(self, Failure::SlowBody | Failure::TooLarge { .. });
        let wait = self.wait();
        let challenge = self.challenge();
        let problem = self.problem();
        let status = StatusCode::from_u16(problem.kind.facts().status)
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(&problem)).into_response();
        // The request is not known here: `language::answer` translates the problem into the
        // requested language, and adds the id of the request, there and in the log.
        response.extensions_mut().insert(EnglishProblem { problem, cause });
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, PROBLEM_JSON);
        if let Some(seconds) = wait {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(challenge) = challenge {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        if close {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use tilesight_core::contract::RequestFault;
    use tilesight_stills::FileKind;
    use tilesight_vision::{DecodeError, ModelError};

    use super::*;
    use crate::answer::quota::QuotaKind;

    #[tokio::test]
    async fn internal_details_are_not_in_the_answer() {
        let file = "/srv/secret/detector.onnx".to_owned();
        let secret = ModelError::NoModel { file, advice: "" };
        let response = Failure::from(ReadError::Model(secret)).into_response();
        assert_eq!(response.status(), 500);
        assert_eq!(response.headers()[CONTENT_TYPE], PROBLEM_JSON);
        let body = to_bytes(response.into_body(), 10_000).await.unwrap();
        assert!(!String::from_utf8_lossy(&body).contains("secret"));
    }

    /// Returns every failure of the service itself.
    pub(crate) fn failures() -> Vec<Failure> {
        let failures = cases().into_iter().map(|(failure, ..)| failure);
        failures.filter(|failure| !matches!(failure, Failure::Problem(_))).collect()
    }

    fn over_quota(kind: QuotaKind) -> Failure {
        Failure::OverQuota(QuotaReached { kind, max: 7777, wait: 60 })
    }

    /// Returns every failure with its status, whether the client should retry, and whether the
    /// connection closes.
    fn cases() -> Vec<(Failure, u16, bool, bool)> {
        let internal = Failure::Internal { cause: "secret".to_owned() };
        let problem = Failure::invalid("photo", &RequestFault::PartMissing);
        let shared = [
            SharedResource::Uploads,
            SharedResource::JobUploads,
            SharedResource::EventStreams,
            SharedResource::Feedback,
            SharedResource::Computing,
        ];
        let crowds =
            [StreamLimit::Players, StreamLimit::Link, StreamLimit::Onlookers, StreamLimit::All];
        let mut cases = vec![
            (problem, 400, false, false),
            (Failure::NoKey { ask: false }, 401, false, false),
            (Failure::NoSuchPath, 404, false, false),
            (Failure::NoFeedback, 404, false, false),
            (Failure::NoSuchFeedback, 404, false, false),
            (Failure::WrongToken, 403, false, false),
            (Failure::NoJobs, 404, false, false),
            (Failure::NoGames, 404, false, false),
            (Failure::NoSuchGame, 404, false, false),
            (Failure::NoSetStore, 404, false, false),
            (Failure::KeylessSets, 403, false, false),
            (Failure::NoSuchSet, 404, false, false),
            (Failure::TooManySets { max: 7777 }, 429, true, false),
            (Failure::UnlistedGames, 403, false, false),
            (Failure::StaleGame, 412, false, false),
            (Failure::NoSuchSeries, 404, false, false),
            (Failure::NoSuchLink, 404, false, false),
            (Failure::UnlistedSeries, 403, false, false),
            (Failure::StaleSeries, 412, false, false),
            (Failure::Unconditional, 428, false, false),
            (Failure::NoSuchJob, 404, false, false),
            (Failure::InFlight { wait: 3 }, 409, true, false),
            (Failure::KeyReused, 422, false, false),
            (Failure::TooManyJobs { max: 7777 }, 429, true, false),
            (Failure::DiskFull { cause: "secret".to_owned() }, 503, true, false),
            (Failure::Storage { cause: "secret".to_owned() }, 503, true, false),
            (Failure::NoWebhooks, 400, false, false),
            (Failure::TooMuchKept { max: 7777 }, 429, true, false),
            (Failure::NoRoom, 507, false, false),
            (Failure::NoSpace { cause: "secret".to_owned() }, 507, false, false),
            (Failure::OverRate { wait: 7777 }, 429, true, false),
            (over_quota(QuotaKind::PhotosADay), 429, true, false),
            (over_quota(QuotaKind::PhotosAMonth), 429, true, false),
            (over_quota(QuotaKind::RequestsADay), 429, true, false),
            (over_quota(QuotaKind::RequestsAMonth), 429, true, false),
            (Failure::FeedbackFull, 503, true, false),
            (Failure::NoSuchMethod, 405, false, false),
            (Failure::WrongHost { name: "name.example".to_owned() }, 421, false, false),
            (Failure::ForeignPage, 403, false, false),
            (Failure::SlowBody, 408, false, true),
            (Failure::TooLarge { limit: 7777 }, 413, false, true),
            (Failure::UnsupportedBody { expected: "image/*" }, 415, false, false),
            (Failure::EncodedBody, 415, false, false),
            (internal, 500, false, false),
            (Failure::TooManyGames { max: 7777 }, 429, true, false),
            (Failure::GamesFull { max: 7777 }, 507, true, false),
            (Failure::TooManySeries { max: 7777 }, 429, true, false),
            (Failure::SeriesFull { max: 7777 }, 507, true, false),
            (Failure::Crowded(StreamLimit::Client), 429, true, false),
            (Failure::Busy, 503, true, false),
            (Failure::Starting, 503, true, false),
            (Failure::Stopping, 503, true, false),
            (Failure::Overdue, 503, true, false),
        ];
        cases.extend(crowds.map(|crowd| (Failure::Crowded(crowd), 503, true, false)));
        cases.extend(shared.map(|what| (Failure::Share { what }, 429, true, false)));
        cases
    }

    #[test]
    fn every_failure_has_its_status_and_headers() {
        for (failure, status, retry, close) in cases() {
            let name = format!("{failure:?}");
            let response = failure.into_response();
            assert_eq!(response.status(), status, "{name}");
            assert_eq!(response.headers().contains_key(RETRY_AFTER), retry, "{name}");
            assert_eq!(response.headers().contains_key(CONNECTION), close, "{name}");
        }
    }

    #[test]
    fn files_that_are_not_photos_are_the_senders_to_correct() {
        let cases = [
            (DecodeError::Unsupported { kind: FileKind::Gif }, 415),
            (
                DecodeError::UnsupportedFeature {
                    kind: FileKind::Heic,
                    feature: "iovl".to_owned(),
                },
                415,
            ),
            (DecodeError::TooManyParts { limit: 1 }, 400),
            (DecodeError::Broken("cut off".to_owned()), 400),
            (DecodeError::TooLarge { bytes: 2, limit: 7777 }, 413),
            (DecodeError::TooManyPixels { width: 2, height: 2, limit: 7777 }, 413),
            (DecodeError::TooMuchMemory { width: 2, height: 2, needed: 7778, limit: 7777 }, 413),
            (DecodeError::TooManyScans { limit: 1 }, 400),
            (DecodeError::TooMuchMetadata { limit: 1 }, 400),
            (DecodeError::TooSmall { width: 1, height: 1 }, 400),
        ];
        for (error, status) in cases {
            let name = format!("{error:?}");
            assert_eq!(
                Failure::from(ReadError::Decode(error)).into_response().status(),
                status,
                "{name}"
            );
        }
    }
}
