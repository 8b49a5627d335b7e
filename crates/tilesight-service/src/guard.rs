//! Access and fairness: which requests are answered, and when.
//!
//! [`layers`] has the layers that every request passes: host and origin, throttle, key; [`https`]
//! keeps browsers on HTTPS.
//! [`ledger`] counts the [`usage`] of each key, within its [`quota`].
//! [`admission`] limits the photos in flight, and [`shares`] divides each limit between clients.

pub(super) mod admission;
pub(super) mod client;
pub(super) mod discard;
pub(super) mod gate;
pub(super) mod https;
pub(super) mod keys;
pub(super) mod layers;
pub(super) mod ledger;
pub(super) mod origin;
pub(super) mod quota;
pub(super) mod rate;
pub(super) mod shares;
pub(super) mod throttle;
pub(super) mod usage;
