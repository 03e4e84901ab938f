//! Tests of plans, budgets and sets of days.

use vitalwire::cohort::{Budget, CohortTable, DaySet, Plan, WorkItem};

use super::{date, days};

#[test]
fn items_have_100_users_and_whole_months() {
    let users: Vec<String> = (0..150).map(|number| format!("user-{number}")).collect();
    let plan = Plan::new(&users, [CohortTable::Hourly, CohortTable::Daily], days("2025-01-15", "2025-06-10")).unwrap();
    let item = |item: &WorkItem| (item.users.len(), item.table.as_str(), item.from.to_string(), item.to.to_string());
    let items: Vec<_> = plan.items().iter().map(item).collect();
    let expected = |count: usize| {
        [
            (count, "daily", "2025-01-15".to_owned(), "2025-06-10".to_owned()),
            (count, "hourly", "2025-01-15".to_owned(), "2025-03-31".to_owned()),
            (count, "hourly", "2025-04-01".to_owned(), "2025-06-10".to_owned()),
        ]
    };
    assert_eq!(items, [expected(100), expected(50)].concat());
    // One request for each user of each item.
    assert_eq!(plan.requests(), 3 * 150);
    let budget = Budget::new().per_second(10.0).unwrap();
    assert_eq!(plan.seconds(budget), Some(45.0));
    assert_eq!(plan.seconds(Budget::new()), None);
}

/// Sleeps need one search request, and one request for each sleep.
#[test]
fn a_day_is_estimated_as_one_sleep() {
    let plan = Plan::new(["anna"], [CohortTable::Sleeps], days("2025-01-01", "2025-01-31")).unwrap();
    assert_eq!(plan.requests(), 1 + 31);
}

#[test]
fn a_plan_is_stored_as_json_and_rejects_an_invalid_date() {
    let plan = Plan::new(["anna"], [CohortTable::SleepStages], days("2025-01-31", "2025-02-01")).unwrap();
    let text = serde_json::to_string(&plan).unwrap();
    let expected = r#"{"items":[{"table":"sleep_stages","users":["anna"],"from":"2025-01-31","to":"2025-01-31"},{"table":"sleep_stages","users":["anna"],"from":"2025-02-01","to":"2025-02-01"}]}"#;
    assert_eq!(text, expected);
    assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), plan);
    assert!(serde_json::from_str::<Plan>(&text.replace("2025-02-01", "2025-02-31")).is_err());
}

#[test]
fn a_plan_needs_users_tables_and_days() {
    let span = days("2025-01-01", "2025-01-31");
    let argument = |users: &[&str], tables: &[CohortTable], days| {
        Plan::new(users.iter().copied(), tables.iter().copied(), days).unwrap_err().argument().map(str::to_owned)
    };
    assert_eq!(argument(&[], &[CohortTable::Daily], span).as_deref(), Some("users"));
    assert_eq!(argument(&["a", "b", "a"], &[CohortTable::Daily], span).as_deref(), Some("users"));
    assert_eq!(argument(&["a"], &[], span).as_deref(), Some("tables"));
    assert_eq!(argument(&["a"], &[CohortTable::Daily], (date("2025-01-02"), date("2025-01-01")).into()).as_deref(), Some("days"));
}

#[test]
fn shares_never_exceed_the_budget_together() {
    let budget = Budget::new().per_second(10.0).unwrap().in_flight(8).unwrap();
    let share = budget.share(4);
    assert_eq!((share.requests_per_second(), share.requests_in_flight()), (Some(2.0), 2));
    // At a low rate, fewer requests are in flight, so that none waits longer than 10 seconds for its turn.
    assert_eq!(budget.share(100).requests_in_flight(), 1);
    assert_eq!(Budget::new().per_second(0.2).unwrap().requests_in_flight(), 2);
    assert!(Budget::new().per_second(0.0).is_err() && Budget::new().per_second(f64::NAN).is_err() && Budget::new().in_flight(0).is_err());
}

#[test]
fn a_set_of_days_merges_ranges_and_returns_missing_days() {
    let mut set = DaySet::new();
    for (first, last) in
        [("2025-01-10", "2025-01-12"), ("2025-01-01", "2025-01-02"), ("2025-01-03", "2025-01-03"), ("2025-01-12", "2025-01-14")]
    {
        set.insert(days(first, last));
    }
    assert_eq!(set.to_string(), "2025-01-01/2025-01-03,2025-01-10/2025-01-14");
    assert_eq!(set.len(), 8);
    assert_eq!(
        set.missing_from(days("2024-12-31", "2025-01-15")).to_string(),
        "2024-12-31/2024-12-31,2025-01-04/2025-01-09,2025-01-15/2025-01-15"
    );
    set.remove(days("2025-01-02", "2025-01-11"));
    assert_eq!(set.to_string(), "2025-01-01/2025-01-01,2025-01-12/2025-01-14");
    assert_eq!(set.to_string().parse(), Ok(set.clone()));
    assert!(set.contains(date("2025-01-13")) && !set.contains(date("2025-01-11")));
    assert_eq!(set.last(), Some(date("2025-01-14")));
    assert!("2025-01-01".parse::<DaySet>().is_err());
}
