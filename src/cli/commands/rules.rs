//! `tilesight rules`: lists and explains rule sets, and checks profiles.
//!
//! Input: names of rule sets or files of profiles. Output: lists and explanations as text; for a
//! profile that can't be used one line, `FILE:LINE: reason`, and the exit code for bad input.

use std::io::{self, Write};
use std::path::PathBuf;

use tilesight_core::explain::{Lang, fill};
use tilesight_core::rules::{Book, Profile};

use crate::cli::args::rulesets;
use crate::cli::output::columns::pad_left;
use crate::cli::output::{Exit, Stop, terminal};

/// Arguments of `tilesight rules`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    action: RulesCommand,
}

/// The subcommand.
#[derive(Debug, clap::Subcommand)]
enum RulesCommand {
    /// Lists the rule sets by name
    List(Words),
    /// Explains a rule set: its options, and every line with its worth
    Show {
        /// Name of a rule set, or the file of a profile
        ruleset: String,
        /// Show the table of values by han and fu too, in rules that have one
        #[arg(long)]
        values: bool,
        #[command(flatten)]
        words: Words,
    },
    /// Checks the files of profiles
    Check {
        /// Files of the profiles
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

/// Language of names and explanations.
#[derive(Debug, clap::Args)]
struct Words {
    /// Language of names and explanations: en, de, da, sv, ja, zh or zh-Hant
    #[arg(long, default_value = "en")]
    lang: Lang,
}

/// Runs the subcommand.
///
/// # Errors
/// When standard output is closed.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    match &args.action {
        RulesCommand::List(words) => list(words.lang)?,
        RulesCommand::Show { ruleset, values, words } => {
            let profile = rulesets::parse_named(ruleset).map_err(Stop::bad_input)?;
            show(&profile, *values, words.lang)?;
        }
        RulesCommand::Check { files } => return Ok(check(files)?),
    }
    Ok(Exit::Done)
}

/// Width of the worth of a line, in cells.
const WORTH_WIDTH: usize = 10;

fn list(lang: Lang) -> io::Result<()> {
    let mut out = terminal::stdout();
    for profile in Book::shipped().profiles() {
        writeln!(out, "{:<16} {}", profile.id(), profile.title(lang))?;
    }
    Ok(())
}

fn show(profile: &Profile, values: bool, lang: Lang) -> io::Result<()> {
    let mut out = terminal::stdout();
    writeln!(out, "{} ({})", profile.title(lang), profile.id())?;
    if !profile.summary(lang).is_empty() {
        writeln!(out, "{}", profile.summary(lang))?;
    }
    let rules = profile.rules();
    writeln!(out, "\n[options]")?;
    for (name, value) in rules.options() {
        let text = rules.option_text(&name, lang).unwrap_or_default();
        writeln!(out, "{name} = {value}\n    {text}")?;
    }
    writeln!(out)?;
    for (rule, worth) in rules.lines() {
        let paragraph = rule.paragraph.to_string();
        let open = rules.open_worth(rule).filter(|&open| open != worth);
        let worth = match (open, worth.han()) {
            (Some(open), Some(han)) => format!("{han}/{}", lang.labels().worth(open)),
            _ => lang.labels().worth(worth),
        };
        writeln!(
            out,
            "{paragraph:>8}  {}  {}: {}",
            pad_left(&worth, WORTH_WIDTH),
            rule.name(lang),
            rule.explanation(lang)
        )?;
    }
    if values {
        show_values(&mut out, profile, lang)?;
    }
    Ok(())
}

/// Prints the table of values: discard to others and to East, self-draw of others (East's share and
/// that of each other player) and of East (each player's share).
fn show_values(out: &mut impl Write, profile: &Profile, lang: Lang) -> io::Result<()> {
    let labels = lang.labels();
    let [drawn, discard, ..] = labels.wins;
    let east = labels.winds[0];
    let table = profile.rules().value_table();
    if !table.is_empty() {
        writeln!(out, "\n{discard}, {discard} ({east}), {drawn}, {drawn} ({east})")?;
    }
    for row in table {
        let name = match (row.fu, row.limit) {
            (Some(fu), _) => labels.han_and_fu(row.han, fu),
            (None, Some(limit)) => labels.riichi_limits[limit as usize].to_owned(),
            (None, None) => fill(labels.han_short, "count", row.han),
        };
        let claimed = row.discard.map(|one| [one.others.to_string(), one.east.to_string()]);
        let drawn = row
            .self_draw
            .zip(row.self_draw_to_east)
            .map(|(one, to_east)| [format!("{}/{}", one.east, one.others), to_east.to_string()]);
        let [others, to_east] = claimed.unwrap_or_else(no_values);
        let [shares, each] = drawn.unwrap_or_else(no_values);
        writeln!(out, "{others:>8} {to_east:>8} {shares:>12} {each:>8}  {name}")?;
    }
    Ok(())
}

/// Returns the cells of two values that a row does not have.
fn no_values() -> [String; 2] {
    ["-", "-"].map(str::to_owned)
}

fn check(files: &[PathBuf]) -> io::Result<Exit> {
    let mut exit = Exit::Done;
    for file in files {
        match rulesets::read(file) {
            Ok(profile) => {
                writeln!(
                    terminal::stdout(),
                    "{}: {} ({})",
                    file.display(),
                    profile.id(),
                    profile.game()
                )?;
            }
            Err(error) => {
                writeln!(terminal::stderr(), "{error}")?;
                exit = Exit::BadInput;
            }
        }
    }
    Ok(exit)
}
