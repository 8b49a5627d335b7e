//! `--device`: the device that the networks run on, for every command that reads photos. The
//! service takes it from its settings.

use tilesight_vision::ModelPaths;
use tilesight_vision::networks::DeviceChoice;

use crate::config::choice::one_of;

/// Device that the networks run on.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(in crate::cli) struct DeviceArgs {
    /// Device to run the networks on: cpu, cuda (an NVIDIA GPU), or auto, which uses a GPU if
    /// possible
    #[arg(
        long,
        env = "TILESIGHT_DEVICE",
        value_parser = one_of(&DeviceChoice::ALL, DeviceChoice::name),
        default_value_t,
        value_name = "DEVICE",
        hide_possible_values = true
    )]
    pub device: DeviceChoice,
}

impl DeviceArgs {
    /// Returns the paths of library and models for this device.
    #[must_use]
    pub(in crate::cli) fn paths(self) -> ModelPaths {
        ModelPaths::from_environment().with_device(self.device)
    }
}
