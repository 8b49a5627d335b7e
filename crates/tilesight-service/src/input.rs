//! Input of the endpoints: bodies, uploads and queries, and the faults that they can have.

pub(super) mod body;
pub(super) mod fault;
pub(super) mod idempotency_key;
pub(super) mod query;
pub(super) mod upload;
