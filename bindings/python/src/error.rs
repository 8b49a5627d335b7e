//! Problems as Python exceptions.

use pyo3::prelude::*;
use pyo3::types::PyAnyMethods;
use tilesight_core::contract::Problem;
use tilesight_core::explain::Lang;

/// Returns the exception for a problem, with texts in a language. Its class is chosen by
/// `tilesight._problems`.
pub(crate) fn exception(py: Python<'_>, problem: Problem, lang: Lang) -> PyErr {
    match exception_object(py, problem, lang) {
        Ok(object) => PyErr::from_value(object),
        Err(error) => error,
    }
}

/// Like [`exception`], as an object.
pub(crate) fn exception_object(
    py: Python<'_>,
    problem: Problem,
    lang: Lang,
) -> PyResult<Bound<'_, PyAny>> {
    // A problem consists of texts and numbers, which can always be written as JSON.
    let json = serde_json::to_string(&problem.translate(lang)).unwrap_or_default();
    py.import("tilesight._problems")?.getattr("problem_from_json")?.call1((json,))
}
