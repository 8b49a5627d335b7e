//! Parts of a backup, and the places of each part in a service.
//!
//! Input: the settings of a service. Output: the files to save, and the places to restore them to.
//! Invariant: a path in a backup begins with the name of its part.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::EmbeddedStore;

/// Extensions of the files of own sets and of rule profiles.
const SET: &str = "set";
const PROFILE: &str = "toml";
/// Beginning of the name of a record of feedback that is not complete.
const DRAFT: &str = ".";

/// Part of what a service stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Jobs with their photos and results, games, uploaded sets and usage.
    Jobs,
    /// Key that seals secrets of webhooks and links of games.
    Seal,
    /// File of keys.
    Keys,
    /// Feedback.
    Feedback,
    /// Own sets of the folder.
    Sets,
    /// Rule profiles.
    Rules,
}

/// File of a service, with its path in a backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    /// Path in the backup.
    pub(super) path: String,
    /// The file.
    pub(super) file: PathBuf,
}

/// Files that belong together.
pub(super) type Unit = Vec<Source>;

/// Places of the parts of a service; a part without a place is not saved.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// Folder of jobs and games.
    pub jobs: Option<PathBuf>,
    /// File of the key that seals secrets.
    pub seal: Option<PathBuf>,
    /// File of keys.
    pub keys: Option<PathBuf>,
    /// Folder of feedback.
    pub feedback: Option<PathBuf>,
    /// Folder of own sets.
    pub sets: Option<PathBuf>,
    /// Folder of rule profiles, or a single one.
    pub rules: Option<PathBuf>,
}

impl Part {
    /// All parts. The jobs are not among the first, because a service starts with the rest.
    pub(super) const ALL: [Part; 6] =
        [Part::Feedback, Part::Sets, Part::Rules, Part::Seal, Part::Keys, Part::Jobs];

    /// Returns the name in a backup.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Part::Jobs => "jobs",
            Part::Seal => "seal.key",
            Part::Keys => "keys.txt",
            Part::Feedback => "feedback",
            Part::Sets => "sets",
            Part::Rules => "rules",
        }
    }

    /// Returns the setting that names its place.
    pub(super) const fn setting(self) -> &'static str {
        match self {
            Part::Jobs => "data",
            Part::Seal => "data or seal_key",
            Part::Keys => "keys",
            Part::Feedback => "feedback",
            Part::Sets => "sets",
            Part::Rules => "rules",
        }
    }

    /// Returns the path of a photo of jobs in a backup.
    pub(super) fn photo(self, name: &str) -> String {
        let file = EmbeddedStore::photo_file(Path::new(self.name()), name);
        file.to_string_lossy().into_owned()
    }

    /// Returns the path of the database in a backup.
    pub(super) fn database(self) -> String {
        EmbeddedStore::database_file(Path::new(self.name())).to_string_lossy().into_owned()
    }

    /// Returns the part and the rest of a path in a backup; `None` if no backup has such a path.
    pub(super) fn split(path: &str) -> Option<(Part, &Path)> {
        let path = Path::new(path);
        let mut names = path.components();
        let first = names.next()?;
        let part = Part::ALL.into_iter().find(|part| first.as_os_str() == part.name())?;
        let rest = names.as_path();
        let is_plain = rest.components().all(|name| matches!(name, Component::Normal(_)));
        let is_file = matches!(part, Part::Seal | Part::Keys);
        let fits = match part {
            Part::Rules => true,
            _ => is_file == rest.as_os_str().is_empty(),
        };
        (is_plain && fits).then_some((part, rest))
    }
}

impl Places {
    /// Returns the place of a part.
    pub(super) fn place(&self, part: Part) -> Option<&Path> {
        let place = match part {
            Part::Jobs => &self.jobs,
            Part::Seal => &self.seal,
            Part::Keys => &self.keys,
            Part::Feedback => &self.feedback,
            Part::Sets => &self.sets,
            Part::Rules => &self.rules,
        };
        place.as_deref()
    }

    /// Returns the files of a part, those that belong together in one unit. Of jobs there are none,
    /// because their photos depend on the copy of the database.
    ///
    /// # Errors
    /// When a folder can't be read.
    pub(super) fn sources(&self, part: Part) -> io::Result<Vec<Unit>> {
        let Some(place) = self.place(part) else { return Ok(Vec::new()) };
        match part {
            Part::Jobs => Ok(Vec::new()),
            Part::Feedback => feedback(place),
            Part::Sets => files(part, place, SET),
            Part::Rules if place.is_dir() => files(part, place, PROFILE),
            Part::Rules | Part::Seal | Part::Keys => Ok(vec![single(part, place)]),
        }
    }
}

/// Returns the only file of a part.
fn single(part: Part, file: &Path) -> Unit {
    vec![Source { path: part.name().to_owned(), file: file.to_owned() }]
}

/// Returns the files of a folder with an extension.
fn files(part: Part, folder: &Path, extension: &str) -> io::Result<Vec<Unit>> {
    let mut units = Vec::new();
    for name in names(folder)? {
        if Path::new(&name).extension().is_some_and(|found| found == extension) {
            units.push(vec![source(part, folder, &name)]);
        }
    }
    Ok(units)
}

/// Returns the complete records of feedback, each with all of its files.
fn feedback(folder: &Path) -> io::Result<Vec<Unit>> {
    let mut units = Vec::new();
    for record in names(folder)?.into_iter().filter(|name| !name.starts_with(DRAFT)) {
        let inside = folder.join(&record);
        if !inside.is_dir() {
            units.push(vec![source(Part::Feedback, folder, &record)]);
            continue;
        }
        let files = names(&inside)?.into_iter().map(|name| format!("{record}/{name}"));
        units.push(files.map(|name| source(Part::Feedback, folder, &name)).collect());
    }
    Ok(units)
}

fn source(part: Part, folder: &Path, name: &str) -> Source {
    Source { path: format!("{}/{name}", part.name()), file: folder.join(name) }
}

/// Returns the names in a folder, sorted; none if the folder is missing. Names that are not UTF-8
/// are not this program's.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_parts_are_paths_of_a_backup() {
        for (path, expected) in [
            ("jobs/jobs.sqlite3", Some((Part::Jobs, "jobs.sqlite3"))),
            ("jobs/photos/ab", Some((Part::Jobs, "photos/ab"))),
            ("keys.txt", Some((Part::Keys, ""))),
            ("rules", Some((Part::Rules, ""))),
            ("rules/club.toml", Some((Part::Rules, "club.toml"))),
            ("jobs", None),
            ("keys.txt/x", None),
            ("jobs/../keys.txt", None),
            ("/etc/passwd", None),
            ("other/file", None),
            ("", None),
        ] {
            let found = Part::split(path).map(|(part, rest)| (part, rest.to_str().expect("text")));
            assert_eq!(found, expected, "{path}");
        }
    }
}
