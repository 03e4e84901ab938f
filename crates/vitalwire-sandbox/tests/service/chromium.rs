//! Minimal driver for headless Chromium: JSON messages of its debugging protocol, ended by a zero byte, over a pair of pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Timeout of a command and of loading a page.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Default program. `VITALWIRE_CHROMIUM` overrides it.
const PROGRAM: &str = "chromium";

/// A browser with one page. Scripts are disabled, because pages must work without them.
pub(crate) struct Chromium {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    events: Vec<Value>,
    number: u64,
    session: Option<String>,
    /// Profile folder, removed on drop.
    folder: PathBuf,
}

impl Chromium {
    pub(crate) fn start() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("chromium-{}", std::process::id()));
        // Chromium reads from descriptor 3 and writes to 4.
        let script = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let program = std::env::var("VITALWIRE_CHROMIUM").unwrap_or_else(|_| PROGRAM.to_owned());
        let mut child = Command::new("sh")
            .args(["-c", script, &program, "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-proxy-server"])
            .args(["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--window-size=900,760"])
            // Chromium's sandbox does not start in containers. Only pages of this test are shown.
            .args(["--no-sandbox", "--disable-dev-shm-usage"])
            .arg(format!("--user-data-dir={}", folder.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            loop {
                let mut message = Vec::new();
                if output.read_until(0, &mut message).unwrap_or(0) == 0 {
                    return;
                }
                message.pop();
                let sent = serde_json::from_slice(&message).map(|message| sender.send(message));
                if !matches!(sent, Ok(Ok(()))) {
                    return;
                }
            }
        });
        let mut browser = Self { child, input, messages, events: Vec::new(), number: 0, session: None, folder };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let session = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }))["sessionId"].clone();
        browser.session = Some(session.as_str().unwrap().to_owned());
        browser.call("Page.enable", json!({}));
        browser.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
        browser
    }

    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.input.write_all(message.to_string().as_bytes()).unwrap();
        self.input.write_all(&[0]).unwrap();
        loop {
            let message = self.messages.recv_timeout(TIMEOUT).unwrap_or_else(|error| panic!("{method}: {error}"));
            if message["id"] == self.number {
                assert!(message.get("error").is_none(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    /// Opens a URL and waits until the page has loaded.
    pub(crate) fn open(&mut self, url: &str) {
        self.events.clear();
        self.call("Page.navigate", json!({ "url": url }));
        self.wait_for_load();
    }

    /// Waits until a page has loaded, after a navigation, click or key press.
    pub(crate) fn wait_for_load(&mut self) {
        let end = Instant::now() + TIMEOUT;
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let left = end.saturating_duration_since(Instant::now());
            let event = self.messages.recv_timeout(left).expect("the page did not load");
            self.events.push(event);
        }
    }

    /// Sets the size and colour scheme of the screen.
    pub(crate) fn set_screen(&mut self, width: u32, height: u32, dark: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
        self.call("Emulation.setEmulatedMedia", json!({ "features": [scheme] }));
    }

    /// Returns the width of the page in CSS pixels.
    pub(crate) fn page_width(&mut self) -> f64 {
        self.call("Page.getLayoutMetrics", json!({}))["cssContentSize"]["width"].as_f64().unwrap()
    }

    /// Saves a screenshot of the page.
    #[allow(clippy::print_stdout, reason = "prints the path of the screenshot")]
    pub(crate) fn screenshot(&mut self, name: &str) {
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes = STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, bytes).unwrap();
        println!("picture: {}", path.display());
    }

    /// Clicks on the middle of the element that a selector finds.
    pub(crate) fn click(&mut self, selector: &str) {
        self.events.clear();
        let root = self.call("DOM.getDocument", json!({}))["root"]["nodeId"].clone();
        let found = self.call("DOM.querySelector", json!({ "nodeId": root, "selector": selector }))["nodeId"].clone();
        self.call("DOM.scrollIntoViewIfNeeded", json!({ "nodeId": found }));
        let quad = self.call("DOM.getBoxModel", json!({ "nodeId": found }))["model"]["border"].clone();
        let corner = |at: usize| quad[at].as_f64().unwrap();
        let (x, y) = (f64::midpoint(corner(0), corner(4)), f64::midpoint(corner(1), corner(5)));
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses and releases a key, such as Tab or Enter.
    pub(crate) fn key(&mut self, key: &str, code: u32) {
        self.events.clear();
        for kind in ["keyDown", "keyUp"] {
            let text = if key == "Enter" && kind == "keyDown" { "\r" } else { "" };
            let event = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text });
            self.call("Input.dispatchKeyEvent", event);
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
