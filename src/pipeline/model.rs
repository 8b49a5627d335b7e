//! The networks behind one trait, and the only place that names ONNX Runtime.
//!
//! Input: planes of pixels as the contract in `models/MODEL_CARD.md` describes them. Output: the
//! networks' raw planes, decoded by `detect`, `refine` and `classify`. [`Onnx`] runs the real networks;
//! [`fake::Painted`] stands in for them in tests. Invariant: a [`Model`] is `Sync`; sessions are
//! pooled because a session runs one picture at a time.

pub mod fake;
mod library;
mod manifest;
mod paths;
mod runtime;
mod trust;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, PoisonError};

use image::RgbImage;
use ort::environment::Environment;
use ort::session::Session;
use ort::value::TensorRef;

pub use library::find_library;
pub use manifest::{ClassifierSpec, DetectorSpec, Manifest, RefinerSpec};
pub use paths::ModelPaths;
pub use runtime::{Runtime, warm_up};
pub use trust::{Trust, Trusted};

/// Why the models cannot be used. Whoever runs the program can mend these.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No ONNX Runtime library was found.
    #[error(
        "ONNX Runtime is not installed (looked in {looked}): run `make setup`, or name the library in \
         TILESIGHT_ONNXRUNTIME where the program does not lie in the target/ of its checkout"
    )]
    NoLibrary {
        /// The places that were tried.
        looked: String,
    },
    /// A library or a manifest that is neither the one that this program was built for nor the one
    /// that was told. Nothing of it was used.
    #[error("{} is refused (SHA-256 {sha256}): {reason}; {advice}", .path.display())]
    Refused {
        /// Where it is.
        path: PathBuf,
        /// The SHA-256 that it has.
        sha256: String,
        /// Which one it should be.
        reason: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// The library could be another one between being looked at and being loaded.
    #[error(
        "everybody on this machine may write to {0}, and so decide what ONNX Runtime does here: run \
         `chmod o-w {0}`",
        .path.display()
    )]
    Exposed {
        /// The file, or a folder that it lies in.
        path: PathBuf,
    },
    /// The library is there but cannot be used.
    #[error("ONNX Runtime cannot be loaded ({reason}): run `make setup`")]
    WrongLibrary {
        /// What the loader said.
        reason: String,
    },
    /// A model file is missing or unreadable.
    #[error("{file} is missing or unreadable: {advice}")]
    NoModel {
        /// Its name, or where it was looked for.
        file: String,
        /// What to do.
        advice: &'static str,
    },
    /// A file does not have the hash that the manifest gives.
    #[error("{file} is not the file that the manifest of the models describes: {advice}")]
    WrongModel {
        /// Its name.
        file: String,
        /// What to do.
        advice: &'static str,
    },
    /// The manifest does not say what is needed.
    #[error("the manifest of the models is not understood ({reason}): {advice}")]
    BadManifest {
        /// What is wrong with it.
        reason: String,
        /// What to do.
        advice: &'static str,
    },
    /// A network failed to run, or answered in another shape than the contract's.
    #[error("the {network} failed: {reason}")]
    Failed {
        /// `detector`, `refiner` or `classifier`.
        network: &'static str,
        /// What the runtime said.
        reason: String,
    },
}

/// Planes of numbers: `count` pictures of `channels` planes of `height` rows of `width`.
#[derive(Debug, Clone, PartialEq)]
pub struct Planes {
    /// Pictures.
    pub count: usize,
    /// Planes of one picture.
    pub channels: usize,
    /// Rows of a plane.
    pub height: usize,
    /// Numbers of a row.
    pub width: usize,
    /// All numbers, row by row, plane by plane, picture by picture.
    pub data: Vec<f32>,
}

/// Each value of a byte as a number of 0 to 1.
const SHARES: [f32; 256] = {
    let mut shares = [0.0; 256];
    let mut value = 0;
    while value < shares.len() {
        shares[value] = value as f32 / 255.0;
        value += 1;
    }
    shares
};

impl Planes {
    /// Planes filled with one number.
    #[must_use]
    pub fn filled(
        count: usize,
        channels: usize,
        height: usize,
        width: usize,
        value: f32,
    ) -> Planes {
        let data = vec![value; count * channels * height * width];
        Planes { count, channels, height, width, data }
    }

    /// Writes a picture as numbers of 0 to 1 into the upper left of the picture `n`.
    pub fn put(&mut self, n: usize, image: &RgbImage) {
        let columns = image.width() as usize;
        if columns == 0 {
            return;
        }
        for (y, row) in image.as_raw().chunks_exact(3 * columns).enumerate() {
            for channel in 0..3 {
                let start = ((n * self.channels + channel) * self.height + y) * self.width;
                let line = &mut self.data[start..start + columns];
                for (number, pixel) in line.iter_mut().zip(row.chunks_exact(3)) {
                    *number = SHARES[usize::from(pixel[channel])];
                }
            }
        }
    }

    /// One number of the picture `n`.
    #[must_use]
    pub fn at(&self, n: usize, channel: usize, y: usize, x: usize) -> f32 {
        self.data[((n * self.channels + channel) * self.height + y) * self.width + x]
    }

    /// The same number, to be written.
    pub fn at_mut(&mut self, n: usize, channel: usize, y: usize, x: usize) -> &mut f32 {
        &mut self.data[((n * self.channels + channel) * self.height + y) * self.width + x]
    }
}

/// What the detector says of one picture, on a grid of cells eight pixels apart.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectorMaps {
    /// One plane: the probability that a tile's face has its centre here.
    pub heat: Planes,
    /// Sixteen planes: two orderings of four corners, in cells from the cell's centre.
    pub quad: Planes,
    /// One plane: the cosine of four times the angle of the quad's edges.
    pub axis: Planes,
    /// One plane: the probability that the tile is face up.
    pub face: Planes,
}

/// What the classifier says of a batch of crops.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassifierRows {
    /// For every crop a logit for each class of the manifest.
    pub classes: Vec<Vec<f32>>,
    /// For every crop a logit for each quarter turn, clockwise.
    pub turns: Vec<[f32; 4]>,
    /// For every crop the logit that it is a red five.
    pub red: Vec<f32>,
}

/// Corners that the refiner found, x and y by turns, in the frame of the quad that it was shown: that
/// quad's own corners are (0, 0), (1, 0), (1, 1), (0, 1).
pub type Corners = [f32; 8];

/// A detector, perhaps a refiner, and a classifier.
pub trait Model: Send + Sync + fmt::Debug {
    /// What the networks are and how they want their input.
    fn manifest(&self) -> &Manifest;

    /// Finds tiles in one picture of three planes whose sides are multiples of 32.
    ///
    /// # Errors
    /// [`ModelError::Failed`] when the network does not run.
    fn detect(&self, image: &Planes) -> Result<DetectorMaps, ModelError>;

    /// Finds the corners of the tiles in the middle of a batch of crops.
    ///
    /// # Errors
    /// [`ModelError::Failed`] when the network does not run, or the manifest names none.
    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError>;

    /// Names the faces of a batch of crops.
    ///
    /// # Errors
    /// [`ModelError::Failed`] when the network does not run.
    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError>;
}

/// The networks as ONNX files, run by ONNX Runtime on one thread a session.
#[derive(Debug)]
pub struct Onnx {
    manifest: Manifest,
    detectors: Pool,
    refiners: Option<Pool>,
    classifiers: Pool,
}

impl Onnx {
    /// Loads the library and the models, checks hashes, and opens one session a core.
    ///
    /// # Errors
    /// [`ModelError`]: each message says in one line what to run.
    pub fn load(paths: &ModelPaths) -> Result<Onnx, ModelError> {
        // One thread a session and one session a core beats two threads a session on a loaded
        // machine; more than four would cost memory that a small server does not have.
        let cores = std::thread::available_parallelism().map_or(1, usize::from).min(4);
        Onnx::load_sessions(paths, cores)
    }

    /// The same with so many sessions of each network: for so many photos at once.
    ///
    /// # Errors
    /// As [`Onnx::load`].
    pub fn load_sessions(paths: &ModelPaths, sessions: usize) -> Result<Onnx, ModelError> {
        let manifest = Manifest::load(paths)?;
        let files = manifest
            .networks()
            .map(|(network, file, sha256)| {
                Ok((network, Manifest::read_model(paths, file, sha256)?))
            })
            .collect::<Result<Vec<_>, ModelError>>()?;
        let environment = open_library(&find_library(paths)?)?;
        let open = |wanted: &'static str| {
            let file = files.iter().find(|(network, _)| *network == wanted);
            file.map(|(network, bytes)| Pool::open(network, &environment, bytes, sessions))
                .transpose()
        };
        let missing = |network| failed(network, "the manifest names none");
        Ok(Onnx {
            detectors: open("detector")?.ok_or_else(|| missing("detector"))?,
            refiners: open("refiner")?,
            classifiers: open("classifier")?.ok_or_else(|| missing("classifier"))?,
            manifest,
        })
    }
}

/// Loads the shared library, once for the whole process: ONNX Runtime allows one environment, so
/// whoever asks again gets the first one, whatever library they name.
fn open_library(library: &Trusted) -> Result<Environment, ModelError> {
    static LOADED: Mutex<Option<Environment>> = Mutex::new(None);
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = loaded.as_ref() {
        return Ok(environment.clone());
    }
    let wrong = |error: &dyn fmt::Display| ModelError::WrongLibrary { reason: error.to_string() };
    let environment = ort::init_from(&library.path)
        .map_err(|error| wrong(&error))?
        .with_telemetry(false)
        .build()
        .map_err(|error| wrong(&error))?;
    Ok(loaded.insert(environment).clone())
}

impl Model for Onnx {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn detect(&self, image: &Planes) -> Result<DetectorMaps, ModelError> {
        let [heat, quad, axis, face] =
            self.detectors.run("image", image, ["heat", "quad", "axis", "face"])?;
        let maps = DetectorMaps {
            heat: heat.planes("detector", 1)?,
            quad: quad.planes("detector", 16)?,
            axis: axis.planes("detector", 1)?,
            face: face.planes("detector", 1)?,
        };
        let sizes = [&maps.quad, &maps.axis, &maps.face].map(|map| (map.height, map.width));
        if sizes.iter().any(|&size| size != (maps.heat.height, maps.heat.width)) {
            return Err(failed("detector", "its maps differ in size"));
        }
        Ok(maps)
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        let pool = self.refiners.as_ref();
        let pool = pool.ok_or_else(|| failed("refiner", "the manifest names none"))?;
        let [corners] = pool.run("crops", crops, ["corners"])?;
        let rows = corners.rows("refiner", crops.count, 8)?;
        Ok(rows.iter().map(|row| std::array::from_fn(|i| row[i])).collect())
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        let [classes, turn, red] =
            self.classifiers.run("crops", crops, ["classes", "turn", "red"])?;
        let names = self.manifest.classifier.classes.len();
        let turns = turn.rows("classifier", crops.count, 4)?;
        Ok(ClassifierRows {
            classes: classes.rows("classifier", crops.count, names)?,
            turns: turns.iter().map(|row| [row[0], row[1], row[2], row[3]]).collect(),
            red: red.rows("classifier", crops.count, 1)?.into_iter().flatten().collect(),
        })
    }
}

fn failed(network: &'static str, reason: impl fmt::Display) -> ModelError {
    ModelError::Failed { network, reason: reason.to_string() }
}

/// An output as it comes out of the runtime.
struct Output {
    shape: Vec<usize>,
    data: Vec<f32>,
}

impl Output {
    /// The output as the planes of one picture.
    fn planes(self, network: &'static str, channels: usize) -> Result<Planes, ModelError> {
        match *self.shape.as_slice() {
            [1, found, height, width] if found == channels => {
                Ok(Planes { count: 1, channels, height, width, data: self.data })
            }
            _ => Err(failed(network, format_args!("an output has the shape {:?}", self.shape))),
        }
    }

    /// The output as one row for every crop.
    fn rows(
        self,
        network: &'static str,
        count: usize,
        length: usize,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        if self.shape != [count, length] {
            return Err(failed(network, format_args!("an output has the shape {:?}", self.shape)));
        }
        Ok(self.data.chunks(length.max(1)).map(<[f32]>::to_vec).collect())
    }
}

/// Sessions of one network that callers borrow in turn.
struct Pool {
    network: &'static str,
    idle: Mutex<Vec<Session>>,
    returned: Condvar,
}

impl Pool {
    fn open(
        network: &'static str,
        environment: &Environment,
        model: &[u8],
        sessions: usize,
    ) -> Result<Pool, ModelError> {
        let open = || -> Result<Session, String> {
            Session::builder(environment)
                .map_err(|error| error.to_string())?
                .with_intra_threads(1)
                .map_err(|error| error.to_string())?
                .commit_from_memory(model)
                .map_err(|error| error.to_string())
        };
        let idle = (0..sessions)
            .map(|_| open().map_err(|reason| failed(network, reason)))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Pool { network, idle: Mutex::new(idle), returned: Condvar::new() })
    }

    /// Runs one input through an idle session, waiting for one if need be.
    fn run<const N: usize>(
        &self,
        input: &str,
        planes: &Planes,
        outputs: [&str; N],
    ) -> Result<[Output; N], ModelError> {
        let mut session = self.borrow();
        let result = run_session(&mut session, input, planes, &outputs);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(session);
        self.returned.notify_one();
        let outputs = result.map_err(|reason| failed(self.network, reason))?;
        outputs.try_into().map_err(|_| failed(self.network, "an output is missing"))
    }

    fn borrow(&self) -> Session {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(session) = idle.pop() {
                return session;
            }
            idle = self.returned.wait(idle).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("network", &self.network).finish_non_exhaustive()
    }
}

fn run_session(
    session: &mut Session,
    input: &str,
    planes: &Planes,
    outputs: &[&str],
) -> Result<Vec<Output>, String> {
    let shape = [planes.count, planes.channels, planes.height, planes.width];
    let tensor = TensorRef::from_array_view((shape, planes.data.as_slice()))
        .map_err(|error| error.to_string())?;
    let values = session.run(ort::inputs![input => tensor]).map_err(|error| error.to_string())?;
    outputs
        .iter()
        .map(|&name| {
            let value = values.get(name).ok_or_else(|| format!("no output `{name}`"))?;
            let (shape, data) =
                value.try_extract_tensor::<f32>().map_err(|error| error.to_string())?;
            let shape = shape.iter().map(|&side| usize::try_from(side).unwrap_or(0)).collect();
            Ok(Output { shape, data: data.to_vec() })
        })
        .collect()
}
