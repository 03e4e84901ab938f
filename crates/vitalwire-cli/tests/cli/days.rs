//! Dates are days of the user: east and west of UTC, and across clock changes.

use std::process::Command;

use serde_json::Value;
use vitalwire::value::Timestamp;

use crate::common::{RunningSandbox, vitalwire};
use crate::scripted::{Reply, ScriptedServer};

/// Returns a command that runs as a user of the sandbox, with a token that the program itself requested.
fn command_of(served: &RunningSandbox, id: &str) -> impl Fn(&[&str]) -> Command + use<> {
    let (url, key) = (served.field("base_url"), served.field("application_key"));
    let application = served.ready["application_id"].to_string();
    let token = run(vitalwire().args(["token", &application, id, "--key-env", "KEY"]).env("KEY", key).env("VITALWIRE_BASE_URL", &url));
    move |arguments| {
        let mut command = vitalwire();
        command.args(arguments).env("VITALWIRE_TOKEN", token.trim()).env("VITALWIRE_BASE_URL", &url);
        command
    }
}

/// Runs a command that must succeed without notes, and returns its output.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Runs the program as a user of the sandbox.
fn user_command(served: &RunningSandbox, id: &str) -> impl Fn(&[&str]) -> String + use<> {
    let command = command_of(served, id);
    move |arguments| run(&mut command(arguments))
}

fn meals(list: &str) -> Vec<Value> {
    serde_json::from_str(list).expect("a list")
}

/// Returns the local date of a meal, from the UTC offset in its record.
fn local_date(meal: &Value) -> String {
    let at: Timestamp = meal["consumed_at"].as_str().expect("a time").parse().expect("a date-time");
    at.local(meal["user_time_offset_minutes"].as_i64().expect("an offset")).expect("a local time").date().to_string()
}

fn ids(meals: &[Value]) -> Vec<&str> {
    meals.iter().map(|meal| meal["record_id"].as_str().expect("an id")).collect()
}

/// Summer time began in Sydney on 5 October 2025 and ended in New York on 2 November.
#[test]
fn a_list_has_the_meals_of_the_users_day() {
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-26"]);
    for (id, zone, days) in [
        ("person-4", "Australia/Sydney", ["2025-10-04", "2025-10-05", "2025-10-06", "2025-11-25"]),
        ("person-2", "America/New_York", ["2025-11-01", "2025-11-02", "2025-11-03", "2025-11-25"]),
        ("person-6", "America/Los_Angeles", ["2025-11-01", "2025-11-02", "2025-11-03", "2025-11-25"]),
        ("person-3", "Asia/Kolkata", ["2025-10-05", "2025-11-02", "2025-11-03", "2025-11-25"]),
    ] {
        let run = user_command(&served, id);
        let json = |from: &str, to: &str| meals(&run(&["nutrition", "list", "--from", from, "--to", to, "--format", "json"]));
        let all = json("2025-09-20T00:00:00Z", "2025-11-30T00:00:00Z");
        for day in days {
            let wanted: Vec<Value> = all.iter().filter(|meal| local_date(meal) == day).cloned().collect();
            assert!(wanted.len() > 1, "{zone} {day}");
            let listed = json(day, day);
            assert_eq!(ids(&listed), ids(&wanted), "{zone} {day}");
            let shown = run(&["nutrition", "list", "--from", day, "--to", day]);
            assert!(shown.ends_with(&format!("\n  Days and times in {zone}.\n")), "{shown}");
            let rows: Vec<&str> = shown.lines().filter(|line| ids(&wanted).iter().any(|id| line.contains(id))).collect();
            let (_, date) = day.rsplit_once('-').expect("a day");
            let date = date.trim_start_matches('0');
            assert_eq!(rows.len(), wanted.len(), "{shown}");
            assert!(rows.iter().all(|row| row.contains(&format!("  {date} "))), "{zone} {day}: {shown}");
        }
        let parts = run(&["nutrition", "list", "--from", days[0], "--to", days[2], "--split-days", "1", "--format", "json"]);
        let whole = all.iter().filter(|meal| (days[0]..=days[2]).contains(&local_date(meal).as_str())).cloned().collect::<Vec<_>>();
        assert_eq!(ids(&meals(&parts)), ids(&whole), "{zone}");
        // `--time-zone` selects another zone.
        let utc = meals(&run(&["nutrition", "list", "--from", days[3], "--to", days[3], "--time-zone", "UTC", "--format", "json"]));
        assert!(utc.iter().all(|meal| meal["consumed_at"].as_str().is_some_and(|at| at.starts_with(days[3]))), "{zone}");
        // In India there are no meals between midnight and 05:30, so both zones list the same meals.
        assert_eq!(ids(&utc) == ids(&json(days[3], days[3])), zone == "Asia/Kolkata", "{zone}");
    }
}

#[test]
fn without_dates_the_offset_of_the_records_is_shown() {
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-26"]);
    let shown = user_command(&served, "person-4")(&["nutrition", "list", "--from", "2025-11-20T00:00:00Z"]);
    assert!(shown.ends_with("\n  Local times of the user: UTC+11:00.\n"), "{shown}");
    let shown = user_command(&served, "person-2")(&["nutrition", "list", "--from", "2025-11-01T00:00:00Z"]);
    assert!(shown.ends_with("\n  Local times of the user: UTC-05:00 and UTC-04:00.\n"), "{shown}");
}

/// Creates a service with the properties of a user in this zone, and empty lists.
fn service(zone: Option<&'static str>) -> ScriptedServer {
    ScriptedServer::start(move |_, request| match request.line.as_str() {
        "GET /v3/userproperties" => match zone {
            Some(zone) => Reply::json(format!(r#"{{"properties":{{"timezone":"{zone}"}}}}"#)),
            None => Reply::problem(404, "{}"),
        },
        line if line.starts_with("GET /v3/queries/statistics/") => Reply::json(r#"{"statistics":[]}"#),
        _ => Reply::json("[]"),
    })
}

/// Returns the last request line, with decoded colons.
fn query(server: &ScriptedServer) -> String {
    server.requests().last().expect("a request").line.replace("%3A", ":")
}

#[test]
fn meals_reports_and_statistics_use_the_same_days() {
    // Worked out by hand: midnight of the 25th in Sydney is 13:00 of the 24th in UTC, in Los Angeles 08:00 of the 25th.
    for (zone, from, to) in [
        ("Australia/Sydney", "2025-11-24T13:00:00Z", "2025-11-25T13:00:00Z"),
        ("America/Los_Angeles", "2025-11-25T08:00:00Z", "2025-11-26T08:00:00Z"),
        ("+05:30", "2025-11-24T18:30:00Z", "2025-11-25T18:30:00Z"),
    ] {
        for command in [&["nutrition", "list"][..], &["labs", "list"], &["stats", "interval", "--types", "steps"]] {
            let day = ["--from", "2025-11-25", "--to", "2025-11-25"];
            let server = service(Some(zone));
            let output = server.command(&[command, &day].concat()).output().expect("it starts");
            assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
            let shown = String::from_utf8(output.stdout).expect("UTF-8");
            assert!(shown.contains(zone), "{shown}");
            let sent = query(&server);
            assert!(sent.contains(&format!("from_timestamp={from}")) && sent.contains(&format!("to_timestamp={to}")), "{sent}");
            assert_eq!(server.requests().len(), 2);
            // With `--time-zone`, the user's zone is not requested.
            let server = service(None);
            let output = server.command(&[command, &day, &["--time-zone", zone]].concat()).output().expect("it starts");
            assert!(output.status.success() && output.stderr.is_empty() && server.requests().len() == 1, "{output:?}");
            assert!(query(&server).contains(&format!("from_timestamp={from}")), "{}", query(&server));
        }
    }
    let server = service(Some("Australia/Sydney"));
    let arguments = ["stats", "interval", "--types", "steps", "--from", "2025-11-25", "--to", "2025-11-25"];
    let output = server.command(&arguments).output().expect("it starts");
    let shown = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(shown.starts_with("Statistics an hour, 2025-11-25 00:00 to 2025-11-26 00:00 Australia/Sydney "), "{shown}");
}

#[test]
fn instants_need_no_zone_and_a_missing_zone_causes_a_note() {
    let server = service(Some("Australia/Sydney"));
    let output = server.command(&["nutrition", "list", "--from", "2025-11-25T01:00:00Z"]).output().expect("it starts");
    assert!(output.status.success() && server.only_request().line.contains("from_timestamp=2025-11-25T01"), "{output:?}");
    for zone in [None, Some("Nowhere"), Some("")] {
        let server = service(zone);
        let output = server.command(&["labs", "list", "--from", "2025-11-25"]).output().expect("it starts");
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        let note = "vitalwire: note: the service does not state the user's time zone: days are in UTC; --time-zone sets another\n";
        assert_eq!((output.status.success(), stderr.as_str()), (true, note));
        assert!(query(&server).contains("from_timestamp=2025-11-25T00:00:00Z"), "{}", query(&server));
    }
    let unknown = server.command(&["labs", "list", "--time-zone", "Nowhere"]).output().expect("it starts");
    assert_eq!(unknown.status.code(), Some(2), "{unknown:?}");
}

/// At noon UTC it is 02:00 of the next day in Kiritimati, and midnight at UTC-12.
#[test]
fn yesterday_is_a_day_of_the_user() {
    for (zone, last) in [("Pacific/Kiritimati", "2025-11-21"), ("UTC", "2025-11-20"), ("Etc/GMT+12", "2025-11-20")] {
        let arguments =
            ["--sandbox", "--today", "2025-11-21", "stats", "daily", "--types", "steps", "--format", "json", "--time-zone", zone];
        let output = vitalwire().args(arguments).output().expect("it starts");
        let response: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(response["to_date"], last, "{zone}");
    }
    let server = service(Some("Pacific/Kiritimati"));
    assert!(server.command(&["stats", "daily", "--types", "steps"]).output().expect("it starts").status.code() == Some(15));
    // If the service cannot return the zone, days are in UTC.
    let down = ScriptedServer::start(|_, request| match request.line.as_str() {
        "GET /v3/userproperties" => Reply::problem(500, "{}"),
        _ => Reply::json(r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[]}"#),
    });
    assert!(down.command(&["stats", "daily", "--types", "steps"]).output().expect("it starts").status.success());
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::fixed(jiff::tz::offset(14)));
    let yesterday = now.date().yesterday().expect("a day");
    assert!(query(&server).contains(&format!("to_date={yesterday}")), "{}", query(&server));
}

#[test]
fn swapped_bounds_of_a_range_have_one_error() {
    let server = service(Some("UTC"));
    for command in ["nutrition list", "labs list", "stats interval --types steps", "stats daily --types steps"] {
        for (from, to, shown) in [
            ("2025-11-25", "2025-11-24", "--to (2025-11-24) must not be before --from (2025-11-25)"),
            ("2025-11-25", "2025-11-01", "--to (2025-11-01) must not be before --from (2025-11-25)"),
            (
                "2025-11-25T08:00:00Z",
                "2025-11-25T07:00:00Z",
                "--to (2025-11-25T07:00:00Z) must not be before --from (2025-11-25T08:00:00Z)",
            ),
        ] {
            for split in [&["--split-days", "1"][..], &[]] {
                if command.starts_with("stats daily") && from.contains('T') {
                    continue;
                }
                let mut arguments: Vec<&str> = command.split(' ').collect();
                arguments.extend(["--from", from, "--to", to]);
                arguments.extend(split);
                let output = server.command(&arguments).output().expect("it starts");
                let text = String::from_utf8(output.stderr).expect("UTF-8");
                assert!(output.status.code() == Some(10) && text.contains(shown), "{arguments:?}: {text}");
            }
        }
    }
    let lists = server.requests().into_iter().filter(|request| !request.line.contains("/userproperties")).count();
    assert_eq!(lists, 0);
}

/// The sandbox's clock is years away from this machine's.
#[test]
fn an_empty_result_names_the_clock_of_the_service() {
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2021-03-05"]);
    let command = command_of(&served, "person-1");
    for arguments in ["sleep", "labs list", "nutrition list", "stats interval --types steps", "stats daily --types steps"] {
        let output = command(&arguments.split(' ').collect::<Vec<_>>()).output().expect("it starts");
        let text = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(
            text.contains("the service's clock shows 2021-03-05 ") && text.contains("choose dates by the service's clock"),
            "{arguments}: {text}"
        );
    }
    let known = run(&mut command(&["nutrition", "list", "--from", "2021-03-01", "--to", "2021-03-04"]));
    assert!(known.lines().count() > 3, "{known}");
}
