//! The example client, against a service on a socket.

#[expect(dead_code, reason = "the test calls what `main` calls")]
#[path = "../../examples/client.rs"]
mod client;

use tilesight_service::Limits;

use crate::socket::Server;

#[test]
fn the_client_scores_a_hand_and_shows_what_is_wrong() {
    let server = Server::start(Limits::default());
    let service = client::Service { address: server.address.to_string(), key: None };
    let score = service.score("123m456m789m222s11m|SE1000").expect("a winning hand");
    assert!(score["total"].as_u64().is_some_and(|total| total >= 8), "{score}");
    let error = service.score("11m").expect_err("two tiles").to_string();
    assert!(error.contains("tiles"), "{error}");
    let error = service.read(b"not a photo").expect_err("no models are loaded").to_string();
    assert!(!error.is_empty() && !error.contains("null"), "{error}");
    server.stop();
}
