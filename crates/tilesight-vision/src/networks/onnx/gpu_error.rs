//! The error of a GPU that does not answer.

use std::fmt;

use crate::networks::ModelError;

impl ModelError {
    /// A GPU that does not answer, by what the runtime said.
    pub(super) fn no_gpu(said: impl fmt::Display) -> ModelError {
        ModelError::NoGpu {
            reason: reason_in(&said.to_string()).to_owned(),
            advice: "install the NVIDIA driver, CUDA 13 and cuDNN 9, and name the folders of their \
                     libraries in LD_LIBRARY_PATH (docs/devices.md)",
        }
    }
}

/// Returns the first line of what ONNX Runtime says, without the places in its source that stand
/// before and behind the reason. Before it are functions, whose template parameters end with `]`,
/// or a status: `[ONNXRuntimeError] : 1 : FAIL : `. Behind it are fields, separated by ` ; `.
fn reason_in(said: &str) -> &str {
    let line = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason");
    let (reason, _) = line.split_once(" ; ").unwrap_or((line, ""));
    let (_, reason) = reason.rsplit_once("] ").unwrap_or(("", reason));
    reason.rsplit(" : ").next().unwrap_or(reason).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses messages of the library for CUDA on machines without CUDA, and with a driver that is
    /// too old.
    #[test]
    fn of_what_the_runtime_says_the_reason_stays() {
        for (said, reason) in [
            (
                "/src/provider_bridge.cc:1 Provider& ProviderLibrary::Get() [ONNXRuntimeError] : 1 : FAIL : \
                 Failed to load library /opt/providers_cuda.so with error: libcublasLt.so.13: cannot open \
                 shared object file: No such file or directory\n",
                "Failed to load library /opt/providers_cuda.so with error: libcublasLt.so.13: cannot open \
                 shared object file: No such file or directory",
            ),
            (
                "/src/cuda_call.cc:154 CudaCall() [with ERRTYPE = cudaError] /src/cuda_call.cc:146 CudaCall() \
                 [with ERRTYPE = cudaError] CUDA failure 35: CUDA driver version is insufficient for CUDA runtime version ; GPU=-1 ; \
                 hostname=vm ; expr=cudaSetDevice(info_.device_id);",
                "CUDA failure 35: CUDA driver version is insufficient for CUDA runtime version",
            ),
            ("\nthe detector failed: a panic\nmore", "the detector failed: a panic"),
            ("", "no reason"),
        ] {
            assert_eq!(reason_in(said), reason);
            let message = ModelError::no_gpu(said).to_string();
            assert!(message.contains(reason) && message.contains("docs/devices.md"), "{message}");
        }
    }
}
