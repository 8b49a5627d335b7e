//! The name of a rule set, as requests, journals and files of results write it.
//!
//! Input: a text such as `mcr-wmo`. Output: a [`RulesetId`], which holds the text itself and is
//! small enough to be copied. Invariant: an id is well-formed; a [`Book`](super::Book) knows
//! whether a rule set of this name exists.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Maximum length of an id in bytes: it fits a column of a table and a metric's label.
pub(crate) const MAX_RULESET_ID: usize = 40;

/// The name of a rule set: 1 to 40 lowercase letters, digits and hyphens.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RulesetId {
    length: u8,
    /// The text, padded with zeros.
    bytes: [u8; MAX_RULESET_ID],
}

impl RulesetId {
    /// Mahjong Competition Rules as the World Mahjong Organization published them in 2006: the
    /// default rule set.
    pub const MCR_WMO: RulesetId = RulesetId::constant("mcr-wmo");
    /// Mahjong Competition Rules of 1998 as most Chinese programs interpret them.
    pub const MCR_MIL: RulesetId = RulesetId::constant("mcr-mil");
    /// Mahjong Masters Million.
    pub const MMM: RulesetId = RulesetId::constant("mmm");
    /// The classical game of the German league.
    pub const CLASSICAL_DMJL: RulesetId = RulesetId::constant("classical-dmjl");
    /// The classical game with the lines of German clubs.
    pub const CLASSICAL_001: RulesetId = RulesetId::constant("classical-001");
    /// Hong Kong old style with the commonest values.
    pub const HK_OLD: RulesetId = RulesetId::constant("hk-old");
    /// Hong Kong old style with the rare hands at the limit.
    pub const HK_NPM: RulesetId = RulesetId::constant("hk-npm");
    /// Hong Kong old style without bonus tiles, paid in steps.
    pub const HK_TIERS: RulesetId = RulesetId::constant("hk-tiers");
    /// Hong Kong with seven pairs.
    pub const HK_PAIRS: RulesetId = RulesetId::constant("hk-pairs");

    /// The Taiwanese game of sixteen tiles with the commonest values.
    pub const TW_COMMON: RulesetId = RulesetId::constant("tw-common");

    /// Riichi as most players online know it.
    pub const RIICHI_TENHOU: RulesetId = RulesetId::constant("riichi-tenhou");

    /// Returns the id with this text, or `None` if the text cannot be an id.
    #[must_use]
    pub const fn new(text: &str) -> Option<RulesetId> {
        let text = text.as_bytes();
        if text.is_empty() || text.len() > MAX_RULESET_ID {
            return None;
        }
        let mut bytes = [0; MAX_RULESET_ID];
        let mut at = 0;
        while at < text.len() {
            if !matches!(text[at], b'a'..=b'z' | b'0'..=b'9' | b'-') {
                return None;
            }
            bytes[at] = text[at];
            at += 1;
        }
        Some(RulesetId { length: text.len() as u8, bytes })
    }

    const fn constant(text: &str) -> RulesetId {
        RulesetId::new(text).expect("a constant is checked by the compiler")
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.length)]).expect("ASCII letters")
    }
}

impl Default for RulesetId {
    fn default() -> RulesetId {
        RulesetId::MCR_WMO
    }
}

impl fmt::Debug for RulesetId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "RulesetId({})", self.as_str())
    }
}

impl fmt::Display for RulesetId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

/// Error when a text cannot be the id of a rule set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct InvalidRulesetId(pub String);

impl FromStr for RulesetId {
    type Err = InvalidRulesetId;

    fn from_str(text: &str) -> Result<RulesetId, InvalidRulesetId> {
        RulesetId::new(text).ok_or_else(|| InvalidRulesetId(text.to_owned()))
    }
}

impl Serialize for RulesetId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for RulesetId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RulesetId, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back() {
        let longest = "a".repeat(MAX_RULESET_ID);
        for text in ["mcr-wmo", "7", longest.as_str()] {
            let id: RulesetId = text.parse().expect(text);
            assert_eq!((id.as_str(), id.to_string().as_str()), (text, text));
        }
        assert_eq!("mcr-mil".parse(), Ok(RulesetId::MCR_MIL));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "Our Club", "a_b", "ä", &"a".repeat(MAX_RULESET_ID + 1)] {
            assert_eq!(text.parse::<RulesetId>(), Err(InvalidRulesetId(text.to_owned())));
        }
    }
}
