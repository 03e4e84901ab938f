//! Web page of the sandbox in a real browser: two colour schemes and widths, mouse, keyboard, and without scripts.

use super::devtools::Browser;
use super::support::Service;

/// Script that returns all texts with a contrast below 4.5 to 1, by the formula of WCAG 2.
const LOW_CONTRAST: &str = r#"(() => {
  const channel = (value) => { const part = value / 255; return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const read = (text) => text.match(/[\d.]+/g).map(Number);
  const ground = (node) => { for (let at = node; at; at = at.parentElement) { const c = read(getComputedStyle(at).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  const bad = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = node.matches("input, select, button") || [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!own || !node.checkVisibility()) continue;
    const pair = [light(read(getComputedStyle(node).color)), light(ground(node))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < 4.5) bad.push(`${node.tagName} ${node.textContent.slice(0, 20)} ${ratio.toFixed(2)}`);
  }
  return bad;
})()"#;

/// Script that returns all controls without an accessible name.
const NAMELESS: &str = r#"[...document.querySelectorAll("button, input, select, a")].filter((node) =>
  !(node.getAttribute("aria-label") || node.labels?.length && node.labels[0].textContent.trim() || (node.tagName !== "INPUT" && node.tagName !== "SELECT" && node.textContent.trim()))
).map((node) => node.outerHTML)"#;

/// Runs with `--ignored`. `VITALWIRE_SCREENSHOTS=FOLDER` saves screenshots.
#[test]
#[ignore = "needs Chromium"]
fn the_page_works_in_a_browser() {
    let mut browser = Browser::start();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let service = runtime.block_on(Service::new());
    let own = format!("{}/", service.sandbox.base_url());
    let get = |path: &str| runtime.block_on(service.get(path));
    let row = "document.querySelector('#requests tr').innerText.replace(/\\s+/g, ' ')";
    get("/userinfo").ok();

    for (width, dark, name) in [(1280, false, "light"), (1280, true, "dark"), (400, false, "light"), (400, true, "dark")] {
        browser.set_size(width, dark);
        browser.open(&own);
        browser
            .wait_until("document.getElementById('live').textContent === 'live' && document.querySelectorAll('#requests tr').length > 0");
        browser.wait_until("document.getElementById('about').textContent.includes('delay_ms')");
        assert_eq!(browser.evaluate("document.documentElement.scrollWidth > innerWidth"), false, "{width}: wider than the window");
        assert_eq!(browser.evaluate(LOW_CONTRAST), serde_json::json!([]), "{name}");
        assert_eq!(browser.evaluate(NAMELESS), serde_json::json!([]));
        browser.screenshot(&format!("page-{width}-{name}"));
    }

    // A fault activated by click is listed, applied to the next request, logged and removed.
    browser.set_size(1280, false);
    browser.evaluate("document.querySelector('[data-fault=\"status; status=401\"]').click()");
    browser.wait_until("document.getElementById('active').innerText.includes('status; status=401')");
    get("/userinfo").problem(401);
    browser.wait_until(&format!("/ GET .v3.userinfo 401 1 [0-9.]+ [0-9]+ status/.test({row})"));
    browser.wait_until("document.getElementById('active').innerText.includes('No active faults')");
    get("/userinfo").ok();
    browser.wait_until(&format!("/ GET .v3.userinfo 200 2 /.test({row})"));

    // Activate a fault by its name for one operation. Invalid settings show an error.
    browser.evaluate(
        "document.getElementById('kind').value = 'html'; document.getElementById('operation').value = 'get_user_properties';
         document.getElementById('times').value = 'x'; document.getElementById('order').click()",
    );
    browser.wait_until("document.getElementById('message').innerText.includes('expected a number from 1 to 1000000, or always')");
    browser.evaluate("document.getElementById('times').value = 'always'; document.getElementById('order').click()");
    browser.wait_until("document.getElementById('active').innerText.includes('html; times=always; operation=get_user_properties')");
    assert_eq!(runtime.block_on(service.get_unchecked(0, "/userproperties")).headers["content-type"], "text/html");
    browser.screenshot("page-faults");
    browser.evaluate("document.querySelector('#active button').click()");
    browser.wait_until("document.getElementById('active').innerText.includes('No active faults')");
    get("/userproperties").ok();

    // Moves the clock by click.
    browser.evaluate("document.querySelector('[data-advance=\"1d\"]').click()");
    browser.wait_until("document.getElementById('now').textContent === '2025-11-22 12:00:00'");
    assert_eq!(service.sandbox.app().now().to_string(), "2025-11-22T12:00:00Z");

    // By keyboard alone: Tab focuses the first control, and Enter activates a fault.
    browser.evaluate("document.activeElement.blur()");
    browser.press("Tab", 9);
    assert_eq!(browser.evaluate("document.activeElement.tagName + getComputedStyle(document.activeElement).outlineStyle"), "BUTTONsolid");
    browser.evaluate("document.querySelector('[data-fault=html]').focus()");
    browser.press("Enter", 13);
    browser.wait_until("document.getElementById('active').innerText.includes('html')");

    // The browser reports the 422 above. There are no other errors and no requests to other hosts.
    browser.errors.retain(|error| !error.contains("422"));
    assert_eq!(browser.errors, Vec::<String>::new());
    assert!(
        browser.requested_urls.iter().all(|url| url.starts_with(&own) || url.starts_with("data:") || url == "about:blank"),
        "{:?}",
        browser.requested_urls
    );

    // Without scripts, the page shows the same contents.
    browser.call("Emulation.setScriptExecutionDisabled", serde_json::json!({ "value": true }));
    browser.call("Page.navigate", serde_json::json!({ "url": own }));
    browser.wait_until("document.readyState === 'complete' && document.body.innerText.includes('Without scripts, activate a fault')");
    assert_eq!(
        browser.evaluate("document.querySelectorAll('#requests tr').length > 3 && !document.body.innerText.includes('Activate')"),
        true
    );
    browser.screenshot("page-no-scripts");
}
