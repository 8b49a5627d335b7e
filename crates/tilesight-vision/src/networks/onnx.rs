//! The networks by ONNX Runtime: finding and trusting the library, loading the models, pooled
//! sessions, and shared runs on a GPU.
//!
//! Only this module names ONNX Runtime.

mod batched;
mod batcher;
mod gpu_error;
mod library;
mod load;
mod models_folder;
mod paths;
mod pin;
mod runtime;
mod session;
pub(super) mod trust;

pub use batched::BatchingModel;
pub use library::find_library;
pub(crate) use load::load;
pub use paths::ModelPaths;
pub use pin::{Pin, PinnedFile};
pub use runtime::{Runtime, warm_up};
pub use session::Onnx;
pub use trust::{Trust, TrustedFile};
