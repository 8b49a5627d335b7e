//! Which files may be used: those whose SHA-256 is compiled in or told.

use std::path::PathBuf;

use serde::Serialize;

use super::ModelError;

/// Why a file may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// Its hash is compiled into this program.
    BuiltIn,
    /// Its hash was told by a setting.
    Told,
}

/// A file whose hash is a known one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trusted {
    /// Where it is.
    pub path: PathBuf,
    /// Its SHA-256 in hex.
    pub sha256: String,
    /// Who knows that hash.
    pub trust: Trust,
}

/// The hashes that a file may have.
#[derive(Debug, Clone)]
pub(super) struct Known<'a> {
    /// The one that is compiled in, where there is one.
    pub(super) built_in: Option<String>,
    /// The one that was told: it takes the place of the other.
    pub(super) told: Option<&'a str>,
    /// What is said of a file that has another.
    pub(super) refusal: Refusal,
}

/// What is said of a file that is not used: why, and what to do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Refusal {
    pub(super) reason: &'static str,
    pub(super) advice: &'static str,
}

impl Known<'_> {
    /// The file, when it has a hash that is known.
    pub(super) fn trust(self, path: PathBuf, sha256: String) -> Result<Trusted, ModelError> {
        let built_in = self.built_in.is_some_and(|known| known == sha256);
        match self.told {
            Some(told) if !told.eq_ignore_ascii_case(&sha256) => {}
            _ if built_in => return Ok(Trusted { path, sha256, trust: Trust::BuiltIn }),
            Some(_) => return Ok(Trusted { path, sha256, trust: Trust::Told }),
            None => {}
        }
        let Refusal { reason, advice } = self.refusal;
        Err(ModelError::Refused { path, sha256, reason, advice })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_told_hash_takes_the_place_of_the_compiled_in_one() {
        let refusal = Refusal { reason: "", advice: "" };
        let trust = |told| {
            let known = Known { built_in: Some("aa".to_owned()), told, refusal };
            ["aa", "bb"].map(|found| {
                let trusted = known.clone().trust(PathBuf::new(), found.to_owned());
                trusted.ok().map(|file| file.trust)
            })
        };
        assert_eq!(trust(None), [Some(Trust::BuiltIn), None]);
        assert_eq!(trust(Some("AA")), [Some(Trust::BuiltIn), None]);
        assert_eq!(trust(Some("BB")), [None, Some(Trust::Told)]);
        assert_eq!(trust(Some("")), [None, None]);
    }
}
