//! Where the ONNX Runtime library is: named by the environment, or put beside the program by
//! `make setup`.

use std::path::{Path, PathBuf};

use super::{ModelError, ModelPaths};

/// The folder that `make setup` fills.
const FOLDER: &str = ".onnxruntime";

/// The library's name up to its version, by platform.
const NAME: &str = if cfg!(target_os = "macos") { "libonnxruntime" } else { "libonnxruntime.so" };

/// Finds the library: the given path first, then `.onnxruntime` in the current folder and in
/// every folder above the program, so that `target/release/tilesight` finds its package's.
///
/// # Errors
/// [`ModelError::NoLibrary`] names the places that were tried.
pub fn find_library(paths: &ModelPaths) -> Result<PathBuf, ModelError> {
    if let Some(given) = &paths.library {
        if given.is_file() {
            return Ok(given.clone());
        }
        return library_in(given)
            .ok_or_else(|| ModelError::NoLibrary { looked: "TILESIGHT_ONNXRUNTIME".to_owned() });
    }
    let program = std::env::current_exe().ok();
    let above = program.iter().flat_map(|program| program.ancestors().skip(1));
    std::iter::once(Path::new(""))
        .chain(above)
        .find_map(|folder| library_in(&folder.join(FOLDER)))
        .ok_or_else(|| ModelError::NoLibrary {
            looked: format!("TILESIGHT_ONNXRUNTIME and {FOLDER}/"),
        })
}

/// The library in a folder; the newest by name if there are several.
fn library_in(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with(NAME) && (NAME.ends_with(".so") || name.ends_with(".dylib"))
        })
        .max()
}
