//! Checks of documents: sizes, links, paths, steps and numbers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders whose documents users or contributors read in the repository.
const FOLDERS: [&str; 10] = [
    ".",
    "docs",
    "docs/site",
    "openapi",
    "tests/conformance",
    "tests/faults",
    "bindings/c",
    "bindings/kotlin",
    "bindings/python",
    "bindings/swift",
];

/// Numbers in documents and their sources: document, text before the number, source, text before the number there.
const NUMBERS: [(&str, &str, &str, &str); 40] = [
    ("docs/install.toml", "build the package with Rust ", "Cargo.toml", "\nrust-version = \""),
    ("bindings/python/README.md", "It requires CPython ", "bindings/python/pyproject.toml", "\nrequires-python = \">="),
    ("bindings/python/README.md", "builds one wheel for CPython ", "bindings/python/pyproject.toml", "\nrequires-python = \">="),
    ("bindings/swift/README.md", "for iOS ", "bindings/swift/Package.swift", ".iOS(.v"),
    ("bindings/swift/README.md", "and macOS ", "bindings/swift/Package.swift", ".macOS(.v"),
    ("bindings/kotlin/README.md", "are for Kotlin ", "bindings/kotlin/pom.xml", "<kotlin.compiler.languageVersion>"),
    ("bindings/kotlin/README.md", "`kotlinx-coroutines-core` ", "bindings/kotlin/pom.xml", "<coroutines.version>"),
    (
        "bindings/kotlin/installed-robolectric/pom.xml",
        "kotlinx-coroutines-android</artifactId>\n      <version>",
        "bindings/kotlin/pom.xml",
        "<coroutines.version>",
    ),
    ("bindings/kotlin/README.md", "`kotlin-stdlib` ", "bindings/kotlin/pom.xml", "<kotlin.stdlib.version>"),
    ("bindings/kotlin/README.md", "minSdk is ", "xtask/src/kotlin/package/android/abis.rs", "MIN_SDK: u32 = "),
    ("bindings/kotlin/installed-android/build.gradle.kts", "minSdk = ", "xtask/src/kotlin/package/android/abis.rs", "MIN_SDK: u32 = "),
    ("bindings/kotlin/README.md", "`jna` ", "bindings/kotlin/pom.xml", "<jna.version>"),
    (
        "bindings/kotlin/README.md",
        "`kotlinx-serialization-json` ",
        "bindings/kotlin/serialization/pom.xml",
        "kotlinx-serialization-json-jvm</artifactId>\n      <version>",
    ),
    ("bindings/swift/README.md", "\nVersion: ", "Cargo.toml", "\nversion = \""),
    ("docs/testing.md", "Swift ", "bindings/swift/Package.swift", "swift-tools-version: "),
    ("docs/testing.md", "a JDK ", "bindings/kotlin/pom.xml", "<jvmTarget>"),
    ("docs/packaging.md", "`--glibc ", ".github/workflows/c.yml", "--glibc "),
    ("bindings/python/README.md", "systems with glibc 2.", ".github/workflows/python.yml", "manylinux_2_"),
    // The tables of defaults are compared with the engine.
    ("bindings/c/CONVENTIONS.md", "their deadlines (", "bindings/c/README.md", "| total timeout of a call, retries included | "),
    ("bindings/c/CONVENTIONS.md", " s, uploads ", "bindings/c/README.md", "| total timeout of an upload, retries included | "),
    (
        "bindings/python/README.md",
        "`wait_timeout` limits the wait. Defaults to ",
        "bindings/python/README.md",
        "| timeout of waiting for an analysis | ",
    ),
    ("docs/site/compatibility.md", "| Rust crates | Rust ", "Cargo.toml", "\nrust-version = \""),
    ("docs/site/compatibility.md", "| Command line | Rust ", "Cargo.toml", "\nrust-version = \""),
    ("docs/site/compatibility.md", "| Python | CPython ", "bindings/python/pyproject.toml", "\nrequires-python = \">="),
    ("docs/site/compatibility.md", "| Swift | Swift ", "bindings/swift/Package.swift", "swift-tools-version: "),
    ("docs/site/compatibility.md", "; iOS ", "bindings/swift/Package.swift", ".iOS(.v"),
    ("docs/site/compatibility.md", "iOS 16, macOS ", "bindings/swift/Package.swift", ".macOS(.v"),
    ("docs/site/compatibility.md", "| Kotlin, Java | Kotlin ", "bindings/kotlin/pom.xml", "<kotlin.compiler.languageVersion>"),
    ("docs/site/compatibility.md", "coroutines ", "bindings/kotlin/pom.xml", "<coroutines.version>"),
    ("docs/site/compatibility.md", "JNA ", "bindings/kotlin/pom.xml", "<jna.version>"),
    ("docs/site/compatibility.md", "and samples for Java ", "bindings/kotlin/testing/pom.xml", "<kotlin.compiler.jvmTarget>"),
    // The step `package-jvm` compares this row with the versions of a project.
    ("docs/site/compatibility.md", "| lowest versions | ", "bindings/kotlin/pom.xml", "<kotlin.stdlib.version>"),
    ("docs/site/compatibility.md", "| lowest versions | 2.1.0 | ", "bindings/kotlin/pom.xml", "<coroutines.version>"),
    (
        "docs/site/compatibility.md",
        "| lowest versions | 2.1.0 | 1.8.1 | ",
        "bindings/kotlin/serialization/pom.xml",
        "kotlinx-serialization-json-jvm</artifactId>\n      <version>",
    ),
    ("docs/site/compatibility.md", "| lowest versions | 2.1.0 | 1.8.1 | 1.6.3 | ", "bindings/kotlin/pom.xml", "<jna.version>"),
    ("docs/site/compatibility.md", "| JDK ", "bindings/kotlin/pom.xml", "<jvmTarget>"),
    ("docs/site/compatibility.md", "| API level ", "bindings/kotlin/installed-android/build.gradle.kts", "minSdk = "),
    ("docs/site/compatibility.md", "| C++ | C++", "bindings/c/tests/CMakeLists.txt", "CMAKE_CXX_STANDARD "),
    ("docs/site/compatibility.md", "; CMake ", "bindings/c/tests/installed/CMakeLists.txt", "VERSION "),
    ("docs/site/compatibility.md", "release v", "openapi/health.v3.yaml", "\n  version: "),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the documents of a folder, without subfolders.
fn documents(folder: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "md")).collect()
}

/// Returns a document's headings as GitHub spells them in addresses.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
    let allowed = |character: &char| character.is_alphanumeric() || [' ', '-', '_'].contains(character);
    headings.map(|heading| heading.to_lowercase().chars().filter(allowed).collect::<String>().replace(' ', "-")).collect()
}

#[test]
fn the_first_documents_are_short() {
    for document in ["CONTRIBUTING.md", "ARCHITECTURE.md"] {
        let characters = read(document).chars().count();
        assert!(characters <= 9000, "{document} has {characters} characters; at most 9000 are allowed: move details to docs/");
    }
}

#[test]
fn links_point_to_existing_files_and_headings() {
    for document in FOLDERS.iter().flat_map(|folder| documents(folder)) {
        let text = fs::read_to_string(&document).unwrap();
        // Every second piece is a code block, which has no links.
        let pieces = text.split("```").step_by(2).flat_map(|piece| piece.split("](").skip(1));
        for link in pieces.filter_map(|piece| piece.split_once(')')).map(|(link, _)| link).filter(|link| !link.contains([':', ' '])) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { document.clone() } else { document.parent().unwrap().join(path) };
            assert!(target.exists(), "{}: {link}", document.display());
            if !anchor.is_empty() && target.extension().is_some_and(|extension| extension == "md") {
                let anchors = anchors(&fs::read_to_string(&target).unwrap());
                assert!(anchors.iter().any(|found| found == anchor), "{}: {link}", document.display());
            }
        }
    }
}

/// Checks paths that begin at the root. Skips paths with placeholders.
#[test]
fn paths_in_documents_exist() {
    let first = ["crates/", "bindings/", "xtask/", "openapi/", "tests/", "docs/", ".ci/", ".github/"];
    for document in ["CONTRIBUTING.md", "ARCHITECTURE.md"].map(|name| root().join(name)).into_iter().chain(documents("docs")) {
        let text = fs::read_to_string(&document).unwrap();
        for path in text.split("```").step_by(2).flat_map(|piece| piece.split('`').skip(1).step_by(2)) {
            let is_path = first.iter().any(|start| path.starts_with(start)) && !path.contains(['<', '*', ' ', '{']);
            let placeholder = path.split('/').any(|part| !part.is_empty() && part.chars().all(char::is_uppercase));
            assert!(!is_path || placeholder || root().join(path).exists(), "{}: {path}", document.display());
        }
    }
}

#[test]
fn every_promise_of_security_has_a_test() {
    let text = read("SECURITY.md");
    let (_, table) = text.split_once("| promise | test |\n|---|---|\n").unwrap();
    let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() >= 30, "the table has {} rows", rows.len());
    for row in rows {
        let pieces: Vec<&str> = row.split('`').collect();
        let [.., file, ": ", name, " |"] = pieces[..] else { panic!("must end in a file and a test: {row}") };
        let text = read(file);
        let declared = ["fn ", "def ", "func ", "fun `", "void ", "\"id\": \""].map(|keyword| format!("{keyword}{name}"));
        let is_end = |rest: &str| rest.starts_with(['(', '`', '"']);
        let is_declared = |start: &String| text.match_indices(&**start).any(|(at, _)| is_end(&text[at + start.len()..]));
        assert!(declared.iter().any(is_declared), "{file} has no test {name}");
    }
}

#[test]
fn every_step_is_described_once() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(["test", "--only", "no-such-step"]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    let mut steps: Vec<&str> = message.trim().split_once("there are ").unwrap().1.split(", ").collect();
    let text = read("docs/testing.md");
    let section = text.split("\n## Steps\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" | "));
    let mut described: Vec<&str> = rows.flat_map(|(names, _)| names.split(", ").map(|name| name.trim_matches('`'))).collect();
    steps.sort_unstable();
    described.sort_unstable();
    assert_eq!(described, steps);
}

#[test]
fn numbers_equal_those_of_their_sources() {
    let number = |path: &str, before: &str| {
        let text = read(path);
        let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("{path} does not contain `{before}`"));
        let digits: String = rest.chars().take_while(|character| character.is_ascii_digit() || *character == '.').collect();
        digits.trim_end_matches('.').to_owned()
    };
    for (document, before, file, before_there) in NUMBERS {
        assert_eq!(number(document, before), number(file, before_there), "{document}: {before}");
    }
}
