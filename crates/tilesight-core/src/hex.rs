//! Encoding of bytes as lower-case hex digits: hashes, ids, tokens.

/// Encodes each byte as two digits.
pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(digit).collect()
}

fn digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16).expect("half a byte is below 16")
}
