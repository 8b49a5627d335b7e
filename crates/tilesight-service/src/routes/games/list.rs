//! `GET /v1/games` lists the games of a key.
//!
//! Without keys there is no list: someone who knows the id of a game may write to it, so no answer
//! shows ids to those who do not know them.

use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use serde::Serialize;
use tilesight_core::evening::GameSummary;
use tilesight_core::explain::Lang;
use tilesight_jobs::evenings::{EveningCursor, StoredEvening};
use utoipa::{IntoParams, ToSchema};

use super::Games;
use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::guard::client::Owner;
use crate::input::query::{Pairs, Parameters, Query, take_limit, take_value};
use crate::openapi::{GameListRefusals, QueryRefusals};
use crate::routes::journals::views::Viewer;
use crate::routes::journals::{Journals as _, ListedPage};

/// Maximum number of games on a page. Each may be as large as a game gets, and is computed whole.
const MAX_GAMES: usize = 100;

/// Selection of the games to list.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct GameSelection {
    /// Maximum number of games to return.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// Return only games after those of the previous page: its `next`.
    #[param(value_type = Option<String>, min_length = 44, max_length = 44, pattern = "^[0-9a-f]{44}$")]
    before: Option<EveningCursor>,
}

impl Parameters for GameSelection {
    fn take(pairs: &mut Pairs) -> Result<GameSelection, Failure> {
        let limit = take_limit(pairs, MAX_GAMES)?;
        let before = take_value(pairs, "before")?;
        Ok(GameSelection { limit, before })
    }
}

/// Page of games, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct GameList {
    /// Games on this page.
    games: Vec<GameSummary>,
    /// Value of `before` for the next page; `null` on the last page.
    next: Option<String>,
}

/// Lists the games of the requesting key, newest first.
#[utoipa::path(get, path = "/v1/games", tag = "games", operation_id = "list_games", params(GameSelection, Language),
    responses((status = 200, body = GameList, description = "One page of games."),
        QueryRefusals, GameListRefusals))]
pub(super) async fn list(
    State(service): State<Service>,
    Owner(owner): Owner,
    viewer: Viewer,
    uri: Uri,
) -> Result<Json<GameList>, Failure> {
    let games = Games::find(&service)?;
    let Query(GameSelection { limit, before }) = Query::from_uri(&uri)?;
    let owner = owner.ok_or(Failure::UnlistedGames)?;
    let lang = viewer.lang();
    let listed = ListedPage::load(&*games, &owner, before.as_ref(), limit, &viewer, move |found| {
        summary(found, lang)
    });
    let ListedPage { summaries, next } = service.in_time(listed).await?;
    Ok(Json(GameList { games: summaries, next }))
}

/// Returns the summary of a game; `None` if its rules have changed, so that a hand of it can no
/// longer be scored: one such game must not hide the others.
fn summary(found: &StoredEvening, lang: Lang) -> Option<GameSummary> {
    match found.view(lang) {
        Ok(view) => Some(view.into()),
        Err(error) => {
            tracing::warn!(game = %found.id, %error, "a game can't be scored any more");
            None
        }
    }
}
