//! Exported functions that a host calls.
//!
//! A host requests a buffer of its request's size from [`tilesight_input`], writes the request
//! there, calls one of the functions, and reads the answer at [`tilesight_output`]. Each function
//! returns the size of the answer in bytes: positive for an answer, and negative for a
//! [`Problem`](tilesight_vision::contract::Problem). Languages are numbered as in [`Lang::ALL`].
//! A module that panics ends in a trap, which says nothing: [`tilesight_failure`] has the reason.
//! Invariant: the module has one thread, and both buffers stay in place until the next call.

#![allow(unsafe_code, reason = "the name of an export counts as unsafe; nothing else here is")]

use std::cell::RefCell;
use std::panic::PanicHookInfo;

use tilesight_core::explain::Lang;

use tilesight_engine::{Answer, Engine, head_and_bytes};
#[cfg(feature = "reader")]
use tilesight_engine::{photo, sets};

#[cfg(feature = "reader")]
use crate::{networks, watch};

#[derive(Debug)]
struct Module {
    engine: Engine,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::new(Module::new());
    /// Reason why the module ended. The module itself is in use by the call that ended.
    static FAILURE: RefCell<String> = const { RefCell::new(String::new()) };
}

impl Module {
    fn new() -> Module {
        std::panic::set_hook(Box::new(keep_reason));
        Module { engine: Engine::shipped(), input: Vec::new(), output: Vec::new() }
    }
}

/// Stores the message of a panic and its place for the host.
fn keep_reason(panic: &PanicHookInfo<'_>) {
    let message = panic.payload_as_str().unwrap_or("it failed without a message");
    let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
    FAILURE.set(format!("{message}{}", place.unwrap_or_default()));
}

/// Returns a buffer for a request of this many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_input(bytes: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        module.input.clear();
        module.input.resize(bytes, 0);
        module.input.as_mut_ptr()
    })
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_output() -> *const u8 {
    MODULE.with_borrow(|module| module.output.as_ptr())
}

/// Returns the address of the reason why the module ended.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_failure() -> *const u8 {
    FAILURE.with_borrow(|reason| reason.as_ptr())
}

/// Returns the size in bytes of the reason why the module ended; 0 if the reason is unknown.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_failure_size() -> usize {
    FAILURE.with_borrow(String::len)
}

/// Scores a hand: [`Engine::score`].
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_score(lang: usize) -> isize {
    answer(lang, Engine::score)
}

/// Adds a rule set, given as the text of a profile file: [`Engine::install`].
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_install(lang: usize) -> isize {
    reply(lang, |engine, profile, _| {
        engine.install(&String::from_utf8_lossy(profile))?;
        Ok(Vec::new())
    })
}

/// Lists the rule sets: [`Engine::rulesets`].
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_rulesets(lang: usize) -> isize {
    answer(lang, |engine, _, lang| engine.rulesets(lang))
}

/// Returns a hand in all its forms: [`Engine::hand`].
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_hand(lang: usize) -> isize {
    answer(lang, |engine, request, _| engine.hand(request))
}

/// Begins an evening: [`Engine::begin`].
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_game_begin(lang: usize) -> isize {
    answer(lang, |engine, request, _| engine.begin(request))
}

/// Applies a change to an evening at time `at`, in milliseconds since 1970: [`Engine::change`]. The
/// first line of the request is the record, and the rest the change.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_game_change(lang: usize, at: f64) -> isize {
    answer(lang, |engine, request, _| {
        let (record, change) = head_and_bytes(request);
        engine.change(record, change, at as u64)
    })
}

/// Returns the current state of an evening: [`Engine::view`].
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_game_view(lang: usize) -> isize {
    answer(lang, Engine::view)
}

/// Returns an evening as a table: [`Engine::table`].
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_game_table(lang: usize) -> isize {
    answer(lang, |engine, request, _| engine.table(request))
}

/// Lists the networks to read photos with: [`networks::networks`].
#[cfg(feature = "reader")]
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_networks(lang: usize) -> isize {
    answer(lang, |_, _, _| networks::networks())
}

/// Checks the bytes of a network, given its index in the manifest: [`networks::check_network`].
#[cfg(feature = "reader")]
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_network(lang: usize, network: usize) -> isize {
    answer(lang, |_, bytes, _| networks::check_network(network, bytes))
}

/// Reads a photo: [`photo::read`]. The first line of the request has the options; in the requests
/// of own sets too.
#[cfg(feature = "reader")]
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_read(lang: usize) -> isize {
    answer(lang, |engine, request, lang| {
        let (options, photo) = head_and_bytes(request);
        photo::read(engine, &networks::reader()?, options, photo, lang)
    })
}

/// Reads the next frame of a camera: [`watch::frame`].
#[cfg(feature = "reader")]
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_frame(lang: usize) -> isize {
    answer(lang, watch::frame)
}

/// Forgets a camera: [`watch::end`].
#[cfg(feature = "reader")]
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_frames_end(lang: usize) -> isize {
    answer(lang, |_, camera, _| watch::end(camera))
}

/// Applies answers to the doubts of a reading: [`photo::answers`].
#[cfg(feature = "reader")]
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_answers(lang: usize) -> isize {
    answer(lang, photo::answers)
}

/// Converts a photo to JPEG: [`photo::jpeg`].
#[cfg(feature = "reader")]
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_jpeg(lang: usize) -> isize {
    answer(lang, |_, photo, _| photo::jpeg(photo))
}

/// Names the tiles of a sheet: [`sets::sheet`].
#[cfg(feature = "reader")]
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_sheet(lang: usize) -> isize {
    answer(lang, |_, request, _| {
        let (options, bytes) = head_and_bytes(request);
        sets::sheet(&networks::reader()?, options, bytes)
    })
}

/// Learns a set: [`sets::learn_sheet`].
#[cfg(feature = "reader")]
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_learn(lang: usize) -> isize {
    answer(lang, |_, request, _| {
        let (options, bytes) = head_and_bytes(request);
        sets::learn_sheet(&networks::reader()?, options, bytes)
    })
}

/// Shows a set: [`sets::show`].
#[cfg(feature = "reader")]
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_set(lang: usize) -> isize {
    answer(lang, |_, file, _| sets::show(file))
}

/// Merges sets: [`sets::merge`].
#[cfg(feature = "reader")]
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_merge(lang: usize) -> isize {
    answer(lang, |_, request, _| {
        let (options, bytes) = head_and_bytes(request);
        sets::merge(&networks::reader()?, options, bytes)
    })
}

/// Calls a function with the input buffer.
#[cfg(feature = "measure")]
pub(crate) fn with_input<T>(read: impl FnOnce(&[u8]) -> T) -> T {
    MODULE.with_borrow(|module| read(&module.input))
}

/// Answers the request in the input buffer.
fn answer(lang: usize, ask: impl FnOnce(&Engine, &[u8], Lang) -> Answer) -> isize {
    reply(lang, |engine, request, lang| ask(engine, request, lang))
}

/// Answers the request in the input buffer, which may change the engine.
fn reply(lang: usize, ask: impl FnOnce(&mut Engine, &[u8], Lang) -> Answer) -> isize {
    let lang = Lang::ALL.get(lang).copied().unwrap_or_default();
    MODULE.with_borrow_mut(|module| {
        let answer = ask(&mut module.engine, &module.input, lang);
        let (bytes, sign) = match answer {
            Ok(answer) => (answer, 1),
            // A problem consists of texts and numbers, which can always be written as JSON.
            Err(problem) => (serde_json::to_vec(&problem.translate(lang)).unwrap_or_default(), -1),
        };
        module.output = bytes;
        // A 32-bit module can't hold more than `isize::MAX` bytes.
        sign * isize::try_from(module.output.len()).unwrap_or(isize::MAX)
    })
}
