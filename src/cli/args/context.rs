//! The win context as flags or as a file, the same for every command that scores.
//!
//! The flags and their values follow from the table of fields in `context/fields.rs`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tilesight_core::context::{
    ContextSetup, ContextValue, FieldDescriber, FieldEntry, FieldVisitor, Spelling,
};
use tilesight_core::contract::{
    ContextDto, Problem, ProblemKind, check_named, read_value, value_of_text,
};
use tilesight_core::rules::{Book, Profile};
use tilesight_files::input;

/// Maximum size of a file with a win context, in bytes: one with every field has about 300.
const MAX_BYTES: usize = 64 * 1024;

/// The win context; absent fields get defaults, which the output lists.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Win context")]
pub(in crate::cli) struct ContextArgs {
    /// JSON file with these fields; flags must not contradict it
    #[arg(long, value_name = "FILE")]
    context: Option<PathBuf>,
    /// Rules to score by: a name from `tilesight rules list`, or the file of a profile [default:
    /// mcr-wmo]
    #[arg(long, value_name = "RULES", value_parser = super::rulesets::parse_named)]
    ruleset: Option<Arc<Profile>>,
    #[command(flatten)]
    fields: Fields,
}

impl ContextArgs {
    /// Returns the rule sets that hands can be scored by: the shipped ones and that of `--ruleset`.
    #[must_use]
    pub(in crate::cli) fn book(&self) -> Book {
        super::rulesets::book_with(self.ruleset.as_ref())
    }

    /// Returns the file that `--context` names.
    pub(in crate::cli) fn file(&self) -> Option<&Path> {
        self.context.as_deref()
    }

    /// Returns the win context of flags and file together.
    ///
    /// # Errors
    /// A [`Problem`] when the file can't be read or contradicts the flags.
    pub(in crate::cli) fn read(&self) -> Result<ContextDto, Problem> {
        let ruleset = self.ruleset.as_ref().map(|profile| profile.id());
        let flags = ContextDto { ruleset, setup: self.fields.0 };
        let Some(path) = &self.context else { return Ok(flags) };
        let text = input::read(path, MAX_BYTES).map_err(|error| {
            let detail = format!("{}: {error}", path.display());
            Problem::new(ProblemKind::MalformedRequest, detail)
        })?;
        let file = ContextDto::from_json(&text)?;
        check_named(&self.book(), &file, None)?;
        file.merge(&flags)
    }
}

/// The fields, with a flag for each.
#[derive(Debug, Clone, Default)]
struct Fields(ContextSetup);

impl Args for Fields {
    fn augment_args(command: Command) -> Command {
        let mut flags = ContextFlags(command);
        ContextSetup::describe(&mut flags);
        flags.0
    }

    fn augment_args_for_update(command: Command) -> Command {
        Fields::augment_args(command)
    }
}

impl FromArgMatches for Fields {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Fields, clap::Error> {
        let mut fields = Fields::default();
        fields.update_from_arg_matches(matches)?;
        Ok(fields)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let mut values = FlagValues { matches, failed: None };
        self.0 = self.0.visit(&mut values);
        values.failed.map_or(Ok(()), Err)
    }
}

/// Adds a flag for each field to a command.
struct ContextFlags(Command);

impl FieldDescriber for ContextFlags {
    fn field<T: ContextValue>(&mut self, field: &FieldEntry) {
        self.0 = std::mem::take(&mut self.0).arg(flag::<T>(field));
    }
}

fn flag<T: ContextValue>(field: &FieldEntry) -> Arg {
    let help = field.words().trim_end_matches('.');
    let flag = Arg::new(field.name).long(field.name.replace('_', "-")).value_name(T::PLACEHOLDER);
    match T::SPELLING {
        Spelling::Flag => {
            let parser = PossibleValuesParser::new(["true", "false"]).try_map(parse_value::<T>);
            let flag = flag.num_args(0..=1).require_equals(true).default_missing_value("true");
            flag.help(help.to_owned()).value_parser(parser)
        }
        Spelling::OneOf(names) => {
            let parser = PossibleValuesParser::new(names).try_map(parse_value::<T>);
            flag.help(help.to_owned()).value_parser(parser)
        }
        Spelling::SomeOf(names) => flag
            .help(format!("{help}: {}", names.join(", ")))
            .value_parser(|text: &str| parse_value::<T>(text.to_owned())),
        Spelling::Text | Spelling::Tiles | Spelling::Number { .. } => {
            flag.help(help.to_owned()).value_parser(|text: &str| parse_value::<T>(text.to_owned()))
        }
    }
}

fn parse_value<T: ContextValue>(text: String) -> Result<T, String> {
    read(&value_of_text(text))
}

/// Parses a value by its name in JSON.
pub(in crate::cli) fn parse_named<T: DeserializeOwned>(name: &str) -> Result<T, String> {
    read(&Value::from(name))
}

fn read<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    let read = read_value(value.to_string().as_bytes(), "");
    read.map_err(|problem| problem.detail.to_string())
}

/// Visitor that takes over the fields given as flags.
struct FlagValues<'a> {
    matches: &'a ArgMatches,
    failed: Option<clap::Error>,
}

impl FieldVisitor for FlagValues<'_> {
    fn visit<T: ContextValue>(
        &mut self,
        field: &FieldEntry,
        before: Option<T>,
        _: Option<T>,
    ) -> Option<T> {
        match self.matches.try_get_one::<T>(field.name) {
            Ok(given) => given.copied().or(before),
            Err(error) => {
                self.failed = Some(clap::Error::raw(ErrorKind::InvalidValue, error));
                before
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(flags: &[&str]) -> Result<ContextDto, clap::Error> {
        let command = ContextArgs::augment_args(Command::new("test").no_binary_name(true));
        let args = ContextArgs::from_arg_matches(&command.try_get_matches_from(flags)?)?;
        Ok(args.read().expect("no file"))
    }

    #[test]
    fn every_field_has_a_flag() {
        let text = "--ruleset=mcr-mil --seat=S --prevalent=W --win=robbed_kong --from=across \
             --last-wall-tile --last-of-kind=false --declared=earth,original_call \
             --completes=456m --feeder=nobody --riichi=double --ippatsu \
             --dora-indicators=5p,E --ura-indicators=1m --honba=2 --riichi-sticks=3 \
             --norths=2 --dealer=S --dealer-streak=2 --won=true";
        let flags: Vec<&str> = text.split(' ').collect();
        let json = r#"{ "ruleset": "mcr-mil", "seat": "S", "prevalent": "W",
            "win": "robbed_kong", "from": "across", "last_wall_tile": true, "last_of_kind": false,
            "declared": ["earth", "original_call"], "completes": "456m", "feeder": "nobody",
            "riichi": "double", "ippatsu": true, "dora_indicators": ["5p", "E"],
            "ura_indicators": ["1m"], "honba": 2, "riichi_sticks": 3, "norths": 2,
            "dealer": "S", "dealer_streak": 2, "won": true }"#;
        let expected = ContextDto::from_json(json.as_bytes()).expect("a context");
        assert_eq!(read(&flags).expect("flags"), expected);
        assert_eq!(flags.len(), ContextDto::names().count(), "no field is left out");
        assert_eq!(read(&[]).expect("no flags"), ContextDto::default());
    }

    #[test]
    fn help_and_errors_list_the_values() {
        let help = ContextArgs::augment_args(Command::new("test")).render_help().to_string();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for text in ["Win context:", "--last-wall-tile[=<BOOL>]", "[possible values: E, S, W, N]"] {
            assert!(help.contains(text), "{help}");
        }
        assert!(help.contains("original_call, twofold_fortune, heaven"), "{help}");
        for (flags, part) in [
            (["--seat=Q"], "[possible values: E, S, W, N]"),
            (["--won=maybe"], "[possible values: true, false]"),
            (["--declared=hell"], "`hell` can't be declared"),
            (["--completes=EW"], "invalid set `EW`"),
            (["--completes=true"], "expected a text, found true or false"),
        ] {
            let error = read(&flags).expect_err(flags[0]).to_string();
            assert!(error.contains(part), "{error}");
            assert!(!error.contains("invalid type"), "{error}");
        }
    }
}
