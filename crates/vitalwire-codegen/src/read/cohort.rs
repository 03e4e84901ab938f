//! Parses the declaration of the tables of cohorts (`x-vitalwire-cohort-tables`) into [`CohortTable`]s.

use serde_json::{Map, Value};

use super::Ir;
use super::limits::texts;
use super::location::Location;
use super::names;
use super::types::docs;
use crate::ir::cohort::CohortTable;
use crate::ir::tables::{ColumnKind, Table};
use crate::naming::is_snake;
use crate::spec::{Findings, Pointer, Sources, Spec};

const EXTENSION: &str = "x-vitalwire-cohort-tables";

/// Remedy for a name that the specification no longer has.
const RENAMED: &str = "correct the name, or remove the table from `x-vitalwire-cohort-tables`";

/// Form of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Texts,
    Boolean,
    Word([&'static str; 2]),
}

/// All fields of a declaration, each with its form and whether it is required.
const FIELDS: [(&str, Form, bool); 11] = [
    ("name", Form::Text, true),
    ("table", Form::Text, true),
    ("description", Form::Text, true),
    ("added", Form::Texts, false),
    ("key", Form::Text, true),
    ("rows-per-key", Form::Word(["one", "many"]), true),
    ("days", Form::Texts, true),
    ("local-days", Form::Boolean, true),
    ("sort", Form::Texts, true),
    ("requests", Form::Word(["span", "sleep"]), true),
    ("statistics", Form::Text, false),
];

/// Parses the declarations of all specifications.
pub(super) fn read(ir: &Ir, sources: &Sources, findings: &mut Findings) -> Vec<CohortTable> {
    // Rejected tables and schemas are missing from the IR, which would cause misleading findings about names.
    let are_names_known = findings.is_empty();
    let mut tables: Vec<CohortTable> = Vec::new();
    for spec in &sources.specs {
        let declared = spec.document.get(EXTENSION).and_then(Value::as_array);
        for (index, declared) in declared.into_iter().flatten().enumerate() {
            let Some(declared) = declared.as_object() else { continue };
            let at = Location::new(spec.path, Pointer::root().join(EXTENSION).join(index));
            let mut reader = Reader { declared, at, findings };
            let before = reader.findings.len();
            reader.check_fields();
            if reader.findings.len() > before || !are_names_known {
                continue;
            }
            let name = reader.text("name");
            if tables.iter().any(|table| table.name == name) {
                reader.report("name", format!("`{name}` is used twice"));
            }
            tables.extend(reader.table(ir, spec));
        }
    }
    tables
}

/// Parser of one declaration.
struct Reader<'a, 'b> {
    declared: &'a Map<String, Value>,
    at: Location<'a>,
    findings: &'b mut Findings,
}

impl<'a> Reader<'a, '_> {
    /// Reports errors that do not depend on the rest of the specification.
    fn check_fields(&mut self) {
        for field in self.declared.keys().filter(|field| !FIELDS.iter().any(|(known, ..)| *known == field.as_str())) {
            self.report(field, "is not a field of a table of cohorts");
        }
        for (field, form, is_required) in FIELDS {
            match self.declared.get(field) {
                Some(value) => {
                    if let Some(text) = form_error(form, value) {
                        self.report(field, text);
                    }
                }
                None if is_required => {
                    self.findings
                        .push(self.at.finding("cohort", format!("must have `{field}`")).hint("openapi/README.md lists the fields"));
                }
                None => {}
            }
        }
        if let Some(name) = self.declared.get("name").and_then(Value::as_str) {
            if !is_snake(name) {
                self.report("name", "must be a name in snake case");
            } else if let Some(text) = names::value_name_error(name) {
                self.report("name", text);
            }
        }
    }

    /// Returns the table if all names of its declaration exist. Reports those that do not.
    fn table(&mut self, ir: &Ir, spec: &Spec) -> Option<CohortTable> {
        let name = self.text("table");
        let Some(table) = ir.tables.iter().find(|table| table.name == name) else {
            self.report_unknown("table", None, format!("`{name}` is not a table of `x-vitalwire-tables`"));
            return None;
        };
        let before = self.findings.len();
        self.check_columns(table);
        let statistics = self.statistics(table, spec);
        (self.findings.len() == before).then(|| CohortTable {
            name: self.text("name").to_owned(),
            docs: docs(&Value::Object(self.declared.clone())),
            table: name.to_owned(),
            key: self.text("key").to_owned(),
            has_several_rows: self.text("rows-per-key") == "many",
            days: texts(self.declared.get("days")),
            has_local_days: self.declared.get("local-days") == Some(&Value::Bool(true)),
            sort: texts(self.declared.get("sort")),
            requests_sleeps: self.text("requests") == "sleep",
            statistics,
        })
    }

    /// Checks that all columns exist, and that those of days and times have a suitable type. Added columns contain dates.
    fn check_columns(&mut self, table: &Table) {
        let added = texts(self.declared.get("added"));
        let kind = |name: &str| table.columns.iter().find(|column| column.name == name).map(|column| column.kind);
        let key = self.text("key");
        if kind(key).is_none() && !added.iter().any(|name| name == key) {
            self.report_unknown("key", None, format!("`{key}` is not a column of `{}`", table.name));
        }
        let mut used = vec![key.to_owned()];
        for field in ["days", "sort"] {
            for (index, name) in texts(self.declared.get(field)).into_iter().enumerate() {
                match kind(&name) {
                    Some(ColumnKind::Date | ColumnKind::Instant) => {}
                    Some(_) => self.report_unknown(field, Some(index), format!("`{name}` must be a column of dates or instants")),
                    None if added.contains(&name) => {}
                    None => self.report_unknown(field, Some(index), format!("`{name}` is not a column of `{}`", table.name)),
                }
                used.push(name);
            }
        }
        for (index, name) in added.iter().enumerate() {
            if kind(name).is_some() {
                self.report_unknown("added", Some(index), format!("`{name}` is already a column of `{}`", table.name));
            } else if !used.contains(name) {
                self.report_unknown("added", Some(index), format!("`{name}` must be used by `key`, `days` or `sort`"));
            }
        }
    }

    /// Returns the columns that are named by the enum of statistics.
    fn statistics(&mut self, table: &Table, spec: &Spec) -> Vec<String> {
        let Some(schema) = self.declared.get("statistics").and_then(Value::as_str) else { return Vec::new() };
        let Some(names) = Pointer::schema(schema).find(&spec.document).and_then(|schema| schema.get("enum")) else {
            self.report_unknown("statistics", None, format!("`{schema}` must be a schema with an enum"));
            return Vec::new();
        };
        let names = texts(Some(names));
        let columns = table.columns.iter().filter(|column| column.in_map).map(|column| &column.name);
        let statistics: Vec<String> = columns.filter(|name| names.contains(name)).cloned().collect();
        if statistics.is_empty() || statistics.len() < names.len() {
            self.report_unknown("statistics", None, format!("all values of `{schema}` must be number columns of `{}`", table.name));
        }
        statistics
    }

    fn text(&self, field: &str) -> &'a str {
        self.declared.get(field).and_then(Value::as_str).unwrap_or_default()
    }

    fn report(&mut self, field: &str, text: impl Into<String>) {
        self.findings.push(self.at.join(field).finding("cohort", text));
    }

    fn report_unknown(&mut self, field: &str, index: Option<usize>, text: String) {
        let at = self.at.join(field);
        let at = index.map_or_else(|| at.clone(), |index| at.join(index));
        self.findings.push(at.finding("cohort", text).hint(RENAMED));
    }
}

/// Returns the rule that a value breaks, if any.
fn form_error(form: Form, value: &Value) -> Option<String> {
    let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.trim().is_empty());
    let (is_valid, expected) = match form {
        Form::Text => (is_text(value), "text".to_owned()),
        Form::Texts => {
            let items = value.as_array().filter(|items| !items.is_empty());
            let is_unique = |items: &[Value]| items.iter().enumerate().all(|(index, item)| !items[..index].contains(item));
            (items.is_some_and(|items| items.iter().all(is_text) && is_unique(items)), "a list of different names".to_owned())
        }
        Form::Boolean => (value.is_boolean(), "`true` or `false`".to_owned()),
        Form::Word(words) => (value.as_str().is_some_and(|word| words.contains(&word)), format!("`{}` or `{}`", words[0], words[1])),
    };
    (!is_valid).then(|| format!("must be {expected}"))
}
