//! `POST /v1/series/{id}/import` enters results from a spreadsheet, all of them or none.

use axum::extract::{Request, State};
use axum::response::Response;
use serde::Deserialize;
use tilesight_core::contract::read_json;
use tilesight_core::evening::Meta;
use tilesight_core::series::{SeriesView, read_results};
use tilesight_jobs::series::read_table;
use utoipa::ToSchema;

use super::{AllSeries, answer_with};
use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::openapi::{BodyRefusals, NoRoom, SeriesChangeRefusals};
use crate::routes::journals::views::Viewer;
use crate::routes::journals::{InPath, SentChange, now, status};

/// Maximum size of a body: tables of two hundred players in a hundred rounds.
pub(crate) const MAX_IMPORT_BYTES: usize = 1024 * 1024;

/// Results from a spreadsheet.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SeriesImport {
    /// Table as CSV: a row for each table, with the columns `round`, `table`, and for each chair
    /// `player_1`, `points_1` and so on.
    csv: String,
    /// Whether names that are unknown are new players.
    #[serde(default)]
    #[schema(required = false)]
    add_players: bool,
    /// Author of the change, as they call themselves.
    #[serde(default)]
    #[schema(max_length = 40)]
    by: Option<String>,
}

/// Enters results from a spreadsheet.
///
/// A round that was seated here keeps its tables; the next rounds are seated as the table says. If
/// a cell is wrong, nothing is entered, and `errors` names every row and column, such as
/// `rows[3].points_2`.
#[utoipa::path(post, path = "/v1/series/{id}/import", tag = "series", operation_id = "import_series",
    params(("id" = String, Path, description = "The series."),
        ("If-Match" = String, Header, description = "The revision that the author saw."),
        ("Idempotency-Key" = Option<String>, Header, description = "The same change with the same key is made once."), Language),
    request_body(content = SeriesImport),
    responses((status = 200, body = SeriesView, description = "The results were entered before, under the same key."),
        (status = 201, body = SeriesView, description = "The series with the results.", headers(("ETag" = String, description = "Its revision."))),
        BodyRefusals, NoRoom, SeriesChangeRefusals))]
pub(super) async fn import(
    State(service): State<Service>,
    InPath(all, found): InPath<AllSeries>,
    viewer: Viewer,
    request: Request,
) -> Result<Response, Failure> {
    let SentChange { seen, key, body } = SentChange::receive(request, service.limits()).await?;
    let SeriesImport { csv, add_players, by } = read_json(&body, "")?;
    let meta = Meta { at: now(), by, key };
    all.store.check(&found, &seen, &meta)?;
    if found.knows(meta.key.as_deref()) {
        return answer_with(&viewer, found, status(false), None).await;
    }
    let table = read_table(csv.as_bytes()).map_err(|error| Failure::invalid("csv", &error))?;
    let series = found.document.journal.clone();
    let read = viewer.compute(move || read_results(&series.progress()?, &table, add_players));
    let action = read.await??;
    let (found, new) = viewer.in_turn(all.store.change(found, seen, meta, action)).await?;
    answer_with(&viewer, found, status(new), None).await
}
