//! The Rust code for the texts of a crate.
//!
//! Every table of a catalogue becomes a module, and every text a function of the language and the
//! placeholders, in the order of the English text. Three names of tables stand for other code:
//! - `labels`: a constant of the crate's struct `Labels` for each language. The struct literal has
//!   every text of the table as a field.
//! - `lines`: a constant function that finds the name and explanation of a line of a rule set by
//!   its code, at compile time, and their number.
//! - `options`: a function that finds the meaning of an option of a rule set by its name, and for
//!   tests the list of all names.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::catalogue::{COUNT, Catalogue, Entry, Piece, pieces};

/// Returns the code for the texts below a table.
pub(crate) fn write(all: &[Catalogue], table: &str) -> Result<String, String> {
    let mut code = String::from("use ::tilesight_core::explain::Lang;\n");
    if table == "core" {
        code = String::from("use crate::explain::Lang;\n");
    }
    write_module(&mut code, all, table)?;
    Ok(code)
}

fn write_module(code: &mut String, all: &[Catalogue], path: &str) -> Result<(), String> {
    let mut modules = BTreeSet::new();
    for (key, _) in all[0].below(path) {
        match key.split_once('.') {
            Some((module, _)) => {
                modules.insert(module);
            }
            None => write_function(code, all, path, key)?,
        }
    }
    for module in modules {
        let path = format!("{path}.{module}");
        match module {
            "labels" => write_labels(code, all, &path),
            "lines" => write_lines(code, all, &path),
            "options" => write_options(code, all, &path),
            _ => {
                let _ = writeln!(code, "pub(crate) mod {module} {{\nuse super::Lang;");
                write_module(code, all, &path)?;
                code.push_str("}\n");
            }
        }
    }
    Ok(())
}

fn write_function(
    code: &mut String,
    all: &[Catalogue],
    path: &str,
    key: &str,
) -> Result<(), String> {
    let path = format!("{path}.{key}");
    let entries: Vec<&Entry> = all.iter().filter_map(|catalogue| catalogue.get(&path)).collect();
    if !entries.iter().all(|entry| matches!(entry, Entry::Text { .. })) {
        return Err(format!("{path}: only a text can stand here"));
    }
    let has_plural = entries.iter().any(|entry| entry.has_plural());
    let names = entries[0].placeholders();
    let others = names.iter().copied().filter(|name| !(has_plural && *name == COUNT));
    let parameters: String = has_plural
        .then(|| format!(", {COUNT}: impl ::std::fmt::Display + Copy + PartialEq + From<u8>"))
        .into_iter()
        .chain(others.map(|name| format!(", {name}: impl ::std::fmt::Display")))
        .collect();
    // English, for people who jump to the function in an editor. It is no documentation, because
    // texts contain what Markdown takes for links.
    for text in entries[0].texts() {
        let _ = writeln!(code, "// {text}");
    }
    if parameters.is_empty() {
        let texts: Vec<String> = entries.iter().flat_map(|entry| literals(entry)).collect();
        let _ = writeln!(
            code,
            "pub(crate) const fn {key}(lang: Lang) -> &'static str {{ [{}][lang as usize] }}",
            texts.join(", ")
        );
        return Ok(());
    }
    let _ = writeln!(
        code,
        "#[allow(clippy::match_same_arms, reason = \"two languages may say the same\")]\n\
         pub(crate) fn {key}(lang: Lang{parameters}) -> String {{\nmatch lang {{"
    );
    for (catalogue, entry) in all.iter().zip(entries) {
        let Entry::Text { one, other, .. } = entry else { continue };
        if let Some(one) = one {
            let lang = catalogue.lang;
            let _ = writeln!(code, "Lang::{lang} if {COUNT} == 1.into() => {},", format(one));
        }
        let _ = writeln!(code, "Lang::{} => {},", catalogue.lang, format(other));
    }
    code.push_str("}\n}\n");
    Ok(())
}

/// Returns the expression for a text with its placeholders.
fn format(text: &str) -> String {
    let mut literal = String::new();
    for piece in pieces(text) {
        match piece {
            Piece::Plain(plain) => literal += &plain.replace('{', "{{").replace('}', "}}"),
            Piece::Placeholder(name) => literal += &format!("{{{name}}}"),
        }
    }
    format!("format!({literal:?})")
}

/// Returns the literals for an entry's texts, with the names of their placeholders in braces.
fn literals(entry: &Entry) -> Vec<String> {
    entry.texts().into_iter().map(|text| format!("{text:?}")).collect()
}

/// Writes a struct `Labels` for each language.
fn write_labels(code: &mut String, all: &[Catalogue], path: &str) {
    let _ = writeln!(code, "pub(crate) static LABELS: [crate::explain::Labels; {}] = [", all.len());
    for catalogue in all {
        code.push_str("crate::explain::Labels {\n");
        for (key, entry) in catalogue.below(path) {
            let path = format!("{path}.{key}");
            let has_plural = all.iter().filter_map(|other| other.get(&path)).any(Entry::has_plural);
            let texts = literals(entry).join(", ");
            let value = match entry {
                Entry::Text { one: None, .. } if has_plural => format!("[{texts}, {texts}]"),
                Entry::Text { one: None, .. } => texts,
                Entry::Number(number) => format!("crate::rules::Halves({})", number * 2.0),
                _ => format!("[{texts}]"),
            };
            let _ = writeln!(code, "{key}: {value},");
        }
        code.push_str("},\n");
    }
    code.push_str("];\n");
}

/// Writes the function that finds a line by its code.
fn write_lines(code: &mut String, all: &[Catalogue], path: &str) {
    let lines: Vec<(&str, &Entry)> = all[0].below(path).collect();
    let _ = writeln!(
        code,
        "pub(crate) const LINES: usize = {};\n\
         #[allow(clippy::large_const_arrays, reason = \"find_line reads it while compiling\")]\n\
         const TABLE: [(&str, [crate::rules::Text; {}]); LINES] = [",
        lines.len(),
        all.len()
    );
    for (key, _) in lines {
        let _ = writeln!(code, "({key:?}, [");
        for catalogue in all {
            if let Some(entry) = catalogue.get(&format!("{path}.{key}"))
                && let [name, explanation] = &literals(entry)[..]
            {
                let _ = writeln!(
                    code,
                    "crate::rules::Text {{ name: {name}, explanation: {explanation} }},"
                );
            }
        }
        code.push_str("]),\n");
    }
    code.push_str(
        "];\n\
         pub(crate) const fn find_line(code: &str) -> [crate::rules::Text; Lang::COUNT] {\n\
         let mut at = 0;\n\
         while at < LINES {\n\
         if is_same(TABLE[at].0.as_bytes(), code.as_bytes()) { return TABLE[at].1; }\n\
         at += 1;\n\
         }\n\
         panic!(\"the catalogues have no line of this code\")\n\
         }\n\
         const fn is_same(one: &[u8], other: &[u8]) -> bool {\n\
         let mut at = 0;\n\
         while at < one.len() && at < other.len() && one[at] == other[at] { at += 1; }\n\
         at == one.len() && at == other.len()\n\
         }\n",
    );
}

/// Writes the function that finds the meaning of an option, and for tests the names of all options.
fn write_options(code: &mut String, all: &[Catalogue], path: &str) {
    let names: Vec<&str> = all[0].below(path).map(|(name, _)| name).collect();
    let _ = writeln!(code, "#[cfg(test)]\npub(crate) const OPTIONS: &[&str] = &{names:?};");
    code.push_str(
        "pub(crate) fn find_option(name: &str, lang: Lang) -> Option<&'static str> {\n\
         let texts = match name {\n",
    );
    for (key, _) in all[0].below(path) {
        let entries = all.iter().filter_map(|catalogue| catalogue.get(&format!("{path}.{key}")));
        let texts: Vec<String> =
            entries.flat_map(Entry::texts).map(|text| format!("{text:?}")).collect();
        let _ = writeln!(code, "{key:?} => [{}],", texts.join(", "));
    }
    code.push_str("_ => return None,\n};\nSome(texts[lang as usize])\n}\n");
}
