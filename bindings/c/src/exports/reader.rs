//! Photos and own sets.

#![allow(unsafe_code, reason = "exports take pointers of C")]

use std::ffi::c_char;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use tilesight_core::contract::{Problem, ProblemKind, read_json};
use tilesight_core::explain::Lang;
use tilesight_engine::{photo as photos, sets};
use tilesight_vision::networks::{DeviceChoice, ModelError};
use tilesight_vision::{ModelPaths, Reader};

use super::answer::TilesightHandle;
use crate::calls::{answer, bytes, keep, language};
use crate::handles::{Kept, engine as find_engine, reader as find_reader};

/// Variables of the program that messages name, with the option that is meant here; longer names
/// come first.
const VARIABLES: [(&str, &str); 4] = [
    ("TILESIGHT_ONNXRUNTIME_SHA256", "`library_sha256`"),
    ("TILESIGHT_MODELS_SHA256", "`models_sha256`"),
    ("TILESIGHT_ONNXRUNTIME", "`library`"),
    ("TILESIGHT_MODELS", "`models`"),
];

/// Files of a reader.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReaderOptions {
    /// Folder of the networks.
    models: PathBuf,
    /// SHA-256 of the manifest, for networks other than those of this version.
    models_sha256: Option<String>,
    /// ONNX Runtime's library.
    library: PathBuf,
    /// SHA-256 of the library, if it is not the pinned one.
    library_sha256: Option<String>,
    /// Texts of the files of own sets.
    #[serde(default)]
    sets: Vec<String>,
}

impl ReaderOptions {
    fn load(self) -> Result<Reader, Problem> {
        let paths = ModelPaths {
            models: Some(self.models),
            models_sha256: self.models_sha256,
            library: Some(self.library),
            library_sha256: self.library_sha256,
            device: DeviceChoice::Cpu,
        };
        let reader = Reader::load(&paths).map_err(|error| unusable(&error))?;
        photos::with_sets(reader, &self.sets)
    }
}

/// Returns the problem of networks that can't be loaded; its text names the options of this call.
fn unusable(error: &ModelError) -> Problem {
    let mut detail = error.to_string();
    for (variable, option) in VARIABLES {
        detail = detail.replace(variable, option);
    }
    Problem::new(ProblemKind::Internal, detail)
}

/// Returns a reader of photos, or a problem. `options` is JSON: `models` is the folder of the
/// networks, `models_sha256` the SHA-256 of its manifest if they are not those of this version,
/// `library` ONNX Runtime's library, `library_sha256` its SHA-256 if it is not the one that
/// `make setup` brings, and `sets` a list with the texts of the files of own sets. Problems are in
/// English.
///
/// # Safety
/// `options` points to `options_length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_reader(
    options: *const u8,
    options_length: u64,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let options = unsafe { bytes("options", options, options_length) };
    keep(Ok(Lang::En), |_| {
        let reader = read_json::<ReaderOptions>(options?, "options")?.load()?;
        Ok(Kept::Reader(Arc::new(reader)))
    })
}

/// Reads a photo, as `POST /v1/hands` does. `options` is JSON, or 0 bytes: `context`, `rulesets`,
/// `focus`, `region`, `set` and `detail` as over HTTP; `sets` has the texts of the files of own
/// sets; `pixels` is `[width, height]` if the photo is RGBA pixels; `photos` has the sizes of
/// several photos of one hand, which follow one after the other.
///
/// # Safety
/// `options` points to `options_length` bytes, `photo` to `photo_length`, and `lang` is NULL for
/// English or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_read(
    engine: TilesightHandle,
    reader: TilesightHandle,
    options: *const u8,
    options_length: u64,
    photo: *const u8,
    photo_length: u64,
    lang: *const c_char,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let (options, photo, lang) = unsafe {
        (
            bytes("options", options, options_length),
            bytes("photo", photo, photo_length),
            language(lang),
        )
    };
    answer(lang, |lang| {
        let engine = find_engine(engine)?;
        let reader = find_reader(reader)?;
        photos::read(&engine, &reader, or_empty(options?), photo?, lang)
    })
}

/// Applies answers to the doubts of a reading, as `POST /v1/readings/answers` does.
///
/// # Safety
/// `request` points to `request_length` bytes, and `lang` is NULL for English or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_answers(
    engine: TilesightHandle,
    request: *const u8,
    request_length: u64,
    lang: *const c_char,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let (request, lang) = unsafe { (bytes("request", request, request_length), language(lang)) };
    answer(lang, |lang| photos::answers(&*find_engine(engine)?, request?, lang))
}

/// Finds the rows of a sheet, a photo of all tiles of a set, and proposes names: a list of rows of
/// tiles with `polygon`, `name`, `sure` and `seen`. `options` is JSON, or 0 bytes: `pixels` as in
/// `tilesight_read`.
///
/// # Safety
/// `options` points to `options_length` bytes, `photo` to `photo_length`, and `lang` is NULL for
/// English or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_sheet(
    reader: TilesightHandle,
    options: *const u8,
    options_length: u64,
    photo: *const u8,
    photo_length: u64,
    lang: *const c_char,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let (options, photo, lang) = unsafe {
        (
            bytes("options", options, options_length),
            bytes("photo", photo, photo_length),
            language(lang),
        )
    };
    answer(lang, |_| sets::sheet(&*find_reader(reader)?, or_empty(options?), photo?))
}

/// Learns an own set from a sheet, and returns the text of its file. `options` is JSON: `name` of
/// the set, `names` of its tiles with a line for each row (the proposed ones if it is not given),
/// and `pixels` as in `tilesight_read`.
///
/// # Safety
/// `options` points to `options_length` bytes, `photo` to `photo_length`, and `lang` is NULL for
/// English or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_learn(
    reader: TilesightHandle,
    options: *const u8,
    options_length: u64,
    photo: *const u8,
    photo_length: u64,
    lang: *const c_char,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let (options, photo, lang) = unsafe {
        (
            bytes("options", options, options_length),
            bytes("photo", photo, photo_length),
            language(lang),
        )
    };
    answer(lang, |_| sets::learn_sheet(&*find_reader(reader)?, or_empty(options?), photo?))
}

/// Checks the file of an own set, and returns what it knows: `name`, `id`, `faces` and `missing`.
///
/// # Safety
/// `file` points to `file_length` bytes, and `lang` is NULL for English or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_set(
    file: *const u8,
    file_length: u64,
    lang: *const c_char,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let (file, lang) = unsafe { (bytes("file", file, file_length), language(lang)) };
    answer(lang, |_| sets::show(file?))
}

/// Merges own sets that were learned of the same tiles, and returns the text of the merged file.
/// `options` is JSON: `files` has the sizes of the files, which follow one after the other, and
/// `name` names the merged set.
///
/// # Safety
/// `options` points to `options_length` bytes, `files` to `files_length`, and `lang` is NULL for
/// English or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_merge(
    reader: TilesightHandle,
    options: *const u8,
    options_length: u64,
    files: *const u8,
    files_length: u64,
    lang: *const c_char,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let (options, files, lang) = unsafe {
        (
            bytes("options", options, options_length),
            bytes("files", files, files_length),
            language(lang),
        )
    };
    answer(lang, |_| sets::merge(&*find_reader(reader)?, or_empty(options?), files?))
}

/// Returns the options, or, if there are none, an empty object.
fn or_empty(options: &[u8]) -> &[u8] {
    if options.is_empty() { b"{}" } else { options }
}
