//! Reading of photos.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_core::explain::Lang;
use tilesight_engine::{Answer, head_and_bytes, photo, sets};
use tilesight_vision::networks::DeviceChoice;
use tilesight_vision::{ModelPaths, Reader};

use crate::context::lang;
use crate::error::exception;
use crate::rules::NativeRules;

fn load(paths: &ModelPaths, own_sets: &[String]) -> Result<Reader, Problem> {
    let reader = Reader::load(paths)
        .map_err(|error| Problem::new(ProblemKind::Internal, error.to_string()))?;
    photo::with_sets(reader, own_sets)
}

/// Native half of `Reader`. Threads may share it.
#[pyclass(frozen, module = "tilesight")]
#[derive(Debug)]
pub(crate) struct NativeReader {
    reader: Reader,
}

#[pymethods]
impl NativeReader {
    /// Loads the networks of a folder, run by an ONNX Runtime library with this SHA-256, and own
    /// sets, given as the texts of their files.
    #[new]
    fn new(
        py: Python<'_>,
        models: PathBuf,
        library: PathBuf,
        library_sha256: String,
        own_sets: Vec<String>,
    ) -> PyResult<NativeReader> {
        let paths = ModelPaths {
            models: Some(models),
            models_sha256: None,
            library: Some(library),
            library_sha256: Some(library_sha256),
            device: DeviceChoice::Cpu,
        };
        let reader = py
            .detach(|| load(&paths, &own_sets))
            .map_err(|problem| exception(py, problem, Lang::En))?;
        Ok(NativeReader { reader })
    }

    /// Answers a request about photos by its name, as JSON or as the bytes of a file.
    #[pyo3(signature = (name, rules, body, lang = None))]
    fn request<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        rules: &Bound<'py, NativeRules>,
        body: &[u8],
        lang: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let lang = self::lang(lang)?;
        let engine = rules.get().engine();
        // Options and photos come in one buffer.
        let (options, bytes) = head_and_bytes(body);
        let ask: &(dyn Fn() -> Answer + Sync) = match name {
            "read" => &|| photo::read(&engine, &self.reader, options, bytes, lang),
            "sheet" => &|| sets::sheet(&self.reader, options, bytes),
            "merge" => &|| sets::merge(&self.reader, options, bytes),
            "learn" => &|| sets::learn_sheet(&self.reader, options, bytes),
            _ => {
                return Err(pyo3::exceptions::PyValueError::new_err(format!(
                    "no request {name:?}"
                )));
            }
        };
        let answer = py.detach(ask);
        answer.map(|bytes| PyBytes::new(py, &bytes)).map_err(|problem| exception(py, problem, lang))
    }
}
