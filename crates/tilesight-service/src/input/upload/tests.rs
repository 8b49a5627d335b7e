//! Tests of uploads in all forms.

use axum::body::Body;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD as BASE64, URL_SAFE_NO_PAD};
use tilesight_core::explain::Lang;
use tilesight_core::tile::Wind;
use tower::{ServiceExt as _, service_fn};

use super::*;
use crate::testing::{limits, nobody, service};

#[test]
fn a_value_that_is_not_a_photo_is_refused_in_all_languages() {
    let error = serde_json::from_str::<EncodedPhotos>("7").expect_err("a number");
    assert_eq!(error.to_string(), RequestFault::NotPhotos.to_string());
}

const PHOTO: &[u8] = b"\xff\xd8 not looked at here";
const FORM: &str = "multipart/form-data; boundary=edge";

/// Returns the turns of a client who is alone.
fn turns() -> Turns {
    Turns::new(service().admission().clone(), nobody())
}

/// Returns the result of [`UploadHead::receive`] for a request.
async fn receive(
    content_type: &str,
    uri: &str,
    body: impl Into<Body>,
) -> Result<TableRequest<Bytes>, Failure> {
    receive_with_detail(content_type, uri, body).await.map(|(table, _)| table)
}

/// Like [`receive`], with the level of detail of the answer.
async fn receive_with_detail(
    content_type: &str,
    uri: &str,
    body: impl Into<Body>,
) -> Result<(TableRequest<Bytes>, Detail), Failure> {
    let receiving = service_fn(async |request| {
        let head = UploadHead::from_request(&request, &limits());
        Ok::<_, std::convert::Infallible>(head.receive(request, &turns()).await)
    });
    let request = Request::post(uri).header(CONTENT_TYPE, content_type).body(body.into()).unwrap();
    receiving.oneshot(request).await.unwrap()
}

/// Returns a form of parts with their names and contents.
fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, content) in parts {
        let head = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"x\"\r\n\r\n"
        );
        body.extend(head.as_bytes());
        body.extend(*content);
        body.extend(b"\r\n");
    }
    body.extend(b"--edge--\r\n");
    body
}

fn problem_field(failure: &Failure) -> &str {
    match failure {
        Failure::Problem(problem) => &problem.errors[0].field,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn all_forms_carry_the_same() {
    let json =
        format!(r#"{{ "photo": "{}", "context": {{ "seat": "W" }} }}"#, BASE64.encode(PHOTO));
    let url = format!(
        r#"{{ "photo": "data:image/jpeg;base64,{}", "context": {{ "seat": "W" }} }}"#,
        BASE64.encode(PHOTO)
    );
    let uploads = [
        receive("image/jpeg", "/?seat=W", PHOTO).await,
        receive("application/octet-stream", "/?seat=W", PHOTO).await,
        receive("IMAGE/PNG; x=y", "/?seat=W", PHOTO).await,
        receive("application/json; charset=utf-8", "/", json).await,
        receive("application/json", "/", url).await,
        receive(FORM, "/", form(&[("photo", PHOTO), ("context", br#"{ "seat": "W" }"#)])).await,
        receive(FORM, "/", form(&[("context", br#"{ "seat": "W" }"#), ("photo", PHOTO)])).await,
    ];
    for (place, upload) in uploads.into_iter().enumerate() {
        let upload = upload.unwrap_or_else(|failure| panic!("form {place}: {failure:?}"));
        assert_eq!(
            (&upload.photo[..], upload.fields.scoring.context.setup.seat),
            (PHOTO, Some(Wind::West)),
            "form {place}"
        );
    }
    let alone = receive(FORM, "/", form(&[("photo", PHOTO)])).await.unwrap();
    assert_eq!(alone.fields, PhotoFields::default());
}

#[tokio::test]
async fn several_photos_come_in_forms_and_in_json() {
    let second: &[u8] = b"\xff\xd8 another one";
    let json = |photos: &[&[u8]]| {
        let photos: Vec<String> = photos.iter().map(|photo| BASE64.encode(photo)).collect();
        serde_json::json!({ "photo": photos }).to_string()
    };
    let uploads = [
        receive("application/json", "/", json(&[PHOTO, second])).await,
        receive(FORM, "/", form(&[("photo", PHOTO), ("photo", second)])).await,
    ];
    for upload in uploads {
        let upload = upload.unwrap_or_else(|failure| panic!("{failure:?}"));
        assert_eq!((&upload.photo[..], upload.more), (PHOTO, vec![Bytes::from(second)]));
    }
    let alone = receive("application/json", "/", json(&[PHOTO])).await.unwrap();
    assert!(alone.more.is_empty());
    for (body, field) in [
        (json(&[PHOTO; 9]), "photo"),
        (json(&[]), "photo"),
        (json(&[PHOTO, b""]), "photo[1]"),
        (r#"{ "photo": ["/9g=", "?"] }"#.to_owned(), "photo[1]"),
        (r#"{ "photo": ["/9g=", 7] }"#.to_owned(), "photo"),
        (r#"{ "photo": 7 }"#.to_owned(), "photo"),
    ] {
        let failure = receive("application/json", "/", body).await.unwrap_err();
        assert_eq!(problem_field(&failure), field);
    }
}

#[tokio::test]
async fn a_point_comes_in_every_form() {
    let json =
        |focus: &str| format!(r#"{{ "photo": "{}", "focus": {focus} }}"#, BASE64.encode(PHOTO));
    let in_form = || form(&[("photo", PHOTO), ("focus", b"412,300")]);
    let uploads = [
        receive("image/jpeg", "/?focus=412,300", PHOTO).await,
        receive("image/jpeg", "/?focus=412%2C300", PHOTO).await,
        receive("application/json", "/", json(r#"{ "x": 412, "y": 300 }"#)).await,
        receive("application/json", "/", json("\"412,300\"")).await,
        receive(FORM, "/", in_form()).await,
        receive(FORM, "/?focus=412,300", in_form()).await,
    ];
    for (place, upload) in uploads.into_iter().enumerate() {
        let upload = upload.unwrap_or_else(|failure| panic!("form {place}: {failure:?}"));
        assert_eq!(upload.fields.focus, "412,300".parse().ok(), "form {place}");
    }
    assert_eq!(receive(FORM, "/", form(&[("photo", PHOTO)])).await.unwrap().fields.focus, None);
    for (uri, body) in [
        ("/?focus=1,1", in_form()),
        ("/?focus=here", form(&[("photo", PHOTO)])),
        ("/?focus=1,1&focus=1,1", form(&[("photo", PHOTO)])),
    ] {
        let failure = receive(FORM, uri, body).await.expect_err(uri);
        assert_eq!(problem_field(&failure), "focus", "{uri}");
    }
}

#[tokio::test]
async fn the_detail_of_the_answer_comes_in_every_form() {
    let json =
        |detail: &str| format!(r#"{{ "photo": "{}", "detail": {detail} }}"#, BASE64.encode(PHOTO));
    let in_form = || form(&[("photo", PHOTO), ("detail", b"compact")]);
    let plain = form(&[("photo", PHOTO)]);
    for (upload, expected) in [
        (receive_with_detail("image/jpeg", "/?detail=compact", PHOTO).await, Detail::Compact),
        (receive_with_detail("image/jpeg", "/?detail=full", PHOTO).await, Detail::Full),
        (receive_with_detail("image/jpeg", "/", PHOTO).await, Detail::Full),
        (receive_with_detail("application/json", "/", json("\"compact\"")).await, Detail::Compact),
        (receive_with_detail("application/json", "/", json("null")).await, Detail::Full),
        (receive_with_detail(FORM, "/", in_form()).await, Detail::Compact),
        (receive_with_detail(FORM, "/?detail=compact", in_form()).await, Detail::Compact),
        (receive_with_detail(FORM, "/?detail=compact", plain.clone()).await, Detail::Compact),
    ] {
        assert_eq!(upload.map(|(_, detail)| detail), Ok(expected));
    }
    for (content_type, uri, body) in [
        (FORM, "/?detail=full", in_form()),
        (FORM, "/?detail=short", plain.clone()),
        (FORM, "/?detail=full&detail=full", plain),
        (FORM, "/", form(&[("photo", PHOTO), ("detail", b"all")])),
        ("application/json", "/", json("\"all\"").into_bytes()),
    ] {
        let failure = receive_with_detail(content_type, uri, body).await.expect_err(uri);
        assert_eq!(problem_field(&failure), "detail", "{uri}");
    }
}

#[tokio::test]
async fn an_invalid_request_names_its_field() {
    let context = |json: &'static [u8]| form(&[("photo", PHOTO), ("context", json)]);
    let cases = [
        ("no photo", FORM, form(&[("context", b"{}")]), "photo"),
        ("an empty photo", FORM, form(&[("photo", b"")]), "photo"),
        ("nine photos", FORM, form(&[("photo", PHOTO); 9]), "photo"),
        ("an empty second photo", FORM, form(&[("photo", PHOTO), ("photo", b"")]), "photo[1]"),
        ("no such rule set", FORM, form(&[("photo", PHOTO), ("rulesets", b"X")]), "rulesets[0]"),
        ("two contexts", FORM, form(&[("context", b"{}"), ("context", b"{}")]), "context"),
        ("another part", FORM, form(&[("photo", PHOTO), ("file", PHOTO)]), "file"),
        ("a part without a name", FORM, form(&[("photo", PHOTO), ("", PHOTO)]), "body"),
        ("no boundary", "multipart/form-data", form(&[("photo", PHOTO)]), "body"),
        ("a form cut off", FORM, form(&[("photo", PHOTO)])[..90].to_vec(), "body"),
        ("no point", FORM, form(&[("photo", PHOTO), ("focus", b"left")]), "focus"),
        ("two points", FORM, form(&[("focus", b"1,2"), ("focus", b"1,2")]), "focus"),
        ("no region", FORM, form(&[("photo", PHOTO), ("region", b"1,2")]), "region"),
        ("two regions", FORM, form(&[("region", b"1,2 3,4"), ("region", b"1,2 3,4")]), "region"),
        ("half a context", FORM, context(b"{"), "context"),
        ("a context of another shape", FORM, context(b"[1]"), "context"),
        ("a context in a list", FORM, context(b"[\"mcr-wmo\"]"), "context"),
        ("a context too large", FORM, context(&[b' '; 70_000]), "context"),
        ("a misspelt field", FORM, context(br#"{ "sheat": "E" }"#), "context.sheat"),
        ("an unknown wind", FORM, context(br#"{ "seat": "Q" }"#), "context.seat"),
        ("no base64", "application/json", br#"{ "photo": "***" }"#.to_vec(), "photo"),
        ("a photo of another shape", "application/json", br#"{ "photo": 7 }"#.to_vec(), "photo"),
        ("no body", "image/png", Vec::new(), "photo"),
    ];
    for (name, content_type, body, field) in cases {
        let failure = receive(content_type, "/", body).await.expect_err(name);
        assert_eq!(problem_field(&failure), field, "{name}: {failure:?}");
    }
}

#[tokio::test]
async fn forms_are_bounded() {
    let many: Vec<_> = (0..1000).map(|_| ("context", &b"{}"[..])).collect();
    let long = "x".repeat(50_000);
    let head = format!("--edge\r\nContent-Disposition: form-data; name=\"{long}");
    let cases = [
        ("a thousand parts", form(&many), "context"),
        ("a name of 50 KB", form(&[(&long, PHOTO)]), "body"),
        ("a head that never ends", head.into_bytes(), "body"),
        ("no parts", b"--edge--\r\n".to_vec(), "photo"),
        ("only a boundary", b"--edge".to_vec(), "body"),
        ("a part without a name", b"--edge\r\n\r\nx\r\n--edge--\r\n".to_vec(), "body"),
    ];
    for (name, body, field) in cases {
        let failure = receive(FORM, "/", body).await.expect_err(name);
        assert_eq!(problem_field(&failure), field, "{name}: {failure:?}");
        assert!(!format!("{failure:?}").contains("xxxx"), "{name} is not repeated");
    }
    let large = form(&[("photo", &vec![0; limits().body_bytes])]);
    let failure = receive(FORM, "/", large).await.expect_err("too large");
    assert!(matches!(failure, Failure::TooLarge { .. }), "{failure:?}");
}

#[tokio::test]
async fn the_query_counts_in_every_form() {
    let json = |context: &str| {
        let photo = BASE64.encode(PHOTO);
        format!(r#"{{ "photo": "{photo}", "context": {context} }}"#).into_bytes()
    };
    let part = |context: &[u8]| form(&[("photo", PHOTO), ("context", context)]);
    for (content_type, alone, same, other) in [
        ("application/json", json("null"), json(r#"{"seat":"W"}"#), json(r#"{"seat":"N"}"#)),
        (FORM, form(&[("photo", PHOTO)]), part(br#"{"seat":"W"}"#), part(br#"{"seat":"N"}"#)),
    ] {
        for body in [alone.clone(), same] {
            let upload = receive(content_type, "/?seat=W", body).await.expect(content_type);
            assert_eq!(
                upload.fields.scoring.context.setup.seat,
                Some(Wind::West),
                "{content_type}"
            );
        }
        let failure = receive(content_type, "/?seat=W", other).await.expect_err(content_type);
        assert_eq!(problem_field(&failure), "context.seat", "{content_type}");
        let failure = receive(content_type, "/?sheat=W", alone).await.expect_err(content_type);
        assert_eq!(problem_field(&failure), "context.sheat", "{content_type}");
    }
}

#[tokio::test]
async fn an_encoded_body_is_refused() {
    for (codings, taken) in
        [(&["identity"][..], true), (&["gzip"], false), (&["identity", "br"], false)]
    {
        let mut request = Request::post("/").header(CONTENT_TYPE, "image/jpeg");
        for coding in codings {
            request = request.header(CONTENT_ENCODING, *coding);
        }
        let request = request.body(Body::from(PHOTO)).unwrap();
        let head = UploadHead::from_request(&request, &limits());
        let upload = head.receive(request, &turns()).await;
        assert_eq!(upload.err(), (!taken).then_some(Failure::EncodedBody), "{codings:?}");
    }
}

#[tokio::test]
async fn other_types_are_refused() {
    for other in ["text/plain", "", "multipart/mixed; boundary=edge", "video/mp4", "imagejpeg"] {
        let failure = receive(other, "/", PHOTO).await.expect_err(other);
        let Failure::UnsupportedBody { expected } = failure else {
            panic!("{other}: {failure:?}");
        };
        assert!(expected.contains("application/octet-stream"), "each type is listed: {expected}");
    }
}

#[tokio::test]
async fn no_form_may_be_too_large() {
    let huge = vec![b'A'; limits().body_bytes + 1];
    let json = [br#"{ "photo": ""#.as_slice(), &huge, b"\" }"].concat();
    for (content_type, body) in
        [("image/png", huge.clone()), (FORM, form(&[("photo", &huge)])), ("application/json", json)]
    {
        let failure = receive(content_type, "/", body).await.expect_err(content_type);
        assert_eq!(failure, Failure::TooLarge { limit: limits().body_bytes }, "{content_type}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_comes_is_given_up() {
    struct Never;
    impl axum::body::HttpBody for Never {
        type Data = Bytes;
        type Error = std::convert::Infallible;

        fn poll_frame(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<hyper::body::Frame<Bytes>, Self::Error>>> {
            std::task::Poll::Pending
        }
    }
    for content_type in ["image/png", FORM, "application/json"] {
        let failure = receive(content_type, "/", Body::new(Never)).await.expect_err(content_type);
        assert_eq!(failure, Failure::SlowBody, "{content_type}");
    }
}

#[test]
fn base64_comes_in_every_form() {
    let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
    let standard = BASE64.encode(&bytes);
    let lines: Vec<&str> =
        standard.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap()).collect();
    let forms = [
        standard.clone(),
        lines.join("\r\n"),
        format!("{}\n", lines.join("\n")),
        URL_SAFE_NO_PAD.encode(&bytes),
        standard.trim_end_matches('=').to_owned(),
        format!("data:image/jpeg;base64,{standard}"),
    ];
    for form in forms {
        assert_eq!(decode_photo(&form, "photo").unwrap(), bytes, "{form}");
    }
    for wrong in ["%%%", "AAAAA", "AB=C"] {
        let Err(Failure::Problem(problem)) = decode_photo(wrong, "photo") else {
            panic!("{wrong}")
        };
        assert_eq!(problem.errors[0].field, "photo");
        assert!(!problem.errors[0].detail.contains("offset"), "{}", problem.errors[0].detail);
    }
}

#[test]
fn a_hand_is_typed_or_a_photo_in_every_language() {
    for (json, german) in [
        (r#"[{ "seat": "S" }]"#, "others[0]: `hand` oder `photo` fehlt"),
        (
            r#"[{ "seat": "S", "hand": "11m", "photo": "" }]"#,
            "others[0].photo: eine Hand ist entweder getippt (`hand`) oder ein Foto (`photo`), nicht beides",
        ),
    ] {
        let list = serde_json::from_str(json).expect(json);
        let Err(Failure::Problem(problem)) = others_of_list(list) else {
            panic!("{json} was taken")
        };
        assert_eq!(problem.translate(Lang::De).detail.to_string(), german);
    }
}
