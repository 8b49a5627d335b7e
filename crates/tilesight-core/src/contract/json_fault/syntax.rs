//! Faults of a text that the parser refuses.
//!
//! Input: the text, and where the parser gave up. Output: the fault. Invariant: only the position
//! of the error and the text decide, never the words of the parser.

use serde::de::IgnoredAny;

use super::JsonFault;

/// Returns the fault of a text that the parser refuses. If it is JSON all the same, the parser
/// gave up at a value that no type can hold.
pub(super) fn find_fault(error: &serde_json::Error, json: &[u8]) -> JsonFault {
    if let Err(error) = serde_json::from_slice::<IgnoredAny>(json) {
        return JsonFault::Syntax { line: error.line(), column: error.column() };
    }
    let line = error.line();
    let column = error.column();
    let read = read_part(json, line, column);
    match read.last() {
        last if last == Some(&b'"') || ends_in_text(read) => {
            if is_utf8(json, read.len()) {
                JsonFault::BadEscape { line, column }
            } else {
                JsonFault::NotUtf8 { line, column }
            }
        }
        Some(b'[' | b'{') => JsonFault::TooDeep,
        Some(byte) if byte.is_ascii_digit() => JsonFault::HugeNumber,
        _ => JsonFault::Unusable,
    }
}

/// Returns the bytes before a position: lines count from 1, columns are the bytes of the line.
fn read_part(json: &[u8], line: usize, column: usize) -> &[u8] {
    let before = json.split_inclusive(|&byte| byte == b'\n').take(line.saturating_sub(1));
    let start: usize = before.map(<[u8]>::len).sum();
    &json[..json.len().min(start + column)]
}

/// Returns whether the first bytes have no fault in UTF-8. A letter may go on after them.
fn is_utf8(json: &[u8], length: usize) -> bool {
    str::from_utf8(json).map_or_else(|error| error.valid_up_to() >= length, |_| true)
}

/// Returns whether a text in quotes is still open at the end.
fn ends_in_text(json: &[u8]) -> bool {
    let mut is_open = false;
    let mut bytes = json.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_open = !is_open,
            b'\\' if is_open => drop(bytes.next()),
            _ => {}
        }
    }
    is_open
}
