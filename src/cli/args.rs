//! Arguments that several commands have, and what they name: rule sets, own sets, photos, settings.

pub(super) mod context;
pub(super) mod device;
pub(super) mod fleet;
mod folder;
pub(super) mod other;
pub(super) mod photo;
pub(super) mod rulesets;
pub(super) mod sets;
pub(super) mod settings;
