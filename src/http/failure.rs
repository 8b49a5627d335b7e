//! What can go wrong with a request, and the one place where it becomes an answer.
//!
//! What concerns the content of a request is a [`Problem`] of the contract already; here are the
//! failures that only a server has. `texts.rs` has their words in five languages. Invariant: a
//! client never reads a cause, a path or a panic; they go to the log, once.

mod texts;

use std::io;

use axum::Json;
use axum::http::header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tilesight_core::contract::{FieldError, Kind as _, Problem, ProblemKind};
use tilesight_core::explain::Message;

use super::problem::ServiceProblemKind;
use super::shares::Full;
use crate::jobs::{QueueError, StoreError};
use crate::pipeline::ReadError;
use crate::private::is_full;

const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");
/// When to retry: a photo takes well under a second, so the queue has moved by then.
const RETRY_SECONDS: u64 = 1;
/// The same where only the sweeper, which runs every hour, makes room.
const RETRY_SWEPT_SECONDS: u64 = 3600;

/// The same where jobs have to end, or a store has to come back.
const RETRY_JOBS_SECONDS: u64 = 10;

/// Why a request gets no ordinary answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// Something about its content, which the client can correct.
    Problem(Problem<ServiceProblemKind>),
    /// The body is larger than allowed.
    TooLarge {
        /// The bytes that are allowed.
        limit: usize,
    },
    /// The content type is not supported.
    UnsupportedBody {
        /// The types that are.
        expected: &'static str,
    },
    /// The body is compressed, or encoded in another way.
    EncodedBody,
    /// The body did not arrive in time.
    SlowBody,
    /// An API key is required, and no known one was sent.
    NoKey {
        /// Whether a browser should ask a person for it.
        ask: bool,
    },
    /// The key has reached its rate.
    OverRate {
        /// Seconds until it may send again.
        wait: u64,
    },
    /// The service was started without feedback.
    NoFeedback,
    /// There is no feedback with this id.
    NoSuchFeedback,
    /// The token is not that of the feedback. Ids are random: a client that knows one may learn
    /// that it exists.
    WrongToken,
    /// The store for feedback is full.
    FeedbackFull,
    /// The service was started without jobs.
    NoJobs,
    /// There is no job with this id, or it belongs to another key.
    NoSuchJob,
    /// A request with the same idempotency key is still being processed.
    InFlight {
        /// Seconds until that one is answered, or its claim expires.
        wait: u64,
    },
    /// The idempotency key was used for another request.
    KeyReused,
    /// This key has as many unfinished jobs as it may.
    TooManyJobs {
        /// How many that is.
        most: usize,
    },
    /// The service has no key to seal the secrets of webhooks with.
    NoWebhooks,
    /// The jobs of this client keep as many bytes as they may.
    TooMuchKept {
        /// How many that is.
        most: u64,
    },
    /// All jobs together keep as many bytes as they may.
    NoRoom,
    /// The disk or the fleet's storage is full.
    NoSpace {
        /// For the log only.
        cause: String,
    },
    /// The store of jobs can't be reached.
    Storage {
        /// For the log only.
        cause: String,
    },
    /// The service was started without games.
    NoGames,
    /// There is no game with this id or token, or it belongs to another key.
    NoSuchGame,
    /// The game was modified since the client read it.
    StaleGame,
    /// A change does not name the revision that it was made on.
    Unconditional,
    /// This client keeps as many games as it may.
    TooManyGames {
        /// How many that is.
        most: usize,
    },
    /// The limit of games is reached.
    GamesFull {
        /// How many that is.
        most: usize,
    },
    /// No stream of a game's events can be opened now.
    Crowded(Crowd),
    /// The request names a host that the service does not serve.
    WrongHost {
        /// Its name.
        name: String,
    },
    /// A page of another site sent the request.
    ForeignPage,
    /// All places are taken.
    Busy,
    /// This client holds its share of something; the rest is for others.
    Share {
        /// Of what.
        what: SharedResource,
    },
    /// The models are still being loaded.
    Starting,
    /// The process was asked to stop.
    Stopping,
    /// The answer took longer than allowed.
    Overdue,
    /// No route has this path.
    NoSuchPath,
    /// The path does not support the method.
    NoSuchMethod,
    /// The service failed.
    Internal {
        /// For the log only.
        cause: String,
    },
}

impl Failure {
    /// A request that can't be used because of one of its fields.
    pub(super) fn invalid(field: &str, fault: &(impl Message + ?Sized)) -> Failure {
        let errors = vec![FieldError::of(field, fault)];
        Problem::with_errors(ProblemKind::MalformedRequest, errors).into()
    }

    /// Returns the failure of a file that can't be written; `what` names it in the log.
    pub(super) fn from_io(what: &str, error: &io::Error) -> Failure {
        let cause = format!("{what}: {error}");
        if is_full(error) { Failure::NoSpace { cause } } else { Failure::Internal { cause } }
    }

    /// There is no place in what is shared.
    pub(super) fn no_place(full: Full, what: SharedResource) -> Failure {
        match full {
            Full::Share => Failure::Share { what },
            Full::All => Failure::Busy,
        }
    }

    /// Seconds after which another try may go better, where that is so.
    fn wait(&self) -> Option<u64> {
        match self {
            Failure::OverRate { wait } | Failure::InFlight { wait } => Some(*wait),
            Failure::TooManyJobs { .. } | Failure::Storage { .. } => Some(RETRY_JOBS_SECONDS),
            Failure::FeedbackFull
            | Failure::TooManyGames { .. }
            | Failure::GamesFull { .. }
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

    /// How to send a key. Only where a person opens a page a browser should ask for one.
    fn challenge(&self) -> Option<&'static str> {
        match self {
            Failure::NoKey { ask: true } => {
                Some("Basic realm=\"tilesight: any name, the key as password\"")
            }
            Failure::NoKey { ask: false } => Some("Bearer"),
            _ => None,
        }
    }

    /// What kind of problem the client has.
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
            | Failure::NoSuchPath => ProblemKind::NotFound.into(),
            Failure::Internal { .. } => ProblemKind::Internal.into(),
            Failure::SlowBody => Kind::RequestTimeout,
            Failure::NoKey { .. } => Kind::Unauthorized,
            Failure::WrongToken | Failure::ForeignPage => Kind::Forbidden,
            Failure::NoFeedback => Kind::FeedbackDisabled,
            Failure::NoJobs => Kind::JobsDisabled,
            Failure::NoGames => Kind::GamesDisabled,
            Failure::InFlight { .. } => Kind::RequestInFlight,
            Failure::KeyReused => Kind::IdempotencyKeyReused,
            Failure::StaleGame => Kind::GameChanged,
            Failure::Unconditional => Kind::PreconditionRequired,
            Failure::WrongHost { .. } => Kind::MisdirectedRequest,
            Failure::NoSuchMethod => Kind::MethodNotAllowed,
            Failure::OverRate { .. }
            | Failure::TooManyJobs { .. }
            | Failure::TooMuchKept { .. }
            | Failure::TooManyGames { .. }
            | Failure::Crowded(Crowd::Client)
            | Failure::Share { .. } => Kind::TooManyRequests,
            Failure::NoRoom | Failure::NoSpace { .. } | Failure::GamesFull { .. } => {
                Kind::InsufficientStorage
            }
            Failure::FeedbackFull
            | Failure::Storage { .. }
            | Failure::Crowded(_)
            | Failure::Busy
            | Failure::Starting
            | Failure::Stopping
            | Failure::Overdue => Kind::Unavailable,
        }
    }

    /// What the client reads.
    fn problem(self) -> Problem<ServiceProblemKind> {
        match self {
            Failure::Problem(problem) => problem,
            Failure::NoWebhooks => {
                Problem::with_errors(self.kind(), vec![FieldError::of("webhook", &self)])
            }
            _ => Problem::of(self.kind(), &self),
        }
    }
}

/// What clients have shares of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SharedResource {
    /// Photos on their way in.
    Uploads,
    /// Bodies that create jobs.
    JobUploads,
    /// Streams of a job's events.
    EventStreams,
    /// Feedback that is kept.
    Feedback,
}

/// Which limit of event streams is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Crowd {
    /// That of this client.
    Client,
    /// That of those who play this game.
    Players,
    /// That of one link.
    Link,
    /// That of those who watch this game.
    Onlookers,
    /// That of the service.
    All,
}

/// A problem in the extensions of its answer, which is written in English and without the
/// request's id.
#[derive(Debug, Clone)]
pub(super) struct EnglishProblem {
    pub(super) problem: Problem<ServiceProblemKind>,
    /// For the log only.
    pub(super) cause: Option<String>,
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
            QueueError::Full => Failure::NoSpace { cause: error.to_string() },
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
            | Failure::Storage { cause } => Some(cause.clone()),
            _ => None,
        };
        // What is left of such a body would be taken for the next request.
        let close = matches!(self, Failure::SlowBody | Failure::TooLarge { .. });
        let (wait, challenge) = (self.wait(), self.challenge());
        let problem = self.problem();
        let status = StatusCode::from_u16(problem.kind.facts().status)
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(&problem)).into_response();
        // Who asked is not known here: `language::answer` writes it in the language that is asked
        // for, and names the request, there and in the log.
        response.extensions_mut().insert(EnglishProblem { problem, cause });
        let mut set = |name: HeaderName, value| response.headers_mut().insert(name, value);
        set(CONTENT_TYPE, PROBLEM_JSON);
        if let Some(seconds) = wait {
            set(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(challenge) = challenge {
            set(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        if close {
            set(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use tilesight_core::contract::RequestFault;
    use tilesight_stills::FileKind;

    use super::*;
    use crate::pipeline::{DecodeError, ModelError};

    #[tokio::test]
    async fn nothing_internal_is_answered() {
        let file = "/srv/secret/detector.onnx".to_owned();
        let secret = ModelError::NoModel { file, advice: "" };
        let response = Failure::from(ReadError::Model(secret)).into_response();
        assert_eq!(response.status(), 500);
        assert_eq!(response.headers()[CONTENT_TYPE], PROBLEM_JSON);
        let body = to_bytes(response.into_body(), 10_000).await.unwrap();
        assert!(!String::from_utf8_lossy(&body).contains("secret"));
    }

    /// Every failure of the service itself.
    pub(super) fn failures() -> Vec<Failure> {
        let failures = cases().into_iter().map(|(failure, ..)| failure);
        failures.filter(|failure| !matches!(failure, Failure::Problem(_))).collect()
    }

    /// Every failure with its status, and whether the client should retry and the connection
    /// closes.
    fn cases() -> Vec<(Failure, u16, bool, bool)> {
        let internal = Failure::Internal { cause: "secret".to_owned() };
        let problem = Failure::invalid("photo", &RequestFault::PartMissing);
        let shared = [
            SharedResource::Uploads,
            SharedResource::JobUploads,
            SharedResource::EventStreams,
            SharedResource::Feedback,
        ];
        let crowds = [Crowd::Players, Crowd::Link, Crowd::Onlookers, Crowd::All];
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
            (Failure::StaleGame, 412, false, false),
            (Failure::Unconditional, 428, false, false),
            (Failure::NoSuchJob, 404, false, false),
            (Failure::InFlight { wait: 3 }, 409, true, false),
            (Failure::KeyReused, 422, false, false),
            (Failure::TooManyJobs { most: 7777 }, 429, true, false),
            (Failure::Storage { cause: "secret".to_owned() }, 503, true, false),
            (Failure::NoWebhooks, 400, false, false),
            (Failure::TooMuchKept { most: 7777 }, 429, true, false),
            (Failure::NoRoom, 507, false, false),
            (Failure::NoSpace { cause: "secret".to_owned() }, 507, false, false),
            (Failure::OverRate { wait: 7777 }, 429, true, false),
            (Failure::FeedbackFull, 503, true, false),
            (Failure::NoSuchMethod, 405, false, false),
            (Failure::WrongHost { name: "name.example".to_owned() }, 421, false, false),
            (Failure::ForeignPage, 403, false, false),
            (Failure::SlowBody, 408, false, true),
            (Failure::TooLarge { limit: 7777 }, 413, false, true),
            (Failure::UnsupportedBody { expected: "image/*" }, 415, false, false),
            (Failure::EncodedBody, 415, false, false),
            (internal, 500, false, false),
            (Failure::TooManyGames { most: 7777 }, 429, true, false),
            (Failure::GamesFull { most: 7777 }, 507, true, false),
            (Failure::Crowded(Crowd::Client), 429, true, false),
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
