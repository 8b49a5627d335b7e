//! Gate of a service: what its guards know of it.

use std::sync::Arc;

use tokio::sync::watch;

use crate::Limits;
use crate::guard::keys::Keys;
use crate::guard::origin::Hosts;
use crate::guard::throttle::Throttle;

/// Keys, host names and limits, by which the guards pass a request on or refuse it.
#[derive(Debug)]
pub(crate) struct Gate {
    keys: watch::Sender<Arc<Keys>>,
    pub(super) hosts: Hosts,
    pub(super) throttle: Throttle,
    pub(super) limits: Limits,
}

impl Gate {
    pub(crate) fn new(keys: Keys, hosts: Hosts, limits: Limits) -> Gate {
        let keys = watch::Sender::new(Arc::new(keys));
        Gate { keys, hosts, throttle: Throttle::default(), limits }
    }

    /// Replaces the keys. Event streams of a removed key end.
    pub(crate) fn renew_keys(&self, keys: Keys) {
        self.keys.send_modify(|known| *known = Arc::new(keys.in_place_of(known)));
    }

    pub(super) fn keys(&self) -> Arc<Keys> {
        Arc::clone(&self.keys.borrow())
    }

    /// Returns the keys as they are renewed.
    pub(super) fn watch_keys(&self) -> watch::Receiver<Arc<Keys>> {
        self.keys.subscribe()
    }
}
