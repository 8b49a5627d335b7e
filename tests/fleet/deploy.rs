//! The examples in deploy/ against the program, which must know everything that they use.
//!
//! Input: the container's file and the YAML of compose and Kubernetes. Output: a line for each
//! unknown command, flag, environment variable, port, path, folder or stream. Neither a container
//! nor a cluster is needed; the NATS servers of the fleet run with the example's own settings and
//! certificates, which requires openssl. Invariant: a file in which this test finds nothing to
//! check is an error.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use async_nats::client::RequestErrorKind;
use futures_util::TryStreamExt as _;
use serde_json::{Value, json};
use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_fleet::Nats;
use tilesight_fleet::{NatsOptions, Role};
use tilesight_jobs::{
    Backend, Company, Engine, FailResult, JobId, NewItem, NewJob, Outcome, Priority, Standing,
    StoreError, Task, Timestamp, Work,
};
use tilesight_vision::contract::TableRequest;
use tilesight_vision::networks::{Manifest, ModelPaths};

use crate::batches;
use crate::client::when_stored;
use crate::nats;
use crate::service;
use crate::waiting::PATIENCE;

const COMPOSE: [&str; 2] = ["deploy/compose.yaml", "deploy/fleet/compose.yaml"];
const KUBERNETES: [&str; 2] = ["deploy/kubernetes.yaml", "deploy/fleet/kubernetes.yaml"];
/// Patch for the service of the first file when it is used with the second.
const PATCH: &str = "deploy/fleet/service.yaml";
const CONTAINER: &str = "deploy/Containerfile";
/// Unit of systemd.
const UNIT: &str = "deploy/tilesight.service";
/// Container with the Debian package of a release instead of a build.
const PACKAGED: &str = "deploy/Containerfile.package";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Returns the documents of a YAML file, with anchors and merged keys resolved.
fn documents(file: &str) -> Vec<Value> {
    let documents = serde_saphyr::from_multiple(&text(file));
    documents.unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Returns the help text of a command of the program; `None` if there is no such command.
fn help(command: &[String]) -> Option<String> {
    let program =
        Command::new(env!("CARGO_BIN_EXE_tilesight")).args(command).arg("--help").output();
    let program = program.expect("the program runs");
    program.status.success().then(|| String::from_utf8(program.stdout).expect("it is text"))
}

/// Checks arguments and variables; returns the faults.
fn check(place: &str, arguments: &[String], variables: &[String]) -> Vec<String> {
    let words: Vec<String> =
        arguments.iter().take_while(|word| word.chars().all(char::is_lowercase)).cloned().collect();
    // `keys new app` is a command of two words followed by a name.
    let Some(help) = (1..=words.len()).rev().find_map(|count| help(&words[..count])) else {
        return vec![format!("{place}: the program has no command {words:?}")];
    };
    let known: HashSet<&str> =
        help.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).collect();
    let flags = arguments.iter().filter(|word| word.starts_with("--"));
    let flags = flags.filter_map(|flag| flag.split('=').next());
    let variables =
        variables.iter().map(String::as_str).filter(|name| name.starts_with("TILESIGHT_"));
    let unknown = flags.chain(variables).filter(|name| !known.contains(name));
    unknown
        .map(|name| format!("{place}: `tilesight {}` knows no {name}", words.join(" ")))
        .collect()
}

fn strings(list: &Value) -> Vec<String> {
    let list = list.as_array().map_or(&[][..], Vec::as_slice);
    list.iter().map(|word| word.as_str().expect("a text").to_owned()).collect()
}

/// Returns the directives of a kind in the container's file, as the rests of their lines.
fn directives<'a>(container: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    container.lines().filter_map(move |line| line.strip_prefix(name)?.strip_prefix(' '))
}

/// Returns the default command of the container.
fn default_command(container: &str) -> Vec<String> {
    let command = directives(container, "CMD").last().expect("it runs something");
    serde_json::from_str(command).expect("a list")
}

/// Returns the port that the container listens on, as text.
fn port(container: &str) -> String {
    directives(container, "EXPOSE").next().expect("it listens").to_owned()
}

#[test]
fn the_container_uses_existing_files() {
    let container = text(CONTAINER);
    let mut wrong = Vec::new();
    for line in directives(&container, "COPY").filter(|line| !line.starts_with("--from")) {
        let mut sources: Vec<&str> = line.split_whitespace().collect();
        sources.pop();
        let missing = sources.iter().filter(|source| !root().join(source).exists());
        wrong.extend(missing.map(|source| format!("{CONTAINER}: there is no {source}")));
    }
    let copied = |member: &str| {
        directives(&container, "COPY").any(|line| {
            let mut folders = line.split_whitespace().filter(|part| !part.starts_with('-'));
            folders.any(|folder| Path::new(member).starts_with(folder))
        })
    };
    let manifest: toml::Table = text("Cargo.toml").parse().expect("TOML");
    let members = manifest["workspace"]["members"].as_array().expect("packages");
    let members = members.iter().map(|member| member.as_str().expect("a folder"));
    let forgotten = members.filter(|member| !copied(member));
    wrong.extend(forgotten.map(|member| format!("{CONTAINER}: {member} is not copied")));
    let variables = directives(&container, "ENV").flat_map(str::split_whitespace);
    let variables: Vec<String> =
        variables.filter_map(|pair| Some(pair.split_once('=')?.0.to_owned())).collect();
    assert!(!variables.is_empty());
    wrong.extend(check(CONTAINER, &default_command(&container), &variables));
    assert!(container.contains(&format!("TILESIGHT_LISTEN=0.0.0.0:{} ", port(&container))));
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_container_of_a_package_is_configured_as_the_other() {
    let (built, packaged) = (text(CONTAINER), text(PACKAGED));
    for name in ["ENV", "USER", "EXPOSE", "STOPSIGNAL", "CMD"] {
        let of = |container: &str| directives(container, name).last().map(str::to_owned);
        assert!(of(&built).is_some(), "{name}");
        assert_eq!(of(&packaged), of(&built), "{name}");
    }
    let entry = directives(&packaged, "ENTRYPOINT").last().map(str::to_owned);
    assert_eq!(entry.as_deref(), Some(r#"["/usr/bin/tilesight"]"#));
}

#[test]
fn compose_uses_existing_settings() {
    let container = text(CONTAINER);
    let mut wrong = Vec::new();
    for file in COMPOSE {
        let [compose] = &documents(file)[..] else { panic!("{file} is one document") };
        let services = compose["services"].as_object().expect("services");
        let own = services.iter().filter(|(_, service)| service["image"] == "tilesight");
        let own: Vec<_> = own.collect();
        assert!(!own.is_empty(), "{file}");
        for (name, service) in own {
            let place = format!("{file}, {name}");
            let command = match &service["command"] {
                Value::Null => default_command(&container),
                command => strings(command),
            };
            let variables = service["environment"].as_object().expect("variables");
            wrong.extend(check(&place, &command, &variables.keys().cloned().collect::<Vec<_>>()));
            for published in strings(&service["ports"]) {
                let inside = published.rsplit(':').next().expect("a part");
                assert_eq!(inside, port(&container), "{place}");
            }
            let folder = PathBuf::from(file).parent().expect("a folder").to_owned();
            let context = service["build"]["context"].as_str().expect("a folder");
            let recipe = service["build"]["dockerfile"].as_str().expect("a file");
            let context = root().join(folder).join(context).canonicalize().expect("it is there");
            assert_eq!(context, root().canonicalize().expect("it is there"), "{place}");
            assert!(context.join(recipe).is_file(), "{place}");
            for other in strings(&service["depends_on"]) {
                assert!(services.contains_key(&other), "{place} waits for {other}");
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Checks that what the service of the first example stores is in a volume that its user owns.
#[test]
fn compose_keeps_jobs_evenings_and_feedback_in_volumes() {
    let containers = [text(CONTAINER), text(PACKAGED)];
    let [compose] = &documents(COMPOSE[0])[..] else { panic!("one document") };
    let service = &compose["services"]["tilesight"];
    assert_eq!(service["read_only"], true);
    let mounted = strings(&service["volumes"]);
    for (variable, key) in [("TILESIGHT_DATA", true), ("TILESIGHT_FEEDBACK", false)] {
        let folder = service["environment"][variable].as_str().expect(variable);
        let is_inside = |volume: &str, path: &str| {
            volume.split(':').nth(1).is_some_and(|place| Path::new(path).starts_with(place))
        };
        let volume = mounted.iter().find(|volume| is_inside(volume, folder)).expect(folder);
        let (name, place) = volume.split_once(':').expect("a name and a place");
        assert!(compose["volumes"].as_object().expect("volumes").contains_key(name), "{name}");
        assert!(!key || folder != place, "the key beside {folder} would be lost");
        for container in &containers {
            let made = container.lines().find(|line| line.contains("install --directory"));
            let made = made.expect("folders are made");
            assert!(made.split_whitespace().any(|word| word == place), "{place}: {made}");
            assert!(made.contains("--owner 10001"), "{made}");
        }
    }
}

/// Returns a setting of the unit.
fn setting<'a>(unit: &'a str, name: &str) -> &'a str {
    let found = unit.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    found.unwrap_or_else(|| panic!("{UNIT} has no {name}"))
}

/// Checks the unit's command against the program, and the whole unit with systemd where that is.
#[test]
fn the_systemd_unit_starts_and_reloads_the_program() {
    let unit = text(UNIT);
    let start = setting(&unit, "ExecStart");
    let mut words = start.split_whitespace();
    assert_eq!(words.next(), Some("/usr/bin/tilesight"));
    let arguments: Vec<String> = words.map(str::to_owned).collect();
    assert_eq!(check(UNIT, &arguments, &[]), Vec::<String>::new());
    assert_eq!(setting(&unit, "ExecReload"), "/bin/kill -HUP $MAINPID");
    // The folder of docs/operations.md.
    assert_eq!(setting(&unit, "StateDirectory"), "tilesight");
    let folder = service::folder("unit");
    let file = folder.join("tilesight.service");
    let here = unit.replace("/usr/bin/tilesight", env!("CARGO_BIN_EXE_tilesight"));
    fs::write(&file, here).expect("a file");
    let verified = Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&file).output();
    // Other systems have no systemd.
    let Ok(verified) = verified else { return };
    let said = String::from_utf8_lossy(&verified.stderr);
    assert!(verified.status.success() && !said.contains("tilesight.service:"), "{said}");
}

/// Starts the program with the settings of the first example, of which only places are replaced.
#[test]
fn compose_starts_a_service_with_evenings_jobs_and_sets() {
    let [compose] = &documents(COMPOSE[0])[..] else { panic!("one document") };
    let folder = service::folder("compose");
    let keys = folder.join("keys.txt");
    let key = service::new_key(&keys, "app");
    let mut program = service::tilesight();
    let settings = compose["services"]["tilesight"]["environment"].as_object().expect("settings");
    for (name, value) in settings {
        let value = value.as_str().expect("a text");
        match name.as_str() {
            "TILESIGHT_KEYS" => program.env(name, &keys),
            "TILESIGHT_HEALTH_LISTEN" => program.env(name, "127.0.0.1:0"),
            // Folders in volumes, which the image has.
            _ => match value.strip_prefix('/') {
                Some(place) => {
                    let volume = place.split('/').next().expect("a name");
                    fs::create_dir_all(folder.join(volume)).expect("a folder");
                    program.env(name, folder.join(place))
                }
                None => program.env(name, value),
            },
        };
    }
    let service = service::Service::start_as(program, &[]);
    let headers = format!("Authorization: Bearer {key}\r\nContent-Type: application/json\r\n");
    let players = br#"{ "players": ["Anna", "Bo", "Clara", "Dorte"] }"#;
    let game = service.client().request("POST", "/v1/games", &headers, players);
    assert_eq!(game.status, 201, "{game:?}");
    for path in ["/v1/jobs", "/v1/games", "/v1/series", "/v1/sets"] {
        let list = service.client().request("GET", path, &headers, b"");
        assert_eq!(list.status, 200, "{path}: {list:?}");
    }
    let ready = service.client().get("/readyz");
    assert_eq!(ready.status, 200, "{ready:?}");
}

#[test]
fn kubernetes_uses_existing_settings() {
    let container = text(CONTAINER);
    let mut wrong = Vec::new();
    for file in KUBERNETES {
        let documents = documents(file);
        let is =
            |kind: &'static str| documents.iter().filter(move |document| document["kind"] == kind);
        assert_eq!(is("Deployment").count(), 1, "{file}");
        let deployment = is("Deployment").next().expect("it was counted");
        let pod = &deployment["spec"]["template"]["spec"];
        let [own] = &pod["containers"].as_array().expect("containers")[..] else {
            panic!("{file}: one container")
        };
        let arguments = match &own["args"] {
            Value::Null => default_command(&container),
            arguments => strings(arguments),
        };
        let variables = own["env"].as_array().expect("variables").iter();
        let variables = variables.map(|variable| variable["name"].as_str().expect("a name"));
        let variables: Vec<String> = variables.map(str::to_owned).collect();
        wrong.extend(check(file, &arguments, &variables));
        assert_eq!(own["image"], "tilesight:latest", "{file}");
        let labels = &deployment["spec"]["template"]["metadata"]["labels"];
        assert_eq!(&deployment["spec"]["selector"]["matchLabels"], labels, "{file}");
        ports_and_probes(file, own, &documents, &port(&container));
        for scaled in is("HorizontalPodAutoscaler").chain(is("ScaledObject")) {
            let target = &scaled["spec"]["scaleTargetRef"]["name"];
            assert_eq!(*target, deployment["metadata"]["name"], "{file}");
        }
        // Named in a comment, for the secret of the keys.
        if let Some(secret) = pod["volumes"][0]["secret"]["secretName"].as_str() {
            assert!(text(file).contains(&format!("create secret generic {secret} ")), "{file}");
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Asserts that the container listens on the port of its service and its probes.
fn ports_and_probes(file: &str, own: &Value, documents: &[Value], listens: &str) {
    let described: Value = tilesight_service::document();
    let ports = own["ports"].as_array().map_or(&[][..], Vec::as_slice);
    let health = own["env"].as_array().into_iter().flatten();
    let health = health.filter(|variable| variable["name"] == "TILESIGHT_HEALTH_LISTEN");
    let health = health.filter_map(|variable| variable["value"].as_str()?.rsplit(':').next());
    let answered: Vec<&str> = health.chain([listens]).collect();
    for open in ports {
        assert!(answered.contains(&&*open["containerPort"].to_string()), "{file}: {open}");
    }
    let named = |name: &Value| ports.iter().any(|port| port["name"] == *name);
    for service in documents.iter().filter(|document| document["kind"] == "Service") {
        assert!(named(&service["spec"]["ports"][0]["targetPort"]), "{file}");
    }
    for probe in ["startupProbe", "readinessProbe", "livenessProbe"] {
        let asked = &own[probe]["httpGet"];
        if asked.is_null() {
            continue;
        }
        let path = asked["path"].as_str().expect("a path");
        assert!(named(&asked["port"]) && described["paths"].get(path).is_some(), "{file}: {path}");
    }
}

/// The commands that the comments tell the reader to run exist.
#[test]
fn commands_in_comments_exist() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for file in COMPOSE.into_iter().chain(KUBERNETES) {
        let text = text(file);
        let comments = text.lines().filter_map(|line| line.strip_prefix("#   "));
        for command in comments.flat_map(|line| line.split("&&")) {
            let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
            let words = words.iter().take_while(|word| *word != "#" && *word != "\\");
            let words: Vec<String> = words.cloned().collect();
            if words.first().is_some_and(|word| word == "tilesight") {
                wrong.extend(check(file, &words[1..], &[]));
                count += 1;
            }
            let files = words.windows(2).filter(|pair| pair[0] == "-f").map(|pair| &pair[1]);
            let missing = files.filter(|name| !root().join(name).is_file());
            wrong.extend(missing.map(|name| format!("{file}: there is no {name}")));
        }
    }
    assert!(count >= 3, "only {count} commands were found");
    assert_eq!(wrong, Vec::<String>::new());
}

/// KEDA uses the streams and consumers that the program creates.
#[tokio::test]
async fn the_scaler_uses_existing_streams() {
    let server = nats::Server::start();
    Nats::open(&server.url(), &nats::patient()).await.expect("the server is there");
    let client = async_nats::connect(server.url()).await.expect("the server is there");
    let streams = async_nats::jetstream::new(client);
    let documents = documents(KUBERNETES[1]);
    let scaled = documents.iter().find(|document| document["kind"] == "ScaledObject");
    let triggers = scaled.expect("workers are scaled")["spec"]["triggers"].as_array();
    let triggers = triggers.expect("something triggers it");
    assert_eq!(triggers.len(), 2, "one for each priority");
    for trigger in triggers {
        let name = |field: &str| trigger["metadata"][field].as_str().expect("a name").to_owned();
        let stream = streams.get_stream(name("stream")).await.expect("the program made it");
        stream.consumer_info(name("consumer")).await.expect("the program made it");
    }
}

/// The files that a container's variables name are on its volumes, from secrets that the commands
/// in the comments create.
#[test]
fn members_get_their_certificates() {
    let comments = text(KUBERNETES[1]);
    let [patch] = &documents(PATCH)[..] else { panic!("{PATCH} is one document") };
    let deployments = documents(KUBERNETES[1]);
    let worker = deployments.iter().find(|document| document["kind"] == "Deployment");
    let mut wrong = Vec::new();
    for (place, deployment) in [(PATCH, patch), (KUBERNETES[1], worker.expect("the workers"))] {
        let pod = &deployment["spec"]["template"]["spec"];
        let container = &pod["containers"][0];
        let pairs = container["env"].as_array().expect("variables").iter();
        let pairs = pairs.map(|pair| (pair["name"].as_str(), pair["value"].as_str()));
        let settings: BTreeMap<&str, &str> =
            pairs.filter_map(|(name, value)| Some((name?, value?))).collect();
        let words = if place == PATCH { "serve" } else { "worker" };
        let names: Vec<String> = settings.keys().map(|name| (*name).to_owned()).collect();
        wrong.extend(check(place, &[words.to_owned()], &names));
        assert!(settings["TILESIGHT_NATS"].starts_with("tls://"), "{place}");
        assert_eq!(settings["TILESIGHT_NATS_API"], nats::example::API, "{place}");
        let secret = pod["volumes"][0]["secret"]["secretName"].as_str().expect("a secret");
        let made = comments
            .split("kubectl create secret generic ")
            .find(|command| command.starts_with(secret));
        let made = made.unwrap_or_else(|| panic!("{place}: nobody makes {secret}"));
        let service = ["SEAL_KEY"].into_iter().filter(|_| place == PATCH);
        for name in ["NATS_CA", "NATS_CERTIFICATE", "NATS_KEY"].into_iter().chain(service) {
            let file = Path::new(settings[format!("TILESIGHT_{name}").as_str()]);
            let folder = file.parent().and_then(Path::to_str).expect("a folder");
            assert_eq!(container["volumeMounts"][0]["mountPath"], folder, "{place}");
            let key = file.file_name().and_then(|name| name.to_str()).expect("a file");
            assert!(made.contains(&format!("--from-file={key}=")), "{place}: {key} of {secret}");
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Every pod has a policy: no pod is reachable by everyone, and the servers only by the fleet.
#[test]
fn every_pod_has_a_policy() {
    let documents: Vec<Value> = KUBERNETES.into_iter().flat_map(documents).collect();
    let is = |kind: &'static str| documents.iter().filter(move |document| document["kind"] == kind);
    let selected: Vec<&Value> =
        is("NetworkPolicy").map(|p| &p["spec"]["podSelector"]["matchLabels"]).collect();
    for deployment in is("Deployment") {
        let labels = &deployment["spec"]["template"]["metadata"]["labels"];
        let count = selected.iter().filter(|selected| **selected == labels).count();
        assert!(count > 0, "{labels} has no policy");
    }
    let nats = json!({ "app.kubernetes.io/name": "nats" });
    let policy = is("NetworkPolicy").find(|p| p["spec"]["podSelector"]["matchLabels"] == nats);
    let policy = policy.expect("the servers have a policy");
    let members = &policy["spec"]["ingress"][0]["from"][0]["podSelector"]["matchExpressions"][0];
    let apps: Vec<&Value> =
        is("Deployment").map(|d| &d["spec"]["template"]["metadata"]["labels"]["app"]).collect();
    assert_eq!(members["values"].as_array().expect("pods").iter().collect::<Vec<_>>(), apps);
    for rule in policy["spec"]["ingress"].as_array().expect("rules") {
        assert!(rule["from"].is_array() && rule["ports"].is_array(), "{rule}");
    }
}

/// The example's servers require TLS and client certificates, and accept no stranger as a cluster
/// member.
#[test]
fn the_example_servers_require_certificates() {
    let [values] = &documents("deploy/fleet/nats-values.yaml")[..] else { panic!("one document") };
    let config = &values["config"];
    assert_eq!(config["nats"]["tls"]["merge"]["verify_and_map"], true);
    assert_eq!(config["cluster"]["tls"]["merge"]["verify_cert_and_check_known_urls"], true);
    assert_eq!(config["merge"]["$include"], "./accounts.conf");
    assert!(text(KUBERNETES[1]).contains("data.accounts\\.conf=deploy/fleet/accounts.conf"));
    let [compose] = &documents(COMPOSE[1])[..] else { panic!("one document") };
    let services = compose["services"].as_object().expect("services");
    let servers = services.iter().filter(|(name, _)| name.starts_with("nats-"));
    for (name, server) in servers {
        let volumes = strings(&server["volumes"]);
        assert!(volumes.contains(&"./nats.conf:/fleet/nats.conf:ro".to_owned()), "{name}");
        assert!(volumes.contains(&"./accounts.conf:/fleet/accounts.conf:ro".to_owned()), "{name}");
        assert_eq!(strings(&server["command"])[..2], ["--config", "/fleet/nats.conf"], "{name}");
        assert_eq!(server["working_dir"], "/fleet", "where `secrets` is");
        let routes = strings(&server["command"]).join(" ");
        let others = services.keys().filter(|other| other.starts_with("nats-") && *other != name);
        for other in others {
            assert!(routes.contains(&format!("nats-route://{other}:6222")), "{name}");
        }
    }
    for member in ["tilesight", "worker"] {
        let variables = &services[member]["environment"];
        assert_eq!(variables["TILESIGHT_NATS_API"], nats::example::API, "{member}");
    }
    let secrets = compose["secrets"].as_object().expect("secrets");
    for (name, service) in services {
        let named = service["secrets"].as_array().expect("each has some").iter();
        for secret in named.map(|secret| secret["source"].as_str().or(secret.as_str())) {
            assert!(secrets.contains_key(secret.expect("a name")), "{name}: {secret:?}");
        }
    }
    let account = documents(KUBERNETES[1]);
    let scaled = account.iter().find(|document| document["kind"] == "ScaledObject");
    for trigger in scaled.expect("workers")["spec"]["triggers"].as_array().expect("triggers") {
        let account = trigger["metadata"]["account"].as_str().expect("an account");
        assert!(
            text("deploy/fleet/accounts.conf").contains(&format!("\n  {account} {{")),
            "{account}"
        );
    }
}

/// Returns a program with the example's settings for a role.
fn as_role(mut program: Command, example: &nats::example::Example, role: &str) -> Command {
    program.envs(example.variables(role)).env("TILESIGHT_NATS", example.urls());
    nats::make_patient(&mut program);
    if role == "worker" {
        program.env("TILESIGHT_SWEEP", "false");
    }
    program
}

/// Returns the standard error of a process until its end.
fn last_words(running: &mut batches::Running) -> Vec<String> {
    let pipe = running.0.stderr.take().expect("piped");
    BufReader::new(pipe).lines().map_while(Result::ok).collect()
}

/// The example's servers, certificates and permissions with a real service, worker and batch:
/// photos are read, results arrive, everything is deleted, and no permission is missing.
#[test]
fn the_example_fleet_reads_photos() {
    let example = nats::example::Example::start();
    let program = as_role(service::tilesight(), &example, "service");
    let service = service::Service::start_as(program, &["--job-workers", "0"]);
    let folder = batches::Folder::new("example");
    let worker = as_role(folder.other("worker", &["--workers", "1"]), &example, "worker")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut worker = batches::Running(worker.expect("the program starts"));

    let mut client = service.client();
    let form = "Content-Type: multipart/form-data; boundary=edge\r\n";
    let mut body =
        b"--edge\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n"
            .to_vec();
    body.extend(batches::demo(0));
    body.extend(b"\r\n--edge--\r\n");
    let made = when_stored(|| client.request("POST", "/v1/jobs", form, &body));
    assert_eq!(made.status, 202, "{}", String::from_utf8_lossy(&made.body));
    let job = format!("/v1/jobs/{}", made.json()["id"].as_str().expect("an id"));
    // The events end with the job.
    when_stored(|| client.get(&format!("{job}/events")));
    let results = when_stored(|| client.get(&format!("{job}/results")));
    let row: Value = serde_json::from_slice(&results.body).expect("one row");
    assert!(row["reading"]["hand"].is_object(), "{row}");
    service.delete_job(&job);

    // A photo of many messages, a broken one, and the first one again.
    let large: Vec<u8> = batches::demo(0).into_iter().chain(vec![0; 1_500_000]).collect();
    folder.write("photos/a.jpg", &large);
    folder.write("photos/b.jpg", &large[..3000]);
    folder.write("photos/c.jpg", &large);
    let urls = example.urls();
    let mut batch =
        as_role(folder.command(&["photos", "--out", "out", "--nats", &urls]), &example, "service");
    let output = batch.output().expect("the program runs");
    assert_eq!(output.status.code(), Some(1), "one is broken: {output:?}");
    let rows = folder.rows("out/results.jsonl");
    assert_eq!(rows.iter().filter(|row| row["reading"]["hand"].is_object()).count(), 2, "{rows:?}");

    worker.signal("-TERM");
    service.terminate();
    let mut said = service.last_words();
    said.extend(last_words(&mut worker));
    said.push(batches::text(&output.stderr).to_owned());
    for line in said {
        assert!(!line.contains("sent an error") && !line.contains("OPEN"), "{line}");
    }
}

/// Submits tasks of photos, as a service does.
async fn hand_in(service: &Backend, photos: &[Vec<u8>]) -> (JobId, Vec<Task>) {
    let manifest = Manifest::load(&ModelPaths::from_environment()).expect("the models");
    let engine = Engine::new(&manifest, &Book::shipped());
    let new = NewJob::new(JobId::random().expect("random numbers"));
    service.store.create(&new).await.expect("created");
    let mut tasks = Vec::new();
    for photo in photos {
        let photo = service.store.put_photo(&new.id, photo).await.expect("kept");
        tasks.push(Task::new(TableRequest::from_photo(photo), Lang::En, engine));
    }
    let item = |task: &Task| NewItem { id: task.key.to_string(), work: Work::Read(task.clone()) };
    let items: Vec<NewItem> = tasks.iter().map(item).collect();
    service.submit(&new.id, 0, &items, Priority::Normal).await.expect("submitted");
    service.store.seal(&new.id).await.expect("sealed");
    (new.id, tasks)
}

/// A worker has all permissions that it needs, and none that are reserved for services.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_has_only_the_permissions_it_needs() {
    let example = nats::example::Example::start();
    let open = async |role| Nats::open(&example.urls(), &example.options(role)).await;
    let service = Arc::new(open(Role::Service).await.expect("the service is let in")).backend();
    let worker = Arc::new(open(Role::Worker).await.expect("the worker is let in")).backend();
    let large: Vec<u8> = (0..1_500_000_u32).map(|n| (n % 251) as u8).collect();
    let photos = [large, b"one".to_vec(), b"two".to_vec()];
    let (job, tasks) = hand_in(&service, &photos).await;

    let name = "worker".parse().expect("a name");
    let lease = async || {
        let lease = worker.queue.lease(&name, PATIENCE).await.expect("the queue answers");
        lease.expect("a task waits")
    };
    let outcome = Outcome::from_problem(Problem::new(ProblemKind::NoHand, "none"));
    // One photo is read, with every request that can occur.
    let first = lease().await;
    worker.queue.begin(&first, Company::Alone).await.expect("begun");
    worker.queue.extend(&first).await.expect("extended");
    let photo = worker.store.photo(&first.task.table.photo).await.expect("fetched");
    assert!(photos.contains(&photo.expect("it is there")));
    let key = first.task.key;
    worker.queue.give_back(first).await.expect("given back");
    let mut failed = FailResult::Retried;
    while failed == FailResult::Retried {
        let again = lease().await;
        worker.queue.begin(&again, Company::Alone).await.expect("begun");
        if again.task.key != key {
            worker.store.put_outcome(&again.task.key, &outcome).await.expect("written");
            worker.queue.complete(again).await.expect("done");
            continue;
        }
        if again.is_last() {
            worker.store.put_outcome(&key, &outcome).await.expect("written");
        }
        failed = worker.queue.fail(again, "tried").await.expect("noted");
    }
    for task in &tasks {
        let standing = worker.store.standing(&task.key).await;
        if standing == Ok(Standing::Wanted) {
            let last = lease().await;
            worker.store.put_outcome(&last.task.key, &outcome).await.expect("written");
            worker.queue.complete(last).await.expect("done");
        }
    }
    let stray = Task::new(
        TableRequest::from_photo(tasks[0].table.photo),
        Lang::En,
        "ab".repeat(32).parse().expect("one"),
    );
    worker.store.put_outcome(&stray.key, &outcome).await.expect("written");
    let state = service.store.job(&job).await.expect("answers").expect("there");
    assert!(state.finished.is_some(), "{state:?}");
    assert_eq!(service.queue.dead_letters(10).await.expect("answers").len(), 1);

    // Forbidden requests are never answered, so all are sent at once.
    let (kind, id) = ("game".parse().expect("a name"), "one".parse().expect("a name"));
    service.store.save(&kind, &id, None, b"secret").await.expect("saved");
    let mut new = state.new.clone();
    new.id = JobId::random().expect("random numbers");
    let refused = tokio::join!(
        async { worker.store.load(&kind, &id).await.map(|_| ()) },
        async { worker.store.save(&kind, &id, None, b"forged").await.map(|_| ()) },
        worker.store.create(&new),
        worker.store.cancel(&job),
        worker.store.delete(&job),
        async { worker.store.put_photo(&job, b"another").await.map(|_| ()) },
    );
    for refused in [refused.0, refused.1, refused.2, refused.4, refused.5] {
        assert!(matches!(refused, Err(StoreError::Unavailable { .. })), "{refused:?}");
    }
    // A job that has ended can't be cancelled.
    refused.3.expect("nothing was asked");
    assert_eq!(service.store.job(&job).await, Ok(Some(state)));
    service.store.delete(&job).await.expect("deleted");
    service.store.expire(Timestamp::now()).await.expect("swept");
    for task in &tasks {
        service.queue.delete_dead_letter(&task.key).await.expect("forgotten");
    }
}

/// Direct requests with a role's certificate: all are refused, and nothing changes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_servers_refuse_forbidden_requests() {
    let example = nats::example::Example::start();
    let options = example.options(Role::Service);
    let service = Nats::open(&example.urls(), &options).await.expect("the service is let in");
    let service = Arc::new(service).backend();
    let (job, _) = hand_in(&service, &[b"one".to_vec()]).await;
    let admin = async_nats::jetstream::new(example.intruder("admin").await.0);
    let before = streams(&admin).await;
    let api = [
        "STREAM.DELETE.KV_tilesight_jobs",
        "STREAM.DELETE.tilesight_normal",
        "STREAM.UPDATE.tilesight_normal",
        "STREAM.PURGE.KV_tilesight_jobs",
        "STREAM.PURGE.KV_tilesight_documents",
        "STREAM.SNAPSHOT.KV_tilesight_documents",
        "CONSUMER.DELETE.tilesight_normal.workers",
        "CONSUMER.CREATE.KV_tilesight_documents",
        "CONSUMER.CREATE.KV_tilesight_documents.workers",
        "STREAM.NAMES",
    ];
    let workers_api = [
        "STREAM.CREATE.other",
        "STREAM.PURGE.tilesight_normal",
        "STREAM.PURGE.OBJ_tilesight_photos",
        "STREAM.INFO.KV_tilesight_documents",
        "STREAM.MSG.GET.KV_tilesight_documents",
        "DIRECT.GET.KV_tilesight_documents",
        "STREAM.MSG.DELETE.KV_tilesight_tasks",
        "STREAM.MSG.DELETE.OBJ_tilesight_photos",
        "CONSUMER.CREATE.tilesight_normal.workers",
        "$KV.tilesight_jobs.layout",
        "$KV.tilesight_kept.photo.one",
        "$KV.tilesight_documents.game.one",
    ];
    let workers = [
        format!("$KV.tilesight_jobs.job.{job}"),
        format!("{}.$KV.tilesight_jobs.job.{job}", nats::example::API),
        "$O.tilesight_photos.C.one".to_owned(),
        "$O.tilesight_photos.M.one".to_owned(),
    ];
    let everybody = ["other.high.task", "$SYS.REQ.SERVER.PING", "_INBOX.tilesight.service.one"];
    let asked = |parts: &[&str]| -> Vec<String> {
        parts.iter().map(|part| format!("{}.{part}", nats::example::API)).collect()
    };
    let of_services = [asked(&api), everybody.map(str::to_owned).to_vec()].concat();
    let of_workers = [of_services.clone(), asked(&workers_api), workers.to_vec()].concat();
    let subscriptions = [">", "_INBOX.>", "$KV.>", "$O.>", "tilesight.>", "$JS.>", "$SYS.>"];
    for (role, subjects, other) in [
        ("service", of_services, "_INBOX.tilesight.worker.>"),
        ("worker", of_workers, "_INBOX.tilesight.service.>"),
    ] {
        let (client, refusals) = example.intruder(role).await;
        for subject in subjects {
            // The role's own account has no JetStream API: requests to it change nothing.
            let own = subject.replacen(nats::example::API, "$JS.API", 1);
            client.publish(own, "{}".into()).await.expect("sent");
            match client.request(subject.clone(), "{}".into()).await {
                Err(error) if error.kind() == RequestErrorKind::NoResponders => {}
                done => panic!("the {role} may use {subject}: {done:?}"),
            }
        }
        for subject in subscriptions.into_iter().chain([other]) {
            let _subscription = client.subscribe(subject).await.expect("sent");
            client.flush().await.expect("sent");
            refused(&refusals, role, subject);
        }
        // An answer goes to the subject that the request names, but only to the requester.
        for subject in ["STREAM.INFO.tilesight_normal", "CONSUMER.INFO.tilesight_normal.workers"] {
            for reply in ["$KV.tilesight_kept.photo.one", "$JS.API.STREAM.PURGE.KV_tilesight_jobs"]
            {
                let subject = format!("{}.{subject}", nats::example::API);
                client.publish_with_reply(subject, reply, "".into()).await.expect("sent");
            }
        }
        // Answered after the earlier requests.
        let last = format!("{}.STREAM.INFO.tilesight_normal", nats::example::API);
        client.request(last, "".into()).await.expect("it is the role's own");
    }
    assert_eq!(streams(&admin).await, before);
    // No connection without a certificate, and no member's certificate joins the cluster.
    let nobody = NatsOptions { certificate: None, ..options };
    let stranger = Nats::open(&example.urls(), &nobody).await;
    assert!(matches!(stranger, Err(StoreError::Unavailable { .. })), "{stranger:?}");
    example.is_refused_as_server("worker");
}

/// Returns every stream with its settings, the number of its last message, and the number of its
/// consumers.
async fn streams(admin: &async_nats::jetstream::Context) -> Vec<String> {
    let mut names: Vec<String> =
        admin.stream_names().try_collect().await.expect("the account's own");
    names.sort();
    let mut found = Vec::new();
    for name in names {
        let stream = admin.get_stream(&name).await.expect("it is there");
        let info = stream.cached_info();
        let state = &info.state;
        found.push(format!(
            "{:?} {} {} {}",
            info.config, state.messages, state.last_sequence, state.consumer_count
        ));
    }
    found
}

/// Waits until the servers have reported that they refuse access to a subject.
fn refused(refusals: &Receiver<String>, role: &str, subject: &str) {
    let named = format!("to \"{subject}\"").to_lowercase();
    loop {
        let settings = refusals.recv_timeout(PATIENCE);
        let settings =
            settings.unwrap_or_else(|_| panic!("the {role} may use {subject}")).to_lowercase();
        if settings.contains("permissions violation") && settings.contains(&named) {
            return;
        }
    }
}
