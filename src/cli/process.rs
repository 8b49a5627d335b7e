//! The process of a command that runs until it is stopped: signals, folders, permissions, models.

pub(super) mod data_paths;
pub(super) mod models;
pub(super) mod rights;
pub(super) mod signals;
