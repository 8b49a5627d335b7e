//! Arguments of Python as the types of the contract.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde::de::DeserializeOwned;
use tilesight_core::contract::{ContextDto, HandInput, Problem, ScoreRequest, read_value};
use tilesight_core::explain::Lang;

use crate::error::exception;

/// Name of the context field that is a keyword in Python, and its spelling there.
const KEYWORD: (&str, &str) = ("from", "from_");

/// Returns the language of a code; English without one.
pub(crate) fn lang(code: Option<&str>) -> PyResult<Lang> {
    code.map_or(Ok(Lang::En), |code| {
        code.parse()
            .map_err(|error| pyo3::exceptions::PyValueError::new_err(format!("lang: {error}")))
    })
}

/// Converts keyword arguments to a win context.
pub(crate) fn context(fields: Option<&Bound<'_, PyDict>>, lang: Lang) -> PyResult<ContextDto> {
    let Some(fields) = fields.filter(|fields| !fields.is_empty()) else {
        return Ok(ContextDto::default());
    };
    let (name, spelling) = KEYWORD;
    let renamed = match fields.get_item(spelling)? {
        None => fields.clone(),
        Some(value) => {
            let copy = fields.copy()?;
            copy.del_item(spelling)?;
            copy.set_item(name, value)?;
            copy
        }
    };
    convert(renamed.as_any(), "context", lang)
}

/// Converts a text or a dictionary to a hand.
pub(crate) fn hand(hand: &Bound<'_, PyAny>, lang: Lang) -> PyResult<HandInput> {
    match hand.cast::<PyString>() {
        Ok(text) => Ok(HandInput::Notation(text.to_str()?.to_owned())),
        Err(_) => convert(hand, "hand", lang),
    }
}

/// Converts an object. What can't be converted at once, such as an object of the package or a
/// context with Python's spelling, is converted once more by way of JSON, whose errors name the
/// field and the values that it takes.
pub(crate) fn convert<T: DeserializeOwned>(
    object: &Bound<'_, PyAny>,
    name: &str,
    lang: Lang,
) -> PyResult<T> {
    if let Ok(value) = pythonize::depythonize(object) {
        return Ok(value);
    }
    let py = object.py();
    let plain = py.import("tilesight._part")?.call_method1("plain", (object,))?;
    let json: String = py.import("json")?.call_method1("dumps", (plain,))?.extract()?;
    let read =
        ScoreRequest::check_size(json.as_bytes()).and_then(|()| read_value(json.as_bytes(), name));
    read.map_err(|problem: Problem| exception(py, problem, lang))
}
