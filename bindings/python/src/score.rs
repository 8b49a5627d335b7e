//! The score of a hand as a Python object.

use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyIterator, PyList, PySlice, PyTuple, PyType};
use tilesight_core::contract::{
    ContextDto, HandInput, Problem, ScoreDto, ScoreRequest, TotalScorer,
};
use tilesight_core::explain::Lang;
use tilesight_engine::Engine;

use crate::error::{exception, exception_object};

/// Itemised score of a hand.
///
/// The total is computed at once, everything else when it is first asked for. `tilesight._score`
/// attaches the properties of the fields.
#[pyclass(frozen, module = "tilesight")]
pub(crate) struct Score {
    total: u32,
    /// Hand to score for the details; `None` where the details were given.
    source: Option<Source>,
    details: PyOnceLock<Py<PyDict>>,
    /// Fields as objects, as far as they were asked for.
    fields: PyOnceLock<Py<PyDict>>,
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
        Ok(Score::from_source(total, Source { hand, setting }))
    }

    fn from_source(total: u32, source: Source) -> Score {
        Score { total, source: Some(source), details: PyOnceLock::new(), fields: PyOnceLock::new() }
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
    fn from_dict(score: &Bound<'_, PyAny>) -> PyResult<Score> {
        let py = score.py();
        let copied = py.import("copy")?.call_method1("deepcopy", (score,))?;
        let copy = py.get_type::<PyDict>().call1((copied,))?.cast_into::<PyDict>()?;
        let total = copy
            .get_item("total")?
            .ok_or_else(|| PyKeyError::new_err("a score needs its `total`"))?
            .extract()?;
        let details = PyOnceLock::new();
        let _ = details.set(py, copy.unbind());
        Ok(Score { total, source: None, details, fields: PyOnceLock::new() })
    }

    /// Points that hands are compared by: all points, flowers included.
    #[getter]
    fn total(&self) -> u32 {
        self.total
    }

    /// Returns a field, which `build` makes of the JSON and the field's name when it is first asked
    /// for. A dictionary, which the caller could change, is made each time.
    fn cached<'py>(&self, name: &str, build: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = build.py();
        let fields = self.fields.get_or_init(py, || PyDict::new(py).unbind()).bind(py);
        if let Some(built) = fields.get_item(name)? {
            return Ok(built);
        }
        let built = build.call1((self.details(py)?, name))?;
        if !built.is_instance_of::<PyDict>() {
            fields.set_item(name, &built)?;
        }
        Ok(built)
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

    fn __eq__(&self, py: Python<'_>, other: &Score) -> PyResult<bool> {
        Ok(self.total == other.total && self.details(py)?.eq(other.details(py)?)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        let details = self.details(py)?;
        let values = ["total", "verdict", "payments"].map(|name| details.get_item(name));
        let parts = values.into_iter().collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, parts)?.repr()?.hash()
    }

    fn __copy__(slf: Bound<'_, Score>) -> Bound<'_, Score> {
        slf
    }

    #[pyo3(signature = (_memo, /))]
    fn __deepcopy__<'py>(slf: Bound<'py, Score>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Score> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let build = py.import("tilesight._score")?.getattr("score_from_json")?;
        Ok((build, (self.to_json(py)?,)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let ruleset = self.details(py)?.get_item("ruleset")?;
        let by = ruleset.and_then(|ruleset| ruleset.extract::<String>().ok());
        Ok(format!("<Score {} by {}>", self.total, by.as_deref().unwrap_or("other rules")))
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

    fn __getitem__<'py>(&self, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = at.py();
        if let Ok(slice) = at.cast::<PySlice>() {
            let range = slice.indices(self.totals.len() as isize)?;
            let places =
                (0..range.slicelength).map(|step| range.start + step as isize * range.step);
            let scores = places.map(|place| self.one(py, place as usize));
            return Ok(PyList::new(py, scores.collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        let at: isize = at.extract()?;
        // Python counts negative places from the end.
        let from_start = if at < 0 { at + self.totals.len() as isize } else { at };
        let place = usize::try_from(from_start).ok().filter(|&place| place < self.totals.len());
        self.one(py, place.ok_or_else(|| PyIndexError::new_err(format!("no score {at}")))?)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let scores = (0..self.totals.len()).map(|place| self.one(py, place));
        PyList::new(py, scores.collect::<PyResult<Vec<_>>>()?)?.try_iter()
    }

    #[classmethod]
    #[pyo3(signature = (kind, /))]
    fn __class_getitem__<'py>(
        cls: &Bound<'py, PyType>,
        kind: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        cls.py().import("types")?.call_method1("GenericAlias", (cls, kind))
    }

    fn __repr__(&self) -> String {
        let problems = self.totals.iter().filter(|total| total.is_err()).count();
        format!("<Scores of {} hands, {problems} problems>", self.totals.len())
    }

    /// Totals of all hands, with `None` for a hand that can't be scored.
    #[getter]
    fn totals(&self) -> Vec<Option<u32>> {
        self.totals.iter().map(|total| total.as_ref().ok().copied()).collect()
    }

    /// Problems of the hands that can't be scored, by their place.
    #[getter]
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let problems = PyDict::new(py);
        for (place, total) in self.totals.iter().enumerate() {
            if total.is_err() {
                problems.set_item(place, self.one(py, place)?)?;
            }
        }
        Ok(problems)
    }
}

impl Scores {
    /// Returns the score at a place, or the exception in its stead.
    fn one<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyAny>> {
        match &self.totals[place] {
            Ok(total) => {
                let hand = self.hands[place].clone_ref(py);
                let source = Source { hand, setting: self.setting.clone() };
                Ok(Bound::new(py, Score::from_source(*total, source))?.into_any())
            }
            Err(problem) => exception_object(py, (**problem).clone(), self.setting.lang),
        }
    }
}
