//! Tokens of links: the holder of a token can watch a journal but not change it.
//!
//! A token is derived from a secret key, the journal's id and the number of times that its links
//! were revoked (HMAC, RFC 2104), so anyone who has the key can show the token again although it is
//! stored nowhere. Output: tokens of 128 bits in hex, and their SHA-256, which is all that is
//! stored: read access to the store does not give access to a link. Invariant: a revoked token is
//! never generated again.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use tilesight_core::hex;

use crate::random;
use crate::{Name, StoreError};

/// Context that distinguishes this key from other keys derived from the same secret.
const PURPOSE: &[u8] = b"tilesight game links";

/// Secret that tokens are derived from. It is stored separately from the journals.
#[derive(Clone)]
pub struct LinkKey([u8; 32]);

impl LinkKey {
    /// Derives the key of links from a secret of at least 16 random bytes, which may also serve
    /// other purposes.
    #[must_use]
    pub fn new(secret: &[u8]) -> LinkKey {
        LinkKey(mac(secret, &[PURPOSE]))
    }

    /// Returns a random key for this process only: the next process generates other tokens, and
    /// tokens of earlier processes stay valid.
    pub(super) fn random() -> Result<LinkKey, StoreError> {
        random::bytes().map(LinkKey).map_err(|error| StoreError::unavailable(&error))
    }

    pub(super) fn token(&self, game: &Name, taken_back: u32) -> String {
        hex::encode(&mac(&self.0, &[&taken_back.to_be_bytes(), game.as_str().as_bytes()])[..16])
    }
}

fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("any length will do");
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

impl fmt::Debug for LinkKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkKey")
    }
}

/// Returns the hash of a token, the only part that is stored.
pub(super) fn hash_of(token: &str) -> Name {
    hex::encode(&Sha256::digest(token.as_bytes())).parse().expect("64 hex digits are a name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_belongs_to_its_key_its_game_and_the_time_between_two_takings_back() {
        let [one, other]: [Name; 2] = ["11", "22"].map(|name| name.parse().unwrap());
        let (key, another) = (LinkKey::new(&[1; 32]), LinkKey::new(&[2; 32]));
        let token = key.token(&one, 0);
        assert_eq!(token.len(), 32);
        assert_eq!(LinkKey::new(&[1; 32]).token(&one, 0), token, "it can be shown again");
        for different in [key.token(&one, 1), key.token(&other, 0), another.token(&one, 0)] {
            assert_ne!(different, token);
        }
    }

    #[test]
    fn the_hash_is_plain_sha_256() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash_of("abc").as_str(), expected);
    }
}
