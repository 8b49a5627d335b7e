//! Evenings over HTTP, as `game` resources: an evening has several deals, and several phones enter
//! them.
//!
//! Input: requests, and the [`EveningStore`] that keeps the games. Output: the current game after
//! each request, with its revision as `ETag`. Each endpoint has a file of its own. Invariants: a
//! change needs `If-Match`, so that nobody overwrites a revision that they have not seen; a game
//! belongs to the key that created it, and does not exist for any other; the token of a link shows
//! one game and changes nothing; a revision of a game is serialized once for all who view it.

pub(super) mod change;
mod events;
mod export;
mod hand;
mod list;
pub(super) mod share;
mod views;

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LOCATION};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tilesight_core::contract::Problem;
use tilesight_core::evening::{Game, GameError, GameView, NewGameDto};
use tilesight_jobs::evenings::{EveningStore, EveningStoreError, Precondition, StoredEvening};
use tilesight_jobs::{Revision, StoreError, Timestamp};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::journals::streams::StreamPermits;
use super::journals::views::{Audience, Viewer, Views};
use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;
use crate::answer::language::Language;
use crate::answer::problem::ServiceProblemKind;
use crate::guard::client::Owner;
use crate::input::body::receive_json;
use crate::input::idempotency_key::parse_stored_name;
use crate::input::query::NameInPath;
use crate::openapi::{BodyRefusals, GameCreationRefusals, GameRefusals, NoRoom};
use crate::{Service, ServiceBuilder};

/// State that all requests about games share.
#[derive(Debug)]
pub struct Games {
    store: Arc<EveningStore>,
    streams: StreamPermits,
    views: Arc<Views<Game>>,
}

impl Service {
    pub(crate) fn games(&self) -> Result<Arc<Games>, Failure> {
        self.store().ok_or(Failure::NoGames)
    }
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

    /// Returns the store of the games.
    pub(super) const fn store(&self) -> &Arc<EveningStore> {
        &self.store
    }

    /// Removes expired games.
    pub(crate) async fn sweep(&self, now: Timestamp) -> Result<(), StoreError> {
        self.store.sweep(now).await.map(|_| ())
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
    let games = service.games()?;
    let key = parse_stored_name(request.headers(), viewer.client())?;
    let body = receive_json(request, service.limits()).await?;
    let game = NewGameDto::from_json(&body)?.begin(service.book())?;
    let address = viewer.client().to_string();
    let creating = games.store.create_for(game, owner.0, Some(&address), key.as_ref());
    let (found, new) = viewer.in_turn(creating).await?;
    let place = HeaderValue::try_from(format!("/v1/games/{}", found.id)).expect("hex digits");
    let status = change::status(new);
    let mut answer = games.answer_with(&viewer, found, status, Audience::Players).await?;
    answer.headers_mut().insert(LOCATION, place);
    Ok(answer)
}

/// Returns the current game.
#[utoipa::path(get, path = "/v1/games/{id}", tag = "games", operation_id = "get_game",
    params(("id" = String, Path, description = "The game."), Language,
        ("If-None-Match" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, body = GameView, description = "The game.", headers(("ETag" = String, description = "Its revision."))),
        (status = 304, description = "It is unchanged."),
        GameRefusals))]
async fn get(
    GameInPath(games, found): GameInPath,
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
async fn delete(GameInPath(games, found): GameInPath) -> Result<StatusCode, Failure> {
    games.store.remove(&found).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Game that the path names, if the sender may see it.
struct GameInPath(Arc<Games>, StoredEvening);

impl FromRequestParts<Service> for GameInPath {
    type Rejection = Failure;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Service,
    ) -> Result<GameInPath, Failure> {
        let games = service.games()?;
        let Path(id): Path<String> =
            Path::from_request_parts(parts, service).await.map_err(|_| Failure::NoSuchGame)?;
        let Ok(owner) = Owner::from_request_parts(parts, service).await;
        let Ok(viewer) = Viewer::from_request_parts(parts, service).await;
        let found = viewer.in_turn(games.store.find(&id, owner.0.as_deref())).await?;
        Ok(GameInPath(games, found))
    }
}

/// Game that the token in the path shows.
struct SharedGame {
    games: Arc<Games>,
    found: StoredEvening,
    token: String,
}

impl FromRequestParts<Service> for SharedGame {
    type Rejection = Failure;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Service,
    ) -> Result<SharedGame, Failure> {
        let NameInPath(token) = NameInPath::from_request_parts(parts, service).await?;
        let games = service.games()?;
        let Ok(viewer) = Viewer::from_request_parts(parts, service).await;
        let found = viewer.in_turn(games.store.find_shared(&token)).await?;
        Ok(SharedGame { games, found, token })
    }
}

/// Returns the headers of every answer with a game: its revision, and a ban on caching it between
/// here and the player without revalidation.
pub(super) fn revision_headers(revision: Revision) -> [(axum::http::HeaderName, HeaderValue); 2] {
    [(ETAG, etag(revision)), (CACHE_CONTROL, HeaderValue::from_static("no-cache"))]
}

fn etag(revision: Revision) -> HeaderValue {
    HeaderValue::try_from(format!("\"{}\"", revision.0)).expect("digits in quotes")
}

/// Returns whether the client has this revision already.
pub(super) fn has_revision(headers: &HeaderMap, revision: Revision) -> bool {
    let known = headers.get(IF_NONE_MATCH).and_then(|tags| parse_revisions(tags).ok());
    known
        .is_some_and(|known| matches!(known, Precondition::OneOf(tags) if tags.contains(&revision)))
}

pub(super) fn answer_unchanged(revision: Revision) -> Response {
    (StatusCode::NOT_MODIFIED, revision_headers(revision)).into_response()
}

/// Parses the revisions in a list of entity tags. Weak tags never match, as RFC 9110 requires for
/// `If-Match`.
fn parse_revisions(tags: &HeaderValue) -> Result<Precondition, Failure> {
    let text = tags.to_str().map_err(|_| not_a_revision())?.trim();
    if text == "*" {
        return Ok(Precondition::Any);
    }
    let mut revisions = Vec::new();
    for tag in text.split(',').map(str::trim) {
        let digits = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
        match digits.map(str::parse) {
            Some(Ok(revision)) => revisions.push(Revision(revision)),
            _ if tag.starts_with("W/\"") || digits.is_some() => {}
            _ => return Err(not_a_revision()),
        }
    }
    Ok(Precondition::OneOf(revisions))
}

fn not_a_revision() -> Failure {
    Failure::invalid("If-Match", &ServiceFault::NotARevision)
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
