//! Being asked to stop: SIGINT and SIGTERM, or Ctrl-C where there are no signals.

use std::io;

/// Listens from the moment it is made, so that nothing is lost that comes before somebody waits.
#[derive(Debug)]
pub(super) struct Stop {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 2],
}

impl Stop {
    /// Starts to listen.
    ///
    /// # Errors
    /// When the system does not let it.
    pub(super) fn listen() -> io::Result<Stop> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            Ok(Stop {
                signals: [signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?],
            })
        }
        #[cfg(not(unix))]
        Ok(Stop {})
    }

    /// Waits until it is asked to stop, once more.
    pub(super) async fn next(&mut self) {
        #[cfg(unix)]
        {
            let [terminate, interrupt] = &mut self.signals;
            tokio::select! { _ = terminate.recv() => (), _ = interrupt.recv() => () }
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    }
}
