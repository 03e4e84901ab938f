//! Tags against a small repository that is ready for v1.2.3, and what is wrong after one thing was changed.

use super::*;

const FILES: [(&str, &str); 10] = [
    (
        "Cargo.toml",
        "[workspace.package]\nversion = \"1.2.3\"\n[workspace.dependencies]\nvitalwire = { path = \"c\", version = \"1.2.3\" }\n",
    ),
    ("CHANGELOG.md", "# Changelog\n\n## 1.2.3 (2026-01-31)\n\n## 1.2.2\n"),
    ("bindings/kotlin/pom.xml", "<artifactId>vitalwire</artifactId>\n  <version>1.2.3</version>"),
    ("bindings/kotlin/testing/pom.xml", "<artifactId>vitalwire-testing</artifactId>\n  <version>1.2.3</version>"),
    ("bindings/kotlin/serialization/pom.xml", "<artifactId>vitalwire-serialization</artifactId>\n  <version>1.2.3</version>"),
    ("bindings/kotlin/README.md", "<artifactId>vitalwire</artifactId>\n  <version>1.2.3</version>"),
    ("bindings/c/CMakeLists.txt", "project(vitalwire VERSION 1.2.3 LANGUAGES C)"),
    ("bindings/c/README.md", "find_package(Vitalwire 1.2.3 EXACT REQUIRED)"),
    ("bindings/python/pyproject.toml", "dynamic = [\"version\"]\nsandbox = [\"vitalwire-sandbox==1.2.3\"]"),
    ("bindings/python/sandbox/pyproject.toml", "dynamic = [\"version\"]"),
];

fn run(root: &Path, arguments: &[&str]) {
    let names = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"];
    let output = git(root, &[&names, arguments].concat()).unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
}

fn write(root: &Path, path: &str, content: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

fn commit(root: &Path) {
    run(root, &["add", "--all"]);
    run(root, &["commit", "--quiet", "--message", "Change"]);
}

/// A commit that is on main and ready.
fn ready() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    run(root, &["init", "--quiet"]);
    for (path, content) in FILES {
        write(root, path, content);
    }
    commit(root);
    merge(root);
    folder
}

fn merge(root: &Path) {
    run(root, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
}

fn problems(root: &Path, tag: &str) -> String {
    Release { tag: tag.to_owned() }.run(root).map_or_else(|error| error.to_string(), |()| "none".to_owned())
}

#[test]
fn what_is_ready_passes_before_and_after_the_tag() {
    let folder = ready();
    assert_eq!(problems(folder.path(), "v1.2.3"), "none");
    run(folder.path(), &["tag", "--annotate", "--message", "1.2.3", "v1.2.3"]);
    assert_eq!(problems(folder.path(), "v1.2.3"), "none");
}

#[test]
fn a_tag_of_another_form_is_refused() {
    for tag in ["1.2.3", "v1.2", "v1.2.3-rc1", "v1..3", "--all", ""] {
        let said = problems(Path::new("/nowhere"), tag);
        assert_eq!(said, format!("the tag of a release is `v` and three numbers, as in v0.1.0, not `{tag}`"));
    }
}

#[test]
fn every_place_with_another_number_is_named() {
    let folder = ready();
    let said = problems(folder.path(), "v1.2.4");
    let lines: Vec<&str> = said.lines().skip(1).map(str::trim).collect();
    let places = [
        "Cargo.toml",
        "Cargo.toml, dependency vitalwire",
        "bindings/kotlin/pom.xml",
        "bindings/kotlin/testing/pom.xml",
        "bindings/kotlin/serialization/pom.xml",
        "bindings/kotlin/README.md",
        "bindings/c/CMakeLists.txt",
        "bindings/c/README.md",
        "bindings/python/pyproject.toml",
        "bindings/python/pyproject.toml",
        "bindings/python/sandbox/pyproject.toml",
        "CHANGELOG.md, newest heading",
    ];
    assert_eq!(lines, places.map(|place| format!("{place}: `1.2.3` where the tag says `1.2.4`")));
}

#[test]
fn changes_of_no_version_are_not_released() {
    let folder = ready();
    write(folder.path(), "CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 1.2.3\n");
    commit(folder.path());
    merge(folder.path());
    let said = problems(folder.path(), "v1.2.3");
    assert_eq!(said, "v1.2.3 is not ready to be released:\n  CHANGELOG.md, newest heading: `Unreleased` where the tag says `1.2.3`");
}

#[test]
fn a_commit_off_main_is_not_released() {
    let folder = ready();
    write(folder.path(), "more", "1");
    commit(folder.path());
    assert!(
        problems(folder.path(), "v1.2.3").ends_with("released:\n  the commit is not on origin/main: merge it first, or git fetch origin")
    );
    // An older commit of main is on main.
    merge(folder.path());
    run(folder.path(), &["checkout", "--quiet", "HEAD~1"]);
    assert_eq!(problems(folder.path(), "v1.2.3"), "none");
}

#[test]
fn where_main_is_unknown_it_says_how_to_get_it() {
    let folder = ready();
    run(folder.path(), &["update-ref", "-d", "refs/remotes/origin/main"]);
    assert!(problems(folder.path(), "v1.2.3").contains("\n  origin/main is not known here: git fetch origin ("));
}

#[test]
fn a_tag_elsewhere_and_changed_files_are_found() {
    let folder = ready();
    run(folder.path(), &["tag", "v1.2.3"]);
    write(folder.path(), "more", "1");
    commit(folder.path());
    merge(folder.path());
    write(folder.path(), "more", "2");
    let said = problems(folder.path(), "v1.2.3");
    let lines: Vec<&str> = said.lines().map(str::trim).collect();
    assert_eq!(lines[1], "files differ from the commit: commit them, or put them aside");
    assert!(lines[2].starts_with("the tag is at ") && lines[2].ends_with(": git checkout v1.2.3"), "{said}");
    assert_eq!(lines.len(), 3);
}

#[test]
fn a_folder_without_git_is_told() {
    let folder = ready();
    std::fs::remove_dir_all(folder.path().join(".git")).unwrap();
    assert!(problems(folder.path(), "v1.2.3").contains(" is no git checkout with a commit: "));
}
