//! The score of a hand as a Python object.

use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use tilesight_core::contract::{
    ContextDto, HandInput, Problem, ScoreDto, ScoreRequest, TotalScorer,
};
use tilesight_core::explain::Lang;
use tilesight_engine::Engine;

use crate::error::{exception, exception_object};

/// Itemised score of a hand.
///
/// The total is computed at once, everything else when it is first asked for.
#[pyclass(frozen, module = "tilesight")]
pub(crate) struct Score {
    total: u32,
    /// Hand to score for the details; `None` where the details were given.
    source: Option<Source>,
    details: PyOnceLock<Py<PyDict>>,
}

/// Hand of a score, and the parameters of its scoring.
#[derive(Debug)]
struct Source {
    hand: GivenHand,
    setting: Setting,
}

/// A hand to score.
#[derive(Debug)]
pub(crate) enum GivenHand {
    /// A line of notation, which Python owns.
    Notation(PyBackedStr),
    /// Any hand, with a win context of its own.
    Request(Box<ScoreRequest>),
}

/// Parameters of scoring that the hands of a call share.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) engine: Arc<Engine>,
    pub(crate) lang: Lang,
    /// Win context of the hands in notation.
    pub(crate) context: ContextDto,
}

impl Setting {
    /// Returns a scorer for the hands in notation, or the reason why none of them can be scored.
    pub(crate) fn scorer(&self) -> Result<TotalScorer<'_>, Problem> {
        TotalScorer::new(self.engine.book(), &self.context)
    }
}

impl GivenHand {
    /// Computes the total, for a hand in notation with the scorer of its setting.
    ///
    /// # Errors
    /// A [`Problem`] if the text is larger than a request may be, if the hand does not win, or if
    /// its context or the hands of the others contradict it.
    pub(crate) fn total(
        &self,
        engine: &Engine,
        scorer: &mut Result<TotalScorer<'_>, Problem>,
    ) -> Result<u32, Problem> {
        match self {
            GivenHand::Notation(text) => match scorer {
                Ok(scorer) => scorer.score_notation(text),
                Err(problem) => Err(problem.clone()),
            },
            GivenHand::Request(request) => {
                if let HandInput::Notation(text) = &request.hand {
                    ScoreRequest::check_size(text.as_bytes())?;
                }
                request.total(engine.book())
            }
        }
    }

    fn clone_ref(&self, py: Python<'_>) -> GivenHand {
        match self {
            GivenHand::Notation(text) => GivenHand::Notation(text.clone_ref(py)),
            GivenHand::Request(request) => GivenHand::Request(request.clone()),
        }
    }
}

impl Score {
    /// Computes the total of a hand.
    ///
    /// # Errors
    /// The errors of [`GivenHand::total`].
    pub(crate) fn new(hand: GivenHand, setting: Setting) -> Result<Score, Problem> {
        let total = hand.total(&setting.engine, &mut setting.scorer())?;
        Ok(Score { total, source: Some(Source { hand, setting }), details: PyOnceLock::new() })
    }

    fn details<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyDict>> {
        let details = self.details.get_or_try_init(py, || match &self.source {
            Some(source) => {
                let dict = pythonize::pythonize(py, &source.dto(py)?)?;
                Ok::<_, PyErr>(dict.cast_into::<PyDict>().map_err(PyErr::from)?.unbind())
            }
            None => Err(PyKeyError::new_err("the score has no details")),
        })?;
        Ok(details.bind(py))
    }

    fn field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.details(py)?.as_any().get_item(name)
    }

    /// Returns a field of the score, converted by a function of the Python half.
    fn object<'py>(&self, py: Python<'py>, name: &str, by: &str) -> PyResult<Bound<'py, PyAny>> {
        let field = self.field(py, name)?;
        py.import("tilesight._objects")?.getattr(by)?.call1((field,))
    }
}

impl Source {
    fn dto(&self, py: Python<'_>) -> PyResult<ScoreDto> {
        let lang = self.setting.lang;
        self.score(lang).map_err(|problem| exception(py, problem, lang))
    }

    fn score(&self, lang: Lang) -> Result<ScoreDto, Problem> {
        let Setting { engine, context, .. } = &self.setting;
        let prepared = match &self.hand {
            GivenHand::Request(request) => request.prepare(engine.book()),
            GivenHand::Notation(text) => {
                let hand = HandInput::Notation(text.to_string());
                ScoreRequest { context: *context, ..hand.into() }.prepare(engine.book())
            }
        };
        Ok(prepared?.score()?.to_dto(lang))
    }
}

#[pymethods]
impl Score {
    /// Returns the score that `to_dict` or an answer of the HTTP service describes.
    #[staticmethod]
    fn from_dict(score: &Bound<'_, PyDict>) -> PyResult<Score> {
        let total = score
            .get_item("total")?
            .ok_or_else(|| PyKeyError::new_err("a score needs its `total`"))?
            .extract()?;
        let copy = score.py().import("copy")?.getattr("deepcopy")?.call1((score,))?;
        let details = PyOnceLock::new();
        let _ = details.set(score.py(), copy.cast_into::<PyDict>().map_err(PyErr::from)?.unbind());
        Ok(Score { total, source: None, details })
    }

    /// Points that hands are compared by: all points, flowers included.
    #[getter]
    fn total(&self) -> u32 {
        self.total
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
        // A score consists of texts and numbers, which can always be written as JSON.
        match &self.source {
            Some(source) => Ok(serde_json::to_string(&source.dto(py)?).unwrap_or_default()),
            None => {
                let value: serde_json::Value = pythonize::depythonize(self.details(py)?)?;
                Ok(value.to_string())
            }
        }
    }

    fn __repr__(&self) -> String {
        format!("<Score {}>", self.total)
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
    pub(crate) hands: Vec<GivenHand>,
    /// Total of each hand.
    pub(crate) totals: Vec<Result<u32, Box<Problem>>>,
    pub(crate) setting: Setting,
}

#[pymethods]
impl Scores {
    fn __len__(&self) -> usize {
        self.totals.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, at: isize) -> PyResult<Bound<'py, PyAny>> {
        // Python counts negative places from the end.
        let place = if at < 0 { at + self.totals.len() as isize } else { at };
        let score =
            usize::try_from(place).ok().and_then(|at| self.hands.get(at).zip(self.totals.get(at)));
        match score.ok_or_else(|| PyIndexError::new_err(format!("no score {at}")))? {
            (hand, Ok(total)) => {
                let source =
                    Some(Source { hand: hand.clone_ref(py), setting: self.setting.clone() });
                let score = Score { total: *total, source, details: PyOnceLock::new() };
                Ok(Bound::new(py, score)?.into_any())
            }
            (_, Err(problem)) => exception_object(py, (**problem).clone(), self.setting.lang),
        }
    }

    /// Totals of all hands, with `None` for a hand that can't be scored.
    #[getter]
    fn totals(&self) -> Vec<Option<u32>> {
        self.totals.iter().map(|total| total.as_ref().ok().copied()).collect()
    }
}
