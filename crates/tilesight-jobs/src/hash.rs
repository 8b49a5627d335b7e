//! Names that are hashes or random bytes: 16 or 32 bytes, written as hex.
//!
//! Invariant: a name is parsed only in the form in which it is written, so that each name has one
//! text, and only hex digits ever become part of a path, a subject or a key.

use sha2::{Digest as _, Sha256};

/// SHA-256 of a photo's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhotoId([u8; 32]);

impl PhotoId {
    /// Returns the hash of these bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> PhotoId {
        PhotoId(Sha256::digest(bytes).into())
    }
}

/// Error when a text is not a SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid SHA-256: expected 64 hex digits")]
pub struct HashError;

/// Returns the bytes that [`hex::encode`](tilesight_core::hex::encode) writes as this text.
#[must_use]
pub fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = digit_value(pair[0])? << 4 | digit_value(pair[1])?;
    }
    Some(bytes)
}

fn digit_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// Implements `Display` and `FromStr` for hashes of 32 bytes.
#[doc(hidden)]
#[macro_export]
macro_rules! as_hash {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&tilesight_core::hex::encode(&self.0))
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::HashError;

            fn from_str(text: &str) -> Result<$name, Self::Err> {
                $crate::unhex(text).map($name).ok_or($crate::HashError)
            }
        }

        $crate::as_text!($name);
    };
}

/// Implements Serde for types with a text form: JSON contains the text.
#[doc(hidden)]
#[macro_export]
macro_rules! as_text {
    ($name:ident) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$name, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use crate::{as_hash, as_text};

as_hash!(PhotoId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_read_as_it_is_written_and_in_no_other_way() {
        let photo = PhotoId::from_bytes(b"abc");
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(photo.to_string(), text);
        assert_eq!(text.parse(), Ok(photo));
        assert_eq!(serde_json::to_string(&photo).expect("a text"), format!("\"{text}\""));
        assert_eq!(
            serde_json::from_str::<PhotoId>(&format!("\"{text}\"")).expect("its text"),
            photo
        );
        for bad in [text.to_uppercase(), text[1..].to_owned(), format!("{text}0"), "é".repeat(32)]
        {
            assert_eq!(bad.parse::<PhotoId>(), Err(HashError), "{bad}");
        }
    }
}
