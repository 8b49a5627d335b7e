//! Hash of the sources that readings depend on.
//!
//! Results of jobs are cached by everything they depend on, and the program's own sources are part
//! of that: with a version number alone, a changed rule would return results from before the
//! change. Sources that no reading depends on (the command, the service, drawings) are excluded, so
//! that changes there keep the cache. `tests/jobs/sources.rs` checks the lists: it fails for a new
//! file that no rule names, and such a file counts as one that readings depend on.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

/// Paths that readings depend on: hands, rules, their texts, the pipeline, the JSON of an outcome,
/// and the worker code that makes one. A rule is a file or a folder with all its contents; if
/// several match, the longest one applies. The networks are hashed when they are loaded, with their
/// settings.
pub(crate) const READINGS: &[&str] = &[
    "crates/resample/Cargo.toml",
    "crates/resample/src",
    // The version of ONNX Runtime.
    "scripts/onnxruntime-cuda.json",
    "scripts/onnxruntime.json",
    "src/context",
    "src/context.rs",
    "src/contract",
    "src/contract.rs",
    "src/explain",
    "src/explain.rs",
    "src/hand",
    "src/hand.rs",
    "src/hex.rs",
    "src/jobs/outcome.rs",
    "src/jobs/task.rs",
    "src/jobs/worker/hand.rs",
    "src/jobs/worker/table.rs",
    "src/lang.rs",
    "src/meld.rs",
    "src/notation",
    "src/notation.rs",
    "src/pipeline",
    "src/pipeline.rs",
    "src/plural.rs",
    "src/printable.rs",
    "src/rules",
    "src/rules.rs",
    "src/settle.rs",
    "src/tile.rs",
    "src/tiles.rs",
];

/// Paths that readings do not depend on.
pub(crate) const OTHERS: &[&str] = &[
    "src/batch",
    "src/batch.rs",
    "src/cli",
    "src/cli.rs",
    "src/config",
    "src/config.rs",
    // Answers to requests, and the API document.
    "src/contract/answers",
    "src/contract/answers.rs",
    "src/contract/codes.rs",
    "src/contract/compact.rs",
    "src/contract/detail.rs",
    // Faults of the JSON of a request.
    "src/contract/json_fault",
    "src/contract/json_fault.rs",
    "src/contract/schema.rs",
    "src/game",
    "src/game.rs",
    "src/games",
    "src/games.rs",
    "src/http",
    "src/http.rs",
    // Opening of files that people name.
    "src/input_file.rs",
    // Queue and store. The definitions of tasks and outcomes are listed above.
    "src/jobs",
    "src/jobs.rs",
    "src/letters.rs",
    "src/lib.rs",
    "src/main.rs",
    "src/overlay.rs",
    "src/picture",
    "src/picture.rs",
    // File names.
    "src/printable",
    "src/private.rs",
    "src/random.rs",
    "src/sharing.rs",
    "src/spreadsheet.rs",
    "src/tile_art.rs",
    "src/trusted_file.rs",
    "src/worker_threads.rs",
];

/// Folders of sources. A rule must name each file in them.
pub(crate) const SOURCES: &[&str] = &["src", "crates"];

/// Features whose packages readings depend on, besides the packages of every build.
const FEATURES: &[&str] = &["vision", "runtime"];

fn main() -> io::Result<()> {
    let root = Path::new(".");
    println!("cargo::rustc-env=TILESIGHT_SOURCES={:016x}", hash(root)?);
    let rules = READINGS.iter().chain(SOURCES).chain(&["Cargo.lock", "Cargo.toml"]);
    // Cargo would rerun the script each time for a missing path, and a package omits some paths.
    for path in rules.filter(|path| root.join(path).exists()) {
        println!("cargo::rerun-if-changed={path}");
    }
    Ok(())
}

/// Returns the hash of everything that the readings of a program with these sources depend on.
pub(crate) fn hash(root: &Path) -> io::Result<u64> {
    // The keys of the hasher are fixed. Another compiler may hash differently, but then the program
    // is another one too.
    let mut hash = DefaultHasher::new();
    for name in covered(root)? {
        name.hash(&mut hash);
        fs::read(root.join(&name))?.hash(&mut hash);
    }
    packages(root).hash(&mut hash);
    Ok(hash.finish())
}

/// Returns the files that readings depend on, in order, with `/` between the parts of their names.
pub(crate) fn covered(root: &Path) -> io::Result<BTreeSet<String>> {
    let mut files = BTreeSet::new();
    for place in SOURCES.iter().chain(READINGS) {
        walk(root, &root.join(place), &mut files)?;
    }
    files.retain(|file| is_covered(file).unwrap_or(true));
    Ok(files)
}

/// Returns whether readings depend on a file; `None` if no rule names it.
pub(crate) fn is_covered(file: &str) -> Option<bool> {
    let longest = |rules: &[&str]| {
        let fits = |rule: &&&str| {
            file.strip_prefix(**rule).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        rules.iter().filter(fits).map(|rule| rule.len()).max()
    };
    match (longest(READINGS), longest(OTHERS)) {
        (None, None) => None,
        (readings, others) => Some(readings > others),
    }
}

pub(crate) fn walk(root: &Path, place: &Path, files: &mut BTreeSet<String>) -> io::Result<()> {
    if place.is_file() {
        let name = place.strip_prefix(root).unwrap_or(place);
        let parts = name.components().map(|part| part.as_os_str().to_string_lossy());
        files.insert(parts.collect::<Vec<_>>().join("/"));
    } else if place.is_dir() {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(place)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        entries.retain(|entry| !entry.ends_with("target"));
        entries.iter().try_for_each(|entry| walk(root, entry, files))?;
    }
    Ok(())
}

/// Returns the entries of Cargo.lock that readings depend on, in order. A package may come without
/// its lock file.
pub(crate) fn packages(root: &Path) -> BTreeSet<String> {
    let text = |name: &str| fs::read_to_string(root.join(name)).unwrap_or_default();
    let (manifest, lock) = (text("Cargo.toml"), text("Cargo.lock"));
    let mut entries: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for entry in lock.split("[[package]]").skip(1) {
        entries.entry(field(entry, "name")).or_default().push(entry.trim());
    }
    let (mut found, mut open) = (BTreeSet::new(), wanted(&manifest));
    while let Some(name) = open.pop() {
        // An entry is `name`, or `name version` if there are several versions.
        let (name, version) = name.split_once(' ').unwrap_or((&name, ""));
        for &entry in entries.get(name).into_iter().flatten() {
            let is_meant =
                version.is_empty() || version.split(' ').next() == Some(field(entry, "version"));
            if is_meant && found.insert(entry.to_owned()) {
                open.extend(quoted(list(entry, "dependencies = [")));
            }
        }
    }
    found
}

/// Returns the packages that Cargo.toml names for every build and for the features that read.
fn wanted(manifest: &str) -> Vec<String> {
    let always = manifest.split("\n[dependencies]").nth(1).unwrap_or_default();
    let always = always.split("\n[").next().unwrap_or_default().lines();
    let always = always.filter(|line| !line.starts_with('#') && !line.contains("optional = true"));
    let always = always.filter_map(|line| Some(line.split_once(" =")?.0.to_owned()));
    let features =
        FEATURES.iter().flat_map(|name| quoted(list(manifest, &format!("\n{name} = ["))));
    let features = features.filter_map(|name| Some(name.strip_prefix("dep:")?.to_owned()));
    always.chain(features).collect()
}

/// Returns the value of a field of an entry of Cargo.lock.
pub(crate) fn field<'a>(entry: &'a str, name: &str) -> &'a str {
    let value = entry.split(&format!("{name} = \"")).nth(1);
    value.and_then(|value| value.split('"').next()).unwrap_or_default()
}

/// Returns the text between a prefix and the next closing bracket.
fn list<'a>(text: &'a str, beginning: &str) -> &'a str {
    text.split(beginning).nth(1).and_then(|rest| rest.split(']').next()).unwrap_or_default()
}

/// Returns the quoted texts in a list.
fn quoted(list: &str) -> impl Iterator<Item = String> {
    list.split('"').skip(1).step_by(2).map(str::to_owned)
}
