//! `tilesight doctor`: checks what is installed and whether it works, and prints the command that
//! fixes a problem.
//!
//! The command searches the same places as the program itself and loads the same library, but not
//! one that is refused. Every part is checked, so that one run reports everything that is missing.
//! Output: a list as text or JSON. It ends with [`Exit::Done`] only when photos can be read.

use std::io::{self, Write};
use std::path::PathBuf;
use std::thread::available_parallelism;

use serde::Serialize;
use tilesight_vision::Reader;
use tilesight_vision::networks::{
    Device, DeviceChoice, Manifest, ModelError, ModelPaths, Runtime, Trust, TrustedFile,
    find_library, warm_up,
};
use tilesight_vision::networks::{Pin, sha256};

use super::serve;
use crate::cli::args::settings::{Setting, SettingsArgs};
use crate::cli::output::{Exit, terminal};
use crate::cli::process::rights;

/// Arguments of `tilesight doctor`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    args: SettingsArgs,
}

/// Results of all checks.
#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    ok: bool,
    problems: Vec<String>,
    onnxruntime: Option<Library>,
    manifest: Option<CheckedFile>,
    models: Vec<ModelFile>,
    /// Device that the networks ran on; `null` if they did not run.
    device: Option<Device>,
    /// Reason why the GPU is not used although the settings allow it.
    no_gpu: Option<String>,
    detector_sizes: Vec<u32>,
    crop: Option<[usize; 2]>,
    cpu: Cpu,
    settings: Vec<Setting>,
    /// Actions of the service at its start, such as creating a folder.
    notes: Vec<String>,
}

/// A file that is used only if its hash is known.
#[derive(Debug, Serialize)]
struct CheckedFile {
    path: PathBuf,
    sha256: String,
    /// Reason why its hash is trusted; `null` if the file is refused.
    trust: Option<Trust>,
}

/// The ONNX Runtime library.
#[derive(Debug, Serialize)]
struct Library {
    #[serde(flatten)]
    file: CheckedFile,
    /// Whether it is the file that `make setup` installs.
    pinned: bool,
    build: Option<String>,
    providers: Vec<String>,
}

/// File of a network.
#[derive(Debug, Serialize)]
struct ModelFile {
    network: &'static str,
    path: PathBuf,
    sha256: Option<String>,
    /// Whether it is the file that the manifest describes.
    matches: bool,
}

/// The processor, with the features that make networks fast.
#[derive(Debug, Serialize)]
struct Cpu {
    architecture: &'static str,
    cores: usize,
    features: Vec<&'static str>,
}

/// Checks everything and prints the result.
///
/// # Errors
/// When standard output fails.
pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    let mut report = Report::new(&args.paths());
    report.check_settings(&args.args);
    let mut out = terminal::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        report.print(&mut out)?;
    }
    Ok(if report.ok { Exit::Done } else { Exit::Unavailable })
}

impl Args {
    /// Returns the paths of library and models for the device in the settings. Settings that can't
    /// be used are reported later.
    fn paths(&self) -> ModelPaths {
        let device = self.args.choices().ok().and_then(|(choices, _)| choices.device);
        ModelPaths::from_environment().with_device(device.unwrap_or_default())
    }
}

impl Report {
    fn new(paths: &ModelPaths) -> Report {
        let mut problems = Vec::new();
        let onnxruntime = library(paths, &mut problems);
        let file = CheckedFile::from_found(&Manifest::find(paths).map(|(file, _)| file));
        let manifest = Manifest::load(paths).map_err(|error| problems.push(error.to_string())).ok();
        let models = manifest
            .as_ref()
            .map_or_else(Vec::new, |manifest| models(paths, manifest, &mut problems));
        // If everything is present, running the networks proves that they work.
        let ran = problems.is_empty().then(|| run_on(paths));
        let device = ran.and_then(|ran| ran.map_err(|error| problems.push(error.to_string())).ok());
        let has_fallen_back = paths.device == DeviceChoice::Auto && device == Some(Device::Cpu);
        let no_gpu =
            has_fallen_back.then(|| run_on(&paths.clone().with_device(DeviceChoice::Cuda)).err());
        Report {
            version: env!("CARGO_PKG_VERSION"),
            ok: problems.is_empty(),
            problems,
            onnxruntime,
            manifest: file,
            models,
            device,
            no_gpu: no_gpu.flatten().map(|error| error.to_string()),
            detector_sizes: manifest
                .as_ref()
                .map_or_else(Vec::new, |manifest| manifest.detector.sizes.clone()),
            crop: manifest.as_ref().map(|manifest| manifest.classifier.crop.input),
            cpu: Cpu::detect(),
            settings: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Reports the settings that the service would use, and whether they work.
    fn check_settings(&mut self, args: &SettingsArgs) {
        match args.choices() {
            Ok((choices, chosen)) => {
                self.settings = chosen;
                let settings =
                    crate::config::Settings::from_choices(&choices).map_err(anyhow::Error::from);
                self.problems.extend(settings.iter().flat_map(rights::problems));
                let checked = settings.and_then(|settings| serve::check(&settings));
                match checked {
                    Ok(notes) => self.notes = notes,
                    Err(error) => self.problems.push(format!("{error:#}")),
                }
            }
            Err(error) => self.problems.push(format!("{error:#}")),
        }
        self.ok = self.problems.is_empty();
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "tilesight        {}", self.version)?;
        match &self.onnxruntime {
            Some(library) => library.print(out)?,
            None => writeln!(out, "ONNX Runtime     not found")?,
        }
        if let Some(manifest) = &self.manifest {
            let origin = match manifest.trust {
                Some(Trust::BuiltIn) => "the manifest of this build",
                Some(Trust::Given) => {
                    "NOT this program's own: its hash is given by TILESIGHT_MODELS_SHA256"
                }
                None => "REFUSED",
            };
            manifest.print(out, "models", origin)?;
        }
        for model in &self.models {
            let state =
                if model.matches { "matches the manifest" } else { "DOES NOT match the manifest" };
            writeln!(out, "{:<16} {}, {state}", model.network, model.path.display())?;
            writeln!(out, "{:<16} sha256 {}", "", model.sha256.as_deref().unwrap_or("unreadable"))?;
        }
        if let Some([height, width]) = self.crop {
            let sizes: Vec<_> = self.detector_sizes.iter().map(ToString::to_string).collect();
            writeln!(
                out,
                "inputs           photos at {} pixels, crops of {width}x{height}",
                sizes.join(", ")
            )?;
        }
        if let Some(device) = self.device {
            writeln!(out, "device           {device}")?;
        }
        if let Some(reason) = &self.no_gpu {
            writeln!(out, "{:<16} {reason}", "")?;
        }
        let Cpu { architecture, cores, features } = &self.cpu;
        writeln!(out, "processor        {architecture}, {cores} cores, {}", features.join(" "))?;
        for one in self.settings.iter().filter(|one| !one.value.is_null()) {
            let text = one.value.as_str().map_or_else(|| one.value.to_string(), str::to_owned);
            writeln!(out, "{:<16} {} = {text} ({})", "setting", one.name, one.source.name())?;
        }
        for note in &self.notes {
            writeln!(out, "note             {note}")?;
        }
        for problem in &self.problems {
            writeln!(out, "PROBLEM          {problem}")?;
        }
        writeln!(
            out,
            "{}",
            if self.ok {
                "Photos can be read."
            } else {
                "Photos can't be read: fix the problems above."
            }
        )
    }
}

impl CheckedFile {
    /// Returns the file that was found; `None` if there is no such file.
    fn from_found(found: &Result<TrustedFile, ModelError>) -> Option<CheckedFile> {
        let (path, sha256, trust) = match found {
            Ok(file) => (&file.path, &file.sha256, Some(file.trust)),
            Err(ModelError::Refused { path, sha256, .. }) => (path, sha256, None),
            Err(_) => return None,
        };
        Some(CheckedFile { path: path.clone(), sha256: sha256.clone(), trust })
    }

    fn print(&self, out: &mut impl Write, what: &str, origin: &str) -> io::Result<()> {
        writeln!(out, "{what:<16} {}, {origin}", self.path.display())?;
        writeln!(out, "{:<16} sha256 {}", "", self.sha256)
    }
}

impl Library {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let origin = match self.file.trust {
            Some(Trust::BuiltIn) => Pin::VERSION,
            Some(Trust::Given) => {
                "NOT the pinned one: its hash is given by TILESIGHT_ONNXRUNTIME_SHA256"
            }
            None => "REFUSED, and not loaded",
        };
        self.file.print(out, "ONNX Runtime", origin)?;
        let Some(build) = &self.build else { return Ok(()) };
        writeln!(out, "{:<16} {build}", "")?;
        writeln!(out, "providers        {}", self.providers.join(", "))
    }
}

/// Runs the networks and returns the device they ran on.
fn run_on(paths: &ModelPaths) -> Result<Device, ModelError> {
    let reader = Reader::load(paths)?;
    warm_up(reader.model())?;
    Ok(reader.model().device())
}

/// Returns the library, if there is one; faults are appended to `problems`.
fn library(paths: &ModelPaths, problems: &mut Vec<String>) -> Option<Library> {
    let found = find_library(paths);
    let file = CheckedFile::from_found(&found);
    let runtime = found
        .and_then(|library| Runtime::inspect(&library))
        .map_err(|error| problems.push(error.to_string()))
        .ok();
    let (build, providers) =
        runtime.map_or((None, Vec::new()), |runtime| (Some(runtime.build), runtime.providers));
    let file = file?;
    let pinned = file.trust == Some(Trust::BuiltIn);
    Some(Library { file, pinned, build, providers })
}

fn models(paths: &ModelPaths, manifest: &Manifest, problems: &mut Vec<String>) -> Vec<ModelFile> {
    // The manifest was read from this folder.
    let folder = paths.models_folder().unwrap_or_default();
    let models = manifest.networks().map(|(network, file, expected)| {
        let path = folder.join(file);
        let sha256 = sha256(&path).ok();
        let matches = sha256.as_ref().is_some_and(|hash| hash.eq_ignore_ascii_case(expected));
        if !matches {
            let state = if sha256.is_some() {
                "is not the file that the manifest describes"
            } else {
                "is missing"
            };
            problems.push(format!("{} {state}: {}", path.display(), paths.advice()));
        }
        ModelFile { network, path, sha256, matches }
    });
    models.collect()
}

impl Cpu {
    fn detect() -> Cpu {
        Cpu {
            architecture: std::env::consts::ARCH,
            cores: available_parallelism().map_or(1, usize::from),
            features: features(),
        }
    }
}

/// Returns the processor's vector extensions by which ONNX Runtime chooses its kernels.
fn features() -> Vec<&'static str> {
    macro_rules! detected {
        ($check:ident: $($name:tt)*) => {
            [$(($name, std::arch::$check!($name))),*]
        };
    }
    #[cfg(target_arch = "x86_64")]
    let known = detected!(is_x86_feature_detected: "sse4.2" "avx" "f16c" "fma" "avx2" "avx512f" "avx512vnni");
    #[cfg(target_arch = "aarch64")]
    let known = detected!(is_aarch64_feature_detected: "neon" "dotprod" "fp16" "i8mm" "sve");
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let known: [(&str, bool); 0] = [];
    known.into_iter().filter(|&(_, there)| there).map(|(name, _)| name).collect()
}
