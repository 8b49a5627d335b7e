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

/// Languages of the catalogues: variant of `Lang` and text of the file, in the order of
/// `Lang::ALL`. English comes first; the others are compared with it.
const LANGUAGES: [(&str, &str); 7] = [
    ("En", include_str!("../catalogues/en.toml")),
    ("De", include_str!("../catalogues/de.toml")),
    ("Da", include_str!("../catalogues/da.toml")),
    ("Sv", include_str!("../catalogues/sv.toml")),
    ("Zh", include_str!("../catalogues/zh.toml")),
    ("ZhHant", include_str!("../catalogues/zh-Hant.toml")),
    ("Ja", include_str!("../catalogues/ja.toml")),
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
    use std::collections::HashMap;

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

    /// A generated function takes what its text carries in the order of the English text. All types
    /// are alike, so only the names of the arguments show that two stand in each other's place.
    #[test]
    fn arguments_stand_in_the_order_of_their_placeholders() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut code = String::new();
        for folder in ["crates", "src", "bindings"] {
            read_code(&root.join(folder), &mut code);
        }
        let all = load().expect("complete");
        let mut parameters: HashMap<String, Vec<&str>> = HashMap::new();
        for table in all[0].tables() {
            for (path, entry) in all[0].below(table) {
                let words: Vec<&str> = path.rsplitn(3, '.').collect();
                let [key, module, ..] = words[..] else { continue };
                parameters.insert(format!("{module}::{key}"), entry.placeholders());
            }
        }
        let calls: Vec<(String, Vec<&str>)> = find_calls(&code).collect();
        let known: Vec<_> = calls
            .iter()
            .filter_map(|(name, given)| Some((name, given, parameters.get(name)?)))
            .collect();
        assert!(known.len() > 100, "only {} calls were found", known.len());
        // What chooses the form of a text need not be named as in it, and comes first.
        let is_moved = |given: &[&str], names: &[&str]| {
            let own = given.iter().filter(|name| names.contains(name));
            own.ne(names.iter().filter(|name| given.contains(name)))
        };
        let moved = known.iter().filter(|(_, given, names)| is_moved(given, names));
        let faults: Vec<String> =
            moved.map(|(name, given, names)| format!("{name}: {given:?} for {names:?}")).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    /// Returns each call with a language: the last two names of its path, and the arguments behind
    /// the language, without what borrows them.
    fn find_calls(code: &str) -> impl Iterator<Item = (String, Vec<&str>)> {
        code.match_indices("(lang,").filter_map(|(at, found)| {
            let path =
                code[..at].rsplit(|c: char| !(c.is_alphanumeric() || "_:".contains(c))).next()?;
            let mut names = path.rsplit("::");
            let key = names.next()?;
            let module = names.next()?;
            let (arguments, _) = code[at + found.len()..].split_once(')')?;
            let arguments =
                arguments.split(',').map(|text| text.trim().trim_start_matches(['&', '*']));
            Some((format!("{module}::{key}"), arguments.filter(|name| !name.is_empty()).collect()))
        })
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
