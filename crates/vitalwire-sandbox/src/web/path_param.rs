//! Path parameters whose rejection is a problem body.

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::web::problem::{ErrorItem, Problem};

/// One or several path parameters.
pub(crate) struct PathParam<T>(pub(crate) T);

impl<T, S> FromRequestParts<S> for PathParam<T>
where
    T: DeserializeOwned + Send,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(value)) => Ok(Self(value)),
            Err(_) => Err(Problem::invalid(ErrorItem::new("path", "is not UTF-8", Value::Null))),
        }
    }
}
