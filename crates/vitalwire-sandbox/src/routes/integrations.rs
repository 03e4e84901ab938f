//! Consent URLs, and the end of an integration.

use axum::Json;
use axum::extract::{RawQuery, State};
use http::StatusCode;
use jiff::SignedDuration;
use serde_json::{Value, json};
use url::{Host, Url};

use super::segment::Segment;
use crate::auth::User;
use crate::clock::plus;
use crate::crypto;
use crate::people::profile::{SDK_ONLY, SLUGS};
use crate::problem::{Item, Problem};
use crate::query::Query;
use crate::reach;
use crate::state::Consent;
use crate::world::World;

/// How long a consent URL works.
const LIFETIME: SignedDuration = SignedDuration::from_mins(10);

/// Where users go back to if the caller names no place, with the documented placeholders.
const DEFAULT_REDIRECT: &str =
    "https://app.example.com/integrated/{provider_slug}?user={application_user_id}&at_provider={provider_user_id}";

/// Domains, and all below them, that redirects may go to; and this machine.
const DOMAINS: [&str; 3] = ["example.com", "example.org", "example.net"];

/// The one provider that must be told who the user is there, by e-mail address.
const NEEDS_EMAIL: &str = "ultrahuman";

fn slug(text: &str) -> Result<&'static str, Problem> {
    SLUGS.into_iter().find(|slug| *slug == text).ok_or_else(|| Problem::invalid(Item::text("path.provider_slug", "unknown provider", text)))
}

fn whitelisted(url: &Url) -> bool {
    let Some(host) = url.host() else { return false };
    let known = match &host {
        Host::Domain(name) => {
            DOMAINS.iter().any(|domain| name.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
        }
        _ => false,
    };
    matches!(url.scheme(), "http" | "https") && (known || reach::loopback(&host).is_some())
}

fn is_email(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else { return false };
    let plain = |part: &str| !part.is_empty() && !part.contains(|char: char| char.is_whitespace() || char == '@');
    plain(name) && plain(domain) && domain.contains('.') && !domain.starts_with('.') && !domain.ends_with('.')
}

fn default_redirect(user: &str, slug: &str, at_provider: &str) -> Option<Url> {
    let encode = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let text = DEFAULT_REDIRECT
        .replace("{application_user_id}", &encode(user))
        .replace("{provider_slug}", slug)
        .replace("{provider_user_id}", &encode(at_provider));
    Url::parse(&text).ok()
}

pub(crate) async fn init_url(
    State(world): State<World>,
    User(person): User,
    Segment(provider): Segment<String>,
    RawQuery(raw): RawQuery,
) -> Result<Json<Value>, Problem> {
    let slug = slug(&provider)?;
    if SDK_ONLY.contains(&slug) {
        let item = Item::text("path.provider_slug", "is integrated by a mobile SDK, without a consent URL", slug);
        return Err(Problem::invalid(item));
    }
    let mut query = Query::parse(raw.as_deref());
    let at_provider = query.text("provider_user_id");
    if slug == NEEDS_EMAIL && !at_provider.as_deref().is_some_and(is_email) {
        let given = at_provider.clone().unwrap_or_default();
        query.reject("provider_user_id", "this provider needs the user's e-mail address", &given);
    }
    let target = match query.text("redirect_uri") {
        None => default_redirect(&person.user_id, slug, at_provider.as_deref().unwrap_or_default()),
        Some(text) => {
            let url = Url::parse(&text).ok().filter(whitelisted);
            if url.is_none() {
                query.reject("redirect_uri", "is not a URL on a whitelisted domain", &text);
            }
            url
        }
    };
    let state = query.text("state");
    query.finish()?;
    let target = target.ok_or_else(|| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error"))?;

    let mut back = target;
    back.query_pairs_mut().append_pair("user_id", &person.user_id).append_pair("provider_slug", slug);
    if let Some(state) = &state {
        back.query_pairs_mut().append_pair("state", state);
    }
    let mut refuse = back.clone();
    refuse.query_pairs_mut().append_pair("error", "access denied");

    let number = world.store().next_number();
    let token = crypto::digest(&[b"consent", world.signing_key(), &number.to_be_bytes()]);
    let token = crypto::hex(&token[..16]);
    let consent = Consent {
        user_id: person.user_id.clone(),
        name: person.name.to_owned(),
        slug: slug.to_owned(),
        allow: back.into(),
        refuse: refuse.into(),
        expires_at: plus(world.now(), LIFETIME),
    };
    let path = format!("{}/consent/{token}", world.base_url());
    world.store().put_consent(&token, &consent).await?;
    Ok(Json(json!({ "provider_slug": slug, "path": path })))
}

/// Data measured before stay; the integration is no longer listed.
pub(crate) async fn remove(
    State(world): State<World>,
    User(person): User,
    Segment(provider): Segment<String>,
) -> Result<StatusCode, Problem> {
    let slug = slug(&provider)?;
    if world.end_integration(&person, slug).await? { Ok(StatusCode::NO_CONTENT) } else { Err(Problem::not_found("integration")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whitelisted_domains() {
        let good = |text: &str| Url::parse(text).is_ok_and(|url| whitelisted(&url));
        for text in
            ["https://example.com/back", "https://app.example.org:8443/", "http://127.0.0.1:9/x", "http://[::1]/", "http://localhost/"]
        {
            assert!(good(text), "{text}");
        }
        for text in [
            "https://notexample.com/",
            "https://example.com.evil.test/",
            "https://example.com@evil.test/",
            "javascript:alert(1)",
            "ftp://example.com/",
            "http://10.0.0.1/",
            "/relative",
        ] {
            assert!(!good(text), "{text}");
        }
    }

    #[test]
    fn addresses_look_like_addresses() {
        assert!(is_email("someone@example.com"));
        for text in ["", "someone", "@example.com", "a@b", "a b@example.com", "a@b@example.com", "a@.com"] {
            assert!(!is_email(text), "{text}");
        }
    }

    #[test]
    fn the_default_place_fills_its_placeholders() {
        let url = default_redirect("u.1", "oura", "a&b").unwrap();
        assert_eq!(url.as_str(), "https://app.example.com/integrated/oura?user=u.1&at_provider=a%26b");
    }
}
