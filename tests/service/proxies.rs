//! A service behind nginx and Caddy, with the configurations of `deploy/proxy`.
//!
//! Input: the files as they are shipped, of which only name, addresses and certificate are
//! replaced. Each proxy takes a photo that is larger than what proxies accept by default, passes
//! events on while their stream is open, tells the service who its client is, and refuses bodies
//! that are too large. `scripts/setup-proxies` brings both proxies. Traefik's files are compared
//! with the same settings, without Traefik.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use socket2::{Domain, Socket, Type};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::service::{Folder, Service, certificate, folder, tilesight, tls_flags};
use crate::waiting::{PATIENCE, until};

/// Name in the shipped files.
const NAME: &str = "tiles.example";
/// Size of a photo that nginx refuses unless it is configured.
const LARGE: usize = 3_000_000;
/// Size of a piece of a body that is sent until it is refused.
const PIECE: usize = 65_536;

/// A proxy with its service.
struct Proxy {
    process: Child,
    address: SocketAddr,
    certificate: CertificateDer<'static>,
    service: Service,
    _folder: Folder,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the path of a proxy, by its variable, from the search path, or where
/// `scripts/setup-proxies` puts it.
fn program(variable: &str, places: &[&str]) -> PathBuf {
    let named = std::env::var_os(variable).map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let name = places[0];
    let inside = std::env::split_paths(&path).map(|folder| folder.join(name));
    let others = places[1..].iter().map(|place| Path::new(env!("CARGO_MANIFEST_DIR")).join(place));
    let found = named.into_iter().chain(inside).chain(others).find(|file| file.is_file());
    found.unwrap_or_else(|| {
        panic!("{name} is missing: run scripts/setup-proxies, or set {variable}")
    })
}

fn shipped(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/proxy").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Replaces a text that must be there.
fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from:?} is not in {text}");
    text.replace(from, to)
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}

/// Starts a service with one game for each client, and a proxy before it with a configuration that
/// `configure` writes into a folder, of the addresses of proxy and service.
fn start(configure: impl Fn(&Path, u16, SocketAddr, &[String; 4]) -> Command) -> Proxy {
    let folder = folder("proxy");
    let made = certificate();
    let tls = tls_flags(&folder, &made);
    let data = folder.join("data").display().to_string();
    let service = Service::start_as(
        tilesight(),
        &["--data", &data, "--proxy", "127.0.0.1", "--max-games-per-client", "1"],
    );
    let port = free_port();
    let mut command = configure(&folder, port, service.address, &tls);
    let process = command.stdout(Stdio::null()).spawn().expect("the proxy starts");
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let certificate = made.cert.der().clone();
    let proxy = Proxy { process, address, certificate, service, _folder: folder };
    until("the proxy listens", || TcpStream::connect(address).is_ok());
    proxy
}

fn nginx() -> Proxy {
    start(|folder, port, service, tls| {
        let site = shipped("nginx.conf");
        let site = replaced(&site, "127.0.0.1:8080", &service.to_string());
        let site = replaced(&site, "listen 443 ssl", &format!("listen 127.0.0.1:{port} ssl"));
        let site = replaced(&site, "/etc/ssl/tiles.example/chain.pem", &tls[1]);
        let site = replaced(&site, "/etc/ssl/tiles.example/key.pem", &tls[3]);
        fs::write(folder.join("site.conf"), replaced(&site, NAME, "localhost")).expect("a file");
        let place = folder.display();
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("{name}_temp_path {place}/{name};"))
            .join("\n");
        let main = format!(
            "daemon off;\nmaster_process off;\npid {place}/pid;\nerror_log {place}/error.log;\n\
             events {{}}\nhttp {{\naccess_log off;\n{temporary}\ninclude {place}/site.conf;\n}}\n"
        );
        fs::write(folder.join("nginx.conf"), main).expect("a file");
        let mut command = Command::new(program("TILESIGHT_NGINX", &["nginx", "/usr/sbin/nginx"]));
        command.arg("-e").arg(folder.join("error.log"));
        command.arg("-p").arg(folder).arg("-c").arg(folder.join("nginx.conf"));
        command
    })
}

fn caddy() -> Proxy {
    start(|folder, port, service, tls| {
        let site = shipped("Caddyfile");
        let site = replaced(&site, "127.0.0.1:8080", &service.to_string());
        // The certificate of the test, which Caddy would otherwise get for the name.
        let opened = format!("https://localhost:{port} {{\n\ttls {} {}", tls[1], tls[3]);
        let site = replaced(&site, "tiles.example {", &opened);
        let options = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n";
        let file = folder.join("Caddyfile");
        fs::write(&file, format!("{options}{site}")).expect("a file");
        let places = ["caddy", "target/proxies/bin/caddy"];
        let mut command = Command::new(program("TILESIGHT_CADDY", &places));
        command.args(["run", "--adapter", "caddyfile", "--config"]).arg(file);
        command.env("HOME", folder).env("XDG_DATA_HOME", folder).env("XDG_CONFIG_HOME", folder);
        command.stderr(Stdio::null());
        command
    })
}

/// A client of the proxy from an address of this machine.
struct Client(StreamOwned<ClientConnection, TcpStream>, Vec<u8>);

impl Client {
    fn connect(proxy: &Proxy, from: [u8; 4]) -> Client {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        socket.bind(&SocketAddr::from((from, 0)).into()).expect("an address of this machine");
        socket.connect(&proxy.address.into()).expect("the proxy listens");
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut roots = RootCertStore::empty();
        roots.add(proxy.certificate.clone()).expect("a root");
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from("localhost").expect("a name");
        let session = ClientConnection::new(Arc::new(config), name).expect("a client");
        Client(StreamOwned::new(session, stream), Vec::new())
    }

    /// Sends a request, and returns the head of its answer.
    fn ask(&mut self, line: &str, headers: &str, body: &[u8]) -> String {
        let length = body.len();
        let head = format!(
            "{line} HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {length}\r\n\r\n"
        );
        self.0.write_all(head.as_bytes()).expect("it is read");
        // A refused body may be read no further.
        let _ = self.0.write_all(body);
        self.until("\r\n\r\n")
    }

    /// Sends a body piece by piece until an answer comes, and returns its head. Caddy passes on the
    /// refusal of a body while the body comes; if nothing comes, it waits for a minute first.
    fn send_until_answered(&mut self) -> String {
        self.0.sock.set_read_timeout(Some(Duration::from_millis(1))).expect("a timeout");
        // A refused body may be read no further.
        while self.0.write_all(&[0; PIECE]).is_ok() && !self.receives() {}
        self.0.sock.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        self.until("\r\n\r\n")
    }

    /// Returns whether something has come, and keeps it.
    fn receives(&mut self) -> bool {
        let mut bytes = [0; 4096];
        let Ok(count) = self.0.read(&mut bytes) else { return false };
        self.1.extend_from_slice(&bytes[..count]);
        count > 0
    }

    /// Reads until a text has come, and returns everything up to its end.
    fn until(&mut self, end: &str) -> String {
        loop {
            let text = String::from_utf8_lossy(&self.1).into_owned();
            if let Some(at) = text.find(end) {
                let found = text[..at + end.len()].to_owned();
                self.1.drain(..found.len());
                return found;
            }
            let mut bytes = [0; 4096];
            let count = self.0.read(&mut bytes).expect("it answers");
            assert_ne!(count, 0, "it closed after {text:?}");
            self.1.extend_from_slice(&bytes[..count]);
        }
    }
}

#[track_caller]
fn is_status(head: &str, status: u16) {
    assert!(head.starts_with(&format!("HTTP/1.1 {status}")), "{head}");
}

/// Creates a game from an address, and returns the head of the answer.
fn create_game(proxy: &Proxy, from: [u8; 4], headers: &str) -> String {
    let mut client = Client::connect(proxy, from);
    let game = json!({ "players": ["a", "b", "c", "d"] }).to_string();
    let headers = format!("Content-Type: application/json\r\n{headers}");
    client.ask("POST /v1/games", &headers, game.as_bytes())
}

/// Checks what the service needs of a proxy.
fn check(proxy: &Proxy) {
    // A large photo: bytes after a JPEG's end have no meaning.
    let mut photo = fs::read("datasets/samples/demo.jpg").expect("the sample photo");
    photo.resize(LARGE, 0);
    let mut client = Client::connect(proxy, [127, 0, 0, 1]);
    let head = client.ask("POST /v1/hands?win=self_drawn", "Content-Type: image/jpeg\r\n", &photo);
    is_status(&head, 200);
    assert!(head.to_ascii_lowercase().contains("strict-transport-security"), "{head}");

    // Each address is a client of its own, whatever a client claims to be.
    let created = create_game(proxy, [127, 0, 0, 2], "");
    is_status(&created, 201);
    is_status(&create_game(proxy, [127, 0, 0, 3], ""), 201);
    is_status(&create_game(proxy, [127, 0, 0, 2], ""), 429);
    let lie = "X-Forwarded-For: 127.0.0.9\r\n";
    is_status(&create_game(proxy, [127, 0, 0, 2], lie), 429);

    // Events come while their stream is open.
    let game = header(&created, "location");
    let mut events = Client::connect(proxy, [127, 0, 0, 2]);
    is_status(&events.ask(&format!("GET {game}/events"), "", b""), 200);
    events.until("data:");
    events.until("\n\n");
    let etag = header(&created, "etag");
    let rename = json!({ "kind": "rename", "title": "", "players": ["a", "b", "c", "e"] });
    let changed = change(proxy, &game, &etag, &json!({ "action": rename }));
    is_status(&changed, 201);
    events.until("data:");

    // What is larger than any body of the service goes no further than the proxy.
    let mut client = Client::connect(proxy, [127, 0, 0, 4]);
    let head = "POST /v1/hands HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/jpeg\r\n\
                Content-Length: 90000000\r\n\r\n";
    client.0.write_all(head.as_bytes()).expect("it is read");
    is_status(&client.send_until_answered(), 413);
    assert!(proxy.service.client().get("/livez").status == 200);
}

/// Sends a change of a game.
fn change(proxy: &Proxy, game: &str, etag: &str, change: &Value) -> String {
    let mut client = Client::connect(proxy, [127, 0, 0, 2]);
    let headers = format!("Content-Type: application/json\r\nIf-Match: {etag}\r\n");
    client.ask(&format!("POST {game}/changes"), &headers, change.to_string().as_bytes())
}

/// Returns the value of a header.
fn header(head: &str, name: &str) -> String {
    let found = crate::client::header(head, name);
    found.unwrap_or_else(|| panic!("no {name} in {head}")).to_owned()
}

#[test]
fn nginx_passes_on_what_the_service_needs() {
    check(&nginx());
}

#[test]
fn caddy_passes_on_what_the_service_needs() {
    check(&caddy());
}

#[test]
fn the_files_for_traefik_name_what_each_other_defines() {
    let read = |file: &str| -> Value {
        serde_saphyr::from_str(&shipped(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    };
    let [own, site] = ["traefik.yaml", "traefik-tilesight.yaml"].map(read);
    let router = &site["http"]["routers"]["tilesight"];
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    assert!(own["entryPoints"].get(text(&router["entryPoints"][0])).is_some());
    assert!(own["certificatesResolvers"].get(text(&router["tls"]["certResolver"])).is_some());
    assert!(site["http"]["middlewares"].get(text(&router["middlewares"][0])).is_some());
    let balancer = &site["http"]["services"][text(&router["service"])]["loadBalancer"];
    assert!(site["http"]["serversTransports"].get(text(&balancer["serversTransport"])).is_some());
    assert_eq!(balancer["servers"][0]["url"], "http://127.0.0.1:8080");
}
