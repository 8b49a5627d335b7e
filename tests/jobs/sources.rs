//! Sources that are part of a task's key: all that can change a reading, and no others.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[allow(dead_code, reason = "it is a program of its own")]
#[path = "../../crates/tilesight-jobs/build.rs"]
mod build;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn changes_of_readings_are_covered_and_nothing_else() {
    let covered = build::covered(root()).expect("our sources");
    for file in [
        "crates/tilesight-stills/src/resample.rs",
        "crates/tilesight-stills/src/jpeg/transform.rs",
        "crates/tilesight-core/src/rules/mcr/profiles/mcr-wmo.toml",
        "crates/tilesight-core/src/explain/verdict.rs",
        "crates/tilesight-texts/catalogues/de.toml",
        "crates/tilesight-texts/src/rust.rs",
        "crates/tilesight-vision/src/contract/reading.rs",
        "crates/tilesight-vision/src/networks/onnx/pin.rs",
        "crates/tilesight-vision/Cargo.toml",
        "crates/tilesight-jobs/src/outcome.rs",
        "scripts/onnxruntime.json",
    ] {
        assert!(covered.contains(file), "{file}");
    }
    for file in [
        "src/cli/commands/read.rs",
        "crates/tilesight-service/src/openapi.rs",
        "crates/tilesight-fleet/src/queue.rs",
        "crates/tilesight-jobs/src/queue.rs",
        "crates/tilesight-pictures/src/overlay.rs",
        "Cargo.lock",
    ] {
        assert!(root().join(file).exists() && !covered.contains(file), "{file}");
    }
    for file in build::FILES {
        assert!(covered.contains(*file), "{file} is gone: remove it from build.rs");
    }
}

/// The covered crates depend on covered crates only.
#[test]
fn covered_crates_stand_on_covered_crates() {
    for name in build::CRATES {
        let manifest = fs::read_to_string(root().join(name).join("Cargo.toml")).expect(name);
        for line in manifest.lines().filter(|line| line.starts_with("tilesight-")) {
            let used = line.split_once(" =").expect("a dependency").0;
            assert!(
                build::CRATES.contains(&format!("crates/{used}").as_str()),
                "{name} has {used}"
            );
        }
    }
}

/// Files that are compiled into covered code are covered too, or hashed when they are loaded.
#[test]
fn files_inside_covered_code_are_covered() {
    let covered = build::covered(root()).expect("our sources");
    for file in covered.iter().filter(|file| file.ends_with(".rs") && !file.ends_with("tests.rs")) {
        let text = fs::read_to_string(root().join(file)).expect(file);
        // Tests of a file are at its end.
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for macro_name in ["include_str!(\"", "include_bytes!(\""] {
            for name in code.split(macro_name).skip(1) {
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

/// A small workspace to change in one place.
struct Tree(PathBuf);

impl Tree {
    fn new() -> Tree {
        let folder = std::env::temp_dir().join(format!("tilesight-tree-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let tree = Tree(folder);
        tree.write("crates/tilesight-vision/src/reader.rs", "fn read() {}");
        tree.write("crates/tilesight-stills/src/resample.rs", "fn sample() {}");
        tree.write(
            "crates/tilesight-vision/Cargo.toml",
            "[package]\n\n[dependencies]\nimage = \"1\"\nserde = { version = \"1\", optional = true }\n\n[dev-dependencies]\naxum = \"1\"\n",
        );
        tree.write("src/cli/commands/read.rs", "fn read() {}");
        tree.write("crates/tilesight-jobs/src/queue.rs", "fn push() {}");
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
    tree.write("src/cli/commands/read.rs", "// A comment.\nfn read() {}");
    tree.write("crates/tilesight-jobs/src/queue.rs", "fn push_all() {}");
    tree.lock("1", "2", "3");
    assert_eq!(tree.hash(), first, "no reading depends on these");
    tree.write("crates/tilesight-stills/src/resample.rs", "fn sample() { /* rounds */ }");
    let resampled = tree.hash();
    tree.write("crates/tilesight-vision/src/reader.rs", "fn read() { /* darker */ }");
    let read = tree.hash();
    tree.lock("2", "2", "3");
    let other_library = tree.hash();
    tree.write("crates/tilesight-core/src/new.rs", "fn new() {}");
    let hashes = BTreeSet::from([first, resampled, read, other_library, tree.hash()]);
    assert_eq!(hashes.len(), 5);
}

#[test]
fn packages_of_the_reader_are_covered() {
    let packages = build::packages(root());
    let has = |name: &str| packages.iter().any(|entry| build::field(entry, "name") == name);
    for name in ["image", "png", "zune-jpeg", "ort", "moxcms", "serde_json"] {
        assert!(has(name), "{name}");
    }
    for name in ["axum", "rusqlite", "async-nats", "clap", "resvg", "tilesight", "proptest"] {
        assert!(!has(name), "{name}");
    }
}
