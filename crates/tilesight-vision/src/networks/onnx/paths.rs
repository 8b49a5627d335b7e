//! Location of the library and the models: named by settings, else in the program's own folders, or
//! in the folder of the package that it was installed with.
//! The device that they are for is chosen together with them.
//!
//! Input: settings and the program's path. Output: the folders to search. Invariant: neither the
//! current folder nor arbitrary folders above the program are searched: their files are not the
//! program's, and a library is code.

use std::env;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::networks::DeviceChoice;
use crate::networks::hash::open_regular;

/// Maximum number of folders between the program and `target`: a target's name, a profile, and
/// `deps` or `examples`.
const BELOW_TARGET: usize = 3;

/// Paths of the library and the models, the hashes that they must have, and the device that the
/// networks run on.
#[derive(Debug, Clone, Default)]
pub struct ModelPaths {
    /// Folder with `manifest.json` and the networks; `None` searches the program's own folders.
    pub models: Option<PathBuf>,
    /// SHA-256 of that manifest in hex; `None` accepts only the one that this program was built
    /// with.
    pub models_sha256: Option<String>,
    /// ONNX Runtime library, or the folder with the pinned one; `None` searches the program's own
    /// folders.
    pub library: Option<PathBuf>,
    /// SHA-256 of that library in hex. For a library with GPU support the hashes of the libraries
    /// that it loads follow, separated by commas. `None` accepts only the pinned ones.
    pub library_sha256: Option<String>,
    /// Device that the networks run on; for a GPU the library with CUDA is tried first.
    pub device: DeviceChoice,
}

impl ModelPaths {
    /// Reads the paths and hashes from `TILESIGHT_MODELS`, `TILESIGHT_MODELS_SHA256`,
    /// `TILESIGHT_ONNXRUNTIME` and `TILESIGHT_ONNXRUNTIME_SHA256`, for the processor's cores. An
    /// empty variable counts as unset.
    #[must_use]
    pub fn from_environment() -> ModelPaths {
        ModelPaths {
            models: read_path("TILESIGHT_MODELS"),
            models_sha256: read_hash("TILESIGHT_MODELS_SHA256"),
            library: read_path("TILESIGHT_ONNXRUNTIME"),
            library_sha256: read_hash("TILESIGHT_ONNXRUNTIME_SHA256"),
            device: DeviceChoice::Cpu,
        }
    }

    /// Returns these paths with another device.
    #[must_use]
    pub fn with_device(self, device: DeviceChoice) -> ModelPaths {
        ModelPaths { device, ..self }
    }
}

/// Returns the folders whose library and models belong to the program: the program's folder, and
/// the checkout of this project that it was built in.
pub(super) fn own_folders() -> Vec<PathBuf> {
    let folders = program().map(|program| {
        let beside = program.parent().map(Path::to_owned);
        beside.into_iter().chain(checkout_of(&program)).collect()
    });
    folders.unwrap_or_default()
}

/// Returns the folder of a package with the library and the `models` folder: `PREFIX/lib/tilesight`
/// for the program `PREFIX/bin/tilesight`, wherever PREFIX is; `None` for a program elsewhere.
pub(super) fn installed_folder() -> Option<PathBuf> {
    program().and_then(|program| installed_with(&program))
}

fn installed_with(program: &Path) -> Option<PathBuf> {
    let folder = program.parent().filter(|folder| folder.ends_with("bin"))?;
    folder.parent().map(|prefix| prefix.join("lib").join(PROJECT))
}

/// Returns the path of the program itself: the folder of a link to it does not belong to it.
fn program() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    Some(program.canonicalize().unwrap_or(program))
}

/// Returns the checkout whose `target` folder contains a program; `None` for a program elsewhere,
/// whatever folders are above it.
fn checkout_of(program: &Path) -> Option<PathBuf> {
    let mut above = program.ancestors().skip(2).take(BELOW_TARGET);
    let target = above.find(|folder| folder.file_name().is_some_and(|name| name == "target"))?;
    target.parent().filter(|folder| is_checkout(folder)).map(Path::to_owned)
}

/// Name of the package in the root of a checkout.
const PROJECT: &str = "tilesight";

fn read_path(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn read_hash(variable: &str) -> Option<String> {
    let value = env::var_os(variable).filter(|value| !value.is_empty())?;
    Some(value.to_string_lossy().trim().to_owned())
}

fn is_checkout(folder: &Path) -> bool {
    /// Maximum size of the file in bytes, many times that of this project.
    const MAX_BYTES: u64 = 1 << 20;
    let mut text = String::new();
    let read = open_regular(&folder.join("Cargo.toml"))
        .and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text));
    if read.is_err() {
        return false;
    }
    let cargo: toml::Table = toml::from_str(&text).unwrap_or_default();
    let name = cargo.get("package").and_then(|package| package.get("name")?.as_str());
    name == Some(PROJECT)
}

/// Formats folders for a message.
pub(super) fn join_names(folders: &[PathBuf]) -> String {
    let names: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
    names.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is removed after the test, with a `Cargo.toml` of a package of the given name.
    struct Package(PathBuf);

    impl Package {
        fn new(name: &str) -> Package {
            let folder = format!("tilesight-own-{name}-{}", std::process::id());
            let folder = env::temp_dir().join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            let text = format!("[package]\nname = \"{name}\"\n");
            std::fs::write(folder.join("Cargo.toml"), text).unwrap();
            Package(folder)
        }

        /// Returns the checkout of a program at the given path below the folder.
        fn checkout_of(&self, program: &str) -> Option<PathBuf> {
            checkout_of(&self.0.join(program))
        }
    }

    impl Drop for Package {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_checkout_is_found_by_the_place_in_its_target() {
        let checkout = Package::new(PROJECT);
        for program in [
            "target/release/tilesight",
            "target/debug/deps/photos-0123456789abcdef",
            "target/debug/examples/tensors",
            "target/aarch64-unknown-linux-gnu/release/tilesight",
            "target/aarch64-unknown-linux-gnu/debug/deps/photos",
        ] {
            assert_eq!(checkout.checkout_of(program).as_ref(), Some(&checkout.0), "{program}");
        }
        for program in
            ["tilesight", "release/tilesight", "bin/release/tilesight", "target/a/b/c/d/tilesight"]
        {
            assert_eq!(checkout.checkout_of(program), None, "{program}");
        }
    }

    #[test]
    fn another_package_is_not_our_checkout() {
        let other = Package::new("another");
        assert_eq!(other.checkout_of("target/release/tilesight"), None);
    }

    #[test]
    fn a_package_has_its_files_in_lib() {
        for (program, folder) in [
            ("/usr/bin/tilesight", Some("/usr/lib/tilesight")),
            ("/home/kim/tilesight-1.0/bin/renamed", Some("/home/kim/tilesight-1.0/lib/tilesight")),
            ("/usr/bin/deep/tilesight", None),
            ("/opt/tilesight/tilesight", None),
        ] {
            assert_eq!(installed_with(Path::new(program)).as_deref(), folder.map(Path::new));
        }
    }

    #[test]
    fn the_tests_find_this_checkout() {
        let checkout =
            Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).canonicalize().unwrap();
        assert!(own_folders().contains(&checkout), "the target/ of this checkout is elsewhere");
    }
}
