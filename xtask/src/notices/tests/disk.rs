//! Writing and comparing.

use std::fs;

use crate::notices::disk::{Text, check, write};

fn texts() -> Vec<Text> {
    ["a/LICENSE-MIT", "a/THIRD-PARTY-NOTICES.txt"].map(|path| Text { path: path.to_owned(), text: "one\ntwo\nthree\n".to_owned() }).into()
}

#[test]
fn a_line_that_is_gone_is_stale_until_it_is_written_again() {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir(root.path().join("a")).expect("a folder");
    write(root.path(), &texts()).expect("they are written");
    check(root.path(), &texts()).expect("nothing is stale");
    let path = root.path().join("a/THIRD-PARTY-NOTICES.txt");
    fs::write(&path, "one\nthree\n").expect("a file");
    let error = check(root.path(), &texts()).expect_err("a line is gone");
    assert!(error.to_string().starts_with("1 licence files are stale"), "{error}");
    assert_eq!(fs::read_to_string(&path).expect("a file"), "one\nthree\n", "a check writes nothing");
    write(root.path(), &texts()).expect("they are written");
    check(root.path(), &texts()).expect("nothing is stale");
}

#[test]
fn a_file_that_is_gone_is_stale() {
    let root = tempfile::tempdir().expect("a folder");
    let error = check(root.path(), &texts()).expect_err("no file is there");
    assert!(error.to_string().starts_with("2 licence files are stale"), "{error}");
}

#[test]
fn no_file_is_left_half_written() {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir(root.path().join("a")).expect("a folder");
    write(root.path(), &texts()).expect("they are written");
    assert_eq!(fs::read_dir(root.path().join("a")).expect("a folder").count(), 2);
}
