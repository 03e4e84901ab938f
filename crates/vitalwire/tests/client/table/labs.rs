//! Tests of the table of lab results.

use vitalwire::table::TableId;

use crate::table::{fault, read, rows};

const REPORT: &str = r#"{"sections":[
    {"results":[{"value":1.5,"loinc_code":"R1","tested_positive":true,"within_normal_range":false},{"value_text":"< 3","normal_min":0}],
     "loinc_code":"S1","standard_section_name":"Blood"},
    {"loinc_code":"S2","results":null},
    {"results":[{}]}],
  "status":"completed","record_id":"r-1","collection_date":"last week"}"#;

const SHOWN: [&str; 9] = [
    "record_id",
    "report_status",
    "collection_date",
    "section_loinc_code",
    "standard_section_name",
    "loinc_code",
    "value",
    "value_text",
    "tested_positive",
];

const ROWS: [&str; 3] =
    ["r-1 completed last week S1 Blood R1 1.5 - true", "r-1 completed last week S1 Blood - - < 3 -", "r-1 completed last week - - - - - -"];

#[test]
fn single_listed_and_uploaded_reports_become_rows() {
    assert_eq!(rows(&read(TableId::LabResults, "get_lab_report", REPORT), &SHOWN), ROWS);
    let uploaded = format!(r#"{{"lab_report":{REPORT}}}"#);
    assert_eq!(rows(&read(TableId::LabResults, "upload_lab_report", &uploaded), &SHOWN), ROWS);
    let second = r#"{"record_id":"r-2","status":"failed","sections":[{"results":[{"value":7}]}]}"#;
    let list = read(TableId::LabResults, "list_lab_reports", &format!("[{REPORT},{second}]"));
    assert_eq!(rows(&list, &SHOWN), [ROWS[0], ROWS[1], ROWS[2], "r-2 failed - - - - 7 - -"]);
    assert!(read(TableId::LabResults, "list_lab_reports", "null").is_empty());
}

#[test]
fn a_report_without_required_fields_is_an_error() {
    let at = |operation: &str, body: &str| fault(TableId::LabResults, operation, body).1;
    assert_eq!(at("get_lab_report", r#"{"record_id":"r"}"#), "status");
    assert_eq!(at("upload_lab_report", r#"{"lab_report":{"status":"completed"}}"#), "lab_report.record_id");
    assert_eq!(at("upload_lab_report", "{}"), "lab_report");
}

/// Items that cannot be decoded are left out and all others are kept, as in models.
#[test]
fn other_results_are_kept_if_one_is_invalid() {
    let results = |sections: &str| {
        let body = format!(
            r#"[{{"record_id":"r","status":"s","sections":{sections}}},{{"record_id":"t","status":"s","sections":[{{"results":[{{"value":7}}]}}]}}]"#
        );
        let table = read(TableId::LabResults, "list_lab_reports", &body);
        (rows(&table, &["record_id", "value"]), table.skipped())
    };
    let (inner, skipped) = results(r#"[{"results":[{"value":1},[]]},{"results":[{"value":2}]}]"#);
    assert_eq!((inner, skipped), (["r 1", "r 2", "t 7"].map(str::to_owned).to_vec(), 1));
    let (outer, skipped) = results(r#"[{"results":[{"value":1}]},5]"#);
    assert_eq!((outer, skipped), (["r 1", "t 7"].map(str::to_owned).to_vec(), 1));
}

/// Neither the rows of an invalid report nor its counts of skipped values are kept.
#[test]
fn other_reports_are_kept_if_one_is_invalid() {
    let body = r#"[null,{"record_id":"r","sections":[{"results":[{"value":1,"unit":5},5]}]},
        {"record_id":"t","status":"s","sections":[{"results":[{"value":7},{"value":"x"}]}]},{"record_id":"u"}]"#;
    let table = read(TableId::LabResults, "list_lab_reports", body);
    assert_eq!(rows(&table, &["record_id", "value"]), ["t 7", "t -"]);
    let left_out: Vec<_> = table.skipped_by_column().map(|skipped| (skipped.column(), skipped.reason(), skipped.count())).collect();
    assert_eq!(left_out, [("response", "expected an object", 1), ("response", "missing", 2), ("value", "expected a number", 1)]);
    let note = "2 items of list response were left out (missing)";
    assert!(table.skipped_note().is_some_and(|notes| notes.contains(note)));
}

#[test]
fn a_date_at_the_beginning_of_a_text_is_a_column_of_its_own() {
    let day = |date: &str| {
        let report = format!(r#"{{"record_id":"r","status":"completed","collection_date":"{date}","sections":[{{"results":[{{}}]}}]}}"#);
        rows(&read(TableId::LabResults, "get_lab_report", &report), &["collection_day", "result_day"]).remove(0)
    };
    // 20,089 days after 1970-01-01.
    for date in ["2025-01-01", " 2025-01-01 ", "2025-01-01T08:00:00Z", "2025-01-01, fasting"] {
        assert_eq!(day(date), "20089 -", "{date}");
    }
    for date in ["", "1 January 2025", "01.01.2025", "2025-02-30", "2025-01-011", "2025-1-1", "2025-01-01a", "éééééééééé"] {
        assert_eq!(day(date), "- -", "{date}");
    }
}
