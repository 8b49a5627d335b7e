//! `tilesight serve` and `tilesight doctor` as processes: how they start, refuse to start, and
//! stop.
//!
//! The tests with photos need ONNX Runtime and the models; without them they fail and print the
//! command to run.

use std::fs;
use std::process::{Command, Output};

use crate::client::header;
use crate::service::{Service, certificate, folder, keys_file, tilesight, tls_flags};
use serde_json::Value;

/// Returns a plain gray picture.
fn grey() -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    let image = image::RgbImage::from_pixel(320, 240, image::Rgb([90, 90, 90]));
    image.write_to(&mut png, image::ImageFormat::Png).expect("PNG holds RGB");
    png.into_inner()
}

#[test]
fn a_photo_is_read_and_damaged_ones_are_rejected() {
    let service = Service::start();
    let mut client = service.client();
    assert_eq!(client.get("/livez").status, 200);
    assert_eq!(client.get("/readyz").status, 200);
    let photo = std::fs::read("datasets/samples/demo.jpg").expect("the sample photo");
    let read = client.post("/v1/hands?win=self_drawn", "image/jpeg", &photo);
    assert_eq!(read.status, 200, "{:?}", String::from_utf8_lossy(&read.body));
    let reading = &read.json()["reading"];
    assert!(reading["tiles"].as_array().is_some_and(|tiles| tiles.len() >= 14), "{reading}");
    assert!(
        header(&read.head, "server-timing").is_some_and(|timing| timing.contains("detect;dur="))
    );
    let empty = client.post("/v1/hands", "image/png", &grey());
    assert_eq!(empty.status, 422);
    assert_eq!(empty.json()["type"], "urn:tilesight:problem:no-hand");
    let broken = client.post("/v1/hands", "image/jpeg", &photo[..photo.len() / 10]);
    assert_eq!(broken.status, 400);
    assert_eq!(header(&broken.head, "content-type"), Some("application/problem+json"));
}

#[test]
fn sigterm_answers_the_request_in_flight() {
    // The body comes after the signal, however long that takes.
    let service = Service::start_with(&["--body-rate", "0", "--body-seconds", "600"]);
    let photo = grey();
    let mut client = service.client();
    client.announce("/v1/hands", "image/png", photo.len());
    assert_eq!(client.answer().status, 100, "the request is in hand");
    service.terminate();
    service.wait_for("stopping");
    client.send(&photo);
    let answer = client.answer();
    assert_eq!(answer.status, 422, "{:?}", String::from_utf8_lossy(&answer.body));
    assert_eq!(answer.json()["type"], "urn:tilesight:problem:no-hand");
    service.ends_well();
}

/// Runs a command without any library or models.
fn without(command: &[&str], models: &str, library: &str) -> Output {
    let environment = [("TILESIGHT_MODELS", models), ("TILESIGHT_ONNXRUNTIME", library)];
    tilesight().args(command).envs(environment).output().expect("the program starts")
}

#[test]
fn missing_files_end_the_service_with_one_line() {
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    for (models, library, named, advice) in [
        ("nowhere", "nowhere", "manifest.json", "TILESIGHT_MODELS names"),
        ("models", "nowhere", "ONNX Runtime", "make setup"),
    ] {
        let output = without(&serve, models, library);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let log = String::from_utf8_lossy(&output.stderr);
        let errors: Vec<_> = log.lines().filter(|line| line.starts_with("error:")).collect();
        assert!(
            errors.len() == 1
                && errors[0].contains(named)
                && errors[0].matches(advice).count() == 1,
            "{log}"
        );
    }
}

/// Returns each line of a process that logs JSON, on both streams.
fn json_lines(args: &[&str], models: &str) -> Vec<Value> {
    let mut program = tilesight();
    program.args(["serve", "--log-json"]).args(args).env("TILESIGHT_MODELS", models);
    let output = program.output().expect("the program runs");
    assert!(!output.status.success());
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    let json = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    text.lines().map(json).collect()
}

#[test]
fn every_line_of_a_json_log_is_json() {
    let refused = json_lines(&["--listen", "0.0.0.0:0"], "models");
    let refused = refused[0]["fields"]["message"].as_str().expect("a message");
    assert!(refused.contains("key"), "{refused}");
    for wrong in ["--wokers=4", "--workers=none", "photo.jpg"] {
        let lines = json_lines(&[wrong], "models");
        let said = lines[0]["fields"]["message"].as_str().expect("a message");
        let name = wrong.split('=').next().expect("a name");
        assert_eq!((lines.len(), said.contains(name)), (1, true), "{lines:?}");
    }
    let broken = json_lines(&["--listen", "127.0.0.1:0"], "/nowhere");
    let address = broken[0]["message"].as_str().expect("the address");
    assert!(address.starts_with("tilesight listens on http://127.0.0.1:"), "{address}");
    assert!(broken.iter().any(|line| line["level"] == "ERROR"), "{broken:?}");
}

#[test]
fn a_host_name_is_an_address_and_what_it_resolves_to_counts() {
    let service = Service::start_as_given(tilesight(), &["--listen", "localhost:0"]);
    assert!(service.address.ip().is_loopback());
    assert_eq!(service.client().get("/livez").status, 200);
    let output = tilesight().args(["serve", "--listen", "0:0"]).output().expect("it runs");
    assert!(!output.status.success());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("without a key") || message.contains("localhost:8080"), "{message}");
}

#[test]
fn an_address_in_use_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let output =
        tilesight().args(["serve", "--listen", &address]).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains(&address), "{output:?}");
}

#[test]
fn the_doctor_finds_everything_in_place() {
    let output = tilesight().args(["doctor", "--json"]).output().expect("the program starts");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["problems"], serde_json::json!([]), "run `make setup`");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(report["onnxruntime"]["sha256"].as_str().map(str::len), Some(64));
    let providers = report["onnxruntime"]["providers"].as_array().expect("providers");
    assert!(
        providers.iter().any(|name| name.as_str().is_some_and(|name| name.starts_with("CPU"))),
        "{providers:?}"
    );
    for model in report["models"].as_array().expect("models") {
        assert_eq!(model["matches"], true, "{model}");
    }
    let text = tilesight().arg("doctor").output().expect("the program starts");
    assert!(String::from_utf8_lossy(&text.stdout).ends_with("Photos can be read.\n"));
}

#[test]
fn the_doctor_lists_everything_that_is_missing() {
    let output = without(&["doctor"], "nowhere", "nowhere");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    let problems: Vec<_> = text.lines().filter(|line| line.starts_with("PROBLEM")).collect();
    assert_eq!(problems.len(), 2, "{text}");
    assert!(
        problems.iter().any(|line| line.contains("ONNX Runtime") && line.contains("make setup")),
        "{text}"
    );
    assert!(problems.iter().any(|line| line.contains("manifest.json")), "{text}");
}

#[test]
fn a_public_address_needs_keys_or_a_flag() {
    let output = tilesight().args(["serve", "--listen", "0.0.0.0:0"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("--keys") && said.contains("--open"), "{said}");
    assert!(output.stdout.is_empty(), "it listened: {output:?}");
}

#[test]
fn a_new_key_is_accepted() {
    let folder = folder("keys");
    let file = folder.join("keys.txt");
    let new = |name: &str| {
        let command = ["keys", "new", name, "--file", file.to_str().expect("plain")];
        tilesight().args(command).output().expect("it starts")
    };
    let made = new("app");
    assert!(made.status.success(), "{made:?}");
    let key = String::from_utf8(made.stdout).expect("text").trim().to_owned();
    let kept = fs::read_to_string(&file).expect("the file was made");
    assert!(!kept.contains(&key), "only the hash is kept: {kept}");
    assert_eq!(new("app").status.code(), Some(3), "the name is taken");
    assert!(new("second").status.success());
    let service = Service::start_with(&["--keys", file.to_str().expect("plain")]);
    let mut client = service.client();
    assert_eq!(client.get("/livez").status, 200);
    let refused = client.get("/v1/rulesets");
    assert_eq!(refused.status, 401);
    assert_eq!(refused.json()["type"], "urn:tilesight:problem:unauthorized");
    client.send(format!(
        "GET /v1/rulesets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n"
    ));
    assert_eq!(client.answer().status, 200);
    let log = service.log_until("key");
    assert!(log.iter().all(|line| !line.contains(&key)), "{log:?}");
}

#[test]
fn flags_override_the_environment_and_that_the_file() {
    let folder = folder("config");
    let file = folder.join("tilesight.toml");
    fs::write(&file, "workers = 5\nwaiting = 6\nmax_body = 7000\n").expect("a file");
    let doctor = |more: &[&str]| {
        let mut command = tilesight();
        command.args(["doctor", "--json", "--config"]).arg(&file).args(more);
        command.env("TILESIGHT_WAITING", "8").env("TILESIGHT_WORKERS", "9");
        let output = command.output().expect("it starts");
        serde_json::from_slice::<Value>(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {output:?}"))
    };
    let report = doctor(&["--workers", "3"]);
    let setting = |name: &str| {
        let all = report["settings"].as_array().expect("a list");
        let one = all.iter().find(|one| one["name"] == name).expect("every setting is listed");
        (one["value"].clone(), one["source"].as_str().expect("a source").to_owned())
    };
    assert_eq!(setting("workers"), (3.into(), "flag".to_owned()));
    assert_eq!(setting("waiting"), (8.into(), "environment".to_owned()));
    assert_eq!(setting("max_body"), (7000.into(), "file".to_owned()));
    assert_eq!(setting("keys"), (Value::Null, "default".to_owned()));
    fs::write(&file, "workers = 5\nworker = 6\n").expect("a file");
    let problems = doctor(&[])["problems"].to_string();
    assert!(problems.contains("line 2") && problems.contains("worker"), "{problems}");
    let serve = tilesight().args(["serve", "--config"]).arg(&file).output().expect("it starts");
    assert_eq!(serve.status.code(), Some(2), "{serve:?}");
}

fn signal(service: &Service, signal: &str) {
    let kill = Command::new("kill").args([signal, &service.process.id().to_string()]).status();
    assert!(kill.expect("kill is there").success());
}

#[test]
fn sighup_never_ends_the_service_and_says_what_was_reloaded() {
    let folder = folder("hangup");
    let file = folder.join("tilesight.toml");
    fs::write(&file, "workers = 1\nwaiting = 6\n").expect("a file");
    let config = file.to_str().expect("a plain path");
    let service = Service::start_with(&["--config", config]);
    let summary = || {
        signal(&service, "-HUP");
        service.log_until("SIGHUP").pop().expect("a line")
    };
    let nothing = summary();
    assert!(nothing.contains("reloaded=\"nothing\""), "{nothing}");
    assert!(nothing.contains("needs_restart=\"nothing\""), "{nothing}");
    fs::write(&file, "workers = 2\nwaiting = 6\n").expect("a file");
    let changed = summary();
    assert!(changed.contains("needs_restart=\"workers\""), "{changed}");
    fs::write(&file, "wokers = 2\n").expect("a file");
    let faulty = summary();
    assert!(faulty.contains("needs_restart=\"unknown") && faulty.contains("line 1"), "{faulty}");
    assert_eq!(service.client().get("/readyz").status, 200);
    service.terminate();
    service.ends_well();

    let keys = keys_file(&folder, &[("app", "secret")]);
    let tls = tls_flags(&folder, &certificate());
    let tls = tls.each_ref().map(String::as_str);
    let service = Service::start_with(&[&["--keys", &keys][..], &tls].concat());
    signal(&service, "-HUP");
    let line = service.log_until("SIGHUP").pop().expect("a line");
    assert!(line.contains("reloaded=\"the certificate, the keys\""), "{line}");
    fs::write(&keys, "nonsense").expect("a file");
    service.wait_for("keeping the previous version");
    signal(&service, "-HUP");
    let line = service.log_until("SIGHUP").pop().expect("a line");
    assert!(line.contains("reloaded=\"the certificate\" failed=\"the keys\""), "{line}");
    service.terminate();
    service.ends_well();
}

/// Asks for the health with as much patience as a busy machine needs.
const PATIENT_HEALTH: [&str; 3] = ["health", "--timeout-seconds", "300"];

#[test]
fn the_health_command_asks_as_the_service_listens() {
    let folder = folder("health");
    let tls = tls_flags(&folder, &certificate());
    let service = Service::start_with(&tls.each_ref().map(String::as_str));
    let file = folder.join("tilesight.toml");
    let settings = |certificate: &str| {
        format!(
            "listen = '{}'\ntls_certificate = '{certificate}'\ntls_key = 'key.pem'\n",
            service.address
        )
    };
    fs::write(&file, settings("chain.pem")).expect("a file");
    let ask = || {
        let asked = tilesight().args(PATIENT_HEALTH).env("TILESIGHT_CONFIG", &file).output();
        asked.expect("it starts")
    };
    let asked = ask();
    assert_eq!(asked.status.code(), Some(0), "{asked:?}");
    // Another program that took the port is not the service.
    fs::write(folder.join("other.pem"), certificate().cert.pem()).expect("a file");
    fs::write(&file, settings("other.pem")).expect("a file");
    let asked = ask();
    assert_eq!(asked.status.code(), Some(3), "{asked:?}");
    service.terminate();
    service.ends_well();
}

#[test]
fn the_doctor_says_which_folders_will_be_created() {
    let folder = folder("doctor-folders");
    let doctor = |place: &str| {
        let place = folder.join(place);
        let output = tilesight().args(["doctor", "--json", "--data"]).arg(place).output();
        let output = output.expect("it starts");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        (output.status.code(), report)
    };
    let (code, report) = doctor("new/jobs");
    assert_eq!((code, &report["problems"]), (Some(0), &serde_json::json!([])), "{report}");
    assert!(report["notes"].to_string().contains("creates it"), "{report}");
    fs::write(folder.join("file"), "text").expect("a file");
    for place in ["file", "file/jobs"] {
        let (code, report) = doctor(place);
        assert_eq!(code, Some(3), "{report}");
        assert!(report["problems"].to_string().contains("not a folder"), "{report}");
    }
}

#[test]
fn a_restored_folder_without_its_key_is_reported() {
    let folder = folder("restored");
    let place = folder.join("jobs");
    let flags = ["--data", place.to_str().expect("a plain path")];
    let service = Service::start_with(&flags);
    service.terminate();
    let log = service.last_words();
    assert!(log.iter().all(|line| !line.contains("this key is new")), "{log:?}");
    service.ends_well();
    let key = place.with_extension("key");
    assert!(key.is_file());
    fs::remove_file(&key).expect("it was there");
    let service = Service::spawn(tilesight(), &flags).expect("it listens");
    service.wait_for("this key is new");
    service.wait_for("ready");
    assert!(key.is_file());
    service.terminate();
    service.ends_well();
}

#[test]
fn a_disk_without_room_for_a_photo_is_not_ready() {
    let folder = folder("full");
    let data = folder.join("jobs");
    let feedback = folder.join("feedback");
    let flags = ["--data", data.to_str().expect("text"), "--feedback"];
    let flags = [&flags[..], &[feedback.to_str().expect("text")]].concat();
    let service = Service::start_with(&flags);
    assert_eq!(service.client().get("/readyz").status, 200);
    for store in ["jobs", "feedback"] {
        let free = service.metric(&format!("tilesight_disk_free_bytes{{store=\"{store}\"}}"));
        let total = service.metric(&format!("tilesight_disk_bytes{{store=\"{store}\"}}"));
        assert!(0.0 < free && free <= total, "{free} of {total}");
    }
    assert!(service.metric("tilesight_jobs_kept_max_bytes") > 0.0);
    assert!(service.metric("tilesight_jobs_kept_bytes").abs() < 0.5);
    service.terminate();
    service.ends_well();
    // No disk of a test machine has room for a photo of a petabyte.
    let large = (1_u64 << 50).to_string();
    let service = Service::start_with(&[&flags[..], &["--max-body", &large]].concat());
    let answer = service.client().get("/readyz");
    assert_eq!(answer.status, 503);
    let detail = answer.json()["detail"].as_str().expect("a text").to_owned();
    assert!(detail.contains("disk of the service is full"), "{detail}");
    assert_eq!(service.client().get("/livez").status, 200);
    service.terminate();
    service.ends_well();
}

#[test]
fn the_health_command_needs_no_other_program() {
    let service = Service::start();
    let ask = |address: &str, more: &[&str]| {
        let asked =
            tilesight().args(PATIENT_HEALTH).args(["--address", address]).args(more).output();
        asked.expect("it starts").status.code()
    };
    let address = service.address.to_string();
    assert_eq!((ask(&address, &[]), ask(&address, &["--tcp"])), (Some(0), Some(0)));
    service.terminate();
    service.ends_well();
    assert_eq!((ask(&address, &[]), ask(&address, &["--tcp"])), (Some(3), Some(3)));
}
