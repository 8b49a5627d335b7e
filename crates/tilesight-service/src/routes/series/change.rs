//! `POST /v1/series/{id}/changes` adds players, seats rounds, enters results and takes changes
//! back.
//!
//! Requests are those of any [journal](crate::routes::journals). `open` creates the game of a
//! table that has none, and `collect` takes the results of those that are over.

use axum::extract::{Request, State};
use axum::response::Response;
use tilesight_core::evening::Meta;
use tilesight_core::series::{SeriesAction, SeriesChangeDto, SeriesView};
use tilesight_jobs::series::{Organiser, StoredSeries};

use super::{AllSeries, answer_with};
use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::guard::client::Owner;
use crate::openapi::{BodyRefusals, NoRoom, SeriesChangeRefusals};
use crate::routes::games::Games;
use crate::routes::journals::views::Viewer;
use crate::routes::journals::{InPath, Journals as _, SentChange, now, status};

/// Changes a series.
#[utoipa::path(post, path = "/v1/series/{id}/changes", tag = "series", operation_id = "change_series",
    params(("id" = String, Path, description = "The series."),
        ("If-Match" = String, Header, description = "The revision that the author saw."),
        ("Idempotency-Key" = Option<String>, Header, description = "The same change with the same key is made once."), Language),
    request_body(content = SeriesChangeDto),
    responses((status = 200, body = SeriesView, description = "The change was made before, under the same key."),
        (status = 201, body = SeriesView, description = "The series after the change.", headers(("ETag" = String, description = "Its revision."))),
        BodyRefusals, NoRoom, SeriesChangeRefusals))]
pub(super) async fn change(
    State(service): State<Service>,
    InPath(all, found): InPath<AllSeries>,
    Owner(owner): Owner,
    viewer: Viewer,
    request: Request,
) -> Result<Response, Failure> {
    let SentChange { seen, key, body } = SentChange::receive(request, service.limits()).await?;
    let SeriesChangeDto { action, by } = SeriesChangeDto::from_json(&body)?;
    let meta = Meta { at: now(), by, key };
    all.store.check(&found, &seen, &meta)?;
    let is_known = found.knows(meta.key.as_deref());
    let creates = !is_known && matches!(action, SeriesAction::Open { game: None, .. });
    let action = if is_known {
        action
    } else {
        complete(&service, &viewer, &found, action, owner.as_deref()).await?
    };
    let game = creates.then(|| game_of(&action)).flatten();
    let changed = viewer.in_turn(all.store.change(found, seen, meta, action)).await;
    if let (Err(_), Some(game)) = (&changed, game) {
        discard(&service, &game, owner.as_deref()).await;
    }
    let (found, new) = changed?;
    answer_with(&viewer, found, status(new), None).await
}

/// Returns the id of the game that an action opens.
fn game_of(action: &SeriesAction) -> Option<String> {
    if let SeriesAction::Open { game, .. } = action { game.clone() } else { None }
}

/// Completes an action that needs games.
async fn complete(
    service: &Service,
    viewer: &Viewer,
    found: &StoredSeries,
    action: SeriesAction,
    owner: Option<&str>,
) -> Result<SeriesAction, Failure> {
    let games = Games::find(service)?;
    let address = viewer.client().to_string();
    let by = Organiser { owner, address: Some(&address) };
    let completing = async { Ok(viewer.in_turn(games.store().complete(found, action, by)).await?) };
    service.in_time(completing).await
}

/// Removes a game that was created for a table, if its series could not be changed.
async fn discard(service: &Service, game: &str, owner: Option<&str>) {
    let Ok(games) = Games::find(service) else { return };
    let Ok(found) = games.store().find(game, owner).await else { return };
    if let Err(error) = games.store().remove(&found).await {
        tracing::warn!(%error, "a game without its series can't be removed");
    }
}
