//! `GET /v1/jobs/{id}/results` and `/errors`: the results of the photos, as lines of JSON, as a
//! table, or as a workbook.
//!
//! Input: a job, the page, and the requested form. Output: results in the order of the photos, up
//! to the first photo without a result. While the job runs, the answer is a prefix of the final
//! one, so that a client can continue after the last photo that it has. A photo that a reviewer
//! corrected has the corrected result. Rows that have to be computed come in pages, unless they are
//! a table for a person. Invariants: results are streamed, with one piece in memory at a time and
//! within the time limit of a request for each, but for a workbook, which is written as a whole
//! within that time; the bytes of a row are those that `tilesight batch` writes.

use std::io;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, LINK, VARY};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt as _};
use tilesight_jobs::JobState;
use tilesight_jobs::sheet::CsvStyle;
use tilesight_jobs::workbook::WORKBOOK;
use tilesight_vision::contract::Detail;
use utoipa::IntoParams;

use super::rows::{Format, JobRows, RowStyle};
use super::{JobInPath, PIECE};
use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;
use crate::input::query::{
    DETAIL, MAX_INDEX, MAX_ROWS, Pairs, Parameters, Query, USUAL_ROWS, take_limit, take_name,
    take_number, take_value,
};
use crate::openapi::{JobRefusals, QueryRefusals};
use crate::routes::caller::Caller;

/// Maximum size of a part of an answer, in bytes. Each part is compressed at once by a thread that
/// answers: this many take it about a millisecond.
const PART_BYTES: usize = 64 * 1024;

/// Query of the results: the page, and the form.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ResultsQuery {
    /// Index of the first photo to return, counted from 0: the number of rows that the client
    /// already has.
    #[param(required = false, value_type = u64, maximum = 9_007_199_254_740_991_u64)]
    from: Option<u64>,
    /// Index of the photo after which to begin: that of the last row that the client already has.
    /// Instead of `from`.
    #[param(required = false, value_type = u64, maximum = 9_007_199_254_740_991_u64)]
    after: Option<u64>,
    /// Maximum number of rows to return. When absent: 100 with `detail=compact` and of errors, and
    /// all others otherwise.
    #[param(required = false, value_type = u64, minimum = 1, maximum = 1_000)]
    limit: Option<usize>,
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

impl Parameters for ResultsQuery {
    fn take(pairs: &mut Pairs) -> Result<ResultsQuery, Failure> {
        let csv: Option<CsvStyle> = take_name(pairs, "csv")?;
        // A style of the table asks for the table.
        let table = csv.map(|_| Format::Csv);
        let from = take_number(pairs, "from", 0..=MAX_INDEX)?;
        let after = take_number(pairs, "after", 0..=MAX_INDEX)?;
        let limit = take_limit(pairs, MAX_ROWS)?;
        if from.is_some() && after.is_some() {
            return Err(Failure::invalid("after", &ServiceFault::FromAndAfter));
        }
        Ok(ResultsQuery {
            from,
            after,
            limit,
            format: take_name(pairs, "format")?.or(table),
            csv: csv.unwrap_or_default(),
            detail: take_value(pairs, DETAIL)?.unwrap_or_default(),
        })
    }
}

impl ResultsQuery {
    /// Returns the index of the first photo to return.
    fn start(&self) -> u64 {
        self.from.or(self.after.map(|index| index + 1)).unwrap_or_default()
    }
}

/// Returns the results so far, in the order of the photos.
///
/// While the job runs, the answer has the rows before the first photo without a result. Every
/// request returns these rows again; `after` skips those that the client already has. Compact
/// results come in pages; of a job that has ended, the header `Link` names the next one. A table
/// has its header row only if it starts at 0. The row of a photo changes when a person corrects the
/// photo.
#[utoipa::path(get, path = "/v1/jobs/{id}/results", tag = "jobs", operation_id = "job_results",
    params(("id" = String, Path, description = "The job."), ResultsQuery),
    responses((status = 200, description = "`{\"id\", \"index\", \"reading\", ...}` or `{\"id\", \"index\", \"error\"}` a line, or a table; with `detail=compact`, the fields of a compact answer stand in place of `reading`.",
            headers(("Link" = String, description = "The next page, as `rel=\"next\"`, where `limit` ended this one and the job has ended.")),
            content((String = "application/jsonl"), (String = "text/csv"), (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        QueryRefusals, JobRefusals))]
pub(super) async fn results(
    JobInPath(jobs, job): JobInPath,
    caller: Caller,
    headers: HeaderMap,
    uri: Uri,
    Query(query): Query<ResultsQuery>,
) -> Result<Response, Failure> {
    let from = query.start();
    let format = query.format.unwrap_or_else(|| accepted(&headers));
    let style = RowStyle::new(format, query.csv, query.detail);
    let limit = query.limit.or((style == RowStyle::Compact).then_some(USUAL_ROWS));
    let end = limit.map_or(u64::MAX, |limit| from.saturating_add(limit as u64));
    let has_ended = matches!(job.state(), JobState::Finished | JobState::Cancelled);
    let goes_beyond = has_ended && end < job.progress.total;
    let next = goes_beyond.then(|| next_page(&uri, end - 1));
    if format == Format::Xlsx {
        let writing = async {
            let book = Arc::clone(caller.service.book());
            let rows = JobRows::new(jobs, job, style, book, caller.turns.clone()).await?;
            rows.workbook(rows.all(from..end).await?).await
        };
        let book = caller.answer_in_place(writing).await?;
        return Ok(respond(format, from, next, Body::from(book)));
    }
    // The first piece is fetched before the answer begins, so that an error until then is a proper
    // problem.
    let begin = async {
        let book = Arc::clone(caller.service.book());
        let rows = JobRows::new(jobs, job, style, book, caller.turns.clone()).await?;
        let names = if from == 0 { style.names()? } else { Bytes::new() };
        let (first, next) = rows.next(from..end).await?;
        Ok((rows, names, first, next))
    };
    let (rows, names, first, goes_on) = caller.answer_in_place(begin).await?;
    let begun = (caller.service, rows, goes_on);
    let more = stream::try_unfold(begun, move |(service, rows, next)| async move {
        let Some(next) = next else { return Ok(None) };
        let (page, next) = service.in_time(rows.next(next..end)).await?;
        Ok::<_, Failure>(Some((page, (service, rows, next))))
    });
    let pages = stream::iter([Ok(vec![names]), Ok(first)]).chain(more);
    let parts = pages.flat_map(|page| {
        stream::iter(match page {
            Ok(rows) => in_parts(&rows).into_iter().map(Ok).collect(),
            // The log has the cause; the client sees that the answer is cut off.
            Err(failure) => vec![Err(io::Error::other(failure.to_string()))],
        })
    });
    Ok(respond(format, from, next, Body::from_stream(parts)))
}

/// Returns the results that are problems, in the order of the photos, in pages.
#[utoipa::path(get, path = "/v1/jobs/{id}/errors", tag = "jobs", operation_id = "job_errors",
    params(("id" = String, Path, description = "The job."), ResultsQuery),
    responses((status = 200, description = "`{\"id\", \"index\", \"error\"}` a line, or a table.",
            headers(("Link" = String, description = "The next page, as `rel=\"next\"`, where `limit` ended this one.")),
            content((String = "application/jsonl"), (String = "text/csv"), (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        QueryRefusals, JobRefusals))]
pub(super) async fn errors(
    JobInPath(jobs, job): JobInPath,
    caller: Caller,
    headers: HeaderMap,
    uri: Uri,
    Query(query): Query<ResultsQuery>,
) -> Result<Response, Failure> {
    let from = query.start();
    let format = query.format.unwrap_or_else(|| accepted(&headers));
    let style = RowStyle::new(format, query.csv, query.detail);
    let limit = query.limit.unwrap_or(USUAL_ROWS);
    let finding = async {
        let digest = jobs.digests.get(&jobs, &job, &caller.turns).await?;
        let book = Arc::clone(caller.service.book());
        let turns = caller.turns.clone();
        let rows = JobRows::new(Arc::clone(&jobs), job, style, book, turns).await?;
        let failed = digest.failures(from, rows.is_cancelled());
        let mut found = Vec::new();
        for piece in failed.chunks(PIECE) {
            found.extend(rows.failures(piece).await?);
            if found.len() > limit {
                break;
            }
        }
        let has_more = found.len() > limit;
        found.truncate(limit);
        let last = found.last().filter(|_| has_more).map(|(index, _)| *index);
        let failures: Vec<Bytes> = found.into_iter().map(|(_, row)| row).collect();
        match format {
            Format::Xlsx => Ok((vec![rows.workbook(failures).await?], last)),
            Format::Csv | Format::Jsonl => Ok::<_, Failure>((failures, last)),
        }
    };
    let (found, last) = caller.answer_in_place(finding).await?;
    let next = last.map(|last| next_page(&uri, last));
    if format == Format::Xlsx {
        return Ok(respond(format, from, next, Body::from(found.concat())));
    }
    let names = if from == 0 { style.names()? } else { Bytes::new() };
    let rows = std::iter::once(names).chain(found);
    let parts = in_parts(&rows.collect::<Vec<_>>()).into_iter().map(Ok::<_, io::Error>);
    Ok(respond(format, from, next, Body::from_stream(stream::iter(parts))))
}

/// Returns rows in parts of at most [`PART_BYTES`], or of one row.
fn in_parts(rows: &[Bytes]) -> Vec<Bytes> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for row in rows.iter().filter(|row| !row.is_empty()) {
        match parts.last_mut() {
            Some(part) if part.len() + row.len() <= PART_BYTES => part.extend_from_slice(row),
            _ => parts.push(row.to_vec()),
        }
    }
    parts.into_iter().map(Bytes::from).collect()
}

/// Returns the address of the page after a photo, relative to that of this page.
fn next_page(uri: &Uri, last: u64) -> HeaderValue {
    let mut others = String::new();
    for pair in uri.query().unwrap_or_default().split('&') {
        let name = pair.split('=').next().unwrap_or_default();
        if !pair.is_empty() && !["from", "after"].contains(&name) {
            others.push_str(pair);
            others.push('&');
        }
    }
    let link = format!("<?{others}after={last}>; rel=\"next\"");
    HeaderValue::try_from(link).expect("the query of an address and digits")
}

/// Returns the answer with rows in a format. A table that does not start at the first photo has no
/// header row.
fn respond(format: Format, from: u64, next: Option<HeaderValue>, body: Body) -> Response {
    let kind = match format {
        Format::Jsonl => "application/jsonl",
        Format::Csv if from == 0 => "text/csv; charset=utf-8; header=present",
        Format::Csv => "text/csv; charset=utf-8; header=absent",
        Format::Xlsx => WORKBOOK,
    };
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (VARY, HeaderValue::from(ACCEPT)),
        (CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
    ];
    let mut response = (headers, body).into_response();
    if format == Format::Xlsx {
        let named = HeaderValue::from_static("attachment; filename=\"results.xlsx\"");
        response.headers_mut().insert(CONTENT_DISPOSITION, named);
    }
    if let Some(next) = next {
        response.headers_mut().insert(LINK, next);
    }
    response
}

/// Returns the format that `Accept` names; lines by default.
fn accepted(headers: &HeaderMap) -> Format {
    let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).find_map(format_of).unwrap_or(Format::Jsonl)
}

/// Returns the format of a media type with its parameters.
fn format_of(kind: &str) -> Option<Format> {
    match kind.split(';').next()?.trim() {
        "text/csv" => Some(Format::Csv),
        WORKBOOK => Some(Format::Xlsx),
        "application/jsonl" | "application/x-ndjson" | "application/json" => Some(Format::Jsonl),
        _ => None,
    }
}
