//! Tests of the notices of one package: the kept files, and missing texts.

use cargo_metadata::Package;

use crate::notices::additions::Additions;
use crate::notices::entry::Entry;
use crate::notices::files::{self, LicenceFile};
use crate::notices::licence_texts::LicenceTexts;

fn package(licence: &str) -> Package {
    super::package("one", "1.2.3", licence)
}

fn unlicensed(name: &str) -> Package {
    let mut package = super::package(name, "1.2.3", "");
    package.license = None;
    package
}

fn file(path: &str, text: &str) -> LicenceFile {
    LicenceFile { path: path.to_owned(), text: text.to_owned() }
}

fn standard(id: &str) -> String {
    let licence_texts = licence_texts();
    let text = licence_texts.texts().find(|(own, _)| *own == id).map(|(_, text)| text.to_owned());
    text.expect("a standard text")
}

fn licence_texts() -> LicenceTexts {
    LicenceTexts::read(&crate::workspace_root()).expect("licences")
}

/// Returns the chosen licence, the remaining texts of the files, and the licences whose texts are printed at the end.
fn read(package: &Package, files: &[LicenceFile]) -> Result<(String, Vec<String>, Vec<String>), String> {
    let entry = Entry::from_files(package, files, &Additions::default(), &licence_texts())?;
    let choice = entry.choice.iter().flatten().cloned().collect::<Vec<_>>().join(" ");
    Ok((choice, entry.notices.into_iter().map(|notice| notice.remaining.text).collect(), entry.needs.into_iter().collect()))
}

fn problem(package: &Package, files: &[LicenceFile]) -> String {
    read(package, files).expect_err("a problem")
}

#[test]
fn texts_of_alternatives_that_are_not_chosen_are_removed() {
    let files = [
        file("LICENSE-APACHE", &standard("Apache-2.0")),
        file("LICENSE-MIT", &format!("Copyright (c) 2020 Somebody\n\n{}", standard("MIT"))),
        file("NOTICE", "Made with care."),
    ];
    let expected = ("Apache-2.0".to_owned(), vec!["Made with care.".to_owned()], vec!["Apache-2.0".to_owned()]);
    assert_eq!(read(&package("MIT OR Apache-2.0"), &files), Ok(expected));
    let both = read(&package("MIT AND Apache-2.0"), &files).expect("notices");
    assert_eq!(both.1, ["Copyright (c) 2020 Somebody", "Made with care."]);
}

#[test]
fn bundled_third_party_code_keeps_its_licence() {
    let files =
        [file("LICENSE", &standard("Apache-2.0")), file("third_party/zip/LICENSE", &format!("(C) 1995 Somebody\n\n{}", standard("Zlib")))];
    assert_eq!(read(&package("Apache-2.0"), &files).expect("notices").1, ["(C) 1995 Somebody"]);
}

#[test]
fn third_party_notices_are_always_kept() {
    let files = [
        file("LICENSE-APACHE", &standard("Apache-2.0")),
        file("LICENSE-MIT", &format!("Copyright (c) 2020 Somebody\n\n{}", standard("MIT"))),
        file("LICENSE-THIRD-PARTY", &format!("Copyright (c) 2016 Others\n\n{}", standard("MIT"))),
        file("src/part/LICENSE-MIT", &format!("Copyright (c) 2017 A Third\n\n{}", standard("MIT"))),
    ];
    let (choice, notices, _) = read(&package("MIT OR Apache-2.0"), &files).expect("notices");
    assert_eq!(
        (choice.as_str(), notices),
        ("Apache-2.0", vec!["Copyright (c) 2016 Others".to_owned(), "Copyright (c) 2017 A Third".to_owned()])
    );
}

#[test]
fn a_package_without_licence_files_gets_authors_and_our_text() {
    let mut package = package("MPL-2.0");
    package.repository = Some("https://example.org/one".to_owned());
    let (_, notices, needs) = read(&package, &[]).expect("notices");
    assert_eq!(notices, ["The package has no licence file and names no authors. Repository: https://example.org/one"]);
    assert_eq!(needs, ["MPL-2.0"]);
    package.authors = vec!["Some Body <some@example.org>".to_owned(), "Others".to_owned()];
    let (_, notices, _) = read(&package, &[]).expect("notices");
    assert_eq!(notices, ["The package has no licence file. Authors: Some Body, Others. Repository: https://example.org/one"]);
}

#[test]
fn problems_have_a_remedy() {
    let none = problem(&unlicensed("one"), &[]);
    assert!(none.starts_with("one 1.2.3: its manifest states no licence\n  remedy: ") && none.contains("additions.toml"), "{none}");
    let unknown = problem(&package("Very Free License"), &[file("LICENSE", &standard("MIT"))]);
    assert!(unknown.contains("`Very Free License` is not an SPDX licence expression") && unknown.contains("additions.toml"), "{unknown}");
    let absent = problem(&package("EPL-2.0"), &[]);
    assert!(absent.contains("it has no text of EPL-2.0") && absent.contains("licences/EPL-2.0.txt"), "{absent}");
}

#[test]
fn a_licence_can_be_stated() {
    let text = "[[licence]]\npackage = \"one\"\nexpression = \"MIT\"\nreason = \"its README says so\"";
    let additions: Additions = toml::from_str(text).expect("TOML");
    for package in [unlicensed("one"), package("as is")] {
        let entry = Entry::from_files(&package, &[], &additions, &licence_texts()).expect("notices");
        assert_eq!((entry.licence.as_str(), entry.needs.into_iter().collect::<Vec<_>>()), ("MIT", vec!["MIT".to_owned()]));
    }
}

#[test]
fn licence_files_are_found_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = [
        "COPYING",
        "LICENSE.httprouter",
        "Notice.md",
        "docs/license-mit",
        "src/license.rs",
        "src/spin/LICENSE",
        "tests/LICENSE",
        "README.md",
        "LICENSE.json",
        ".github/LICENSE",
    ];
    for name in names {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        // Latin-1, as in some old files, and Windows line ends.
        std::fs::write(path, b"\xa9 1999 J\xf6rn\r\n").expect("a file");
    }
    let mut package = package("MIT");
    package.manifest_path = folder.path().join("Cargo.toml").try_into().expect("UTF-8");
    let files = files::licence_files(&package).expect("files");
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["COPYING", "LICENSE.httprouter", "Notice.md", "docs/license-mit", "src/spin/LICENSE"]);
    assert!(files.iter().all(|file| file.text == "© 1999 Jörn\n"));
}

#[test]
fn missing_sources_are_a_problem() {
    let problem = Entry::read(&package("MIT"), &Additions::default(), &licence_texts()).expect_err("a problem");
    assert!(problem.contains("remedy: run `cargo fetch --locked`"), "{problem}");
}
