//! The page a user is sent to: it stands in for a provider's own.

use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use super::segment::Segment;
use crate::problem::Problem;
use crate::world::World;

/// No scripts, nothing from elsewhere, no frames; the address holds a token and goes nowhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

pub(crate) async fn page(State(world): State<World>, Segment(token): Segment<String>) -> Response {
    // Nothing of another shape was ever given out.
    let shaped = token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    let consent = if shaped { world.store().consent(&token).await } else { Ok(None) };
    let consent = match consent {
        Ok(consent) => consent.filter(|consent| world.now() < consent.expires_at),
        Err(failed) => return Problem::from(failed).into_response(),
    };
    let Some(consent) = consent else {
        return html(StatusCode::NOT_FOUND, "Link expired", "<p>This link is unknown or has expired.</p>");
    };
    let text = format!(
        "<p>May the sandbox application read what {slug} knows about <b>{name}</b> ({user})?</p>\
         <p><a class=\"yes\" href=\"{allow}\">Allow</a> <a href=\"{refuse}\">Refuse</a></p>",
        slug = escape(&consent.slug),
        name = escape(&consent.name),
        user = escape(&consent.user_id),
        allow = escape(&consent.allow),
        refuse = escape(&consent.refuse),
    );
    html(StatusCode::OK, "Connect a provider", &text)
}

fn html(status: StatusCode, title: &str, text: &str) -> Response {
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title>\
         <style>body{{font:1.1rem/1.6 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem;color:#1b2733;background:#f7f9fb}}\
         a{{display:inline-block;padding:.5rem 1.2rem;border:1px solid #36536b;border-radius:.4rem;color:#36536b;text-decoration:none}}\
         a.yes{{background:#1f6f4a;border-color:#1f6f4a;color:#fff}}small{{color:#5a6b7a}}</style></head>\
         <body><h1>{title}</h1>{text}<p><small>A sandbox: all people and data here are synthetic.</small></p></body></html>"
    );
    let mut response = (status, Html(page)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    #[test]
    fn markup_is_shown_not_run() {
        assert_eq!(super::escape("<a href=\"'&\">"), "&lt;a href=&quot;&#39;&amp;&quot;&gt;");
    }
}
