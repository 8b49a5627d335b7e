//! The engine and the reader of photos for Python.
//!
//! Input: Python texts, dictionaries and bytes. Output: typed scores, and JSON that the Python half
//! of the package (`python/tilesight`) turns into objects. Invariants: a problem becomes an
//! exception of that half; long work runs without the interpreter's lock.

mod context;
mod error;
mod mahjong_gb;
mod reader;
mod rules;
mod score;

use pyo3::prelude::*;

/// Native half of the package.
#[pymodule(gil_used = false)]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::mahjong_gb::mahjong_fan_calculator;
    #[pymodule_export]
    use super::reader::NativeReader;
    #[pymodule_export]
    use super::rules::NativeRules;
    #[pymodule_export]
    use super::score::{Score, Scores};

    /// Adds the version of the package.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
