//! Late, absent and new people.

use std::time::Duration;

use vitalwire_sandbox::civil::{Date, date};
use vitalwire_sandbox::{Deliveries, Delivery, Sandbox};

use super::support::{Service, TODAY};

async fn service() -> Service {
    let deliveries =
        Deliveries::default().with("person-1", Delivery::Late(3)).with("person-2", Delivery::Absent).with("person-3", Delivery::New(5));
    Service::with_builder(Sandbox::builder().deliveries(deliveries)).await
}

/// Returns the days of November with steps.
async fn days(service: &Service, at: usize) -> Vec<Date> {
    let query = "/queries/statistics/daily?types=steps&from_date=2025-11-01&to_date=2025-11-30";
    let body = service.get_as(at, query).await.ok();
    body["statistics"].as_array().unwrap().iter().map(|bucket| bucket["date"].as_str().unwrap().parse().unwrap()).collect()
}

async fn has_night(service: &Service, at: usize, day: Date) -> bool {
    let id = service.sandbox.people()[at].sleep_id(day);
    service.get_as(at, &format!("/queries/sleeps/{id}")).await.status == 200
}

#[tokio::test]
async fn days_and_nights_arrive_late_never_or_from_a_day_on() {
    let service = service().await;
    let all = |first: i8, last: i8| (first..=last).map(|day| date(2025, 11, day)).collect::<Vec<_>>();
    // Today is 21 November.
    assert_eq!(days(&service, 0).await, all(1, 18));
    assert_eq!((has_night(&service, 0, date(2025, 11, 18)).await, has_night(&service, 0, date(2025, 11, 19)).await), (true, false));
    assert!(days(&service, 1).await.is_empty() && !has_night(&service, 1, date(2025, 11, 10)).await);
    assert_eq!(days(&service, 2).await, all(17, 21));
    assert_eq!((has_night(&service, 2, date(2025, 11, 16)).await, has_night(&service, 2, date(2025, 11, 17)).await), (false, true));
    assert_eq!(days(&service, 3).await.last(), Some(&TODAY));
    // It arrived at midnight in Berlin.
    let id = service.sandbox.people()[0].sleep_id(date(2025, 11, 18));
    assert_eq!(service.get(&format!("/queries/sleeps/{id}")).await.ok()["modified_at"], "2025-11-20T23:00:00Z");
    service.sandbox.app().advance(Duration::from_secs(86_400)).unwrap();
    assert_eq!(days(&service, 0).await, all(1, 19));
    assert!(has_night(&service, 0, date(2025, 11, 19)).await);
}

#[tokio::test]
async fn late_days_arrive_at_midnight_in_the_persons_time_zone() {
    const HOUR: Duration = Duration::from_secs(3_600);
    let deliveries = Deliveries::default().with("person-2", Delivery::Late(1)).with("person-4", Delivery::Late(1));
    let service = Service::with_builder(Sandbox::builder().deliveries(deliveries)).await;
    let app = service.sandbox.app();
    let hours = async || {
        let query = "/queries/statistics/interval?interval=1h&types=steps&from_timestamp=2025-11-21T05:00:00Z";
        service.get_as(1, query).await.ok()["statistics"].as_array().unwrap().len()
    };
    // 22:00 UTC is 9:00 of the next day in Sydney, where the last night of the state can be read.
    app.advance(10 * HOUR).unwrap();
    assert_eq!(days(&service, 3).await.last(), Some(&TODAY));
    assert_eq!(app.last_night(&service.sandbox.people()[3]), TODAY);
    assert!(has_night(&service, 3, TODAY).await);
    // 2:00 UTC is 21:00 of the day before in New York, and 5:00 is midnight.
    app.advance(4 * HOUR).unwrap();
    assert_eq!(days(&service, 1).await.last(), Some(&date(2025, 11, 20)));
    assert!(!has_night(&service, 1, TODAY).await && hours().await == 0);
    app.advance(3 * HOUR).unwrap();
    assert_eq!(days(&service, 1).await.last(), Some(&TODAY));
    assert!(has_night(&service, 1, TODAY).await);
    // Without an hour in which the watch may charge.
    assert!([23, 24].contains(&hours().await));
}
