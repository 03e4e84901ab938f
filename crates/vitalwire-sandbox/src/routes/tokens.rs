//! Token exchange: an application proves that it knows a user.

use axum::Json;
use axum::extract::State;
use bytes::Bytes;
use hmac::Mac;
use serde_json::{Value, json};

use super::auth;
use crate::app::AppState;
use crate::tokens::{self, Claims};
use crate::values::crypto;
use crate::web::fields::Fields;
use crate::web::problem::Problem;

pub(crate) async fn exchange(State(app): State<AppState>, body: Bytes) -> Result<Json<Value>, Problem> {
    let mut fields = Fields::parse(&body)?;
    let application = fields.required_integer("application_id");
    let user = fields.required_text("application_user_id");
    let signature = fields.required_text("signature");
    if user.as_deref().is_some_and(|user| !tokens::is_user_id(user)) {
        fields.reject("application_user_id", "expected 1 to 128 letters, digits, '-', '_' or '.'");
    }
    fields.finish()?;
    let (application, user, signature) = (application.unwrap_or_default(), user.unwrap_or_default(), signature.unwrap_or_default());
    auth::check_application(&app, application)?;
    let tag = crypto::decode_hex(&signature).ok_or_else(auth::wrong_signature)?;
    crypto::mac(app.keys().application_key.as_bytes(), user.as_bytes()).verify_slice(&tag).map_err(|_| auth::wrong_signature())?;
    let now = app.now();
    let mut claims = Claims::new(application, user, now.as_second());
    claims.expires_at = app.settings().token_expiry(now);
    Ok(Json(json!({ "access_token": app.sign_token(&claims) })))
}
