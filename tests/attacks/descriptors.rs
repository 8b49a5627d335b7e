//! Limits of the system: the service keeps descriptors for its own files, however many clients
//! connect, and reports a full disk.

use std::fs;
use std::io::{Cursor, ErrorKind, Read as _};
use std::net::{Ipv4Addr, TcpStream};
use std::process::Command;

use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use crate::client::{Client, unless_refused};
use crate::service::{Service, folder, tilesight};
use crate::waiting::PATIENCE;

const ONE_ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 1);

/// Returns the program under a limit on open files or on the size of a file, as set by `ulimit` of
/// a shell. The signal for the latter is ignored because it would end the program, and a full disk
/// sends none.
fn limited(limit: &str) -> Command {
    let mut command = Command::new("sh");
    command.current_dir(tilesight().get_current_dir().expect("the project"));
    command.args(["-c", &format!("trap '' XFSZ; ulimit {limit} && exec \"$0\" \"$@\"")]);
    command.arg(tilesight().get_program());
    command
}

#[test]
fn a_game_is_stored_while_all_connections_are_taken() {
    let data = folder("descriptors");
    let data = data.to_str().expect("text");
    let service = Service::start_as(limited("-n 400"), &["--data", data, "--connections", "1000"]);
    let mut player = service.client();
    let strangers: Vec<Option<TcpStream>> =
        (0..450).map(|_| unless_refused(ONE_ADDRESS, service.address, None)).collect();
    let is_closed = |mut stream: &TcpStream| {
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        match stream.read(&mut [0]) {
            Ok(read) => read == 0,
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        }
    };
    let last = strangers.last().expect("all of them");
    assert!(last.as_ref().is_none_or(is_closed), "the strangers have all of their share");
    let game = br#"{"players":["Anna","Bo","Clara","Dorte"]}"#;
    let answer = player.post("/v1/games", "application/json", game);
    assert_eq!(answer.status, 201, "{answer:?}");
    let photo = std::fs::read("datasets/samples/demo.jpg").expect("our sample");
    let job = player.post("/v1/jobs", "application/zip", &photo);
    assert!(job.status == 400 || job.status == 422, "no archive, but it was received: {job:?}");
    drop(strangers);
}

/// Writing beyond the limit on a file's size fails like writing to a full disk.
#[test]
fn a_full_disk_is_reported_and_the_service_goes_on() {
    let data = folder("full-disk");
    let service = Service::start_as(limited("-f 2048"), &["--data", data.to_str().expect("text")]);
    let mut client = service.client();
    let archive = client.post("/v1/jobs", "application/zip", &vec![0; 3 << 20]);
    let noise = RgbImage::from_fn(1000, 1000, |x, y| {
        Rgb((x * 7919 + y * 104_729).wrapping_mul(2_654_435_761).to_be_bytes()[..3]
            .try_into()
            .expect("three"))
    });
    let mut photo = Cursor::new(Vec::new());
    noise.write_to(&mut photo, ImageFormat::Png).expect("memory");
    assert!(photo.get_ref().len() > 2 << 20, "{}", photo.get_ref().len());
    let mut form =
        b"--edge\r\ncontent-disposition: form-data; name=\"photo\"; filename=\"a.png\"\r\n\r\n"
            .to_vec();
    form.extend(photo.get_ref());
    form.extend(b"\r\n--edge--\r\n");
    let photo = client.post("/v1/jobs", "multipart/form-data; boundary=edge", &form);
    for answer in [archive, photo] {
        let problem: Value = answer.json();
        assert_eq!(
            (answer.status, &problem["type"]),
            (507, &json!("urn:tilesight:problem:insufficient-storage")),
            "{problem}"
        );
    }
    assert_eq!(fs::read_dir(data.join("photos")).expect("it is there").count(), 0);
    let game = br#"{"players":["Anna","Bo","Clara","Dorte"]}"#;
    assert_eq!(client.post("/v1/games", "application/json", game).status, 201);
}

#[test]
fn feedback_that_has_no_room_is_refused_and_leaves_nothing() {
    let data = folder("full-feedback");
    let feedback = data.to_str().expect("text");
    let service = Service::start_as(limited("-f 8"), &["--feedback", feedback]);
    let document = tilesight_service::document();
    let body = &document["paths"]["/v1/feedback"]["post"]["requestBody"]["content"];
    let example = &body["application/json"]["examples"]["without_photo"]["value"];
    let mut client = service.client();
    let mut send = |body: &Value| {
        let answer = client.post("/v1/feedback", "application/json", body.to_string().as_bytes());
        (answer.status, answer.json()["type"].clone())
    };
    let full = (507, json!("urn:tilesight:problem:insufficient-storage"));
    assert_eq!(send(example), full);
    let left: Vec<_> = fs::read_dir(&*data)
        .expect("it is there")
        .map(|entry| entry.expect("it can be listed").file_name())
        .filter(|name| name != "clock.json")
        .collect();
    assert!(left.is_empty(), "{left:?}");
    // A reading without its tiles is shorter than the limit.
    let mut short = example.clone();
    short["reading"]["tiles"] = json!([]);
    short["reading"]["doubts"] = json!([]);
    short["reading"]["score"] = Value::Null;
    assert_eq!(send(&short).0, 202);
}

/// The service is not ready once something else has replaced the folder of photos.
#[test]
fn a_file_in_place_of_the_photos_makes_the_service_unready() {
    let data = folder("photos-replaced");
    let service = Service::start_with(&["--data", data.to_str().expect("text")]);
    let mut client = service.client();
    assert_eq!(client.get("/readyz").status, 200);
    fs::remove_dir(data.join("photos")).expect("an empty folder");
    fs::write(data.join("photos"), b"").expect("a file");
    assert_eq!(client.get("/readyz").status, 503);
    fs::remove_file(data.join("photos")).expect("removed");
    fs::create_dir(data.join("photos")).expect("a folder");
    assert_eq!(client.get("/readyz").status, 200);
}

/// The service is not ready once received data would be written to another place.
#[test]
fn a_link_in_place_of_what_is_received_makes_the_service_unready() {
    let data = folder("incoming-replaced");
    let service = Service::start_with(&["--data", data.to_str().expect("text")]);
    let mut client = service.client();
    assert_eq!(client.get("/readyz").status, 200);
    let incoming = data.join("incoming");
    fs::remove_dir(&incoming).expect("an empty folder");
    assert_eq!(client.get("/readyz").status, 503, "it is gone");
    std::os::unix::fs::symlink(data.join("photos"), &incoming).expect("a link");
    assert_eq!(client.get("/readyz").status, 503);
    fs::remove_file(&incoming).expect("removed");
    fs::create_dir(&incoming).expect("a folder");
    assert_eq!(client.get("/readyz").status, 200);
}

/// A soft limit, as set by most shells, is below the number of connections.
#[test]
fn the_soft_limit_is_raised() {
    let flags = ["--connections", "700", "--health-listen", "127.0.0.1:0"];
    let service = Service::start_as(limited("-Sn 128"), &flags);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", service.process.id()));
    let limits = limits.expect("it runs");
    let line = limits.lines().find(|line| line.starts_with("Max open files")).expect("the limit");
    let soft: u64 = line.split_whitespace().nth(3).expect("a figure").parse().expect("a number");
    assert_eq!(soft, 700 + 256, "{line}");
    let mut many: Vec<Client> =
        (0..200).map(|_| Client::connect_from(ONE_ADDRESS, service.address)).collect();
    let health = service.health.expect("it was given one");
    assert_eq!(Client::connect(health).get("/livez").status, 200);
    for client in &mut many {
        assert_eq!(client.get("/livez").status, 200);
    }
}
