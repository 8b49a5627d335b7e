//! `POST /v1/games/{id}/changes`: whatever is entered into a game, corrected or taken back.
//!
//! Every change names the revision that its author saw (`If-Match`). Of two phones that write at
//! once the second gets 412, reloads, and retries or not. An `Idempotency-Key` makes a change that
//! is sent again after a lost answer one change.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::{Request, State};
use axum::http::header::IF_MATCH;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::views::ViewKind;
use super::{GameInPath, seen_in};
use crate::contract::{Problem, ScoreRequest};
use crate::game::{Action, ChangeDto, GameView, Meta};
use crate::games::Precondition;
use crate::http::Service;
use crate::http::body::receive_json;
use crate::http::failure::Failure;
use crate::http::fault::ServiceFault;
use crate::http::language;
use crate::http::openapi::{BodyRefusals, Language, Unavailable};

/// Characters of an `Idempotency-Key`.
const LONGEST_KEY: usize = 255;

/// Changes a game.
#[utoipa::path(post, path = "/v1/games/{id}/changes", tag = "games", operation_id = "change_game",
    params(("id" = String, Path, description = "The game."),
        ("If-Match" = String, Header, description = "The revision that the author saw."),
        ("Idempotency-Key" = Option<String>, Header, description = "The same change with the same key is made once."), Language),
    request_body(content = ChangeDto),
    responses((status = 200, body = GameView, description = "The change was made before, under the same key."),
        (status = 201, body = GameView, description = "The game after the change.", headers(("ETag" = String, description = "Its revision."))),
        (status = 404, description = "The game, entry or change does not exist.", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "The game is over.", body = Problem, content_type = "application/problem+json"),
        (status = 412, description = "The game was modified concurrently.", body = Problem, content_type = "application/problem+json"),
        (status = 428, description = "`If-Match` is missing.", body = Problem, content_type = "application/problem+json"),
        BodyRefusals, Unavailable))]
pub(super) async fn change(
    State(service): State<Service>,
    GameInPath(games, found): GameInPath,
    request: Request,
) -> Result<Response, Failure> {
    let lang = language::preferred(request.headers());
    let (seen, key) = (precondition(request.headers())?, key(request.headers())?);
    let body = receive_json(request, service.limits(), ScoreRequest::MAX_BYTES).await?;
    let ChangeDto { action, by } = ChangeDto::from_json(&body)?;
    let meta = Meta { at: now(), by, key };
    games.store.check(&found, &seen, &meta)?;
    let action = Action::try_from(action)?;
    let (found, new) = games.store.change(found, seen, meta, action).await?;
    games.shown(found, status(new), ViewKind::Players, lang).await
}

pub(super) const fn status(new: bool) -> StatusCode {
    if new { StatusCode::CREATED } else { StatusCode::OK }
}

/// The revision that the author of a change saw.
pub(super) fn precondition(headers: &HeaderMap) -> Result<Precondition, Failure> {
    seen_in(headers.get(IF_MATCH).ok_or(Failure::Unconditional)?)
}

/// The key of a change.
pub(super) fn key(headers: &HeaderMap) -> Result<Option<String>, Failure> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    // The draft of the IETF writes the key in quotes; most clients don't.
    let key = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    if key.is_empty() || key.len() > LONGEST_KEY {
        let fault = ServiceFault::KeyLength { most: LONGEST_KEY };
        return Err(Failure::invalid("Idempotency-Key", &fault));
    }
    Ok(Some(key.to_owned()))
}

/// Milliseconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
