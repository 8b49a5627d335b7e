//! The settings of the service as flags, with the source of each.
//!
//! Input: the command line, the environment, and the file that `--config` names. Output:
//! [`Choices`] with the source of each, for [`Settings`] to check and `tilesight doctor` to print.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde_json::Value;

use crate::config::{Choices, Settings};

/// Settings on the command line and in the environment, with the source of each.
#[derive(Debug, Clone)]
pub(in crate::cli) struct SettingsArgs {
    args: Flags,
    sources: BTreeMap<&'static str, SettingSource>,
}

#[derive(Debug, Clone, Args)]
struct Flags {
    /// TOML file with any of these settings; flags and the environment take precedence
    #[arg(long, env = "TILESIGHT_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    choices: Choices,
}

/// Source of the value of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::cli) enum SettingSource {
    /// The command line.
    Flag,
    /// The environment.
    Environment,
    /// The configuration file.
    File,
    /// The program's default.
    Default,
}

impl SettingSource {
    /// Returns the name to print.
    #[must_use]
    pub(in crate::cli) const fn name(self) -> &'static str {
        match self {
            SettingSource::Flag => "flag",
            SettingSource::Environment => "environment",
            SettingSource::File => "file",
            SettingSource::Default => "default",
        }
    }
}

/// A setting with its value and source, as `tilesight doctor` prints it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub(in crate::cli) struct Setting {
    /// Name in the file.
    pub name: &'static str,
    /// Value; `null` for the default.
    pub value: Value,
    /// Source of the value.
    pub source: SettingSource,
}

impl SettingsArgs {
    /// Combines all sources.
    ///
    /// # Errors
    /// When the file can't be used; the message names the line.
    pub(in crate::cli) fn choices(&self) -> anyhow::Result<(Choices, Vec<Setting>)> {
        let file = match &self.args.config {
            Some(path) => Choices::from_file(path).context("the configuration can't be used")?,
            None => Choices::default(),
        };
        let in_file = serde_json::to_value(&file)?;
        let choices = self.args.choices.clone().or(file);
        let values = serde_json::to_value(&choices)?;
        let settings = Choices::NAMES.iter().map(|&name| {
            let from_file =
                if in_file[name].is_null() { SettingSource::Default } else { SettingSource::File };
            let source = self.sources.get(name).copied().unwrap_or(from_file);
            Setting { name, value: values[name].clone(), source }
        });
        Ok((choices, settings.collect()))
    }

    /// Returns whether the log is JSON, as far as the settings can be read.
    #[must_use]
    pub(in crate::cli) fn logs_json(&self) -> bool {
        self.choices()
            .map_or(self.args.choices.log_json, |(choices, _)| choices.log_json)
            .unwrap_or(false)
    }

    /// Returns the complete settings after checking them.
    ///
    /// # Errors
    /// When the file can't be used, or settings contradict each other.
    pub(in crate::cli) fn settings(&self) -> anyhow::Result<Settings> {
        Settings::from_choices(&self.choices()?.0).context("the settings can't be used")
    }
}

/// Returns the source of a setting that the command line or the environment has.
fn source_of(matches: &ArgMatches, name: &str) -> Option<SettingSource> {
    match matches.value_source(name)? {
        ValueSource::CommandLine => Some(SettingSource::Flag),
        ValueSource::EnvVariable => Some(SettingSource::Environment),
        _ => None,
    }
}

impl FromArgMatches for SettingsArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SettingsArgs, clap::Error> {
        let args = Flags::from_arg_matches(matches)?;
        let sources = Choices::NAMES
            .iter()
            .filter_map(|&name| Some((name, source_of(matches, name)?)))
            .collect();
        Ok(SettingsArgs { args, sources })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SettingsArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for SettingsArgs {
    fn augment_args(command: Command) -> Command {
        Flags::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Flags::augment_args_for_update(command)
    }
}
