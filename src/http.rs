//! The HTTP service: photos and typed hands as input, readings and scores as output, as JSON.
//!
//! [`Service`] is the state that all requests share, assembled by a [`ServiceBuilder`]. [`app`] is
//! the whole service as a router, without a socket; [`serve`] runs it on one, and [`health()`] is
//! the part of it that may have an address of its own. Each endpoint has its own file with its
//! tests.
//! Invariants: only this module names axum; every error is an RFC 9457 problem with a stable type
//! and no internal path; a photo is held in memory only; photos are read off the async threads, and
//! an accepted request is answered.

mod admission;
mod body;
mod client;
mod compression;
mod docs;
mod events;
mod failure;
mod fault;
mod feedback;
mod games;
mod guard;
mod hands;
mod headers;
mod health;
mod input;
mod jobs;
mod keys;
mod language;
mod metrics;
mod openapi;
mod origin;
#[cfg(feature = "web")]
mod page;
mod preview;
mod problem;
mod rate;
mod readings;
mod request_id;
mod review;
mod rfc3339;
#[cfg(any(test, not(feature = "web")))]
mod root;
mod router;
mod rulesets;
mod score;
mod server;
mod shares;
mod state;
#[cfg(test)]
mod testing;
mod throttle;
pub mod tls;
mod upload;

pub use self::feedback::{Lesson, Store, sweep};
pub use self::games::Games;
pub use self::jobs::{JobMaintenance, Jobs, Seal, SealError};
pub use self::keys::{KeyLabel, KeyLabelError, Keys, KeysError, ListedKey, NewKey};
pub use self::origin::Hosts;
pub use self::review::{
    QueuedPhoto, ReviewAnswer, ReviewError, ReviewPhoto, ReviewQueue, ReviewSource, ReviewedPhoto,
};
pub use self::router::{app, document, health, review_app};
pub use self::server::{Listener, serve};
pub use self::state::{Service, ServiceBuilder};
