//! Where the page reads photos and scores hands, as the operator of a service has it.

use serde::{Deserialize, Serialize};

/// Where the page reads photos and scores hands. A person who opens it can choose otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum PageReads {
    /// On the device that it is open on, where that is able. The default: photos stay there.
    #[default]
    Device,
    /// On the server: for slow devices, or where all readings are to be made on one machine.
    Server,
}
