//! Screens of `vitalwire demo`. Numbers are compared with responses of a sandbox with the same seed and date.

use std::collections::BTreeSet;
use std::process::Stdio;

use crate::common::{RunningSandbox, run, vitalwire};
use unicode_width::UnicodeWidthStr;
use vitalwire::models::DailyStatistics;
use vitalwire::open_sets::StatisticName;
use vitalwire::value::Date;

const SANDBOX_OPTIONS: [&str; 4] = ["--seed", "7", "--today", "2025-11-21"];
const BARS: &str = "▁▂▃▄▅▆▇█";

/// Returns the output to a pipe with this many columns.
fn demo(columns: usize) -> String {
    let output = vitalwire().arg("demo").args(SANDBOX_OPTIONS).env("COLUMNS", columns.to_string()).output().expect("the program starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the lines of the screen whose heading contains this title.
fn screen<'a>(text: &'a str, title: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|line| !(line.contains(title) && line.contains('─')));
    lines.skip(1).take_while(|line| line.starts_with(' ') || line.is_empty()).collect()
}

fn starting<'a>(lines: &[&'a str], start: &str) -> &'a str {
    lines.iter().find_map(|line| line.trim_start().strip_prefix(start)).unwrap_or_else(|| panic!("no line with {start}"))
}

/// Parses minutes from a text such as `7:05`.
fn minutes(text: &str) -> i64 {
    let (hours, minutes) = text.split_once(':').expect("h:mm");
    hours.parse::<i64>().expect("hours") * 60 + minutes.parse::<i64>().expect("minutes")
}

#[test]
fn every_screen_fits_the_width_and_is_marked_as_synthetic() {
    for columns in [80, 100, 120] {
        let text = demo(columns);
        for line in text.lines() {
            assert!(line.width() <= columns, "{} columns of {columns}: {line}", line.width());
            assert!(!line.ends_with(' ') && !line.contains('\u{1b}'), "{line:?}");
        }
        let headings: Vec<&str> = text.lines().filter(|line| line.contains("──") && !line.starts_with(' ')).collect();
        assert_eq!(headings.len(), 11, "ten screens and the end");
        assert!(headings.iter().all(|line| line.ends_with(" synthetic data") && line.width() == columns), "{headings:#?}");
    }
}

#[test]
fn colours_do_not_change_the_width() {
    for columns in [80, 120] {
        let command = vitalwire().args(["--color", "always", "demo"]).args(SANDBOX_OPTIONS).env("COLUMNS", columns.to_string()).output();
        let text = String::from_utf8(command.expect("the program starts").stdout).expect("UTF-8");
        let text = anstream::adapter::strip_str(&text).to_string();
        assert!(text.lines().all(|line| line.width() <= columns), "{text}");
        // The picture beside the numbers has ten lines of twenty squares.
        assert_eq!(text.lines().filter(|line| line.matches('▀').count() == 20).count(), 10);
    }
}

#[test]
fn every_operation_is_called_or_listed_as_not_shown() {
    let text = demo(120);
    let has = |call: &str| text.lines().any(|line| line.trim_start().starts_with(call));
    for operation in vitalwire::OPERATIONS {
        let (method, path) = (operation.http_method, operation.path);
        let succeeds = operation.success.iter().any(|status| has(&format!("{method} {path}  {status}")));
        // An operation without a screen is listed at the end.
        assert!(succeeds != has(&format!("not shown: {method} {path}")), "{}", operation.id);
    }
    for failure in ["404", "not sent"] {
        assert!(has(&format!("GET /v3/queries/sleeps/{{sleep_id}}  {failure}")), "{failure}");
    }
}

#[tokio::test]
async fn the_fortnight_shows_the_values_of_the_service() {
    let served = RunningSandbox::start(&SANDBOX_OPTIONS);
    let (first, last): (Date, Date) = ("2025-11-07".parse().expect("a date"), "2025-11-20".parse().expect("a date"));
    let names = [StatisticName::Steps, StatisticName::SleepDurationTotal];
    let days = served.client().statistics().daily((first, last), names).await.expect("days").into_inner().statistics;
    let of = |name| days.iter().filter_map(|day| day.values.as_ref()?.get(&name)).collect::<Vec<f64>>();
    let (steps, sleep) = (of(StatisticName::Steps), of(StatisticName::SleepDurationTotal));
    assert_eq!((steps.len(), sleep.len()), (14, 14));

    let text = demo(80);
    let lines = screen(&text, "A fortnight");
    assert!(lines.iter().any(|line| line.contains("7–20 Nov")));
    let marks = |line: &str| line.chars().filter(|char| BARS.contains(*char)).collect::<Vec<char>>();
    let bars: Vec<_> = lines.iter().filter(|line| !marks(line).is_empty()).collect();
    let response = run(&[&SANDBOX_OPTIONS[..], &["--sandbox", "--format", "json", "stats", "daily"]].concat()).stdout;
    let response: DailyStatistics = serde_json::from_slice(&response).expect("a response");
    let named = response.statistics.iter().filter_map(|day| day.values.as_ref()).flat_map(|values| values.iter().map(|(name, _)| name));
    assert_eq!(bars.len(), named.collect::<BTreeSet<_>>().len(), "one line a statistic");
    assert!(bars.iter().all(|line| marks(line).len() == 14), "{bars:#?}");

    let line = starting(&lines, "steps ");
    let shown: Vec<i64> = line.split_whitespace().rev().take(4).map(|text| text.replace(',', "").parse().expect("a number")).collect();
    let mean = (steps.iter().sum::<f64>() / 14.0).round() as i64;
    let ends = |pick: fn(f64, f64) -> f64| steps.iter().copied().reduce(pick).expect("steps") as i64;
    assert_eq!(shown, [steps[13] as i64, ends(f64::max), mean, ends(f64::min)]);
    // The highest bar is on the day with the most steps, the lowest on the day with the fewest.
    let place = |steps: &[f64], value: i64| steps.iter().position(|step| *step as i64 == value).expect("a day");
    assert_eq!(marks(line)[place(&steps, ends(f64::max))], '█');
    assert_eq!(marks(line)[place(&steps, ends(f64::min))], '▁');

    let line = starting(&lines, "sleep duration total ");
    let shown = minutes(line.split_whitespace().last().expect("a value"));
    assert_eq!(shown, (sleep[13] / 60_000.0).round() as i64);

    // The hours of the day before add up to that day's steps.
    let hours = screen(&text, "Yesterday");
    assert!(hours.iter().any(|line| line.contains("Thu 20 Nov 2025") && line.contains("UTC+01:00")), "{hours:#?}");
    // An hour has two columns. An hour without a value is a gap.
    let (start, end) = ("2025-11-19T23:00:00Z".parse().expect("an instant"), "2025-11-20T23:00:00Z".parse().expect("an instant"));
    let names = [StatisticName::Steps, StatisticName::Heartrate];
    let response = served.client().statistics().interval("1h", names.clone()).from_timestamp(start).to_timestamp(end);
    let buckets = response.await.expect("hours").into_inner().statistics;
    for (label, name) in ["steps", "heart rate"].into_iter().zip(names) {
        let measured = buckets.iter().filter(|hour| hour.values.as_ref().is_some_and(|values| values.get(&name).is_some())).count();
        assert!((20..=24).contains(&measured), "{name:?}: {measured}");
        assert_eq!(marks(starting(&hours, label)).len(), 2 * measured, "{label}");
    }
    let total = starting(&hours, "steps").split_whitespace().rev().nth(2).expect("a total").replace(',', "");
    assert_eq!(total.parse::<i64>().expect("a number"), steps[13] as i64);
}

#[tokio::test]
async fn last_night_is_drawn_from_its_record() {
    let served = RunningSandbox::start(&SANDBOX_OPTIONS);
    let call = served.client().sleeps().get(served.field("sleep_id")).include_stages(true);
    let night = call.await.expect("a night").into_inner();
    let text = demo(80);
    let lines = screen(&text, "Last night");

    // Berlin is one hour ahead of UTC on 2025-11-21.
    let berlin = |seconds: i64| (seconds / 60 + 60).rem_euclid(24 * 60);
    let line = lines.iter().find(|line| line.contains("local time")).expect("when it was");
    let times: Vec<i64> = line.split_whitespace().filter(|word| word.len() == 5 && word.contains(':')).map(minutes).collect();
    let end = night.end_at_timestamp.expect("an end").unix_seconds();
    assert_eq!(times, [berlin(night.start_at_timestamp.unix_seconds()), berlin(end)]);

    let rows: Vec<Vec<char>> = ["Awake", "REM", "Light", "Deep"]
        .map(|label| lines.iter().find(|line| line.trim_start().starts_with(label)).expect("a row").chars().collect())
        .to_vec();
    // 80 columns less the indent (2), the labels (7) and the totals (12).
    let picture = |row: &Vec<char>| row[9..9 + 59].to_vec();
    for column in 0..59 {
        let lines: Vec<char> = rows.iter().map(|row| picture(row)[column]).filter(|mark| "━┗┏".contains(*mark)).collect();
        assert_eq!(lines.len(), 1, "the night is in one stage at column {column}");
    }
    assert!("━┗┏".contains(picture(&rows[0])[0]), "it begins awake");
    assert!("━┗┏".contains(picture(&rows[0])[58]), "it ends awake");
    for (row, name) in rows.iter().zip(["awake", "rem", "light", "deep"]) {
        let of = |stage: &&vitalwire::models::SleepStage| stage.stage.as_ref().is_some_and(|stage| stage.as_ref() == name);
        let expected: i64 = night.stages.iter().filter(of).filter_map(|stage| stage.duration).sum();
        let row: String = row.iter().collect();
        let shown = minutes(row.split_whitespace().rev().nth(1).expect("a total"));
        // Half minutes may be rounded either way.
        assert!((shown * 60_000 - expected).abs() <= 30_000, "{name}: {shown} min for {expected} ms");
    }
    let heart = starting(&lines, "Heart ");
    assert_eq!(heart.chars().filter(|char| BARS.contains(*char)).count(), 59);
}

#[test]
fn meals_reports_and_errors_show_their_values() {
    let text = demo(80);
    let meal = screen(&text, "A photo of a meal");
    let score = starting(&meal, "Nutri-Score").trim();
    assert!(["[A] B C D E", "A [B] C D E", "A B [C] D E", "A B C [D] E", "A B C D [E]"].contains(&score), "{score}");
    assert!(meal.iter().any(|line| line.trim_start().starts_with("nutrient") && line.contains("per_serving")));
    assert!(meal.iter().any(|line| line.contains("status updated")));

    let labs = screen(&text, "Laboratory reports");
    assert_eq!(labs.iter().filter(|line| line.contains("  completed  ")).count(), 4, "three seeded reports and the uploaded one");
    assert_eq!(labs.iter().filter(|line| line.contains("just uploaded")).count(), 1);
    let results: Vec<_> = labs.iter().filter(|line| line.contains('●')).collect();
    assert!(results.len() >= 5 && results.iter().all(|line| line.ends_with("ok") || line.ends_with("high") || line.ends_with("low")));

    let trouble = screen(&text, "When something is wrong");
    assert!(starting(&trouble, "kind").contains("not_found"));
    assert!(starting(&trouble, "code").contains("1201") && starting(&trouble, "code").contains("exit code 12"));
    assert_eq!(starting(&trouble, "request id").trim().len(), 36);
    assert!(trouble.iter().any(|line| line.contains("invalid_argument")));
}

#[test]
fn no_credential_is_printed() {
    let served = RunningSandbox::start(&SANDBOX_OPTIONS);
    let text = demo(80);
    for name in ["token", "care_token", "application_key"] {
        assert!(!text.contains(&served.field(name)), "{name}");
    }
    // Every JWT begins with `eyJ`, and `/consent/` is the path of consent pages.
    assert!(!text.contains("eyJ") && !text.contains("/consent/"));
    assert!(starting(&screen(&text, "leaves another"), "consent URL").ends_with("/…"));
}

#[test]
fn colours_are_optional_and_do_not_change_the_text() {
    let colored = |arguments: &[&str], variable: (&str, &str)| {
        let output = vitalwire().args(arguments).arg("demo").args(SANDBOX_OPTIONS).env(variable.0, variable.1).output().expect("it starts");
        output.stdout.contains(&0x1b)
    };
    assert!(colored(&["--color", "always"], ("NO_COLOR", "1")), "the option is asked first");
    assert!(!colored(&[], ("NO_COLOR", "1")));
    assert!(!colored(&["--color", "never"], ("CLICOLOR_FORCE", "1")));
    assert!(!colored(&[], ("TERM", "xterm-256color")), "a pipe is no terminal");
}

#[test]
fn a_closed_output_pipe_ends_the_demo_without_an_error() {
    let mut child = vitalwire().arg("demo").args(SANDBOX_OPTIONS).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn invalid_options_of_the_demo_are_rejected() {
    for arguments in [&["demo", "--today", "2019-01-01"][..], &["demo", "--seed", "-1"], &["dance"], &[]] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
    let help = run(&["--help"]);
    assert!(help.status.success());
    let help = String::from_utf8(help.stdout).expect("text");
    assert!(help.contains("Exit codes:") && help.contains("13  rate_limited, service, unexpected_status:"));
}

#[test]
fn the_demo_completes_with_any_seed_and_date() {
    // The first and the last date, a leap day, and the days after both clock changes in Berlin.
    for (seed, today) in
        [("0", "2020-02-01"), ("18446744073709551615", "2199-12-31"), ("3", "2024-02-29"), ("4", "2025-03-31"), ("5", "2025-10-27")]
    {
        let output = run(&["demo", "--seed", seed, "--today", today]);
        assert!(output.status.success(), "{seed}, {today}: {output:?}");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.lines().all(|line| line.width() <= 80), "{seed}, {today}");
        assert!(text.contains("The end ─"));
    }
}
