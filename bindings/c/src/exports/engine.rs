//! Hands, rule sets and evenings.

#![allow(unsafe_code, reason = "exports take pointers of C")]

use std::ffi::c_char;
use std::sync::Arc;

use tilesight_core::contract::read_value;
use tilesight_core::explain::Lang;
use tilesight_engine::Engine;

use super::answer::TilesightHandle;
use crate::calls::{answer, bytes, keep, language};
use crate::handles::{Kept, engine as find_engine};

/// Returns an engine with the shipped rule sets and those of `profiles`: a JSON list with the texts
/// of profile files, or 0 bytes. Or a problem.
///
/// # Safety
/// `profiles` points to `profiles_length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_engine(
    profiles: *const u8,
    profiles_length: u64,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let profiles = unsafe { bytes("profiles", profiles, profiles_length) };
    keep(Ok(Lang::En), |_| {
        let mut engine = Engine::shipped();
        let profiles: Vec<String> = match profiles? {
            [] => Vec::new(),
            json => read_value(json, "profiles")?,
        };
        for (at, profile) in profiles.iter().enumerate() {
            engine.install(profile).map_err(|problem| problem.about(&format!("profiles[{at}]")))?;
        }
        Ok(Kept::Engine(Arc::new(engine)))
    })
}

/// Scores a hand, as `POST /v1/score` does: a score, or, with `rulesets`, a list of scores.
///
/// # Safety
/// `request` points to `request_length` bytes, and `lang` is NULL for English or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_score(
    engine: TilesightHandle,
    request: *const u8,
    request_length: u64,
    lang: *const c_char,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let (request, lang) = unsafe { (bytes("request", request, request_length), language(lang)) };
    answer(lang, |lang| find_engine(engine)?.score(request?, lang))
}

/// Returns a hand and its win context as objects and as a line of notation (`hand`, `context`,
/// `notation`), and the values that the context may have for such a win (`possible`). The request
/// is that of `tilesight_score`; the tiles need not be a whole hand.
///
/// # Safety
/// `request` points to `request_length` bytes, and `lang` is NULL for English or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_hand(
    engine: TilesightHandle,
    request: *const u8,
    request_length: u64,
    lang: *const c_char,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let (request, lang) = unsafe { (bytes("request", request, request_length), language(lang)) };
    answer(lang, |_| find_engine(engine)?.hand(request?))
}

/// Returns the rule sets, their options and lines, as `GET /v1/rulesets` does.
///
/// # Safety
/// `lang` is NULL for English or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_rulesets(
    engine: TilesightHandle,
    lang: *const c_char,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let lang = unsafe { language(lang) };
    answer(lang, |lang| find_engine(engine)?.rulesets(lang))
}

/// Begins an evening: returns its record, which the caller keeps. The request is that of
/// `POST /v1/games`.
///
/// # Safety
/// `request` points to `request_length` bytes, and `lang` is NULL for English or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_game_begin(
    engine: TilesightHandle,
    request: *const u8,
    request_length: u64,
    lang: *const c_char,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let (request, lang) = unsafe { (bytes("request", request, request_length), language(lang)) };
    answer(lang, |_| find_engine(engine)?.begin(request?))
}

/// Returns the record of an evening after a change, at a time in milliseconds since 1970. The
/// change is that of `POST /v1/games/{id}/changes`.
///
/// # Safety
/// `record` points to `record_length` bytes, `change` to `change_length`, and `lang` is NULL for
/// English or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_game_change(
    engine: TilesightHandle,
    record: *const u8,
    record_length: u64,
    change: *const u8,
    change_length: u64,
    at: u64,
    lang: *const c_char,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let (record, change, lang) = unsafe {
        (
            bytes("record", record, record_length),
            bytes("change", change, change_length),
            language(lang),
        )
    };
    answer(lang, |_| find_engine(engine)?.change(record?, change?, at))
}

/// Returns the state of an evening: deals, payments, totals and standings.
///
/// # Safety
/// `record` points to `record_length` bytes, and `lang` is NULL for English or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_game_view(
    engine: TilesightHandle,
    record: *const u8,
    record_length: u64,
    lang: *const c_char,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let (record, lang) = unsafe { (bytes("record", record, record_length), language(lang)) };
    answer(lang, |lang| find_engine(engine)?.view(record?, lang))
}

/// Returns the score sheet of an evening as comma-separated values.
///
/// # Safety
/// `record` points to `record_length` bytes, and `lang` is NULL for English or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilesight_game_table(
    engine: TilesightHandle,
    record: *const u8,
    record_length: u64,
    lang: *const c_char,
) -> TilesightHandle {
    // SAFETY: the caller's promise.
    let (record, lang) = unsafe { (bytes("record", record, record_length), language(lang)) };
    answer(lang, |_| find_engine(engine)?.table(record?))
}
