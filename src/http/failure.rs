//! What can go wrong with a request, and the one place where it becomes an answer.
//!
//! Whatever concerns the content of a request is a [`Problem`] of the contract already; here come
//! the failures that only a server has. Invariant: a client never reads a cause, a path or a panic;
//! the log does, once.

use axum::Json;
use axum::http::header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::shares::Full;
use crate::contract::{FieldError, Problem, ProblemKind};
use crate::jobs::{QueueError, StoreError};
use crate::pipeline::ReadError;

const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");
/// When it is worth another try: a photo takes well under a second, so the queue has moved by then.
const RETRY_SECONDS: u64 = 1;
/// The same where only the sweeper, which runs every hour, makes room.
const RETRY_SWEPT_SECONDS: u64 = 3600;

/// The same where jobs have to end, or a store has to come back.
const RETRY_JOBS_SECONDS: u64 = 10;

/// Why a request gets no ordinary answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// Something about its content; the client can mend it.
    Problem(Problem),
    /// The body is larger than allowed.
    TooLarge {
        /// The bytes that are allowed.
        limit: usize,
    },
    /// The body's declared type is none that is taken here.
    UnsupportedBody {
        /// What is.
        expected: &'static str,
    },
    /// The body is compressed, or encoded in another way.
    EncodedBody,
    /// The body did not arrive in time.
    SlowBody,
    /// A key is needed, and none that is known was sent.
    NoKey {
        /// Whether a browser should ask a person for it.
        ask: bool,
    },
    /// The key may send no more for now.
    OverRate {
        /// Seconds until it may.
        wait: u64,
    },
    /// The service was started without a place for feedback.
    NoFeedback,
    /// There is no feedback of this id.
    NoSuchFeedback,
    /// The token is not that of the feedback. Ids are random: who knows one may know that it is there.
    WrongToken,
    /// The place for feedback is full.
    FeedbackFull,
    /// The service was started without a place for jobs.
    NoJobs,
    /// There is no job of this id, or it is another key's.
    NoSuchJob,
    /// A request with the same idempotency key is being answered.
    InFlight {
        /// Seconds until that one is answered, or given up.
        wait: u64,
    },
    /// The idempotency key was used for another request.
    KeyReused,
    /// This key has as many unfinished jobs as it may.
    TooManyJobs {
        /// How many that is.
        most: usize,
    },
    /// The service has nothing to keep the secrets of webhooks with.
    NoWebhooks,
    /// The jobs of this client keep as many bytes as they may.
    TooMuchKept {
        /// How many that is.
        most: u64,
    },
    /// All jobs together keep as many bytes as they may.
    NoRoom,
    /// Where jobs are kept is full, or can't be reached for now.
    Storage {
        /// For the log only.
        cause: String,
    },
    /// The service was started without a place for games.
    NoGames,
    /// There is no game of this id or token, or it is another key's.
    NoSuchGame,
    /// Somebody else changed the game since its author looked at it.
    StaleGame,
    /// A change does not say which revision its author saw.
    Unconditional,
    /// As many games are kept for this client as may be.
    TooManyGames {
        /// How many that is.
        most: usize,
    },
    /// As many games are kept as may be.
    GamesFull {
        /// How many that is.
        most: usize,
    },
    /// No stream of a game's events can be opened now.
    Crowded(Crowd),
    /// The service is asked by a name that is none of its own.
    WrongHost {
        /// That name.
        name: String,
    },
    /// A page of another site sent the request.
    ForeignPage,
    /// All places are taken.
    Busy,
    /// This client holds its share of something; what is left is for others.
    Share {
        /// Of what, in the plural.
        what: &'static str,
    },
    /// The models are still being loaded.
    Starting,
    /// The process was told to stop.
    Stopping,
    /// The answer took longer than allowed.
    Overdue,
    /// There is nothing at this path.
    NoSuchPath,
    /// The path does not know the method.
    NoSuchMethod,
    /// Something failed here.
    Internal {
        /// For the log only.
        cause: String,
    },
}

impl Failure {
    /// A request that can't be used because of one of its fields.
    pub(super) fn bad_request(field: &str, detail: &str) -> Failure {
        let errors = vec![FieldError::new(field, detail)];
        Failure::Problem(Problem::with_errors(ProblemKind::MalformedRequest, errors))
    }

    /// There is no place in what is shared, which is named in the plural.
    pub(super) fn no_place(full: Full, what: &'static str) -> Failure {
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

    /// What the client is told.
    fn problem(self) -> Problem {
        use ProblemKind as Kind;
        let (kind, detail) = match self {
            Failure::Problem(problem) => return problem,
            Failure::TooLarge { limit } => {
                return Problem::new(Kind::TooLarge, format!("the body may have {limit} bytes"));
            }
            Failure::UnsupportedBody { expected } => {
                let detail = format!("the content type must be {expected}");
                return Problem::new(Kind::UnsupportedMedia, detail);
            }
            Failure::EncodedBody => {
                (Kind::UnsupportedMedia, "the body must come as it is, without a Content-Encoding")
            }
            Failure::SlowBody => (Kind::RequestTimeout, "the body did not arrive in time"),
            Failure::NoKey { .. } => {
                (Kind::Unauthorized, "send a key that the service knows: Authorization: Bearer KEY")
            }
            Failure::OverRate { wait } => {
                let detail = format!("this key may send its next request in {wait} s");
                return Problem::new(Kind::TooManyRequests, detail);
            }
            Failure::NoFeedback => (Kind::FeedbackDisabled, "the service keeps no feedback"),
            Failure::NoSuchFeedback => (Kind::NotFound, "there is no such feedback, or no longer"),
            Failure::WrongToken => (Kind::Forbidden, "the token is not that of this feedback"),
            Failure::FeedbackFull => (Kind::Unavailable, "no more feedback can be kept for now"),
            Failure::NoJobs => (Kind::JobsDisabled, "the service takes no jobs"),
            Failure::NoSuchJob => (Kind::NotFound, "there is no such job, or no longer"),
            Failure::InFlight { .. } => {
                (Kind::RequestInFlight, "a request with this idempotency key is being answered")
            }
            Failure::KeyReused => (
                Kind::IdempotencyKeyReused,
                "another request was sent with this idempotency key: each needs its own",
            ),
            Failure::TooManyJobs { most } => {
                let detail = format!("{most} jobs may be unfinished at once: wait for one to end");
                return Problem::new(Kind::TooManyRequests, detail);
            }
            Failure::NoWebhooks => {
                return Problem::with_errors(
                    Kind::MalformedRequest,
                    vec![FieldError::new(
                        "webhook",
                        "the service takes no webhooks: whoever runs it has to name the file with the key that \
                         seals their secrets (--seal-key, TILESIGHT_SEAL_KEY)",
                    )],
                );
            }
            Failure::TooMuchKept { most } => {
                let detail = format!(
                    "your jobs keep as much as they may, {most} bytes: delete one that you need no more"
                );
                return Problem::new(Kind::TooManyRequests, detail);
            }
            Failure::NoRoom => (
                Kind::InsufficientStorage,
                "all jobs here keep as much as they may: whoever runs the service can make room",
            ),
            Failure::Storage { .. } => {
                (Kind::Unavailable, "jobs can't be kept at the moment: try again soon")
            }
            Failure::NoGames => (Kind::GamesDisabled, "the service keeps no games"),
            Failure::NoSuchGame => (Kind::NotFound, "there is no such game, or no longer"),
            Failure::StaleGame => (
                Kind::GameChanged,
                "somebody else changed the game: look at it, and say it again if it is still true",
            ),
            Failure::Unconditional => (
                Kind::PreconditionRequired,
                "send If-Match with the ETag of the game as you saw it",
            ),
            Failure::TooManyGames { most } => {
                let detail = format!(
                    "{most} games are kept for you, which is as many as may be: delete one"
                );
                return Problem::new(Kind::TooManyRequests, detail);
            }
            Failure::GamesFull { most } => {
                let detail = format!("{most} games are kept here, which is as many as may be");
                return Problem::new(Kind::InsufficientStorage, detail);
            }
            Failure::Crowded(crowd) => crowd.told(),
            Failure::WrongHost { name } => {
                let detail = format!(
                    "this service does not answer to the name {name}: if it is the service's own, start it with \
                     --host {name}"
                );
                return Problem::new(Kind::MisdirectedRequest, detail);
            }
            Failure::ForeignPage => (
                Kind::Forbidden,
                "without keys no other site's page is served: if this site is the service's own, behind a proxy, start \
                 it with --host and the site's name",
            ),
            Failure::Share { what } => {
                let detail =
                    format!("you have your share of the {what}: wait until one of yours ends");
                return Problem::new(Kind::TooManyRequests, detail);
            }
            Failure::Busy => (Kind::Unavailable, "too many photos at once: try again soon"),
            Failure::Starting => (Kind::Unavailable, "the models are being loaded"),
            Failure::Stopping => (Kind::Unavailable, "the service is being stopped"),
            Failure::Overdue => (Kind::Unavailable, "the answer took too long: try again"),
            Failure::NoSuchPath => (Kind::NotFound, "there is nothing at this path"),
            Failure::NoSuchMethod => {
                (Kind::MethodNotAllowed, "the Allow header names the methods of this path")
            }
            Failure::Internal { .. } => {
                (Kind::Internal, "the log tells the cause by the request's id")
            }
        };
        Problem::new(kind, detail)
    }
}

/// Who follows games already, so that no more can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Crowd {
    /// Whoever asks.
    Client,
    /// Those who play this game.
    Players,
    /// Those who have this link.
    Link,
    /// Those who look on at this game.
    Onlookers,
    /// All together.
    All,
}

impl Crowd {
    fn told(self) -> (ProblemKind, &'static str) {
        use ProblemKind::{TooManyRequests, Unavailable};
        match self {
            Crowd::Client => {
                (TooManyRequests, "you follow as many games at once as one may: close one")
            }
            Crowd::Players => {
                (Unavailable, "as many devices follow this game as can play it: close one")
            }
            Crowd::Link => (Unavailable, "as many follow this link as can at once: try again soon"),
            Crowd::Onlookers => {
                (Unavailable, "as many look on at this game as can at once: try again soon")
            }
            Crowd::All => (Unavailable, "as many follow games here as can at once: try again soon"),
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Failure {
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
            StoreError::Full | StoreError::Unavailable { .. } => {
                Failure::Storage { cause: error.to_string() }
            }
            error => Failure::Internal { cause: error.to_string() },
        }
    }
}

impl From<QueueError> for Failure {
    fn from(error: QueueError) -> Failure {
        match error {
            QueueError::Full | QueueError::Unavailable { .. } => {
                Failure::Storage { cause: error.to_string() }
            }
            error => Failure::Internal { cause: error.to_string() },
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        if let Failure::Internal { cause } | Failure::Storage { cause } = &self {
            tracing::error!(cause, "a request failed");
        }
        // What is left of such a body would be taken for the next request.
        let close = matches!(self, Failure::SlowBody | Failure::TooLarge { .. });
        let (wait, challenge) = (self.wait(), self.challenge());
        let problem = self.problem();
        let status = StatusCode::from_u16(problem.kind.status())
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(problem)).into_response();
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

    use super::*;
    use crate::pipeline::{DecodeError, ModelError};

    #[tokio::test]
    async fn nothing_internal_is_told() {
        let file = "/srv/secret/detector.onnx".to_owned();
        let secret = ModelError::NoModel { file, advice: "" };
        let response = Failure::from(ReadError::Model(secret)).into_response();
        assert_eq!(response.status(), 500);
        assert_eq!(response.headers()[CONTENT_TYPE], PROBLEM_JSON);
        let body = to_bytes(response.into_body(), 10_000).await.unwrap();
        assert!(!String::from_utf8_lossy(&body).contains("secret"));
    }

    #[test]
    fn every_failure_has_its_status_and_headers() {
        let internal = Failure::Internal { cause: String::new() };
        let problem = Failure::bad_request("photo", "missing");
        let cases = [
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
            (Failure::TooManyJobs { most: 1 }, 429, true, false),
            (Failure::Storage { cause: String::new() }, 503, true, false),
            (Failure::NoWebhooks, 400, false, false),
            (Failure::TooMuchKept { most: 1 }, 429, true, false),
            (Failure::NoRoom, 507, false, false),
            (Failure::OverRate { wait: 3 }, 429, true, false),
            (Failure::FeedbackFull, 503, true, false),
            (Failure::NoSuchMethod, 405, false, false),
            (Failure::WrongHost { name: String::new() }, 421, false, false),
            (Failure::ForeignPage, 403, false, false),
            (Failure::SlowBody, 408, false, true),
            (Failure::TooLarge { limit: 1 }, 413, false, true),
            (Failure::UnsupportedBody { expected: "image/*" }, 415, false, false),
            (Failure::EncodedBody, 415, false, false),
            (internal, 500, false, false),
            (Failure::TooManyGames { most: 1 }, 429, true, false),
            (Failure::GamesFull { most: 1 }, 507, true, false),
            (Failure::Crowded(Crowd::Client), 429, true, false),
            (Failure::Crowded(Crowd::Link), 503, true, false),
            (Failure::Busy, 503, true, false),
            (Failure::Share { what: "uploads" }, 429, true, false),
            (Failure::Starting, 503, true, false),
            (Failure::Stopping, 503, true, false),
            (Failure::Overdue, 503, true, false),
        ];
        for (failure, status, retry, close) in cases {
            let name = format!("{failure:?}");
            let response = failure.into_response();
            assert_eq!(response.status(), status, "{name}");
            assert_eq!(response.headers().contains_key(RETRY_AFTER), retry, "{name}");
            assert_eq!(response.headers().contains_key(CONNECTION), close, "{name}");
        }
    }

    #[test]
    fn files_that_are_no_photos_are_the_senders_to_mend() {
        let cases = [
            (DecodeError::Unsupported { name: "HEIC", advice: "" }, 415),
            (DecodeError::Broken("cut off".to_owned()), 400),
            (DecodeError::TooLarge { bytes: 2, limit: 1 }, 413),
            (DecodeError::TooManyPixels { width: 2, height: 2, limit: 1 }, 413),
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
