//! The small payload.

use super::write::{Json, instant};

/// Returns user information with three integrations.
#[must_use]
pub fn user_info() -> Vec<u8> {
    let mut json = Json::new(7);
    json.object(|json| {
        json.member("application_id", 42);
        json.text_member("application_user_id", "bench-user-0001");
        for name in ["compat_application_client_id", "compat_application_client_token"] {
            let id = json.id();
            json.text_member(name, id);
        }
        json.text_member("created_at", instant(0));
        json.name("integrated_providers");
        json.list(|json| {
            for (at, slug) in ["oura", "garmin", "withings"].into_iter().enumerate() {
                json.object(|json| {
                    json.text_member("created_at", instant(86_400));
                    json.member("is_integration_broken", false);
                    json.member("provider_integration_id", 1_000 + at);
                    json.text_member("provider_slug", slug);
                });
            }
        });
        let id = json.id();
        json.text_member("uid", id);
    });
    json.finish()
}
