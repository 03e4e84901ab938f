//! Tests by statement: a line `// statements: a.b, c.d` precedes a test.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};

use crate::folder;

/// Folder of the sandbox's tests.
const SERVICE: &str = "crates/vitalwire-sandbox/tests/service";
/// Folder of the client's tests.
const CLIENT: &str = "crates/vitalwire/tests/client";

/// Prefix of a line that cites statements.
const CITES: &str = "// statements:";

/// Tests by the statement they cover.
pub(super) type Tests = BTreeMap<String, Vec<String>>;

#[derive(Debug, Default)]
pub(super) struct TestIndex {
    /// Tests of the sandbox: the service's behaviour.
    pub(super) service: Tests,
    /// Tests of the client: its behaviour with any service.
    pub(super) client: Tests,
}

/// Reads the tests of the workspace, as `folder::file::test`.
pub(super) fn read(root: &Path) -> anyhow::Result<TestIndex> {
    Ok(TestIndex { service: read_folder(root, SERVICE)?, client: read_folder(root, CLIENT)? })
}

fn read_folder(root: &Path, folder: &str) -> anyhow::Result<Tests> {
    let mut found = Tests::new();
    for (path, bytes) in folder::contents(&root.join(folder))? {
        let Some(file) = path.strip_suffix(".rs") else { continue };
        let name = file.replace('/', "::");
        for (test, ids) in cited_tests(&String::from_utf8(bytes)?).with_context(|| format!("{folder}/{path}"))? {
            for id in ids {
                found.entry(id).or_default().push(format!("{name}::{test}"));
            }
        }
    }
    found.values_mut().for_each(|tests| tests.sort());
    Ok(found)
}

/// Returns the tests in a file that cite statements, with the statements' ids.
fn cited_tests(text: &str) -> anyhow::Result<Vec<(String, Vec<String>)>> {
    let mut found = Vec::new();
    let mut cited: Vec<String> = Vec::new();
    let mut is_test = false;
    for (index, line) in text.lines().enumerate() {
        let at = || format!("line {}", index + 1);
        if let Some(ids) = line.strip_prefix(CITES) {
            let ids: Vec<String> = ids.split(',').map(|id| id.trim().to_owned()).collect();
            if ids.iter().any(String::is_empty) {
                bail!("{}: an id is missing", at());
            }
            cited.extend(ids);
        } else if line.starts_with("#[") {
            is_test |= line.contains("test");
        } else if !cited.is_empty() {
            let name = line.split_once("fn ").and_then(|(_, rest)| rest.split_once('(')).map(|(name, _)| name);
            let Some(name) = name.filter(|_| is_test) else { bail!("{}: cited statements must precede a test", at()) };
            found.push((name.to_owned(), std::mem::take(&mut cited)));
            is_test = false;
        } else {
            is_test = false;
        }
    }
    if cited.is_empty() { Ok(found) } else { bail!("statements at the end of the file must precede a test") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_cites_the_statements_before_it() {
        let text = "// statements: a.b, c.d\n// statements: e.f\n#[tokio::test]\nasync fn it_holds() {\n}\n\n#[test]\nfn free() {}\n";
        assert_eq!(cited_tests(text).unwrap(), [("it_holds".to_owned(), ["a.b", "c.d", "e.f"].map(str::to_owned).to_vec())]);
    }

    #[test]
    fn a_citation_without_a_test_is_an_error_with_its_line() {
        for (text, message) in [
            ("\n// statements: a.b\nfn helper() {}\n", "line 3: cited statements must precede a test"),
            ("// statements: a.b\n\n#[test]\nfn test() {}\n", "line 2: cited statements must precede a test"),
            ("// statements: a.b,\n#[test]\nfn test() {}\n", "line 1: an id is missing"),
            ("// statements: a.b", "statements at the end of the file must precede a test"),
        ] {
            assert_eq!(cited_tests(text).unwrap_err().to_string(), message);
        }
    }
}
