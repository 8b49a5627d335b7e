//! Complete sample answers in the document: a photo in full and compact form, the answer to a
//! doubt, and a problem.
//!
//! Input: the files in `samples/`. Output: `examples` beside the schemas. Invariant: each is what
//! the service returns; a test requests it again, and compares the pages in `docs/` too.

use serde_json::{Value, json};

use super::pointer;

/// Sample answer, and its place in the document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// Name of the sample, in the document and on the pages.
    pub(crate) name: &'static str,
    path: &'static str,
    status: &'static str,
    media: &'static str,
    summary: &'static str,
    /// Text of the answer, in JSON.
    pub(crate) text: &'static str,
}

/// All samples.
pub(crate) const SAMPLES: [Sample; 4] = [
    Sample {
        name: "full",
        path: "/v1/hands",
        status: "200",
        media: "application/json",
        summary: "A photo of 14 tiles that does not show which of them won.",
        text: include_str!("samples/full.json"),
    },
    Sample {
        name: "compact",
        path: "/v1/hands",
        status: "200",
        media: "application/json",
        summary: "The same photo with `detail=compact`.",
        text: include_str!("samples/compact.json"),
    },
    Sample {
        name: "answered",
        path: "/v1/readings/answers",
        status: "200",
        media: "application/json",
        summary: "The same photo when its winning tile is known, with `detail=compact`.",
        text: include_str!("samples/answered.json"),
    },
    Sample {
        name: "problem",
        path: "/v1/score",
        status: "422",
        media: "application/problem+json",
        summary: "A typed hand with two mistakes.",
        text: include_str!("samples/problem.json"),
    },
];

/// Adds the samples to the document.
pub(super) fn add(document: &mut Value) {
    for Sample { name, path, status, media, summary, text } in SAMPLES {
        let place = pointer(&["paths", path, "post", "responses", status, "content", media]);
        let value = serde_json::from_str::<Value>(text);
        if let (Some(Value::Object(content)), Ok(value)) = (document.pointer_mut(&place), value) {
            let examples = content.entry("examples").or_insert_with(|| json!({}));
            examples[name] = json!({ "summary": summary, "value": value });
        }
    }
}
