//! What the networks run on: this machine's own cores, or an accelerator.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What the networks run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Device {
    /// This machine's own cores.
    Cpu,
    /// An NVIDIA GPU.
    Cuda,
}

impl Device {
    /// Its name as a setting and as a label.
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

/// Which device the networks are to run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceChoice {
    /// This machine's own cores. The default: a single photo is read before a GPU has started, and
    /// each device rounds differently, so a GPU has to be asked for.
    #[default]
    Cpu,
    /// An NVIDIA GPU; an error where it can't be used.
    Cuda,
    /// An NVIDIA GPU where it can be used, else the cores.
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
