//! Kinds of problems that only a service has, in addition to those of the contract.
//!
//! Output: the `type`, the status and the titles of each kind. Invariant: each `type` belongs to
//! one kind, and the types of the contract are the same here as at the other front ends.

use tilesight_core::contract::{Facts, Kind, ProblemKind};

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
    /// The game was modified since the client read it.
    GameChanged,
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
        ServiceProblemKind::Contract(ProblemKind::GameOver),
        ServiceProblemKind::GameChanged,
        ServiceProblemKind::PreconditionRequired,
        ServiceProblemKind::Contract(ProblemKind::InvalidEntry),
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
        ServiceProblemKind::InsufficientStorage,
        ServiceProblemKind::Unavailable,
        ServiceProblemKind::Contract(ProblemKind::Internal),
    ];

    fn facts(self) -> Facts {
        let (uri, status, titles) = match self {
            Self::Contract(kind) => return kind.facts(),
            Self::Unauthorized => (
                "urn:tilesight:problem:unauthorized",
                401,
                [
                    "API key required",
                    "Schlüssel erforderlich",
                    "Nøgle påkrævet",
                    "Nyckel krävs",
                    "需要密钥",
                ],
            ),
            Self::Forbidden => (
                "urn:tilesight:problem:forbidden",
                403,
                ["Forbidden", "Nicht erlaubt", "Ikke tilladt", "Inte tillåtet", "禁止访问"],
            ),
            Self::FeedbackDisabled => (
                "urn:tilesight:problem:feedback-disabled",
                404,
                [
                    "Feedback is disabled",
                    "Rückmeldungen sind abgeschaltet",
                    "Feedback er slået fra",
                    "Återkoppling är avstängd",
                    "反馈功能未启用",
                ],
            ),
            Self::JobsDisabled => (
                "urn:tilesight:problem:jobs-disabled",
                404,
                [
                    "Jobs are disabled",
                    "Aufträge sind abgeschaltet",
                    "Job er slået fra",
                    "Jobb är avstängda",
                    "任务功能未启用",
                ],
            ),
            Self::RequestInFlight => (
                "urn:tilesight:problem:request-in-flight",
                409,
                [
                    "The same request is still being processed",
                    "Dieselbe Anfrage wird noch bearbeitet",
                    "Den samme anmodning behandles stadig",
                    "Samma begäran behandlas fortfarande",
                    "相同的请求仍在处理中",
                ],
            ),
            Self::IdempotencyKeyReused => (
                "urn:tilesight:problem:idempotency-key-reused",
                422,
                [
                    "The idempotency key belongs to another request",
                    "Der Idempotenzschlüssel gehört zu einer anderen Anfrage",
                    "Idempotensnøglen hører til en anden anmodning",
                    "Idempotensnyckeln hör till en annan begäran",
                    "幂等键已用于另一个请求",
                ],
            ),
            Self::GamesDisabled => (
                "urn:tilesight:problem:games-disabled",
                404,
                [
                    "Games are disabled",
                    "Spiele sind abgeschaltet",
                    "Spil er slået fra",
                    "Spel är avstängda",
                    "牌局功能未启用",
                ],
            ),
            Self::GameChanged => (
                "urn:tilesight:problem:game-changed",
                412,
                [
                    "The game was modified concurrently",
                    "Das Spiel wurde inzwischen geändert",
                    "Spillet er ændret i mellemtiden",
                    "Spelet har ändrats under tiden",
                    "牌局已被他人修改",
                ],
            ),
            Self::PreconditionRequired => (
                "urn:tilesight:problem:precondition-required",
                428,
                [
                    "The revision is missing",
                    "Die Revision fehlt",
                    "Revisionen mangler",
                    "Revisionen saknas",
                    "缺少修订号",
                ],
            ),
            Self::MethodNotAllowed => (
                "urn:tilesight:problem:method-not-allowed",
                405,
                [
                    "Method not allowed",
                    "Methode nicht erlaubt",
                    "Metoden er ikke tilladt",
                    "Metoden är inte tillåten",
                    "不支持该方法",
                ],
            ),
            Self::RequestTimeout => (
                "urn:tilesight:problem:request-timeout",
                408,
                [
                    "The request took too long",
                    "Die Anfrage hat zu lange gedauert",
                    "Anmodningen tog for lang tid",
                    "Begäran tog för lång tid",
                    "请求超时",
                ],
            ),
            Self::MisdirectedRequest => (
                "urn:tilesight:problem:misdirected-request",
                421,
                [
                    "Unknown host name",
                    "Unbekannter Hostname",
                    "Ukendt værtsnavn",
                    "Okänt värdnamn",
                    "未知的主机名",
                ],
            ),
            Self::TooManyRequests => (
                "urn:tilesight:problem:too-many-requests",
                429,
                [
                    "Too many requests",
                    "Zu viele Anfragen",
                    "For mange anmodninger",
                    "För många begäranden",
                    "请求过多",
                ],
            ),
            Self::InsufficientStorage => (
                "urn:tilesight:problem:insufficient-storage",
                507,
                [
                    "The storage is full",
                    "Der Speicher ist voll",
                    "Lageret er fuldt",
                    "Lagringsutrymmet är fullt",
                    "存储空间已满",
                ],
            ),
            Self::Unavailable => (
                "urn:tilesight:problem:unavailable",
                503,
                [
                    "Temporarily unavailable",
                    "Vorübergehend nicht verfügbar",
                    "Midlertidigt utilgængelig",
                    "Tillfälligt otillgänglig",
                    "暂时不可用",
                ],
            ),
        };
        Facts { uri, status, titles }
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
            assert_eq!(HashSet::from(titles).len(), 5, "{kind:?}");
        }
        for &kind in ProblemKind::ALL {
            assert!(all.contains(&kind.into()), "{kind:?}");
        }
    }
}
