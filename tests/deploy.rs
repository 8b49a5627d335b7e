//! The examples in deploy/ against the program: what they tell it to do, it must know.
//!
//! Input: the container's file and the YAML of compose and Kubernetes. Output: a line for everything that is not
//! there: a command, a flag, a variable of the environment, a port, a path, a folder, a stream. Neither a container
//! nor a cluster is needed. Invariant: a file that names nothing of the program is a mistake of this test.

#![cfg(all(feature = "cli", feature = "fleet"))]

mod nats;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tilesight::jobs::Nats;
use tilesight::jobs::nats::Options;

const COMPOSE: [&str; 2] = ["deploy/compose.yaml", "deploy/fleet/compose.yaml"];
const KUBERNETES: [&str; 2] = ["deploy/kubernetes.yaml", "deploy/fleet/kubernetes.yaml"];
const CONTAINER: &str = "deploy/Containerfile";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The documents of a YAML file, anchors and merged keys put in.
fn documents(file: &str) -> Vec<Value> {
    let documents = serde_saphyr::from_multiple(&text(file));
    documents.unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// What a command of the program says of itself; `None` where there is no such command.
fn help(command: &[String]) -> Option<String> {
    let program =
        Command::new(env!("CARGO_BIN_EXE_tilesight")).args(command).arg("--help").output();
    let program = program.expect("the program runs");
    program.status.success().then(|| String::from_utf8(program.stdout).expect("it is text"))
}

/// What is wrong with arguments and variables for the program.
fn check(place: &str, arguments: &[String], variables: &[String]) -> Vec<String> {
    let words: Vec<String> =
        arguments.iter().take_while(|word| word.chars().all(char::is_lowercase)).cloned().collect();
    // `keys new app` is a command of two words with a name behind it.
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

/// A directive of the container's file with what follows it on its line.
fn directives<'a>(container: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    container.lines().filter_map(move |line| line.strip_prefix(name)?.strip_prefix(' '))
}

/// The command that the container runs unless told otherwise.
fn default_command(container: &str) -> Vec<String> {
    let command = directives(container, "CMD").last().expect("it runs something");
    serde_json::from_str(command).expect("a list")
}

/// The port that the container listens on, as text.
fn port(container: &str) -> String {
    directives(container, "EXPOSE").next().expect("it listens").to_owned()
}

#[test]
fn the_container_is_made_of_what_is_there() {
    let container = text(CONTAINER);
    let mut wrong = Vec::new();
    for line in directives(&container, "COPY").filter(|line| !line.starts_with("--from")) {
        let mut sources: Vec<&str> = line.split_whitespace().collect();
        sources.pop();
        let missing = sources.iter().filter(|source| !root().join(source).exists());
        wrong.extend(missing.map(|source| format!("{CONTAINER}: there is no {source}")));
    }
    let variables = directives(&container, "ENV").flat_map(str::split_whitespace);
    let variables: Vec<String> =
        variables.filter_map(|pair| Some(pair.split_once('=')?.0.to_owned())).collect();
    assert!(!variables.is_empty());
    wrong.extend(check(CONTAINER, &default_command(&container), &variables));
    assert!(container.contains(&format!("TILESIGHT_LISTEN=0.0.0.0:{} ", port(&container))));
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn compose_tells_the_program_what_it_knows() {
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

#[test]
fn kubernetes_tells_the_program_what_it_knows() {
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

/// The container listens where its service and its probes look for it, and answers there.
fn ports_and_probes(file: &str, own: &Value, documents: &[Value], listens: &str) {
    let described: Value = tilesight::http::document();
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

/// The commands that the comments tell people to run.
#[test]
fn commands_in_comments_are_the_programs() {
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

/// KEDA looks at the streams and consumers that the program makes.
#[tokio::test]
async fn the_scaler_looks_at_streams_that_are_there() {
    let server = nats::Server::start();
    Nats::open(&server.url(), &Options::default()).await.expect("the server is there");
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
