//! Trust in files: a file may be used if its SHA-256 is compiled in or given by a setting.

use std::path::PathBuf;

use serde::Serialize;

use crate::networks::ModelError;

/// Reason that a file may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// The file's hash is compiled into this program.
    BuiltIn,
    /// A setting gives the file's hash.
    #[serde(rename = "told")]
    Given,
}

/// A file whose hash is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrustedFile {
    /// Path of the file.
    pub path: PathBuf,
    /// SHA-256 of the file in hex.
    pub sha256: String,
    /// Source of that hash.
    pub trust: Trust,
}

/// Hashes that a file may have.
#[derive(Debug, Clone)]
pub(crate) struct KnownHashes<'a> {
    /// Hashes that are compiled in.
    pub built_in: Vec<String>,
    /// Hashes that a setting gives, separated by commas: they replace the compiled-in ones.
    pub given: Option<&'a str>,
    /// Message about a file with another hash.
    pub refusal: Refusal,
}

/// Message about a file that is not used: the reason, and advice.
#[derive(Debug, Clone, Copy)]
pub struct Refusal {
    pub(super) reason: &'static str,
    pub(super) advice: &'static str,
}

impl KnownHashes<'_> {
    /// Returns the file if its hash is trusted.
    pub(crate) fn trust(self, path: PathBuf, sha256: String) -> Result<TrustedFile, ModelError> {
        let built_in = self.built_in.contains(&sha256);
        let is_it = |given: &str| given.trim().eq_ignore_ascii_case(&sha256);
        match self.given {
            Some(given) if !given.split(',').any(is_it) => {}
            _ if built_in => return Ok(TrustedFile { path, sha256, trust: Trust::BuiltIn }),
            Some(_) => return Ok(TrustedFile { path, sha256, trust: Trust::Given }),
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
    fn a_given_hash_replaces_the_compiled_in_one() {
        let refusal = Refusal { reason: "", advice: "" };
        let trust = |given| {
            let known = KnownHashes { built_in: vec!["aa".to_owned()], given, refusal };
            ["aa", "bb"].map(|found| {
                let trusted = known.clone().trust(PathBuf::new(), found.to_owned());
                trusted.ok().map(|file| file.trust)
            })
        };
        assert_eq!(trust(None), [Some(Trust::BuiltIn), None]);
        assert_eq!(trust(Some("AA")), [Some(Trust::BuiltIn), None]);
        assert_eq!(trust(Some("BB")), [None, Some(Trust::Given)]);
        assert_eq!(trust(Some("CC, bb")), [None, Some(Trust::Given)]);
        assert_eq!(trust(Some("")), [None, None]);
    }
}
