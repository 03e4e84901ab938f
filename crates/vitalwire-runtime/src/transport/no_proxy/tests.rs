use std::sync::{Arc, Mutex};

use super::*;

fn excludes(entries: &str, url: &str) -> bool {
    ProxyExclusions::parse("NO_PROXY", entries).excludes(&Url::parse(url).expect(url))
}

#[test]
fn every_form_excludes_its_hosts_and_no_others() {
    for (entries, excluded, proxied) in [
        (
            "example.org",
            &["https://example.org", "https://api.example.org", "https://API.Example.ORG.", "http://a.b.example.org:81"][..],
            &["https://notexample.org", "https://example.org.test", "https://org", "https://example.com"][..],
        ),
        (".example.org", &["https://example.org", "https://api.example.org"], &["https://notexample.org"]),
        ("*.example.org", &["https://example.org", "https://api.example.org", "https://a.b.example.org"], &["https://notexample.org"]),
        ("*.EXAMPLE.org.", &["https://api.example.org"], &["https://example.com"]),
        ("gate", &["http://gate", "http://a.gate"], &["http://gateway"]),
        ("my_host.test", &["https://my_host.test"], &["https://myhost.test"]),
        ("api.example.org:8443", &["https://api.example.org:8443", "https://v.api.example.org:8443"], &["https://api.example.org"]),
        ("*.example.org:443", &["https://api.example.org"], &["http://api.example.org", "https://api.example.org:444"]),
        ("example.org:80", &["http://example.org"], &["https://example.org"]),
        ("192.0.2.7", &["https://192.0.2.7", "http://192.0.2.7:81"], &["https://192.0.2.8"]),
        ("192.0.2.7:8443", &["https://192.0.2.7:8443"], &["https://192.0.2.7"]),
        ("192.0.2.0/24", &["https://192.0.2.7", "https://[::ffff:192.0.2.7]"], &["https://192.0.3.7", "https://[2001:db8::1]"]),
        ("10.1.2.3/8", &["https://10.200.0.1"], &["https://11.1.2.3"]),
        ("0.0.0.0/0", &["https://203.0.113.9"], &["https://[2001:db8::1]", "https://example.org"]),
        ("2001:db8::1", &["https://[2001:db8::1]", "https://[2001:db8:0:0::1]:81"], &["https://[2001:db8::2]"]),
        ("[2001:db8::1]", &["https://[2001:db8::1]"], &["https://[2001:db8::2]"]),
        ("[2001:db8::1]:8443", &["https://[2001:db8::1]:8443"], &["https://[2001:db8::1]"]),
        ("2001:db8::/32", &["https://[2001:db8:9::1]"], &["https://[2001:db9::1]", "https://192.0.2.7"]),
        ("[2001:db8::]/32", &["https://[2001:db8:9::1]"], &["https://[2001:db9::1]"]),
        ("::ffff:192.0.2.7", &["https://192.0.2.7"], &["https://192.0.2.8"]),
        ("*", &["https://example.org", "http://192.0.2.7", "https://[2001:db8::1]:81"], &[]),
        ("*:8443", &["https://example.org:8443"], &["https://example.org"]),
        ("a.test,b.test", &["https://a.test", "https://b.test"], &["https://c.test"]),
        (" a.test , \tb.test\n c.test ,, ", &["https://a.test", "https://b.test", "https://c.test"], &["https://d.test"]),
        ("http://a.test, b.test", &["https://b.test"], &["https://a.test"]),
        ("", &["http://localhost:1", "http://a.localhost", "http://127.8.9.1", "http://[::1]:9"], &["https://example.org"]),
    ] {
        for url in excluded {
            assert!(excludes(entries, url), "{entries:?} excludes {url}");
        }
        for url in proxied {
            assert!(!excludes(entries, url), "{entries:?} does not exclude {url}");
        }
    }
}

#[test]
fn an_invalid_entry_is_reported_by_position_only() {
    let log = Log::default();
    let lines = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || lines.clone()).finish();
    tracing::subscriber::with_default(subscriber, || {
        ProxyExclusions::parse("no_proxy", "good.test, http://user:CANARY@bad.test, 10.0.0.0/8, CANARY*");
    });
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert_eq!(log.matches("WARN").count(), 2, "{log}");
    assert!(log.contains(r#"variable="no_proxy" position=2"#) && log.contains("position=4"), "{log}");
    assert!(!log.contains("CANARY") && !log.contains("bad.test"), "{log}");
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_invalid_entry_excludes_no_host() {
    for entry in [
        "https://example.org",
        "user:CANARY@example.org",
        "example.org:",
        "example.org:https",
        "example.org:65536",
        "*example.org",
        "api.*.org",
        "**",
        ".",
        "*.",
        "a..test",
        "10.*",
        "10.*.*.*",
        "192.168.",
        "10.1",
        "1.2.3.4.5",
        "192.0.2.0/33",
        "192.0.2.0/",
        "example.org/24",
        "2001:db8::/129",
        "[2001:db8::1",
        "2001:db8::1]",
        "fe80::1%eth0",
        "<local>",
        "bücher.example",
        "a/b",
        "-/8",
    ] {
        assert_eq!(Exclusion::parse(entry), None, "{entry}");
    }
}
