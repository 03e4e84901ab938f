//! Query parameters of the statistics: array styles, filters and rejected values.

use super::support::{Service, names};

const DAILY: &str = "/queries/statistics/daily?from_date=2025-11-20&to_date=2025-11-20";

async fn returned_types(service: &Service, query: &str) -> Vec<String> {
    let body = service.get(&format!("{DAILY}&{query}")).await.ok();
    match body["statistics"].as_array().unwrap().first() {
        Some(day) => names(&day["values"]).into_iter().map(str::to_owned).collect(),
        None => Vec::new(),
    }
}

// statements: supplement.array.formats
#[tokio::test]
async fn arrays_are_accepted_in_both_styles() {
    let service = Service::new().await;
    let expected = ["heartrate", "steps"];
    assert_eq!(returned_types(&service, "types=steps&types=heartrate").await, expected);
    assert_eq!(returned_types(&service, "types=steps,heartrate").await, expected);
    assert_eq!(returned_types(&service, "types=steps%2Cheartrate").await, expected);
    assert_eq!(returned_types(&service, "types=steps,heartrate&types=steps").await, expected);
}

#[tokio::test]
async fn the_providers_filter_keeps_their_statistics() {
    let service = Service::new().await;
    // person-1 has a ring (oura), a watch that is also worn at night (garmin) and a phone (apple).
    let types = "types=steps,sleep_score";
    assert_eq!(returned_types(&service, types).await, ["sleep_score", "steps"]);
    assert_eq!(returned_types(&service, &format!("{types}&providers=garmin")).await, ["sleep_score", "steps"]);
    assert_eq!(returned_types(&service, &format!("{types}&providers=apple")).await, ["steps"]);
    assert_eq!(returned_types(&service, &format!("{types}&providers=oura")).await, ["sleep_score"]);
    assert_eq!(returned_types(&service, &format!("{types}&providers=oura,garmin")).await, ["sleep_score", "steps"]);
    assert_eq!(returned_types(&service, &format!("{types}&providers=oura&providers=garmin")).await, ["sleep_score", "steps"]);
    assert_eq!(returned_types(&service, &format!("{types}&providers=polar")).await, [""; 0]);
    let unknown = service.get(&format!("{DAILY}&{types}&providers=oura,nobody")).await;
    assert_eq!(unknown.problem(422), ["query.providers"]);
}

#[tokio::test]
async fn the_other_filters_are_accepted() {
    let service = Service::new().await;
    assert_eq!(returned_types(&service, "types=steps&exclude_manual=true&device_types=unknown&later=1").await, ["steps"]);
    let odd = service.get(&format!("{DAILY}&types=steps&exclude_manual=maybe&include_record_ids=2")).await;
    assert_eq!(odd.problem(422), ["query.exclude_manual", "query.include_record_ids"]);
}

// statements: supplement.error.format, supplement.error.locations
#[tokio::test]
async fn missing_and_malformed_parameters_are_named() {
    let service = Service::new().await;
    let locations = async |path: &str| service.get(&format!("/queries/statistics/{path}")).await.problem(422);
    assert_eq!(locations("daily").await, ["query.from_date", "query.to_date", "query.types"]);
    assert_eq!(locations("daily?to_date=2025-11-20&types=steps").await, ["query.from_date"]);
    assert_eq!(locations("daily?from_date=2025-11-20&to_date=2025-11-20&types=").await, ["query.types"]);
    assert_eq!(locations("daily?from_date=2025-11-20&to_date=2025-11-20&types=steps,stepz").await, ["query.types"]);
    assert_eq!(locations("daily?from_date=2025-11-21&to_date=2025-11-20&types=steps").await, ["query.from_date"]);
    for bad in ["2025-02-30", "20251120", "2025-11-20T00:00:00Z", "today", "", "2025-1-1", "%FF", "99999-01-01"] {
        let path = format!("daily?from_date={bad}&to_date={bad}&types=steps");
        assert_eq!(locations(&path).await, ["query.from_date", "query.to_date"], "{bad}");
    }
    assert_eq!(locations("interval").await, ["query.interval", "query.types"]);
    assert_eq!(locations("interval?types=steps&interval=1d").await, ["query.interval"]);
    assert_eq!(
        locations("interval?types=steps&interval=1h&from_timestamp=x&to_timestamp=2025-11-20T25:00:00Z").await,
        ["query.from_timestamp", "query.to_timestamp"]
    );
    let swapped = "interval?types=steps&interval=1h&from_timestamp=2025-11-21T00:00:00Z&to_timestamp=2025-11-20T00:00:00Z";
    assert_eq!(locations(swapped).await, ["query.from_timestamp"]);
}

#[tokio::test]
async fn the_ends_of_the_calendar_are_accepted() {
    let service = Service::new().await;
    let all = service.get("/queries/statistics/daily?from_date=0001-01-01&to_date=9999-12-31&types=steps").await.ok();
    let days = all["statistics"].as_array().unwrap();
    assert_eq!(days[0]["date"], "2020-01-01");
    assert_eq!(days[days.len() - 1]["date"], "2025-11-21");
    assert_eq!(days.len(), 366 + 365 * 3 + 366 + 325);
    let path = "/queries/statistics/interval?interval=1h&types=steps";
    for query in ["&to_timestamp=-009999-01-02T01:59:59Z", "&to_timestamp=0001-01-01T00:00:00Z", "&from_timestamp=9999-12-30T22:00:00Z"] {
        let response = service.get(&format!("{path}{query}")).await;
        assert!([200, 422].contains(&response.status.as_u16()), "{query}: {}", response.text);
    }
    let first = service.get(&format!("{path}&to_timestamp=0001-01-01T00:00:00Z")).await.ok();
    assert_eq!(first["from_timestamp"], "0001-01-01T00:00:00Z", "the earliest accepted instant");
}

#[tokio::test]
async fn the_first_hundred_errors_are_returned() {
    let service = Service::new().await;
    let types = vec!["x"; 150].join(",");
    let query = service.get(&format!("/queries/statistics/daily?from_date=2025-01-01&to_date=2025-01-02&types={types}")).await;
    assert_eq!(query.problem(422), vec!["query.types"; 100]);
    let body = serde_json::json!({ "body": "eA==", "include_nutrition_fields": vec!["x"; 1_000_000] });
    let found = service.post("/nutrition_records", &body).await.problem(422);
    assert_eq!((found.len(), found[99].as_str()), (100, "body.include_nutrition_fields[99]"));
    let body = format!(
        "{{\"user_id\":\"person-1\",\"state\":\"broken\",\"provider_slug\":\"luna\"{}}}",
        (0..500).map(|at| format!(",\"a{at}\":1")).collect::<String>()
    );
    let request =
        service.http.post(format!("{}/_sandbox/integrations", service.sandbox.base_url())).header("content-type", "application/json");
    assert_eq!(service.send(request.body(body)).await.problem(422).len(), 100);
}
