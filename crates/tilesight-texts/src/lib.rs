//! Texts for people in every language, for build scripts.
//!
//! The texts are in `catalogues/`, one TOML file for each language; `README.md` describes them for
//! translators. A crate with texts calls [`generate`] from its build script and includes the
//! result:
//!
//! 1. `catalogue` reads the files and compares them: every language has the same keys with the same
//!    placeholders.
//! 2. `rust` writes a function for each text of the crate, with a parameter for each placeholder. A
//!    missing text or argument does not compile, because the function or parameter is missing; an
//!    unused text does not compile, because the module denies dead code.
//!
//! This crate is a build dependency only: no program parses a catalogue when it runs.

mod catalogue;
mod rust;

use std::path::Path;
use std::{env, fs, process};

use catalogue::Catalogue;

/// Languages of the catalogues: name of the file and of the variant of `Lang`, in the order of
/// `Lang::ALL`. English comes first; the others are compared with it.
const LANGUAGES: [(&str, &str); 5] = [
    ("En", include_str!("../catalogues/en.toml")),
    ("De", include_str!("../catalogues/de.toml")),
    ("Da", include_str!("../catalogues/da.toml")),
    ("Sv", include_str!("../catalogues/sv.toml")),
    ("Zh", include_str!("../catalogues/zh.toml")),
];

/// Writes the texts of a crate to `texts.rs` in the output folder of its build script. If a
/// catalogue is not complete, the build fails with a message for translators.
///
/// # Panics
/// Panics outside a build script, and if the file cannot be written.
pub fn generate(table: &str) {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var_os("OUT_DIR").expect("a build script has an output folder");
    let code = generate_code(table).unwrap_or_else(|error| {
        println!("cargo::error={error}");
        process::exit(1)
    });
    let file = Path::new(&folder).join("texts.rs");
    fs::write(&file, code).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// Returns the Rust code for the texts of a crate.
///
/// # Errors
/// Describes the first fault of the catalogues: the file, the key, and what is wrong.
fn generate_code(table: &str) -> Result<String, String> {
    rust::write(&load()?, table)
}

/// Reads and compares all catalogues.
fn load() -> Result<Vec<Catalogue>, String> {
    let read = LANGUAGES.into_iter().map(|(name, text)| Catalogue::parse(name, text));
    let all: Vec<Catalogue> = read.collect::<Result<_, _>>()?;
    let (english, others) = all.split_first().ok_or("there is no catalogue")?;
    others.iter().try_for_each(|other| other.compare(english))?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks every text of every language. This is the command for translators.
    #[test]
    fn catalogues_are_complete() {
        let all = load().unwrap_or_else(|error| panic!("{error}"));
        for table in all[0].tables() {
            generate_code(table).unwrap_or_else(|error| panic!("{error}"));
        }
    }

    #[test]
    fn every_text_is_translated() {
        let all = load().expect("complete");
        let faults: Vec<String> =
            all[1..].iter().flat_map(|other| other.untranslated(&all[0])).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    /// The compiler finds every unused text but labels, which are public fields.
    #[test]
    fn every_label_is_used() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut code = String::new();
        for folder in ["crates/tilesight-core/src", "crates/tilesight-pictures/src", "src"] {
            read_code(&root.join(folder), &mut code);
        }
        let all = load().expect("complete");
        let unused = all[0].below("core.labels").map(|(key, _)| key);
        let unused: Vec<&str> = unused
            .filter(|key| {
                let use_of_label = format!(".{key}");
                let mut ends =
                    code.match_indices(&use_of_label).map(|(at, found)| at + found.len());
                !ends.any(|end| !code[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
            })
            .collect();
        assert!(unused.is_empty(), "nothing uses these labels: {unused:?}");
    }

    fn read_code(folder: &Path, code: &mut String) {
        for entry in fs::read_dir(folder).expect("a folder of the workspace") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                read_code(&path, code);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                *code += &fs::read_to_string(path).expect("UTF-8");
            }
        }
    }

    #[test]
    fn lines_of_rules_have_different_names_and_whole_sentences() {
        let faults: Vec<String> =
            load().expect("complete").iter().flat_map(Catalogue::faults_of_lines).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
