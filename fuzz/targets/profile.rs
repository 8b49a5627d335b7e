//! Rule profiles as TOML: a parsed profile has rules, and an error names its line.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilesight_core::explain::Lang;
use tilesight_core::rules::Profile;

fuzz_target!(|text: &str| {
    match Profile::parse(text) {
        Ok(profile) => {
            assert!(!profile.id().as_str().is_empty());
            for lang in Lang::ALL {
                let _ = (profile.title(lang), profile.summary(lang));
            }
        }
        Err(error) => {
            let lines = text.lines().count().max(1);
            // The parser also counts the empty line after the last one.
            assert!(error.line.is_none_or(|line| (1..=lines + 1).contains(&line)), "{error:?}");
            assert!(!error.reason.is_empty());
        }
    }
});
