//! Generates the kinds of records, which are the tables of cohorts.

use serde::Serialize;
use serde_json::json;

use super::spelling::literal;
use crate::file::File;
use crate::ir::Ir;
use crate::ir::cohort::CohortTable;
use crate::naming::pascal;
use crate::rust::filters::TEMPLATES;

/// Folder of the generated files.
const FOLDER: &str = "crates/vitalwire-sync/src/generated";

/// A match arm. Texts are Rust code.
#[derive(Serialize)]
struct Arm {
    pattern: String,
    value: String,
}

/// Returns the tables and their module. Empty if the service has no tables of cohorts.
///
/// # Errors
/// If a template value is missing.
pub(crate) fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let tables = &ir.cohort_tables;
    if tables.is_empty() {
        return Ok(Vec::new());
    }
    let values = json!({
        "tables": tables,
        "names": names(tables),
        "keys": arms(tables, |table| literal(&table.key)),
        "several_rows": test(tables, |table| table.has_several_rows),
        "days": arms(tables, |table| list(&table.days)),
        "sort": arms(tables, |table| list(&table.sort)),
        "local_days": test(tables, |table| table.has_local_days),
        "requests_sleeps": test(tables, |table| table.requests_sleeps),
        "statistics": arms(tables, |table| list(&table.statistics)),
    });
    let modules = json!({ "about": "Kinds of records.", "module": "mod", "modules": ["record_kind"], "export": "pub use" });
    Ok(vec![
        TEMPLATES.file(format!("{FOLDER}/mod.rs"), "modules.rs.j2", modules)?,
        TEMPLATES.file(format!("{FOLDER}/record_kind.rs"), "rust/cohort_table.rs.j2", values)?,
    ])
}

/// Returns the names in words: `daily, hourly or sleeps`.
fn names(tables: &[CohortTable]) -> String {
    let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Returns one arm for each value, with the tables that have it.
fn arms(tables: &[CohortTable], value: impl Fn(&CohortTable) -> String) -> Vec<Arm> {
    let mut arms: Vec<Arm> = Vec::new();
    for table in tables {
        let (pattern, value) = (format!("Self::{}", pascal(&table.name)), value(table));
        match arms.iter_mut().find(|arm| arm.value == value) {
            Some(arm) => arm.pattern.push_str(&format!(" | {pattern}")),
            None => arms.push(Arm { pattern, value }),
        }
    }
    arms
}

/// Returns an expression that is true for some of the tables.
fn test(tables: &[CohortTable], is_true: impl Fn(&CohortTable) -> bool) -> String {
    let arms = arms(tables, |table| is_true(table).to_string());
    match arms.iter().find(|arm| arm.value == "true") {
        Some(arm) if arms.len() > 1 => format!("matches!(self, {})", arm.pattern),
        arm => arm.is_some().to_string(),
    }
}

fn list(names: &[String]) -> String {
    format!("&[{}]", names.iter().map(|name| literal(name)).collect::<Vec<_>>().join(", "))
}
