//! Photos of a fleet in S3-compatible storage, against a real server: `make check-s3`.

#[path = "../support/common.rs"]
mod common;
#[macro_use]
#[path = "../support/jobs_suite/mod.rs"]
mod jobs_suite;
#[path = "../support/nats/mod.rs"]
mod nats;

mod storage;
