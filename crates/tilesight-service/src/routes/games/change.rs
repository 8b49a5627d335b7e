//! `POST /v1/games/{id}/changes` enters, corrects or undoes entries of a game.
//!
//! Requests are those of any [journal](crate::routes::journals).

use axum::extract::{Request, State};
use axum::response::Response;
use tilesight_core::evening::{Action, ChangeDto, GameView, Meta};

use super::Games;
use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::openapi::{BodyRefusals, GameChangeRefusals, NoRoom};
use crate::routes::journals::views::{Audience, Viewer};
use crate::routes::journals::{InPath, SentChange, now, status};

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
    InPath(games, found): InPath<Games>,
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::Body;
    use axum::http::header::IF_MATCH;
    use serde_json::json;
    use tilesight_jobs::EmbeddedStore;
    use tilesight_jobs::evenings::EveningStore;

    use super::*;
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
