//! Loads the models of a process that reads photos until it is stopped.

use tilesight_vision::networks::warm_up;
use tilesight_vision::sets::{OwnSet, SetError};
use tilesight_vision::{DecodeLimits, ModelPaths, Reader};

/// Loads the models and runs each once, so that the first photo does not have to wait for it.
pub(in crate::cli) fn load(
    paths: &ModelPaths,
    limits: DecodeLimits,
    sets: Vec<OwnSet>,
) -> Result<Reader, SetError> {
    let reader = Reader::load(paths)?.with_limits(limits);
    warm_up(reader.model())?;
    reader.with_sets(sets)
}
