//! Page at `/` with users, example calls, requests and faults. It has no external resources. Without scripts it shows the state at load
//! time; with scripts it is live.

mod markup;

use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use crate::app::AppState;
use crate::web::path_param::PathParam;
use crate::web::problem::Problem;

/// Content security policy: only files of this program, no inline scripts or styles, frames or forms.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Files of the page, and documents that it links to.
static FILES: [(&str, &str, &str); 4] = [
    ("page.css", "text/css; charset=utf-8", include_str!("page.css")),
    ("page.js", "text/javascript; charset=utf-8", include_str!("page.js")),
    ("health.v3.yaml", "text/yaml; charset=utf-8", include_str!("../generated/health.v3.yaml")),
    ("care.v1.yaml", "text/yaml; charset=utf-8", include_str!("../generated/care.v1.yaml")),
];

pub(crate) async fn show(State(app): State<AppState>) -> Response {
    secure(Html(markup::page(&app)).into_response())
}

pub(crate) async fn file(PathParam(name): PathParam<String>) -> Result<Response, Problem> {
    let (_, kind, text) = FILES.iter().find(|(known, _, _)| *known == name).ok_or_else(|| Problem::not_found("file"))?;
    Ok(secure((StatusCode::OK, [(header::CONTENT_TYPE, *kind)], *text).into_response()))
}

fn secure(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    response
}
