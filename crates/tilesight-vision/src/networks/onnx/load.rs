//! Loading of the networks on the chosen device.
//!
//! Input: the location of library and models, and the choice. Output: a [`Model`], on a GPU wrapped
//! in [`BatchingModel`]. Invariant: a GPU has run every network before a photo arrives. If a GPU
//! cannot be used, `cuda` is an error, and `auto` falls back to the cores. A refused file is an
//! error in either case.

use crate::networks::{BatchingModel, DeviceChoice, Model, ModelError, ModelPaths, Onnx, warm_up};

/// Loads the networks. On the cores, `photos` is the number of photos that are read at the same
/// time, with a session for each; `None` opens as many sessions as [`Onnx::load`].
///
/// # Errors
/// [`ModelError`]: each message names in one line the command to run.
pub(crate) fn load(
    paths: &ModelPaths,
    photos: Option<usize>,
) -> Result<Box<dyn Model>, ModelError> {
    match paths.device {
        DeviceChoice::Cpu => load_on_cores(paths, photos),
        DeviceChoice::Cuda => load_on_gpu(paths),
        DeviceChoice::Auto => match load_on_gpu(paths) {
            Err(ModelError::NoGpu { .. }) => load_on_cores(paths, photos),
            loaded => loaded,
        },
    }
}

fn load_on_cores(paths: &ModelPaths, photos: Option<usize>) -> Result<Box<dyn Model>, ModelError> {
    Ok(match photos {
        Some(photos) => Box::new(Onnx::load_sessions(paths, photos)?),
        None => Box::new(Onnx::load(paths)?),
    })
}

/// Loads the networks on a GPU and runs them once. The first run loads the rest of CUDA's
/// libraries, so it is part of the test whether the GPU can be used.
fn load_on_gpu(paths: &ModelPaths) -> Result<Box<dyn Model>, ModelError> {
    let model = BatchingModel::new(Onnx::load_on_gpu(paths)?);
    warm_up(&model).map_err(ModelError::no_gpu)?;
    Ok(Box::new(model))
}
