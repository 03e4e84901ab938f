//! Both statistics operations: every parameter, and lists in both styles.

use vitalwire::client::{ArrayStyle, CallOptions};
use vitalwire::open_sets::{DeviceType, ProviderSlug, StatisticName, StatisticsInterval};
use vitalwire_testkit::{Server, json};

use crate::api::{builder, client, date, instant, only, pairs, query, raw_query, target};

const DAILY: &str = r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[
    {"date":"2025-01-01","record_ids":["a","b"],"values":{"steps":4321,"stress_score":12.5}},{"date":"2025-01-02"}]}"#;
const INTERVAL: &str = r#"{"from_timestamp":"2025-01-01T00:00:00","to_timestamp":"2025-01-01T01:00:00Z","statistics":[
    {"from_timestamp":"2025-01-01T00:00:00Z","to_timestamp":"2025-01-01T01:00:00","record_ids":null,"values":{"heartrate":61.25}}]}"#;

#[tokio::test]
async fn interval_statistics_send_every_parameter() {
    let server = Server::always(json(200, INTERVAL));
    let client = client(&server);
    let call = client.statistics().interval(StatisticsInterval::OneHour, [StatisticName::Steps, StatisticName::Heartrate]);
    let call = call.from_timestamp(instant("2025-01-01T00:00:00Z")).to_timestamp(instant("2025-01-01T01:00:00Z"));
    let call = call.providers([ProviderSlug::OmronEu, ProviderSlug::Garmin]).device_types([DeviceType::Unknown]);
    let response = call.exclude_manual(true).include_record_ids(false).await.unwrap();
    assert_eq!(response.from_timestamp, Some(instant("2025-01-01T00:00:00Z")));
    let bucket = &response.statistics[0];
    assert_eq!(bucket.to_timestamp, Some(instant("2025-01-01T01:00:00Z")));
    assert!(bucket.record_ids.is_null());
    assert_eq!(bucket.values.as_ref().unwrap().heartrate(), Some(61.25));
    let seen = only(&server);
    assert_eq!(target(&seen), "GET /v3/queries/statistics/interval");
    assert_eq!((seen.header("authorization"), seen.header("accept")), (Some("Bearer health-token"), Some("application/json")));
    let expected = [
        ("device_types", "unknown"),
        ("exclude_manual", "true"),
        ("from_timestamp", "2025-01-01T00:00:00Z"),
        ("include_record_ids", "false"),
        ("interval", "1h"),
        ("providers", "omron_eu"),
        ("providers", "garmin"),
        ("to_timestamp", "2025-01-01T01:00:00Z"),
        ("types", "steps"),
        ("types", "heartrate"),
    ];
    assert_eq!(query(&seen), pairs(&expected));
}

#[tokio::test]
async fn daily_statistics_send_every_parameter() {
    let server = Server::always(json(200, DAILY));
    let client = client(&server);
    let call = client.statistics().daily(date("2025-01-01")..=date("2025-01-02"), ["steps", "stress_score"]);
    let call = call.providers(["whoop"]).exclude_manual(false).include_record_ids(true).device_types(["unknown", "watch"]);
    let response = call.await.unwrap();
    assert_eq!((response.from_date, response.to_date), (date("2025-01-01"), date("2025-01-02")));
    let [first, second] = &*response.statistics else { panic!("two days") };
    assert_eq!(first.record_ids.iter().map(AsRef::as_ref).collect::<Vec<&str>>(), ["a", "b"]);
    let values = first.values.as_ref().unwrap();
    assert_eq!((values.steps(), values.stress_score(), values.heartrate()), (Some(4321.0), Some(12.5), None));
    assert!(second.record_ids.is_absent() && second.values.is_none());
    let seen = only(&server);
    assert_eq!(target(&seen), "GET /v3/queries/statistics/daily");
    let expected = [
        ("device_types", "unknown"),
        ("device_types", "watch"),
        ("exclude_manual", "false"),
        ("from_date", "2025-01-01"),
        ("include_record_ids", "true"),
        ("providers", "whoop"),
        ("to_date", "2025-01-02"),
        ("types", "steps"),
        ("types", "stress_score"),
    ];
    assert_eq!(query(&seen), pairs(&expected));
}

#[tokio::test]
async fn only_parameters_that_are_set_are_sent() {
    let server = Server::in_order([json(200, DAILY), json(200, INTERVAL)]);
    let client = client(&server);
    client.statistics().daily(date("2025-01-01")..=date("2025-01-02"), ["steps"]).await.unwrap();
    client.statistics().interval("1h", ["steps"]).await.unwrap();
    let seen = server.requests();
    assert_eq!(query(&seen[0]), pairs(&[("from_date", "2025-01-01"), ("to_date", "2025-01-02"), ("types", "steps")]));
    assert_eq!(query(&seen[1]), pairs(&[("interval", "1h"), ("types", "steps")]));
}

/// Returns the encoded query pairs, sorted.
fn pieces(server: &Server) -> Vec<String> {
    let seen = only(server);
    let mut pieces: Vec<String> = raw_query(&seen).unwrap().split('&').map(str::to_owned).collect();
    pieces.sort();
    pieces
}

#[tokio::test]
async fn a_comma_in_a_value_is_encoded() {
    let server = Server::always(json(200, DAILY));
    let call = client(&server).statistics().daily(date("2025-01-01")..=date("2025-01-02"), ["a,b", "c d&e"]);
    call.providers(["whoop", "x,y"]).await.unwrap();
    let expected = ["from_date=2025-01-01", "providers=whoop", "providers=x%2Cy", "to_date=2025-01-02", "types=a%2Cb", "types=c+d%26e"];
    assert_eq!(pieces(&server), expected);

    let server = Server::always(json(200, DAILY));
    let client = builder(&server).array_style(ArrayStyle::Comma).build().unwrap();
    let call = client.statistics().daily(date("2025-01-01")..=date("2025-01-02"), ["a,b", "c d&e"]);
    call.providers(["whoop", "x,y"]).device_types(["unknown"]).await.unwrap();
    let expected = ["device_types=unknown", "from_date=2025-01-01", "providers=whoop,x%2Cy", "to_date=2025-01-02", "types=a%2Cb,c+d%26e"];
    assert_eq!(pieces(&server), expected);
}

#[tokio::test]
async fn the_array_style_of_a_call_overrides_the_clients() {
    let server = Server::always(json(200, INTERVAL));
    let comma = CallOptions::new().array_style(ArrayStyle::Comma).query("types", "own");
    client(&server).statistics().interval("1h", ["steps", "heartrate"]).options(comma).await.unwrap();
    assert_eq!(pieces(&server), ["interval=1h", "types=own", "types=steps,heartrate"], "an extra query pair is not merged");

    let server = Server::always(json(200, INTERVAL));
    let client = builder(&server).array_style(ArrayStyle::Comma).build().unwrap();
    let repeated = CallOptions::new().array_style(ArrayStyle::Repeated);
    client.statistics().interval("1h", ["steps", "heartrate"]).options(repeated).await.unwrap();
    assert_eq!(pieces(&server), ["interval=1h", "types=heartrate", "types=steps"]);
}

#[tokio::test]
async fn the_comma_style_affects_lists_only() {
    let server = Server::always(json(200, INTERVAL));
    let client = builder(&server).array_style(ArrayStyle::Comma).build().unwrap();
    let from = instant("2025-01-01T00:00:00.5Z");
    client.statistics().interval("1h,2h", ["steps"]).from_timestamp(from).exclude_manual(true).await.unwrap();
    let expected = [("exclude_manual", "true"), ("from_timestamp", "2025-01-01T00:00:00.5Z"), ("interval", "1h,2h"), ("types", "steps")];
    assert_eq!(query(&only(&server)), pairs(&expected));
}

#[tokio::test]
async fn null_statistics_are_an_empty_list() {
    let daily = r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":null}"#;
    let server = Server::in_order([json(200, daily), json(200, r#"{"statistics":null}"#)]);
    let client = client(&server);
    assert!(client.statistics().daily(date("2025-01-01")..=date("2025-01-02"), ["steps"]).await.unwrap().statistics.is_empty());
    assert!(client.statistics().interval("1h", ["steps"]).await.unwrap().statistics.is_empty());
}
