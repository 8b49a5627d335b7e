//! Measures how many hands of sixteen tiles and the winning one are found whole on random tables
//! without pixels, by a rule set of that game and by the usual one, and how many other hands are
//! taken for one.
//!
//!     cargo run --release --example layout_sizes -- [--write] [TABLES] [SEED]
//!
//! Output: Markdown with the figures at the noise of our own detector; `--write` (`make layout`)
//! puts it into docs/layout.md. `SHOW=N` prints the first N hands that are not whole.

#[path = "../tests/support/common.rs"]
mod common;
#[path = "../tests/support/layout_figures.rs"]
mod layout_figures;
#[path = "../tests/support/tables/mod.rs"]
mod tables;

use std::io;
use std::sync::Arc;

use common::line;
use layout_figures::write_figures;
use tables::{Noise, Table, life_of, table_of};
use tilesight_core::context::ContextSetup;
use tilesight_core::hand::{HandSetup, HandSize};
use tilesight_core::meld::Meld;
use tilesight_core::rules::{Book, Profile, RulesetId};
use tilesight_vision::decide::doubts::HandScorer;
use tilesight_vision::decide::joint;
use tilesight_vision::{Question, Status, layout};

/// Rule set of the game with sixteen tiles.
const SIXTEEN: &str = "tw-common";

/// Function that draws a table with a hand of a size.
type Draw = fn(HandSize, u64, Noise) -> Table;

/// Function that tells whether a table is of a kind.
type IsOfKind = fn(&Table) -> bool;

/// Kinds of tables, with the names of their rows.
const KINDS: [(&str, IsOfKind); 8] = [
    ("nothing claimed", |table| table.shown.melds.is_empty()),
    ("one set apart", |table| table.shown.melds.len() == 1),
    ("two or three sets apart", |table| (2..=3).contains(&table.shown.melds.len())),
    ("four or five sets apart", |table| table.shown.melds.len() > 3),
    ("with a kong", |table| table.shown.melds.iter().any(|meld| matches!(meld, Meld::Kong { .. }))),
    ("nothing turned", |table| table.forms.contains(&"nothing turned")),
    ("flowers above", |table| table.forms.contains(&"flowers above")),
    ("flowers beside", |table| table.forms.contains(&"flowers beside")),
];

const HEAD: &str = "| tables | read by | number | whole | exact | said to be of sixteen tiles | silently wrong |\n\
                    |---|---|---|---|---|---|---|\n";

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut numbers = words.iter().filter_map(|word| word.parse::<u64>().ok());
    let count = numbers.next().unwrap_or(2_000);
    let seed = numbers.next().unwrap_or(9) * 1_000_000;
    let book = Book::shipped();
    let id: RulesetId = SIXTEEN.parse().map_err(io::Error::other)?;
    let sixteen = book.get(id).map_err(io::Error::other)?;
    let mut text = HEAD.to_owned();
    for (what, draw) in [("drawn tidily", table_of as Draw), ("as players leave them", life_of)] {
        for ruleset in [sixteen, book.usual()] {
            let runs = runs(HandSize::Sixteen, draw, ruleset, seed..seed + count);
            text += &row(&format!("sixteen tiles, {what}"), ruleset, &runs);
            if what == "drawn tidily" {
                text += &rows_by_kind(ruleset, &runs);
            }
            show(&runs);
        }
        let runs = runs(HandSize::Thirteen, draw, book.usual(), seed..seed + count);
        text += &row(&format!("thirteen tiles, {what}"), book.usual(), &runs);
    }
    text += &format!("\n{count} tables a line, from seed {seed}.\n");
    print!("{text}");
    if words.iter().any(|word| word == "--write") { write_figures("sizes", &text) } else { Ok(()) }
}

/// A table with what is read of it.
struct Run {
    seed: u64,
    table: Table,
    read: String,
    /// Whether the hand has all its tiles and no others.
    is_whole: bool,
    is_exact: bool,
    /// Whether a question says that the hand is of another game.
    is_said: bool,
    is_silent: bool,
}

fn runs(
    size: HandSize,
    draw: Draw,
    ruleset: &Arc<Profile>,
    seeds: std::ops::Range<u64>,
) -> Vec<Run> {
    let scorer = HandScorer::new(&ContextSetup::default(), ruleset).expect("a plain context");
    seeds.map(|seed| Run::new(&scorer, ruleset, draw(size, seed, Noise::MEASURED), seed)).collect()
}

impl Run {
    fn new(scorer: &HandScorer, ruleset: &Arc<Profile>, table: Table, seed: u64) -> Run {
        let layout = layout::lay_out(&table.tiles, ruleset, None);
        let decision = joint::decide(&table.tiles, &layout);
        let verdict =
            scorer.assess(&table.tiles, &decision).expect("a plain context fits every hand");
        let hand = decision.best.as_ref().map(|best| best.setup.clone()).unwrap_or_default();
        let is_exact = line(&hand) == line(&table.shown);
        let mut questions = verdict.doubts.iter().map(|doubt| &doubt.question);
        Run {
            seed,
            read: line(&hand),
            is_whole: is_whole(&hand, &table.shown),
            is_exact,
            is_said: questions.any(|question| matches!(question, Question::LargeHand { .. })),
            is_silent: !is_exact && Status::from_decision(&decision, &verdict) == Status::Ok,
            table,
        }
    }
}

/// Returns whether two hands have the same tiles and flowers, however they are laid.
fn is_whole(read: &HandSetup, shown: &HandSetup) -> bool {
    read.all() == shown.all() && read.flowers == shown.flowers
}

fn rows_by_kind(ruleset: &Profile, runs: &[Run]) -> String {
    let mut rows = String::new();
    for (name, is_of_kind) in KINDS {
        let of_kind: Vec<&Run> = runs.iter().filter(|run| is_of_kind(&run.table)).collect();
        rows += &row_of(&format!("- {name}"), ruleset, &of_kind);
    }
    rows
}

fn row(name: &str, ruleset: &Profile, runs: &[Run]) -> String {
    row_of(name, ruleset, &runs.iter().collect::<Vec<_>>())
}

fn row_of(name: &str, ruleset: &Profile, runs: &[&Run]) -> String {
    let all = runs.len();
    let whole = share(runs, |run| run.is_whole);
    let exact = share(runs, |run| run.is_exact);
    let said = share(runs, |run| run.is_said);
    let silent = share(runs, |run| run.is_silent);
    format!("| {name} | `{}` | {all} | {whole} | {exact} | {said} | {silent} |\n", ruleset.id())
}

/// Returns the share of runs for which a condition holds, in per cent.
fn share(runs: &[&Run], holds: fn(&Run) -> bool) -> String {
    let count = runs.iter().filter(|run| holds(run)).count();
    format!("{:.1} %", 100.0 * count as f64 / runs.len().max(1) as f64)
}

/// Prints the first hands that are not whole.
fn show(runs: &[Run]) {
    let count = std::env::var("SHOW").ok().and_then(|count| count.parse().ok()).unwrap_or(0);
    for run in runs.iter().filter(|run| !run.is_whole).take(count) {
        let Table { shown, forms, missed, misnamed, .. } = &run.table;
        println!(
            "{} said {} silent {} missed {missed} misnamed {misnamed} {forms:?}",
            run.seed, run.is_said, run.is_silent
        );
        println!("  is   {}\n  read {}", line(shown), run.read);
    }
}
