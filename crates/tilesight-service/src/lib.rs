//! The HTTP service: photos and typed hands as input, readings and scores as output, as JSON.
//!
//! [`Service`] is the state that all requests share, assembled by a [`ServiceBuilder`]. [`app`] is
//! the whole service as a router, without a socket; [`serve`] runs it on one, and [`health()`] is
//! the part of it that may have an address of its own. `router` says where a request goes: through
//! the layers of `guard` to a file of `routes`, which reads it with `input` and answers with
//! `answer`.
//! Invariants: only this crate names axum; every error is an RFC 9457 problem with a stable type
//! and no internal path; a photo is held in memory only; photos are read off the async threads, and
//! an accepted request is answered.
//!
//! # Where to look
//! | question | file |
//! |---|---|
//! | how a request with a photo becomes an answer, step by step | `routes/hands.rs` |
//! | which handler answers a path | `router.rs`; each path has a file in `routes` |
//! | how large a request may be | `BODY_LIMITS` in `router.rs`, within `limits.rs` |
//! | which faults an answer can carry | `answer/problem.rs`, and `contract/problem.rs` of `tilesight-core` for those of hands; `openapi/refusals.rs` for refusals before a path's own code runs |
//! | whose turn it is, who may send | `guard` |

mod access_log;
mod answer;
mod decode_memory;
mod guard;
mod input;
mod kept;
mod limits;
mod metrics;
mod openapi;
mod page_reads;
mod router;
mod routes;
mod server;
mod state;
#[cfg(test)]
mod testing;
pub mod tls;

pub use self::decode_memory::{DecodeMemory, MIN_DECODE_MEMORY};
pub use self::guard::keys::{KeyLabel, KeyLabelError, Keys, KeysError, ListedKey, NewKey};
pub use self::guard::ledger::load_usage;
pub use self::guard::origin::Hosts;
pub use self::guard::quota::Quotas;
pub use self::guard::usage::{Amounts, KeyUsage, PeriodUsage};
pub use self::limits::{JobLimits, Limits};
pub use self::page_reads::PageReads;
pub use self::router::{app, document, health, review_app};
pub use self::routes::feedback::{Lesson, Store, sweep};
pub use self::routes::games::Games;
pub use self::routes::jobs::{JobMaintenance, Jobs, Seal, SealError};
pub use self::routes::series::AllSeries;
pub use self::server::{Listener, serve};
pub use self::state::{Service, ServiceBuilder};

/// Generated functions, one for each text of the catalogues.
#[deny(dead_code)]
mod texts {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}
