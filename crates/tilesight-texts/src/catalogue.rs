//! A catalogue: the texts of one language, read from TOML and compared with the English ones.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

/// Placeholder for the number that selects between `one` and `other`.
pub(crate) const COUNT: &str = "count";

/// All texts of one language by their path, such as `core.request_fault.too_large`.
#[derive(Debug)]
pub(crate) struct Catalogue {
    /// Variant of `Lang`; the file has the name of its tag.
    pub(crate) lang: &'static str,
    texts: BTreeMap<String, Entry>,
    same_as_english: BTreeSet<String>,
}

/// An entry of a catalogue.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Entry {
    /// A text.
    Text {
        /// Form for exactly one, if it differs.
        one: Option<String>,
        /// Form for any other number.
        other: String,
        /// Placeholders that this language does not print.
        leaves_out: Vec<String>,
    },
    /// Texts that are chosen by their position.
    List(Vec<String>),
    /// Name and explanation of a line of a rule set.
    Line { name: String, explanation: String },
    /// A number that belongs to the grammar of the language.
    Number(f64),
}

impl From<String> for Entry {
    fn from(other: String) -> Entry {
        Entry::Text { one: None, other, leaves_out: Vec::new() }
    }
}

impl Entry {
    /// Returns all texts of the entry.
    pub(crate) fn texts(&self) -> Vec<&str> {
        match self {
            Entry::Text { one, other, .. } => {
                one.iter().chain([other]).map(String::as_str).collect()
            }
            Entry::List(all) => all.iter().map(String::as_str).collect(),
            Entry::Line { name, explanation } => vec![name, explanation],
            Entry::Number(_) => Vec::new(),
        }
    }

    /// Returns the name of the entry's form, with the number of texts of a list.
    fn form(&self) -> String {
        match self {
            Entry::Text { .. } => "a text".to_owned(),
            Entry::List(all) => format!("a list of {} texts", all.len()),
            Entry::Line { .. } => "a name and an explanation".to_owned(),
            Entry::Number(_) => "a number".to_owned(),
        }
    }

    /// Returns whether the text has a form for exactly one.
    pub(crate) const fn has_plural(&self) -> bool {
        matches!(self, Entry::Text { one: Some(_), .. })
    }

    /// Returns the placeholders of all texts, in the order of their first occurrence, then those
    /// that the language does not print.
    pub(crate) fn placeholders(&self) -> Vec<&str> {
        let mut found = Vec::new();
        for piece in self.texts().into_iter().flat_map(pieces) {
            if let Piece::Placeholder(name) = piece
                && !found.contains(&name)
            {
                found.push(name);
            }
        }
        if let Entry::Text { leaves_out, .. } = self {
            found.extend(leaves_out.iter().map(String::as_str));
        }
        found
    }
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Letters that are printed as they are.
    Plain(&'a str),
    /// A name in braces, for which a value is printed.
    Placeholder(&'a str),
}

/// Splits a text into its pieces. A placeholder is a name of small letters, digits and `_` in
/// braces; any other brace is printed.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut from = 0;
    while let Some(open) = text[from..].find('{').map(|at| from + at) {
        let name = text[open + 1..].split_once('}').map(|(name, _)| name);
        match name.filter(|name| is_name(name)) {
            Some(name) => {
                if start < open {
                    pieces.push(Piece::Plain(&text[start..open]));
                }
                pieces.push(Piece::Placeholder(name));
                start = open + name.len() + 2;
                from = start;
            }
            None => from = open + 1,
        }
    }
    if start < text.len() {
        pieces.push(Piece::Plain(&text[start..]));
    }
    pieces
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

impl Catalogue {
    /// Reads a catalogue.
    pub(crate) fn parse(lang: &'static str, text: &str) -> Result<Catalogue, String> {
        let mut catalogue =
            Catalogue { lang, texts: BTreeMap::new(), same_as_english: BTreeSet::new() };
        let mut table: Table = text.parse().map_err(|error| catalogue.fault("", error))?;
        if let Some(Value::Array(same)) = table.remove("same_as_english") {
            let same = same.iter().filter_map(Value::as_str).map(str::to_owned);
            catalogue.same_as_english = same.collect();
        }
        catalogue.add("", table)?;
        Ok(catalogue)
    }

    fn add(&mut self, path: &str, table: Table) -> Result<(), String> {
        for (key, value) in table {
            if !is_name(&key) {
                return Err(self.fault(path, format!("`{key}` is not a name of small letters")));
            }
            let path = if path.is_empty() { key } else { format!("{path}.{key}") };
            match value {
                Value::Table(table) if !is_entry(&table) => self.add(&path, table)?,
                value => {
                    let entry = read_entry(&value).map_err(|error| self.fault(&path, error))?;
                    self.texts.insert(path, entry);
                }
            }
        }
        Ok(())
    }

    /// Returns the message about a text of this catalogue.
    fn fault(&self, path: &str, what: impl std::fmt::Display) -> String {
        format!("crates/tilesight-texts/catalogues/{}.toml: {path}: {what}", self.file())
    }

    /// Returns the name of the file, without its ending: `zh-Hant` for `ZhHant`.
    fn file(&self) -> String {
        let (language, script) = self.lang.split_at(2);
        let dash = if script.is_empty() { "" } else { "-" };
        format!("{}{dash}{script}", language.to_lowercase())
    }

    /// Returns the names of the tables of crates.
    #[cfg(test)]
    pub(crate) fn tables(&self) -> BTreeSet<&str> {
        self.texts.keys().filter_map(|path| path.split('.').next()).collect()
    }

    /// Returns the entries below a path, by the rest of their path.
    pub(crate) fn below<'a>(
        &'a self,
        path: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a Entry)> + 'a {
        self.texts.iter().filter_map(move |(key, entry)| {
            Some((key.strip_prefix(path)?.strip_prefix('.')?, entry))
        })
    }

    /// Returns the entry at a path.
    pub(crate) fn get(&self, path: &str) -> Option<&Entry> {
        self.texts.get(path)
    }

    /// Checks that this catalogue has the entries of the English one with the same placeholders,
    /// and no others.
    pub(crate) fn compare(&self, english: &Catalogue) -> Result<(), String> {
        for (path, wanted) in &english.texts {
            let own =
                self.texts.get(path).ok_or_else(|| self.fault(path, "the text is missing"))?;
            let has_plural = own.has_plural() || wanted.has_plural();
            if own.form() != wanted.form() {
                let difference =
                    format!("this is {}, but in English {}", own.form(), wanted.form());
                return Err(self.fault(path, difference));
            }
            let [own, wanted] = [own, wanted]
                .map(|entry| entry.placeholders().into_iter())
                // The number that selects a form need not be printed.
                .map(|names| names.filter(|name| !has_plural || *name != COUNT))
                .map(BTreeSet::from_iter);
            if let Some(name) = wanted.difference(&own).next() {
                return Err(self.fault(path, format!("{{{name}}} is missing")));
            }
            if let Some(name) = own.difference(&wanted).next() {
                return Err(self.fault(path, format!("English does not have {{{name}}}")));
            }
        }
        match self.texts.keys().find(|path| !english.texts.contains_key(*path)) {
            Some(path) => Err(self.fault(path, "English does not have this text")),
            None => Ok(()),
        }
    }

    /// Returns faults of texts that are the same as in English and not listed, and of entries of
    /// the list that have their own text.
    #[cfg(test)]
    pub(crate) fn untranslated(&self, english: &Catalogue) -> Vec<String> {
        let mut same = BTreeSet::new();
        for (path, own) in &self.texts {
            let texts = own.texts();
            let is_same = english.texts.get(path).is_some_and(|entry| entry.texts() == texts);
            if is_same && !texts.is_empty() {
                same.insert(path.clone());
            }
        }
        let mut faults = Vec::new();
        for path in same.difference(&self.same_as_english) {
            let advice = "this is English: translate it, or list it in same_as_english";
            faults.push(self.fault(path, advice));
        }
        for path in self.same_as_english.difference(&same) {
            faults.push(self.fault(path, "this is not English: see same_as_english"));
        }
        faults
    }

    /// Returns faults of the lines of rule sets: names that occur twice in one table, and
    /// explanations that are not a sentence.
    #[cfg(test)]
    pub(crate) fn faults_of_lines(&self) -> Vec<String> {
        let mut names = BTreeSet::new();
        let mut faults = Vec::new();
        for (path, entry) in &self.texts {
            let Entry::Line { name, explanation } = entry else { continue };
            let table = path.rsplit_once('.').map(|(table, _)| table);
            if name.trim().is_empty() || !names.insert((table, name)) {
                faults.push(self.fault(path, format!("`{name}` is the name of two lines")));
            }
            if explanation.chars().count() < 3 || !explanation.ends_with(['.', '。']) {
                faults.push(self.fault(path, "the explanation is not a sentence"));
            }
        }
        faults
    }
}

/// Returns whether a table is one entry, and not a table of entries.
fn is_entry(table: &Table) -> bool {
    ["other", "name"].iter().any(|key| table.get(*key).is_some_and(Value::is_str))
        && table.keys().all(|key| {
            ["one", "other", "leaves_out", "name", "explanation"].contains(&key.as_str())
        })
}

fn read_entry(value: &Value) -> Result<Entry, String> {
    let entry = match value {
        Value::String(text) => Some(Entry::from(text.clone())),
        Value::Array(all) => read_texts(all).map(Entry::List),
        Value::Table(table) => read_forms(table),
        Value::Integer(number) => Some(Entry::Number(*number as f64)),
        Value::Float(number) => Some(Entry::Number(*number)),
        _ => None,
    };
    entry.ok_or_else(|| format!("expected a text in quotes, found {}", value.type_str()))
}

/// Reads the forms of a text, or a line of a rule set.
fn read_forms(table: &Table) -> Option<Entry> {
    match (read_text(table, "other"), read_text(table, "name")) {
        (Some(other), None) => {
            let left_out = table.get("leaves_out").and_then(Value::as_array);
            let leaves_out = left_out.and_then(|all| read_texts(all)).unwrap_or_default();
            Some(Entry::Text { one: read_text(table, "one"), other, leaves_out })
        }
        (None, Some(name)) => {
            Some(Entry::Line { name, explanation: read_text(table, "explanation")? })
        }
        _ => None,
    }
}

fn read_text(table: &Table, key: &str) -> Option<String> {
    table.get(key)?.as_str().map(str::to_owned)
}

fn read_texts(all: &[Value]) -> Option<Vec<String>> {
    all.iter().map(|value| value.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(lang: &'static str, text: &str) -> Catalogue {
        Catalogue::parse(lang, text).expect(text)
    }

    #[test]
    fn only_names_in_braces_are_placeholders() {
        let text = r#"{"x": 412} of {tile}, not {48} or {A}: {many_2}"#;
        let entry = Entry::from(text.to_owned());
        assert_eq!(entry.placeholders(), ["tile", "many_2"]);
        assert_eq!(
            pieces("{a}b{ {c}"),
            [Piece::Placeholder("a"), Piece::Plain("b{ "), Piece::Placeholder("c")]
        );
    }

    #[test]
    fn faults_name_the_file_and_the_text() {
        let english =
            parse("En", "[core.a]\nb = 'up to {max}'\nc = { one = '1', other = '{count}' }");
        for (text, expected) in [
            ("[core.a]\nb = 'höchstens {max}'", "core.a.c: the text is missing"),
            ("[core.a]\nb = 'x'\nc = '{count}'", "core.a.b: {max} is missing"),
            ("[core.a]\nb = '{max} {x}'\nc = ''", "core.a.b: English does not have {x}"),
            ("[core.a]\nb = '{max}'\nc = ['']", "core.a.c: this is a list of 1 texts"),
            ("[core.a]\nb = '{max}'\nc = ''\nd = ''", "core.a.d: English does not have"),
        ] {
            let error = parse("De", text).compare(&english).expect_err(text);
            assert!(error.contains("catalogues/de.toml") && error.contains(expected), "{error}");
        }
        for text in ["a = true", "a = [1]", "a = { name = '' }", "'a b' = ''", "a = "] {
            assert!(Catalogue::parse("De", text).is_err(), "{text}");
        }
    }

    #[test]
    fn english_left_behind_is_found() {
        let english = parse("En", "a = 'Points'\nb = 'Hand'");
        let danish = parse("Da", "same_as_english = ['a']\na = 'Points'\nb = 'Hånd'");
        assert!(danish.untranslated(&english).is_empty());
        let danish = parse("Da", "same_as_english = ['b']\na = 'Points'\nb = 'Hånd'");
        assert_eq!(danish.untranslated(&english).len(), 2);
    }
}
