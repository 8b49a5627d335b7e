//! `GET /v1/jobs/{id}/results` and `/errors`: the results of the photos, as lines of JSON or as a
//! table.
//!
//! Input: a job, the index to start at, and the requested form. Output: results in the order of the
//! photos, up to the first photo without a result. While the job runs, the answer is a prefix of
//! the final one, so that a client can continue with `?from=` and the number of rows that it has. A
//! photo that a reviewer corrected has the corrected result. Invariants: results are streamed, with
//! one page in memory at a time; the bytes of a row are those that `tilesight batch` writes.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt as _};
use serde::Deserialize;
use tilesight_core::rules::Book;
use tilesight_jobs::batch::{BatchRow, Table};
use tilesight_jobs::corrections::{Correction, Corrections, JobCorrections, PhotoQuestion};
use tilesight_jobs::sheet::CsvStyle;
use tilesight_jobs::{Item, Job, JobId, JobState, Outcome, Store, StoreError, line_of};
use tilesight_vision::contract::Detail;
use tokio::task::spawn_blocking;
use utoipa::{IntoParams, ToSchema};

use super::JobInPath;
use super::compact::compact_outcome;
use crate::service::Service;
use crate::service::answer::failure::Failure;
use crate::service::input::query::{
    DETAIL, check_parameters, parse_pairs, take_name, take_number, take_value,
};
use crate::service::openapi::{JobRefusals, QueryRefusals};

/// Maximum index that every client and every store can represent.
pub(super) const FURTHEST: u64 = (1 << 53) - 1;
/// Number of rows in memory at a time: a reading has some ten kilobytes.
const PAGE: usize = 100;

/// Query of the results: the first photo, and the form.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ResultsQuery {
    /// Index of the first photo to return, counted from 0: the number of rows that the client
    /// already has.
    #[param(required = false, value_type = u64, maximum = 9_007_199_254_740_991_u64)]
    from: u64,
    /// Format of the answer; when absent, `csv` if its style is given, and otherwise as `Accept`
    /// says.
    #[param(inline)]
    format: Option<Format>,
    /// Style of the CSV; `excel` is UTF-8 with a byte order mark and semicolons.
    #[param(required = false, inline)]
    csv: CsvStyle,
    /// Level of detail of a line; `full` when absent. `compact` has only the hand, the score and
    /// the doubts, with the fields of the compact answer to a photo, in a few kilobytes. It does
    /// not affect a table.
    #[param(required = false, inline)]
    detail: Detail,
}

impl ResultsQuery {
    fn read(uri: &Uri) -> Result<ResultsQuery, Failure> {
        let mut pairs = parse_pairs(uri)?;
        check_parameters(&pairs, &["from", "format", "csv", DETAIL])?;
        let csv: Option<CsvStyle> = take_name(&mut pairs, "csv")?;
        // A style of the table asks for the table.
        let table = csv.map(|_| Format::Csv);
        Ok(ResultsQuery {
            from: take_number(&mut pairs, "from", 0..=FURTHEST)?.unwrap_or_default(),
            format: take_name(&mut pairs, "format")?.or(table),
            csv: csv.unwrap_or_default(),
            detail: take_value(&mut pairs, DETAIL)?.unwrap_or_default(),
        })
    }
}

/// Format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// Lines of JSON, with one object per line.
    Jsonl,
    /// Comma-separated values with a header row.
    Csv,
}

/// Returns the results so far, in the order of the photos.
///
/// While the job runs, the answer has the rows before the first photo without a result. Every
/// request returns these rows again; `from` skips those that the client already has. A table has
/// its header row only if it starts at 0. The row of a photo changes when a person corrects the
/// photo.
#[utoipa::path(get, path = "/v1/jobs/{id}/results", tag = "jobs", operation_id = "job_results",
    params(("id" = String, Path, description = "The job."), ResultsQuery),
    responses((status = 200, description = "`{\"id\", \"index\", \"reading\", ...}` or `{\"id\", \"index\", \"error\"}` a line, or a table; with `detail=compact`, the fields of a compact answer stand in place of `reading`.",
            content((String = "application/jsonl"), (String = "text/csv"))),
        QueryRefusals, JobRefusals))]
pub(super) async fn results(
    State(service): State<Service>,
    named: JobInPath,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Failure> {
    rows(&service, named, &headers, &uri, false).await
}

/// Returns the results that are problems, in the order of the photos.
#[utoipa::path(get, path = "/v1/jobs/{id}/errors", tag = "jobs", operation_id = "job_errors",
    params(("id" = String, Path, description = "The job."), ResultsQuery),
    responses((status = 200, description = "`{\"id\", \"index\", \"error\"}` a line, or a table.",
            content((String = "application/jsonl"), (String = "text/csv"))),
        QueryRefusals, JobRefusals))]
pub(super) async fn errors(
    State(service): State<Service>,
    named: JobInPath,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Failure> {
    rows(&service, named, &headers, &uri, true).await
}

async fn rows(
    service: &Service,
    JobInPath(jobs, job): JobInPath,
    headers: &HeaderMap,
    uri: &Uri,
    only_errors: bool,
) -> Result<Response, Failure> {
    let ResultsQuery { from, format, csv, detail } = ResultsQuery::read(uri)?;
    let format = format.unwrap_or_else(|| accepted(headers));
    let corrected = CorrectedItems::new(jobs.store().as_ref(), &job, service.book()).await?;
    let style = RowStyle { format, csv, detail };
    let mut rows = Rows::new(jobs.store(), &job, corrected, from, style, only_errors);
    // The first page is fetched before the answer begins, so that an error until then is a proper
    // problem.
    let first = rows.next().await?;
    let more = stream::try_unfold(rows, async |mut rows| {
        Ok::<_, StoreError>(rows.next().await?.map(|page| (page, rows)))
    });
    let pages = stream::iter(first).map(Ok).chain(more);
    let kind = match format {
        Format::Jsonl => "application/jsonl",
        Format::Csv if from == 0 => "text/csv; charset=utf-8; header=present",
        Format::Csv => "text/csv; charset=utf-8; header=absent",
    };
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (VARY, HeaderValue::from(ACCEPT)),
        (CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
    ];
    Ok((headers, Body::from_stream(pages)).into_response())
}

/// Returns the format that `Accept` names; lines by default.
fn accepted(headers: &HeaderMap) -> Format {
    let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut kinds = values.flat_map(|value| value.split(','));
    let known = |kind: &str| match kind.split(';').next()?.trim() {
        "text/csv" => Some(Format::Csv),
        "application/jsonl" | "application/x-ndjson" | "application/json" => Some(Format::Jsonl),
        _ => None,
    };
    kinds.find_map(known).unwrap_or(Format::Jsonl)
}

/// Corrections of the photos at the start of the answer.
struct CorrectedItems {
    by_index: BTreeMap<u64, Correction>,
    book: Arc<Book>,
}

impl CorrectedItems {
    async fn new(
        store: &dyn Store,
        job: &Job,
        book: &Arc<Book>,
    ) -> Result<CorrectedItems, StoreError> {
        let said = JobCorrections::new(store, job.new.id).all().await?;
        let counting = |(index, rows): (u64, Corrections)| {
            Some((index, rows.rows().last()?.correction.clone()))
        };
        let by_index = said.into_iter().filter_map(counting).collect();
        Ok(CorrectedItems { by_index, book: Arc::clone(book) })
    }

    /// Returns whether any of these items has a correction.
    fn concern(&self, items: &[Item]) -> bool {
        items.iter().any(|item| self.by_index.contains_key(&item.index))
    }

    /// Returns the items with their corrections applied.
    fn apply(&self, mut items: Vec<Item>) -> Vec<Item> {
        for item in &mut items {
            let (Some(correction), Some(outcome)) = (self.by_index.get(&item.index), &item.outcome)
            else {
                continue;
            };
            let ask = item.task.as_ref().map(|task| task.ask.clone()).unwrap_or_default();
            let asked = PhotoQuestion::from_ask(&ask, ask.lang, &self.book);
            item.outcome = Some(correction.apply(outcome, &asked));
        }
        items
    }
}

/// Form in which rows are written.
struct RowStyle {
    format: Format,
    csv: CsvStyle,
    detail: Detail,
}

/// Returns a result as a line of JSON, without the line ending.
fn line(item: &Item, outcome: &Outcome, detail: Detail) -> Result<String, StoreError> {
    Ok(match detail {
        Detail::Full => outcome.line(&item.id, item.index),
        Detail::Compact => {
            let stored = serde_json::from_str(outcome.json());
            let stored = stored.map_err(|error| StoreError::corrupt(&error))?;
            line_of(&item.id, item.index, &compact_outcome(stored).to_string())
        }
    })
}

/// Iterator over pages of rows.
struct Rows {
    corrected: Arc<CorrectedItems>,
    store: Arc<dyn Store>,
    job: JobId,
    /// Whether the photos without an outcome will never have one.
    cancelled: bool,
    next: u64,
    style: RowStyle,
    only_errors: bool,
    /// Whether another page may follow.
    more: bool,
}

impl Rows {
    fn new(
        store: Arc<dyn Store>,
        job: &Job,
        corrected: CorrectedItems,
        from: u64,
        style: RowStyle,
        only_errors: bool,
    ) -> Rows {
        let (corrected, cancelled) = (Arc::new(corrected), job.state() == JobState::Cancelled);
        let (job, next) = (job.new.id, from);
        Rows { corrected, store, job, cancelled, next, style, only_errors, more: true }
    }

    /// Returns the next page that is not empty.
    async fn next(&mut self) -> Result<Option<Bytes>, StoreError> {
        while self.more {
            let first = self.next == 0;
            let mut items = self.store.items(&self.job, self.next, PAGE).await?;
            self.more = items.len() == PAGE;
            self.next += items.len() as u64;
            if !self.cancelled
                && let Some(pending) = items.iter().position(|item| item.outcome.is_none())
            {
                items.truncate(pending);
                self.more = false;
            }
            if self.corrected.concern(&items) {
                let corrected = Arc::clone(&self.corrected);
                // Scoring the corrected items takes time.
                items = spawn_blocking(move || corrected.apply(items))
                    .await
                    .map_err(|error| StoreError::unavailable(&error))?;
            }
            let page = self.write_items(&items, first)?;
            if !page.is_empty() {
                return Ok(Some(page.into()));
            }
        }
        Ok(None)
    }

    fn write_items(&self, items: &[Item], first: bool) -> Result<Vec<u8>, StoreError> {
        let told = items.iter().filter_map(|item| Some((item, item.outcome.as_ref()?)));
        let mut told = told.filter(|(_, outcome)| !self.only_errors || outcome.is_failure());
        match self.style.format {
            Format::Jsonl => {
                let lines = told.map(|(item, outcome)| line(item, outcome, self.style.detail));
                let lines = lines.map(|line| line.map(|line| line + "\n"));
                Ok(lines.collect::<Result<String, _>>()?.into_bytes())
            }
            Format::Csv => {
                let memory = "memory takes every row";
                let mut table = match first {
                    true => Table::new(Vec::new()).expect(memory),
                    false => Table::without_names(Vec::new()),
                };
                told.try_for_each(|(item, outcome)| {
                    table.add(
                        &item.id,
                        item.index,
                        &BatchRow::from_stored(outcome.json().as_bytes()),
                        None,
                    )
                })
                .map_err(|error| StoreError::corrupt(&error))?;
                let table = table.finish().expect(memory);
                self.style.csv.convert(table, first).map_err(|error| StoreError::corrupt(&error))
            }
        }
    }
}
