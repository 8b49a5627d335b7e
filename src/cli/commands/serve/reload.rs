//! Files that are reloaded while the service runs: keys, certificates and own sets.
//!
//! Input: files, or a folder of files, and a function that reloads them. Their names, modification
//! times and lengths are checked every two seconds; a SIGHUP reloads all of them at once, and one
//! line of the log says what was reloaded and which settings need a restart. Invariants: after an
//! error the previous version stays in use, and the file is tried again when it changes; a SIGHUP
//! ends the process only if its terminal was closed.

use std::fs;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::cli::args::settings::{Setting, SettingsArgs};
use crate::cli::process::signals::{Hangup, Hangups};

/// Interval between checks of the files: short enough when adding a new key.
const INTERVAL: Duration = Duration::from_secs(2);

/// Files that belong together, and a function that reloads them.
pub(super) struct ReloadableFiles {
    what: &'static str,
    list: Box<dyn Fn() -> Vec<PathBuf> + Send>,
    seen: Vec<(PathBuf, Option<Stamp>)>,
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
        ReloadableFiles::with_list(what, move || files.clone(), read)
    }

    /// Creates the entry for files that have just been read, of which there may be more or fewer
    /// later.
    pub(super) fn with_list(
        what: &'static str,
        list: impl Fn() -> Vec<PathBuf> + Send + 'static,
        read: impl FnMut() -> anyhow::Result<()> + Send + 'static,
    ) -> ReloadableFiles {
        let seen = stamps(list());
        ReloadableFiles { what, list: Box::new(list), seen, read: Box::new(read) }
    }

    /// Reloads the files if they have changed.
    fn reload_if_changed(&mut self) {
        if stamps((self.list)()) != self.seen && self.reload() {
            tracing::info!("reloaded {}", self.what);
        }
    }

    /// Reloads the files, and returns whether they can be used. The log has the reason if not.
    fn reload(&mut self) -> bool {
        // Taken before the files are read, so that a change during reading is found the next time.
        self.seen = stamps((self.list)());
        let read = (self.read)();
        if let Err(error) = &read {
            let what = self.what;
            tracing::error!("cannot reload {what}, keeping the previous version: {error:#}");
        }
        read.is_ok()
    }
}

fn stamps(files: Vec<PathBuf>) -> Vec<(PathBuf, Option<Stamp>)> {
    files.into_iter().map(|file| (file.clone(), stamp(&file))).collect()
}

fn stamp(file: &Path) -> Option<Stamp> {
    let found = fs::metadata(file).ok()?;
    Some((found.modified().ok()?, found.len()))
}

/// Settings that the service runs with, to be compared with what their sources say now.
pub(super) struct RunningSettings {
    args: SettingsArgs,
    settings: Vec<Setting>,
}

impl RunningSettings {
    /// Notes the present settings.
    pub(super) fn new(args: &SettingsArgs) -> anyhow::Result<RunningSettings> {
        Ok(RunningSettings { args: args.clone(), settings: args.choices()?.1 })
    }

    /// Returns the names of settings that have changed since the start.
    fn changed(&self) -> anyhow::Result<Vec<&'static str>> {
        let (_, now) = self.args.choices()?;
        let pairs = self.settings.iter().zip(&now);
        Ok(pairs
            .filter(|(before, now)| before.value != now.value)
            .map(|(_, now)| now.name)
            .collect())
    }
}

/// Reloads the files when they change or a SIGHUP requests it, for as long as the process runs.
/// Resolves when the terminal that the process ran in was closed.
pub(super) fn watch(
    mut files: Vec<ReloadableFiles>,
    settings: RunningSettings,
    mut hangups: Hangups,
) -> impl Future<Output = ()> {
    let (closed, terminal) = oneshot::channel();
    tokio::spawn(async move {
        loop {
            tokio::select! {
                () = sleep(INTERVAL), if !files.is_empty() => {
                    files.iter_mut().for_each(|files| files.reload_if_changed());
                }
                hangup = hangups.next() => match hangup {
                    Hangup::Reload => reload_all(&mut files, &settings),
                    Hangup::TerminalClosed => break,
                },
            }
        }
        // Nobody listens if the process is stopping anyway.
        let _ = closed.send(());
    });
    async move {
        if terminal.await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Reloads everything that can be, and logs in one line what was and what was not.
fn reload_all(files: &mut [ReloadableFiles], settings: &RunningSettings) {
    let mut done = Vec::new();
    let mut failed = Vec::new();
    for files in files {
        if files.reload() { &mut done } else { &mut failed }.push(files.what);
    }
    let restart = match settings.changed() {
        Ok(changed) => join_or_nothing(&changed),
        Err(error) => format!("unknown, because {error:#}"),
    };
    tracing::info!(
        reloaded = join_or_nothing(&done),
        failed = join_or_nothing(&failed),
        needs_restart = restart,
        "SIGHUP: what can be reloaded was; other settings take effect with a restart"
    );
}

fn join_or_nothing(names: &[&str]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
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
        let mut reloads = || {
            files.reload_if_changed();
            read.load(Ordering::Relaxed)
        };
        assert_eq!(reloads(), 0);
        fs::write(&file, "longer").unwrap();
        assert_eq!([reloads(), reloads()], [1, 1], "a file that can't be used too");
        fs::remove_file(&file).unwrap();
        assert_eq!(reloads(), 2);
        assert!(!files.reload());
        assert_eq!(read.load(Ordering::Relaxed), 3, "or when a signal asks for it");
    }

    #[test]
    fn a_folder_is_reloaded_when_a_file_is_added_or_removed() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().to_owned();
        let read = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&read);
        let list =
            move || fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().path()).collect();
        let mut files = ReloadableFiles::with_list("the sets", list, move || {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok(())
        });
        let mut reloads = || {
            files.reload_if_changed();
            read.load(Ordering::Relaxed)
        };
        assert_eq!(reloads(), 0);
        fs::write(folder.path().join("one"), "").unwrap();
        assert_eq!([reloads(), reloads()], [1, 1]);
        fs::remove_file(folder.path().join("one")).unwrap();
        assert_eq!(reloads(), 2);
    }
}
