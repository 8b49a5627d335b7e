//! Setting for where the page reads photos and scores hands.

use serde::{Deserialize, Serialize};

/// Place where the page reads photos and scores hands. A user of the page can choose otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(clap::ValueEnum)]
pub enum PageReads {
    /// On the device that shows the page, if the device is able to. The default: photos stay there.
    #[default]
    Device,
    /// On the server: for slow devices, or if all readings should come from one machine.
    Server,
}
