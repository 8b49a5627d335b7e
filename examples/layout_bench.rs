//! Measures the layout and joint stages on random tables without pixels: how often the hand is
//! exact, doubted, or silently wrong as the tiles lie less and less tidily, and the time per
//! reading.
//!
//!     cargo run --release --example layout_bench -- [--write] [life] [clean] [TABLES] [SEED]
//!
//! `life` draws tables as players leave them instead; with `clean` every tile is found and named
//! correctly. Output: Markdown with the curve, the needless questions, and the forms that fail at
//! the noise of our own detector; `--write` (`make layout`) puts it into docs/layout.md. `SHOW=N`
//! prints the first N tables that are read wrongly at that noise (or at the noise `AT`, in tile
//! widths), `SHOW=silent` those with a silent error, `SHOW=ExposedSet` those that are read
//! correctly but with this question.

#[path = "../tests/support/common.rs"]
mod common;
#[path = "../tests/support/layout_figures.rs"]
mod layout_figures;
#[path = "../tests/support/tables/mod.rs"]
mod tables;

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use common::line;
use layout_figures::write_figures;
use tables::{Noise, Table, life, table};
use tilesight_core::context::ContextSetup;
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::Book;
use tilesight_core::tile::Tile;
use tilesight_vision::decide::doubts::{HandScorer, Verdict};
use tilesight_vision::decide::joint;
use tilesight_vision::{Decision, DoubtKind, Status, layout};

/// Noise of the curve's tables, in tile widths: from tidy to thrown.
const STEPS: [f32; 6] = [0.0, 0.05, 0.1, 0.15, 0.2, 0.25];

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut numbers = words.iter().filter_map(|word| word.parse::<u64>().ok());
    let (count, seed) = (numbers.next().unwrap_or(20_000), numbers.next().unwrap_or(1));
    let scorer = HandScorer::new(&ContextSetup::default(), Book::shipped().usual())
        .expect("a plain context");
    let each = count / (1 + STEPS.len() as u64);
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    let draw = if has("life") { life } else { table };
    let seen = |noise: Noise| match has("clean") {
        true => Noise { wrong: 0.0, missing: 0.0, ..noise },
        false => noise,
    };
    let (mut text, mut measured) = (format!("{HEAD}\n"), Vec::new());
    // With `AT`, only this noise is used.
    let at = std::env::var("AT").ok().and_then(|at| at.parse().ok());
    let first = at.map_or(Noise::MEASURED, noise_of);
    let steps = STEPS.into_iter().filter(|_| at.is_none());
    for (n, noise) in std::iter::once(first).chain(steps.map(noise_of)).enumerate() {
        let seeds = seed * 1_000_000..seed * 1_000_000 + each;
        let results: Vec<_> =
            seeds.map(|seed| Run::new(&scorer, draw(seed, seen(noise)), seed)).collect();
        let name = if n == 0 { "(our detector) " } else { "" };
        text += &format!(
            "| {name}{} widths, {:.0}° {}\n",
            noise.place,
            noise.degrees,
            summary(&results)
        );
        if n == 0 {
            measured = results;
        }
    }
    text += &format!("\n{each} tables a line, from seed {}.\n", seed * 1_000_000);
    text += &questions(&measured);
    text += &forms(&measured);
    text += &indicators(&measured);
    print!("{text}");
    show(&measured);
    if words.iter().any(|word| word == "--write") { write_figures("bench", &text) } else { Ok(()) }
}

const HEAD: &str =
    "| tiles lie within | exact | exact, nothing asked | not exact, right answer offered \
| not exact, something else asked | wrong hand, same score | silently wrong \
| silently wrong, a tile not detected | time, median | time, longest |
|---|---|---|---|---|---|---|---|---|---|";

/// Returns the noise of tables whose tiles are up to `place` widths off.
fn noise_of(place: f32) -> Noise {
    Noise { place, degrees: place * 48.0, ..Noise::MEASURED }
}

/// Quality of a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Exact,
    /// Not exact, and one of the doubts offers the truth.
    Offered,
    /// Not exact, and the reading asks for a review.
    Asked,
    /// Not exact and without a question, but the score is right.
    Harmless,
    Silent,
}

/// A table with its reading.
struct Run {
    seed: u64,
    table: Table,
    decision: Decision,
    verdict: Verdict,
    outcome: Outcome,
    took: Duration,
}

impl Run {
    fn new(scorer: &HandScorer, table: Table, seed: u64) -> Run {
        let start = Instant::now();
        let decision = joint::decide(
            &table.tiles,
            &layout::lay_out(&table.tiles, Book::shipped().usual(), None),
        );
        let took = start.elapsed();
        let verdict =
            scorer.assess(&table.tiles, &decision).expect("a plain context fits every hand");
        let outcome = outcome(scorer, &table, &decision, &verdict);
        Run { seed, table, decision, verdict, outcome, took }
    }

    fn read(&self) -> String {
        read_line(&self.decision)
    }
}

fn outcome(scorer: &HandScorer, table: &Table, decision: &Decision, verdict: &Verdict) -> Outcome {
    if read_line(decision) == line(&table.shown) {
        return Outcome::Exact;
    }
    if Status::from_decision(decision, verdict) != Status::Ok {
        return if is_offered(table, decision, verdict) {
            Outcome::Offered
        } else {
            Outcome::Asked
        };
    }
    let truth = scorer.total(&table.hand);
    let given = verdict.score.as_ref().map(|score| score.total);
    if truth == given { Outcome::Harmless } else { Outcome::Silent }
}

/// Returns whether the truth is among the weighed hands or among the answers to a question. A
/// question about a face-down kong covers every answer, and one about too few tiles says that tiles
/// are missing.
fn is_offered(table: &Table, decision: &Decision, verdict: &Verdict) -> bool {
    let truth = line(&table.shown);
    let weighed = decision.rivals.iter().any(|rival| line(&rival.setup) == truth);
    let asks = |kind: DoubtKind| verdict.doubts.iter().any(|doubt| doubt.kind == kind);
    weighed
        || asks(DoubtKind::HiddenKong)
        || asks(DoubtKind::Flower)
            && line(&with_flowers_of(&table.shown, decision)) == read_line(decision)
        || (table.missed > 0 && asks(DoubtKind::TileCount))
        || answers(decision, verdict).any(|setup| line(&setup) == truth)
}

/// Returns the truth with the flowers that were read: other flowers are covered by questions.
fn with_flowers_of(shown: &HandSetup, decision: &Decision) -> HandSetup {
    let flowers = decision.best.as_ref().map_or(shown.flowers, |best| best.setup.flowers);
    HandSetup { flowers, ..shown.clone() }
}

fn read_line(decision: &Decision) -> String {
    decision.best.as_ref().map_or("nothing".to_owned(), |best| line(&best.setup))
}

/// Returns the hands that follow from the answers about single tiles.
fn answers(decision: &Decision, verdict: &Verdict) -> impl Iterator<Item = HandSetup> {
    let best = decision.best.clone();
    let of_tile = verdict.doubts.iter().filter(|doubt| doubt.kind == DoubtKind::Tile);
    of_tile
        .flat_map(|doubt| doubt.alternatives.iter().map(|answer| (doubt.tiles[0], answer)))
        .filter_map(move |(i, answer)| {
            let best = best.as_ref()?;
            let from = best.faces.iter().find(|&&(tile, _)| tile == i)?.1.tile()?;
            let to = answer.answer.parse().ok()?;
            let mut setup = best.setup.clone();
            if best.plan.winning == Some(i) {
                setup.winning = Some(to);
            } else {
                let at = setup.concealed.iter().position(|&tile| tile == from)?;
                setup.concealed[at] = to;
            }
            Some(setup)
        })
}

fn summary(results: &[Run]) -> String {
    let share = |of: Outcome| {
        let count = results.iter().filter(|run| run.outcome == of).count();
        100.0 * count as f64 / results.len().max(1) as f64
    };
    let ok = |run: &&Run| {
        run.outcome == Outcome::Exact
            && Status::from_decision(&run.decision, &run.verdict) == Status::Ok
    };
    let unasked = 100.0 * results.iter().filter(ok).count() as f64 / results.len().max(1) as f64;
    let mut times: Vec<Duration> = results.iter().map(|run| run.took).collect();
    times.sort();
    let [median, worst] =
        [times.len() / 2, times.len() - 1].map(|at| times[at].as_secs_f64() * 1e3);
    // A flower at the end of its row, or the fourth tile of a kong, leaves no trace if it is not
    // seen.
    let traceless =
        results.iter().filter(|run| run.outcome == Outcome::Silent && run.table.missed > 0);
    let traceless = 100.0 * traceless.count() as f64 / results.len().max(1) as f64;
    format!(
        "| {:.2} % | {:.2} % | {:.2} % | {:.2} % | {:.2} % | {:.2} % | {traceless:.2} % | {median:.2} ms | {worst:.1} ms |",
        share(Outcome::Exact),
        unasked,
        share(Outcome::Offered),
        share(Outcome::Asked),
        share(Outcome::Harmless),
        share(Outcome::Silent),
    )
}

/// Returns a table of the questions about hands that were read exactly.
fn questions(results: &[Run]) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let exact = || results.iter().filter(|run| run.outcome == Outcome::Exact);
    for run in exact() {
        let asked = run.verdict.doubts.iter().filter(|doubt| doubt.affects_score);
        let mut kinds: Vec<String> = asked.map(|doubt| format!("{:?}", doubt.kind)).collect();
        kinds.sort();
        kinds.dedup();
        if kinds.is_empty() && Status::from_decision(&run.decision, &run.verdict) != Status::Ok {
            kinds.push("nothing, but the confidence is low".to_owned());
        }
        for kind in kinds {
            *counts.entry(kind).or_default() += 1;
        }
    }
    let head = format!(
        "\n| asked about the {} exact hands of the first line | hands |\n|---|---|\n",
        exact().count()
    );
    let rows = counts.into_iter().map(|(kind, count)| format!("| {kind} | {count} |\n"));
    head + &rows.collect::<String>()
}

/// Returns a table with the number of tables of each form and the number of them that are not
/// exact.
fn forms(results: &[Run]) -> String {
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for run in results {
        let mut forms = run.table.forms.clone();
        forms.sort_unstable();
        forms.dedup();
        for form in forms {
            let count = counts.entry(form).or_default();
            count[0] += 1;
            count[1] += usize::from(run.outcome == Outcome::Exact);
            count[2] += usize::from(run.outcome == Outcome::Harmless);
            count[3] += usize::from(run.outcome == Outcome::Silent);
        }
    }
    let row = |(form, [all, exact, harmless, silent]): (&str, [usize; 4])| {
        let share = 100.0 * exact as f64 / all as f64;
        format!("| {form} | {all} | {share:.1} % | {harmless} | {silent} |\n")
    };
    let head = "\n| form | tables within 0.05 widths, 2° | exact | wrong hand, same score | silently wrong |\n|---|---|---|---|---|\n";
    head.to_owned() + &counts.into_iter().map(row).collect::<String>()
}

/// Returns a sentence on the indicators that lie on walls in view, if any table has walls: they are
/// proposed, and nothing else is.
fn indicators(results: &[Run]) -> String {
    let proposed = |run: &Run| -> Vec<Tile> {
        let shown = run.decision.indicators.iter();
        shown.filter_map(|&i| run.table.tiles[i].faces.best()?.tile()).collect()
    };
    let (with, without): (Vec<&Run>, Vec<&Run>) =
        results.iter().partition(|run| !run.table.indicators.is_empty());
    if with.is_empty() {
        return String::new();
    }
    let is_right = |run: &&&Run| matches!(proposed(run).as_slice(), [one] if run.table.indicators.contains(one));
    let is_none = |run: &&&Run| proposed(run).is_empty();
    let (right, none) = (with.iter().filter(is_right).count(), with.iter().filter(is_none).count());
    let others = without.iter().filter(|run| !proposed(run).is_empty()).count();
    format!(
        "\nDora indicators: of {} tables with one on a wall in view, {right} are proposed as they are, {none} not at all, \
        {} wrongly; of {} other tables {others} propose one.\n",
        with.len(),
        with.len() - right - none,
        without.len(),
    )
}

/// Prints the first tables that were read wrongly.
fn show(results: &[Run]) {
    let Ok(wish) = std::env::var("SHOW") else { return };
    let silent = wish == "silent";
    let count = wish.parse().unwrap_or(usize::MAX);
    let asked = |run: &Run| {
        run.verdict
            .doubts
            .iter()
            .any(|doubt| doubt.affects_score && format!("{:?}", doubt.kind) == wish)
    };
    let by_kind = wish.starts_with(|first: char| first.is_ascii_uppercase());
    let wanted = |run: &&Run| match run.outcome {
        Outcome::Silent => silent || count < usize::MAX,
        Outcome::Exact => by_kind && asked(run),
        _ => !silent && !by_kind,
    };
    for run in results.iter().filter(wanted).take(count) {
        let best = run.decision.best.as_ref().map_or(0.0, |best| best.p);
        println!(
            "\n{} {:?} p {best:.3} missed {} misnamed {} {:?}",
            run.seed, run.outcome, run.table.missed, run.table.misnamed, run.table.forms
        );
        println!("  is   {}\n  read {}", line(&run.table.shown), run.read());
        for doubt in &run.verdict.doubts {
            let answers: Vec<_> = doubt
                .alternatives
                .iter()
                .map(|other| format!("{} {:.2} {:?}", other.answer, other.p, other.total))
                .collect();
            println!(
                "  {:?}{} {}: {}",
                doubt.kind,
                if doubt.affects_score { "!" } else { "" },
                doubt.question,
                answers.join(", ")
            );
        }
        let layout = layout::lay_out(&run.table.tiles, Book::shipped().usual(), None);
        let name = |&i: &usize| {
            let face =
                run.table.tiles[i].faces.best().map_or("none".to_owned(), |face| face.to_string());
            format!("{face}{}", if layout.sideways[i] { "_" } else { "" })
        };
        for group in &layout.groups {
            let tiles: Vec<String> = group.tiles.iter().map(name).collect();
            let above = group.above.map_or(String::new(), |above| {
                format!(" ^{} over {}", name(&above.tile), above.over)
            });
            println!("    row {}: {}{above}", group.row, tiles.join(" "));
        }
        let ignored: Vec<String> =
            layout.ignored.iter().map(|(i, why)| format!("{} {why:?}", name(i))).collect();
        println!("    ignored: {}", ignored.join(", "));
    }
}
