//! `tilesight score`: scores a typed hand, or a stream of JSON lines.
//!
//! Input: a hand in [`notation`](tilesight_core::notation) and flags; with `-` a hand or one
//! [`ScoreRequest`] on standard input, with `--jsonl` one request per line. Output: a table, JSON,
//! or one JSON object per line. Invariant: with `--jsonl` every line that is not blank gets exactly
//! one line of output, in order, whatever its content.

mod lines;
mod picture;

use std::io::{self, Write};

use tilesight_core::contract::{
    ContextDto, HandInput, Problem, ProblemKind, ScoreRequest, ScoredHand, strip_bom,
};
use tilesight_core::explain::Lang;
use tilesight_core::hand::Other;
use tilesight_files::input;
use tilesight_jobs::plan::{STDIN, file_problem};

use self::lines::Defaults;
use self::picture::PictureFile;
use crate::cli::args::context::ContextArgs;
use crate::cli::args::other;
use crate::cli::output::table::{HandSheet, Others};
use crate::cli::output::{Complaint, Exit, Stop, terminal};

/// Arguments of `tilesight score`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The hand in one line, such as `[EEE,2]123m456p789s5s5s|SE1000|2`; see docs/notation.md. With
    /// -, read the hand or a { "hand": ..., "context": ... } from standard input
    #[arg(value_name = "HAND", required_unless_present = "jsonl", conflicts_with = "jsonl")]
    hand: Vec<String>,
    /// Language of names and explanations: en, de, da, sv, ja, zh or zh-Hant
    #[arg(long, default_value = "en")]
    lang: Lang,
    /// Explain every fan below its row
    #[arg(long, conflicts_with_all = ["json", "jsonl"])]
    explain: bool,
    /// Print the score as JSON, or { "error": problem }
    #[arg(long)]
    json: bool,
    /// Read one { "hand": ..., "context": ... } per line from standard input and print one line for
    /// each; flags apply to all of them
    #[arg(long, conflicts_with = "json")]
    jsonl: bool,
    /// Also draw the scored hand into FILE; its name must end in .svg or .png
    #[arg(long, value_name = "FILE", value_parser = PictureFile::parse, conflicts_with = "jsonl")]
    picture: Option<PictureFile>,
    /// With --picture: overwrite a file that tilesight did not write
    #[arg(long, requires = "picture")]
    force: bool,
    /// Hand of a player who did not win, with its seat: `S=[CCC,1]11m99p1289s`; up to three, for
    /// rules that score every player
    #[arg(long = "other", value_name = "SEAT=HAND", value_parser = other::parse_typed, conflicts_with = "jsonl")]
    others: Vec<Other<HandInput>>,
    #[command(flatten)]
    context: ContextArgs,
}

/// Scores the hand or the lines.
///
/// # Errors
/// When standard input or output fails.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let context = args.context.read().map_err(|problem| refusal(args, problem))?;
    let book = args.context.book();
    if args.jsonl {
        let defaults = Defaults { book: &book, context: &context, lang: args.lang };
        let failed = lines::answer(io::stdin().lock(), terminal::stdout(), &defaults)?;
        return Ok(if failed == 0 { Exit::Done } else { Exit::NoResult });
    }
    let output = args
        .picture
        .as_ref()
        .map(|picture| picture.output(args.force, args.context.file()))
        .transpose()
        .map_err(Stop::bad_input)?;
    let (hand, request) = request(args, &context).map_err(|problem| refusal(args, problem))?;
    let scored = request
        .prepare(&book)
        .and_then(|prepared| prepared.score())
        .map_err(|problem| refusal(args, problem).with_hand(hand))?;
    if let (Some(picture), Some(output)) = (&args.picture, &output) {
        picture.write(output, &scored, args.lang)?;
    }
    print(args, &scored)?;
    Ok(Exit::Done)
}

/// Returns the hand as it was typed, and the request; both are read from standard input if the hand
/// is `-`.
fn request(args: &Args, context: &ContextDto) -> Result<(String, ScoreRequest), Problem> {
    if args.hand != [STDIN] {
        return Ok(new_request(args.hand.join(" "), args, context));
    }
    let bytes = input::read_stream(io::stdin().lock(), ScoreRequest::MAX_BYTES)
        .map_err(|error| file_problem(&error))?;
    let text = strip_bom(&bytes).trim_ascii();
    if !text.starts_with(b"{") {
        // Line ends count as spaces, as between arguments. Text that is not UTF-8 is not a hand
        // either.
        let text = String::from_utf8_lossy(text);
        let hand = text.split_whitespace().collect::<Vec<_>>().join(" ");
        return Ok(new_request(hand, args, context));
    }
    let mut request = lines::request(text, context)?;
    request.others.extend(args.others.iter().cloned());
    Ok((String::new(), request))
}

/// Returns a typed hand with the request to score it.
fn new_request(hand: String, args: &Args, context: &ContextDto) -> (String, ScoreRequest) {
    let notation = HandInput::Notation(hand.clone());
    let others = args.others.clone();
    (hand, ScoreRequest { hand: notation, context: *context, others })
}

fn print(args: &Args, scored: &ScoredHand) -> anyhow::Result<()> {
    let mut out = terminal::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&scored.to_dto(args.lang))?)?;
    } else {
        let prepared = &scored.prepared;
        let sheet = HandSheet {
            setup: &prepared.setup,
            context: &prepared.context,
            assumed: &prepared.assumed,
            score: scored.score(),
            range: scored.range.as_ref(),
            questions: &[],
            lang: args.lang,
            explain: args.explain,
            won: true,
        };
        let others = Others { scores: &scored.table.others, lang: args.lang };
        write!(out, "{sheet}{others}")?;
    }
    Ok(())
}

/// Returns the complaint about the input.
fn refusal(args: &Args, problem: Problem) -> Complaint {
    let exit = if problem.kind == ProblemKind::NotAWin { Exit::NoResult } else { Exit::BadInput };
    Complaint::from(problem.translate(args.lang)).with_json(args.json || args.jsonl).with_exit(exit)
}
