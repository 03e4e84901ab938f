//! Which tests of the sandbox hold to which statement: a line `// statements: a.b, c.d` stands before a test.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};

/// Where the tests are.
const TESTS: &str = "crates/vitalwire-sandbox/tests/service";

/// What a line begins with that cites statements.
const CITES: &str = "// statements:";

/// The tests by the statement that they hold to, as `file::test`.
pub(super) fn read(root: &Path) -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in std::fs::read_dir(root.join(TESTS)).with_context(|| format!("reading {TESTS}"))? {
        let path = file?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {TESTS}/{name}.rs"))?;
        for (test, ids) in of(&text).with_context(|| format!("{TESTS}/{name}.rs"))? {
            for id in ids {
                found.entry(id).or_default().push(format!("{name}::{test}"));
            }
        }
    }
    found.values_mut().for_each(|tests| tests.sort());
    Ok(found)
}

/// The tests of a file that cite statements, with their ids.
fn of(text: &str) -> anyhow::Result<Vec<(String, Vec<String>)>> {
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
            let Some(name) = name.filter(|_| is_test) else { bail!("{}: statements are cited before something that is no test", at()) };
            found.push((name.to_owned(), std::mem::take(&mut cited)));
            is_test = false;
        } else {
            is_test = false;
        }
    }
    if cited.is_empty() { Ok(found) } else { bail!("statements are cited at the end, before no test") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_cite_what_stands_before_them() {
        let text = "// statements: a.b, c.d\n// statements: e.f\n#[tokio::test]\nasync fn it_holds() {\n}\n\n#[test]\nfn free() {}\n";
        assert_eq!(of(text).unwrap(), [("it_holds".to_owned(), ["a.b", "c.d", "e.f"].map(str::to_owned).to_vec())]);
    }

    #[test]
    fn what_cites_and_is_no_test_is_told_with_its_place() {
        for (text, told) in [
            ("\n// statements: a.b\nfn helper() {}\n", "line 3: statements are cited before something that is no test"),
            ("// statements: a.b\n\n#[test]\nfn test() {}\n", "line 2: statements are cited before something that is no test"),
            ("// statements: a.b,\n#[test]\nfn test() {}\n", "line 1: an id is missing"),
            ("// statements: a.b", "statements are cited at the end, before no test"),
        ] {
            assert_eq!(of(text).unwrap_err().to_string(), told);
        }
    }
}
