//! Control route that resets the sandbox.

use axum::extract::State;
use bytes::Bytes;
use http::StatusCode;

use crate::app::AppState;
use crate::web::fields::Fields;
use crate::web::problem::Problem;

/// Resets the sandbox. The body must be empty or `{}`.
pub(crate) async fn reset(State(app): State<AppState>, body: Bytes) -> Result<StatusCode, Problem> {
    if !body.is_empty() {
        let mut fields = Fields::parse(&body)?;
        fields.reject_rest();
        fields.finish()?;
    }
    app.reset().await?;
    Ok(StatusCode::NO_CONTENT)
}
