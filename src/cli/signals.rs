//! Signals that stop the process: SIGINT and SIGTERM, or Ctrl-C on systems without signals.

use std::io;

/// Listener for signals that stop the process. It listens from its creation on, so that a signal
/// before the first wait is not lost.
#[derive(Debug)]
pub(super) struct Stop {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 2],
}

impl Stop {
    /// Starts to listen.
    ///
    /// # Errors
    /// When the system does not permit it.
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

    /// Waits for the next signal.
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
