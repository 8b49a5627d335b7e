//! Random numbers of the system: ids, tokens and keys that nobody can guess.
//!
//! Output: bytes, or an id of 128 bits in hex. Invariant: there is no other source of secrets.

use tilesight_core::hex;

/// Random bytes.
///
/// # Errors
/// When the system has no random numbers.
pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// 128 random bits as 32 hex digits.
///
/// # Errors
/// When the system has no random numbers.
pub(crate) fn id() -> Result<String, getrandom::Error> {
    Ok(hex::of(&bytes::<16>()?))
}
