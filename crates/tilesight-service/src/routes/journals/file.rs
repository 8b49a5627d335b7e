//! Files for spreadsheets: the format that a request asks for, and the answer with the file.

use axum::http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tilesight_jobs::Revision;
use tilesight_jobs::sheet::CsvStyle;
use tilesight_jobs::table_file::SheetFormat;
use tilesight_jobs::workbook::WORKBOOK;
use utoipa::{IntoParams, ToSchema};

use super::revision_headers;
use crate::answer::failure::Failure;
use crate::input::query::{Pairs, Parameters, take_name};

/// Format of a table as a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ExportFormat {
    /// Comma-separated values.
    Csv,
    /// Workbook of Excel.
    Xlsx,
}

/// Format of a table as a file, and the style of its CSV.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::routes) struct ExportQuery {
    /// Format of the file; when absent, `csv` if its style is given, and otherwise as `Accept`
    /// says.
    #[param(inline)]
    format: Option<ExportFormat>,
    /// Style of the CSV; `excel` is UTF-8 with a byte order mark, semicolons and decimal commas.
    #[param(required = false, inline)]
    csv: CsvStyle,
}

impl Parameters for ExportQuery {
    fn take(pairs: &mut Pairs) -> Result<ExportQuery, Failure> {
        let csv: Option<CsvStyle> = take_name(pairs, "csv")?;
        // A style of the table asks for the table.
        let table = csv.map(|_| ExportFormat::Csv);
        let format = take_name(pairs, "format")?.or(table);
        Ok(ExportQuery { format, csv: csv.unwrap_or_default() })
    }
}

impl ExportQuery {
    /// Returns the format of the file; by default the one that `Accept` names.
    pub(in crate::routes) fn format(&self, headers: &HeaderMap) -> SheetFormat {
        match self.format.unwrap_or_else(|| accepted(headers)) {
            ExportFormat::Csv => SheetFormat::Csv(self.csv),
            ExportFormat::Xlsx => SheetFormat::Workbook,
        }
    }
}

/// Returns the answer with a file, whose name a browser proposes.
pub(in crate::routes) fn file_answer(
    name: &str,
    format: SheetFormat,
    revision: Revision,
    body: impl IntoResponse,
) -> Response {
    let proposed = format!("attachment; filename=\"{name}.{}\"", format.extension());
    let disposition = HeaderValue::try_from(proposed).expect("names have plain letters");
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(format.media_type())),
        (CONTENT_DISPOSITION, disposition),
        (VARY, HeaderValue::from(ACCEPT)),
    ];
    (headers, revision_headers(revision), body).into_response()
}

/// Returns the format that `Accept` names; CSV by default.
fn accepted(headers: &HeaderMap) -> ExportFormat {
    let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let named = values.flat_map(|value| value.split(',')).find_map(format_of);
    named.unwrap_or(ExportFormat::Csv)
}

/// Returns the format of a media type with its parameters.
fn format_of(kind: &str) -> Option<ExportFormat> {
    match kind.split(';').next()?.trim() {
        "text/csv" => Some(ExportFormat::Csv),
        WORKBOOK => Some(ExportFormat::Xlsx),
        _ => None,
    }
}
