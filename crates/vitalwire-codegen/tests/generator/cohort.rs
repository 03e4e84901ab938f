//! Tables of cohorts: generated code, and findings about invalid declarations.

use std::fs;

use serde_json::{Value, json};
use vitalwire_codegen::file::File;
use vitalwire_codegen::ir::Ir;
use vitalwire_codegen::spec::Findings;
use vitalwire_codegen::{format, read as reading, spec, targets};

use super::{build, places, read, root, text, workspace};

const FOLDER: &str = "crates/vitalwire-sync/src/generated/";

/// Returns an overlay with these tables of cohorts, for the golden fixture of tables.
fn overlay(tables: &Value) -> String {
    let action = json!({ "target": "$", "x-spec": "health", "update": { "x-vitalwire-cohort-tables": tables } });
    json!({ "overlay": "1.0.0", "info": { "title": "A test", "version": "1.0.0" }, "actions": [action] }).to_string()
}

/// Returns a valid declaration.
fn parts() -> Value {
    json!({
        "name": "parts", "table": "parts", "description": "Parts.", "added": ["day"], "key": "id", "rows-per-key": "many",
        "days": ["day", "made_on"], "local-days": true, "sort": ["made_at"], "requests": "sleep", "statistics": "PartMetric",
    })
}

/// Returns a second valid declaration.
fn samples() -> Value {
    json!({
        "name": "all_samples", "table": "samples", "description": "Samples.", "key": "id", "rows-per-key": "one", "days": ["at"],
        "local-days": false, "sort": ["at"], "requests": "span",
    })
}

/// Returns the golden fixture of tables with an enum of one of its two metrics.
fn health() -> String {
    let metrics = "    PartMetric:\n      type: string\n      enum: [weight]\n      x-vitalwire-same-as: MetricName\n";
    read("golden/table/health.yaml").replacen("  schemas:\n", &format!("  schemas:\n{metrics}"), 1)
}

/// Returns the generated files of the sync crate.
fn cohort_files(health: &str, overlays: &[(&str, &str)]) -> Vec<File> {
    let workspace = workspace(health, overlays);
    let (sources, ir) = build(workspace.path()).unwrap_or_else(|findings| panic!("{findings}"));
    let mut files = targets::all(&ir, &sources).unwrap();
    files.retain(|file| file.path.starts_with("crates/vitalwire-sync/"));
    files.iter_mut().for_each(|file| format::format(root(), file).unwrap());
    files
}

/// Builds the IR of this workspace with an additional overlay.
fn own_ir(overlay: Option<&str>) -> Result<Ir, Findings> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.yaml");
    fs::write(&path, overlay.unwrap_or_default()).unwrap();
    reading::build(&spec::load(root(), &overlay.map(|_| path).into_iter().collect::<Vec<_>>())?)
}

#[test]
fn the_generated_enum_has_the_facts_of_every_table() {
    let files = cohort_files(&health(), &[("20-test.yaml", &overlay(&json!([parts(), samples()])))]);
    let paths: Vec<&str> = files.iter().map(|file| file.path.strip_prefix(FOLDER).unwrap()).collect();
    assert_eq!(paths, ["mod.rs", "record_kind.rs"]);
    let table = &files[1].text;
    for line in [
        "pub const ALL: [Self; 2] = [Self::Parts, Self::AllSamples];",
        "pub const NAMES: &'static str = \"parts or all_samples\";",
        "Self::AllSamples => \"all_samples\",",
        "Self::AllSamples => TableId::Samples,",
        "Self::Parts | Self::AllSamples => \"id\",",
        "Self::Parts => &[\"day\", \"made_on\"],",
        "Self::Parts => &[\"made_at\"],",
        "Self::Parts => &[\"weight\"],",
        "Self::AllSamples => &[],",
        "\"must be parts or all_samples\"",
    ] {
        assert!(table.contains(line), "{line} is missing:\n{table}");
    }
    assert_eq!(table.matches("matches!(self, Self::Parts)").count(), 3, "{table}");
}

#[test]
fn a_specification_without_tables_of_cohorts_has_no_file() {
    assert_eq!(cohort_files(&health(), &[]), []);
}

/// Scores and the removed total exist only per day.
#[test]
fn hourly_tables_have_no_statistics_that_exist_only_per_day() {
    let ir = own_ir(None).unwrap_or_else(|findings| panic!("{findings}"));
    let names: Vec<&str> = ir.cohort_tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["daily", "hourly", "sleeps", "sleep_stages", "labs", "nutrition"]);
    let [daily, hourly, others @ ..] = &ir.cohort_tables[..] else { panic!("{names:?}") };
    let only_daily: Vec<&str> = daily.statistics.iter().filter(|name| !hourly.statistics.contains(name)).map(String::as_str).collect();
    assert_eq!(only_daily, ["activity_score", "recovery_score", "sleep_duration_total", "sleep_score", "stress_score"]);
    let columns = ir.tables.iter().find(|table| table.name == "daily_statistics").unwrap().columns.iter();
    let statistics: Vec<&String> = columns.filter(|column| column.in_map).map(|column| &column.name).collect();
    assert_eq!(daily.statistics.iter().collect::<Vec<_>>(), statistics);
    assert!(others.iter().all(|table| table.statistics.is_empty()));
}

/// The finding names the column and the overlay with the declaration.
#[test]
fn a_renamed_column_is_reported() {
    let dates = "$.components.schemas.LabReport['x-vitalwire-tables'].lab_results.dates";
    let actions = json!([
        { "target": format!("{dates}.collection_day"), "remove": true },
        { "target": dates, "update": { "day": "collection_date" } },
    ]);
    let own = json!({ "overlay": "1.0.0", "info": { "title": "A test", "version": "1.0.0" }, "actions": actions }).to_string();
    let findings = own_ir(Some(&own)).err().unwrap();
    assert_eq!(findings.places(), [("cohort".to_owned(), "/x-vitalwire-cohort-tables/4/days/0".to_owned())]);
    let text = findings.to_string();
    assert!(text.starts_with("openapi/overlays/20-client.health.v3.yaml /actions/"), "{text}");
    assert!(text.contains("`collection_day` is not a column of `lab_results` [cohort]\n    hint: correct the name"), "{text}");
}

/// Each changes one field of a valid declaration. Null removes the field.
#[test]
fn invalid_fields_are_reported() {
    let cases: &[(&str, Value, &str, &str)] = &[
        ("key", json!(null), "", "must have `key`"),
        ("sort", json!(null), "", "must have `sort`"),
        ("local-days", json!(null), "", "must have `local-days`"),
        ("row", json!("parts"), "/row", "is not a field of a table of cohorts"),
        ("name", json!("Parts"), "/name", "must be a name in snake case"),
        ("name", json!("self"), "/name", ""),
        ("name", json!("all_samples"), "/name", "`all_samples` is used twice"),
        ("table", json!("things"), "/table", "`things` is not a table of `x-vitalwire-tables`"),
        ("key", json!("thing_id"), "/key", "`thing_id` is not a column of `parts`"),
        ("days", json!([]), "/days", "must be a list of different names"),
        ("days", json!(["day", "day"]), "/days", "must be a list of different names"),
        ("days", json!("day"), "/days", "must be a list of different names"),
        ("days", json!(["day", "group"]), "/days/1", "`group` must be a column of dates or instants"),
        ("sort", json!(["made_at", "sold_at"]), "/sort/1", "`sold_at` is not a column of `parts`"),
        ("added", json!(["day", "made_on"]), "/added/1", "`made_on` is already a column of `parts`"),
        ("added", json!(["day", "night"]), "/added/1", "`night` must be used by `key`, `days` or `sort`"),
        ("added", json!(null), "/days/0", "`day` is not a column of `parts`"),
        ("rows-per-key", json!("several"), "/rows-per-key", "must be `one` or `many`"),
        ("local-days", json!("yes"), "/local-days", "must be `true` or `false`"),
        ("requests", json!("night"), "/requests", "must be `span` or `sleep`"),
        ("statistics", json!("Part"), "/statistics", "`Part` must be a schema with an enum"),
        ("statistics", json!("Colour"), "/statistics", "all values of `Colour` must be number columns of `parts`"),
    ];
    let colours = "    Colour:\n      type: string\n      enum: [red]\n      x-vitalwire-open-set: true\n";
    let health = health().replacen("  schemas:\n", &format!("  schemas:\n{colours}"), 1);
    for (field, value, place, message) in cases {
        let mut table = parts();
        match value {
            Value::Null => drop(table.as_object_mut().unwrap().remove(*field)),
            value => table[*field] = value.clone(),
        }
        let workspace = workspace(&health, &[("20-test.yaml", &overlay(&json!([samples(), table])))]);
        let found = places(workspace.path());
        assert_eq!(found, [("cohort".to_owned(), format!("/x-vitalwire-cohort-tables/1{place}"))], "{field}: {value}");
        let text = text(workspace.path());
        assert!(text.starts_with("openapi/overlays/20-test.yaml /actions/0: ") && text.contains(message), "{text}");
    }
}

#[test]
fn a_declaration_at_another_place_or_of_another_form_is_reported() {
    for tables in [json!({}), json!([]), json!(["parts"]), json!("parts")] {
        let workspace = workspace(&health(), &[("20-test.yaml", &overlay(&tables))]);
        let found = places(workspace.path());
        assert_eq!(found, [("extension".to_owned(), "/x-vitalwire-cohort-tables".to_owned())], "{tables}");
    }
    let elsewhere = overlay(&json!([parts()])).replace("\"$\"", "\"$.components.schemas.Thing\"");
    let workspace = workspace(&health(), &[("20-test.yaml", &elsewhere)]);
    assert_eq!(places(workspace.path())[0].1, "/components/schemas/Thing/x-vitalwire-cohort-tables");
    assert!(text(workspace.path()).contains("is only valid at the root of a specification"));
}
