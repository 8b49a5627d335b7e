//! Input of the endpoints: bodies, uploads and queries.

pub(super) mod body;
pub(super) mod form;
pub(super) mod idempotency_key;
pub(super) mod query;
pub(super) mod upload;
