//! Boxes of the container, and the numbers in them.

use super::super::DecodeError;
use super::super::error::cut_short;

/// Returns the error for a file that contradicts itself about something.
pub(in super::super) fn contradicts(what: &str) -> DecodeError {
    DecodeError::Broken(format!("it contradicts itself about {what}"))
}

/// A box: its type and its content.
#[derive(Debug, Clone, Copy)]
pub(super) struct Box<'a> {
    pub(super) kind: [u8; 4],
    pub(super) data: &'a [u8],
}

/// Iterator over the boxes of a file or of another box.
#[derive(Debug)]
pub(super) struct Boxes<'a> {
    rest: &'a [u8],
}

impl<'a> Boxes<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Boxes<'a> {
        Boxes { rest: bytes }
    }

    fn take(&mut self) -> Result<Box<'a>, DecodeError> {
        let mut cursor = Cursor(std::mem::take(&mut self.rest));
        let whole = cursor.0;
        let length = cursor.u32()?;
        let kind = cursor.kind()?;
        let length = match length {
            // The last box of a file may omit its length.
            0 => whole.len(),
            1 => usize::try_from(cursor.uint(8)?).map_err(|_| cut_short())?,
            length => length as usize,
        };
        let head = whole.len() - cursor.0.len();
        let data = whole.get(head..length).ok_or_else(cut_short)?;
        self.rest = &whole[length..];
        Ok(Box { kind, data })
    }
}

impl<'a> Iterator for Boxes<'a> {
    type Item = Result<Box<'a>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.rest.is_empty()).then(|| self.take())
    }
}

/// Reader of big-endian numbers; holds the remaining bytes.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Cursor<'a>(pub(in super::super) &'a [u8]);

impl<'a> Cursor<'a> {
    pub(in super::super) fn take(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(cut_short)?;
        self.0 = rest;
        Ok(taken)
    }

    /// Reads a number of up to eight bytes; zero bytes give 0.
    pub(in super::super) fn uint(&mut self, bytes: usize) -> Result<u64, DecodeError> {
        Ok(self.take(bytes)?.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    pub(in super::super) fn u8(&mut self) -> Result<u8, DecodeError> {
        Ok(self.take(1)?[0])
    }

    pub(in super::super) fn u16(&mut self) -> Result<u16, DecodeError> {
        Ok(self.uint(2)? as u16)
    }

    pub(super) fn u32(&mut self) -> Result<u32, DecodeError> {
        Ok(self.uint(4)? as u32)
    }

    pub(super) fn kind(&mut self) -> Result<[u8; 4], DecodeError> {
        let kind = self.take(4)?;
        Ok([kind[0], kind[1], kind[2], kind[3]])
    }

    /// Reads version and flags of a full box.
    pub(super) fn full_box(&mut self) -> Result<(u8, u32), DecodeError> {
        let head = self.u32()?;
        Ok(((head >> 24) as u8, head & 0xff_ffff))
    }

    /// Reads the id of an item, which newer versions of a box write in four bytes.
    pub(super) fn id(&mut self, wide: bool) -> Result<u32, DecodeError> {
        if wide { self.u32() } else { Ok(u32::from(self.u16()?)) }
    }
}
