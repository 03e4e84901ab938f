//! The recorder follows the rules of every other call, rejects requests of foreign pages, and replaces encoded secrets.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE};
use vitalwire_testkit::{Server, json, response};

use crate::common::{run, vitalwire};
use crate::record::RunningRecorder;

const TOKEN: &str = "canary-7f3a9c51e2b84d06/x?y";
/// Maximum time for a response of the recorder.
const MAX_TIME: Duration = Duration::from_secs(30);

fn recorder(base_url: &str, folder: &Path, variables: &[(&str, &str)]) -> RunningRecorder {
    let mut command = vitalwire();
    command.args(["record", "--base-url", base_url, "--to"]).arg(folder).envs(variables.iter().copied());
    RunningRecorder::start_command(command)
}

/// Sends a request as it is written. Returns the status and the whole response.
fn send(recorder: &RunningRecorder, target: &str, headers: &str) -> (u16, String) {
    let host = recorder.base_url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).expect("a connection");
    stream.set_read_timeout(Some(MAX_TIME)).expect("a timeout");
    let host = if headers.contains("host:") { String::new() } else { format!("host: {host}\r\n") };
    write!(stream, "GET {target} HTTP/1.1\r\n{host}connection: close\r\n{headers}\r\n").expect("a request");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    (response[9..12].parse().expect("a status"), response)
}

fn recording(folder: &Path) -> String {
    let files = std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    files.map(|path| std::fs::read_to_string(path).expect("text")).collect()
}

#[test]
fn plain_http_to_another_machine_is_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("new");
    let output = run(&["record", "--base-url", "http://192.0.2.2:1", "--to", to.to_str().expect("text")]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(10), "{stderr}");
    assert!(stderr.contains("https is required") && !stderr.contains("192.0.2.2") && !to.exists(), "{stderr}");
}

#[test]
fn limits_and_deadlines_of_the_client_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::with_script(|request, _| match request.target() {
        "GET /large" => json(200, &format!("\"{}\"", "x".repeat(5000))),
        _ => vitalwire_testkit::Reply::SendAndHang(Vec::new()),
    });
    let limits = [("VITALWIRE_MAX_RESPONSE_BYTES", "4000"), ("VITALWIRE_TIMEOUT", "1"), ("HTTP_PROXY", "http://127.0.0.1:1")];
    let recorder = recorder(&server.url(), &folder.path().join("r"), &limits);
    let (status, text) = send(&recorder, "/large", "");
    assert!(status == 502 && text.contains("the response is larger than"), "{text}");
    let (status, text) = send(&recorder, "/silent", "");
    assert!(status == 504 && text.contains("deadline passed"), "{text}");
    assert!(recorder.end().contains("0 exchanges were recorded"));
}

#[test]
fn every_status_is_forwarded_once_and_pauses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::with_script(|request, _| match request.target() {
        "GET /limited" => response(429, &[("retry-after", "3600")], b"later"),
        "GET /moved" => response(302, &[("location", "http://127.0.0.1:1/")], b""),
        _ => response(503, &[("content-type", "text/plain")], b"down"),
    });
    let recorder = recorder(&server.url(), &folder.path().join("r"), &[]);
    for (path, expected, part) in [("/limited", 429, "later"), ("/moved", 302, "location: http://127.0.0.1:1/"), ("/down", 503, "down")] {
        let (status, text) =
            send(&recorder, path, &format!("authorization: Bearer {TOKEN}\r\nx-own: 1\r\nconnection: x-hop\r\nx-hop: 1\r\n"));
        assert!(status == expected && text.contains(part), "{text}");
    }
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    for request in requests {
        assert_eq!((request.bearer(), request.header("x-own"), request.header("x-hop")), (Some(TOKEN), Some("1"), None));
    }
    assert!(recorder.end().contains("3 exchanges were recorded"));
}

#[test]
fn requests_of_foreign_pages_and_beyond_the_base_path_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::always(json(200, "{}"));
    let recorder = recorder(&format!("{}/gate/tenant1", server.url()), &folder.path().join("r"), &[]);
    for (headers, status) in [
        ("host: evil.test\r\n", 421),
        ("host: evil.test\r\norigin: http://evil.test\r\n", 421),
        ("origin: http://evil.test\r\n", 403),
        ("origin: null\r\n", 403),
        ("sec-fetch-site: cross-site\r\n", 403),
    ] {
        assert_eq!(send(&recorder, "/v3/userinfo", headers).0, status, "{headers}");
    }
    for path in
        ["/../tenant2/x", "/v3/../../tenant2", "/%2e%2e/tenant2/x", "/.%2E/x", "//192.0.2.2:1/x", "/..\\x", "/a/..%5c..%5cx", "/%2e%2e%2fx"]
    {
        let (status, text) = send(&recorder, path, "");
        assert!(status == 400 && !text.contains("tenant"), "{path}: {text}");
    }
    assert_eq!(server.count(), 0);
    assert_eq!(send(&recorder, "/v3/x%2Fy?a=1&b=%20c", "").0, 200);
    assert_eq!(server.requests()[0].target(), "GET /gate/tenant1/v3/x%2Fy?a=1&b=%20c");
    assert!(recorder.end().contains("1 exchanges were recorded"));
}

#[test]
fn encoded_forms_of_the_token_are_replaced() {
    let hex: String = TOKEN.bytes().map(|byte| format!("{byte:02x}")).collect();
    let escaped: String = TOKEN.chars().map(|character| format!("\\u{:04x}", u32::from(character))).collect();
    let percent = TOKEN.replace('/', "%2F").replace('?', "%3f");
    let mut forms = vec![TOKEN.to_owned(), hex.clone(), hex.to_uppercase(), percent.replace("%3f", "%3F"), percent.to_lowercase()];
    for before in ["", "a", "ab", "Bearer "] {
        let text = format!("{before}{TOKEN}-");
        forms.extend([BASE64_STANDARD.encode(&text), BASE64_URL_SAFE.encode(&text)]);
    }
    let text = forms.join("\nsee ");
    let fields: Vec<String> =
        forms.iter().enumerate().map(|(at, form)| format!("\"f{at}\":{}", serde_json::Value::from(form.as_str()))).collect();
    let object = format!("{{{},\"{TOKEN}\":1,\"note\":\"{escaped}\",\"slash\":\"{}\"}}", fields.join(","), TOKEN.replace('/', "\\/"));
    let binary = [b"\xff\x00", TOKEN.as_bytes(), b"\xfe"].concat();
    // The token is known from the second exchange on, and replaced in the first one too.
    let bodies = [(200, object.clone().into_bytes()), (200, object.into_bytes()), (200, text.into_bytes()), (200, binary)];
    let server = Server::with_script(move |_, number| response(bodies[number].0, &[("content-type", "text/plain")], &bodies[number].1));
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("r");
    let recorder = recorder(&server.url(), &folder, &[]);
    assert_eq!(send(&recorder, "/first", "").0, 200);
    for path in ["/object", "/text", "/binary"] {
        let host = recorder.base_url.trim_start_matches("http://").to_owned();
        let mut stream = TcpStream::connect(&host).expect("a connection");
        stream.set_read_timeout(Some(MAX_TIME)).expect("a timeout");
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\nauthorization: Bearer {TOKEN}\r\n\r\n")
            .expect("a request");
        stream.read_to_end(&mut Vec::new()).expect("a response");
    }
    assert!(recorder.end().contains("4 exchanges were recorded"));
    let all = recording(&folder);
    // The middle of each form, which does not depend on the bytes beside it.
    let inner = |form: &str| form.chars().skip(4).take(form.len() - 10).collect::<String>();
    for form in forms.iter().chain([&escaped]).map(|form| inner(form)) {
        assert!(!all.contains(&form), "{form} is left in {all}");
    }
    assert!(!all.contains(&TOKEN.replace('/', "\\/")) && all.contains("credential-1"));
    let encoded = all.split("\"base64\": \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a binary body");
    assert_eq!(BASE64_STANDARD.decode(encoded).expect("base64"), b"\xff\x00credential-1\xfe");
    vitalwire::mock::MockResponses::from_folder(&folder).expect("a recording");
}

#[test]
fn ids_and_credentials_of_forms_headers_and_objects_are_replaced() {
    let body = r#"{"patientId":"canary-1","member_number":"canary-2","identifier":[{"value":"canary-3"}],"session":"canary-4",
        "link":"https://canary-5:canary-6@h.example/?access_token=canary-7","from":"canary-8 of canary-cookie","steps":71}"#;
    let server = Server::always(json(200, body));
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("r");
    let recorder = recorder(&server.url(), &folder, &[]);
    let form = "username=canary-9&password=canary-10&steps=72";
    let head = format!("x-api-key: canary-8\r\ncookie: a=canary-cookie\r\ncontent-length: {}\r\n\r\n{form}", form.len());
    assert_eq!(send(&recorder, "/x?apiKey=canary-11&email=canary%4012", &head).0, 200);
    assert!(recorder.end().contains("1 exchanges were recorded"));
    let all = recording(&folder);
    assert!(!all.contains("canary"), "{all}");
    assert!(all.contains("&steps=72\"") && all.contains("71"), "{all}");
}

/// Certificates of VITALWIRE_CA_FILE are trusted, as in every other command.
#[test]
fn the_certificates_of_the_client_are_used() {
    let authority = vitalwire_testkit::Authority::new();
    let folder = tempfile::tempdir().expect("a folder");
    let pem = folder.path().join("ca.pem");
    std::fs::write(&pem, authority.pem()).expect("a file");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("https://127.0.0.1:{}", listener.local_addr().expect("an address").port());
    let config = authority.server("127.0.0.1");
    let served = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        stream.set_read_timeout(Some(MAX_TIME)).expect("a timeout");
        let mut connection = rustls::ServerConnection::new(config).expect("a connection");
        let mut tls = rustls::Stream::new(&mut connection, &mut stream);
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            tls.read_exact(&mut byte).expect("a request");
            head.push(byte[0]);
        }
        tls.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").expect("a response");
    });
    let recorder = recorder(&url, &folder.path().join("r"), &[("VITALWIRE_CA_FILE", pem.to_str().expect("text"))]);
    assert_eq!(send(&recorder, "/v3/userinfo", "").0, 200);
    served.join().expect("served");
    recorder.end();
}

/// Another user who can write to the folder knows the names of the next files.
#[cfg(unix)]
#[test]
fn planted_links_pipes_and_files_are_replaced_and_not_followed() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let (to, outside) = (folder.path().join("r"), folder.path().join("outside"));
    std::fs::write(&outside, "kept").expect("a file");
    let server = Server::always(json(200, r#"{"application_user_id":"person-1"}"#));
    let recorder = recorder(&server.url(), &to, &[]);
    let name = |number: u32| to.join(format!("{number:05}-get_user_info.json"));
    std::os::unix::fs::symlink(&outside, name(1)).expect("a link");
    assert!(std::process::Command::new("mkfifo").arg(name(2)).status().expect("it starts").success());
    std::fs::write(name(3), "foreign").expect("a file");
    std::fs::set_permissions(name(3), PermissionsExt::from_mode(0o666)).expect("a mode");
    std::fs::create_dir(name(4)).expect("a folder");
    for _ in 0..5 {
        assert_eq!(send(&recorder, "/v3/userinfo", "").0, 200);
    }
    assert!(recorder.end().contains("4 exchanges were recorded"));
    assert_eq!(std::fs::read_to_string(&outside).expect("text"), "kept");
    for number in [1, 2, 3, 5] {
        let file = std::fs::symlink_metadata(name(number)).expect("a file");
        assert!(file.is_file() && file.permissions().mode() & 0o777 == 0o600, "{number}: {file:?}");
        assert!(std::fs::read_to_string(name(number)).expect("text").contains("/v3/userinfo"), "{number}");
    }
}
