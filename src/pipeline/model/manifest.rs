//! `models/manifest.json`: which networks there are, their hashes, and how they want their input.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::ModelError;
use crate::pipeline::crop::CropSpec;
use crate::tile::Face;

/// Where the library and the models are.
#[derive(Debug, Clone)]
pub struct ModelPaths {
    /// The folder with `manifest.json` and the networks.
    pub models: PathBuf,
    /// The ONNX Runtime library or the folder it is in; `None` looks in the usual places.
    pub library: Option<PathBuf>,
}

impl ModelPaths {
    /// The folder named by `TILESIGHT_MODELS`, else `models` here or above the program, and the
    /// library named by `TILESIGHT_ONNXRUNTIME`.
    #[must_use]
    pub fn from_environment() -> ModelPaths {
        let program = std::env::current_exe().ok();
        let above = program.iter().flat_map(|program| program.ancestors().skip(1));
        let models = std::env::var_os(VARIABLE).map_or_else(
            || {
                std::iter::once(Path::new(""))
                    .chain(above)
                    .map(|folder| folder.join("models"))
                    .find(|folder| folder.join(MANIFEST).is_file())
                    .unwrap_or_else(|| PathBuf::from("models"))
            },
            PathBuf::from,
        );
        ModelPaths { models, library: std::env::var_os("TILESIGHT_ONNXRUNTIME").map(PathBuf::from) }
    }
}

const MANIFEST: &str = "manifest.json";

/// The variable that names the folder.
const VARIABLE: &str = "TILESIGHT_MODELS";

/// What to do about a folder whose files are not as they should be: who named it himself is not told
/// to mend another one.
pub(crate) fn advice(folder: &Path) -> &'static str {
    if std::env::var_os(VARIABLE).is_some_and(|named| Path::new(&named) == folder) {
        "TILESIGHT_MODELS names this folder: correct the variable, or unset it to use the models of \
         the program's own folder"
    } else {
        "run `git checkout models`, or name another folder in TILESIGHT_MODELS"
    }
}

/// The manifest's content; fields that only people read are left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The network that finds tiles.
    pub detector: DetectorSpec,
    /// The network that mends their corners; without one they stay as they were found.
    pub refiner: Option<RefinerSpec>,
    /// The network that names them.
    pub classifier: ClassifierSpec,
}

/// The detector's file and settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DetectorSpec {
    /// The file's name in the models folder.
    pub file: String,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
    /// The long sides of the pyramid, largest first.
    pub sizes: Vec<u32>,
    /// For each size the narrowest face that is looked for at it, in its pixels: narrower ones are
    /// seen better at the size above.
    pub min_width: Vec<f32>,
    /// Pixels between cells.
    pub stride: u32,
    /// The least heat of a peak.
    pub threshold: f32,
}

/// The refiner's file and settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RefinerSpec {
    /// The file's name in the models folder.
    pub file: String,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
    /// How it wants a tile with its surroundings.
    #[serde(flatten)]
    pub crop: CropSpec,
}

/// The classifier's file and settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassifierSpec {
    /// The file's name in the models folder.
    pub file: String,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
    /// How it wants a face.
    #[serde(flatten)]
    pub crop: CropSpec,
    /// The classes in the order of the outputs.
    pub classes: Vec<String>,
    /// What logits are divided by, so that a probability means what it says.
    #[serde(default = "one")]
    pub temperature: f32,
    /// Whether the networks know dark ink on light bodies alone, so that dark sets are brought to light for them; so it
    /// is where nothing is said.
    #[serde(default = "yes")]
    pub to_light: bool,
}

fn yes() -> bool {
    true
}

fn one() -> f32 {
    1.0
}

impl Manifest {
    /// Reads and checks `manifest.json` in the models folder.
    ///
    /// # Errors
    /// [`ModelError::NoModel`] without the file, [`ModelError::BadManifest`] when it lacks what
    /// is needed.
    pub fn load(folder: &Path) -> Result<Manifest, ModelError> {
        let text = std::fs::read(folder.join(MANIFEST)).map_err(|_| ModelError::NoModel {
            file: MANIFEST.to_owned(),
            advice: advice(folder),
        })?;
        let bad = |reason| ModelError::BadManifest { reason, advice: advice(folder) };
        let manifest: Manifest =
            serde_json::from_slice(&text).map_err(|error| bad(error.to_string()))?;
        manifest.check().map_err(bad)?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), String> {
        if self.detector.stride != 8 {
            return Err(format!("a stride of {} instead of 8", self.detector.stride));
        }
        if self.detector.sizes.is_empty() || self.detector.sizes.iter().any(|&size| size < 32) {
            return Err("sizes below 32 or none".to_owned());
        }
        if self.detector.min_width.len() != self.detector.sizes.len() {
            return Err("not one min_width for each size".to_owned());
        }
        let crops =
            std::iter::once(&self.classifier.crop).chain(self.refiner.iter().map(|r| &r.crop));
        for crop in crops {
            if crop.input.contains(&0) || crop.margin <= 0.0 {
                return Err("a crop without pixels or with no positive margin".to_owned());
            }
        }
        // A zero or negative temperature would turn the order of the candidates around.
        if self.classifier.temperature <= 0.0 {
            return Err("the temperature must be positive".to_owned());
        }
        let unknown = |name: &&String| *name != NOT_A_FACE && name.parse::<Face>().is_err();
        match self.classifier.classes.iter().find(unknown) {
            Some(name) => Err(format!("the class `{name}`")),
            None => Ok(()),
        }
    }

    /// What the classes mean; `None` is "not a face".
    pub fn faces(&self) -> impl Iterator<Item = Option<Face>> + '_ {
        self.classifier.classes.iter().map(|name| name.parse().ok())
    }

    /// Every network's kind, file and SHA-256, in the order of the stages.
    pub fn networks(&self) -> impl Iterator<Item = (&'static str, &str, &str)> {
        let detector = ("detector", self.detector.file.as_str(), self.detector.sha256.as_str());
        let refiner = self.refiner.iter().map(|r| ("refiner", r.file.as_str(), r.sha256.as_str()));
        let classifier =
            ("classifier", self.classifier.file.as_str(), self.classifier.sha256.as_str());
        std::iter::once(detector).chain(refiner).chain(std::iter::once(classifier))
    }

    /// Reads one network and checks its hash.
    pub(super) fn read_model(
        folder: &Path,
        file: &str,
        sha256: &str,
    ) -> Result<Vec<u8>, ModelError> {
        let missing = || ModelError::NoModel { file: file.to_owned(), advice: advice(folder) };
        // A manifest names files beside it, never a path.
        if Path::new(file).components().count() != 1 {
            return Err(missing());
        }
        let bytes = std::fs::read(folder.join(file)).map_err(|_| missing())?;
        if hex(&Sha256::digest(&bytes)).eq_ignore_ascii_case(sha256) {
            Ok(bytes)
        } else {
            Err(ModelError::WrongModel { file: file.to_owned(), advice: advice(folder) })
        }
    }
}

/// The class that stands for tile sides, blur and other objects.
const NOT_A_FACE: &str = "none";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
