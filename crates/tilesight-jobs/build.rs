//! Writes the functions for this crate's texts, and hashes the sources that readings depend on,
//! into `TILESIGHT_SOURCES`.
//!
//! The key of a task contains this hash: a version number alone would let a changed rule answer
//! with what was read before the change. Covered are the crates from pixels to scores, what turns a
//! reading into an outcome, and the packages that these depend on. The networks are hashed when
//! they are loaded. The catalogues of texts are covered as a whole, because answers contain texts.
//! Everything else (the command, the service, drawings, queue and store) stays out, so that
//! outcomes survive a change there.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

/// Crates that readings depend on. They depend on no others of the workspace.
pub(crate) const CRATES: &[&str] = &[
    "crates/tilesight-core",
    "crates/tilesight-stills",
    "crates/tilesight-texts",
    "crates/tilesight-vision",
];

/// Further files that readings depend on: how a worker makes an outcome, and the version of ONNX
/// Runtime.
pub(crate) const FILES: &[&str] = &[
    "crates/tilesight-jobs/src/outcome.rs",
    "crates/tilesight-jobs/src/task.rs",
    "crates/tilesight-jobs/src/worker/work_loop.rs",
    "crates/tilesight-jobs/src/worker/task_photos.rs",
    "crates/tilesight-jobs/src/worker/task_sets.rs",
    "scripts/onnxruntime-cuda.json",
    "scripts/onnxruntime.json",
];

fn main() -> io::Result<()> {
    let root = Path::new("../..");
    tilesight_texts::generate("jobs");
    println!("cargo::rustc-env=TILESIGHT_SOURCES={:016x}", hash(root)?);
    let inputs = CRATES.iter().chain(FILES).chain(&["Cargo.lock"]);
    // A path that does not exist would run this script for each build. A published package comes
    // without its neighbours; there the version of the package stands for them.
    for path in inputs.filter(|path| root.join(path).exists()) {
        println!("cargo::rerun-if-changed=../../{path}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}

/// Returns the hash of everything that the readings of the workspace in `root` depend on.
pub(crate) fn hash(root: &Path) -> io::Result<u64> {
    // The keys of this hasher are constant. A compiler with another hasher is another program too.
    let mut hash = DefaultHasher::new();
    for name in covered(root)? {
        name.hash(&mut hash);
        fs::read(root.join(&name))?.hash(&mut hash);
    }
    packages(root).hash(&mut hash);
    Ok(hash.finish())
}

/// Returns the covered files in order, with `/` between the parts of their names.
pub(crate) fn covered(root: &Path) -> io::Result<BTreeSet<String>> {
    let mut files = BTreeSet::new();
    for name in CRATES {
        walk(root, &root.join(name).join("Cargo.toml"), &mut files)?;
        walk(root, &root.join(name).join("src"), &mut files)?;
        walk(root, &root.join(name).join("catalogues"), &mut files)?;
    }
    for name in FILES {
        walk(root, &root.join(name), &mut files)?;
    }
    Ok(files)
}

fn walk(root: &Path, place: &Path, files: &mut BTreeSet<String>) -> io::Result<()> {
    if place.is_file() {
        let name = place.strip_prefix(root).unwrap_or(place);
        let parts = name.components().map(|part| part.as_os_str().to_string_lossy());
        files.insert(parts.collect::<Vec<_>>().join("/"));
    } else if place.is_dir() {
        let entries: Vec<PathBuf> =
            fs::read_dir(place)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        entries.iter().try_for_each(|entry| walk(root, entry, files))?;
    }
    Ok(())
}

/// Returns the entries of Cargo.lock that the covered crates depend on, in order.
pub(crate) fn packages(root: &Path) -> BTreeSet<String> {
    let text = |name: &str| fs::read_to_string(root.join(name)).unwrap_or_default();
    let lock = text("Cargo.lock");
    let mut entries: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for entry in lock.split("[[package]]").skip(1) {
        entries.entry(field(entry, "name")).or_default().push(entry.trim());
    }
    let manifests = CRATES.iter().map(|name| text(&format!("{name}/Cargo.toml")));
    let mut open: Vec<String> = manifests.flat_map(|manifest| dependencies(&manifest)).collect();
    let mut found = BTreeSet::new();
    while let Some(name) = open.pop() {
        // `name`, or `name version` if there are several versions.
        let (name, version) = name.split_once(' ').unwrap_or((&name, ""));
        // The sources of our own crates are hashed; their entries list what only tests need, too.
        if name.starts_with("tilesight-") {
            continue;
        }
        for &entry in entries.get(name).into_iter().flatten() {
            let is_meant =
                version.is_empty() || version.split(' ').next() == Some(field(entry, "version"));
            if is_meant && found.insert(entry.to_owned()) {
                open.extend(quoted_texts(list(entry, "dependencies = [")));
            }
        }
    }
    found
}

/// Returns the names of the packages in the section `[dependencies]` of a manifest.
fn dependencies(manifest: &str) -> Vec<String> {
    let section = manifest.split("\n[dependencies]").nth(1).unwrap_or_default();
    let lines = section.split("\n[").next().unwrap_or_default().lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| Some(line.split_once(" =")?.0.to_owned())).collect()
}

/// Returns the value of a field of an entry of Cargo.lock.
pub(crate) fn field<'a>(entry: &'a str, name: &str) -> &'a str {
    let value = entry.split(&format!("{name} = \"")).nth(1);
    value.and_then(|value| value.split('"').next()).unwrap_or_default()
}

/// Returns the text between a beginning and the next closing bracket.
fn list<'a>(text: &'a str, beginning: &str) -> &'a str {
    text.split(beginning).nth(1).and_then(|rest| rest.split(']').next()).unwrap_or_default()
}

/// Returns the quoted texts in a list.
fn quoted_texts(list: &str) -> impl Iterator<Item = String> {
    list.split('"').skip(1).step_by(2).map(str::to_owned)
}
