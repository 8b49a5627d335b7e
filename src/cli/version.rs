//! Text of `tilesight --version`: what a report about a fault has to name.
//!
//! Input: constants of the build, and `TILESIGHT_COMMIT`, which `make dist` sets to the commit that
//! it packs. Output: the version in the first line, then one line for each part.

use std::env::consts::{ARCH, OS};

use tilesight_vision::networks::Pin;

/// Optional parts of the program, and whether this build has them.
const FEATURES: [(&str, bool); 3] = [
    ("fleet", cfg!(feature = "fleet")),
    ("s3", cfg!(feature = "s3")),
    ("web", cfg!(feature = "web")),
];

/// Returns the version of the program with the commit, the platform, the features and the version
/// of ONNX Runtime that it was built for.
pub(super) fn detailed() -> String {
    let built: Vec<&str> =
        FEATURES.into_iter().filter(|&(_, there)| there).map(|(name, _)| name).collect();
    let features = if built.is_empty() { "none".to_owned() } else { built.join(" ") };
    format!(
        "{}\ncommit        {}\nplatform      {OS}-{ARCH}\nfeatures      {features}\nONNX Runtime  {}",
        env!("CARGO_PKG_VERSION"),
        option_env!("TILESIGHT_COMMIT").unwrap_or("not a release"),
        Pin::VERSION
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_first_and_each_part_has_a_line() {
        let text = detailed();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some(env!("CARGO_PKG_VERSION")));
        for name in ["commit ", "platform ", "features ", "ONNX Runtime "] {
            assert!(lines.next().is_some_and(|line| line.starts_with(name)), "{text}");
        }
        assert_eq!(text.contains("fleet"), cfg!(feature = "fleet"));
    }
}
