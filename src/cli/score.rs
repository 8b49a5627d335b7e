//! `tilesight score`: a typed hand, or a stream of JSON lines, to itemised scores.
//!
//! Input: a hand in [`notation`](crate::notation) and flags, or one [`ScoreRequest`] a line on
//! standard input. Output: a table, JSON, or one JSON object a line. Invariant: with `--jsonl`
//! every line that is not blank gets exactly one line of output, in order, whatever it holds.

mod lines;
mod picture;

use std::io::{self, Write};

use self::lines::Defaults;
use self::picture::PictureFile;
use super::Exit;
use super::complaint::complaint;
use super::context::ContextArgs;
use super::table::{Others, Sheet};
use crate::cli::terminal;
use crate::contract::{HandInput, Problem, ProblemKind, ScoreRequest, ScoredHand};
use crate::explain::Lang;
use crate::hand::Other;

/// What `tilesight score` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The hand in one line, such as `[EEE,2]123m456p789s5s5s|SE1000|2`; see docs/notation.md
    #[arg(value_name = "HAND", required_unless_present = "jsonl", conflicts_with = "jsonl")]
    hand: Vec<String>,
    /// Language of names and explanations: en, de, da, sv or zh
    #[arg(long, default_value = "en")]
    lang: Lang,
    /// Explain every fan below its row
    #[arg(long, conflicts_with_all = ["json", "jsonl"])]
    explain: bool,
    /// Print the score as JSON, or { "error": problem }
    #[arg(long)]
    json: bool,
    /// Read one { "hand": ..., "context": ... } a line from standard input and answer each with a
    /// line; flags hold for all of them
    #[arg(long, conflicts_with = "json")]
    jsonl: bool,
    /// Also draw the scored hand as FILE, by its name an .svg or .png
    #[arg(long, value_name = "FILE", value_parser = PictureFile::parse, conflicts_with = "jsonl")]
    picture: Option<PictureFile>,
    /// A hand that did not win, with its seat: `S=[CCC,1]11m99p1289s`; up to three, for rules that
    /// score every player
    #[arg(long = "other", value_name = "SEAT=HAND", value_parser = super::other::typed, conflicts_with = "jsonl")]
    others: Vec<Other<HandInput>>,
    #[command(flatten)]
    context: ContextArgs,
}

/// Scores what was given.
///
/// # Errors
/// When standard input or output fails.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let context = match args.context.read() {
        Ok(context) => context,
        Err(problem) => return report(args, "", &problem),
    };
    let book = args.context.book();
    if args.jsonl {
        let (input, output) = (io::stdin().lock(), terminal::stdout());
        let failed = lines::answer(
            input,
            output,
            &Defaults { book: &book, context: &context, lang: args.lang },
        )?;
        return Ok(if failed == 0 { Exit::Done } else { Exit::NoResult });
    }
    let hand = args.hand.join(" ");
    let request = ScoreRequest {
        hand: HandInput::Notation(hand.clone()),
        context,
        others: args.others.clone(),
    };
    match request.prepare(&book).and_then(|prepared| prepared.score()) {
        Ok(scored) => {
            if let Some(file) = &args.picture {
                file.write(&scored, args.lang)?;
            }
            print(args, &scored)
        }
        Err(problem) => report(args, &hand, &problem),
    }
}

fn print(args: &Args, scored: &ScoredHand) -> anyhow::Result<Exit> {
    let mut out = terminal::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&scored.to_dto(args.lang))?)?;
    } else {
        let prepared = &scored.prepared;
        let sheet = Sheet {
            setup: &prepared.setup,
            context: &prepared.context,
            assumed: &prepared.assumed,
            score: scored.score(),
            range: scored.range.as_ref(),
            lang: args.lang,
            explain: args.explain,
            won: true,
        };
        let others = Others { scores: &scored.table.others, lang: args.lang };
        write!(out, "{sheet}{others}")?;
    }
    Ok(Exit::Done)
}

/// Says what is wrong: on standard output where JSON is expected, else on standard error.
fn report(args: &Args, hand: &str, problem: &Problem) -> anyhow::Result<Exit> {
    let problem = &problem.clone().said(args.lang);
    if args.json || args.jsonl {
        writeln!(terminal::stdout(), "{}", serde_json::json!({ "error": problem }))?;
    } else {
        write!(terminal::stderr(), "{}", complaint(None, hand, problem))?;
    }
    Ok(if problem.kind == ProblemKind::NotAWin { Exit::NoResult } else { Exit::BadInput })
}
