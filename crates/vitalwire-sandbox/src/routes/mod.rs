//! Operations of the specifications and the consent page, in one file per group. `unimplemented.rs` has the 501 of the others.

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
mod unimplemented;
mod user;

use axum::Router;
use axum::routing::{MethodFilter, MethodRouter, get, on};

use crate::app::AppState;
use crate::spec::{OPERATIONS, Operation};

/// Maps operation ids to handlers. Methods and paths come from the specifications.
macro_rules! handlers {
    ($($id:literal => $handler:path,)*) => {
        /// Operations with a handler.
        #[cfg(test)]
        const HANDLED: &[&str] = &[$($id,)*];

        /// Returns the handler of an operation for its method.
        fn handler(id: &str, method: MethodFilter) -> Option<MethodRouter<AppState>> {
            match id {
                $($id => Some(on(method, $handler)),)*
                _ => None,
            }
        }
    };
}

handlers! {
    "exchange_token" => tokens::exchange,
    "init_integration" => integrations::init_url,
    "delete_integration" => integrations::remove,
    "get_user_info" => user::info,
    "get_user_properties" => user::properties,
    "upload_lab_report" => lab_reports::upload,
    "list_lab_reports" => lab_reports::list,
    "get_lab_report" => lab_reports::get,
    "upload_nutrition_record" => nutrition_upload::upload,
    "list_nutrition_records" => nutrition_records::list,
    "get_nutrition_record" => nutrition_records::get,
    "update_nutrition_record" => nutrition_records::update,
    "delete_nutrition_record" => nutrition_records::remove,
    "get_sleep" => sleeps::get,
    "interval_statistics" => statistics::interval,
    "daily_statistics" => statistics::daily,
    "get_policy_benefits" => care::benefits,
}

pub(crate) fn router() -> Router<AppState> {
    OPERATIONS.iter().fold(Router::new(), add_route).route("/consent/{token}", get(consent::page).post(consent::submit))
}

/// Adds the route of an operation, with its handler or as documented.
fn add_route(router: Router<AppState>, operation: &'static Operation) -> Router<AppState> {
    let Ok(method) = MethodFilter::try_from(operation.method.clone()) else { return router };
    router.route(operation.template, handler(operation.id, method).unwrap_or_else(|| unimplemented::route(operation, method)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec;

    #[test]
    fn every_handler_belongs_to_an_operation() {
        for id in HANDLED {
            assert!(spec::find_by_id(id).is_some(), "{id} is in no specification");
        }
    }
}
