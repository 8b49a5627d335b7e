//! `Accept-Language`: which of the program's languages a client likes best.
//!
//! Input: the request's headers. Output: a [`Lang`]; English when the header is absent, can't be
//! read, or names none of ours. Never an error: the language is a courtesy.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;

use crate::explain::Lang;

/// The language with the highest weight that the program speaks; of equals, the first.
pub(super) fn preferred(headers: &HeaderMap) -> Lang {
    let values = headers.get_all(ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
    let mut best = (0, Lang::default());
    for (weight, lang) in values.flat_map(|value| value.split(',')).filter_map(range) {
        if weight > best.0 {
            best = (weight, lang);
        }
    }
    best.1
}

/// One language range with its weight in thousandths: `de-AT;q=0.8` is 800 for German.
fn range(text: &str) -> Option<(u32, Lang)> {
    let mut parts = text.split(';').map(str::trim);
    let lang = match parts.next()? {
        "*" => Lang::default(),
        tag => tag.parse().ok()?,
    };
    let weight = parts
        .find_map(|part| part.strip_prefix("q="))
        .map_or(Some(1.0), |q| q.parse::<f32>().ok())?;
    // Weights have three decimals at the most (RFC 9110, 12.4.2).
    (0.0..=1.0).contains(&weight).then(|| ((weight * 1000.0).round() as u32, lang))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_language_that_we_speak() {
        let cases = [
            ("", Lang::En),
            ("de", Lang::De),
            ("de-AT,en;q=0.5", Lang::De),
            ("en;q=0.5, sv;q=0.9", Lang::Sv),
            ("fr, da;q=0.3", Lang::Da),
            ("zh-Hant-TW;q=0.8, *;q=0.1", Lang::Zh),
            ("da, sv", Lang::Da),
            ("de;q=0", Lang::En),
            ("de;q=7, sv;q=0.1", Lang::Sv),
            ("de;q=x", Lang::En),
            (";;;,,,q=1", Lang::En),
        ];
        for (header, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, header.parse().unwrap());
            assert_eq!(preferred(&headers), expected, "{header}");
        }
        assert_eq!(preferred(&HeaderMap::new()), Lang::En);
    }
}
