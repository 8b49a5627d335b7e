//! Rule profiles: a game with its options, as a small TOML file that clubs can write.
//!
//! ```toml
//! id = "our-club"
//! game = "classical"
//! extends = "classical-dmjl"      # start from a shipped profile of the same game
//! title = "Our club on Thursdays" # or a table by language: title.en, title.de, ...
//! short_title = "Thursdays"       # for narrow places, in the same forms; else the title
//! summary = "Limit 1,000."
//!
//! [options]
//! limit = 1000
//! ```
//!
//! A profile that extends another one needs no `game`. A game whose lines have no fixed worth takes
//! `[values]` too.
//!
//! Input: the text of a file. Output: a [`Profile`], or a [`ProfileError`] that names the line. The
//! shipped profiles are files of the same kind, in one folder per game. Invariant: every option is
//! known to its game.

use std::fmt;

use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::lang::Lang;
use crate::printable::{is_unprintable, unprintable};
use crate::texts;

use super::{GAMES, RulesError, Ruleset, RulesetId, Score};
use crate::context::Context;
use crate::hand::Hand;

/// A game: the reader of its options, and its shipped profiles.
#[derive(Debug)]
pub struct Game {
    /// Name of the game in profiles.
    pub name: &'static str,
    /// Shipped profiles, as the text of their files; the default one first.
    pub shipped: &'static [&'static str],
    /// Function that makes the rules of a profile.
    pub rules: fn(&ProfileSource<'_>) -> Result<Box<dyn Ruleset>, ProfileError>,
}

/// A named rule set: a game with its options.
#[derive(Debug)]
pub struct Profile {
    id: RulesetId,
    game: &'static str,
    title: Texts,
    short_title: Texts,
    summary: Texts,
    rules: Box<dyn Ruleset>,
}

impl Profile {
    /// Reads a profile.
    ///
    /// # Errors
    /// [`ProfileError`] with the line; the author of the file can fix it.
    pub fn parse(text: &str) -> Result<Profile, ProfileError> {
        let head: Head = read(text, text)?;
        let game = find_game(text, &head)?;
        let id = head
            .id
            .parse::<RulesetId>()
            .map_err(|error| ProfileError::new(text, "id", error.to_string()))?;
        check_texts(text, &head)?;
        let base = head.extends.as_deref().map(|id| base(text, game, id)).transpose()?;
        let rules = (game.rules)(&ProfileSource { id, text, base })?;
        let Head { title, short_title, summary, .. } = head;
        Ok(Profile { id, game: game.name, title, short_title, summary, rules })
    }

    /// Returns the name in requests.
    #[must_use]
    pub const fn id(&self) -> RulesetId {
        self.id
    }

    /// Returns the name of the game that the profile interprets.
    #[must_use]
    pub const fn game(&self) -> &'static str {
        self.game
    }

    /// Returns the name for people.
    #[must_use]
    pub fn title(&self, lang: Lang) -> &str {
        self.title.text_in(lang).unwrap_or(self.id.as_str())
    }

    /// Returns the name for people where space is short; the full name if the file has no other.
    #[must_use]
    pub fn short_title(&self, lang: Lang) -> &str {
        self.short_title.text_in(lang).unwrap_or_else(|| self.title(lang))
    }

    /// Returns the description; empty if the file has none.
    #[must_use]
    pub fn summary(&self, lang: Lang) -> &str {
        self.summary.text_in(lang).unwrap_or_default()
    }

    /// Returns whether the profile ships with the program.
    #[must_use]
    pub fn is_shipped(&self) -> bool {
        let shipped = GAMES.iter().flat_map(|game| game.shipped);
        shipped
            .into_iter()
            .any(|text| toml::from_str::<Head>(text).is_ok_and(|head| head.id == self.id.as_str()))
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> &dyn Ruleset {
        self.rules.as_ref()
    }

    /// Scores a winning hand.
    ///
    /// # Errors
    /// [`RulesError`] if the tiles are not a winning hand, or the context contradicts them.
    pub fn score(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        self.rules.score(hand, context)
    }

    /// Returns whether the hands of players who did not win count too. If so, clients ask for them,
    /// and they are scored and settled.
    #[must_use]
    pub fn scores_everybody(&self) -> bool {
        self.rules.table().is_some()
    }
}

/// Compares profiles by their ids, which are unique within a [`Book`](super::Book).
impl PartialEq for Profile {
    fn eq(&self, other: &Profile) -> bool {
        self.id == other.id
    }
}

impl Eq for Profile {}

/// Keys that the profiles of all games share.
#[derive(Debug, Deserialize)]
struct Head {
    id: String,
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    extends: Option<String>,
    #[serde(default)]
    title: Texts,
    #[serde(default)]
    short_title: Texts,
    #[serde(default)]
    summary: Texts,
}

/// The whole file, with the options and values of a game; unknown keys are refused.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, bound = "O: Deserialize<'de> + Default, V: Deserialize<'de>")]
struct File<O, V> {
    #[serde(rename = "id")]
    _id: String,
    #[serde(default, rename = "game")]
    _game: Option<String>,
    #[serde(default, rename = "extends")]
    _extends: Option<String>,
    #[serde(default, rename = "title")]
    _title: Texts,
    #[serde(default, rename = "short_title")]
    _short_title: Texts,
    #[serde(default, rename = "summary")]
    _summary: Texts,
    #[serde(default)]
    options: O,
    /// Values of the lines, in games whose lines have no fixed worth.
    values: Option<V>,
}

/// The values of a game whose lines have a fixed worth: any is refused.
#[derive(Debug)]
struct NoValues;

impl<'de> Deserialize<'de> for NoValues {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<NoValues, D::Error> {
        Err(serde::de::Error::custom("the lines of this game have no `values` to set"))
    }
}

/// The text of a profile, from which its game reads the options.
#[derive(Debug, Clone, Copy)]
pub struct ProfileSource<'a> {
    /// Id that the scores carry.
    pub(super) id: RulesetId,
    text: &'a str,
    /// Text of the shipped profile that this one extends.
    base: Option<&'static str>,
}

impl ProfileSource<'_> {
    /// Returns the options: those of the file override those of the profile that it extends, which
    /// override the defaults of the game.
    ///
    /// # Errors
    /// [`ProfileError`] for a key that is unknown or has the wrong type.
    pub fn options<O: DeserializeOwned + Default>(&self) -> Result<O, ProfileError> {
        self.file::<O, NoValues>().map(|file| file.options)
    }

    /// Like [`options`](Self::options), for a game whose lines have no fixed worth: also returns
    /// the values, which override those of the other profile and of the game in the same way.
    ///
    /// # Errors
    /// [`ProfileError`] for a key that is unknown or has the wrong type.
    pub fn options_and_values<O, V>(&self) -> Result<(O, V), ProfileError>
    where
        O: DeserializeOwned + Default,
        V: DeserializeOwned + Default,
    {
        self.file::<O, V>().map(|file| (file.options, file.values.unwrap_or_default()))
    }

    /// Reads the file, completed by the profile that it extends.
    fn file<O, V>(&self) -> Result<File<O, V>, ProfileError>
    where
        O: DeserializeOwned + Default,
        V: DeserializeOwned,
    {
        let alone: File<O, V> = read(self.text, self.text)?;
        let Some(base) = self.base else { return Ok(alone) };
        let mut merged: toml::Table = read(base, base)?;
        let own: toml::Table = read(self.text, self.text)?;
        for (key, value) in own {
            match (merged.get_mut(&key), value) {
                (Some(toml::Value::Table(options)), toml::Value::Table(own)) => options.extend(own),
                (_, value) => {
                    merged.insert(key, value);
                }
            }
        }
        let merged = toml::to_string(&merged).unwrap_or_default();
        read(self.text, &merged)
    }

    /// Returns an error for an option, with the line that sets it.
    #[must_use]
    pub fn fault(&self, option: &str, reason: impl Into<String>) -> ProfileError {
        ProfileError::new(self.text, option, reason.into())
    }
}

/// Reads TOML; the line of an error is counted in `shown`.
fn read<T: DeserializeOwned>(shown: &str, text: &str) -> Result<T, ProfileError> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| line_of(shown, span.start));
        ProfileError { line, reason: error.message().to_owned() }
    })
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}

/// Checks that titles and summaries are printable; a summary may have several lines.
fn check_texts(text: &str, head: &Head) -> Result<(), ProfileError> {
    check_title(text, "title", &head.title)?;
    check_title(text, "short_title", &head.short_title)?;
    let mut letters = head.summary.0.iter().flatten().flat_map(|summary| summary.chars());
    match letters.find(|&c| !matches!(c, '\n' | '\t') && is_unprintable(c)) {
        Some(letter) => Err(ProfileError::unprintable(text, "summary", letter)),
        None => Ok(()),
    }
}

fn check_title(text: &str, key: &str, title: &Texts) -> Result<(), ProfileError> {
    match title.0.iter().flatten().find_map(|title| unprintable(title)) {
        Some(letter) => Err(ProfileError::unprintable(text, key, letter)),
        None => Ok(()),
    }
}

/// Returns the game that a profile names, or that of the profile that it extends.
fn find_game(text: &str, head: &Head) -> Result<&'static Game, ProfileError> {
    match (&head.game, &head.extends) {
        (Some(name), _) => GAMES.into_iter().find(|game| game.name == name).ok_or_else(|| {
            let names = GAMES.map(|game| game.name).join(", ");
            let reason = format!("`{name}` is not a game: expected {names}");
            ProfileError::new(text, "game", reason)
        }),
        (None, Some(id)) => {
            GAMES.into_iter().find(|game| base(text, game, id).is_ok()).ok_or_else(|| {
                ProfileError::new(text, "extends", format!("`{id}` is not a shipped profile"))
            })
        }
        (None, None) => {
            Err(ProfileError { line: Some(1), reason: "missing field `game`".to_owned() })
        }
    }
}

/// Returns the text of the shipped profile that another profile extends.
fn base(text: &str, game: &Game, id: &str) -> Result<&'static str, ProfileError> {
    for shipped in game.shipped {
        if toml::from_str::<Head>(shipped).is_ok_and(|head| head.id == id) {
            return Ok(shipped);
        }
    }
    let reason = format!("`{id}` is not a shipped profile of the game {}", game.name);
    Err(ProfileError::new(text, "extends", reason))
}

/// Error when a profile can't be used; its author can fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ProfileError {
    /// Line of the error, from 1, if it belongs to one.
    pub line: Option<usize>,
    /// Reason for the error.
    pub reason: String,
}

impl ProfileError {
    /// Returns an error at the line that sets a key.
    fn new(text: &str, key: &str, reason: String) -> ProfileError {
        let at = text.lines().position(|line| sets_key(line, key));
        ProfileError { line: at.map(|at| at + 1), reason }
    }

    /// Returns an error about a letter that can't be printed.
    fn unprintable(text: &str, key: &str, letter: char) -> ProfileError {
        let code = format!("{:04X}", u32::from(letter));
        ProfileError::new(text, key, texts::request_fault::unprintable(Lang::En, code))
    }
}

fn sets_key(line: &str, key: &str) -> bool {
    line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
}

impl fmt::Display for ProfileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(out, "line {line}: {}", self.reason),
            None => out.write_str(&self.reason),
        }
    }
}

/// A text in some of the languages, or one text for all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
struct Texts([Option<String>; Lang::COUNT]);

impl Texts {
    /// Returns the text in a language, otherwise in English, otherwise in any language.
    fn text_in(&self, lang: Lang) -> Option<&str> {
        let own = self.0[lang as usize].as_ref();
        own.or(self.0[Lang::En as usize].as_ref())
            .or(self.0.iter().flatten().next())
            .map(String::as_str)
    }
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Texts, D::Error> {
        deserializer.deserialize_any(TextsVisitor)
    }
}

/// Converts the line endings of a text to `\n`.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

struct TextsVisitor;

impl<'de> Visitor<'de> for TextsVisitor {
    type Value = Texts;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a text, or texts by language (en, de, da, sv, zh, zh-Hant, ja)")
    }

    fn visit_str<E>(self, text: &str) -> Result<Texts, E> {
        let mut texts = Texts::default();
        texts.0[Lang::En as usize] = Some(lines(text));
        Ok(texts)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Texts, A::Error> {
        let mut texts = Texts::default();
        while let Some((lang, text)) = map.next_entry::<Lang, String>()? {
            texts.0[lang as usize] = Some(lines(&text));
        }
        Ok(texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Worth;

    fn refused(text: &str) -> String {
        Profile::parse(text).map(|profile| profile.id()).expect_err(text).to_string()
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let head = "id = \"club\"\ngame = \"mcr\"\n";
        for (text, part) in [
            ("id = \"club\"\ngame = \"go\"\n".to_owned(), "line 2: `go` is not a game"),
            (
                "id = \"Our Club\"\ngame = \"mcr\"\n".to_owned(),
                "line 1: invalid rule set id `Our Club`",
            ),
            ("id = \"club\"\n".to_owned(), "line 1: missing field `game`"),
            (format!("{head}extends = \"mmm\"\n"), "line 3: `mmm` is not a shipped profile"),
            (
                format!("{head}[options]\nformal_wait = true\n"),
                "line 4: unknown field `formal_wait`",
            ),
            (format!("{head}[options]\n\nformal_waits = 3\n"), "line 5: invalid type"),
            (format!("{head}[optoins]\n"), "line 3: unknown field `optoins`"),
            (
                format!("{head}[values]\nall_pungs = 3\n"),
                "line 3: the lines of this game have no `values` to set",
            ),
            (
                "id = \"club\"\nextends = \"hk-older\"\n".to_owned(),
                "line 2: `hk-older` is not a shipped profile",
            ),
            (
                "id = \"club\"\nextends = \"hk-old\"\n[values]\ngates = 3\n".to_owned(),
                "line 4: unknown field `gates`",
            ),
            (format!("{head}title.fr = \"Club\"\n"), "line 3"),
            (
                format!("{head}title = \"a\\u202eb\"\n"),
                "line 3: the character U+202E can't be printed",
            ),
            (
                format!("{head}short_title = \"a\\u202eb\"\n"),
                "line 3: the character U+202E can't be printed",
            ),
            (format!("{head}title = \"a\\nb\"\n"), "line 3: the character U+000A can't be printed"),
            (format!("{head}summary = \"\\u001b[2J\"\n"), "line 3: the character U+001B"),
            (format!("{head}title = 3\n"), "line 3: invalid type: integer `3`, expected a text"),
        ] {
            let message = refused(&text);
            assert!(message.starts_with(part), "{text}: {message}");
        }
    }

    #[test]
    fn a_summary_may_have_lines_as_any_system_ends_them() {
        let text = "id = \"club\"\r\ngame = \"mcr\"\r\nsummary = \"\"\"one\r\n\ttwo\"\"\"\r\n";
        let profile = Profile::parse(text).expect("a profile");
        assert_eq!(profile.summary(Lang::En), "one\n\ttwo");
    }

    #[test]
    fn a_profile_starts_from_the_one_it_extends() {
        let text = "id = \"club\"\ngame = \"mcr\"\nextends = \"mcr-mil\"\ntitle.de = \"Verein\"\n\
                    [options]\nformal_waits = false\n";
        let profile = Profile::parse(text).expect("a profile");
        let options = profile.rules().options();
        assert_eq!(options["formal_waits"], false);
        assert_eq!(options["two_concealed_kongs_points"], 6, "as mcr-mil has it");
        assert_eq!(profile.title(Lang::Zh), "Verein", "the only one there is");
    }

    #[test]
    fn a_profile_that_extends_another_needs_no_game_and_keeps_its_values() {
        let text = "id = \"club\"\nextends = \"hk-npm\"\n[options]\nlimit = 10\n\
                    [values]\nnine_gates = 8\nall_honors = \"limit\"\n";
        let profile = Profile::parse(text).expect("a profile");
        assert_eq!(profile.game(), "hongkong");
        let lines = profile.rules().lines();
        let worth = |code| lines.iter().find(|(rule, _)| rule.code == code).map(|one| one.1);
        assert_eq!(worth("nine_gates"), Some(Worth::Faan(8)));
        assert_eq!(worth("all_honors"), Some(Worth::FaanLimit(10)));
        assert_eq!(worth("big_three_dragons"), Some(Worth::FaanLimit(10)), "as hk-npm has it");
        assert_eq!(worth("seven_pairs"), Some(Worth::Faan(0)), "not played");
    }
}
