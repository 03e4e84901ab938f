//! Tests of plans, rate limits and sets of days.

use vitalwire_cohort::{
    CohortTable, Credential, DaySet, KeySource, Plan, RateLimits, Selection, SyncState, SyncStates, UserCredentials, WorkItem,
};

use super::{date, days, noon};

fn first_run(users: &[&str], tables: &[CohortTable], first: &str, last: &str) -> Plan {
    let selection = Selection::new(users.iter().copied(), tables.iter().copied(), days(first, last)).unwrap();
    Plan::due(&selection, &SyncStates::new(), None)
}

/// Returns an item as text: table, days, and number of users.
fn shown(plan: &Plan) -> Vec<String> {
    let text = |item: &WorkItem| format!("{} {}/{} {}", item.table, item.first, item.last, item.users.len());
    plan.items().iter().map(text).collect()
}

#[test]
fn items_have_100_users_and_whole_months() {
    let users: Vec<String> = (0..150).map(|number| format!("user-{number}")).collect();
    let selection = Selection::new(&users, [CohortTable::Hourly, CohortTable::Daily], days("2025-01-15", "2025-06-10")).unwrap();
    let plan = Plan::due(&selection, &SyncStates::new(), None);
    let expected = |count: usize| {
        [
            format!("daily 2025-01-15/2025-06-10 {count}"),
            format!("hourly 2025-01-15/2025-03-31 {count}"),
            format!("hourly 2025-04-01/2025-06-10 {count}"),
        ]
    };
    assert_eq!(shown(&plan), [expected(100), expected(50)].concat());
    // One request for each user of each item.
    assert_eq!(plan.requests(), 3 * 150);
    let limits = RateLimits::new().per_second(10.0).unwrap();
    assert_eq!(Plan::seconds(plan.requests(), limits), Some(45.0));
    assert_eq!(Plan::seconds(plan.requests(), RateLimits::new()), None);
}

/// Sleeps need one search request, and one request for each sleep. Their stages are in the same responses.
#[test]
fn sleeps_and_their_stages_share_requests() {
    assert_eq!(first_run(&["anna"], &[CohortTable::Sleeps], "2025-01-01", "2025-01-31").requests(), 1 + 31);
    let both = first_run(&["anna"], &[CohortTable::SleepStages, CohortTable::Sleeps], "2025-01-01", "2025-02-02");
    let expected = [
        "sleeps 2025-01-01/2025-01-31 1",
        "sleep_stages 2025-01-01/2025-01-31 1",
        "sleeps 2025-02-01/2025-02-02 1",
        "sleep_stages 2025-02-01/2025-02-02 1",
    ];
    assert_eq!(shown(&both), expected);
    assert_eq!(both.requests(), 1 + 31 + 1 + 2);
    assert_eq!([0, 1, 2, 3, 4].map(|at| both.items_with_shared_requests(at)), [2, 1, 2, 1, 1]);
}

#[test]
fn days_that_are_not_over_are_not_planned() {
    let tables = [CohortTable::Daily, CohortTable::Hourly];
    let selection = Selection::new(["anna"], tables, days("2025-01-30", "2025-03-31")).unwrap();
    let plan = |time: &str| shown(&Plan::due(&selection, &SyncStates::new(), Some(time.parse().unwrap())));
    // A local day is over in every time zone 12 hours after its end in UTC.
    assert_eq!(plan("2025-02-02T11:59:59Z"), ["daily 2025-01-30/2025-01-31 1", "hourly 2025-01-30/2025-02-01 1"]);
    assert_eq!(plan("2025-02-02T12:00:00Z"), ["daily 2025-01-30/2025-02-01 1", "hourly 2025-01-30/2025-02-01 1"]);
    assert_eq!(plan("2025-01-29T00:00:00Z"), [""; 0]);
}

#[test]
fn a_later_plan_has_missing_days_and_the_last_days_again() {
    let (mut states, mut state) = (SyncStates::new(), SyncState::new());
    let none = vitalwire::table::Table::empty(CohortTable::Daily.id());
    for span in [days("2025-01-05", "2025-01-10"), days("2025-01-20", "2025-01-31")] {
        state.update(CohortTable::Daily, span, &none, 7, noon("2025-02-01"));
    }
    states.insert("anna", CohortTable::Daily, state);
    let selection = Selection::new(["anna", "ben"], [CohortTable::Daily], days("2025-01-01", "2025-02-28")).unwrap();
    let plan = |selection: &Selection| shown(&Plan::due(selection, &states, Some(noon("2025-02-03"))));
    let of_anna = ["daily 2025-01-01/2025-01-04 1", "daily 2025-01-11/2025-01-19 1", "daily 2025-01-25/2025-02-02 1"];
    let of_ben = "daily 2025-01-01/2025-02-02 1";
    assert_eq!(plan(&selection), [&of_anna[..], &[of_ben]].concat());
    let again = ["daily 2025-01-01/2025-01-04 1", "daily 2025-01-11/2025-01-19 1", "daily 2025-01-30/2025-02-02 1", of_ben];
    assert_eq!(plan(&selection.clone().lookback_days(2).unwrap()), again);
    assert_eq!(
        plan(&selection.clone().refresh_from(date("2025-01-08")))[..2],
        ["daily 2025-01-01/2025-01-04 1", "daily 2025-01-08/2025-02-02 1"]
    );
    // A user who connected a provider is read as in a first run.
    assert_eq!(plan(&selection.clone().refresh_users(["anna"])), ["daily 2025-01-01/2025-02-02 2"]);
    // A look-back that is longer than the span requests the whole span.
    assert_eq!(plan(&selection.clone().lookback_days(3660).unwrap()), ["daily 2025-01-01/2025-02-02 2"]);
    assert_eq!(selection.lookback_days(3661).unwrap_err().argument(), Some("lookback_days"));
}

#[test]
fn a_part_of_a_plan_keeps_the_gaps_of_its_items() {
    let mut items = first_run(&["anna", "ben"], &[CohortTable::Daily], "2025-01-01", "2025-01-31").items().to_vec();
    items.extend(first_run(&["ben"], &[CohortTable::Daily, CohortTable::Sleeps], "2025-06-01", "2025-06-30").items().to_vec());
    let plan = Plan::from(items);
    assert_eq!((plan.users(), plan.tables()), (vec!["anna", "ben"], vec![CohortTable::Daily, CohortTable::Sleeps]));
    assert_eq!(shown(&plan.only_users(["anna", "unknown"])), ["daily 2025-01-01/2025-01-31 1"]);
    assert_eq!(shown(&plan.only_tables([CohortTable::Sleeps])), ["sleeps 2025-06-01/2025-06-30 1"]);
    let some = plan.only_days(Some(date("2025-01-30")), Some(date("2025-06-02")));
    assert_eq!(shown(&some), ["daily 2025-01-30/2025-01-31 2", "daily 2025-06-01/2025-06-02 1", "sleeps 2025-06-01/2025-06-02 1"]);
    assert_eq!(shown(&plan.after(2)), ["sleeps 2025-06-01/2025-06-30 1"]);
    assert!(plan.after(4).items().is_empty());
    let steps = plan.only_statistics(["steps", "heartrate"]);
    assert_eq!(steps.items()[0].statistics, ["heartrate", "steps"]);
    assert!(steps.items()[2].statistics.is_empty());
}

#[test]
fn tasks_share_users_and_limits() {
    let users: Vec<String> = (0..10).map(|number| format!("user-{number}")).collect();
    let selection = Selection::new(&users, [CohortTable::Daily], days("2025-01-01", "2025-01-02")).unwrap();
    let plan = Plan::due(&selection, &SyncStates::new(), None);
    let sizes = |tasks, limits| plan.divide(tasks, limits).iter().map(|part| part.users().len()).collect::<Vec<_>>();
    assert_eq!(sizes(4, RateLimits::new()), [2, 3, 2, 3]);
    assert_eq!(sizes(4, RateLimits::new().per_second(2.5).unwrap()), [5, 5]);
    assert_eq!(sizes(100, RateLimits::new().in_flight(3).unwrap()), [3, 3, 4]);
    assert_eq!(Plan::default().divide(4, RateLimits::new()).len(), 0);
}

#[test]
fn a_plan_is_stored_as_json_and_invalid_ones_are_rejected() {
    let plan = first_run(&["anna"], &[CohortTable::SleepStages], "2025-01-31", "2025-02-01");
    let text = plan.to_json().unwrap();
    let expected = r#"{"version":2,"items":[{"table":"sleep_stages","users":["anna"],"first":"2025-01-31","last":"2025-01-31"},{"table":"sleep_stages","users":["anna"],"first":"2025-02-01","last":"2025-02-01"}]}"#;
    assert_eq!(text, expected);
    assert_eq!(Plan::from_json(&text).unwrap(), plan);
    let nested = format!(r#"{{"version":2,"items":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    let old = r#"{"items":[{"table":"daily","users":["anna"],"from":"2025-01-31","to":"2025-01-31"}]}"#;
    for invalid in [
        text.replace("2025-02-01", "2025-02-31"),
        text.replace(r#""last":"2025-01-31""#, r#""last":"2025-01-30""#),
        text.replace(r#"["anna"]"#, "[]"),
        text.replace(r#"["anna"]"#, r#"["anna","anna"]"#),
        text.replace(r#""version":2"#, r#""version":3"#),
        text.replace(r#""last":"2025-02-01"}"#, r#""last":"2025-02-01","statistics":["steps"]}"#),
        text.replace("sleep_stages", "meals"),
        nested,
        old.to_owned(),
        "[]".to_owned(),
        String::new(),
    ] {
        let error = Plan::from_json(&invalid).unwrap_err();
        assert_eq!(error.argument(), Some("text"), "{invalid:.80}");
        assert!(!error.to_string().contains("anna"), "{error}");
    }
    assert!(Plan::from_json(old).unwrap_err().to_string().contains("create the plan again"));
}

#[test]
fn a_selection_needs_users_tables_and_days() {
    let span = days("2025-01-01", "2025-01-31");
    let argument = |users: &[&str], tables: &[CohortTable], days| {
        Selection::new(users.iter().copied(), tables.iter().copied(), days).unwrap_err().argument().map(str::to_owned)
    };
    assert_eq!(argument(&[], &[CohortTable::Daily], span).as_deref(), Some("users"));
    assert_eq!(argument(&["a", "b", "a"], &[CohortTable::Daily], span).as_deref(), Some("users"));
    assert_eq!(argument(&["a"], &[], span).as_deref(), Some("tables"));
    assert_eq!(argument(&["a"], &[CohortTable::Daily], (date("2025-01-02"), date("2025-01-01")).into()).as_deref(), Some("days"));
    let hourly = || Selection::new(["a"], [CohortTable::Hourly], span).unwrap();
    assert_eq!(hourly().statistics(["sleep_score"]).unwrap_err().argument(), Some("statistics"));
    assert!(hourly().statistics(["steps"]).is_ok() && hourly().users_per_item(0).is_err() && hourly().months_per_item(0).is_err());
}

/// Users with a token need no exchange, and others need one for the whole plan.
#[test]
fn a_plan_counts_token_exchanges() {
    let key = || Credential::Key { application_id: 7, source: KeySource::Environment("KEY".to_owned()) };
    let token = Credential::Token("token".to_owned().into());
    let users = UserCredentials::new([("anna", key()), ("ben", token), ("carl", key()), ("dora", key())]).unwrap();
    let plan = first_run(&["anna", "ben", "carl"], &[CohortTable::Daily, CohortTable::Labs], "2025-01-01", "2025-01-31");
    assert_eq!((plan.requests(), plan.token_exchanges(&users)), (6, 2));
}

#[test]
fn shares_never_exceed_the_limits_together() {
    let limits = RateLimits::new().per_second(10.0).unwrap().in_flight(8).unwrap();
    let share = limits.share(4);
    // Two requests a second, of which a task uses 90%.
    assert_eq!((share.requests_per_second(), share.requests_in_flight()), (Some(0.9 * 2.0), 2));
    assert_eq!(limits.share(1), limits);
    assert_eq!([limits.max_tasks(100), limits.max_tasks(3), limits.max_tasks(0)], [8, 3, 1]);
    // At a low rate, fewer requests are in flight, so that none waits longer than 10 seconds for its turn.
    assert_eq!(limits.share(100).requests_in_flight(), 1);
    assert_eq!(RateLimits::new().per_second(0.2).unwrap().requests_in_flight(), 2);
    assert!(
        RateLimits::new().per_second(0.0).is_err()
            && RateLimits::new().per_second(f64::NAN).is_err()
            && RateLimits::new().in_flight(0).is_err()
    );
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
    assert!("2025-01-03/2025-01-02".parse::<DaySet>().is_err());
    assert_eq!(set.within(days("2025-01-13", "2025-02-01")).to_string(), "2025-01-13/2025-01-14");
}
