//! Settings of the program: what flags, environment and a file may set.
//!
//! [`Settings`] contains the limits of the service and everything else, assembled from [`Choices`]
//! of several sources.

pub(crate) mod choice;
mod listen;
mod settings;

pub use listen::{ListenAddress, ListenAddressError};
pub use settings::{
    Choices, FeedbackSettings, FileError, JobBackend, JobSettings, Settings, SettingsError,
};
