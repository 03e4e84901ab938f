//! Sample responses of the client crate, one per operation. `cargo xtask samples` updates them by setting `VITALWIRE_BLESS=1`.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use super::documented::{Request, Requester, VALID_REQUESTS};
use super::specification::SPECIFICATION;
use super::support::Service;

/// Requests with shorter responses than those of [`VALID_REQUESTS`].
const SHORT_REQUESTS: [(&str, Request); 3] = [
    ("list_lab_reports", ("GET", "/v3/lab_reports?from_timestamp=2025-09-01T00:00:00Z", "")),
    ("list_nutrition_records", ("GET", "/v3/nutrition_records?from_timestamp=2025-11-21T00:00:00Z", "")),
    (
        "interval_statistics",
        (
            "GET",
            "/v3/queries/statistics/interval?interval=1h&types=steps&types=heartrate\
             &from_timestamp=2025-11-20T06:00:00Z&to_timestamp=2025-11-20T12:00:00Z",
            "",
        ),
    ),
];

/// Maximum size in bytes. Applications may ship the samples.
const MAX_BYTES: usize = 32 << 10;

/// Maximum number of values in a series of a night.
const MAX_SAMPLES: usize = 12;

/// Thins out the series of a night. Returns other bodies unchanged.
fn thin_samples(mut body: Value) -> Value {
    let Some(samples) = body.get_mut("samples").and_then(Value::as_object_mut) else { return body };
    let (own, values): (Vec<_>, Vec<_>) = samples.values_mut().partition(|member| member.is_array());
    let values = values.into_iter().filter_map(Value::as_object_mut).flat_map(|values| values.values_mut());
    for series in own.into_iter().chain(values).filter_map(Value::as_array_mut) {
        let step = series.len().div_ceil(MAX_SAMPLES).max(1);
        *series = series.iter().step_by(step).cloned().collect();
    }
    body
}

#[tokio::test]
async fn the_client_crate_has_a_sample_response_of_every_operation() {
    let service = Service::new().await;
    let requester = Requester::new(&service).await;
    let mut samples = String::from("{");
    for operation in &SPECIFICATION.operations {
        let id = operation.id.as_str();
        let known = SHORT_REQUESTS.iter().chain(VALID_REQUESTS).find(|(known, _)| *known == id);
        let (status, body) = match known {
            Some((_, request)) => {
                let response = service.send(requester.build(*request).bearer_auth(requester.token(request.1))).await;
                (response.status.as_u16(), (!response.text.is_empty()).then(|| response.json()))
            }
            None => (200, requester.example(operation).await),
        };
        // The base URL differs at each start.
        let body = body.map(|body| thin_samples(body).to_string().replace(service.sandbox.base_url(), "https://health.example"));
        let comma = if samples.len() > 1 { "," } else { "" };
        let body = body.map_or_else(String::new, |body| format!(", \"body\": {body}"));
        write!(samples, "{comma}\n\"{id}\": {{\"status\": {status}{body}}}").unwrap();
    }
    samples.push_str("\n}\n");
    assert!(samples.len() < MAX_BYTES, "{} bytes", samples.len());

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vitalwire/src/mock/samples.json");
    if std::env::var_os("VITALWIRE_BLESS").is_some() {
        std::fs::write(&path, &samples).unwrap();
    }
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert!(read(&std::fs::read_to_string(path).unwrap()) == read(&samples), "run `cargo xtask samples`");
}
