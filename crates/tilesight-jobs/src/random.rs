//! Random numbers of the system, for ids, tokens and keys that can't be guessed.
//!
//! Output: bytes, or an id of 128 bits in hex. Invariant: this module is the only source of
//! secrets.

use tilesight_core::hex;

/// Returns random bytes.
///
/// # Errors
/// A [`getrandom::Error`] if the system has no random numbers.
pub fn bytes<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// Returns 128 random bits as 32 hex digits.
///
/// # Errors
/// A [`getrandom::Error`] if the system has no random numbers.
pub fn id() -> Result<String, getrandom::Error> {
    Ok(hex::encode(&bytes::<16>()?))
}
