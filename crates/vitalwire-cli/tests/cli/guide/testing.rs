//! Tests of an application, as the site shows them.

// --8<-- [start:program]
use vitalwire::mock::{MockResponse, MockResponses};
use vitalwire::{Client, Date, DateRange, Error};
use vitalwire_sandbox::Sandbox;

/// A function of your application.
async fn steps(client: &Client, day: Date) -> Result<Option<f64>, Error> {
    let days = client.statistics().daily(DateRange::new(day, day)?, ["steps"]).await?;
    Ok(days.statistics.iter().find_map(|day| day.values.as_ref()?.steps()))
}

#[tokio::test]
async fn steps_come_from_the_sandbox() {
    let sandbox = Sandbox::builder().start().await.expect("a sandbox");
    let client = Client::builder().base_url(sandbox.base_url()).token(&sandbox.people()[0].token).build().expect("a client");
    let day: Date = "2025-11-20".parse().expect("a date");
    assert_eq!(steps(&client, day).await.expect("steps"), Some(7_221.0));

    // Two attempts fail. The client retries.
    sandbox.app().faults().add("status; status=503; times=2".parse().expect("a fault"));
    assert!(steps(&client, day).await.is_ok());
    sandbox.shutdown().await;
}

#[tokio::test]
async fn steps_come_from_a_mock_response() {
    let body = r#"{"from_date": "2025-11-20", "to_date": "2025-11-20", "statistics": [{"date": "2025-11-20", "values": {"steps": 1200}}]}"#;
    let responses = MockResponses::new().on("daily_statistics", MockResponse::json(body));
    let client = Client::builder().mock_responses(&responses).build().expect("a client");
    let day: Date = "2025-11-20".parse().expect("a date");
    assert_eq!(steps(&client, day).await.expect("steps"), Some(1_200.0));
    assert_eq!(responses.requests().len(), 1);
}
// --8<-- [end:program]
