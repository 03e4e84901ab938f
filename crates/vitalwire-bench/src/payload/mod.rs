//! Generated payloads in the format of the service. The same seed results in the same bytes.
//!
//! Their sizes match a year of statistics, a night of sleep, or many reports. `tests/payloads.rs` checks counts and sizes. They are written
//! as text, because a serializer would not keep the service's number of decimals.

mod generator;
mod labs;
mod nutrition;
mod sleep;
mod statistics;

pub use labs::labs;
pub use nutrition::nutrition;
pub use sleep::{sleep, sleep_long};
pub use statistics::{daily, interval, interval_regular};

use generator::{Generator, compact, instant, join};

/// Whether every row also has four undocumented fields: a number, a text, a flag and an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Documented fields only.
    None,
    /// Four undocumented fields per row.
    Four,
}

/// Returns user information with three integrations.
#[must_use]
pub fn user_info() -> Vec<u8> {
    let mut generator = Generator::new(7, Unknown::None);
    let (client_id, client_token) = (generator.id(), generator.id());
    let providers = join(["oura", "garmin", "withings"].iter().zip(1_000..).map(|(slug, id)| {
        let added = instant(86_400);
        format!(r#"{{"created_at":"{added}","is_integration_broken":false,"provider_integration_id":{id},"provider_slug":"{slug}"}}"#)
    }));
    let (created, uid) = (instant(0), generator.id());
    let text = format!(
        r#"{{"application_id":42,"application_user_id":"bench-user-0001","compat_application_client_id":"{client_id}",
        "compat_application_client_token":"{client_token}","created_at":"{created}","integrated_providers":[{providers}],"uid":"{uid}"}}"#
    );
    compact(&text).into_bytes()
}

/// Returns the payloads that programs in other languages use: name, path of the operation, and body.
#[must_use]
pub fn served(unknown: Unknown) -> [(&'static str, &'static str, Vec<u8>); 4] {
    [
        ("interval", "/v3/queries/statistics/interval", interval(unknown)),
        ("sleep", "/v3/queries/sleeps/00000000-0000-4000-8000-000000000001", sleep(unknown)),
        ("sleep_long", "/v3/queries/sleeps/00000000-0000-4000-8000-000000000003", sleep_long(unknown)),
        ("userinfo", "/v3/userinfo", user_info()),
    ]
}
