//! The operations of the interface, and the consent page. One file per group of operations.

mod auth;
mod care;
mod consent;
mod integrations;
mod lab_reports;
mod nutrition_records;
mod nutrition_upload;
mod sleeps;
mod statistics;
mod tokens;
mod user;

use axum::Router;
use axum::routing::{delete, get, post};

use crate::app::AppState;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/v3/auth/hmac", post(tokens::exchange))
        .route("/v3/providers/{provider_slug}/integration/init_url", get(integrations::init_url))
        .route("/v3/providers/{provider_slug}/integration", delete(integrations::remove))
        .route("/v3/userinfo", get(user::info))
        .route("/v3/userproperties", get(user::properties))
        .route("/v3/lab_reports", get(lab_reports::list).post(lab_reports::upload))
        .route("/v3/lab_reports/{lab_report_id}", get(lab_reports::get))
        .route("/v3/nutrition_records", get(nutrition_records::list).post(nutrition_upload::upload))
        .route(
            "/v3/nutrition_records/{nutrition_record_id}",
            get(nutrition_records::get).patch(nutrition_records::update).delete(nutrition_records::remove),
        )
        .route("/v3/queries/sleeps/{sleep_id}", get(sleeps::get))
        .route("/v3/queries/statistics/interval", get(statistics::interval))
        .route("/v3/queries/statistics/daily", get(statistics::daily))
        .route("/care/public/v1/clinics/{clinic_id}/patients/{patient_id}/policies/{policy_id}/benefits", get(care::benefits))
        .route("/consent/{token}", get(consent::page).post(consent::answer))
}
