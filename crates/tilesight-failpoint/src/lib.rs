//! Named points of the program at which a test ends it or holds it.
//!
//! A test that kills a process after some milliseconds hits another moment on each machine. Here
//! the program names its moments, [`point!`]`("worker.read")`, and the test chooses one of them for
//! its child in the variable [`VARIABLE`]:
//!
//! ```text
//! TILESIGHT_FAILPOINTS='worker.read@3=abort, batch.row[index=7]@1=hold:/tmp/test/held'
//! ```
//!
//! Each entry is `NAME@COUNT=ACTION`: the action happens the `COUNT`-th time that the process
//! reaches the point. `NAME[TEXT]` counts only arrivals whose detail contains the word TEXT. There
//! are two actions:
//!
//! - `abort` ends the process at once, as a kill does: nothing is flushed and nothing is dropped. A
//!   line on standard error, [`ABORTS`] and the entry, says which point it was.
//! - `hold:FILE` creates the file and holds the thread until somebody has removed it.
//!
//! Without debug assertions, so in every release build, [`reached`] is empty: neither the names nor
//! the variable are in the program. `make chaos` uses the profile `chaos`, which is optimised and
//! has them.
//!
//! The crate `fail` (0.5.1, of 2022) has similar points, but neither ends a process nor tells
//! another process that a point was reached, and stays a dependency of release builds with three
//! others.

use std::fmt;

/// Name of the environment variable with the points at which something happens.
pub const VARIABLE: &str = "TILESIGHT_FAILPOINTS";

/// Beginning of the line that says at which point the process ends.
pub const ABORTS: &str = "aborts at ";

/// Whether this build has points.
pub const ARMED: bool = cfg!(debug_assertions);

/// Marks a point of the program by its name, with words about the arrival as in [`format!`].
#[macro_export]
macro_rules! point {
    ($name:literal) => {
        $crate::reached($name, ::core::format_args!(""))
    };
    ($name:literal, $($detail:tt)+) => {
        $crate::reached($name, ::core::format_args!($($detail)+))
    };
}

/// Does what the environment says about this point, which [`point!`] calls. Empty without debug
/// assertions.
#[inline(always)]
pub fn reached(name: &str, detail: fmt::Arguments<'_>) {
    #[cfg(debug_assertions)]
    armed::reached(name, detail);
    #[cfg(not(debug_assertions))]
    let _ = (name, detail);
}

#[cfg(debug_assertions)]
mod armed {
    use std::fmt;
    use std::fs::File;
    use std::io::Write as _;
    use std::path::{Path, PathBuf};
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    /// Interval at which a held thread looks for its file.
    const LOOK: Duration = Duration::from_millis(5);

    /// The entries of this process.
    static ENTRIES: LazyLock<Vec<PointState>> = LazyLock::new(|| {
        let setting = std::env::var(super::VARIABLE).unwrap_or_default();
        let entries = setting.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        entries
            .map(|entry| {
                PointState::parse(entry).unwrap_or_else(|| panic!("{}: {entry}", super::VARIABLE))
            })
            .collect()
    });

    /// Action at one point.
    #[derive(Debug)]
    struct PointState {
        /// The entry as it was set.
        text: String,
        name: String,
        /// A word of the details of the arrivals that count.
        word: Option<String>,
        count: usize,
        arrivals: AtomicUsize,
        action: Effect,
    }

    #[derive(Debug, PartialEq, Eq)]
    enum Effect {
        Abort,
        Hold(PathBuf),
    }

    impl PointState {
        /// Parses `NAME[WORD]@COUNT=ACTION`.
        fn parse(text: &str) -> Option<PointState> {
            let (place, what) = text.split_once('@')?;
            let (count, action) = what.split_once('=')?;
            let (name, word) = match place.split_once('[') {
                Some((name, word)) => (name, Some(word.strip_suffix(']')?.to_owned())),
                None => (place, None),
            };
            let action = match action.split_once(':') {
                None if action == "abort" => Effect::Abort,
                Some(("hold", file)) if !file.is_empty() => Effect::Hold(file.into()),
                _ => return None,
            };
            let count = count.parse().ok().filter(|count| *count > 0)?;
            Some(PointState {
                text: text.to_owned(),
                name: name.to_owned(),
                word,
                count,
                arrivals: AtomicUsize::new(0),
                action,
            })
        }

        /// Counts an arrival; returns whether the action is due.
        fn is_due(&self, name: &str, detail: fmt::Arguments<'_>) -> bool {
            if self.name != name {
                return false;
            }
            if let Some(word) = &self.word {
                let detail = detail.to_string();
                if !detail.split(' ').any(|found| found == word) {
                    return false;
                }
            }
            self.arrivals.fetch_add(1, Ordering::SeqCst) + 1 == self.count
        }
    }

    pub(super) fn reached(name: &str, detail: fmt::Arguments<'_>) {
        for entry in ENTRIES.iter().filter(|entry| entry.is_due(name, detail)) {
            match &entry.action {
                Effect::Abort => {
                    // Nobody may listen any more.
                    let _ = writeln!(std::io::stderr(), "{}{}", super::ABORTS, entry.text);
                    std::process::abort();
                }
                Effect::Hold(file) => hold(file),
            }
        }
    }

    /// Holds this thread until somebody has removed the file.
    fn hold(file: &Path) {
        File::create(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        while file.exists() {
            thread::sleep(LOOK);
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn entries_are_parsed() {
            let entry = PointState::parse("worker.read@3=abort").expect("an entry");
            assert_eq!((entry.name.as_str(), entry.word, entry.count), ("worker.read", None, 3));
            assert_eq!(entry.action, Effect::Abort);
            let entry = PointState::parse("a.b[attempt=1]@12=hold:/x/y").expect("an entry");
            assert_eq!((entry.name.as_str(), entry.count), ("a.b", 12));
            assert_eq!(entry.word.as_deref(), Some("attempt=1"));
            assert_eq!(entry.action, Effect::Hold("/x/y".into()));
            for wrong in [
                "a",
                "a@1",
                "a=abort",
                "a@0=abort",
                "a@x=abort",
                "a@1=stop",
                "a@1=hold:",
                "a[b@1=abort",
            ] {
                assert!(PointState::parse(wrong).is_none(), "{wrong}");
            }
        }

        #[test]
        fn arrivals_count_whose_detail_has_the_word() {
            let entry = PointState::parse("a[attempt=1]@2=abort").expect("an entry");
            assert!(!is_due(&entry, "a", 1));
            assert!(!is_due(&entry, "b", 1) && !is_due(&entry, "a", 2) && !is_due(&entry, "a", 11));
            assert!(is_due(&entry, "a", 1), "the second of the first attempt");
            assert!(!is_due(&entry, "a", 1), "once");
        }

        fn is_due(entry: &PointState, name: &str, attempt: u32) -> bool {
            entry.is_due(name, format_args!("attempt={attempt} photo=x"))
        }
    }
}
