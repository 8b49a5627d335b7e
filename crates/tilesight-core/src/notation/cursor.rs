//! A cursor over the characters of a text that skips what can't be seen and knows its position.

use super::error::{Expectation, FoundChar, NotationError, Position};
use super::letters::{is_invisible, to_plain};

/// A place in a text. White space carries no meaning, so callers never see it. Numbers and suits in
/// Chinese and full-width characters are shown to them as those of ASCII.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    /// Offset of the next character in bytes.
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut cursor = Self { text, at: 0 };
        cursor.skip_space();
        cursor
    }

    /// Returns the position of the next character. Counts the characters before it, so this is for
    /// errors alone; a copy of the cursor remembers a place.
    pub(super) fn position(&self) -> Position {
        Position { byte: self.at, column: self.text[..self.at].chars().count() }
    }

    /// Returns the next character without taking it.
    #[inline]
    pub(super) fn peek(&self) -> Option<char> {
        let byte = *self.text.as_bytes().get(self.at)?;
        if byte.is_ascii() { Some(char::from(byte)) } else { self.peek_written().map(to_plain) }
    }

    /// Returns the next character as it is written.
    #[cold]
    pub(super) fn peek_written(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Returns everything from the next character on, with the white space in it.
    #[inline]
    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Takes the next character.
    #[inline]
    pub(super) fn next(&mut self) -> Option<char> {
        let byte = *self.text.as_bytes().get(self.at)?;
        if byte.is_ascii() {
            self.advance(1);
            return Some(char::from(byte));
        }
        let written = self.peek_written()?;
        self.advance(written.len_utf8());
        Some(to_plain(written))
    }

    /// Takes whole characters of this many bytes.
    #[inline]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
        // Most characters are followed by one that can be seen, or by the end.
        let next = self.text.as_bytes().get(self.at);
        if next.is_some_and(|byte| !byte.is_ascii_graphic()) {
            self.skip_space();
        }
    }

    /// Takes the next character if it is the wanted one, and returns whether it was.
    #[inline]
    pub(super) fn take(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.next();
        }
        there
    }

    /// Takes the next character if `read` accepts it; otherwise returns an error with `expected`.
    #[inline]
    pub(super) fn read<T>(
        &mut self,
        expected: Expectation,
        read: impl FnOnce(char) -> Option<T>,
    ) -> Result<T, NotationError> {
        let value = self.peek().and_then(read).ok_or_else(|| self.error_expecting(expected))?;
        self.next();
        Ok(value)
    }

    /// Returns the error that the next character was not expected.
    #[cold]
    pub(super) fn error_expecting(&self, expected: Expectation) -> NotationError {
        let found = FoundChar(self.peek_written());
        NotationError::Unexpected { at: self.position(), found, expected }
    }

    /// Returns whether the next character follows a letter without white space between them, and no
    /// letter or digit follows it likewise.
    #[cold]
    pub(super) fn stands_alone_behind_a_letter(&self) -> bool {
        let before = self.text[..self.at].chars().next_back();
        let after = self.text[self.at..].chars().nth(1);
        before.is_some_and(char::is_alphabetic) && !after.is_some_and(char::is_alphanumeric)
    }

    /// Returns whether white space is before the next character.
    #[cold]
    pub(super) fn is_behind_space(&self) -> bool {
        self.text[..self.at].chars().next_back().is_some_and(is_invisible)
    }

    #[cold]
    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(is_invisible).len();
    }
}
