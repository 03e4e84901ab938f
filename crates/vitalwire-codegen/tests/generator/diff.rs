//! Seeded changes of the interface, each with its sentence and the breakage per language, worked out by hand. Each breakage is a letter:
//! `s` source, `b` binary, `h` behaviour.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use vitalwire_codegen::diff::{changes, report};
use vitalwire_codegen::ir::Ir;
use vitalwire_codegen::ir::features::Language;
use vitalwire_codegen::spec::Findings;
use vitalwire_codegen::{read as reading, spec};

use super::root;

/// Target of an overlay's action, its update (JSON; null removes), the sentence, and the breakage in Rust, Python, Swift, Kotlin and C.
type Seed = (&'static str, &'static str, &'static str, [&'static str; 5]);

const NOTHING: [&str; 5] = [""; 5];
const REMOVED: [&str; 5] = ["s", "s", "s", "sb", "sb"];
const ALL: [&str; 5] = ["h"; 5];

const SLEEP: &str = "$.paths['/v3/queries/sleeps/{sleep_id}'].get";
const DAILY: &str = "$.paths['/v3/queries/statistics/daily'].get";
const MEAL: &str = "$.paths['/v3/nutrition_records/{nutrition_record_id}'].get";
const UPLOAD: &str = "$.components.schemas.NutritionUpload";
const NIGHT: &str = "$.components.schemas.SleepRecord";
const UPDATE_SIZE: &str = "$.components.schemas.NutritionUpdate.properties.serving_size";
const COUNTRY: &str = "$.components.schemas.NutritionUpload.properties.country_code";
const NUTRIENTS: &str = "$.components.schemas.NutritionUpload.properties.include_nutrition_fields";
const PICTURE: &str = "$.components.schemas.NutritionUpload.properties.body";
const BEARER: &str = "$.components.securitySchemes.bearerAuth";
const STAGE: &str = "$.components.schemas.SleepStageName";

/// Limits, headers and texts that our specifications lack, for both versions: target and update.
#[rustfmt::skip]
const BASE: [(&str, &str); 6] = [
    (COUNTRY, r#"{"minLength":2,"maxLength":3,"pattern":"^[a-z]+$","x-vitalwire-unchecked":["minLength","maxLength","pattern"],"example":"de"}"#),
    (NUTRIENTS, r#"{"maxItems":10,"uniqueItems":true,"x-vitalwire-unchecked":["maxItems","uniqueItems"]}"#),
    (UPDATE_SIZE, r#"{"maximum":1000}"#),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.responses['200']", r#"{"headers":{"X-Total-Count":{"schema":{"type":"integer"}}}}"#),
    (STAGE, r#"{"x-enum-descriptions":{"nap":"A short sleep by day."}}"#),
    ("$.components.schemas.UserProperties.properties.timezone", r#"{"maxLength":40}"#),
];

/// Changes that the generator rejects, and the rule of the finding.
#[rustfmt::skip]
const REJECTED: [(&str, &str, &str); 9] = [
    (BEARER, r#"{"scheme":"basic"}"#, "security"),
    (BEARER, r#"{"type":"apiKey","name":"X-Key","in":"header"}"#, "security"),
    (BEARER, "null", "security"),
    ("$.security", r#"{"otherAuth":[]}"#, "security"),
    (SLEEP, r#"{"security":[{"bearerAuth":["read"]}]}"#, "security"),
    (SLEEP, r#"{"security":[{}]}"#, "security"),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.responses['200'].content", r##"{"text/csv":{"schema":{"type":"string"}}}"##, "response-media"),
    ("$.paths['/v3/nutrition_records'].post.requestBody.content", r##"{"multipart/form-data":{"schema":{"$ref":"#/components/schemas/NutritionUpload"}}}"##, "request-media"),
    ("$.components.responses.InvalidRequest.content", r##"{"application/json":{"schema":{"$ref":"#/components/schemas/ProblemDetails"}}}"##, "error-body"),
];

#[rustfmt::skip]
const SEEDS: [Seed; 84] = [
    // Operations.
    ("$.paths", r#"{"/v3/teams":{"get":{"operationId":"list_teams","tags":["user"],"summary":"Teams","x-vitalwire-group":"user","x-vitalwire-method":"teams","x-vitalwire-retry":"safe","x-vitalwire-deadline":"short","responses":{"204":{"description":"None."}}}}}"#, "`user.teams` is new.", NOTHING),
    ("$.paths['/v3/userproperties']", "null", "`user.properties` is removed.", REMOVED),
    (SLEEP, r#"{"x-vitalwire-method":"fetch"}"#, "`sleeps.get` is renamed to `sleeps.fetch`.", REMOVED),
    (SLEEP, r#"{"x-vitalwire-group":"nights"}"#, "`sleeps.get` is renamed to `nights.get`.", REMOVED),
    (SLEEP, r#"{"x-vitalwire-retry":"idempotent"}"#, "`sleeps.get` is retried under other conditions.", ALL),
    (SLEEP, r#"{"x-vitalwire-deadline":"long"}"#, "`sleeps.get` has other default timeouts.", ALL),
    (SLEEP, r#"{"security":[]}"#, "`sleeps.get` needs no token.", ALL),
    ("$.paths['/v3/nutrition_records'].post", r#"{"x-vitalwire-max-request-bytes":1000}"#, "The limit max-request-bytes of `nutrition_records.upload` is 1000, formerly 11534336.", ALL),
    (MEAL, r#"{"x-vitalwire-basis":"unknown"}"#, "The nutritional numbers of `nutrition_records.get` refer to something else.", ALL),
    ("$.paths['/v3/userproperties'].get.responses['200'].content['application/json'].schema", r##"{"$ref":"#/components/schemas/UserProperties"}"##, "`user.properties` returns `UserProperties`, no longer `UserPropertiesResponse`.", REMOVED),
    ("$.paths['/v3/lab_reports'].post['x-vitalwire-wait']", "null", "Waiting for the analysis of `lab_reports.upload` is removed.", REMOVED),
    ("$.paths['/v3/lab_reports'].post['x-vitalwire-wait'].done", r#""failed_for_good""#, "Waiting for the analysis of `lab_reports.upload` follows other rules.", ALL),
    (SLEEP, r#"{"summary":"One night"}"#, "The documentation of `sleeps.get` changed.", NOTHING),
    // Parameters.
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters", r#"{"name":"include_naps","in":"query","required":false,"description":"Naps.","schema":{"type":"boolean"}}"#, "`sleeps.get` takes `include_naps`.", NOTHING),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters", r#"{"name":"unit_system","in":"query","required":true,"description":"Units.","schema":{"type":"string"}}"#, "`sleeps.get` needs `unit_system`.", REMOVED),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters[?@.name == 'include_samples']", "null", "`sleeps.get` no longer takes `include_samples`.", REMOVED),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters[?@.name == 'include_samples']", r#"{"required":true}"#, "`include_samples` of `sleeps.get` is required.", REMOVED),
    ("$.paths['/v3/queries/statistics/interval'].get.parameters[?@.name == 'interval']", r#"{"required":false}"#, "`interval` of `statistics.interval` is optional.", REMOVED),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters[?@.name == 'include_samples'].schema", r#"{"type":"string"}"#, "`include_samples` of `sleeps.get` is a text, no longer a boolean.", REMOVED),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters[?@.name == 'include_samples']", r#"{"in":"header"}"#, "`include_samples` of `sleeps.get` is sent in the header, no longer in the query.", ALL),
    ("$.paths['/v3/queries/statistics/daily'].get.parameters[?@.name == 'types'].schema", r#"{"minItems":2}"#, "The limit minItems of `types` of `statistics.daily` is 2, formerly 1.", ALL),
    ("$.components.schemas.NutritionUpload.properties.body", r#"{"x-vitalwire-max-bytes":5}"#, "The limit max-bytes of `body` of `nutrition_records.upload` is 5, formerly 10485760.", ALL),
    (UPLOAD, r#"{"properties":{"table_number":{"type":"integer","format":"int64","description":"Table."}}}"#, "`nutrition_records.upload` takes `table_number`.", NOTHING),
    ("$.components.schemas.NutritionUpload.properties.country_code", "null", "`nutrition_records.upload` no longer takes `country_code`.", REMOVED),
    // Fields.
    (NIGHT, r#"{"properties":{"mood":{"type":"string","description":"Mood."}}}"#, "`SleepRecord` has the field `mood`.", ALL),
    ("$.components.schemas.SleepRecord.properties.duration", "null", "`SleepRecord` no longer has the field `duration`.", REMOVED),
    (NIGHT, r#"{"required":["duration"]}"#, "`duration` of `SleepRecord` is always there.", ["sh", "h", "sh", "bh", "sbh"]),
    ("$.components.schemas.DailyStatistics.required[?@ == 'from_date']", "null", "`from_date` of `DailyStatistics` may be absent.", ["s", "h", "s", "sb", "sb"]),
    ("$.components.schemas.UserProperties.properties.height", r#"{"type":"integer","format":"int64"}"#, "`height` of `UserProperties` is an integer, no longer a number.", REMOVED),
    ("$.components.schemas.UserProperties.properties.weight", r#"{"x-vitalwire-unit":"kg"}"#, "The unit of `weight` of `UserProperties` is kg, no longer none.", ALL),
    ("$.components.schemas.UserProperties.properties.language", r#"{"x-vitalwire-sensitivity":"credential"}"#, "`language` of `UserProperties` is a secret.", ALL),
    ("$.components.schemas.UserProperties.properties.language", r#"{"deprecated":true}"#, "`language` of `UserProperties` is deprecated.", NOTHING),
    ("$.components.schemas.LabReportWebhook", r#"{"properties":{"attempt":{"type":"integer","format":"int64","description":"Which."}}}"#, "`LabReportWebhook` has the field `attempt`.", ALL),
    ("$.components.schemas.WebhookEvent.properties.metrics", "null", "`WebhookEvent` no longer has the field `metrics`.", REMOVED),
    // Sets of names, numbers, tables.
    (STAGE, r#"{"enum":["dreaming"]}"#, "`SleepStageName` has the value `dreaming`.", ["h", "", "", "", ""]),
    ("$.components.schemas.SleepStageName.enum[?@ == 'nap']", "null", "`SleepStageName` no longer has the value `nap`.", REMOVED),
    (STAGE, r#"{"x-vitalwire-names":{"nap":"short_sleep"}}"#, "`nap` of `SleepStageName` is renamed to `short_sleep`.", REMOVED),
    ("$.components.schemas.Metrics.properties.heartrate", r#"{"x-vitalwire-unit":"count"}"#, "The unit of `heartrate` of `MetricName` is count, no longer bpm.", ALL),
    ("$.components.schemas.SleepRecord['x-vitalwire-tables'].sleep_samples", "null", "The table `sleep_samples` is removed.", ["s", "h", "", "", ""]),
    (DAILY, r#"{"description":"Statistics."}"#, "The documentation of `statistics.daily` changed.", NOTHING),
    // Defaults.
    ("$.paths['/v3/queries/statistics/daily'].get.parameters[?@.name == 'exclude_manual'].schema", r#"{"default":true}"#, "The default of `exclude_manual` of `statistics.daily` is true, formerly false.", ALL),
    ("$.paths['/v3/queries/statistics/daily'].get.parameters[?@.name == 'exclude_manual'].schema.default", "null", "The default of `exclude_manual` of `statistics.daily` is no longer stated, formerly false.", ALL),
    ("$.components.schemas.NutritionUpload.properties.include_ingredients", r#"{"default":true}"#, "The default of `include_ingredients` of `nutrition_records.upload` is true, formerly false.", ALL),
    (COUNTRY, r#"{"default":"de"}"#, "The default of `country_code` of `nutrition_records.upload` is \"de\", formerly not stated.", ALL),
    ("$.components.schemas.AnalysisMode", r#"{"default":"fast"}"#, "The default of `analysis_mode` of `nutrition_records.upload` is \"fast\", formerly \"precise\".", ALL),
    ("$.components.schemas.UserProperties.properties.language", r#"{"default":"en"}"#, "The default of `language` of `UserProperties` is \"en\", formerly not stated.", ALL),
    // Callers always pass this argument.
    ("$.paths['/v3/queries/statistics/interval'].get.parameters[?@.name == 'interval'].schema", r#"{"default":"hour"}"#, "The default of `interval` of `statistics.interval` is \"hour\", formerly not stated.", NOTHING),
    // Tightened and relaxed limits.
    (UPDATE_SIZE, r#"{"minimum":1}"#, "The limit minimum of `serving_size` of `nutrition_records.update` is 1, formerly 0.01.", ALL),
    (UPDATE_SIZE, r#"{"minimum":0}"#, "The limit minimum of `serving_size` of `nutrition_records.update` is 0, formerly 0.01.", NOTHING),
    (UPDATE_SIZE, r#"{"maximum":500}"#, "The limit maximum of `serving_size` of `nutrition_records.update` is 500, formerly 1000.", ALL),
    (UPDATE_SIZE, r#"{"maximum":2000}"#, "The limit maximum of `serving_size` of `nutrition_records.update` is 2000, formerly 1000.", NOTHING),
    ("$.components.schemas.NutritionUpdate.properties.serving_size.maximum", "null", "`serving_size` of `nutrition_records.update` no longer has the limit maximum: 1000.", NOTHING),
    (COUNTRY, r#"{"minLength":3}"#, "The limit minLength of `country_code` of `nutrition_records.upload` is 3, formerly 2.", ALL),
    (COUNTRY, r#"{"minLength":1}"#, "The limit minLength of `country_code` of `nutrition_records.upload` is 1, formerly 2.", NOTHING),
    (COUNTRY, r#"{"maxLength":2}"#, "The limit maxLength of `country_code` of `nutrition_records.upload` is 2, formerly 3.", ALL),
    (COUNTRY, r#"{"maxLength":35}"#, "The limit maxLength of `country_code` of `nutrition_records.upload` is 35, formerly 3.", NOTHING),
    (COUNTRY, r#"{"pattern":"^[A-Z]+$"}"#, "The limit pattern of `country_code` of `nutrition_records.upload` is \"^[A-Z]+$\", formerly \"^[a-z]+$\".", ALL),
    ("$.paths['/v3/queries/statistics/daily'].get.parameters[?@.name == 'types'].schema.minItems", "null", "`types` of `statistics.daily` no longer has the limit minItems: 1.", NOTHING),
    (NUTRIENTS, r#"{"minItems":1}"#, "`include_nutrition_fields` of `nutrition_records.upload` has the limit minItems: 1.", ALL),
    (NUTRIENTS, r#"{"maxItems":5}"#, "The limit maxItems of `include_nutrition_fields` of `nutrition_records.upload` is 5, formerly 10.", ALL),
    (NUTRIENTS, r#"{"maxItems":20}"#, "The limit maxItems of `include_nutrition_fields` of `nutrition_records.upload` is 20, formerly 10.", NOTHING),
    (NUTRIENTS, r#"{"uniqueItems":false}"#, "`include_nutrition_fields` of `nutrition_records.upload` no longer has the limit uniqueItems: true.", NOTHING),
    ("$.paths['/v3/queries/statistics/daily'].get.parameters[?@.name == 'providers'].schema.items", r#"{"maxLength":20,"x-vitalwire-unchecked":["maxLength"]}"#, "`providers` of `statistics.daily` has the limit items.maxLength: 20.", ALL),
    ("$.paths['/v3/nutrition_records'].post", r#"{"x-vitalwire-max-request-bytes":99999999}"#, "The limit max-request-bytes of `nutrition_records.upload` is 99999999, formerly 11534336.", NOTHING),
    (PICTURE, r#"{"x-vitalwire-max-bytes":20971520}"#, "The limit max-bytes of `body` of `nutrition_records.upload` is 20971520, formerly 10485760.", NOTHING),
    // Clients do not check received values.
    ("$.components.schemas.UserProperties.properties.timezone", r#"{"maxLength":20}"#, "The limit maxLength of `timezone` of `UserProperties` is 20, formerly 40.", NOTHING),
    // Media types and names that are accepted.
    (PICTURE, r#"{"x-vitalwire-accepts":["image/heic"]}"#, "`body` of `nutrition_records.upload` accepts `image/heic`.", NOTHING),
    ("$.components.schemas.NutritionUpload.properties.body['x-vitalwire-accepts'][?@ == 'image/webp']", "null", "`body` of `nutrition_records.upload` no longer accepts `image/webp`.", ALL),
    ("$.components.schemas.NutritionUpload.properties.body['x-vitalwire-accepts']", "null", "`body` of `nutrition_records.upload` accepts more than `image/jpeg`, `image/png`, `image/webp`.", NOTHING),
    ("$.components.schemas.LabReportUpload.properties.body", r#"{"x-vitalwire-accepts":["application/pdf"]}"#, "`body` of `lab_reports.upload` accepts `application/pdf` only.", ALL),
    // Headers.
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.responses['200'].headers", "null", "Responses of `sleeps.get` no longer have the header `x-total-count`.", ["h", "", "", "", ""]),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.responses['200'].headers", r#"{"Warning":{"schema":{"type":"string"}}}"#, "Responses of `sleeps.get` have the header `warning`.", NOTHING),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters", r#"{"name":"X-Region","in":"header","required":true,"description":"Region.","schema":{"type":"string"}}"#, "`sleeps.get` needs `x_region`.", REMOVED),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters", r#"{"name":"X-Region","in":"header","required":false,"description":"Region.","schema":{"type":"string"}}"#, "`sleeps.get` takes `x_region`.", NOTHING),
    // Security.
    ("$.security", "null", "`statistics.daily` needs no token.", ALL),
    (COUNTRY, r#"{"x-vitalwire-sensitivity":"credential"}"#, "`country_code` of `nutrition_records.upload` is a secret.", ALL),
    // Documentation.
    (COUNTRY, r#"{"example":"fr"}"#, "The example of `country_code` of `nutrition_records.upload` changed.", NOTHING),
    ("$.components.schemas.UserProperties.properties.height", r#"{"example":1.8}"#, "The example of `height` of `UserProperties` changed.", NOTHING),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.responses['200'].content['application/json']", r#"{"example":{}}"#, "The example of `sleeps.get` changed.", NOTHING),
    (STAGE, r#"{"x-enum-descriptions":{"nap":"By day."}}"#, "The documentation of `nap` of `SleepStageName` changed.", NOTHING),
    ("$.components.schemas.Metrics.properties.heartrate", r#"{"description":"Pulse."}"#, "The documentation of `heartrate` of `MetricName` changed.", NOTHING),
    (SLEEP, r#"{"deprecated":true}"#, "`sleeps.get` is deprecated.", NOTHING),
    ("$.paths['/v3/queries/sleeps/{sleep_id}'].get.parameters[?@.name == 'include_samples']", r#"{"deprecated":true}"#, "`include_samples` of `sleeps.get` is deprecated.", NOTHING),
    ("$.components.schemas.Metrics.properties.heartrate_resting_max", r#"{"deprecated":false}"#, "`heartrate_resting_max` of `MetricName` is no longer deprecated.", NOTHING),
];

/// Returns the interface after the base actions and further ones.
fn interface(folder: &Path, further: &[(&str, &str)]) -> Result<Ir, Findings> {
    let mut actions = String::new();
    for (target, update) in BASE.iter().chain(further) {
        let change = if *update == "null" { "remove: true".to_owned() } else { format!("update: {update}") };
        let target = serde_json::json!(target);
        let _ = write!(actions, "  - target: {target}\n    description: Seeded.\n    x-spec: health\n    {change}\n");
    }
    let overlay = folder.join("seeded.yaml");
    fs::write(&overlay, format!("overlay: 1.0.0\ninfo: {{ title: t, version: '1' }}\nactions:\n{actions}")).unwrap();
    reading::build(&spec::load(root(), &[overlay])?)
}

#[test]
fn each_seeded_change_is_reported_with_its_breakage() {
    let folder = tempfile::tempdir().unwrap();
    let old = interface(folder.path(), &[]).unwrap();
    assert_eq!(report(&changes(&old, &old)), "no changes");
    let mut wrong = String::new();
    for (target, update, text, breaks) in SEEDS {
        let new = match interface(folder.path(), &[(target, update)]) {
            Ok(new) => new,
            Err(findings) => {
                let _ = writeln!(wrong, "{text}\n  rejected: {findings}");
                continue;
            }
        };
        let found = changes(&old, &new);
        let Some(change) = found.iter().find(|change| change.text == text) else {
            let texts: Vec<&str> = found.iter().map(|change| change.text.as_str()).collect();
            let _ = writeln!(wrong, "{text}\n  reported: {texts:?}");
            continue;
        };
        for (language, letters) in Language::ALL.into_iter().zip(breaks) {
            if change.breaks(language) != letters {
                let _ = writeln!(wrong, "{text}\n  {}: {}, expected {letters}", language.name(), change.breaks(language));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The response for invalid requests is shared by many operations.
#[test]
fn a_shared_example_is_one_change() {
    let folder = tempfile::tempdir().unwrap();
    let old = interface(folder.path(), &[]).unwrap();
    let shared = "$.components.responses.InvalidRequest.content['application/problem+json']";
    let new = interface(folder.path(), &[(shared, r#"{"example":{"title":"Invalid"}}"#)]).unwrap();
    let report = report(&changes(&old, &new));
    let (start, end) =
        ("- The example `400` of `integrations.init_url` and ", " other operations changed.\n1 change, of which 0 break callers");
    assert!(
        report.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)).is_some_and(|count| count.parse::<u8>().is_ok()),
        "{report}"
    );
}

#[test]
fn changes_that_the_clients_do_not_support_are_findings() {
    let folder = tempfile::tempdir().unwrap();
    for (target, update, rule) in REJECTED {
        let found = interface(folder.path(), &[(target, update)]).expect_err(target);
        assert!(found.places().iter().any(|(found, _)| found == rule), "{target} {update}: {found}");
    }
}

#[test]
fn a_call_that_requires_a_token_again_breaks_source_and_behaviour() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (interface(folder.path(), &[(SLEEP, r#"{"security":[]}"#)]).unwrap(), interface(folder.path(), &[]).unwrap());
    let expected = "\
- `sleeps.get` needs a token.
    rust    source, behaviour
    python  source, behaviour
    swift   source, behaviour
    kotlin  source, behaviour
    c       source, behaviour
1 change, of which 1 breaks callers";
    assert_eq!(report(&changes(&old, &new)), expected);
}

#[test]
fn breaking_changes_come_first_with_their_effect_per_language() {
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
2 changes, of which 1 breaks callers";
    assert_eq!(report(&changes(&old, &new)), expected);
}
