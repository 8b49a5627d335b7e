//! The networks on the device that was chosen.
//!
//! Input: where library and models are, and the choice. Output: a [`Model`], on a GPU with
//! [`Batched`] around it. Invariant: a GPU has run every network before a photo comes; where one
//! can't be used, `cuda` is an error, and `auto` takes the cores. A file that is refused is an
//! error either way.

use crate::networks::{Batched, DeviceChoice, Model, ModelError, ModelPaths, Onnx, warm_up};

/// Loads the networks, on the cores with a session for each photo that is read at once; `None` is
/// one for each core.
///
/// # Errors
/// [`ModelError`]: each message says in one line what to run.
pub(crate) fn load(
    paths: &ModelPaths,
    at_once: Option<usize>,
) -> Result<Box<dyn Model>, ModelError> {
    match paths.device {
        DeviceChoice::Cpu => on_cores(paths, at_once),
        DeviceChoice::Cuda => on_gpu(paths),
        DeviceChoice::Auto => match on_gpu(paths) {
            Err(ModelError::NoGpu { .. }) => on_cores(paths, at_once),
            loaded => loaded,
        },
    }
}

fn on_cores(paths: &ModelPaths, at_once: Option<usize>) -> Result<Box<dyn Model>, ModelError> {
    Ok(match at_once {
        Some(at_once) => Box::new(Onnx::load_sessions(paths, at_once)?),
        None => Box::new(Onnx::load(paths)?),
    })
}

/// The first run loads the rest of CUDA's libraries, so that it is part of the question whether
/// the GPU can be used.
fn on_gpu(paths: &ModelPaths) -> Result<Box<dyn Model>, ModelError> {
    let model = Batched::new(Onnx::load_on_gpu(paths)?);
    warm_up(&model).map_err(ModelError::no_gpu)?;
    Ok(Box::new(model))
}
