//! Operations that create consent URLs and remove integrations.

use axum::Json;
use axum::extract::{RawQuery, State};
use http::StatusCode;
use serde_json::{Value, json};

use super::auth::User;
use crate::app::AppState;
use crate::consent::{self, Consent, LIFETIME};
use crate::people::profile::SDK_ONLY;
use crate::spec;
use crate::store::DocumentKind;
use crate::values::calendar::plus;
use crate::web::path_param::PathParam;
use crate::web::problem::{ErrorItem, Problem};
use crate::web::query::Query;

/// The only provider that requires the user's e-mail address.
const NEEDS_EMAIL: &str = "ultrahuman";

/// Maximum length of `state` in bytes, because it is added to a URL.
const MAX_STATE: usize = 2_048;

fn parse_slug(text: &str) -> Result<&'static str, Problem> {
    spec::find_provider(text).ok_or_else(|| Problem::invalid(ErrorItem::text("path.provider_slug", "unknown provider", text)))
}

fn is_email(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else { return false };
    let plain = |part: &str| !part.is_empty() && !part.contains(|char: char| char.is_whitespace() || char == '@');
    plain(name) && plain(domain) && domain.contains('.') && !domain.starts_with('.') && !domain.ends_with('.')
}

pub(crate) async fn init_url(
    State(app): State<AppState>,
    User(person): User,
    PathParam(provider): PathParam<String>,
    RawQuery(raw): RawQuery,
) -> Result<Json<Value>, Problem> {
    let slug = parse_slug(&provider)?;
    if SDK_ONLY.contains(&slug) {
        let item = ErrorItem::text("path.provider_slug", "has no consent URL: it is integrated by a mobile SDK", slug);
        return Err(Problem::invalid(item));
    }
    let mut query = Query::parse(raw.as_deref());
    let at_provider = query.text("provider_user_id");
    if slug == NEEDS_EMAIL && !at_provider.as_deref().is_some_and(is_email) {
        let text = at_provider.clone().unwrap_or_default();
        query.reject("provider_user_id", "must be the user's e-mail address for this provider", &text);
    }
    let redirect_uri = query.text("redirect_uri");
    if let Some(text) = redirect_uri.as_deref().filter(|text| app.settings().redirects.parse(text).is_none()) {
        query.reject("redirect_uri", "must be a URL on an allowed domain", text);
    }
    let state = query.text("state");
    if let Some(text) = state.as_deref().filter(|text| text.len() > MAX_STATE) {
        query.reject("state", "must have at most 2048 bytes", text);
    }
    query.finish()?;

    let now = app.clock().link_time();
    let consent = Consent {
        user_id: person.user_id.clone(),
        name: person.name.to_owned(),
        slug: slug.to_owned(),
        redirect_uri,
        state,
        provider_user_id: at_provider,
        expires_at: plus(now, LIFETIME),
    };
    let token = consent::token(&app.keys().signing_key, app.store().next_number());
    app.store().remove_before(DocumentKind::Consent, "", now).await?;
    app.store().put(DocumentKind::Consent, "", &token, consent.expires_at, &consent).await?;
    let path = format!("{}/consent/{token}", app.base_url());
    Ok(Json(json!({ "provider_slug": slug, "path": path })))
}

/// Removes an integration from the list. Data measured before stays.
pub(crate) async fn remove(
    State(app): State<AppState>,
    User(person): User,
    PathParam(provider): PathParam<String>,
) -> Result<StatusCode, Problem> {
    let slug = parse_slug(&provider)?;
    if app.integrations().remove(&person, slug).await? { Ok(StatusCode::NO_CONTENT) } else { Err(Problem::not_found("integration")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn email_addresses_are_validated() {
        assert!(is_email("someone@example.com"));
        for text in ["", "someone", "@example.com", "a@b", "a b@example.com", "a@b@example.com", "a@.com"] {
            assert!(!is_email(text), "{text}");
        }
    }
}
