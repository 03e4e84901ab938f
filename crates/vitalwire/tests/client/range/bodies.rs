//! Bodies of parts, for callers that store them.

use vitalwire::range::PartLength;
use vitalwire_testkit::{Server, json};

use crate::range::{client, daily, days, every_day, instants, interval, query_value};

#[tokio::test]
async fn bodies_are_returned_in_order_as_received_until_a_failure() {
    // White space, digits and invalid JSON are kept.
    let server = Server::with_script(|seen, _| match query_value(seen, "from_date").as_str() {
        "2025-01-01" => {
            json(200, r#"{ "from_date":"2025-01-01","to_date":"2025-01-02","statistics":[{"date":"2025-01-01","values":{"steps":1.50}}] }"#)
        }
        "2025-01-03" => json(200, "<html>"),
        "2025-01-07" => json(404, "{}"),
        _ => every_day(seen),
    });
    let mut bodies = daily(&server, days("2025-01-01", "2025-01-10")).split(PartLength::Days(2)).concurrency(3).bodies().unwrap();
    assert_eq!((bodies.resume_token().unwrap().parts_left(), server.count()), (5, 0));
    let first = bodies.next().await.unwrap().unwrap();
    assert!(first.body.starts_with(b"{ \"from_date\"") && first.body.windows(4).any(|window| window == b"1.50"));
    assert_eq!(bodies.resume_token().unwrap().parts_left(), 4);
    assert_eq!(&bodies.next().await.unwrap().unwrap().body[..], b"<html>");
    assert!(bodies.next().await.unwrap().is_ok());
    let failure = bodies.next().await.unwrap().unwrap_err();
    assert_eq!((failure.index(), failure.error().status()), (3, Some(404)));
    assert!(bodies.next().await.is_none(), "a failure ends the stream");
    let token = bodies.resume_token().unwrap();
    assert!(token.to_string().contains("/3-4/"), "{token}");

    let server = Server::with_script(|seen, _| every_day(seen));
    let mut rest = daily(&server, days("2025-01-01", "2025-01-10")).split(None).resume(&token).bodies().unwrap();
    while let Some(body) = rest.next().await {
        body.unwrap();
    }
    assert_eq!((rest.resume_token(), server.count()), (None, 2));
}

#[tokio::test]
async fn an_invalid_split_returns_no_bodies() {
    let server = Server::always(json(200, "{}"));
    let range = instants("2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z");
    assert!(interval(&server, range).split(PartLength::Hours(0)).bodies().is_err());
    assert!(client(&server).lab_reports().list().split(PartLength::Days(1)).bodies().is_err());
    assert_eq!(server.count(), 0);
}
