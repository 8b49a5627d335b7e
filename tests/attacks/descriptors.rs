//! However many strangers connect, the service keeps descriptors for its own files.

use std::net::TcpStream;
use std::process::Command;

use crate::service::{Service, folder, tilesight};

/// The program under a limit of open files that it can't raise.
fn limited(most: u32) -> Command {
    let mut command = Command::new("sh");
    command.current_dir(tilesight().get_current_dir().expect("the project"));
    command.args(["-c", &format!("ulimit -n {most} && exec \"$0\" \"$@\"")]);
    command.arg(tilesight().get_program());
    command
}

#[test]
fn a_game_is_kept_while_strangers_hold_every_connection() {
    let data = folder("descriptors");
    let data = data.to_str().expect("text");
    let service = Service::start_as(limited(400), &["--data", data, "--connections", "1000"]);
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

#[test]
fn a_limit_that_can_be_raised_is_raised() {
    let mut program = Command::new("sh");
    program.current_dir(tilesight().get_current_dir().expect("the project"));
    program.args(["-c", "ulimit -Sn 200 && exec \"$0\" \"$@\""]).arg(tilesight().get_program());
    let service = Service::start_as(program, &["--connections", "700"]);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", service.process.id()));
    let limits = limits.expect("it runs");
    let line = limits.lines().find(|line| line.starts_with("Max open files")).expect("the limit");
    let soft: u64 = line.split_whitespace().nth(3).expect("a figure").parse().expect("a number");
    assert_eq!(soft, 700 + 256, "{line}");
}
