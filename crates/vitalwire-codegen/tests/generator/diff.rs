//! Seeded changes of the contract, each with what is said of it and whom it breaks, worked out by hand: a letter for what is broken, in the
//! order of the languages.

use std::fmt::Write as _;

use vitalwire_codegen::diff::{Breaks, changes, report};
use vitalwire_codegen::ir::faces::Face;
use vitalwire_codegen::{read as reading, spec};

use super::root;

/// Target of an overlay's action, what is done there (JSON; null removes), the sentence, and what it breaks in Rust, Python, Swift, Kotlin
/// and C.
type Seed = (&'static str, &'static str, &'static str, [&'static str; 5]);

const NOTHING: [&str; 5] = [""; 5];
const GONE: [&str; 5] = ["s", "s", "s", "sb", "sb"];
const ALL: [&str; 5] = ["h"; 5];
/// What only servers have.
const SERVERS: [&str; 5] = ["s", "s", "", "", "sb"];

const SLEEP: &str = "$.paths['/v3/queries/sleeps/{sleep_id}'].get";
const DAILY: &str = "$.paths['/v3/queries/statistics/daily'].get";
const MEAL: &str = "$.paths['/v3/nutrition_records/{nutrition_record_id}'].get";
const UPLOAD: &str = "$.components.schemas.NutritionUpload";
const NIGHT: &str = "$.components.schemas.SleepRecord";
const STAGE: &str = "$.components.schemas.SleepStageName";

#[rustfmt::skip]
const SEEDS: [Seed; 40] = [
    // Operations.
    ("$.paths", r#"{"/v3/teams":{"get":{"operationId":"list_teams","tags":["user"],"summary":"Teams","x-vitalwire-group":"user","x-vitalwire-method":"teams","x-vitalwire-retry":"safe","x-vitalwire-deadline":"short","responses":{"204":{"description":"None."}}}}}"#, "`user.teams` is new.", NOTHING),
    ("$.paths['/v3/userproperties']", "null", "`user.properties` is gone.", GONE),
    (SLEEP, r#"{"x-vitalwire-method":"fetch"}"#, "`sleeps.get` is called `sleeps.fetch`.", GONE),
    (SLEEP, r#"{"x-vitalwire-group":"nights"}"#, "`sleeps.get` is called `nights.get`.", GONE),
    (SLEEP, r#"{"x-vitalwire-retry":"idempotent"}"#, "`sleeps.get` is tried again under other conditions.", ALL),
    (SLEEP, r#"{"x-vitalwire-deadline":"long"}"#, "`sleeps.get` has other default timeouts.", ALL),
    (SLEEP, r#"{"security":[]}"#, "`sleeps.get` needs no token.", ALL),
    ("$.paths['/v3/nutrition_records'].post", r#"{"x-vitalwire-max-request-bytes":1000}"#, "`nutrition_records.upload` has another limit of a request's size.", ALL),
    (MEAL, r#"{"x-vitalwire-basis":"unknown"}"#, "The nutritional numbers of `nutrition_records.get` refer to something else.", ALL),
    ("$.paths['/v3/userproperties'].get.responses['200'].content['application/json'].schema", r##"{"$ref":"#/components/schemas/UserProperties"}"##, "`user.properties` answers `UserProperties`, no longer `UserPropertiesAnswer`.", GONE),
    ("$.paths['/v3/lab_reports'].post['x-vitalwire-wait']", "null", "Waiting for the analysis of `lab_reports.upload` is gone.", GONE),
    ("$.paths['/v3/lab_reports'].post['x-vitalwire-wait'].done", r#""failed_for_good""#, "Waiting for the analysis of `lab_reports.upload` follows other rules.", ALL),
    (SLEEP, r#"{"summary":"One night"}"#, "The documentation of `sleeps.get` changed.", NOTHING),
    // Parameters.
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters", r#"{"name":"include_naps","in":"query","required":false,"description":"Naps.","schema":{"type":"boolean"}}"#, "`sleeps.get` takes `include_naps`.", NOTHING),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters", r#"{"name":"unit_system","in":"query","required":true,"description":"Units.","schema":{"type":"string"}}"#, "`sleeps.get` needs `unit_system`.", GONE),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters[?@.name == 'include_samples']", "null", "`sleeps.get` no longer takes `include_samples`.", GONE),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters[?@.name == 'include_samples']", r#"{"required":true}"#, "`include_samples` of `sleeps.get` is required.", GONE),
    ("$.paths['/v3/queries/statistics/interval'].get.parameters[?@.name == 'interval']", r#"{"required":false}"#, "`interval` of `statistics.interval` is optional.", GONE),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters[?@.name == 'include_samples'].schema", r#"{"type":"string"}"#, "`include_samples` of `sleeps.get` is a text, no longer a boolean.", GONE),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters[?@.name == 'include_samples']", r#"{"in":"header"}"#, "`include_samples` of `sleeps.get` travels in the header, no longer in the query.", ALL),
    ("$.paths['/v3/queries/statistics/daily'].get.parameters[?@.name == 'types'].schema", r#"{"minItems":2}"#, "`types` of `statistics.daily` has other limits.", ALL),
    ("$.components.schemas.NutritionUpload.properties.body", r#"{"x-vitalwire-max-bytes":5}"#, "`body` of `nutrition_records.upload` has other limits.", ALL),
    (UPLOAD, r#"{"properties":{"table_number":{"type":"integer","format":"int64","description":"Table."}}}"#, "`nutrition_records.upload` takes `table_number`.", NOTHING),
    ("$.components.schemas.NutritionUpload.properties.country_code", "null", "`nutrition_records.upload` no longer takes `country_code`.", GONE),
    // Fields.
    (NIGHT, r#"{"properties":{"mood":{"type":"string","description":"Mood."}}}"#, "`SleepRecord` has the field `mood`.", ALL),
    ("$.components.schemas.SleepRecord.properties.duration", "null", "`SleepRecord` no longer has the field `duration`.", GONE),
    (NIGHT, r#"{"required":["duration"]}"#, "`duration` of `SleepRecord` is always there.", ["sh", "h", "sh", "bh", "sbh"]),
    ("$.components.schemas.DailyStatistics.required[?@ == 'from_date']", "null", "`from_date` of `DailyStatistics` may be absent.", ["s", "h", "s", "sb", "sb"]),
    ("$.components.schemas.UserProperties.properties.height", r#"{"type":"integer","format":"int64"}"#, "`height` of `UserProperties` is an integer, no longer a number.", GONE),
    ("$.components.schemas.UserProperties.properties.weight", r#"{"x-vitalwire-unit":"kg"}"#, "The unit of `weight` of `UserProperties` is kg, no longer none.", ALL),
    ("$.components.schemas.UserProperties.properties.language", r#"{"x-vitalwire-sensitivity":"credential"}"#, "`language` of `UserProperties` is a secret.", ALL),
    ("$.components.schemas.UserProperties.properties.language", r#"{"deprecated":true}"#, "`language` of `UserProperties` is deprecated.", NOTHING),
    ("$.components.schemas.LabReportWebhook", r#"{"properties":{"attempt":{"type":"integer","format":"int64","description":"Which."}}}"#, "`LabReportWebhook` has the field `attempt`.", ["h", "h", "", "", "h"]),
    ("$.components.schemas.WebhookEvent.properties.metrics", "null", "`WebhookEvent` no longer has the field `metrics`.", SERVERS),
    // Sets of names, numbers, tables.
    (STAGE, r#"{"enum":["dreaming"]}"#, "`SleepStageName` knows `dreaming`.", ["h", "", "", "", ""]),
    ("$.components.schemas.SleepStageName.enum[?@ == 'nap']", "null", "`SleepStageName` no longer knows `nap`.", GONE),
    (STAGE, r#"{"x-vitalwire-names":{"nap":"short_sleep"}}"#, "`nap` of `SleepStageName` is called `short_sleep`.", GONE),
    ("$.components.schemas.Metrics.properties.heartrate", r#"{"x-vitalwire-unit":"count"}"#, "The unit of `heartrate` of `MetricName` is count, no longer bpm.", ALL),
    ("$.components.schemas.SleepRecord['x-vitalwire-tables'].sleep_samples", "null", "The table `sleep_samples` is gone.", ["s", "h", "", "", ""]),
    (DAILY, r#"{"description":"Statistics."}"#, "The documentation of `statistics.daily` changed.", NOTHING),
];

#[test]
fn each_seeded_change_is_told_with_whom_it_breaks() {
    let old = reading::build(&spec::load(root(), &[]).unwrap()).unwrap();
    assert!(changes(&old, &old).is_empty(), "nothing changed");
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = String::new();
    for (at, (target, update, text, breaks)) in SEEDS.into_iter().enumerate() {
        let what = if update == "null" { "    remove: true".to_owned() } else { format!("    update: {update}") };
        let action = format!("  - target: {}\n    description: Seeded.\n    x-spec: health\n{what}\n", serde_json::json!(target));
        let overlay = folder.path().join(format!("{at}.yaml"));
        std::fs::write(&overlay, format!("overlay: 1.0.0\ninfo: {{ title: t, version: '1' }}\nactions:\n{action}")).unwrap();
        let new = spec::load(root(), &[overlay]).and_then(|sources| reading::build(&sources));
        let new = match new {
            Ok(new) => new,
            Err(findings) => {
                let _ = writeln!(wrong, "{text}\n  refused: {findings}");
                continue;
            }
        };
        let found = changes(&old, &new);
        let Some(change) = found.iter().find(|change| change.text == text) else {
            let said: Vec<&str> = found.iter().map(|change| change.text.as_str()).collect();
            let _ = writeln!(wrong, "{text}\n  said: {said:?}");
            continue;
        };
        for (face, letters) in Face::ALL.into_iter().zip(breaks) {
            let expected = Breaks { source: letters.contains('s'), binary: letters.contains('b'), behaviour: letters.contains('h') };
            if change.breaks(face) != expected {
                let _ = writeln!(wrong, "{text}\n  {}: {}, expected {expected}", face.name(), change.breaks(face));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_breaks_comes_first_and_every_language_has_its_verdict() {
    let old = reading::build(&spec::load(root(), &[]).unwrap()).unwrap();
    let mut new = old.clone();
    let sleep = new.operations.iter_mut().find(|operation| operation.id == "get_sleep").unwrap();
    sleep.params.retain(|param| param.member.name != "include_samples");
    sleep.docs.text.push_str(" Better.");
    let expected = "\
- `sleeps.get` no longer takes `include_samples`.
    rust    source
    python  source
    swift   source
    kotlin  source, binary
    c       source, binary
- The documentation of `sleeps.get` changed.
2 changes, of which 1 break callers";
    assert_eq!(report(&changes(&old, &new)), expected);
}
