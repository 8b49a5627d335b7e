//! Versions, and what a handle names.

#![allow(unsafe_code, reason = "the name of an export counts as unsafe; nothing else here is")]

use std::ffi::c_char;
use std::ptr;

use crate::calls::guard;
use crate::handles::{self, find};

/// Handle of an engine, a reader, an answer or a problem. 0 is never one, and no number is given
/// twice while the process runs. Threads may share handles.
pub type TilesightHandle = u64;

/// Version of this interface. A new one means that a program has to be compiled again.
pub const TILESIGHT_ABI: u32 = 1;

/// Returns the version of the interface that the library has: `TILESIGHT_ABI` of its header.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_abi() -> u32 {
    TILESIGHT_ABI
}

/// Returns the version of the library, such as "0.1.0". The text is never released.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns 200 for an engine, a reader or an answer, the status of a problem (400 to 599), or 0 if
/// the handle was released or never given.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_status(handle: TilesightHandle) -> i32 {
    guard(500, || find(handle).map_or(0, |kept| i32::from(kept.status())))
}

/// Returns the text of an answer or a problem: UTF-8 with a zero at its end. Engines and readers
/// have an empty one. The text stays in place until the handle is released. Returns NULL if the
/// handle was released or never given.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_text(handle: TilesightHandle) -> *const c_char {
    guard(ptr::null(), || find(handle).map_or(ptr::null(), |kept| kept.text().as_ptr().cast()))
}

/// Returns the number of bytes of `tilesight_text`, without the zero; 0 if the handle was released
/// or never given.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_length(handle: TilesightHandle) -> u64 {
    guard(0, || find(handle).map_or(0, |kept| kept.text().len() as u64 - 1))
}

/// Releases a handle, with the text that it has. Calls that use it in other threads finish.
/// Returns false if the handle was released before or never given; nothing happens then.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_release(handle: TilesightHandle) -> bool {
    guard(false, || handles::release(handle))
}

/// Returns the number of handles that are not released, for tests that nothing is left.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_handles() -> u64 {
    guard(0, handles::count)
}
