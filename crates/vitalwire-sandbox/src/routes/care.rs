//! Policy benefits.

use axum::Json;
use axum::extract::State;
use serde_json::Value;

use super::segment::Segment;
use crate::auth::Clinic;
use crate::people::benefits::Lookup;
use crate::problem::Problem;
use crate::world::World;

pub(crate) async fn benefits(
    State(world): State<World>,
    _: Clinic,
    Segment((clinic, patient, policy)): Segment<(String, String, String)>,
) -> Result<Json<Value>, Problem> {
    let now = world.now();
    let first = world.store().first_lookup(&[&clinic, &patient, &policy], now).await?;
    let lookup = Lookup { seed: world.seed(), clinic: &clinic, patient: &patient, policy: &policy, ready_at: world.benefits_at(first) };
    lookup.json(now).map(Json).ok_or_else(|| Problem::not_found("policy"))
}
