//! HTML pages of the consent flow, without scripts or external resources.

use axum::response::{Html, IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use jiff::Timestamp;
use url::Url;

use super::{Consent, ConsentChoice};
use crate::values::html::escape;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#17212b;--soft:#52626f;--page:#eef2f5;--card:#fff;--line:#c8d2da;--yes:#14694a;--yes-ink:#fff;--mark:#ffe9a8}\
@media(prefers-color-scheme:dark){:root{--ink:#e8eef2;--soft:#a9b7c1;--page:#10161b;--card:#1b242b;--line:#3b4953;--yes:#58c79a;--yes-ink:#06251a;--mark:#5a4a12}}\
*{box-sizing:border-box}\
body{margin:0;font:1.0625rem/1.55 system-ui,sans-serif;color:var(--ink);background:var(--page)}\
.mark{margin:0;padding:.6rem 1rem;background:var(--mark);text-align:center;font-size:.95rem}\
main{width:min(34rem,100% - 1.5rem);margin:2.5rem auto;padding:1.75rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}\
h1{margin:0 0 1rem;font-size:1.6rem;line-height:1.25}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1rem;margin:1.25rem 0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}\
.buttons{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.5rem 0 1rem}\
button{font:inherit;padding:.65rem 1.4rem;border:1px solid var(--line);border-radius:.5rem;background:transparent;color:var(--ink);cursor:pointer}\
button.yes{background:var(--yes);border-color:var(--yes);color:var(--yes-ink);font-weight:600}\
button:focus-visible{outline:3px solid var(--yes);outline-offset:2px}\
small{color:var(--soft)}";

const BANNER: &str = "<p class=\"mark\"><b>Synthetic.</b> This sandbox replaces the provider. All people and data are invented.</p>";

/// Returns the consent page, which works until the instant `until` of the machine's clock.
pub(crate) fn consent_page(consent: &Consent, form_token: &str, back: &Url, until: Timestamp) -> Response {
    let provider = escape(&consent.slug.replace('_', " "));
    let account = consent.provider_user_id.as_deref().map_or_else(String::new, |account| detail_row("Account", account));
    let button = |choice: ConsentChoice, class: &str, text: &str| {
        format!("<button class=\"{class}\" name=\"answer\" value=\"{}\">{text}</button>", choice.name())
    };
    let text = format!(
        "<h1>Connect {provider}</h1>\
         <p>An application requests access to your <b>{provider}</b> data: activity, sleep, and other measurements.</p>\
         <dl>{user}{account}{place}</dl>\
         <form method=\"post\"><input type=\"hidden\" name=\"form_token\" value=\"{form_token}\"><div class=\"buttons\">{allow}{refuse}{fail}</div></form>\
         <small>The link works once, until {until} of real time. The third button is for developers: it \
         simulates a failure of the provider.</small>",
        user = detail_row("User", &format!("{} ({})", consent.name, consent.user_id)),
        place = detail_row("Back to", &host_and_port(back)),
        form_token = escape(form_token),
        allow = button(ConsentChoice::Allow, "yes", "Allow"),
        refuse = button(ConsentChoice::Refuse, "", "Refuse"),
        fail = button(ConsentChoice::Fail, "", "Let the provider fail"),
        until = until.strftime("%H:%M UTC"),
    );
    // Some browsers apply `form-action` to the redirects after a form too, and their targets are unknown here. Therefore any web address
    // and the application's scheme are allowed; the form token rejects forms of other pages.
    let scheme = if matches!(back.scheme(), "http" | "https") { String::new() } else { format!(" {}:", back.scheme()) };
    html_page(StatusCode::OK, "Connect a provider", &text, &format!("'self' http: https:{scheme}"))
}

/// Returns the page for a URL that is unknown, used or expired.
pub(crate) fn expired_page() -> Response {
    let text = "<h1>This link is no longer valid</h1>\
                <p>It was already used, is older than ten minutes, or never existed. Go back to the application and start again.</p>";
    html_page(StatusCode::NOT_FOUND, "Link expired", text, "'none'")
}

/// Returns the page for a form without a valid token.
pub(crate) fn rejected_page() -> Response {
    let text = "<h1>Not accepted</h1><p>This form was not sent from the page of this sandbox. Nothing was changed.</p>";
    html_page(StatusCode::FORBIDDEN, "Not accepted", text, "'none'")
}

/// Returns the host of the redirect, with its port unless it is the default one.
fn host_and_port(back: &Url) -> String {
    let host = back.host_str().unwrap_or_default();
    back.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

fn detail_row(name: &str, value: &str) -> String {
    format!("<dt>{name}</dt><dd>{}</dd>", escape(value))
}

fn html_page(status: StatusCode, title: &str, text: &str, forms: &str) -> Response {
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title} · sandbox</title>\
         <link rel=\"icon\" href=\"data:,\"><style>{STYLE}</style></head><body>{BANNER}<main>{text}</main></body></html>"
    );
    let mut response = (status, Html(page)).into_response();
    let headers = response.headers_mut();
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action {forms}"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    // The URL contains a token and must not leak to other sites. Our own form still sends its origin.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}
