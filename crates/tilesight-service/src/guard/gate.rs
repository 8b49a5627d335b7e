//! Gate of a service: what its guards know of it.

use std::sync::Arc;
use std::time::SystemTime;

use tokio::sync::watch;

use crate::Limits;
use crate::answer::failure::Failure;
use crate::guard::client::Client;
use crate::guard::keys::Keys;
use crate::guard::ledger::UsageLedger;
use crate::guard::origin::Hosts;
use crate::guard::throttle::Throttle;
use crate::guard::usage::Amounts;

/// Keys, host names and limits, by which the guards pass a request on or refuse it.
#[derive(Debug)]
pub(crate) struct Gate {
    keys: watch::Sender<Arc<Keys>>,
    pub(super) hosts: Hosts,
    pub(super) throttle: Throttle,
    pub(super) limits: Limits,
    pub(crate) usage: Arc<UsageLedger>,
}

impl Gate {
    pub(crate) fn new(keys: Keys, hosts: Hosts, limits: Limits) -> Gate {
        let keys = watch::Sender::new(Arc::new(keys));
        Gate { keys, hosts, throttle: Throttle::default(), limits, usage: Arc::default() }
    }

    /// Replaces the keys. Event streams of a removed key end.
    pub(crate) fn renew_keys(&self, keys: Keys) {
        self.keys.send_modify(|known| *known = Arc::new(keys.in_place_of(known)));
    }

    /// Counts photos for the key of a client, if it has one.
    ///
    /// # Errors
    /// [`Failure::OverQuota`].
    pub(crate) fn take_photos(&self, client: &Client, photos: usize) -> Result<(), Failure> {
        let Client::Key(name) = client else { return Ok(()) };
        let quotas = self.keys().quotas(name);
        let amounts = Amounts { photos: photos as u64, ..Amounts::default() };
        let taken = self.usage.take(name, amounts, &quotas, SystemTime::now());
        taken.map_err(Failure::OverQuota)
    }

    pub(super) fn keys(&self) -> Arc<Keys> {
        Arc::clone(&self.keys.borrow())
    }

    /// Returns the keys as they are renewed.
    pub(super) fn watch_keys(&self) -> watch::Receiver<Arc<Keys>> {
        self.keys.subscribe()
    }
}
