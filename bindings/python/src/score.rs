//! The score of a hand as a Python object.

use std::sync::Arc;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use tilesight_core::contract::{HandInput, Problem, ScoreDto, ScoreRequest};
use tilesight_core::explain::Lang;
use tilesight_engine::Engine;

use crate::error::{exception, exception_object};

/// Itemised score of a hand.
///
/// The total is computed at once, everything else when it is first asked for.
#[pyclass(frozen, module = "tilesight")]
pub(crate) struct Score {
    content: Total,
    details: PyOnceLock<Py<PyDict>>,
}

/// Total of a hand, with everything that its details are computed from.
#[derive(Debug, Clone)]
pub(crate) struct Total {
    total: u32,
    request: ScoreRequest,
    engine: Arc<Engine>,
    lang: Lang,
}

impl Total {
    /// Computes the total of a hand.
    ///
    /// # Errors
    /// A [`Problem`] if the text is larger than a request may be, if the hand does not win, or if
    /// its context or the hands of the others contradict it.
    pub(crate) fn new(
        request: ScoreRequest,
        engine: &Arc<Engine>,
        lang: Lang,
    ) -> Result<Total, Problem> {
        if let HandInput::Notation(text) = &request.hand {
            ScoreRequest::check_size(text.as_bytes())?;
        }
        let total = request.total(engine.book())?;
        Ok(Total { total, request, engine: Arc::clone(engine), lang })
    }

    fn details(&self) -> Result<ScoreDto, Problem> {
        Ok(self.request.prepare(self.engine.book())?.score()?.to_dto(self.lang))
    }
}

impl From<Total> for Score {
    fn from(content: Total) -> Score {
        Score { content, details: PyOnceLock::new() }
    }
}

impl Score {
    fn dto(&self, py: Python<'_>) -> PyResult<ScoreDto> {
        let Total { lang, .. } = self.content;
        self.content.details().map_err(|problem| exception(py, problem, lang))
    }

    fn details<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyDict>> {
        let details = self.details.get_or_try_init(py, || {
            let dict = pythonize::pythonize(py, &self.dto(py)?)?;
            Ok::<_, PyErr>(dict.cast_into::<PyDict>().map_err(PyErr::from)?.unbind())
        })?;
        Ok(details.bind(py))
    }

    /// Returns a field of the score.
    fn field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.details(py)?.as_any().get_item(name)
    }

    /// Returns a field of the score, converted by a function of the Python half.
    fn object<'py>(&self, py: Python<'py>, name: &str, by: &str) -> PyResult<Bound<'py, PyAny>> {
        let field = self.field(py, name)?;
        py.import("tilesight._objects")?.getattr(by)?.call1((field,))
    }
}

#[pymethods]
impl Score {
    /// Points that hands are compared by: all points, flowers included.
    #[getter]
    fn total(&self) -> u32 {
        self.content.total
    }

    /// Rule set that was applied.
    #[getter]
    fn ruleset<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "ruleset")
    }

    /// True if the minimum of a legal win is reached.
    #[getter]
    fn legal(&self, py: Python<'_>) -> PyResult<bool> {
        self.field(py, "legal")?.extract()
    }

    /// Explanation of the total and of the minimum; empty if there is nothing to explain.
    #[getter]
    fn verdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "verdict")
    }

    /// Lines that count, as a tuple of `Award`.
    #[getter]
    fn awards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.object(py, "awards", "awards_from")
    }

    /// Lines that the hand shows but that do not count, as a tuple of `Exclusion`.
    #[getter(excluded)]
    fn exclusions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.object(py, "excluded", "exclusions_from")
    }

    /// Decomposition of the hand that scores most, as a tuple of `ScoredSet`.
    #[getter]
    fn sets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.object(py, "sets", "sets_from")
    }

    /// Gain or loss of every seat, by `E`, `S`, `W` and `N`.
    #[getter]
    fn payments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "payments")?.call_method0("copy")
    }

    /// Context fields that got a default, as a list of names.
    #[getter]
    fn assumed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "assumed")?.call_method0("copy")
    }

    /// Returns the whole score as the contract's JSON has it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let details = self.details(py)?;
        py.import("copy")?.getattr("deepcopy")?.call1((details,))
    }

    /// Returns the whole score as a line of JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let dto = self.dto(py)?;
        // A score consists of texts and numbers, which can always be written as JSON.
        Ok(serde_json::to_string(&dto).unwrap_or_default())
    }

    fn __repr__(&self) -> String {
        format!("<Score {}>", self.content.total)
    }

    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let details = self.details(py)?;
        py.import("tilesight._html")?.getattr("score_html")?.call1((details,))
    }
}

/// Scores of many hands, in their order: a sequence of `Score`, with an exception in the place of a
/// hand that can't be scored.
#[pyclass(frozen, sequence, module = "tilesight")]
#[derive(Debug)]
pub(crate) struct Scores {
    scores: Vec<Result<Total, Problem>>,
    lang: Lang,
}

impl Scores {
    pub(crate) fn new(scores: Vec<Result<Total, Problem>>, lang: Lang) -> Scores {
        Scores { scores, lang }
    }
}

#[pymethods]
impl Scores {
    fn __len__(&self) -> usize {
        self.scores.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, at: isize) -> PyResult<Bound<'py, PyAny>> {
        // Python counts negative places from the end.
        let place = if at < 0 { at + self.scores.len() as isize } else { at };
        let score = usize::try_from(place).ok().and_then(|place| self.scores.get(place));
        match score.ok_or_else(|| PyIndexError::new_err(format!("no score {at}")))? {
            Ok(total) => Ok(Bound::new(py, Score::from(total.clone()))?.into_any()),
            Err(problem) => exception_object(py, problem.clone(), self.lang),
        }
    }

    /// Totals of all hands, with `None` for a hand that can't be scored.
    #[getter]
    fn totals(&self) -> Vec<Option<u32>> {
        self.scores.iter().map(|score| score.as_ref().ok().map(|score| score.total)).collect()
    }
}
