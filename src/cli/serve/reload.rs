//! Files that are reloaded while the service runs: keys and certificates.
//!
//! Input: files, and a function that reloads them. Their modification times and lengths are checked
//! every two seconds; a SIGHUP reloads all of them at once. Invariant: after an error the previous
//! version stays in use, and the file is tried again when it changes.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use tokio::time::sleep;

/// Interval between checks of the files: short enough when adding a new key.
const INTERVAL: Duration = Duration::from_secs(2);

/// Files that belong together, and a function that reloads them.
pub(super) struct ReloadableFiles {
    what: &'static str,
    files: Vec<PathBuf>,
    seen: Vec<Option<Stamp>>,
    read: Box<dyn FnMut() -> anyhow::Result<()> + Send>,
}

/// Modification time and length of a file. Moving another file into its place changes them too.
type Stamp = (SystemTime, u64);

impl ReloadableFiles {
    /// Creates the entry for files that have just been read.
    pub(super) fn new(
        what: &'static str,
        files: Vec<PathBuf>,
        read: impl FnMut() -> anyhow::Result<()> + Send + 'static,
    ) -> ReloadableFiles {
        let seen = stamps(&files);
        ReloadableFiles { what, files, seen, read: Box::new(read) }
    }

    /// Reloads the files if they have changed, or always if `forced`.
    fn reload_if_changed(&mut self, forced: bool) {
        let what = self.what;
        // Taken before the files are read, so that a change during reading is found the next time.
        let now = stamps(&self.files);
        if now == self.seen && !forced {
            return;
        }
        self.seen = now;
        match (self.read)() {
            Ok(()) => tracing::info!("reloaded {what}"),
            Err(error) => {
                tracing::error!("cannot reload {what}, keeping the previous version: {error:#}");
            }
        }
    }
}

fn stamps(files: &[PathBuf]) -> Vec<Option<Stamp>> {
    let stamp = |file: &PathBuf| {
        let found = fs::metadata(file).ok()?;
        Some((found.modified().ok()?, found.len()))
    };
    files.iter().map(stamp).collect()
}

/// Reloads the files when they change, for as long as the process runs.
pub(super) fn watch(mut files: Vec<ReloadableFiles>) -> io::Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    let mut signal = reload_signal()?;
    tokio::spawn(async move {
        loop {
            let forced =
                tokio::select! { () = sleep(INTERVAL) => false, () = signal.next() => true };
            files.iter_mut().for_each(|files| files.reload_if_changed(forced));
        }
    });
    Ok(())
}

/// Signal that requests a reload.
struct ReloadSignal(#[cfg(unix)] Option<tokio::signal::unix::Signal>);

/// Returns SIGHUP, unless the process runs in a terminal: there the signal means that the window
/// was closed, and ends the process.
#[cfg(unix)]
fn reload_signal() -> io::Result<ReloadSignal> {
    use tokio::signal::unix::{SignalKind, signal};
    let window = io::stdin().is_terminal();
    Ok(ReloadSignal(if window { None } else { Some(signal(SignalKind::hangup())?) }))
}

#[cfg(not(unix))]
fn reload_signal() -> io::Result<ReloadSignal> {
    Ok(ReloadSignal())
}

impl ReloadSignal {
    async fn next(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.0
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_file_is_reloaded_once_for_each_change() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys");
        fs::write(&file, "one").unwrap();
        let read = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&read);
        let mut files = ReloadableFiles::new("the keys", vec![file.clone()], move || {
            counted.fetch_add(1, Ordering::Relaxed);
            anyhow::bail!("it can't be used")
        });
        let mut reloads = |forced: bool| {
            files.reload_if_changed(forced);
            read.load(Ordering::Relaxed)
        };
        assert_eq!(reloads(false), 0);
        fs::write(&file, "longer").unwrap();
        assert_eq!((reloads(false), reloads(false)), (1, 1), "a file that can't be used too");
        fs::remove_file(&file).unwrap();
        assert_eq!((reloads(false), reloads(true)), (2, 3), "or when a signal asks for it");
    }
}
