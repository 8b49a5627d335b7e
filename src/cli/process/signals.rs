//! Signals to the process: SIGINT and SIGTERM, or Ctrl-C on systems without signals, stop it;
//! SIGHUP requests that it reads its files again.

use std::io::{self, IsTerminal as _};

/// Listener for signals that stop the process. It listens from its creation on, so that a signal
/// before the first wait is not lost.
#[derive(Debug)]
pub(in crate::cli) struct StopSignals {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 2],
}

impl StopSignals {
    /// Starts to listen.
    ///
    /// # Errors
    /// When the system does not permit it.
    pub(in crate::cli) fn listen() -> io::Result<StopSignals> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            Ok(StopSignals {
                signals: [signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?],
            })
        }
        #[cfg(not(unix))]
        Ok(StopSignals {})
    }

    /// Waits for the next signal.
    pub(in crate::cli) async fn next(&mut self) {
        #[cfg(unix)]
        {
            let [terminate, interrupt] = &mut self.signals;
            tokio::select! { _ = terminate.recv() => (), _ = interrupt.recv() => () }
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// Returns a future that completes when the process receives SIGTERM or Ctrl-C.
pub(in crate::cli) fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    let mut signals = StopSignals::listen()?;
    Ok(async move { signals.next().await })
}

/// Reason of a SIGHUP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Hangup {
    /// A request to read the files again.
    Reload,
    /// End of the terminal that the process ran in.
    TerminalClosed,
}

/// Listener for SIGHUP, which ends the process no more once this is created. On systems without the
/// signal it never comes.
#[derive(Debug)]
pub(in crate::cli) struct Hangups {
    in_terminal: bool,
    #[cfg(unix)]
    signal: tokio::signal::unix::Signal,
}

impl Hangups {
    /// Starts to listen.
    ///
    /// # Errors
    /// When the system does not permit it.
    pub(in crate::cli) fn listen() -> io::Result<Hangups> {
        Ok(Hangups {
            in_terminal: io::stdin().is_terminal(),
            #[cfg(unix)]
            signal: {
                use tokio::signal::unix::{SignalKind, signal};
                signal(SignalKind::hangup())?
            },
        })
    }

    /// Waits for the next signal.
    pub(in crate::cli) async fn next(&mut self) -> Hangup {
        #[cfg(unix)]
        if self.signal.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
        #[cfg(not(unix))]
        std::future::pending::<()>().await;
        // A terminal that was closed no longer counts as a terminal.
        if self.in_terminal && !io::stdin().is_terminal() {
            Hangup::TerminalClosed
        } else {
            Hangup::Reload
        }
    }
}
