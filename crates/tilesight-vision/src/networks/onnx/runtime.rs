//! Checks that everything runs: the version of an ONNX Runtime library, and the networks' first
//! run.

use crate::networks::CropSpec;
use crate::networks::onnx::session::open_library;
use crate::networks::{Cells, Model, ModelError, Planes, TrustedFile};

/// A library that could be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runtime {
    /// Branch, commit and flags that the library was built from.
    pub build: String,
    /// Execution providers with the kind of device that each found on this machine.
    pub providers: Vec<String>,
}

impl Runtime {
    /// Loads the library and reads its version and devices.
    ///
    /// # Errors
    /// [`ModelError::WrongLibrary`] when the library cannot be loaded, or is too old.
    pub fn inspect(library: &TrustedFile) -> Result<Runtime, ModelError> {
        let environment = open_library(library)?;
        let devices = environment.devices().filter_map(|device| {
            let kind = format!("{:?}", device.hardware_device().ty()).to_uppercase();
            Some(format!("{} ({kind})", device.ep().ok()?))
        });
        Ok(Runtime { build: ort::info().to_owned(), providers: devices.collect() })
    }
}

/// Runs each network once, on a grey picture. The first run allocates memory, and it reveals a
/// network with an output of another shape than specified before the first photo does.
///
/// # Errors
/// [`ModelError::Failed`] when a network does not run.
pub fn warm_up(model: &dyn Model) -> Result<(), ModelError> {
    let largest = model.manifest().detector.sizes.iter().max().copied().unwrap_or_default();
    let side = usize::try_from(largest).unwrap_or_default();
    model.detect(&Cells::grey(side, side))?;
    if let Some(refiner) = &model.manifest().refiner {
        model.refine(&grey_crop(&refiner.crop))?;
    }
    let crop = grey_crop(&model.manifest().classifier.crop);
    let rows = model.classify(&crop)?;
    model.classify_large(&crop, &rows.embeddings)?;
    Ok(())
}

fn grey_crop(spec: &CropSpec) -> Planes {
    Planes::filled(1, 3, spec.input[0], spec.input[1], 0.5)
}
