//! Kinds of problems that only a service has, in addition to those of the contract.
//!
//! Output: the `type`, the status and the titles of each kind. Invariant: each `type` belongs to
//! one kind, and the types of the contract are the same here as at the other front ends.

use tilesight_core::contract::{Facts, Kind, ProblemKind};
use tilesight_core::explain::Lang;

use crate::texts::problem_title as title;

/// Kind of problem of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ServiceProblemKind {
    /// A kind of the contract, which every front end has.
    Contract(ProblemKind),
    /// No known API key was sent, and the service requires one.
    Unauthorized,
    /// The client does not have the right to do this.
    Forbidden,
    /// The service was started without feedback.
    FeedbackDisabled,
    /// The service was started without jobs.
    JobsDisabled,
    /// A request with the same idempotency key is still being processed.
    RequestInFlight,
    /// The idempotency key was used for another request.
    IdempotencyKeyReused,
    /// The service was started without games.
    GamesDisabled,
    /// The service has no store for own sets.
    SetsDisabled,
    /// The game was modified since the client read it.
    GameChanged,
    /// The series was modified since the client read it.
    SeriesChanged,
    /// The request must name the revision that it changes.
    PreconditionRequired,
    /// The path does not support this method.
    MethodNotAllowed,
    /// The body took too long to arrive.
    RequestTimeout,
    /// The request names a host that the service does not serve.
    MisdirectedRequest,
    /// The client has reached a limit of its rate or of its stored data.
    TooManyRequests,
    /// The key has used what it may use in a day or in a month.
    QuotaExceeded,
    /// The storage limit of the service is reached.
    InsufficientStorage,
    /// The service is busy, starting or stopping.
    Unavailable,
}

impl From<ProblemKind> for ServiceProblemKind {
    fn from(kind: ProblemKind) -> ServiceProblemKind {
        ServiceProblemKind::Contract(kind)
    }
}

impl Kind for ServiceProblemKind {
    const ALL: &'static [ServiceProblemKind] = &[
        ServiceProblemKind::Contract(ProblemKind::MalformedRequest),
        ServiceProblemKind::Contract(ProblemKind::UnreadableImage),
        ServiceProblemKind::Unauthorized,
        ServiceProblemKind::Forbidden,
        ServiceProblemKind::Contract(ProblemKind::NotFound),
        ServiceProblemKind::FeedbackDisabled,
        ServiceProblemKind::JobsDisabled,
        ServiceProblemKind::RequestInFlight,
        ServiceProblemKind::IdempotencyKeyReused,
        ServiceProblemKind::GamesDisabled,
        ServiceProblemKind::SetsDisabled,
        ServiceProblemKind::Contract(ProblemKind::GameOver),
        ServiceProblemKind::GameChanged,
        ServiceProblemKind::SeriesChanged,
        ServiceProblemKind::PreconditionRequired,
        ServiceProblemKind::Contract(ProblemKind::InvalidEntry),
        ServiceProblemKind::Contract(ProblemKind::InvalidSeries),
        ServiceProblemKind::MethodNotAllowed,
        ServiceProblemKind::RequestTimeout,
        ServiceProblemKind::Contract(ProblemKind::TooLarge),
        ServiceProblemKind::Contract(ProblemKind::UnsupportedMedia),
        ServiceProblemKind::MisdirectedRequest,
        ServiceProblemKind::Contract(ProblemKind::UnreadableNotation),
        ServiceProblemKind::Contract(ProblemKind::InvalidHand),
        ServiceProblemKind::Contract(ProblemKind::InvalidContext),
        ServiceProblemKind::Contract(ProblemKind::NotAWin),
        ServiceProblemKind::Contract(ProblemKind::NoHand),
        ServiceProblemKind::TooManyRequests,
        ServiceProblemKind::QuotaExceeded,
        ServiceProblemKind::InsufficientStorage,
        ServiceProblemKind::Unavailable,
        ServiceProblemKind::Contract(ProblemKind::Internal),
    ];

    fn facts(self) -> Facts {
        let (uri, status, title): (_, _, fn(Lang) -> &'static str) = match self {
            Self::Contract(kind) => return kind.facts(),
            Self::Unauthorized => ("urn:tilesight:problem:unauthorized", 401, title::unauthorized),
            Self::Forbidden => ("urn:tilesight:problem:forbidden", 403, title::forbidden),
            Self::FeedbackDisabled => {
                ("urn:tilesight:problem:feedback-disabled", 404, title::feedback_disabled)
            }
            Self::JobsDisabled => {
                ("urn:tilesight:problem:jobs-disabled", 404, title::jobs_disabled)
            }
            Self::RequestInFlight => {
                ("urn:tilesight:problem:request-in-flight", 409, title::request_in_flight)
            }
            Self::IdempotencyKeyReused => {
                ("urn:tilesight:problem:idempotency-key-reused", 422, title::idempotency_key_reused)
            }
            Self::GamesDisabled => {
                ("urn:tilesight:problem:games-disabled", 404, title::games_disabled)
            }
            Self::SetsDisabled => {
                ("urn:tilesight:problem:sets-disabled", 404, title::sets_disabled)
            }
            Self::GameChanged => ("urn:tilesight:problem:game-changed", 412, title::game_changed),
            Self::SeriesChanged => {
                ("urn:tilesight:problem:series-changed", 412, title::series_changed)
            }
            Self::PreconditionRequired => {
                ("urn:tilesight:problem:precondition-required", 428, title::precondition_required)
            }
            Self::MethodNotAllowed => {
                ("urn:tilesight:problem:method-not-allowed", 405, title::method_not_allowed)
            }
            Self::RequestTimeout => {
                ("urn:tilesight:problem:request-timeout", 408, title::request_timeout)
            }
            Self::MisdirectedRequest => {
                ("urn:tilesight:problem:misdirected-request", 421, title::misdirected_request)
            }
            Self::TooManyRequests => {
                ("urn:tilesight:problem:too-many-requests", 429, title::too_many_requests)
            }
            Self::QuotaExceeded => {
                ("urn:tilesight:problem:quota-exceeded", 429, title::quota_exceeded)
            }
            Self::InsufficientStorage => {
                ("urn:tilesight:problem:insufficient-storage", 507, title::insufficient_storage)
            }
            Self::Unavailable => ("urn:tilesight:problem:unavailable", 503, title::unavailable),
        };
        Facts { uri, status, titles: Lang::ALL.map(title) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn kinds_are_different_and_every_one_of_the_contract_is_among_them() {
        let all = ServiceProblemKind::ALL;
        let uris: HashSet<_> = all.iter().map(|kind| kind.facts().uri).collect();
        assert_eq!(uris.len(), all.len());
        for kind in all {
            let Facts { status, titles, .. } = kind.facts();
            assert!((400..600).contains(&status), "{kind:?}");
            assert_eq!(HashSet::from(titles).len(), Lang::COUNT, "{kind:?}");
        }
        for &kind in ProblemKind::ALL {
            assert!(all.contains(&kind.into()), "{kind:?}");
        }
    }
}
