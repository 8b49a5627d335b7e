//! Where the command prints: standard output and standard error, without control characters of
//! others.
//!
//! Names of files, titles of games and answers of services come from strangers. Everything that is
//! printed passes through here, so that it can't move the cursor, change colours or reverse the
//! direction of text; see [`printable`](crate::printable). Invariant: no other place of the command
//! names `io::stdout` or `io::stderr` for writing, but the bar of a batch, which draws, and the
//! log, whose library has its own escapes.

use std::io::{self, StderrLock, StdoutLock, Write};

use crate::printable::escaped_lines;

/// A stream on which unprintable characters are written out.
#[derive(Debug)]
pub(super) struct Terminal<W>(W);

/// Standard output, held until it is dropped.
pub(super) fn stdout() -> Terminal<StdoutLock<'static>> {
    Terminal(io::stdout().lock())
}

/// Standard error, held until it is dropped.
pub(super) fn stderr() -> Terminal<StderrLock<'static>> {
    Terminal(io::stderr().lock())
}

impl<W: Write> Write for Terminal<W> {
    /// Only text is printed, in whole characters.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(escaped_lines(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_cannot_act() {
        let mut out = Terminal(Vec::new());
        let (file, said) = ("a\u{1b}]0;owned\u{7}.jpg", "王 \u{202e}x");
        write!(out, "{file}: read\n  {said}\n").expect("memory");
        out.write_all("é\u{9b}2J".as_bytes()).expect("memory");
        let printed = String::from_utf8(out.0).expect("text");
        assert_eq!(printed, "a\\u001b]0;owned\\u0007.jpg: read\n  王 \\u202ex\né\\u009b2J");
    }
}
