//! Servers of a fleet, for commands that also work without them.
//!
//! Input: the URL of NATS servers and the environment. Output: a connected queue and store. In a
//! program that was built without the feature `fleet`, checking the options fails and says so.

#[cfg(feature = "fleet")]
pub(in crate::cli) use self::nats::{FleetOptions, HELP};
#[cfg(not(feature = "fleet"))]
pub(in crate::cli) use self::none::{FleetOptions, HELP};

use std::time::Duration;

use tilesight_jobs::Backend;

/// Queue and store on the servers of a fleet.
pub(in crate::cli) struct Fleet {
    pub(in crate::cli) backend: Backend,
    /// Time after which a lease that is not renewed ends.
    pub(in crate::cli) lease_time: Duration,
}

#[cfg(feature = "fleet")]
mod nats {
    use std::sync::Arc;

    use tilesight_fleet::{ENVIRONMENT, Nats, NatsOptions, OptionsError, Role};
    use tilesight_jobs::StoreError;

    use super::Fleet;

    /// Variables of the environment, for the help of commands.
    pub(in crate::cli) const HELP: &str = ENVIRONMENT;

    /// Checked options of a connection.
    #[derive(Debug, Clone)]
    pub(in crate::cli) struct FleetOptions {
        url: String,
        options: Box<NatsOptions>,
    }

    impl FleetOptions {
        /// Reads the options of a service from the environment.
        ///
        /// # Errors
        /// When they contradict each other, or the connection would not be safe.
        pub(in crate::cli) fn from_environment(
            url: &str,
            open: bool,
        ) -> Result<FleetOptions, OptionsError> {
            let options = NatsOptions::from_environment(url, Role::Service, open)?;
            Ok(FleetOptions { url: url.to_owned(), options: Box::new(options) })
        }

        /// Connects to the servers.
        ///
        /// # Errors
        /// When they do not answer, or refuse the credentials.
        pub(in crate::cli) async fn connect(&self) -> Result<Fleet, StoreError> {
            let nats = Arc::new(Nats::open(&self.url, &self.options).await?);
            Ok(Fleet { backend: nats.backend(), lease_time: nats.lease_time() })
        }
    }
}

#[cfg(not(feature = "fleet"))]
mod none {
    use std::convert::Infallible;

    use tilesight_jobs::StoreError;

    use super::Fleet;

    /// Variables of the environment, for the help of commands: none in this build.
    pub(in crate::cli) const HELP: &str = "";

    /// Error of a program that was built without the feature `fleet`.
    #[derive(Debug, thiserror::Error)]
    #[error("--nats needs a program that was built with the feature `fleet`")]
    pub(in crate::cli) struct NoFleet;

    /// Options that no build without the feature `fleet` can have.
    #[derive(Debug, Clone)]
    pub(in crate::cli) struct FleetOptions(Infallible);

    impl FleetOptions {
        /// Fails, because this build has no client of NATS servers.
        ///
        /// # Errors
        /// Always.
        pub(in crate::cli) fn from_environment(_: &str, _: bool) -> Result<FleetOptions, NoFleet> {
            Err(NoFleet)
        }

        /// Does nothing: there are no options to call it with.
        pub(in crate::cli) async fn connect(&self) -> Result<Fleet, StoreError> {
            match self.0 {}
        }
    }
}
