//! `--device`: what the networks run on, of every command that reads photos. The service takes it
//! from its settings.

use crate::pipeline::ModelPaths;
use crate::pipeline::model::DeviceChoice;

/// What the networks run on.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct DeviceArgs {
    /// What the networks run on: cpu, cuda (an NVIDIA GPU), or auto, which takes a GPU where it can
    /// be used
    #[arg(
        long,
        env = "TILESIGHT_DEVICE",
        value_enum,
        default_value_t,
        value_name = "DEVICE",
        hide_possible_values = true
    )]
    pub device: DeviceChoice,
}

impl DeviceArgs {
    /// Where library and models are for this device.
    #[must_use]
    pub fn paths(self) -> ModelPaths {
        ModelPaths::from_environment().on(self.device)
    }
}
