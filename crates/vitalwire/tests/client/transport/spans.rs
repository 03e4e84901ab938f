//! Tests of the spans of attempts, which use the OpenTelemetry names for HTTP clients.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Metadata, Subscriber};
use vitalwire::Client;
use vitalwire::mock::{MockResponse, MockResponses};

use super::in_child;

type Fields = BTreeMap<&'static str, String>;

/// Records all spans with their fields.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Vec<Fields>>>);

struct FieldWriter<'a>(&'a mut Fields);

impl Visit for FieldWriter<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}").trim_matches('"').to_owned());
    }
}

impl Subscriber for Spans {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut spans = self.0.lock().unwrap();
        let mut fields = Fields::from([("(name)", span.metadata().name().to_owned())]);
        span.record(&mut FieldWriter(&mut fields));
        spans.push(fields);
        Id::from_u64(u64::try_from(spans.len()).unwrap())
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        let at = usize::try_from(id.into_u64()).unwrap() - 1;
        values.record(&mut FieldWriter(&mut self.0.lock().unwrap()[at]));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &tracing::Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[test]
fn attempt_spans_use_the_names_of_opentelemetry() {
    // The subscriber is global to the process.
    in_child("transport::spans::child_spans_of_a_call", &[]);
}

#[tokio::test]
#[ignore = "run by the test above"]
async fn child_spans_of_a_call() {
    let spans = Spans::default();
    tracing::subscriber::set_global_default(spans.clone()).unwrap();
    let mock_responses = MockResponses::new().on("get_sleep", MockResponse::status(503)).on("get_sleep", MockResponse::no_connection()).on(
        "get_sleep",
        MockResponse::json(r#"{"sleep_id":"CANARY","modified_at":"2025-01-01T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z"}"#),
    );
    let client = Client::builder()
        .mock_responses(&mock_responses)
        .base_url("https://health.example:8443/gate")
        .retry_delay_scale(0.0)
        .build()
        .unwrap();
    client.sleeps().get("CANARY").await.unwrap();

    let spans = spans.0.lock().unwrap();
    assert!(!format!("{spans:?}").contains("CANARY"));
    let attempts: Vec<&Fields> = spans.iter().filter(|fields| fields["(name)"] == "vitalwire.attempt").collect();
    let common = [
        ("(name)", "vitalwire.attempt"),
        ("http.request.method", "GET"),
        ("otel.kind", "client"),
        ("otel.name", "GET /v3/queries/sleeps/{sleep_id}"),
        ("server.address", "health.example"),
        ("server.port", "8443"),
        ("url.template", "/v3/queries/sleeps/{sleep_id}"),
    ];
    // HTTP semantic conventions: the status of an error response is the error type, and resends are counted from the second request on.
    let own: [&[(&str, &str)]; 3] = [
        &[("error.type", "503"), ("http.response.status_code", "503"), ("otel.status_code", "ERROR")],
        &[("error.type", "transport"), ("http.request.resend_count", "1"), ("otel.status_code", "ERROR")],
        &[("http.request.resend_count", "2"), ("http.response.status_code", "200")],
    ];
    assert_eq!(attempts.len(), own.len());
    for (attempt, own) in attempts.into_iter().zip(own) {
        let expected: Fields = common.iter().chain(own).map(|(name, value)| (*name, (*value).to_owned())).collect();
        assert_eq!(*attempt, expected);
    }
}
