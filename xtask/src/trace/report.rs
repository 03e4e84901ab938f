//! Statements of the interface, their citations and their tests.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;
use serde_json::Value;
use vitalwire_spec::{self as spec, Pointer, Sources};

use super::{cases, test_index};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Statements {
    #[serde(default)]
    pub(super) statement: Vec<Statement>,
}

/// A statement of the interface document: a sentence or a table row.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Statement {
    pub(super) id: String,
    pub(super) section: String,
    pub(super) kind: Kind,
    /// Certainty of a fact that the interface document does not state.
    #[serde(default, rename = "mark")]
    _mark: Option<Mark>,
    text: String,
}

/// Certainty of a fact that the interface document does not state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Mark {
    #[serde(rename = "P")]
    Public,
    #[serde(rename = "I")]
    Inferred,
    #[serde(rename = "U")]
    Unknown,
}

/// The required use of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    /// Must be cited, and tested by a case.
    Testable,
    /// Behaviour of the service: must be cited, and tested with the sandbox. A scripted server proves nothing about the service.
    Service,
    /// Reaches users as documentation: must be cited.
    Documented,
    /// Behaviour of our clients with any service: must be tested by a case, or by a test of the client if no call is made.
    Promise,
    /// Not used, because there is no operation for it.
    NoOperation,
    /// Not used, because it is an error without a status.
    StatusOpen,
    /// Context, which nothing has to cite or test.
    Background,
}

/// Statements and their citations.
#[derive(Debug)]
pub(super) struct Report<'a> {
    pub(super) statements: &'a [Statement],
    /// Citations by id, each as `file#pointer`, in the order found.
    cited: BTreeMap<String, Vec<String>>,
    /// Cases by id.
    by_statement: BTreeMap<String, Vec<String>>,
    /// Tests of the statements.
    tests: test_index::TestIndex,
    without_statement: Vec<String>,
}

impl<'a> Report<'a> {
    pub(super) fn new(statements: &'a [Statement], sources: &Sources, cases: cases::Cases, tests: test_index::TestIndex) -> Self {
        let mut cited: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut cite = |file: &str, of: &Value, at: &Pointer| {
            for id in of.get("x-statements").and_then(Value::as_array).into_iter().flatten() {
                // Keep an id that is not a text, so that it is reported as unknown.
                let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
                cited.entry(id).or_default().push(format!("{file}#{at}"));
            }
        };
        for spec in &sources.specs {
            spec::walk(&spec.document, &Pointer::root(), &mut |value, at| cite(spec.path, value, at));
        }
        // Citations in an action's update are in the specification already; those of the action itself are not.
        for (file, overlay) in &sources.overlays {
            for (index, action) in overlay.get("actions").and_then(Value::as_array).into_iter().flatten().enumerate() {
                cite(file, action, &Pointer::root().join("actions").join(index));
            }
        }
        Self { statements, cited, by_statement: cases.by_statement, tests, without_statement: cases.without_statement }
    }

    pub(super) fn places(&self, id: &str) -> &[String] {
        self.cited.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn cases(&self, id: &str) -> &[String] {
        self.by_statement.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn tests(&self, id: &str) -> impl Iterator<Item = &String> {
        [&self.tests.service, &self.tests.client].into_iter().filter_map(|tests| tests.get(id)).flatten()
    }

    pub(super) fn with_kind(&self, kind: Kind) -> impl Iterator<Item = &Statement> {
        self.statements.iter().filter(move |statement| statement.kind == kind)
    }

    /// Returns statements that the specifications must cite and do not.
    pub(super) fn uncited(&self) -> Vec<&Statement> {
        [Kind::Testable, Kind::Service, Kind::Documented]
            .into_iter()
            .flat_map(|kind| self.with_kind(kind))
            .filter(|statement| self.places(&statement.id).is_empty())
            .collect()
    }

    /// Returns statements that need a case and have none. For [`Kind::Promise`], a test of the client suffices.
    pub(super) fn untested(&self) -> Vec<&Statement> {
        let promises = self.with_kind(Kind::Promise).filter(|promise| !self.tests.client.contains_key(&promise.id));
        self.with_kind(Kind::Testable).chain(promises).filter(|statement| self.cases(&statement.id).is_empty()).collect()
    }

    /// Returns statements about the service without a test of the sandbox.
    pub(super) fn untested_service(&self) -> Vec<&Statement> {
        self.with_kind(Kind::Service).filter(|statement| !self.tests.service.contains_key(&statement.id)).collect()
    }

    /// Returns unknown ids, with the places, cases or tests that cite them.
    pub(super) fn unknown(&self) -> Vec<(&String, &Vec<String>)> {
        let stated = |id: &String| self.statements.iter().any(|statement| statement.id == *id);
        let tests = self.tests.service.iter().chain(&self.tests.client);
        self.cited.iter().chain(&self.by_statement).chain(tests).filter(|(id, _)| !stated(id)).collect()
    }

    /// Returns ids of more than one statement.
    pub(super) fn duplicates(&self) -> Vec<&str> {
        let mut duplicates: Vec<&str> = Vec::new();
        for (index, statement) in self.statements.iter().enumerate() {
            if self.statements[..index].iter().any(|earlier| earlier.id == statement.id) && !duplicates.contains(&statement.id.as_str()) {
                duplicates.push(&statement.id);
            }
        }
        duplicates
    }

    /// Returns statements without text, or whose id does not have the form `group.name`.
    pub(super) fn malformed(&self) -> Vec<&str> {
        let word =
            |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        let valid = |statement: &&Statement| {
            statement.id.contains('.')
                && statement.id.split('.').all(word)
                && !statement.text.trim().is_empty()
                && !statement.section.trim().is_empty()
        };
        self.statements.iter().filter(|statement| !valid(statement)).map(|statement| statement.id.as_str()).collect()
    }

    pub(super) fn errors(&self) -> usize {
        self.uncited().len()
            + self.untested().len()
            + self.untested_service().len()
            + self.unknown().len()
            + self.duplicates().len()
            + self.malformed().len()
            + self.without_statement.len()
            + usize::from(self.statements.is_empty())
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let cited = self.statements.iter().filter(|statement| !self.places(&statement.id).is_empty()).count();
        let places: usize = self.statements.iter().map(|statement| self.places(&statement.id).len()).sum();
        let count = |kind| self.with_kind(kind).count();
        let _ = writeln!(
            text,
            "statements: {} ({} testable by cases, {} about the service, {} for documentation, {} about our clients, {} background)",
            self.statements.len(),
            count(Kind::Testable),
            count(Kind::Service),
            count(Kind::Documented),
            count(Kind::Promise),
            count(Kind::Background)
        );
        let _ = writeln!(text, "statements that a specification cites: {cited}, in {places} places");
        for (title, kind) in [("no operation", Kind::NoOperation), ("status open", Kind::StatusOpen)] {
            list(&mut text, title, self.with_kind(kind).map(summary));
        }
        list(&mut text, "not cited", self.uncited().into_iter().map(summary));
        list(&mut text, "without a case", self.untested().into_iter().map(summary));
        list(&mut text, "without a test of the sandbox", self.untested_service().into_iter().map(summary));
        list(&mut text, "unknown ids", self.unknown().into_iter().map(|(id, places)| format!("{id} by {}", places.join(", "))));
        list(&mut text, "cases without a statement", self.without_statement.iter().cloned());
        list(&mut text, "duplicate ids", self.duplicates().into_iter().map(str::to_owned));
        list(&mut text, "without text or with an invalid id", self.malformed().into_iter().map(str::to_owned));
        text
    }
}

fn summary(statement: &Statement) -> String {
    format!("{} ({})", statement.id, statement.section)
}

fn list(text: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    let _ = writeln!(text, "{title}: {}", items.len());
    for item in items {
        let _ = writeln!(text, "    {item}");
    }
}
