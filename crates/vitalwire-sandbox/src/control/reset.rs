//! The sandbox as it began.

use axum::extract::State;
use bytes::Bytes;
use http::StatusCode;

use crate::body::Fields;
use crate::problem::Problem;
use crate::world::World;

/// Without a body, or with `{}`.
pub(crate) async fn reset(State(world): State<World>, body: Bytes) -> Result<StatusCode, Problem> {
    if !body.is_empty() {
        let mut fields = Fields::parse(&body)?;
        fields.reject_rest();
        fields.finish()?;
    }
    world.reset().await?;
    Ok(StatusCode::NO_CONTENT)
}
