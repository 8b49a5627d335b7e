//! `POST /v1/games/{id}/changes` enters, corrects or undoes entries of a game.
//!
//! Every change names the revision that its author saw (`If-Match`). If two phones write at once,
//! the second gets 412, reloads, and may retry. An `Idempotency-Key` ensures that a change that is
//! sent again after a lost answer is made only once.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::header::IF_MATCH;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use tilesight_core::evening::{Action, ChangeDto, GameView, Meta};
use tilesight_jobs::evenings::Precondition;

use super::{GameInPath, parse_revisions};
use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::input::body::receive_json;
use crate::input::idempotency_key::parse_key;
use crate::limits::Limits;
use crate::openapi::{BodyRefusals, GameChangeRefusals, NoRoom};
use crate::routes::journals::views::{Audience, Viewer};

/// Changes a game.
#[utoipa::path(post, path = "/v1/games/{id}/changes", tag = "games", operation_id = "change_game",
    params(("id" = String, Path, description = "The game."),
        ("If-Match" = String, Header, description = "The revision that the author saw."),
        ("Idempotency-Key" = Option<String>, Header, description = "The same change with the same key is made once."), Language),
    request_body(content = ChangeDto),
    responses((status = 200, body = GameView, description = "The change was made before, under the same key."),
        (status = 201, body = GameView, description = "The game after the change.", headers(("ETag" = String, description = "Its revision."))),
        BodyRefusals, GameChangeRefusals, NoRoom))]
pub(super) async fn change(
    State(service): State<Service>,
    GameInPath(games, found): GameInPath,
    viewer: Viewer,
    request: Request,
) -> Result<Response, Failure> {
    let SentChange { seen, key, body } = SentChange::receive(request, service.limits()).await?;
    let ChangeDto { action, by } = ChangeDto::from_json(&body)?;
    let meta = Meta { at: now(), by, key };
    games.store.check(&found, &seen, &meta)?;
    let action = Action::try_from(action)?;
    let (found, new) = viewer.in_turn(games.store.change(found, seen, meta, action)).await?;
    games.answer_with(&viewer, found, status(new), Audience::Players).await
}

/// A change as it was sent, before its body is parsed.
#[derive(Debug)]
pub(in crate::routes) struct SentChange {
    /// Revision that its author saw.
    pub(in crate::routes) seen: Precondition,
    /// Key under which it is made once.
    pub(in crate::routes) key: Option<String>,
    /// JSON.
    pub(in crate::routes) body: Bytes,
}

impl SentChange {
    /// Receives a change.
    ///
    /// # Errors
    /// When a header is missing or wrong, or the body is no JSON within the limits.
    pub(in crate::routes) async fn receive(
        request: Request,
        limits: &Limits,
    ) -> Result<SentChange, Failure> {
        let seen = precondition(request.headers())?;
        let key = parse_key(request.headers())?;
        let body = receive_json(request, limits).await?;
        Ok(SentChange { seen, key, body })
    }
}

pub(in crate::routes) const fn status(new: bool) -> StatusCode {
    if new { StatusCode::CREATED } else { StatusCode::OK }
}

/// Returns the revision that the author of a change saw.
pub(super) fn precondition(headers: &HeaderMap) -> Result<Precondition, Failure> {
    parse_revisions(headers.get(IF_MATCH).ok_or(Failure::Unconditional)?)
}

/// Returns the milliseconds since 1970.
pub(in crate::routes) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::Body;
    use serde_json::json;
    use tilesight_jobs::EmbeddedStore;
    use tilesight_jobs::evenings::EveningStore;

    use super::*;
    use crate::routes::games::Games;
    use crate::testing::{Answer, limits, post_json, send};

    async fn add_note(service: &Service, game: &str) -> Answer {
        let play = json!({ "kind": "manual", "reason": "adjustment", "player": 0,
            "payments": [3, -1, -1, -1], "note": "x".repeat(200) });
        let body = json!({ "action": { "kind": "add", "play": play } }).to_string();
        let request = Request::post(format!("{game}/changes")).header(IF_MATCH, "*");
        let request = request.header("content-type", "application/json").body(Body::from(body));
        send(service, request.expect("a request")).await
    }

    #[tokio::test]
    async fn a_full_disk_keeps_the_game_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(EmbeddedStore::open(folder.path()).unwrap());
        let games = Games::new(EveningStore::new(Arc::<EmbeddedStore>::clone(&store)));
        let service = Service::builder(limits()).games(Arc::new(games)).build();
        let players = json!({ "players": ["Anna", "Bo", "Clara", "Dorte"] }).to_string();
        let game = post_json(&service, "/v1/games", &players).await;
        let game = format!("/v1/games/{}", game.json["id"].as_str().expect("an id"));
        store.limit_pages(Some(1)).await.expect("no more than there are");
        let (mut added, mut last) = (0, add_note(&service, &game).await);
        // The last pages of the file have room for some notes.
        while last.status == 201 && added < 100 {
            (added, last) = (added + 1, add_note(&service, &game).await);
        }
        last.is_problem(507, "insufficient-storage");
        let look = || Request::get(&game).body(Body::empty()).expect("a request");
        let kept = send(&service, look()).await;
        assert_eq!(kept.json["rows"].as_array().map(Vec::len), Some(added), "{kept:?}");
        post_json(&service, "/v1/games", &players).await.is_problem(507, "insufficient-storage");
        store.limit_pages(None).await.expect("room");
        assert_eq!(add_note(&service, &game).await.status, 201);
    }
}
