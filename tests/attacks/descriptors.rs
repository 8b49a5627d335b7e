//! The limit of open files: the service keeps descriptors for its own files, however many clients
//! connect.

use std::net::{Ipv4Addr, TcpStream};
use std::process::Command;

use crate::client::Client;
use crate::service::{Service, folder, tilesight};

const ONE_ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 1);

/// The program under a limit of open files, as `ulimit` of a shell sets it.
fn limited(limit: &str) -> Command {
    let mut command = Command::new("sh");
    command.current_dir(tilesight().get_current_dir().expect("the project"));
    command.args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\"")]);
    command.arg(tilesight().get_program());
    command
}

#[test]
fn a_game_is_stored_while_all_connections_are_taken() {
    let data = folder("descriptors");
    let data = data.to_str().expect("text");
    let service = Service::start_as(limited("-n 400"), &["--data", data, "--connections", "1000"]);
    let mut player = service.client();
    let strangers: Vec<_> =
        (0..450).map_while(|_| TcpStream::connect(service.address).ok()).collect();
    assert!(strangers.len() > 200, "{} connected", strangers.len());
    let game = br#"{"players":["Anna","Bo","Clara","Dorte"]}"#;
    let answer = player.post("/v1/games", "application/json", game);
    assert_eq!(answer.status, 201, "{answer:?}");
    let photo = std::fs::read("datasets/samples/demo.jpg").expect("our sample");
    let job = player.post("/v1/jobs", "application/zip", &photo);
    assert!(job.status == 400 || job.status == 422, "no archive, but it was received: {job:?}");
    drop(strangers);
}

/// A soft limit, with which most shells start a program, is below the number of connections.
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
