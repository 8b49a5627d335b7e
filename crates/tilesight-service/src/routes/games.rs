//! Evenings over HTTP, as `game` resources: an evening has several deals, and several phones enter
//! them.
//!
//! Input: requests, and the [`EveningStore`] that keeps the games. Output: the current game after
//! each request, with its revision as `ETag`. Each endpoint has a file of its own. Invariants are
//! those of [journals](super::journals).

mod change;
mod events;
mod export;
mod hand;
mod list;
mod share;
mod views;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tilesight_core::contract::Problem;
use tilesight_core::evening::{Game, GameError, GameView, NewGameDto};
use tilesight_jobs::evenings::{EveningStore, EveningStoreError, StoredEvening};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::journals::streams::StreamPermits;
use super::journals::views::{Audience, Viewer, Views};
use super::journals::{
    InPath, Journals, SentJournal, answer_unchanged, create as create_journal, has_revision,
    revision_headers, status, with_location,
};
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::answer::problem::ServiceProblemKind;
use crate::guard::client::Owner;
use crate::openapi::{BodyRefusals, GameCreationRefusals, GameRefusals, NoRoom};
use crate::{Service, ServiceBuilder};

/// State that all requests about games share.
#[derive(Debug)]
pub struct Games {
    store: Arc<EveningStore>,
    streams: StreamPermits,
    views: Arc<Views<Game>>,
}

impl ServiceBuilder {
    /// Sets the games.
    pub fn games(self, games: Arc<Games>) -> ServiceBuilder {
        self.with_store(games)
    }
}

impl Games {
    /// Returns the games of a store.
    #[must_use]
    pub fn new(store: EveningStore) -> Games {
        let store = Arc::new(store);
        Games { streams: StreamPermits::default(), views: Arc::default(), store }
    }

    /// Returns the answer that shows a game.
    async fn answer_with(
        &self,
        viewer: &Viewer,
        found: StoredEvening,
        status: StatusCode,
        audience: Audience,
    ) -> Result<Response, Failure> {
        let found = Arc::new(found);
        let view = self.views.get(viewer, &found, audience.into()).await?;
        let json = [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
        Ok((status, revision_headers(found.revision), json, view.body()).into_response())
    }
}

impl Journals for Games {
    type Journal = Game;

    fn find(service: &Service) -> Result<Arc<Games>, Failure> {
        service.store().ok_or(Failure::NoGames)
    }

    fn store(&self) -> &Arc<EveningStore> {
        &self.store
    }

    fn streams(&self) -> &StreamPermits {
        &self.streams
    }

    fn views(&self) -> &Arc<Views<Game>> {
        &self.views
    }

    fn missing() -> Failure {
        Failure::NoSuchGame
    }

    fn failure(error: EveningStoreError) -> Failure {
        error.into()
    }
}

/// Returns the routes for players.
pub(crate) fn routes() -> OpenApiRouter<Service> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(list::list))
        .routes(routes!(get))
        .routes(routes!(delete))
        .routes(routes!(change::change))
        .routes(routes!(hand::photo))
        .routes(routes!(events::for_players))
        .routes(routes!(export::for_players))
        .routes(routes!(share::share))
        .routes(routes!(share::unshare))
}

/// Returns the routes for those who have a link. They need no key: the token serves as one.
pub(crate) fn open_routes() -> OpenApiRouter<Service> {
    OpenApiRouter::new()
        .routes(routes!(share::get))
        .routes(routes!(events::for_onlookers))
        .routes(routes!(export::for_onlookers))
}

/// Creates a game. A repeated request with the same `Idempotency-Key` does not create another one.
#[utoipa::path(post, path = "/v1/games", tag = "games", operation_id = "create_game",
    params(("Idempotency-Key" = Option<String>, Header, description = "Any text, new for each game; remembered for a day."), Language),
    request_body(content = NewGameDto),
    responses((status = 200, body = GameView, description = "The game as it stands now; it was created before, under the same key.",
            headers(("Location" = String, description = "Where it is."), ("ETag" = String, description = "Its revision."))),
        (status = 201, body = GameView, description = "The game before its first deal.",
            headers(("Location" = String, description = "Where it is."), ("ETag" = String, description = "Its revision."))),
        BodyRefusals, GameCreationRefusals))]
async fn create(
    State(service): State<Service>,
    owner: Owner,
    viewer: Viewer,
    request: Request,
) -> Result<Response, Failure> {
    let games = Games::find(&service)?;
    let SentJournal { key, body } =
        SentJournal::receive(request, &viewer, service.limits()).await?;
    let game = NewGameDto::from_json(&body)?.begin(service.book())?;
    let (found, new) = create_journal(&*games, game, key.as_ref(), owner, &viewer).await?;
    let id = found.id.clone();
    let answer = games.answer_with(&viewer, found, status(new), Audience::Players).await?;
    Ok(with_location(answer, "/v1/games", &id))
}

/// Returns the current game.
#[utoipa::path(get, path = "/v1/games/{id}", tag = "games", operation_id = "get_game",
    params(("id" = String, Path, description = "The game."), Language,
        ("If-None-Match" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, body = GameView, description = "The game.", headers(("ETag" = String, description = "Its revision."))),
        (status = 304, description = "It is unchanged."),
        GameRefusals))]
async fn get(
    InPath(games, found): InPath<Games>,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    if has_revision(&headers, found.revision) {
        return Ok(answer_unchanged(found.revision));
    }
    games.answer_with(&viewer, found, StatusCode::OK, Audience::Players).await
}

/// Deletes a game, its history and its links.
#[utoipa::path(delete, path = "/v1/games/{id}", tag = "games", operation_id = "delete_game",
    params(("id" = String, Path, description = "The game.")),
    responses((status = 204, description = "It was deleted."),
        GameRefusals, NoRoom))]
async fn delete(InPath(games, found): InPath<Games>) -> Result<StatusCode, Failure> {
    games.store.remove(&found).await?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<EveningStoreError> for Failure {
    fn from(error: EveningStoreError) -> Failure {
        match error {
            EveningStoreError::Missing(_) => Failure::NoSuchGame,
            EveningStoreError::Stale(_) => Failure::StaleGame,
            EveningStoreError::Full { max, .. } => Failure::GamesFull { max },
            EveningStoreError::FullForOne { max, .. } => Failure::TooManyGames { max },
            EveningStoreError::Refused(error) => error.into(),
            EveningStoreError::Store(error) => error.into(),
        }
    }
}

impl From<GameError> for Failure {
    fn from(error: GameError) -> Failure {
        match error {
            GameError::KeyReused => {
                Problem::from_message(ServiceProblemKind::IdempotencyKeyReused, &error).into()
            }
            error => Problem::from(&error).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::header::CONTENT_TYPE;
    use tilesight_jobs::EmbeddedStore;

    use super::*;
    use crate::guard::client::Peer;
    use crate::testing::{limits, send};

    #[tokio::test]
    async fn equal_keys_of_two_addresses_are_two_games() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Arc::new(EmbeddedStore::open(folder.path()).expect("a store"));
        let games = Games::new(EveningStore::new(store));
        let service = Service::builder(limits()).games(Arc::new(games)).build();
        let create = async |address: [u8; 4], names: &str| {
            let request = Request::post("/v1/games").header(CONTENT_TYPE, "application/json");
            let request = request.header("idempotency-key", "1").extension(Peer(address.into()));
            let body = format!(r#"{{"players":[{names}]}}"#);
            let answer = send(&service, request.body(Body::from(body)).expect("a request")).await;
            (answer.status, answer.json["id"].clone())
        };
        let names = r#""Anna","Bo","Clara","Dorte""#;
        let (status, game) = create([192, 0, 2, 1], names).await;
        assert_eq!(status, 201);
        for (address, names) in [(2, names), (3, r#""Eva","Finn","Gerd","Hal""#)] {
            let (status, other) = create([192, 0, 2, address], names).await;
            assert_eq!(status, 201);
            assert_ne!(other, game);
        }
        assert_eq!(create([192, 0, 2, 1], names).await, (StatusCode::OK, game));
    }
}
