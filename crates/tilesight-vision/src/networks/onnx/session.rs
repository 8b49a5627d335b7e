//! Networks as ONNX files, run by ONNX Runtime.
//!
//! Input: paths of the library and the models, then cells and planes as `models/MODEL_CARD.md`
//! specifies them. Output: the networks' raw planes and rows. Invariant: a session runs one input
//! at a time, so each network has a [`Pool`] of sessions; on a GPU the pool has one session.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use ort::environment::Environment;
use ort::ep::cuda::ConvAlgorithmSearch;
use ort::ep::{CUDA, ExecutionProvider as _};
use ort::logging::LogLevel;
use ort::session::Session;
use ort::session::builder::SessionBuilder;
use ort::value::{PrimitiveTensorElementType, TensorRef};

use super::library::check_cuda_libraries;
use crate::networks::error::network_failure;
use crate::networks::network::{Network, Networks, Output, Tensor};
use crate::networks::pool::Pool;
use crate::networks::{
    Cells, ClassifierRows, Corners, DetectorMaps, Device, Manifest, Model, ModelError,
};
use crate::networks::{ModelPaths, Planes, TrustedFile, find_library};

/// Networks as ONNX files, run by ONNX Runtime on one thread per session, or on a GPU.
#[derive(Debug)]
pub struct Onnx(Networks<Sessions>);

impl Onnx {
    /// Loads the library and the models, checks hashes, and opens one session per core, at most
    /// four.
    ///
    /// # Errors
    /// [`ModelError`]: each message names in one line the command to run.
    pub fn load(paths: &ModelPaths) -> Result<Onnx, ModelError> {
        // On a loaded machine, one thread per session with one session per core is faster than two
        // threads per session. More than four sessions would need more memory than a small server
        // has.
        let cores = std::thread::available_parallelism().map_or(1, usize::from).min(4);
        Onnx::load_sessions(paths, cores)
    }

    /// Like [`Onnx::load`], but with a given number of sessions of each network: one for each photo
    /// that is read at once.
    ///
    /// # Errors
    /// Same as [`Onnx::load`].
    pub fn load_sessions(paths: &ModelPaths, sessions: usize) -> Result<Onnx, ModelError> {
        let files = ModelFiles::read(paths)?;
        let environment = open_library(&find_library(paths)?)?;
        Onnx::open(files, &environment, Device::Cpu, sessions)
    }

    /// Loads the networks on an NVIDIA GPU, with one session of each.
    ///
    /// # Errors
    /// [`ModelError::NoGpu`] if there is no GPU or the library cannot use it; else the same as
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
        let ModelFiles { manifest, networks } = files;
        let networks = Networks::open(manifest, device, |wanted| {
            match networks.iter().find(|(network, _)| *network == wanted) {
                Some((_, model)) => Sessions::open(wanted, environment, device, model, sessions),
                None => Err(network_failure(wanted, "the manifest does not name it")),
            }
        })?;
        Ok(Onnx(networks))
    }
}

/// Manifest, and the checked bytes of the networks that it names.
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

/// Loads the shared library, once for the whole process. ONNX Runtime allows one environment, so
/// later calls get the first one, whatever library they name.
pub(super) fn open_library(library: &TrustedFile) -> Result<Environment, ModelError> {
    static LOADED: Mutex<Option<Environment>> = Mutex::new(None);
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = loaded.as_ref() {
        return Ok(environment.clone());
    }
    let environment = ort::init_from(&library.path)
        .map_err(|error| error.to_string())
        .and_then(|builder| {
            builder.with_telemetry(false).build().map_err(|error| error.to_string())
        })
        .map_err(|reason| ModelError::WrongLibrary { reason })?;
    Ok(loaded.insert(environment).clone())
}

impl Model for Onnx {
    fn manifest(&self) -> &Manifest {
        self.0.manifest()
    }

    fn device(&self) -> Device {
        self.0.device()
    }

    fn max_pictures(&self) -> usize {
        self.0.max_pictures()
    }

    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError> {
        self.0.detect(images)
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        self.0.refine(crops)
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        self.0.classify(crops)
    }

    fn classify_large(
        &self,
        crops: &Planes,
        embeddings: &[Vec<f32>],
    ) -> Result<Option<ClassifierRows>, ModelError> {
        self.0.classify_large(crops, embeddings)
    }
}

/// Sessions of one network.
struct Sessions {
    name: &'static str,
    max_rows: usize,
    idle: Pool<Session>,
}

impl Sessions {
    fn open(
        name: &'static str,
        environment: &Environment,
        device: Device,
        model: &[u8],
        sessions: usize,
    ) -> Result<Sessions, ModelError> {
        let opened = (0..sessions).map(|_| open_session(environment, device, model));
        let sessions = opened.collect::<Result<Vec<_>, _>>().map_err(|reason| match device {
            Device::Cpu => network_failure(name, reason),
            Device::Cuda => ModelError::no_gpu(reason),
        })?;
        let max_rows = sessions.first().and_then(fixed_rows).unwrap_or(usize::MAX);
        Ok(Sessions { name, max_rows, idle: Pool::new(sessions) })
    }
}

impl Network for Sessions {
    fn max_rows(&self) -> usize {
        self.max_rows
    }

    /// Runs one input through an idle session, and waits for a session if necessary.
    fn run(
        &self,
        input: &str,
        tensor: Tensor<'_>,
        outputs: &[&'static str],
    ) -> Result<Vec<Output>, String> {
        self.idle.with(|session| match tensor {
            Tensor::Cells(shape, data) => run_in(session, input, (shape, data), outputs),
            Tensor::Planes(shape, data) => run_in(session, input, (shape, data), outputs),
        })
    }
}

/// Returns the outputs of one run, in the order of their names.
fn run_in<T: PrimitiveTensorElementType + Clone + fmt::Debug + 'static>(
    session: &mut Session,
    input: &str,
    tensor: ([usize; 4], &[T]),
    outputs: &[&str],
) -> Result<Vec<Output>, String> {
    let tensor = TensorRef::from_array_view(tensor).map_err(|error| error.to_string())?;
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

fn open_session(
    environment: &Environment,
    device: Device,
    model: &[u8],
) -> Result<Session, String> {
    let plain = Session::builder(environment).map_err(|error| error.to_string())?;
    let on_cores = plain.with_intra_threads(1).map_err(|error| error.to_string())?;
    let mut builder = match device {
        Device::Cpu => on_cores,
        Device::Cuda => with_gpu(on_cores)?,
    };
    builder.commit_from_memory(model).map_err(|error| error.to_string())
}

/// Configures a session to run on a GPU. Photos and batches come in many shapes, so kernels are
/// chosen by heuristics: measuring them all takes seconds for each new shape. TensorFloat-32 is
/// off, so that answers differ from those of the cores only in their last digits.
fn with_gpu(builder: SessionBuilder) -> Result<SessionBuilder, String> {
    let cuda = CUDA::default()
        .with_conv_algorithm_search(ConvAlgorithmSearch::Heuristic)
        .with_tf32(false)
        .build()
        .error_on_failure();
    // Some small layers always stay on the cores, which gives a warning for each network.
    let builder = builder.with_log_level(LogLevel::Error).map_err(|error| error.to_string())?;
    builder.with_execution_providers([cuda]).map_err(|error| error.to_string())
}

/// Returns the number of rows of a network's input, if its file fixes it.
fn fixed_rows(session: &Session) -> Option<usize> {
    let shape = session.inputs().first()?.dtype().tensor_shape()?;
    shape.first().and_then(|&rows| usize::try_from(rows).ok())
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").field("name", &self.name).finish_non_exhaustive()
    }
}
