//! HTML of the page.

use std::fmt::Write;

use jiff::ToSpan as _;

use crate::app::{AppState, Person};
use crate::faults::{ActiveFault, FAULTS};
use crate::requests::LoggedRequest;
use crate::spec::OPERATIONS;
use crate::values::html::escape;

static PAGE: &str = include_str!("page.html");

/// Maximum number of users shown.
const MAX_USERS: usize = 50;
/// Maximum number of requests shown, latest first.
const MAX_REQUESTS: usize = 50;

pub(crate) fn page(app: &AppState) -> String {
    let parts: [(&str, String); 14] = [
        ("base_url", escape(app.base_url())),
        ("care_base_url", escape(&app.care_base_url())),
        ("application_id", app.application_id().to_string()),
        ("application_key", escape(app.application_key())),
        ("care_token", escape(app.care_token())),
        ("seed", app.settings().seed.to_string()),
        ("now", app.now().strftime("%Y-%m-%d %H:%M:%S").to_string()),
        ("keeps", escape(&app.retention_text())),
        ("users", users(app)),
        ("calls", app.people().first().map(|person| calls(app, person)).unwrap_or_default()),
        ("kinds", FAULTS.iter().map(|entry| option(entry.name, entry.name)).collect()),
        ("operations", OPERATIONS.iter().map(|known| option(known.id, known.id)).collect()),
        ("faults", faults(&app.faults().list())),
        ("requests", requests(&app.requests().after(app.requests().last().saturating_sub(MAX_REQUESTS as u64)))),
    ];
    fill_template(PAGE, &parts)
}

/// Replaces names in double braces by their values. Values are not expanded again.
fn fill_template(template: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::with_capacity(template.len() * 2);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            break;
        };
        if let Some((_, value)) = parts.iter().find(|(known, _)| *known == name) {
            page.push_str(value);
        }
        rest = after;
    }
    page.push_str(rest);
    page
}

fn users(app: &AppState) -> String {
    let all = app.people();
    let mut rows = String::new();
    for person in all.iter().take(MAX_USERS) {
        let (id, name, zone, token) =
            (escape(&person.user_id), escape(&person.display_name), escape(&person.time_zone), escape(&person.token));
        let night = escape(&person.sleep_id(app.last_night(person)));
        let _ = write!(
            rows,
            "<tr data-user=\"{id}\"><th scope=\"row\">{name}<br><code>{id}</code></th><td>{zone}</td>\
             <td><span class=\"copy\"><input readonly value=\"{token}\" aria-label=\"Token of {id}\"></span></td>\
             <td><span class=\"copy\"><input readonly value=\"{night}\" aria-label=\"Last night of {id}\"></span></td></tr>"
        );
    }
    if all.len() > MAX_USERS {
        let _ = write!(
            rows,
            "<tr><td colspan=\"4\">and {} more. Any other user id has data too: exchange a token for it.</td></tr>",
            all.len() - MAX_USERS
        );
    }
    rows
}

/// Returns example calls as shell commands.
fn calls(app: &AppState, person: &Person) -> String {
    let today = app.today();
    let night = app.last_night(person);
    let base = app.base_url();
    let health = [
        ("User info", "/v3/userinfo".to_owned()),
        ("Last night", format!("/v3/queries/sleeps/{}?include_stages=true", person.sleep_id(night))),
        (
            "Steps of two weeks",
            format!("/v3/queries/statistics/daily?types=steps&from_date={}&to_date={today}", today.saturating_sub(13.days())),
        ),
        ("Lab reports", format!("/v3/lab_reports?from_timestamp={}T00:00:00Z", today.saturating_sub(220.days()))),
        ("Meals of a week", format!("/v3/nutrition_records?from_timestamp={}T00:00:00Z", today.saturating_sub(7.days()))),
    ];
    let mut items = String::new();
    for (at, (what, path)) in health.iter().enumerate() {
        let line = format!("curl -H \"Authorization: Bearer {}\" \\\n  \"{base}{path}\"", person.token);
        push_call(&mut items, at, what, &line);
    }
    let benefits = format!(
        "curl -H \"Authorization: Bearer {}\" \\\n  \"{}/public/v1/clinics/c/patients/p/policies/1/benefits\"",
        app.care_token(),
        app.care_base_url()
    );
    push_call(&mut items, health.len(), "Benefits of a policy", &benefits);
    let fault = format!(
        "curl -X POST -H \"Content-Type: application/json\" \\\n  -d '{{\"fault\": \"status; status=503; retry_after=1\"}}' \\\n  \"{base}/_sandbox/faults\""
    );
    push_call(&mut items, health.len() + 1, "Make the next request fail", &fault);
    items
}

fn push_call(items: &mut String, at: usize, what: &str, line: &str) {
    let _ = write!(
        items,
        "<li><h3 id=\"call-{at}\">{}</h3><div class=\"copy\"><pre tabindex=\"0\" aria-labelledby=\"call-{at}\"><code>{}</code></pre></div></li>",
        escape(what),
        escape(line)
    );
}

fn option(value: &str, text: &str) -> String {
    format!("<option value=\"{}\">{}</option>", escape(value), escape(text))
}

fn faults(active: &[ActiveFault]) -> String {
    if active.is_empty() {
        return "<li class=\"none\">No active faults.</li>".to_owned();
    }
    let item = |active: &ActiveFault| {
        let left = active.left.map_or_else(|| "always".to_owned(), |left| format!("{left} left"));
        format!("<li><code>{}</code> <span>{left}</span></li>", escape(&active.fault.to_string()))
    };
    active.iter().map(item).collect()
}

fn requests(entries: &[LoggedRequest]) -> String {
    let mut rows = String::new();
    for entry in entries.iter().rev() {
        let status = entry.status.map_or_else(|| "–".to_owned(), |status| status.to_string());
        let _ = write!(
            rows,
            "<tr><td>{}</td><td>{}</td><td><code>{} {}</code></td><td>{status}</td><td>{}</td><td>{:.1}</td><td>{}</td><td>{}</td></tr>",
            entry.number,
            entry.at.strftime("%H:%M:%S"),
            escape(entry.method.as_str()),
            escape(entry.path().unwrap_or("(no path of the service)")),
            entry.attempt,
            entry.duration.as_secs_f64() * 1e3,
            entry.bytes,
            escape(&notes(entry)),
        );
    }
    rows
}

fn notes(entry: &LoggedRequest) -> String {
    let early = entry.closed_early.then_some("closed early");
    entry.fault.into_iter().chain(early).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_once() {
        assert_eq!(fill_template("a{{x}}b{{y}}c", &[("x", "{{y}}".to_owned()), ("y", "2".to_owned())]), "a{{y}}b2c");
        let page = page(&crate::Sandbox::builder().app("http://localhost:1").unwrap());
        assert!(!page.contains("{{"));
        for place in PAGE.split("{{").skip(1) {
            let (name, _) = place.split_once("}}").unwrap();
            assert!(page.len() > PAGE.len(), "{name}");
        }
    }
}
