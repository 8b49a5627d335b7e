//! Arguments of C as Rust has them, and answers as C gets them.
//!
//! Input: pointers with lengths, and the work of a call. Output: slices or a [`Problem`], and the
//! handle of an answer. Invariants: no pointer is read that is null or whose length is beyond
//! [`MAX_INPUT`]; a panic becomes a problem.

#![allow(unsafe_code, reason = "pointers of C are read here")]

use std::ffi::c_char;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_core::explain::Lang;

use crate::handles::Kept;

/// Maximum number of bytes of an argument: more than the 200 MB of the largest picture as RGBA
/// pixels. A length that an error of the caller turned negative is above it.
const MAX_INPUT: u64 = 256 << 20;

/// Maximum number of bytes of a language code, such as `zh-Hans-CN`. No more are read, so that a
/// text without a zero does little harm.
const MAX_LANG: usize = 32;

/// Returns the bytes of an argument. A null pointer is fine if the length is 0.
///
/// # Errors
/// A [`Problem`] if the pointer is null or the length too large.
///
/// # Safety
/// `data` is null, or points to `length` bytes that stay unchanged for `'a`.
pub(crate) unsafe fn bytes<'a>(
    name: &str,
    data: *const u8,
    length: u64,
) -> Result<&'a [u8], Problem> {
    if length == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        let detail = format!(
            "the pointer is null, but the length is {length}: pass the bytes, or a length of 0"
        );
        return Err(Problem::new(ProblemKind::MalformedRequest, detail).about(name));
    }
    match usize::try_from(length) {
        Ok(length) if length as u64 <= MAX_INPUT => {
            // SAFETY: the caller promises that there are as many bytes, and the length is far below
            // `isize::MAX`.
            Ok(unsafe { slice::from_raw_parts(data, length) })
        }
        _ => {
            let detail = format!(
                "a length of {length} bytes is above the limit of {MAX_INPUT}: pass fewer, or correct it"
            );
            Err(Problem::new(ProblemKind::TooLarge, detail).about(name))
        }
    }
}

/// Returns the language of a code. Null is English.
///
/// # Errors
/// A [`Problem`] if the code is not that of a language.
///
/// # Safety
/// `code` is null, or points to a text with a zero at its end.
pub(crate) unsafe fn language(code: *const c_char) -> Result<Lang, Problem> {
    if code.is_null() {
        return Ok(Lang::En);
    }
    let mut text = Vec::with_capacity(MAX_LANG);
    for at in 0..MAX_LANG {
        // SAFETY: the caller promises a zero at the end, and no byte before this one was it.
        match unsafe { code.add(at).read() } {
            0 => {
                let text = std::str::from_utf8(&text).map_err(unknown_language)?;
                return text.parse().map_err(unknown_language);
            }
            #[allow(clippy::unnecessary_cast, reason = "a char of C is signed on some platforms")]
            byte => text.push(byte as u8),
        }
    }
    Err(unknown_language(format!(
        "the code is longer than {MAX_LANG} bytes: pass one such as \"en\", with a zero at its end"
    )))
}

fn unknown_language(detail: impl Display) -> Problem {
    Problem::new(ProblemKind::MalformedRequest, detail.to_string()).about("lang")
}

/// Does the work of a call, and returns the handle of what it returns, or of its problem.
pub(crate) fn keep(
    lang: Result<Lang, Problem>,
    work: impl FnOnce(Lang) -> Result<Kept, Problem>,
) -> u64 {
    let texts = lang.as_ref().copied().unwrap_or_default();
    let done =
        catch_unwind(AssertUnwindSafe(|| work(lang?).map_err(|problem| problem.translate(texts))));
    let kept = done.unwrap_or_else(|_| Err(panicked()));
    kept.unwrap_or_else(|problem| Kept::from_result(Err(problem))).keep()
}

fn panicked() -> Problem {
    let detail = "the library panicked: report it as a bug";
    Problem::new(ProblemKind::Internal, detail).translate(Lang::En)
}

/// Answers a request, and returns the handle of the answer.
pub(crate) fn answer(
    lang: Result<Lang, Problem>,
    ask: impl FnOnce(Lang) -> tilesight_engine::Answer,
) -> u64 {
    keep(lang, |lang| ask(lang).map(|text| Kept::from_result(Ok(text))))
}

/// Returns what a function returns, or `otherwise` if it panics.
pub(crate) fn guard<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handles::find;

    #[test]
    fn a_panic_is_a_problem() {
        let handle = answer(Ok(Lang::De), |_| panic!("as a test"));
        let kept = find(handle).unwrap();
        assert_eq!(kept.status(), 500);
        assert!(guard(false, || true));
        assert!(!guard(false, || panic!("as a test")));
    }

    #[test]
    fn pointers_are_checked_before_they_are_read() {
        // SAFETY: none of these pointers may be read, which is what is tested.
        unsafe {
            assert_eq!(bytes("request", std::ptr::null(), 0), Ok(&[][..]));
            let null = bytes("request", std::ptr::null(), 1).unwrap_err();
            assert_eq!(null.errors[0].field, "request");
            for length in [MAX_INPUT + 1, u64::MAX, u64::MAX / 2 + 1] {
                let problem = bytes("request", b"x".as_ptr(), length).unwrap_err();
                assert_eq!(problem.kind, ProblemKind::TooLarge);
            }
        }
    }

    #[test]
    fn languages_are_codes() {
        // SAFETY: every text has a zero, or is longer than what is read.
        let lang = |text: &[u8]| unsafe { language(text.as_ptr().cast()) };
        assert_eq!(lang(b"de-AT\0"), Ok(Lang::De));
        for wrong in [b"\0".as_slice(), b"tlh\0", b"\xff\xfe\0", &[b'x'; 64]] {
            assert_eq!(lang(wrong).unwrap_err().errors[0].field, "lang");
        }
    }
}
