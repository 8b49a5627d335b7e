//! Answers: JSON, failures as problems, headers, languages, compression and event streams.

pub(super) mod compression;
pub(super) mod events;
pub(super) mod failure;
pub(super) mod fault;
pub(super) mod headers;
pub(super) mod json;
pub(super) mod language;
pub(super) mod problem;
pub(super) mod quota;
pub(super) mod request_id;
pub(super) mod rfc3339;
