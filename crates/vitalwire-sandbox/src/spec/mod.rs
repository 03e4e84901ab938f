//! The operations by name: what faults are aimed at and the request log speaks of.

use axum::extract::{MatchedPath, Request};
use http::Method;

/// One operation of the interface, or the token exchange.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    /// As in the specs.
    pub(crate) id: &'static str,
    pub(crate) method: Method,
    /// The path with its parameters in braces, as the sandbox serves it.
    pub(crate) template: &'static str,
}

const fn operation(id: &'static str, method: Method, template: &'static str) -> Operation {
    Operation { id, method, template }
}

/// All of them.
pub(crate) static OPERATIONS: [Operation; 17] = [
    operation("exchange_token", Method::POST, "/v3/auth/hmac"),
    operation("init_integration", Method::GET, "/v3/providers/{provider_slug}/integration/init_url"),
    operation("delete_integration", Method::DELETE, "/v3/providers/{provider_slug}/integration"),
    operation("get_user_info", Method::GET, "/v3/userinfo"),
    operation("get_user_properties", Method::GET, "/v3/userproperties"),
    operation("upload_lab_report", Method::POST, "/v3/lab_reports"),
    operation("list_lab_reports", Method::GET, "/v3/lab_reports"),
    operation("get_lab_report", Method::GET, "/v3/lab_reports/{lab_report_id}"),
    operation("upload_nutrition_record", Method::POST, "/v3/nutrition_records"),
    operation("list_nutrition_records", Method::GET, "/v3/nutrition_records"),
    operation("get_nutrition_record", Method::GET, "/v3/nutrition_records/{nutrition_record_id}"),
    operation("update_nutrition_record", Method::PATCH, "/v3/nutrition_records/{nutrition_record_id}"),
    operation("delete_nutrition_record", Method::DELETE, "/v3/nutrition_records/{nutrition_record_id}"),
    operation("get_sleep", Method::GET, "/v3/queries/sleeps/{sleep_id}"),
    operation("interval_statistics", Method::GET, "/v3/queries/statistics/interval"),
    operation("daily_statistics", Method::GET, "/v3/queries/statistics/daily"),
    operation(
        "get_policy_benefits",
        Method::GET,
        "/care/public/v1/clinics/{clinic_id}/patients/{patient_id}/policies/{policy_id}/benefits",
    ),
];

/// The operation of a request, by the path template that matched it.
pub(crate) fn find(method: &Method, template: &str) -> Option<&'static Operation> {
    // A HEAD is answered by the route of the GET.
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    OPERATIONS.iter().find(|operation| operation.template == template && operation.method == *method)
}

/// The operation of a request that has been routed.
pub(crate) fn of(request: &Request) -> Option<&'static Operation> {
    find(request.method(), request.extensions().get::<MatchedPath>()?.as_str())
}

/// The operation of that name in the specs.
pub(crate) fn named(id: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (operation id, method, path) of each operation in a spec, read by its indentation.
    fn in_spec(text: &str, prefix: &str) -> Vec<(String, String, String)> {
        let (mut path, mut method, mut found) = (String::new(), String::new(), Vec::new());
        for line in text.lines() {
            let name = line.trim().trim_end_matches(':').trim_matches('"');
            if line.starts_with("  \"/") || line.starts_with("  /") {
                path = format!("{prefix}{name}");
            } else if line.starts_with("    ") && ["get", "put", "post", "patch", "delete"].contains(&name) {
                method = name.to_uppercase();
            } else if let Some(id) = name.strip_prefix("operationId: ") {
                found.push((id.to_owned(), method.clone(), path.clone()));
            }
        }
        found
    }

    #[test]
    fn they_are_those_of_the_specs() {
        let mut expected = in_spec(include_str!("../generated/health.v3.yaml"), "");
        expected.extend(in_spec(include_str!("../generated/care.v1.yaml"), "/care"));
        expected.push(("exchange_token".to_owned(), "POST".to_owned(), "/v3/auth/hmac".to_owned()));
        assert_eq!(expected.len(), 17);
        for (id, method, path) in expected {
            let operation = named(&id).unwrap_or_else(|| panic!("{id} is missing"));
            assert_eq!((operation.method.as_str(), operation.template), (method.as_str(), path.as_str()), "{id}");
        }
    }

    #[test]
    fn a_head_belongs_to_its_get() {
        assert_eq!(find(&Method::HEAD, "/v3/userinfo").map(|operation| operation.id), Some("get_user_info"));
        assert_eq!(find(&Method::PUT, "/v3/userinfo"), None);
    }
}
