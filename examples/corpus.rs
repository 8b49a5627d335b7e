//! Prints every hand of the test data as a request with its score, for comparison with other front
//! ends.
//!
//!     cargo run --example corpus > corpus.jsonl
//!     cargo run --example corpus taiwan 1 > taiwan-1.jsonl
//!     cargo run --example corpus taiwan 2 > taiwan-2.jsonl
//!
//! Output: a line of JSON for each hand and rule set: its origin (`source`), the `request` of the
//! contract, the `total` that the test data expects, its `fans` by number if the data lists them,
//! and the `answer` of this program. The hands of the classical game without a limit are left out,
//! because no shipped rule set scores them, and so are those of Hong Kong, Taiwan and riichi under
//! rules that were drawn for them.
//!
//! With `taiwan`: the hands of sixteen tiles under the rules of each row, the worked examples and
//! the inputs that must be refused. They have more rule sets than a book takes, so that they come
//! in two parts. First comes a line with each rule set of the part as a file (`profile`); the
//! `answer` to a refused input is a problem. Only every tenth hand is printed, unless
//! `TILESIGHT_ROWS` is `all`, as `make check-all` has it: reading a thousand rule sets takes
//! seconds in each front end.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use tilesight_core::context::Context;
use tilesight_core::contract::{
    ContextDto, HandDto, HandInput, ScoreDto, ScoreRequest, SideBySideRequest,
};
use tilesight_core::explain::Lang;
use tilesight_core::hand::{Hand, HandSetup};
use tilesight_core::rules::{Book, Profile, RulesetId};

#[path = "../tests/support/classical_rows/mod.rs"]
mod classical_rows;
#[path = "../tests/support/hongkong_rows.rs"]
mod hongkong_rows;
#[path = "../tests/support/mcr_rows.rs"]
mod mcr_rows;
#[path = "../tests/support/mmm_rows.rs"]
mod mmm_rows;
#[path = "../tests/support/riichi_rows.rs"]
mod riichi_rows;
#[path = "../tests/support/taiwan_rows.rs"]
mod taiwan_rows;

/// Id of the rules of a row of Taiwan, before it has a number.
const ROW_RULES: &str = "tw-row";

/// Number of parts in which the rows of Taiwan come.
const PARTS: usize = 2;

/// A hand and its expected score.
#[derive(Serialize)]
struct Row {
    source: String,
    request: ScoreRequest,
    total: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    fans: Option<BTreeMap<u8, u32>>,
}

#[derive(Serialize)]
struct ScoredRow<'a> {
    #[serde(flatten)]
    row: &'a Row,
    answer: ScoreDto,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.as_slice() {
        [] => write_shipped(&mut out)?,
        [game, part] if game == "taiwan" => write_taiwan(&mut out, part.parse()?)?,
        _ => return Err("give nothing, `taiwan 1` or `taiwan 2`".into()),
    }
    Ok(out.flush()?)
}

/// Writes the hands under the shipped rule sets.
fn write_shipped(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let book = Book::shipped();
    let others = mmm().chain(classical()).chain(hongkong()).chain(taiwan()).chain(riichi());
    for row in mcr().chain(tool()).chain(others) {
        let scored = row.request.prepare(&book).and_then(|prepared| prepared.score());
        let scored = scored.map_err(|problem| format!("{}: {problem:?}", row.source))?;
        let answer = scored.to_dto(Lang::En);
        serde_json::to_writer(&mut *out, &ScoredRow { row: &row, answer })?;
        writeln!(out)?;
    }
    Ok(())
}

/// Writes a part of the rows of Taiwan under their own rules, after the files of these.
fn write_taiwan(out: &mut impl Write, part: usize) -> Result<(), Box<dyn Error>> {
    let all_rows = std::env::var("TILESIGHT_ROWS").is_ok_and(|rows| rows == "all");
    let step = if all_rows { 1 } else { 10 };
    let cases = taiwan_rows::cases().into_iter().step_by(step).map(|row| ("case", row));
    let examples = taiwan_rows::examples().into_iter().map(|row| ("example", row));
    let refused = taiwan_rows::refused().into_iter().map(|row| ("refused", row));
    let rows: Vec<_> = cases.chain(examples).chain(refused).collect();
    let files: BTreeSet<String> = rows.iter().map(|(_, row)| row.rules.text(ROW_RULES)).collect();
    let files: Vec<String> = files.into_iter().collect();
    let own = files.chunks(files.len().div_ceil(PARTS)).nth(part.wrapping_sub(1));
    let own = own.ok_or("there are two parts")?;
    let mut book = Book::shipped();
    for (at, file) in own.iter().enumerate() {
        let file = file.replacen(ROW_RULES, &rules_id(at), 1);
        book.install(Profile::parse(&file)?)?;
        writeln!(out, "{}", json!({ "profile": file }))?;
    }
    for (kind, row) in &rows {
        let Ok(at) = own.binary_search(&row.rules.text(ROW_RULES)) else { continue };
        let request = row.request_by(&rules_id(at));
        let line = json!({
            "source": format!("taiwan {kind} {}", row.id),
            "total": row.expect.tai,
            "answer": answer(&book, &request)?,
            "request": request,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Returns the id of a rule set of a part.
fn rules_id(at: usize) -> String {
    format!("{ROW_RULES}-{at}")
}

/// Returns the score of a request, or its problem.
fn answer(book: &Book, request: &Value) -> Result<Value, serde_json::Error> {
    let request = SideBySideRequest::from_json(request.to_string().as_bytes());
    match request.and_then(|request| request.score(book, Lang::En)) {
        Ok(score) => serde_json::to_value(score),
        Err(problem) => serde_json::to_value(problem),
    }
}

impl Row {
    fn new(source: String, ruleset: RulesetId, total: u32, hand: &Hand, context: Context) -> Row {
        let setup = HandSetup::from(hand);
        let context = ContextDto { ruleset: Some(ruleset), setup: context.into() };
        let hand = HandInput::Object(HandDto::from(&setup));
        Row {
            source,
            request: ScoreRequest { hand, context, others: Vec::new() },
            total,
            fans: None,
        }
    }
}

/// Returns the corpus and the published examples of MCR, by the rules of 1998 and of 2006.
fn mcr() -> impl Iterator<Item = Row> {
    let both = [RulesetId::MCR_WMO, RulesetId::MCR_MIL];
    let corpus = mcr_rows::corpus().into_iter().flat_map(move |row| {
        let (hand, context) = (row.row.hand(), row.row.context());
        both.map(|id| {
            let expected = row.expected(id);
            let source = format!("corpus {}", row.id);
            let fans = Some(expected.fans.clone());
            Row { fans, ..Row::new(source, id, expected.total, &hand, context) }
        })
    });
    let examples = mcr_rows::examples().into_iter().enumerate().flat_map(|(at, row)| {
        let totals = [(RulesetId::MCR_WMO, row.wmo), (RulesetId::MCR_MIL, row.mil)];
        totals.map(|(id, total)| {
            let source = format!("worked example {}", at + 1);
            Row::new(source, id, total, &row.row.hand(), row.row.context())
        })
    });
    corpus.chain(examples)
}

/// Returns the hands of another tool's tests, as text.
fn tool() -> impl Iterator<Item = Row> {
    let text = include_str!("../tests/data/gb_mahjong.tsv");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.flat_map(|line| {
        let mut columns = line.split('\t');
        let hand = columns.next().unwrap_or_default();
        let totals = [RulesetId::MCR_MIL, RulesetId::MCR_WMO].into_iter().zip(columns);
        let rows = totals.map(|(id, total)| {
            let context = ContextDto { ruleset: Some(id), ..ContextDto::default() };
            let hand = HandInput::Notation(hand.to_owned());
            let request = ScoreRequest { hand, context, others: Vec::new() };
            let total = total.parse().expect(line);
            Row { source: format!("gb_mahjong {line}"), request, total, fans: None }
        });
        rows.collect::<Vec<_>>()
    })
}

/// Returns the worked examples of Mahjong Masters Million.
fn mmm() -> impl Iterator<Item = Row> {
    mmm_rows::examples().examples.into_iter().map(|row| {
        let (hand, context) = (row.hand(), row.context());
        Row::new(row.id, RulesetId::MMM, row.expect.value, &hand, context)
    })
}

/// Returns the generated and the hand-picked hands of the classical game that won under its limit.
fn classical() -> impl Iterator<Item = Row> {
    let dmjl = RulesetId::CLASSICAL_DMJL;
    let generated = classical_rows::cases().into_iter().enumerate().map(move |(at, row)| {
        let source = format!("classical {}", at + 1);
        Row::new(source, dmjl, row.expect.total, &row.hand(), row.context())
    });
    let picked = classical_rows::hand_picked().into_iter();
    let picked = picked.filter(|row| row.won && !row.roof_off).map(move |row| {
        let compact = row.compact();
        Row::new(row.id.clone(), dmjl, row.total, &compact.hand(), *compact.context())
    });
    generated.chain(picked)
}

/// Returns the hands of Hong Kong old style under its shipped rule sets.
fn hongkong() -> impl Iterator<Item = Row> {
    let book = Book::shipped();
    hongkong_rows::cases().into_iter().filter_map(move |row| {
        let ruleset = book.get(row.shipped()?).ok()?;
        let prepared = row.prepare(Arc::clone(ruleset));
        let source = format!("hongkong {}", row.id);
        Some(Row::new(source, ruleset.id(), row.expect.faan, &prepared.hand, prepared.context))
    })
}

/// Returns the hands of sixteen tiles under their shipped rule sets, without those whose tai were
/// cut for them.
fn taiwan() -> impl Iterator<Item = Row> {
    let book = Book::shipped();
    taiwan_rows::cases().into_iter().filter_map(move |row| {
        let ruleset = book.get(row.shipped()?).ok()?;
        let is_cut = row.rules.options().any(|(name, value)| name == "cap" && value != 0);
        let prepared = row.prepare(Arc::clone(ruleset)).ok().filter(|_| !is_cut)?;
        let source = format!("taiwan {}", row.id);
        Some(Row::new(source, ruleset.id(), row.expect.tai?, &prepared.hand, prepared.context))
    })
}

/// Returns the hands of riichi under its shipped rule sets, those without a yaku among them.
fn riichi() -> impl Iterator<Item = Row> {
    riichi_rows::rows().into_iter().filter_map(|row| {
        let source = format!("riichi {}", row.id);
        Some(Row::new(source, row.shipped()?, row.total(), &row.hand(), row.context()))
    })
}
