//! Tests of removing common texts from licence files.

use std::path::Path;

use crate::notices::identify::identify_licences;
use crate::notices::licence_texts::LicenceTexts;
use crate::notices::phrases::{RemainingText, remove_phrases};

fn licence_texts() -> LicenceTexts {
    LicenceTexts::read(&crate::workspace_root()).expect("licences")
}

fn root(name: &str) -> String {
    std::fs::read_to_string(crate::workspace_root().join(Path::new(name))).expect("a licence")
}

fn rest(text: &str) -> (Vec<String>, String) {
    let RemainingText { removed, text } = remove_phrases(text, &licence_texts().phrases);
    (removed.into_iter().collect(), text)
}

/// MIT's text as in most packages: with other line ends, another title and other names.
const MIT: &str = "The MIT License (MIT)

Copyright (c) 2016 Somebody Else

Permission is hereby granted, free of charge, to any person obtaining a copy of this software
and associated documentation files (the \"Software\"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense,
and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so,
subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY,
WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
";

#[test]
fn only_the_names_of_a_known_text_are_kept() {
    assert_eq!(rest(MIT), (vec!["MIT".to_owned()], "Copyright (c) 2016 Somebody Else".to_owned()));
}

#[test]
fn the_text_of_apache_is_removed() {
    assert_eq!(rest(&root("LICENSE-APACHE")), (vec!["Apache-2.0".to_owned()], String::new()));
    let secure = root("LICENSE-APACHE").replace("http://", "https://");
    assert_eq!(rest(&secure).1, "");
}

#[test]
fn the_name_in_the_appendix_of_apache_is_kept() {
    let filled = root("LICENSE-APACHE").replace("[yyyy] [name of copyright owner]", "2016 Somebody Else");
    assert_eq!(rest(&filled).1, "Copyright 2016 Somebody Else");
}

#[test]
fn a_text_that_differs_in_one_word_is_kept() {
    let other = MIT.replace("sublicense,", "sublicence,");
    let (removed, text) = rest(&other);
    assert!(removed.is_empty() && text.contains("sublicence,") && text.contains("IN NO EVENT"), "{text}");
}

#[test]
fn a_list_of_licences_is_kept() {
    let list = "Use any of these:\n\n- Apache License\n- MIT License\n- ISC License";
    assert_eq!(rest(list), (vec![], list.to_owned()));
}

#[test]
fn a_removed_text_between_two_others_is_named() {
    let two = format!("Either of these.\n\n~~~\n{MIT}~~~\n\nAnd parts of another:\n{}", MIT.replace("Somebody Else", "A Third"));
    let expected = "Either of these.\n\n~~~\nCopyright (c) 2016 Somebody Else\n\n[The text of MIT is at the end.]\n\
                    And parts of another:\n\nCopyright (c) 2016 A Third";
    let squeezed = |text: &str| text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    assert_eq!(squeezed(&rest(&two).1), squeezed(expected));
}

#[test]
fn licences_are_identified_by_their_texts() {
    let known = |text: &str| identify_licences(text).into_iter().collect::<Vec<_>>();
    assert_eq!(known(MIT), ["MIT"]);
    assert_eq!(known(&root("LICENSE-APACHE")), ["Apache-2.0"]);
    assert_eq!(known(&format!("{}\n\n{MIT}", root("LICENSE-APACHE"))), ["Apache-2.0", "MIT"]);
    assert_eq!(known("This project is dual-licensed under the Unlicense and MIT licenses."), [""; 0]);
    for (id, text) in licence_texts().texts() {
        assert_eq!(known(text), if id == "Unicode-3.0" { vec![] } else { vec![id] }, "{id}");
    }
}
