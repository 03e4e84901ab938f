//! Tests of licence expressions and of the chosen alternative.

use crate::notices::expression::{Licences, alternatives, choose};

fn set(ids: &[&str]) -> Licences {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

/// Returns the chosen licences for a package with files of these licences.
fn chosen(expression: &str, has: &[&str]) -> Vec<String> {
    choose(&alternatives(expression).expect("an expression"), &set(has)).into_iter().collect()
}

#[test]
fn and_combines_the_alternatives_of_both_sides() {
    assert_eq!(alternatives("MIT"), Ok(vec![set(&["MIT"])]));
    assert_eq!(alternatives("MIT OR Apache-2.0"), Ok(vec![set(&["MIT"]), set(&["Apache-2.0"])]));
    assert_eq!(alternatives("Apache-2.0 AND ISC"), Ok(vec![set(&["Apache-2.0", "ISC"])]));
    assert_eq!(
        alternatives("(MIT OR Apache-2.0) AND Unicode-3.0"),
        Ok(vec![set(&["MIT", "Unicode-3.0"]), set(&["Apache-2.0", "Unicode-3.0"])])
    );
    // AND has higher precedence than OR.
    assert_eq!(alternatives("MIT OR Apache-2.0 AND ISC"), Ok(vec![set(&["MIT"]), set(&["Apache-2.0", "ISC"])]));
}

#[test]
fn a_slash_means_or() {
    assert_eq!(alternatives("Unlicense/MIT"), Ok(vec![set(&["Unlicense"]), set(&["MIT"])]));
}

#[test]
fn an_exception_stays_with_its_licence() {
    let found = alternatives("Apache-2.0 WITH LLVM-exception OR MIT");
    assert_eq!(found, Ok(vec![set(&["Apache-2.0 WITH LLVM-exception"]), set(&["MIT"])]));
}

#[test]
fn an_invalid_expression_is_an_error() {
    for wrong in ["", "MIT OR", "MIT AND (ISC", "Very Free License", "MIT, Apache-2.0", "GPLv2"] {
        assert!(alternatives(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn apache_is_preferred_to_mit_and_mit_to_others() {
    assert_eq!(chosen("MIT OR Apache-2.0", &["MIT", "Apache-2.0"]), ["Apache-2.0"]);
    assert_eq!(chosen("Unlicense OR MIT", &["MIT", "Unlicense"]), ["MIT"]);
    assert_eq!(chosen("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", &[]), ["Apache-2.0"]);
}

#[test]
fn a_text_that_the_package_has_is_preferred_to_all() {
    assert_eq!(chosen("MIT OR Apache-2.0", &["MIT"]), ["MIT"]);
    assert_eq!(chosen("BSD-3-Clause OR Apache-2.0", &["BSD-3-Clause"]), ["BSD-3-Clause"]);
}

#[test]
fn one_licence_is_preferred_to_two() {
    assert_eq!(chosen("(Apache-2.0 AND MIT) OR Zlib", &[]), ["Zlib"]);
}
