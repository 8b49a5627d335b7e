//! The networks as ONNX files, run by ONNX Runtime.
//!
//! Input: paths of the library and the models, then cells and planes as the contract in
//! `models/MODEL_CARD.md` describes them. Output: the networks' raw planes and rows. Invariant: a
//! session runs one input at a time, so each network has a [`Pool`] of them, on a GPU of one; an
//! output in another shape than the contract's is an error.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use ort::environment::Environment;
use ort::ep::cuda::ConvAlgorithmSearch;
use ort::ep::{CUDA, ExecutionProvider as _};
use ort::logging::LogLevel;
use ort::session::Session;
use ort::session::builder::SessionBuilder;
use ort::value::{PrimitiveTensorElementType, TensorRef};

use super::error::failed;
use super::library::check_cuda_libraries;
use super::pool::Pool;
use super::{Cells, ClassifierRows, Corners, DetectorMaps, Device, Manifest, Model, ModelError};
use super::{ModelPaths, Planes, TrustedFile, find_library};

/// The networks as ONNX files, run by ONNX Runtime on one thread a session, or on a GPU.
#[derive(Debug)]
pub struct Onnx {
    device: Device,
    manifest: Manifest,
    detector: Network,
    refiner: Option<Network>,
    classifier: Network,
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

    /// The same with a number of sessions of each network: one for each photo that is read at once.
    ///
    /// # Errors
    /// As [`Onnx::load`].
    pub fn load_sessions(paths: &ModelPaths, sessions: usize) -> Result<Onnx, ModelError> {
        let files = ModelFiles::read(paths)?;
        let environment = open_library(&find_library(paths)?)?;
        Onnx::open(files, &environment, Device::Cpu, sessions)
    }

    /// The networks on an NVIDIA GPU, with one session of each.
    ///
    /// # Errors
    /// [`ModelError::NoGpu`] where there is none, or the library can't use it; else as
    /// [`Onnx::load`].
    pub(super) fn load_on_gpu(paths: &ModelPaths) -> Result<Onnx, ModelError> {
        let library = find_library(paths)?;
        let environment = open_library(&library)?;
        if !CUDA::is_available().unwrap_or(false) {
            return Err(ModelError::NoGpu {
                reason: format!("{} was built without CUDA", library.path.display()),
                advice: "run `make setup DEVICE=cuda`, or name a library with CUDA in \
                         TILESIGHT_ONNXRUNTIME (docs/devices.md)",
            });
        }
        check_cuda_libraries(&library, paths)?;
        Onnx::open(ModelFiles::read(paths)?, &environment, Device::Cuda, 1)
    }

    fn open(
        files: ModelFiles,
        environment: &Environment,
        device: Device,
        sessions: usize,
    ) -> Result<Onnx, ModelError> {
        let open = |wanted: &'static str| {
            let file = files.networks.iter().find(|(network, _)| *network == wanted);
            file.map(|(network, bytes)| {
                Network::open(network, environment, device, bytes, sessions)
            })
            .transpose()
        };
        let missing = |network| failed(network, "the manifest does not name it");
        Ok(Onnx {
            detector: open("detector")?.ok_or_else(|| missing("detector"))?,
            refiner: open("refiner")?,
            classifier: open("classifier")?.ok_or_else(|| missing("classifier"))?,
            device,
            manifest: files.manifest,
        })
    }
}

/// The manifest, and the networks that it names with their checked bytes.
struct ModelFiles {
    manifest: Manifest,
    networks: Vec<(&'static str, Vec<u8>)>,
}

impl ModelFiles {
    fn read(paths: &ModelPaths) -> Result<ModelFiles, ModelError> {
        let manifest = Manifest::load(paths)?;
        let networks = manifest
            .networks()
            .map(|(network, file, sha256)| {
                Ok((network, Manifest::read_model(paths, file, sha256)?))
            })
            .collect::<Result<Vec<_>, ModelError>>()?;
        Ok(ModelFiles { manifest, networks })
    }
}

/// Loads the shared library, once for the whole process: ONNX Runtime allows one environment, so
/// later calls get the first one, whatever library they name.
pub(super) fn open_library(library: &TrustedFile) -> Result<Environment, ModelError> {
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

    fn device(&self) -> Device {
        self.device
    }

    fn most_pictures(&self) -> usize {
        self.detector.most_rows
    }

    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError> {
        let [heat, quad, axis, face] =
            self.detector.run("image", images, ["heat", "quad", "axis", "face"])?;
        let count = images.count;
        let maps = DetectorMaps {
            heat: heat.planes(count, 1)?,
            quad: quad.planes(count, 16)?,
            axis: axis.planes(count, 1)?,
            face: face.planes(count, 1)?,
        };
        let sizes = [&maps.quad, &maps.axis, &maps.face].map(|map| (map.height, map.width));
        if sizes.iter().any(|&size| size != (maps.heat.height, maps.heat.width)) {
            return Err(failed("detector", "its maps differ in size"));
        }
        Ok(maps)
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        let refiner = self.refiner.as_ref();
        let refiner = refiner.ok_or_else(|| failed("refiner", "the manifest does not name it"))?;
        let [corners] = refiner.run("crops", crops, ["corners"])?;
        let rows = corners.rows(crops.count, 8)?;
        Ok(rows.iter().map(|row| std::array::from_fn(|i| row[i])).collect())
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        let [classes, turn, red] =
            self.classifier.run("crops", crops, ["classes", "turn", "red"])?;
        let names = self.manifest.classifier.classes.len();
        let turns = turn.rows(crops.count, 4)?;
        Ok(ClassifierRows {
            classes: classes.rows(crops.count, names)?,
            turns: turns.iter().map(|row| [row[0], row[1], row[2], row[3]]).collect(),
            red: red.rows(crops.count, 1)?.into_iter().flatten().collect(),
        })
    }
}

/// The sessions of one network.
struct Network {
    name: &'static str,
    /// The most rows of an input: one where its file fixes their number, else any number.
    most_rows: usize,
    sessions: Pool<Session>,
}

impl Network {
    fn open(
        name: &'static str,
        environment: &Environment,
        device: Device,
        model: &[u8],
        sessions: usize,
    ) -> Result<Network, ModelError> {
        let open = || match device {
            Device::Cpu => {
                open_session(environment, device, model).map_err(|reason| failed(name, reason))
            }
            Device::Cuda => open_session(environment, device, model).map_err(ModelError::no_gpu),
        };
        let sessions = (0..sessions).map(|_| open()).collect::<Result<Vec<_>, _>>()?;
        let most_rows = sessions.first().and_then(fixed_rows).unwrap_or(usize::MAX);
        Ok(Network { name, most_rows, sessions: Pool::new(sessions) })
    }

    /// Runs one input through an idle session, and waits for one if need be.
    fn run<const N: usize>(
        &self,
        input: &str,
        given: &impl Input,
        outputs: [&str; N],
    ) -> Result<[Output; N], ModelError> {
        let outputs = self.sessions.with(|session| self.run_in(session, input, given, &outputs));
        let outputs = outputs.map_err(|reason| failed(self.name, reason))?;
        outputs.try_into().map_err(|_| failed(self.name, "an output is missing"))
    }

    /// The outputs of one run, in the order of their names.
    fn run_in(
        &self,
        session: &mut Session,
        input: &str,
        given: &impl Input,
        outputs: &[&str],
    ) -> Result<Vec<Output>, String> {
        let (shape, data) = given.tensor();
        let tensor =
            TensorRef::from_array_view((shape, data)).map_err(|error| error.to_string())?;
        let values =
            session.run(ort::inputs![input => tensor]).map_err(|error| error.to_string())?;
        outputs
            .iter()
            .map(|&name| {
                let value = values.get(name).ok_or_else(|| format!("no output `{name}`"))?;
                let (shape, data) =
                    value.try_extract_tensor::<f32>().map_err(|error| error.to_string())?;
                let shape = shape.iter().map(|&side| usize::try_from(side).unwrap_or(0)).collect();
                Ok(Output { network: self.name, shape, data: data.to_vec() })
            })
            .collect()
    }
}

/// Opens a session on a device.
fn open_session(
    environment: &Environment,
    device: Device,
    model: &[u8],
) -> Result<Session, String> {
    let builder = Session::builder(environment).map_err(|error| error.to_string())?;
    let builder = builder.with_intra_threads(1).map_err(|error| error.to_string())?;
    let mut builder = match device {
        Device::Cpu => builder,
        Device::Cuda => with_gpu(builder)?,
    };
    builder.commit_from_memory(model).map_err(|error| error.to_string())
}

/// The same session on a GPU. Photos and batches come in many shapes, so kernels are chosen by
/// rules: to measure them all takes seconds for each new shape. TensorFloat-32 is off, so that
/// answers differ from those of the cores by their last digits only.
fn with_gpu(builder: SessionBuilder) -> Result<SessionBuilder, String> {
    let cuda = CUDA::default()
        .with_conv_algorithm_search(ConvAlgorithmSearch::Heuristic)
        .with_tf32(false)
        .build()
        .error_on_failure();
    // Some small layers always stay on the cores, which is a warning for each network.
    let builder = builder.with_log_level(LogLevel::Error).map_err(|error| error.to_string())?;
    builder.with_execution_providers([cuda]).map_err(|error| error.to_string())
}

/// The number of rows of a network's input, where its file fixes it.
fn fixed_rows(session: &Session) -> Option<usize> {
    let shape = session.inputs().first()?.dtype().tensor_shape()?;
    shape.first().and_then(|&rows| usize::try_from(rows).ok())
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a network is given.
trait Input {
    /// Its numbers.
    type Number: PrimitiveTensorElementType + Clone + fmt::Debug + 'static;

    /// The shape that the network takes, and the numbers in its order.
    fn tensor(&self) -> ([usize; 4], &[Self::Number]);
}

impl Input for Planes {
    type Number = f32;

    fn tensor(&self) -> ([usize; 4], &[f32]) {
        ([self.count, self.channels, self.height, self.width], &self.data)
    }
}

impl Input for Cells {
    type Number = u8;

    fn tensor(&self) -> ([usize; 4], &[u8]) {
        ([self.count, self.rows, self.columns, Cells::BYTES], &self.data)
    }
}

/// An output of a network as it comes out of the runtime.
struct Output {
    network: &'static str,
    shape: Vec<usize>,
    data: Vec<f32>,
}

impl Output {
    /// The output as the planes of every picture.
    fn planes(self, count: usize, channels: usize) -> Result<Planes, ModelError> {
        match *self.shape.as_slice() {
            [pictures, found, height, width] if (pictures, found) == (count, channels) => {
                Ok(Planes { count, channels, height, width, data: self.data })
            }
            _ => Err(self.wrong_shape()),
        }
    }

    /// The output as one row for every crop.
    fn rows(self, count: usize, length: usize) -> Result<Vec<Vec<f32>>, ModelError> {
        if self.shape != [count, length] {
            return Err(self.wrong_shape());
        }
        Ok(self.data.chunks(length.max(1)).map(<[f32]>::to_vec).collect())
    }

    fn wrong_shape(&self) -> ModelError {
        failed(self.network, format_args!("an output has the shape {:?}", self.shape))
    }
}
