//! The service's paths. One file per group of operations.

mod care;
mod consent;
mod integrations;
mod lab_reports;
mod nutrition_records;
mod nutrition_upload;
mod segment;
mod sleeps;
mod statistics;
mod tokens;
mod user;

pub(crate) use self::segment::Segment;
use axum::extract::DefaultBodyLimit;
use axum::routing::{delete, get, post};
use axum::{Router, middleware};
use http::StatusCode;

use crate::control;
use crate::gateway;
use crate::problem::Problem;
use crate::world::World;

pub(crate) fn router(world: World) -> Router {
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
        .merge(control::router(&world))
        .fallback(async || Problem::not_found("path"))
        .method_not_allowed_fallback(async || Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed"))
        // The gateway layer has its own, larger limit.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(world.clone(), gateway::pass))
        .with_state(world)
}
