//! Setting for where the page reads photos and scores hands.

use serde::{Deserialize, Serialize};

/// Place where the page reads photos and scores hands. A user of the page can choose otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageReads {
    /// On the device that shows the page, if the device is able to. The default: photos stay there.
    #[default]
    Device,
    /// On the server: for slow devices, or if all readings should come from one machine.
    Server,
}

impl PageReads {
    /// All places.
    pub const ALL: [PageReads; 2] = [PageReads::Device, PageReads::Server];

    /// Returns the name in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PageReads::Device => "device",
            PageReads::Server => "server",
        }
    }
}
