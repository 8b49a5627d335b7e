//! Output of the command: text without control characters from outside, and data unchanged.
//!
//! Names of files, titles of games and answers of services come from strangers. Text passes through
//! [`stdout`] and [`stderr`], so that it can't move the cursor, change colors or reverse the
//! direction of text, now or when a log is read later; see
//! [`printable`](tilesight_core::printable). JSON may pass there too, because an escaped character
//! has the same meaning in it. Data that is redirected into a file or a program passes through
//! [`data`], which escapes it only on a terminal. Invariant: no other part of the command names
//! `io::stdout` or `io::stderr` for writing, except the progress bar of a batch, which draws, and
//! the log, whose library escapes its output itself.

use std::io::{self, IsTerminal as _, StderrLock, StdoutLock, Write};

use tilesight_core::printable::escaped_lines;

/// A stream for text, or for data that must not be changed.
#[derive(Debug)]
pub(in crate::cli) struct Terminal<W> {
    stream: W,
    /// Whether bytes are passed on unchanged.
    exact: bool,
}

/// Returns standard output for text, locked until it is dropped.
pub(in crate::cli) fn stdout() -> Terminal<StdoutLock<'static>> {
    Terminal { stream: io::stdout().lock(), exact: false }
}

/// Returns standard output for data such as CSV and scripts: byte for byte, except on a terminal.
pub(in crate::cli) fn data() -> Terminal<StdoutLock<'static>> {
    let stream = io::stdout().lock();
    Terminal { exact: !stream.is_terminal(), stream }
}

/// Returns standard error, locked until it is dropped.
pub(in crate::cli) fn stderr() -> Terminal<StderrLock<'static>> {
    Terminal { stream: io::stderr().lock(), exact: false }
}

impl<W: Write> Write for Terminal<W> {
    /// Prints text in whole characters, with the line ends of CSV changed to those of a terminal.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.exact {
            return self.stream.write(bytes);
        }
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        self.stream.write_all(escaped_lines(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(exact: bool, print: impl FnOnce(&mut Terminal<Vec<u8>>)) -> Vec<u8> {
        let mut out = Terminal { stream: Vec::new(), exact };
        print(&mut out);
        out.stream
    }

    #[test]
    fn control_characters_are_printed_escaped() {
        let out = printed(false, |out| {
            let (file, said) = ("a\u{1b}]0;owned\u{7}.jpg", "王 \u{202e}x");
            write!(out, "{file}: read\n  {said}\n").expect("memory");
            out.write_all("é\u{9b}2J".as_bytes()).expect("memory");
        });
        let printed = String::from_utf8(out).expect("text");
        assert_eq!(printed, "a\\u001b]0;owned\\u0007.jpg: read\n  王 \\u202ex\né\\u009b2J");
    }

    #[test]
    fn data_is_escaped_on_a_terminal_alone() {
        let csv = "deal,A\u{1b}[2J\r\n1,\"a\rb\"\r\n".as_bytes();
        assert_eq!(printed(true, |out| out.write_all(csv).expect("memory")), csv);
        let bytes = [0xff, 0xc3, 0x28];
        assert_eq!(printed(true, |out| out.write_all(&bytes).expect("memory")), bytes);
        let shown = printed(false, |out| out.write_all(csv).expect("memory"));
        assert_eq!(shown, b"deal,A\\u001b[2J\n1,\"a\\u000db\"\n");
    }
}
