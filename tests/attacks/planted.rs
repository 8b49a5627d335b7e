//! Planted libraries and models: files that an attacker puts where a program might look for them.
//! None is loaded.
//!
//! The program is installed into a folder of its own, its library and models beside it, and started
//! in other folders. A planted library is a trap: it creates a file as soon as it is loaded, before
//! any of its functions is called. Traps are compiled with `cc`, which building the program needs
//! too.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tilesight_vision::ModelPaths;
use tilesight_vision::networks::find_library;
use tilesight_vision::networks::{Pin, sha256};

use crate::service::{Folder, folder};

const VARIABLES: [&str; 5] = [
    "TILESIGHT_MODELS",
    "TILESIGHT_MODELS_SHA256",
    "TILESIGHT_ONNXRUNTIME",
    "TILESIGHT_ONNXRUNTIME_SHA256",
    "TILESIGHT_DEVICE",
];
/// File name that claims a version newer than any.
const NEWEST: &str =
    if cfg!(target_os = "macos") { "libonnxruntime.9.dylib" } else { "libonnxruntime.so.9" };

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn demo() -> String {
    root().join("datasets/samples/demo.jpg").display().to_string()
}

fn pinned_name() -> String {
    Pin::for_this_platform().expect("a library is pinned for this platform").library.file
}

/// Links a file, or copies it if the other place is on another disk.
fn put(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().expect("a file in a folder")).expect("a folder");
    if fs::hard_link(from, to).is_err() {
        fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    }
}

/// The program in a folder of its own, `app`, and another folder to run in, `here`.
struct Installation(Folder);

impl Installation {
    /// Installs only the program.
    fn bare(name: &str) -> Installation {
        let installed = Installation(folder(&format!("planted-{name}")));
        fs::create_dir(installed.here()).expect("a folder");
        put(Path::new(env!("CARGO_BIN_EXE_tilesight")), &installed.program());
        installed
    }

    /// Installs the program with its library and its models.
    fn whole(name: &str) -> Installation {
        let installed = Installation::bare(name);
        put(&real_library(), &installed.library());
        installed.put_models(&installed.models());
        installed
    }

    fn app(&self) -> PathBuf {
        self.0.join("app")
    }

    fn here(&self) -> PathBuf {
        self.0.join("here")
    }

    fn program(&self) -> PathBuf {
        self.app().join("tilesight")
    }

    fn library(&self) -> PathBuf {
        self.app().join(".onnxruntime").join(pinned_name())
    }

    fn models(&self) -> PathBuf {
        self.app().join("models")
    }

    fn put_models(&self, to: &Path) {
        for entry in fs::read_dir(root().join("models")).expect("the models") {
            let entry = entry.expect("an entry");
            put(&entry.path(), &to.join(entry.file_name()));
        }
    }

    fn marker(&self) -> PathBuf {
        self.0.join("a-planted-library-ran")
    }

    /// Plants a trap.
    fn trap(&self, file: &Path) {
        fs::create_dir_all(file.parent().expect("a file in a folder")).expect("a folder");
        let source = self.0.join("trap.c");
        let marker = self.marker();
        let text = format!(
            "#include <stdio.h>\n\
             __attribute__((constructor)) static void spring(void) {{\n\
             \x20   FILE *file = fopen({marker:?}, \"w\");\n\
             \x20   if (file) fclose(file);\n\
             }}\n"
        );
        fs::write(&source, text).expect("a file");
        let mut compile = Command::new("cc");
        compile.args(["-shared", "-fPIC", "-o"]).arg(file).arg(&source);
        let made = compile.output().expect("`cc` is there: SQLite was compiled with it");
        assert!(made.status.success(), "{made:?}");
    }

    /// Runs the program in `app` with the current directory `here`.
    fn run(&self, args: &[&str], variables: &[(&str, &Path)]) -> Output {
        self.run_as(&self.program(), args, variables)
    }

    fn run_as(&self, program: &Path, args: &[&str], variables: &[(&str, &Path)]) -> Output {
        let mut command = Command::new(program);
        command.current_dir(self.here()).args(args);
        for variable in VARIABLES {
            command.env_remove(variable);
        }
        command.envs(variables.iter().copied()).output().expect("the program starts")
    }

    /// Returns the tiles that the program reads in the sample photo.
    fn reads(&self, variables: &[(&str, &Path)]) -> Value {
        let output = self.run(&["read", &demo(), "--json"], variables);
        assert!(output.status.success(), "{output:?}");
        let reading: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        reading.pointer("/reading/hand").or(reading.pointer("/hand")).expect("a hand").clone()
    }

    /// Asserts that the program refuses to read, for a reason with these words, and ran nothing
    /// that was planted. The doctor agrees.
    fn refuses(&self, variables: &[(&str, &Path)], words: &[&str]) {
        let read = self.run(&["read", &demo()], variables);
        let doctor = self.run(&["doctor"], variables);
        assert!(!self.marker().exists(), "a planted library ran");
        let said = String::from_utf8_lossy(&read.stderr);
        assert_eq!(read.status.code(), Some(3), "{said}");
        let advice = String::from_utf8_lossy(&doctor.stdout);
        assert_eq!(doctor.status.code(), Some(3), "{advice}");
        for word in words {
            assert!(said.contains(word), "{word:?} is not in {said}");
            assert!(advice.contains(word), "{word:?} is not in {advice}");
        }
    }

    fn doctor(&self, variables: &[(&str, &Path)]) -> Value {
        let output = self.run(&["doctor", "--json"], variables);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    }
}

/// Returns the library that this checkout uses.
fn real_library() -> PathBuf {
    let found = find_library(&ModelPaths::from_environment());
    found.unwrap_or_else(|error| panic!("{error}")).path
}

/// Replaces the models by foreign ones: a network has other bytes, and the manifest has their hash.
fn change_models(models: &Path) {
    let (network, manifest) = (models.join("refiner.onnx"), models.join("manifest.json"));
    let before = sha256(&network).expect("the network");
    let mut bytes = fs::read(&network).expect("the network");
    // A protobuf field without effect: the documentation `x`.
    bytes.extend([0x32, 1, b'x']);
    let text = fs::read_to_string(&manifest).expect("the manifest");
    for file in [&network, &manifest] {
        // The file may be a link to the real one.
        fs::remove_file(file).expect("a file");
    }
    fs::write(&network, bytes).expect("a file");
    let after = sha256(&network).expect("the network");
    assert!(text.contains(&before), "{text}");
    fs::write(&manifest, text.replace(&before, &after)).expect("a file");
}

fn hash(file: &Path) -> PathBuf {
    PathBuf::from(sha256(file).expect("a file"))
}

#[test]
fn a_library_in_the_current_folder_is_ignored() {
    let installed = Installation::whole("here");
    for name in [NEWEST, &pinned_name()] {
        installed.trap(&installed.here().join(".onnxruntime").join(name));
        // A bare name would make the loader search other folders; this folder is not one of them.
        installed.trap(&installed.here().join(name));
    }
    installed.reads(&[]);
    installed.reads(&[("TILESIGHT_ONNXRUNTIME", Path::new(""))]);
    let report = installed.doctor(&[]);
    assert_eq!(report["problems"], serde_json::json!([]));
    let library = installed.library().canonicalize().expect("a file");
    assert_eq!(report["onnxruntime"]["path"], library.display().to_string());
    assert_eq!(report["onnxruntime"]["trust"], "built_in");
    assert!(!installed.marker().exists(), "a planted library ran");
}

#[test]
fn models_in_the_current_folder_are_ignored() {
    let installed = Installation::whole("models-here");
    let before = installed.reads(&[]);
    let planted = installed.here().join("models");
    installed.put_models(&planted);
    // The characters and dots are swapped, and the correct networks are beside the manifest.
    let manifest = planted.join("manifest.json");
    let text = fs::read_to_string(&manifest).expect("the manifest");
    let renamed = |text: String, from: char, to: char| {
        (1..=9)
            .fold(text, |text, n| text.replace(&format!("\"{n}{from}\""), &format!("\"{n}{to}\"")))
    };
    let swapped = renamed(renamed(renamed(text.clone(), 'm', 'x'), 'p', 'm'), 'x', 'p');
    assert_ne!(text, swapped);
    fs::remove_file(&manifest).expect("a link");
    fs::write(&manifest, swapped).expect("a file");
    assert_eq!(installed.reads(&[]), before);
    assert_eq!(installed.reads(&[("TILESIGHT_MODELS", Path::new(""))]), before);
}

#[test]
fn folders_above_the_program_are_ignored() {
    let installed = Installation::bare("above");
    let root = &*installed.0;
    let places = ["bin/deep/tilesight", "target/release/tilesight", "target/debug/deps/tilesight"];
    for place in places {
        put(&installed.program(), &root.join(place));
    }
    for folder in ["", "bin", "target", "target/debug"] {
        for name in [NEWEST, &pinned_name()] {
            installed.trap(&root.join(folder).join(".onnxruntime").join(name));
        }
        installed.put_models(&root.join(folder).join("models"));
    }
    for place in places {
        let program = root.join(place);
        let models = root.join("models");
        for variables in [&[][..], &[("TILESIGHT_MODELS", models.as_path())]] {
            let output = installed.run_as(&program, &["read", &demo()], variables);
            assert!(!installed.marker().exists(), "a planted library ran");
            assert_eq!(output.status.code(), Some(3), "{place}: {output:?}");
            let said = String::from_utf8_lossy(&output.stderr);
            let beside = program.parent().expect("a folder").canonicalize().expect("it is there");
            assert!(said.contains(&beside.display().to_string()), "{said}");
            assert!(
                said.contains(if variables.is_empty() { "manifest" } else { "ONNX" }),
                "{said}"
            );
        }
    }
    // Even in a checkout the library must be the pinned one.
    fs::write(root.join("Cargo.toml"), "[package]\nname = \"tilesight\"\n").expect("a file");
    let output = installed.run_as(&root.join(places[1]), &["read", &demo()], &[]);
    assert!(!installed.marker().exists(), "a planted library ran");
    assert!(String::from_utf8_lossy(&output.stderr).contains("is refused"), "{output:?}");
}

#[test]
fn a_package_works_from_any_folder_and_rejects_a_foreign_library() {
    let installed = Installation::bare("package");
    let prefix = installed.0.join("prefix");
    let (program, lib) = (prefix.join("bin/tilesight"), prefix.join("lib/tilesight"));
    put(&installed.program(), &program);
    installed.put_models(&lib.join("models"));
    let missing = installed.run_as(&program, &["read", &demo()], &[]);
    assert_eq!(missing.status.code(), Some(3), "{missing:?}");
    let said = String::from_utf8_lossy(&missing.stderr);
    let folder = lib.canonicalize().expect("a folder").display().to_string();
    assert!(said.contains(&folder) && said.contains("install the package again"), "{said}");
    let library = lib.join(pinned_name());
    put(&real_library(), &library);
    let output = installed.run_as(&program, &["read", &demo(), "--json"], &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    fs::remove_file(&library).expect("a link");
    installed.trap(&library);
    let output = installed.run_as(&program, &["read", &demo()], &[]);
    assert!(!installed.marker().exists(), "a planted library ran");
    assert!(String::from_utf8_lossy(&output.stderr).contains("is refused"), "{output:?}");
}

#[test]
fn a_foreign_library_beside_the_program_is_rejected() {
    let installed = Installation::whole("beside");
    fs::remove_file(installed.library()).expect("a link");
    installed.trap(&installed.library());
    installed.refuses(&[], &["is refused", "make setup"]);
    let report = installed.doctor(&[]);
    assert_eq!(report["onnxruntime"]["trust"], Value::Null);
    assert_eq!(report["onnxruntime"]["pinned"], false);
    // A name that counts as newer makes no difference.
    let newest = installed.library().with_file_name(NEWEST);
    fs::rename(installed.library(), newest).expect("a file");
    installed.refuses(&[], &["not installed", "make setup"]);
}

/// If a GPU may be used, another library is looked for first, and refused like any other. Only one
/// platform has a pinned one, by whose name it is found.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn a_foreign_library_for_a_gpu_is_rejected() {
    let installed = Installation::whole("gpu");
    installed.trap(&installed.app().join(".onnxruntime-cuda").join(pinned_name()));
    for device in ["auto", "cuda"] {
        let device = ("TILESIGHT_DEVICE", Path::new(device));
        installed.refuses(&[device], &["is refused", ".onnxruntime-cuda"]);
    }
    installed.reads(&[]);
    assert!(!installed.marker().exists(), "a planted library ran");
}

#[test]
fn a_custom_library_needs_its_hash() {
    let installed = Installation::whole("told");
    let trap = installed.0.join("own").join(NEWEST);
    installed.trap(&trap);
    let named = ("TILESIGHT_ONNXRUNTIME", trap.as_path());
    installed.refuses(&[named], &["is refused", "TILESIGHT_ONNXRUNTIME_SHA256"]);
    let right = ("TILESIGHT_ONNXRUNTIME_SHA256", &*hash(&trap));
    let wrong = ("TILESIGHT_ONNXRUNTIME_SHA256", &*hash(&real_library()));
    installed.refuses(&[named, wrong], &["is refused", "names another hash"]);
    installed.refuses(&[right], &["is refused", "names another hash"]);
    // With the trap's own hash it is loaded, which proves that these tests would detect it.
    installed.run(&["doctor"], &[named, right]);
    assert!(installed.marker().exists(), "the trap does not work");
}

#[test]
fn a_custom_build_works_and_is_reported() {
    let installed = Installation::whole("own");
    let own = installed.0.join("own").join("onnxruntime-of-mine");
    fs::create_dir(installed.0.join("own")).expect("a folder");
    let mut bytes = fs::read(real_library()).expect("the library");
    // After the end of the loaded part.
    bytes.push(0);
    fs::write(&own, bytes).expect("a file");
    let variables =
        [("TILESIGHT_ONNXRUNTIME", own.as_path()), ("TILESIGHT_ONNXRUNTIME_SHA256", &*hash(&own))];
    assert_eq!(installed.reads(&variables), installed.reads(&[]));
    let report = installed.doctor(&variables);
    assert_eq!(report["problems"], serde_json::json!([]));
    assert_eq!(report["onnxruntime"]["trust"], "given");
    let text = installed.run(&["doctor"], &variables);
    let text = String::from_utf8_lossy(&text.stdout);
    assert!(text.contains("NOT the pinned one") && text.contains("Photos can be read."), "{text}");
    // A folder is enough if it contains the pinned library; no other file in it is used.
    let folder = installed.library();
    let folder = folder.parent().expect("a folder");
    installed.reads(&[("TILESIGHT_ONNXRUNTIME", folder)]);
    let without = own.parent().expect("a folder");
    installed.refuses(&[("TILESIGHT_ONNXRUNTIME", without)], &["not installed"]);
}

#[test]
fn a_library_that_others_can_write_is_rejected() {
    let installed = Installation::whole("exposed");
    let own = installed.0.join("own").join(pinned_name());
    fs::create_dir(installed.0.join("own")).expect("a folder");
    fs::copy(real_library(), &own).expect("a copy");
    let variables = [("TILESIGHT_ONNXRUNTIME", own.as_path())];
    installed.reads(&variables);
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    let folder = own.parent().expect("a folder");
    mode(folder, 0o777);
    installed.refuses(&variables, &["every user of this machine may write", "chmod o-w"]);
    // A folder in which users can't replace each other's files.
    mode(folder, 0o1777);
    installed.reads(&variables);
    mode(&own, 0o666);
    installed.refuses(&variables, &["every user of this machine may write", "chmod o-w"]);
}

#[test]
fn a_changed_manifest_and_network_are_rejected() {
    let installed = Installation::whole("models");
    let own = installed.0.join("models-of-mine");
    installed.put_models(&own);
    change_models(&own);
    let named = ("TILESIGHT_MODELS", own.as_path());
    installed.refuses(&[named], &["manifest.json is refused", "TILESIGHT_MODELS_SHA256"]);
    let right = ("TILESIGHT_MODELS_SHA256", &*hash(&own.join("manifest.json")));
    let wrong = ("TILESIGHT_MODELS_SHA256", &*hash(&installed.models().join("manifest.json")));
    installed.refuses(&[named, wrong], &["is refused", "names another hash"]);
    installed.refuses(&[right], &["is refused", "names another hash"]);
    assert_eq!(installed.reads(&[named, right]), installed.reads(&[]));
    let report = installed.doctor(&[named, right]);
    assert_eq!(report["problems"], serde_json::json!([]));
    assert_eq!(report["manifest"]["trust"], "given");
    let text = installed.run(&["doctor"], &[named, right]);
    assert!(String::from_utf8_lossy(&text.stdout).contains("NOT this program's own"), "{text:?}");
    // Also beside the program.
    change_models(&installed.models());
    installed.refuses(&[], &["manifest.json is refused", "git checkout models"]);
}

#[test]
fn a_changed_network_is_rejected() {
    let installed = Installation::whole("network");
    let network = installed.models().join("detector.onnx");
    let bytes = fs::read(&network).expect("the network");
    fs::remove_file(&network).expect("a link");
    fs::write(&network, [&bytes[..], &[0x32, 1, b'x']].concat()).expect("a file");
    installed.refuses(&[], &["detector.onnx", "not the file that the manifest"]);
}
