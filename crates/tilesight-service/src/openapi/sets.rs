//! Refusals by the endpoints, as one set for each group of operations.
//!
//! Input: nothing. Output: the statuses of each set, with their descriptions, for the attribute
//! `utoipa::path`. Of two sets with the same status, the later one describes it.

use std::collections::BTreeMap;

use utoipa::openapi::{HeaderBuilder, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, PartialSchema as _};

use super::{all, later, problem};

const FAILED: &str = "The service failed.";
const UNAVAILABLE: &str = "Busy, starting or stopping.";

/// Declares types that add refusals to the description of an operation.
macro_rules! sets {
    ($($(#[$doc:meta])* $name:ident { $($status:literal: $response:expr,)+ })+) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                all([$(($status, $response)),+])
            }
        }
    )+};
}

sets! {
    /// Refusals of a body.
    BodyRefusals {
        400: problem("The request or the picture can't be read."),
        408: problem("The body did not arrive in time."),
        413: problem("The body or the picture is too large."),
        415: problem("The body's content type or the picture's format is not supported."),
        422: problem(
            "What was sent can be read, but not used: no hand, no win, a contradictory win context.",
        ),
        500: problem(FAILED),
    }

    /// Refusals of a query.
    QueryRefusals {
        400: problem("The query can't be read."),
    }

    /// Refusals of a request without a key, or of one that exceeds a rate.
    KeyRefusals {
        401: problem("The service requires an API key, and no known one was sent."),
        429: later("The key's rate, or the client's share of a resource, is reached."),
    }

    /// Refusals of a service that is temporarily unavailable.
    Unavailable {
        503: later(UNAVAILABLE),
    }

    /// Refusals of a service that can't write.
    NoRoom {
        507: problem("The disk has no room left, and nothing was changed."),
    }

    /// Refusals of a request that names a rule set.
    RulesetRefusals {
        404: problem("There is no such rule set."),
    }

    /// Refusals of a request that names a job.
    JobRefusals {
        404: problem("The job does not exist, or belongs to another key."),
        500: problem(FAILED),
        503: later(UNAVAILABLE),
    }

    /// Refusals of a request that names a photo of a job.
    JobPhotoRefusals {
        404: problem(
            "The job does not exist or belongs to another key, or it has no such photo, or the photo is not read yet.",
        ),
        500: problem(FAILED),
        503: later(UNAVAILABLE),
    }

    /// Refusals of a request for the picture of a photo of a job.
    PictureRefusals {
        404: problem("There is no such photo, or it is not stored any more."),
        500: problem(FAILED),
        503: later(UNAVAILABLE),
    }

    /// Refusals of a request for all jobs.
    JobListRefusals {
        404: problem("The service accepts no jobs."),
        500: problem(FAILED),
        503: later(UNAVAILABLE),
    }

    /// Refusals of a request that creates a job.
    JobCreationRefusals {
        404: problem("The service accepts no jobs."),
        409: problem("A request with this idempotency key is still being answered."),
        503: later(UNAVAILABLE),
        507: problem(
            "The limit of stored photos and results is reached, or the disk has no room left.",
        ),
    }

    /// Refusals of a request that names a game.
    GameRefusals {
        404: problem("The game does not exist, or belongs to another key."),
        500: problem(FAILED),
        503: later(UNAVAILABLE),
    }

    /// Refusals of a request for all games.
    GameListRefusals {
        403: problem("The service has no keys, by which games are listed; or a page of another site sent the request."),
        404: problem("The service stores no games."),
        500: problem(FAILED),
        503: later(UNAVAILABLE),
    }

    /// Refusals of a change of a game.
    GameChangeRefusals {
        404: problem("The game, entry or change does not exist, or the game belongs to another key."),
        409: problem("The game is over."),
        412: problem("The game was modified concurrently."),
        428: problem("`If-Match` is missing."),
        503: later(UNAVAILABLE),
    }

    /// Refusals of a request that creates a game.
    GameCreationRefusals {
        404: problem("The service stores no games."),
        503: later(UNAVAILABLE),
        507: retry("The limit of games is reached, or the disk has no room left."),
    }

    /// Refusals of a request that names a series.
    SeriesRefusals {
        404: problem("The series does not exist, or belongs to another key."),
        500: problem(FAILED),
        503: later(UNAVAILABLE),
    }

    /// Refusals of a request for the standings after a round.
    NoSuchRound {
        422: problem("The series has no such round."),
    }

    /// Refusals of a request for all series.
    SeriesListRefusals {
        403: problem("The service has no keys, by which series are listed; or a page of another site sent the request."),
        404: problem("The service stores no series."),
        500: problem(FAILED),
        503: later(UNAVAILABLE),
    }

    /// Refusals of a change of a series.
    SeriesChangeRefusals {
        404: problem("The series or change does not exist, or the series belongs to another key."),
        412: problem("The series was modified concurrently."),
        428: problem("`If-Match` is missing."),
        503: later(UNAVAILABLE),
        507: retry("The limit of games is reached, or the disk has no room left, and nothing was changed."),
    }

    /// Refusals of a request that creates a series.
    SeriesCreationRefusals {
        404: problem("The service stores no series."),
        503: later(UNAVAILABLE),
        507: retry("The limit of series is reached, or the disk has no room left."),
    }

    /// Refusals of a request that creates or revokes a link to a series.
    SeriesLinkRefusals {
        404: problem("The series does not exist, or belongs to another key."),
        412: problem("The series was modified concurrently again and again."),
        500: problem(FAILED),
        503: later(UNAVAILABLE),
    }

    /// Refusals of a request that creates or revokes a link to a game.
    LinkChangeRefusals {
        404: problem("The game does not exist, or belongs to another key."),
        412: problem("The game was modified concurrently again and again."),
        500: problem(FAILED),
        503: later(UNAVAILABLE),
    }

    /// Refusals of a request with the token of a link to a game.
    LinkRefusals {
        404: problem("The link does not exist, or was revoked."),
        500: problem(FAILED),
        503: later(UNAVAILABLE),
    }

    /// Refusals of an event stream by the token of a link.
    LinkStreamRefusals {
        429: retry("This address follows as many games or series at once as it may."),
    }

    /// Refusals of a request that names an uploaded own set.
    OwnSetRefusals {
        403: problem("The service has no keys, to which uploaded sets belong; or a page of another site sent the request."),
        404: problem("The key has no such set, or the service stores none."),
        500: problem(FAILED),
        503: later(UNAVAILABLE),
    }

    /// Refusals of a correction.
    FeedbackRefusals {
        404: problem("The service keeps no feedback."),
    }

    /// Refusals of the deletion of a correction.
    FeedbackDeletionRefusals {
        400: problem("The token is missing, or the `Host` header names no host."),
        403: problem(
            "The token is another's; or without API keys, a page of another site sent the request.",
        ),
        404: problem("There is none of this name, or the service keeps none."),
        500: problem(FAILED),
    }
}

/// Returns a response that is a problem, with the time after which to repeat the request.
fn retry(description: &str) -> ResponseBuilder {
    let header =
        HeaderBuilder::new().schema(Some(u64::schema())).description(Some("Seconds to wait."));
    problem(description).header("Retry-After", header.build())
}
