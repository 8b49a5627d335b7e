//! Device that the networks run on: the processor's cores, or an accelerator.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Device that the networks run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Device {
    /// The processor's cores.
    Cpu,
    /// An NVIDIA GPU.
    Cuda,
}

impl Device {
    /// Returns the device's name as a setting and as a label.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Device::Cpu => "cpu",
            Device::Cuda => "cuda",
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Choice of the device that the networks run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceChoice {
    /// The processor's cores. This is the default, because a single photo is read before a GPU has
    /// started, and because each device rounds differently, so a GPU must be requested explicitly.
    #[default]
    Cpu,
    /// An NVIDIA GPU; fail if it cannot be used.
    Cuda,
    /// An NVIDIA GPU if it can be used, else the processor's cores.
    Auto,
}

impl DeviceChoice {
    /// All choices.
    pub const ALL: [DeviceChoice; 3] = [DeviceChoice::Cpu, DeviceChoice::Cuda, DeviceChoice::Auto];

    /// Returns the name of the choice in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DeviceChoice::Cpu => "cpu",
            DeviceChoice::Cuda => "cuda",
            DeviceChoice::Auto => "auto",
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
