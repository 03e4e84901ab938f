//! Policy benefits operation.

use axum::Json;
use axum::extract::State;
use serde_json::Value;

use super::auth::CareAccess;
use crate::app::AppState;
use crate::records::benefits::BenefitsLookup;
use crate::web::path_param::PathParam;
use crate::web::problem::Problem;

pub(crate) async fn benefits(
    State(app): State<AppState>,
    _: CareAccess,
    PathParam((clinic, patient, policy)): PathParam<(String, String, String)>,
) -> Result<Json<Value>, Problem> {
    let now = app.now();
    let first = app.store().first_lookup(&[&clinic, &patient, &policy], now).await?;
    let lookup = BenefitsLookup {
        seed: app.settings().seed,
        clinic: &clinic,
        patient: &patient,
        policy: &policy,
        ready_at: app.settings().benefits_ready_at(first),
    };
    lookup.json(now).map(Json).ok_or_else(|| Problem::not_found("policy"))
}
