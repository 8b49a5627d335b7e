//! A cursor over the characters of a text that skips white space and knows its position.

use super::error::{Expectation, FoundChar, NotationError, Position};

/// A place in a text. White space carries no meaning, so callers never see it.
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
    pub(super) fn peek(&self) -> Option<char> {
        match self.text.as_bytes().get(self.at) {
            Some(&byte) if byte.is_ascii() => Some(char::from(byte)),
            _ => self.text[self.at..].chars().next(),
        }
    }

    /// Takes the next character.
    pub(super) fn next(&mut self) -> Option<char> {
        let character = self.step()?;
        self.skip_space();
        Some(character)
    }

    /// Takes the next character if it is the wanted one, and returns whether it was.
    pub(super) fn take(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.next();
        }
        there
    }

    /// Takes the next character if `read` accepts it; otherwise returns an error with `expected`.
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
        NotationError::Unexpected { at: self.position(), found: FoundChar(self.peek()), expected }
    }

    fn step(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += character.len_utf8();
        Some(character)
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.step();
        }
    }
}
