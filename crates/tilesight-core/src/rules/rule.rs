//! A line of a rule set: its code, its paragraph, its worth and its texts.
//!
//! Every engine has one table of these; awards, exclusions, explanations and the list of rules all
//! refer to it. Invariant: a code is unique within its game and the same in all languages.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::lang::Lang;

/// A line of a rule set.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Code in the API.
    pub code: &'static str,
    /// Paragraph in the rules.
    pub paragraph: Paragraph,
    /// Worth of the line unless an option changes it.
    pub worth: Worth,
    /// Elements that form the line.
    pub formed_by: FormedBy,
    /// Name and explanation in the order of [`Lang::ALL`].
    pub texts: [Text; Lang::COUNT],
}

/// The name of a rule, and its requirements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// Name of the rule.
    pub name: &'static str,
    /// Sentence on what the hand must have.
    pub explanation: &'static str,
}

/// A place in the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paragraph {
    /// By number, as in the list of 81 fans.
    Number(u8),
    /// By section, such as `1.2.8`.
    Section(&'static str),
}

/// The elements that form a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormedBy {
    /// Sets, or the hand as a whole.
    Tiles,
    /// The way in which the hand was won, or bonus tiles; no sets form the rule.
    WinContext,
}

/// The worth of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// Points that are added up.
    Points(u32),
    /// Doublings of the points.
    Doublings(Halves),
    /// Limits: what a limit hand pays, regardless of its points.
    Limits(Halves),
    /// Faan that are added up.
    Faan(u32),
    /// The limit, which is this many faan, regardless of other lines.
    FaanLimit(u32),
    /// Tai that are added up.
    Tai(u32),
    /// Han, by which riichi doubles fu up to a limit.
    Han(u32),
}

impl Worth {
    /// Returns the worth of `count` such lines.
    #[must_use]
    pub const fn times(self, count: u32) -> Worth {
        match self {
            Worth::Points(points) => Worth::Points(points * count),
            Worth::Doublings(halves) => Worth::Doublings(Halves(halves.0 * count)),
            Worth::Limits(halves) => Worth::Limits(Halves(halves.0 * count)),
            Worth::Faan(faan) => Worth::Faan(faan * count),
            Worth::FaanLimit(_) => self,
            Worth::Tai(tai) => Worth::Tai(tai * count),
            Worth::Han(han) => Worth::Han(han * count),
        }
    }

    /// Returns the points; 0 for any other worth.
    #[must_use]
    pub const fn points(self) -> u32 {
        if let Worth::Points(points) = self { points } else { 0 }
    }

    /// Returns the doublings; `None` for any other worth.
    #[must_use]
    pub const fn doublings(self) -> Option<Halves> {
        if let Worth::Doublings(halves) = self { Some(halves) } else { None }
    }

    /// Returns the limits; `None` for any other worth.
    #[must_use]
    pub const fn limits(self) -> Option<Halves> {
        match self {
            Worth::Limits(halves) => Some(halves),
            Worth::FaanLimit(_) => Some(Halves::whole(1)),
            _ => None,
        }
    }

    /// Returns the faan; `None` for any other worth.
    #[must_use]
    pub const fn faan(self) -> Option<u32> {
        if let Worth::Faan(faan) | Worth::FaanLimit(faan) = self { Some(faan) } else { None }
    }

    /// Returns the tai; `None` for any other worth.
    #[must_use]
    pub const fn tai(self) -> Option<u32> {
        if let Worth::Tai(tai) = self { Some(tai) } else { None }
    }

    /// Returns the han; `None` for any other worth.
    #[must_use]
    pub const fn han(self) -> Option<u32> {
        if let Worth::Han(han) = self { Some(han) } else { None }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Worth::Points(points) => write!(out, "{points}"),
            Worth::Doublings(Halves(2)) => out.write_str("×2"),
            Worth::Doublings(halves) => write!(out, "×2^{halves}"),
            Worth::Limits(halves) => write!(out, "{halves} L"),
            Worth::Faan(count) | Worth::Tai(count) => write!(out, "{count}"),
            Worth::FaanLimit(_) => out.write_str("L"),
            Worth::Han(han) => write!(out, "{han} han"),
        }
    }
}

/// A number in halves: 3 halves are 1.5, which JSON writes as 1.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Halves(pub u32);

impl Halves {
    /// Returns a whole number in halves.
    #[must_use]
    pub const fn whole(count: u32) -> Halves {
        Halves(2 * count)
    }
}

impl fmt::Display for Halves {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.0 / 2, if self.0 % 2 == 1 { ".5" } else { "" })
    }
}

impl Serialize for Halves {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % 2 {
            0 => serializer.serialize_u32(self.0 / 2),
            _ => serializer.serialize_f64(f64::from(self.0) / 2.0),
        }
    }
}

impl<'de> Deserialize<'de> for Halves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Halves, D::Error> {
        let doubled = f64::deserialize(deserializer)? * 2.0;
        let in_range = (0.0..=f64::from(u32::MAX)).contains(&doubled) && doubled.fract() == 0.0;
        if in_range {
            Ok(Halves(doubled as u32))
        } else {
            Err(serde::de::Error::custom("expected a number of whole or half ones"))
        }
    }
}

impl Rule {
    /// Returns the name in a language.
    #[must_use]
    pub const fn name(&self, lang: Lang) -> &'static str {
        self.texts[lang as usize].name
    }

    /// Returns the explanation in a language.
    #[must_use]
    pub const fn explanation(&self, lang: Lang) -> &'static str {
        self.texts[lang as usize].explanation
    }

    /// Returns the number in the list of 81 fans, for rules with such numbers.
    #[must_use]
    pub const fn number(&self) -> Option<u8> {
        match self.paragraph {
            Paragraph::Number(number) => Some(number),
            Paragraph::Section(_) => None,
        }
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        (self.code, self.paragraph) == (other.code, other.paragraph)
    }
}

impl Eq for Rule {}

impl fmt::Debug for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({})", self.code, self.paragraph)
    }
}

impl fmt::Display for Paragraph {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Paragraph::Number(number) => write!(out, "{number}"),
            Paragraph::Section(section) => out.write_str(section),
        }
    }
}

#[cfg(test)]
impl Rule {
    /// Returns the numbers of the section, by which tests compare the order of lines.
    pub(in crate::rules) fn section(&self) -> Vec<u32> {
        let section = self.paragraph.to_string();
        section.split('.').map(|part| part.parse().expect("a number")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_written_as_people_do() {
        for (halves, text) in [(0, "0"), (1, "0.5"), (2, "1"), (5, "2.5"), (24, "12")] {
            assert_eq!(Halves(halves).to_string(), text);
            assert_eq!(serde_json::to_string(&Halves(halves)).ok().as_deref(), Some(text));
            assert_eq!(serde_json::from_str::<Halves>(text).ok(), Some(Halves(halves)));
        }
        for wrong in ["0.25", "-1", "\"1\"", "1e99"] {
            assert!(serde_json::from_str::<Halves>(wrong).is_err(), "{wrong}");
        }
    }
}
