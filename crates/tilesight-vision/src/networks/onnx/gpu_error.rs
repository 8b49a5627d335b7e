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

/// The reason in what ONNX Runtime says: of many lines the first, without the places in its source
/// that stand before and behind the reason.
fn reason_in(said: &str) -> &str {
    let line = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason");
    let libraries = ["CUDA failure ", "CUDNN failure ", "CUBLAS failure "];
    let call = libraries.iter().find_map(|library| line.rfind(library)).map(|at| &line[at..]);
    let load = line.rsplit_once("with error: ").map(|(_, reason)| reason);
    let reason = load.or(call).unwrap_or(line);
    reason.split(" ; ").next().unwrap_or(reason).trim()
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
                "libcublasLt.so.13: cannot open shared object file: No such file or directory",
            ),
            (
                "/src/cuda_call.cc:154 CudaCall() [with ERRTYPE = cudaError] /src/cuda_call.cc:146 CudaCall() \
                 CUDA failure 35: CUDA driver version is insufficient for CUDA runtime version ; GPU=-1 ; \
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
