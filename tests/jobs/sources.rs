//! Sources that are part of a task's key: all that can change a reading, and no others.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[allow(dead_code, reason = "it is a program of its own")]
#[path = "../../build.rs"]
mod build;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for place in build::SOURCES {
        build::walk(root(), &root().join(place), &mut files).expect("our sources");
    }
    files
}

/// Returns the part of a file that is compiled into the program; tests of a file are at its end.
fn code(file: &str) -> String {
    let text = fs::read_to_string(root().join(file)).expect(file);
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_source_file_is_classified() {
    let unknown: Vec<_> =
        sources().into_iter().filter(|file| build::is_covered(file).is_none()).collect();
    assert!(unknown.is_empty(), "name them in READINGS or OTHERS of build.rs: {unknown:#?}");
    for rule in build::READINGS.iter().chain(build::OTHERS) {
        assert!(root().join(rule).exists(), "{rule} is gone: remove its rule from build.rs");
    }
}

#[test]
fn what_changes_a_reading_is_covered_and_nothing_else() {
    let covered = build::covered(root()).expect("our sources");
    for file in [
        "crates/resample/src/lib.rs",
        "src/pipeline/decode/jpeg/transform.rs",
        "src/rules/mcr/profiles/mcr-wmo.toml",
        "src/rules/mmm/texts/de.rs",
        "src/contract/reading.rs",
        "src/explain/verdict.rs",
        "src/jobs/outcome.rs",
        "src/config/pin.rs",
        "scripts/onnxruntime.json",
    ] {
        assert!(covered.contains(file), "{file}");
    }
    for file in [
        "src/cli/read.rs",
        "src/http/openapi.rs",
        "src/jobs/nats/queue.rs",
        "src/contract/schema.rs",
        "src/overlay.rs",
        "src/config/settings.rs",
        "Cargo.lock",
    ] {
        assert!(!covered.contains(file), "{file}");
    }
}

/// Covered code uses only covered code.
#[test]
fn covered_code_stands_on_covered_code() {
    let files = build::covered(root()).expect("our sources");
    // `config` re-exports items of its covered file `pin.rs`; a worker builds on queue and store.
    let files = files.iter().filter(|file| file.starts_with("src/") && file.ends_with(".rs"));
    let mut faults = Vec::new();
    for file in files.filter(|file| !file.starts_with("src/jobs/") && !file.ends_with("tests.rs")) {
        let code = code(file);
        for used in code.split("crate::").skip(1) {
            let end = used.find(|c: char| !c.is_ascii_lowercase() && c != '_');
            let module = &used[..end.unwrap_or(used.len())];
            let source = format!("src/{module}.rs");
            let is_module = root().join(&source).exists() && module != "config";
            if is_module && build::is_covered(&source) != Some(true) {
                faults.push(format!("{file} uses crate::{module}"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Files included in covered code are covered too, and files beside the sources are hashed when
/// they are loaded.
#[test]
fn files_inside_covered_code_are_covered() {
    let covered = build::covered(root()).expect("our sources");
    for file in covered.iter().filter(|file| file.ends_with(".rs") && !file.ends_with("tests.rs")) {
        for macro_name in ["include_str!(\"", "include_bytes!(\""] {
            for name in code(file).split(macro_name).skip(1) {
                let name = name.split('"').next().expect("the end of a text");
                let folder = root().join(file).parent().expect("a folder").to_owned();
                let path = folder.join(name).canonicalize().expect(name);
                let name = path.strip_prefix(root().canonicalize().expect("ours")).expect("ours");
                let name = name.to_string_lossy().replace('\\', "/");
                let is_hashed_when_loaded = name == "models/manifest.json";
                assert!(covered.contains(&name) || is_hashed_when_loaded, "{file} has {name}");
            }
        }
    }
}

/// A small program to change in one place.
struct Tree(PathBuf);

impl Tree {
    fn new() -> Tree {
        let folder = std::env::temp_dir().join(format!("tilesight-tree-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let tree = Tree(folder);
        tree.write("src/pipeline/decode.rs", "fn decode() {}");
        tree.write("src/cli/read.rs", "fn read() {}");
        tree.write("src/contract/schema.rs", "fn schema() {}");
        tree.write("crates/resample/src/lib.rs", "fn sample() {}");
        tree.write("Cargo.toml", "[features]\nvision = [\"dep:image\"]\nruntime = [\n    \"vision\", \"dep:ort\",\n]\nhttp = [\"dep:axum\"]\n\n[dependencies]\nserde = \"1\"\nimage = { version = \"1\", optional = true }\naxum = { version = \"1\", optional = true }\n\n[lints]\n");
        tree.lock("1", "1", "1");
        tree
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.0.join(name);
        fs::create_dir_all(file.parent().expect("below the folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }

    /// Writes packages of these versions: one that decodes pictures for another, a second one of
    /// the same name for the service, and the service.
    fn lock(&self, png: &str, other_png: &str, axum: &str) {
        let text = format!(
            "version = 4\n\n[[package]]\nname = \"axum\"\nversion = \"{axum}\"\ndependencies = [\n \"png 9.{other_png}\",\n]\n\n\
             [[package]]\nname = \"image\"\nversion = \"1\"\ndependencies = [\n \"png 1.{png}\",\n]\n\n\
             [[package]]\nname = \"png\"\nversion = \"1.{png}\"\n\n[[package]]\nname = \"png\"\nversion = \"9.{other_png}\"\n\n\
             [[package]]\nname = \"serde\"\nversion = \"1\"\n"
        );
        self.write("Cargo.lock", &text);
    }

    fn hash(&self) -> u64 {
        build::hash(&self.0).expect("the tree is there")
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_hash_changes_with_what_readings_depend_on() {
    let tree = Tree::new();
    let first = tree.hash();
    assert_eq!(tree.hash(), first);
    tree.write("src/cli/read.rs", "// A comment.\nfn read() {}");
    tree.write("src/contract/schema.rs", "fn other_schema() {}");
    tree.lock("1", "2", "3");
    assert_eq!(tree.hash(), first, "no reading depends on these");
    tree.write("crates/resample/src/lib.rs", "fn sample() { /* rounds */ }");
    let resampled = tree.hash();
    tree.write("src/pipeline/decode.rs", "fn decode() { /* darker */ }");
    let decoded = tree.hash();
    tree.lock("2", "2", "3");
    let other_library = tree.hash();
    tree.write("src/unknown.rs", "fn new() {}");
    let hashes = BTreeSet::from([first, resampled, decoded, other_library, tree.hash()]);
    assert_eq!(hashes.len(), 5);
}

#[test]
fn packages_of_the_reader_are_covered() {
    let packages = build::packages(root());
    let has = |name: &str| packages.iter().any(|entry| build::field(entry, "name") == name);
    for name in ["image", "png", "zune-jpeg", "ort", "moxcms", "serde_json", "tilesight-resample"] {
        assert!(has(name), "{name}");
    }
    for name in ["axum", "rusqlite", "async-nats", "clap", "resvg", "tilesight"] {
        assert!(!has(name), "{name}");
    }
}
