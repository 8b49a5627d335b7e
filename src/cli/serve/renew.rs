//! Files that are read again while the service runs: keys and certificates.
//!
//! Input: what to do when some files have changed. Whether they have is seen by their time and length every two
//! seconds; a SIGHUP has all of them read at once. Invariant: a file that can't be used changes nothing but the log,
//! and is tried again when it changes.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use tokio::time::sleep;

/// How often files are looked at: as long as one waits for a key that was just made.
const EVERY: Duration = Duration::from_secs(2);

/// Some files and what is done when they have changed.
pub(super) struct Renewed {
    what: &'static str,
    files: Vec<PathBuf>,
    seen: Vec<Option<Stamp>>,
    read: Box<dyn FnMut() -> anyhow::Result<()> + Send>,
}

/// When a file was written, and how long it is. Who moves another one to its place changes it too.
type Stamp = (SystemTime, u64);

impl Renewed {
    /// Files that were read just now.
    pub(super) fn new(
        what: &'static str,
        files: Vec<PathBuf>,
        read: impl FnMut() -> anyhow::Result<()> + Send + 'static,
    ) -> Renewed {
        let seen = stamps(&files);
        Renewed { what, files, seen, read: Box::new(read) }
    }

    /// Reads them where they have changed, or where somebody said so.
    fn look(&mut self, told: bool) {
        let what = self.what;
        // Looked at before they are read: what is written meanwhile is seen the next time.
        let now = stamps(&self.files);
        if now == self.seen && !told {
            return;
        }
        self.seen = now;
        match (self.read)() {
            Ok(()) => tracing::info!("{what}: read again"),
            Err(error) => tracing::error!("{what}: what was read before still holds: {error:#}"),
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

/// Looks at the files from now on, for as long as the process runs.
pub(super) fn start(mut files: Vec<Renewed>) -> io::Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    let mut told = told()?;
    tokio::spawn(async move {
        loop {
            let told = tokio::select! { () = sleep(EVERY) => false, () = told.next() => true };
            files.iter_mut().for_each(|files| files.look(told));
        }
    });
    Ok(())
}

/// Somebody who says that files have changed.
struct Told(#[cfg(unix)] Option<tokio::signal::unix::Signal>);

/// In a terminal the signal says that the window was closed, and ends the process as ever.
#[cfg(unix)]
fn told() -> io::Result<Told> {
    use tokio::signal::unix::{SignalKind, signal};
    let window = io::stdin().is_terminal();
    Ok(Told(if window { None } else { Some(signal(SignalKind::hangup())?) }))
}

#[cfg(not(unix))]
fn told() -> io::Result<Told> {
    Ok(Told())
}

impl Told {
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
    fn a_file_is_read_once_for_each_change() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys");
        fs::write(&file, "one").unwrap();
        let read = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&read);
        let mut renewed = Renewed::new("the keys", vec![file.clone()], move || {
            counted.fetch_add(1, Ordering::Relaxed);
            anyhow::bail!("it can't be used")
        });
        let mut looked = |told: bool| {
            renewed.look(told);
            read.load(Ordering::Relaxed)
        };
        assert_eq!(looked(false), 0);
        fs::write(&file, "longer").unwrap();
        assert_eq!((looked(false), looked(false)), (1, 1), "also one that can't be used");
        fs::remove_file(&file).unwrap();
        assert_eq!((looked(false), looked(true)), (2, 3), "or when somebody says so");
    }
}
