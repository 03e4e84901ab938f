//! Headless Chromium, controlled by its DevTools protocol over a pair of pipes.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

const TIMEOUT: Duration = Duration::from_secs(60);
const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    folder: PathBuf,
    input: File,
    messages: Receiver<Value>,
    last: u64,
    session: Option<String>,
    /// Errors of scripts and of the content security policy.
    pub(crate) errors: Vec<String>,
    pub(crate) requested_urls: Vec<String>,
}

impl Browser {
    pub(crate) fn start() -> Self {
        let paths = std::env::var_os("PATH").unwrap();
        let program = PROGRAMS
            .iter()
            .find_map(|name| std::env::split_paths(&paths).map(|path| path.join(name)).find(|path| path.is_file()))
            .expect("Chromium");
        let folder = std::env::temp_dir().join(format!("vitalwire-browser-{}-{:?}", std::process::id(), std::thread::current().id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (into, out) = (folder.join("in"), folder.join("out"));
        assert!(Command::new("mkfifo").args([&into, &out]).status().unwrap().success());
        // Chromium uses the descriptors 3 and 4, which a shell can open.
        let child = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<in 4>out"#])
            .arg(program)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-pipe",
            ])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = File::options().write(true).open(into).unwrap();
        let mut from = BufReader::new(File::open(out).unwrap());
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while from.read_until(0, &mut message).is_ok_and(|count| count > 0) {
                message.pop();
                let Ok(value) = serde_json::from_slice(&message) else { return };
                if sender.send(value).is_err() {
                    return;
                }
                message.clear();
            }
        });
        let mut browser =
            Self { child, folder, input, messages: receiver, last: 0, session: None, errors: Vec::new(), requested_urls: Vec::new() };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        match event["method"].as_str() {
            Some("Log.entryAdded") => self.errors.push(parameters["entry"]["text"].to_string()),
            Some("Runtime.exceptionThrown") => self.errors.push(parameters["exceptionDetails"].to_string()),
            Some("Network.requestWillBeSent") => self.requested_urls.push(parameters["request"]["url"].as_str().unwrap().to_owned()),
            _ => {}
        }
    }

    /// Sends a command of the protocol. Returns its result.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.input.write_all(format!("{message}\0").as_bytes()).unwrap();
        let end = Instant::now() + TIMEOUT;
        loop {
            match self.messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(answer) if answer["id"] == self.last => {
                    assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                    return answer["result"].clone();
                }
                Ok(event) => self.note(&event),
                Err(RecvTimeoutError::Timeout) => panic!("{method}: no answer"),
                Err(RecvTimeoutError::Disconnected) => panic!("{method}: the browser is gone"),
            }
        }
    }

    /// Runs a script in the page. Returns its value.
    pub(crate) fn evaluate(&mut self, script: &str) -> Value {
        let answer = self.call("Runtime.evaluate", json!({ "expression": script, "awaitPromise": true, "returnByValue": true }));
        assert!(answer["exceptionDetails"].is_null(), "{script}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until a script in the page returns true.
    pub(crate) fn wait_until(&mut self, script: &str) {
        let end = Instant::now() + TIMEOUT;
        while self.evaluate(script) != true {
            assert!(Instant::now() < end, "never: {script}\n{}\n{:?}", self.evaluate("document.body.innerText"), self.errors);
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub(crate) fn open(&mut self, url: &str) {
        self.call("Page.navigate", json!({ "url": url }));
        self.wait_until(&format!("location.href === {} && document.readyState === 'complete'", json!(url)));
    }

    pub(crate) fn set_size(&mut self, width: u32, dark: bool) {
        let scheme = if dark { "dark" } else { "light" };
        self.call("Emulation.setDeviceMetricsOverride", json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false }));
        self.call("Emulation.setEmulatedMedia", json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }));
    }

    /// Presses and releases a key, such as `Tab` or `Enter`.
    pub(crate) fn press(&mut self, key: &str, code: u32) {
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let key = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text });
            self.call("Input.dispatchKeyEvent", key);
        }
    }

    /// Saves a screenshot of the whole page in the folder `VITALWIRE_SCREENSHOTS`, if it is set.
    pub(crate) fn screenshot(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("VITALWIRE_SCREENSHOTS") else { return };
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png", "captureBeyondViewport": true }));
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), STANDARD.decode(picture["data"].as_str().unwrap()).unwrap())
            .unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
