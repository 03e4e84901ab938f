//! Policy benefits operation.

use axum::Json;
use axum::extract::State;
use serde_json::Value;

use super::auth::CareAccess;
use crate::app::AppState;
use crate::records::benefits;
use crate::web::path_param::PathParam;
use crate::web::problem::Problem;

pub(crate) async fn benefits(
    State(app): State<AppState>,
    _: CareAccess,
    PathParam((clinic, patient, policy)): PathParam<(String, String, String)>,
) -> Result<Json<Value>, Problem> {
    let now = app.now();
    let ids = [&*clinic, &*patient, &*policy];
    let ready_at = app.settings().benefits_ready_at(app.store().first_lookup(&ids, now).await?);
    benefits::lookup_json(app.settings().seed, ids, ready_at, now).map(Json).ok_or_else(|| Problem::not_found("policy"))
}
