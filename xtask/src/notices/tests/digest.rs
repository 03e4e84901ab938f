//! Tests of the digest by which `--check` finds stale notices.

use crate::notices::artifacts::{ARTIFACTS, Artifact};
use crate::notices::{NAME, committed_text, seal};

/// Returns the text that the check expects in a folder with this file.
fn expected(file: &str, inputs: &[String]) -> String {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("package")).unwrap();
    std::fs::write(root.path().join("package").join(NAME), file).unwrap();
    let [artifact, ..] = ARTIFACTS;
    committed_text(root.path(), &Artifact { folders: &["package"], ..artifact }, inputs)
}

#[test]
fn notices_are_stale_if_their_text_or_an_input_has_changed() {
    let inputs = |version: &str| ["template".to_owned(), version.to_owned()];
    let current = seal("one\ntwo\n", &inputs("1.0.0"));
    assert_eq!(expected(&current, &inputs("1.0.0")), current);
    assert_ne!(expected(&current, &inputs("1.0.1")), current);
    let edited = current.replace("two", "2");
    assert_ne!(expected(&edited, &inputs("1.0.0")), edited);
    assert_ne!(expected("", &inputs("1.0.0")), "");
}

#[test]
fn a_digest_depends_on_where_an_input_ends() {
    assert_ne!(seal("a", &["b".to_owned(), "c".to_owned()]), seal("a", &["bc".to_owned()]));
}
