//! Rule sets, and the scoring of hands by them.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyMemoryView, PyString};
use rayon::prelude::*;
use tilesight_core::contract::{HandInput, Problem, ScoreRequest};
use tilesight_core::explain::Lang;
use tilesight_engine::{Answer, Engine, head_and_bytes, photo};

use crate::context::{context, convert, hand, lang};
use crate::error::exception;
use crate::score::{GivenHand, Score, Scores, Setting};

/// Minimum number of hands that a thread scores at a time: a tenth of a millisecond of work, so
/// that starting it costs little.
const MIN_HANDS_PER_THREAD: usize = 100;

/// Native half of `Rules`.
#[pyclass(frozen, module = "tilesight")]
#[derive(Debug)]
pub(crate) struct NativeRules {
    engine: Arc<Engine>,
}

impl NativeRules {
    pub(crate) fn engine(&self) -> Arc<Engine> {
        Arc::clone(&self.engine)
    }
}

#[pymethods]
impl NativeRules {
    /// Creates a book of the shipped rule sets and of others, given as the texts of profile files.
    #[new]
    fn new(py: Python<'_>, profiles: Vec<String>) -> PyResult<NativeRules> {
        let mut engine = Engine::shipped();
        for profile in &profiles {
            engine.install(profile).map_err(|problem| exception(py, problem, Lang::En))?;
        }
        Ok(NativeRules { engine: Arc::new(engine) })
    }

    /// Scores a hand.
    #[pyo3(signature = (hand, *, others = None, lang = None, **context))]
    fn score(
        &self,
        py: Python<'_>,
        hand: &Bound<'_, PyAny>,
        others: Option<&Bound<'_, PyAny>>,
        lang: Option<&str>,
        context: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Score> {
        let lang = self::lang(lang)?;
        let context = self::context(context, lang)?;
        let hand = match (hand.cast::<PyString>(), others) {
            (Ok(text), None) => GivenHand::Notation(text.clone().try_into()?),
            (_, others) => {
                let others =
                    others.map_or(Ok(Vec::new()), |others| convert(others, "others", lang))?;
                let request = ScoreRequest { hand: self::hand(hand, lang)?, context, others };
                GivenHand::Request(Box::new(request))
            }
        };
        let setting = Setting { engine: self.engine(), lang, context };
        Score::new(hand, setting).map_err(|problem| exception(py, problem, lang))
    }

    /// Scores many hands on all cores, without the interpreter's lock. Each is a hand, or a
    /// dictionary with `hand`, `context` and `others`. Bytes are lines of notation. With
    /// `keep_errors`, a hand that can't be scored has an exception in its place.
    #[pyo3(signature = (hands, *, keep_errors = false, lang = None, **context))]
    fn score_many(
        &self,
        py: Python<'_>,
        hands: &Bound<'_, PyAny>,
        keep_errors: bool,
        lang: Option<&str>,
        context: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Scores> {
        let lang = self::lang(lang)?;
        let context = self::context(context, lang)?;
        let setting = Setting { engine: self.engine(), lang, context };
        let hands = self::hands(hands, &setting)?;
        let mut totals = py.detach(|| {
            let parts = hands.par_iter().with_min_len(MIN_HANDS_PER_THREAD);
            let scored = parts.map_init(
                || setting.scorer(),
                |scorer, hand| hand.total(&setting.engine, scorer).map_err(Box::new),
            );
            scored.collect::<Vec<_>>()
        });
        for (at, total) in totals.iter_mut().enumerate() {
            let Err(problem) = &*total else { continue };
            let part = format!("hands[{at}]");
            let problem = Problem::clone(problem);
            let named = if problem.errors.is_empty() {
                problem.about(&part)
            } else {
                problem.prefix_fields(&part)
            };
            if !keep_errors {
                return Err(exception(py, named, lang));
            }
            *total = Err(Box::new(named));
        }
        Ok(Scores { hands, totals, setting })
    }

    /// Answers a request of the contract by its name, as JSON.
    #[pyo3(signature = (name, body, lang = None, at = 0))]
    fn request<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        body: &[u8],
        lang: Option<&str>,
        at: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let lang = self::lang(lang)?;
        let engine = &self.engine;
        let answer: Answer = match name {
            "scores" => engine.score(body, lang),
            "rulesets" => engine.rulesets(lang),
            "hand" => engine.hand(body),
            "begin" => engine.begin(body),
            "change" => {
                let (record, change) = head_and_bytes(body);
                engine.change(record, change, at)
            }
            "view" => engine.view(body, lang),
            "table" => engine.table(body),
            "answers" => photo::answers(engine, body, lang),
            _ => {
                return Err(pyo3::exceptions::PyValueError::new_err(format!(
                    "no request {name:?}"
                )));
            }
        };
        answer.map(|json| PyBytes::new(py, &json)).map_err(|problem| exception(py, problem, lang))
    }
}

/// Reads the hands of `score_many`.
fn hands(hands: &Bound<'_, PyAny>, setting: &Setting) -> PyResult<Vec<GivenHand>> {
    let py = hands.py();
    if hands.is_instance_of::<PyMemoryView>() {
        return self::hands(&hands.call_method0("tobytes")?, setting);
    }
    if let Ok(bytes) = hands.extract::<PyBackedBytes>() {
        let text = std::str::from_utf8(&bytes)
            .map_err(|error| pyo3::exceptions::PyValueError::new_err(format!("hands: {error}")))?;
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        return lines
            .map(|line| PyString::new(py, line).try_into().map(GivenHand::Notation))
            .collect();
    }
    let mut given = Vec::with_capacity(hands.len().unwrap_or(0));
    for item in hands.try_iter()? {
        given.push(match item?.cast_into::<PyString>() {
            Ok(text) => GivenHand::Notation(text.try_into()?),
            Err(other) => {
                let field = format!("hands[{}]", given.len());
                GivenHand::Request(Box::new(request(&other.into_inner(), &field, setting)?))
            }
        });
    }
    Ok(given)
}

/// Reads a hand of `score_many` that is no text: field by field, with the context of the call, or
/// within a dictionary that has a context of its own.
fn request(item: &Bound<'_, PyAny>, field: &str, setting: &Setting) -> PyResult<ScoreRequest> {
    let Setting { lang, context, .. } = setting;
    let is_hand = item.hasattr("concealed")? || item.contains("concealed").unwrap_or_default();
    if !is_hand {
        return convert(item, field, *lang);
    }
    let hand: HandInput = convert(item, field, *lang)?;
    Ok(ScoreRequest { context: *context, ..hand.into() })
}
