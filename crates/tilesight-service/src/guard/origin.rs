//! Guard of a service without keys: it answers only requests that name it as host and do not come
//! from another site's page.
//!
//! A browser sends requests for every page that a person visits, also to this machine and its
//! network. Such a page can read the answers if its own name resolves to this machine (DNS
//! rebinding), and without that it can still send a plain form. So the `Host` must be one of the
//! service's names: `localhost`, a loopback address or one of [`Hosts`]; and `Origin` and
//! `Sec-Fetch-Site`, which a page can't forge, must not name another site. A person may follow a
//! link from anywhere to the page, and `/livez` and `/readyz` answer every request: they reveal
//! nothing. Where keys are required, a page has a key only if its owner gave it: then [`cors`]
//! names the sites whose pages may read the answers, and nothing is checked here.

use std::net::IpAddr;
use std::time::Duration;

use axum::extract::Request;
use axum::http::header::{ETAG, HOST, HeaderName, LOCATION, ORIGIN, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method};
use tower_http::cors::{AllowHeaders, CorsLayer};

use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;

/// Maximum time for which a browser may cache the answer to a preflight.
const REMEMBERED: Duration = Duration::from_secs(600);

/// Host names of a service without keys, in addition to this machine's own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hosts {
    names: Vec<String>,
    addresses: bool,
}

impl Hosts {
    /// Returns the hosts with these names or addresses, without scheme or port.
    #[must_use]
    pub fn new<S: AsRef<str>>(names: &[S]) -> Hosts {
        let names = names.iter().map(|name| plain(name.as_ref())).collect();
        Hosts { names, addresses: false }
    }

    /// Returns these hosts with every literal IP address added, for a service that other machines
    /// reach. A page can make its name resolve to this machine, but it can't be loaded from an
    /// address that is not its own.
    #[must_use]
    pub fn with_addresses(self) -> Hosts {
        Hosts { addresses: true, ..self }
    }

    fn serve(&self, host: &str) -> bool {
        is_this_machine(host)
            || self.names.iter().any(|name| *name == plain(host))
            || self.addresses && address(host).is_some()
    }

    /// Returns whether an origin is the service's own: the host that the request names, or one of
    /// these hosts, for a proxy in front of it that uses another name.
    fn own(&self, origin: &HeaderValue, asked: &Authority) -> bool {
        let Some((scheme, authority)) =
            origin.to_str().ok().and_then(|text| text.split_once("://"))
        else {
            return false;
        };
        let usual = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return false,
        };
        let Ok(authority) = authority.parse::<Authority>() else { return false };
        let host = plain(authority.host());
        let port = authority.port_u16().unwrap_or(usual);
        let same = host == plain(asked.host()) && port == asked.port_u16().unwrap_or(usual);
        same || port == usual && self.names.contains(&host)
    }
}

/// Normalizes a host for comparison: a name in lower case without the root's dot, an address in its
/// canonical form.
fn plain(host: &str) -> String {
    match address(host) {
        Some(address) => address.to_string(),
        None => host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase(),
    }
}

/// Parses a host as an IP address, with or without the brackets of IPv6.
fn address(host: &str) -> Option<IpAddr> {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

/// Returns whether a host is this machine: browsers resolve names below `localhost` without a name
/// server.
fn is_this_machine(host: &str) -> bool {
    let name = plain(host);
    let named = name == "localhost" || name.ends_with(".localhost");
    named || address(host).is_some_and(|address| address.is_loopback())
}

/// Returns whether a request names this machine itself as its host.
pub(crate) fn asks_this_machine(request: &Request) -> bool {
    requested_host(request).is_ok_and(|asked| is_this_machine(asked.host()))
}

/// Returns the host of a request. The authority in its first line takes precedence over `Host`.
fn requested_host(request: &Request) -> Result<Authority, Failure> {
    if let Some(authority) = request.uri().authority() {
        return Ok(authority.clone());
    }
    let mut hosts = request.headers().get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Err(Failure::invalid("Host", &ServiceFault::OneHost));
    };
    Authority::try_from(host.as_bytes())
        .ok()
        .filter(|host| !host.as_str().contains('@'))
        .ok_or_else(|| Failure::invalid("Host", &ServiceFault::BadHost))
}

/// Returns whether the browser's headers say that a page of another site sent a request.
fn is_foreign(hosts: &Hosts, asked: &Authority, headers: &HeaderMap) -> bool {
    let mut sites = headers.get_all("sec-fetch-site").iter().map(HeaderValue::as_bytes);
    sites.any(|site| !matches!(site, b"same-origin" | b"none"))
        || headers.get_all(ORIGIN).iter().any(|origin| !hosts.own(origin, asked))
}

/// Returns whether a person opens a page, by a link or by its address. Paths below `/v1` are for
/// programs.
fn opens_a_page(request: &Request) -> bool {
    request.method() == Method::GET
        && has_header(request, "sec-fetch-mode", "navigate")
        && has_header(request, "sec-fetch-dest", "document")
        && !request.uri().path().starts_with("/v1/")
}

fn has_header(request: &Request, name: &str, value: &str) -> bool {
    request.headers().get(name).is_some_and(|sent| sent.as_bytes() == value.as_bytes())
}

/// Checks that a request may be answered without a key.
pub(crate) fn check(hosts: &Hosts, request: &Request) -> Result<(), Failure> {
    let asked = requested_host(request)?;
    if !hosts.serve(asked.host()) {
        return Err(Failure::WrongHost { name: asked.host().to_owned() });
    }
    if is_foreign(hosts, &asked, request.headers()) && !opens_a_page(request) {
        return Err(Failure::ForeignPage);
    }
    Ok(())
}

/// Returns the layer that lets pages of these sites send their key and read the answers, without
/// cookies and without passwords that a browser stores.
pub(crate) fn cors(sites: &[HeaderValue]) -> CorsLayer {
    let named = HeaderName::from_static;
    CorsLayer::new()
        .allow_origin(sites.to_vec())
        .allow_methods([
            Method::GET,
            Method::HEAD,
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
        ])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([
            ETAG,
            LOCATION,
            RETRY_AFTER,
            WWW_AUTHENTICATE,
            named("deprecation"),
            named("idempotency-replayed"),
            named("link"),
            named("ratelimit"),
            named("ratelimit-policy"),
            named("server-timing"),
            named("sunset"),
            named("x-request-id"),
        ])
        .max_age(REMEMBERED)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use axum::body::Body;
    use axum::http::header::{
        ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS,
        ACCESS_CONTROL_ALLOW_ORIGIN, AUTHORIZATION, VARY,
    };

    use super::*;
    use crate::Limits;
    use crate::testing::{Answer, DOCUMENT, limits, send};
    use crate::{Keys, NewKey, Service};

    fn request(method: &str, path: &str, headers: &[(&str, &str)]) -> Request {
        let request = Request::builder().method(method).uri(path);
        let request =
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.body(Body::empty()).unwrap()
    }

    fn checked(hosts: &Hosts, method: &str, path: &str, headers: &[(&str, &str)]) -> u16 {
        match check(hosts, &request(method, path, headers)) {
            Ok(()) => 200,
            Err(Failure::ForeignPage) => 403,
            Err(Failure::WrongHost { .. }) => 421,
            Err(_) => 400,
        }
    }

    #[test]
    fn a_service_answers_to_its_names_alone() {
        let local = Hosts::default();
        let named = Hosts::new(&["Club.example", "192.0.2.7", "2001:DB8:0::2"]);
        let open = Hosts::new(&["club.example"]).with_addresses();
        for (host, statuses) in [
            ("localhost", [200, 200, 200]),
            ("LOCALHOST:8080", [200, 200, 200]),
            ("localhost.", [200, 200, 200]),
            ("tilesight.localhost:8080", [200, 200, 200]),
            ("127.0.0.1:8080", [200, 200, 200]),
            ("127.8.9.10", [200, 200, 200]),
            ("[::1]:8080", [200, 200, 200]),
            ("[::ffff:127.0.0.1]", [200, 200, 200]),
            ("club.example", [421, 200, 200]),
            ("CLUB.example.:443", [421, 200, 200]),
            ("192.0.2.7:8080", [421, 200, 200]),
            ("192.0.2.8:8080", [421, 421, 200]),
            ("[2001:db8::1]", [421, 421, 200]),
            ("[2001:db8::2]:8080", [421, 200, 200]),
            ("0.0.0.0:8080", [421, 421, 200]),
            ("evil.test", [421, 421, 421]),
            ("evil.test:8080", [421, 421, 421]),
            ("127.0.0.1.evil.test", [421, 421, 421]),
            ("localhost.evil.test", [421, 421, 421]),
            ("evillocalhost", [421, 421, 421]),
            ("evil.club.example", [421, 421, 421]),
            ("localhost@evil.test", [400, 400, 400]),
            ("evil.test@localhost", [400, 400, 400]),
            ("local host", [400, 400, 400]),
            ("", [400, 400, 400]),
        ] {
            for (hosts, status) in [&local, &named, &open].into_iter().zip(statuses) {
                assert_eq!(checked(hosts, "GET", "/v1/jobs", &[("host", host)]), status, "{host}");
            }
        }
        let two = [("host", "localhost"), ("host", "evil.test")];
        assert_eq!(checked(&local, "GET", "/v1/jobs", &two), 400, "two of them");
        assert_eq!(checked(&local, "GET", "/v1/jobs", &[]), 400, "none");
        // The first line takes precedence over the header, in both directions.
        let (own, other) = ([("host", "localhost")], [("host", "evil.test")]);
        assert_eq!(checked(&local, "GET", "http://evil.test/v1/jobs", &own), 421);
        assert_eq!(checked(&local, "GET", "http://localhost/v1/jobs", &other), 200);
    }

    #[test]
    fn no_other_sites_page_is_served() {
        let hosts = Hosts::new(&["club.example"]);
        for (host, origin, status) in [
            ("localhost:8080", "http://localhost:8080", 200),
            ("localhost:8080", "http://LOCALHOST:8080", 200),
            ("[::1]:8080", "http://[::1]:8080", 200),
            ("club.example", "http://club.example", 200),
            ("club.example:80", "http://club.example", 200),
            // A proxy that ends TLS in front of the service passes the name on, or uses an address.
            ("club.example", "https://club.example", 200),
            ("127.0.0.1:8080", "https://club.example", 200),
            ("127.0.0.1:8080", "https://club.example:8443", 403),
            ("localhost:8080", "http://localhost:3000", 403),
            ("localhost:8080", "http://localhost", 403),
            ("localhost:8080", "http://127.0.0.1:8080", 403),
            ("localhost:8080", "http://evil.test", 403),
            ("localhost:8080", "http://evil.test:8080", 403),
            ("localhost:8080", "https://localhost.evil.test:8080", 403),
            ("localhost:8080", "null", 403),
            ("localhost:8080", "", 403),
            ("localhost:8080", "file://", 403),
            ("localhost:8080", "chrome-extension://localhost:8080", 403),
        ] {
            for method in ["GET", "POST", "DELETE", "OPTIONS"] {
                let headers = [("host", host), ("origin", origin)];
                let answered = checked(&hosts, method, "/v1/jobs", &headers);
                assert_eq!(answered, status, "{method} {origin} at {host}");
            }
        }
        for (site, status) in [
            ("same-origin", 200),
            ("none", 200),
            ("same-site", 403),
            ("cross-site", 403),
            ("whatever", 403),
        ] {
            let headers = [("host", "localhost"), ("sec-fetch-site", site)];
            assert_eq!(checked(&hosts, "GET", "/v1/jobs", &headers), status, "{site}");
        }
    }

    #[test]
    fn a_link_leads_to_the_page_and_nowhere_else() {
        let hosts = Hosts::default();
        let opened = |method: &str, path: &str, mode: &str, dest: &str| {
            let said = [
                ("host", "localhost"),
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-mode", mode),
                ("sec-fetch-dest", dest),
            ];
            checked(&hosts, method, path, &said)
        };
        assert_eq!(opened("GET", "/", "navigate", "document"), 200);
        assert_eq!(opened("GET", "/docs", "navigate", "document"), 200);
        for (method, path, mode, dest) in [
            ("GET", "/v1/jobs", "navigate", "document"),
            ("POST", "/", "navigate", "document"),
            ("GET", "/", "navigate", "iframe"),
            ("GET", "/", "no-cors", "script"),
            ("GET", "/metrics", "no-cors", "image"),
        ] {
            assert_eq!(opened(method, path, mode, dest), 403, "{method} {path} {mode} {dest}");
        }
    }

    #[tokio::test]
    async fn a_refusal_says_what_to_do_and_health_is_everybodys() {
        let service = Service::builder(limits()).build();
        let evil = [("host", "evil.test")];
        let answer = send(&service, request("GET", "/v1/rulesets", &evil)).await;
        answer.is_problem(421, "misdirected-request");
        let detail = answer.json["detail"].as_str().unwrap();
        assert!(detail.contains("evil.test") && detail.contains("--host"), "{detail}");
        let foreign = [("host", "localhost"), ("origin", "http://evil.test")];
        let answer = send(&service, request("POST", "/v1/score", &foreign)).await;
        answer.is_problem(403, "forbidden");
        assert!(answer.json["detail"].as_str().unwrap().contains("--host"), "{answer:?}");
        assert_eq!(send(&service, request("GET", "/livez", &evil)).await.status, 200);
        assert_eq!(send(&service, request("GET", "/readyz", &evil)).await.status, 503);
        let (path, club) = ("/v1/rulesets", [("host", "club.example")]);
        let hosts = Hosts::new(&["club.example"]);
        let service = Service::builder(limits()).hosts(hosts).build();
        assert_eq!(send(&service, request("GET", path, &club)).await.status, 200);
    }

    const SITE: &str = "https://club.example";

    /// Headers of answers that an app reads.
    const READ: [&str; 6] = [
        "location",
        "retry-after",
        "ratelimit",
        "ratelimit-policy",
        "x-request-id",
        "server-timing",
    ];

    #[tokio::test]
    async fn every_route_is_open_to_the_sites_that_are_named() {
        let new = NewKey::generate(&"app".parse().expect("a name"), NonZeroU32::new(10_000), None)
            .unwrap();
        let keys = Keys::read(&new.line, Limits::default().key_rate).unwrap();
        let service = Service::builder(limits()).keys(keys).sites(&[SITE]).build();
        let bearer = format!("Bearer {}", new.secret);
        let mut routes = 0;
        for (path, methods) in DOCUMENT["paths"].as_object().unwrap() {
            let path = path.replace("{id}", "none").replace(['{', '}'], "");
            for method in methods.as_object().unwrap().keys().filter(|_| path.starts_with("/v1/")) {
                let method = method.to_ascii_uppercase();
                let asked = [
                    ("host", "x"),
                    ("origin", SITE),
                    ("access-control-request-method", &*method),
                    ("access-control-request-headers", "authorization,content-type"),
                ];
                let preflight = send(&service, request("OPTIONS", &path, &asked)).await;
                assert_eq!(preflight.status, 200, "{method} {path}");
                let allowed = preflight.headers["access-control-allow-methods"].to_str().unwrap();
                assert!(allowed.split(',').any(|one| one.trim() == method), "{method} {path}");
                let headers = [("host", "x"), ("origin", SITE), ("authorization", &*bearer)];
                let answer = send(&service, request(&method, &path, &headers)).await;
                assert_ne!(answer.status, 401, "{method} {path}");
                assert_eq!(answer.headers[ACCESS_CONTROL_ALLOW_ORIGIN], SITE, "{method} {path}");
                let exposed = answer.headers["access-control-expose-headers"].to_str().unwrap();
                let exposed: Vec<&str> = exposed.split(',').map(str::trim).collect();
                assert!(READ.iter().all(|name| exposed.contains(name)), "{method} {path}");
                routes += 1;
            }
        }
        assert!(routes > 25, "{routes}");
    }

    /// Returns the answer of a service with a key to a page of a site.
    async fn answer_to(sites: &[&'static str], method: &str, origin: &str, key: bool) -> Answer {
        let new = NewKey::generate(&"app".parse().expect("a name"), None, None).unwrap();
        let keys = Keys::read(&new.line, Limits::default().key_rate).unwrap();
        let service = Service::builder(limits()).keys(keys).sites(sites).build();
        let mut request = request(method, "/v1/rulesets", &[("host", "x"), ("origin", origin)]);
        let headers = request.headers_mut();
        if method == "OPTIONS" {
            headers.insert("access-control-request-method", HeaderValue::from_static("GET"));
            let asked = HeaderValue::from_static("authorization,if-match");
            headers.insert("access-control-request-headers", asked);
        }
        if key {
            headers.insert(AUTHORIZATION, format!("Bearer {}", new.secret).parse().unwrap());
        }
        send(&service, request).await
    }

    #[tokio::test]
    async fn with_keys_a_browser_learns_which_sites_may_read() {
        let preflight = answer_to(&[SITE], "OPTIONS", SITE, false).await;
        assert_eq!(preflight.status, 200, "a preflight has no key");
        assert_eq!(preflight.headers[ACCESS_CONTROL_ALLOW_ORIGIN], SITE);
        assert_eq!(preflight.headers[ACCESS_CONTROL_ALLOW_HEADERS], "authorization,if-match");
        let answer = answer_to(&[SITE], "GET", SITE, true).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.headers[ACCESS_CONTROL_ALLOW_ORIGIN]),
            (200, &HeaderValue::from_static(SITE))
        );
        assert!(
            answer
                .headers
                .get_all(VARY)
                .iter()
                .any(|vary| vary.to_str().unwrap().contains("origin"))
        );
        assert!(!answer.headers.contains_key(ACCESS_CONTROL_ALLOW_CREDENTIALS));
        assert_eq!(answer_to(&[SITE], "GET", SITE, false).await.status, 401, "CORS is no key");
        for (sites, origin) in [(&[SITE][..], "https://evil.test"), (&[SITE], "null"), (&[], SITE)]
        {
            for (method, key) in [("OPTIONS", false), ("GET", true)] {
                let answer = answer_to(sites, method, origin, key).await;
                let may = answer.headers.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN);
                assert!(!may, "{method} from {origin} with {sites:?}");
            }
        }
        assert_ne!(
            answer_to(&[], "OPTIONS", SITE, false).await.status,
            200,
            "off unless it was asked for"
        );
    }
}
