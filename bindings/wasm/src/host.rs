//! Functions that the host provides for a reading: it runs the networks and has a clock.
//!
//! Input: a tensor in the module's memory. Output: the outputs of the network in the order of their
//! names, as 32-bit words: for each output the number of its dimensions, the dimensions, and the
//! values. Invariant: only this file calls the host.

#![allow(unsafe_code, reason = "calls of imported functions count as unsafe")]

use std::time::Duration;

use tilesight_vision::networks::{Network, Output, Tensor};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Runs a network on bytes (kind 0) or floats (kind 1) in a shape of four dimensions. Returns
    /// the number of words of the outputs, or 0 on failure.
    fn run(network: usize, kind: usize, shape: *const u32, data: *const u8) -> usize;

    /// Writes the words of the outputs to `words`.
    fn take(words: *mut u32);

    /// Returns the time in milliseconds. The host is given the name of the stage that begins or
    /// ends.
    fn stage(name: *const u8, length: usize) -> f64;
}

/// A network that the host runs, by its index in the manifest.
#[derive(Debug, Clone, Copy)]
pub struct HostNetwork(pub usize);

impl Network for HostNetwork {
    fn run(
        &self,
        _input: &str,
        tensor: Tensor<'_>,
        outputs: &[&'static str],
    ) -> Result<Vec<Output>, String> {
        let (kind, shape, data) = match tensor {
            Tensor::Cells(shape, data) => (0, shape, data.as_ptr()),
            Tensor::Planes(shape, data) => (1, shape, data.as_ptr().cast()),
        };
        let shape = shape.map(|side| u32::try_from(side).unwrap_or(u32::MAX));
        // SAFETY: during the call, the host reads the shape and as many numbers as the shape has.
        let length = unsafe { run(self.0, kind, shape.as_ptr(), data) };
        if length == 0 {
            return Err("the host could not run it".to_owned());
        }
        let mut words = vec![0; length];
        // SAFETY: the host writes as many words as it announced.
        unsafe { take(words.as_mut_ptr()) };
        read(&words, outputs.len()).ok_or_else(|| "its outputs are cut short".to_owned())
    }
}

/// Parses the outputs from the words of the host.
fn read(mut words: &[u32], outputs: usize) -> Option<Vec<Output>> {
    (0..outputs).map(|_| read_output(&mut words)).collect()
}

/// Takes an output off the words.
fn read_output(words: &mut &[u32]) -> Option<Output> {
    let sides = take_off(words, 1)?[0] as usize;
    let shape: Vec<usize> = take_off(words, sides)?.iter().map(|&side| side as usize).collect();
    let data = take_off(words, shape.iter().product())?;
    Some(Output { shape, data: data.iter().map(|&word| f32::from_bits(word)).collect() })
}

/// Takes so many words off the front; `None` if there are fewer.
fn take_off<'a>(words: &mut &'a [u32], length: usize) -> Option<&'a [u32]> {
    let (first, rest) = words.split_at_checked(length)?;
    *words = rest;
    Some(first)
}

/// Returns the time at a stage, by the host's clock.
#[must_use]
pub fn stage_clock(name: &'static str) -> Duration {
    // SAFETY: the host reads the name during the call.
    let milliseconds = unsafe { stage(name.as_ptr(), name.len()) };
    Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0)
}
