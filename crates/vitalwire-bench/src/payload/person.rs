//! The small payload.

use super::json_writer::{JsonWriter, instant};

/// Returns user information with three integrations.
#[must_use]
pub fn user_info() -> Vec<u8> {
    let mut json = JsonWriter::new(7);
    json.object(|json| {
        json.field("application_id", 42);
        json.text_field("application_user_id", "bench-user-0001");
        for name in ["compat_application_client_id", "compat_application_client_token"] {
            let id = json.id();
            json.text_field(name, id);
        }
        json.text_field("created_at", instant(0));
        json.name("integrated_providers");
        json.list(|json| {
            for (at, slug) in ["oura", "garmin", "withings"].into_iter().enumerate() {
                json.object(|json| {
                    json.text_field("created_at", instant(86_400));
                    json.field("is_integration_broken", false);
                    json.field("provider_integration_id", 1_000 + at);
                    json.text_field("provider_slug", slug);
                });
            }
        });
        let id = json.id();
        json.text_field("uid", id);
    });
    json.finish()
}
