//! The stream of `--jsonl`: one request per line of input, one score or error per line of output.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use serde::Serialize;
use tilesight_core::contract::{
    ContextDto, Problem, ProblemKind, ScoreDto, ScoreRequest, strip_bom,
};
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;

/// Maximum length of a line, in bytes; a longer one is skipped, so that memory stays bounded.
const MAX_LINE: usize = ScoreRequest::MAX_BYTES;

/// Size of the input and output buffers, in bytes.
const BUFFER: usize = 64 * 1024;

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Score(Box<ScoreDto>),
    Error { error: Problem },
}

/// Defaults for all lines.
#[derive(Debug)]
pub(super) struct Defaults<'a> {
    pub(super) book: &'a Book,
    pub(super) context: &'a ContextDto,
    pub(super) lang: Lang,
}

/// Answers every line. Returns the number of failed lines.
///
/// # Errors
/// Only when reading or writing fails; an invalid line gets an answer like any other.
pub(super) fn answer(
    input: impl Read,
    output: impl Write,
    defaults: &Defaults<'_>,
) -> io::Result<usize> {
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut output = BufWriter::with_capacity(BUFFER, output);
    let mut line = Vec::new();
    let mut failed = 0;
    while let Some(complete) = read_line(&mut input, &mut line)? {
        if complete && strip_bom(&line).trim_ascii().is_empty() {
            continue;
        }
        let answer = match score_line(complete.then_some(&line), defaults) {
            Ok(score) => Answer::Score(Box::new(score)),
            Err(error) => Answer::Error { error: error.translate(defaults.lang) },
        };
        failed += usize::from(matches!(answer, Answer::Error { .. }));
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
        // A client that sends the next line after the answer must not wait for a full buffer.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()?;
    Ok(failed)
}

fn score_line(line: Option<&Vec<u8>>, defaults: &Defaults<'_>) -> Result<ScoreDto, Problem> {
    let line = line.ok_or_else(|| {
        Problem::new(ProblemKind::TooLarge, format!("the line is longer than {MAX_LINE} bytes"))
    })?;
    let request = request(line.trim_ascii_end(), defaults.context)?;
    Ok(request.prepare(defaults.book)?.score()?.to_dto(defaults.lang))
}

/// Parses a request, and completes its win context from the flags.
///
/// # Errors
/// A [`Problem`], also if the two contradict each other.
pub(super) fn request(json: &[u8], flags: &ContextDto) -> Result<ScoreRequest, Problem> {
    let mut request = ScoreRequest::from_json(json)?;
    request.context = request.context.merge(flags)?;
    Ok(request)
}

/// Reads the next line into `line`. Returns `None` at the end, and `Some(false)` for a line that
/// was too long and was dropped.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let read = input.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") || read <= MAX_LINE {
        return Ok(Some(true));
    }
    input.skip_until(b'\n')?;
    Ok(Some(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &[u8]) -> (usize, Vec<serde_json::Value>) {
        let mut output = Vec::new();
        let (book, context) = (Book::shipped(), ContextDto::default());
        let defaults = Defaults { book: &book, context: &context, lang: Lang::En };
        let failed = answer(input, &mut output, &defaults).expect("memory");
        let lines = output.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        (failed, lines.map(|line| serde_json::from_slice(line).expect("JSON")).collect())
    }

    #[test]
    fn every_line_is_answered_in_order() {
        let input = b"{\"hand\":\"123456789m123p5s5s|EE1000\"}\n\nnonsense\r\n\xff\xfe\n{\"hand\":\"123456789m123p5s5s|EE1000\"}";
        let (failed, answers) = answers(input);
        assert_eq!(failed, 2);
        let errors: Vec<_> = answers.iter().map(|answer| answer.get("error").is_some()).collect();
        assert_eq!(errors, [false, true, true, false]);
        assert_eq!(answers[0], answers[3]);
    }

    #[test]
    fn a_mark_before_the_text_means_nothing() {
        let line = b"{\"hand\":\"123456789m123p5s5s|EE1000\"}\n";
        let (failed, marked) = answers(&[b"\xef\xbb\xbf".as_slice(), line].concat());
        assert_eq!((failed, marked), answers(line));
        assert_eq!(answers(b"\xef\xbb\xbf\n"), (0, vec![]));
    }

    #[test]
    fn a_line_without_end_is_dropped_and_the_next_is_read() {
        let mut input = vec![b'['; 3 * MAX_LINE];
        input.extend(b"\n{\"hand\":\"11m\"}\n");
        let (failed, answers) = answers(&input);
        assert_eq!(failed, 2);
        assert_eq!(answers[0]["error"]["status"], 413);
        assert_eq!(answers[1]["error"]["status"], 422);
    }

    #[test]
    fn the_longest_line_is_still_read() {
        let mut input = b"{\"hand\":\"11m\"}".to_vec();
        input.resize(MAX_LINE, b' ');
        input.push(b'\n');
        let (_, answers) = answers(&input);
        assert_eq!(answers[0]["error"]["status"], 422);
    }
}
