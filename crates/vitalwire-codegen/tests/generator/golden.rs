//! What small specifications become: compared with committed files, and compiled.
//!
//! `VITALWIRE_BLESS=1 cargo test -p vitalwire-codegen golden` writes the committed files anew; their difference is then read in review.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use vitalwire_codegen::emit;
use vitalwire_codegen::emit::package::Package;

use super::{build, core_files, fixture, read, root, workspace};

/// Where generated files are.
const GENERATED: &str = "crates/vitalwire/src/generated/";

/// A fixture, and the generated files that show its point.
const CASES: &[(&str, &[&str])] = &[
    ("body", &["operations/things.rs", "http/health/things.rs"]),
    ("header", &["http/health/things.rs", "operations/things.rs"]),
    ("list-answer", &["http/health/things.rs", "resources/things.rs"]),
    ("model", &["models/thing.rs", "names.rs"]),
    ("number-map", &["models/maps.rs", "open_sets/metric_name.rs"]),
    ("open-set", &["open_sets/colour.rs"]),
    ("range", &["operations/things.rs"]),
    ("table", &["tables.rs"]),
    ("query-list", &["operations/things.rs", "http/health/things.rs", "meta.rs"]),
];

#[test]
fn golden_files() {
    let bless = std::env::var_os("VITALWIRE_BLESS").is_some();
    for (name, shown) in CASES {
        let workspace = workspace(&read(&format!("golden/{name}/health.yaml")), &[]);
        let files = core_files(workspace.path());
        for path in *shown {
            let file = files.iter().find(|file| file.path.strip_prefix(GENERATED) == Some(*path));
            let text = &file.unwrap_or_else(|| panic!("{name}: {path} is not generated")).text;
            // A name without `.rs`: rustfmt and cargo leave these files alone.
            let golden = fixture(&format!("golden/{name}/{}.txt", path.replace('/', ".")));
            if bless {
                fs::write(&golden, text).unwrap();
                continue;
            }
            let committed = fs::read_to_string(&golden).unwrap_or_default();
            let diff = similar::TextDiff::from_lines(&committed, text).unified_diff().header("committed", "generated").to_string();
            assert!(diff.is_empty(), "{} differs; if it should, run the test with VITALWIRE_BLESS=1\n{diff}", golden.display());
        }
        let known: BTreeSet<String> =
            shown.iter().map(|path| format!("{}.txt", path.replace('/', "."))).chain(["health.yaml".to_owned()]).collect();
        let there: BTreeSet<String> = fs::read_dir(fixture(&format!("golden/{name}")))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(there, known, "{name}");
    }
}

/// A crate on the engine compiles, of the obstacle course as of every golden fixture.
///
/// Its folder stays in the target folder, so that the engine is built once.
#[test]
fn generated_code_compiles() {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder)).join("golden");
    let folder = target.join("package");
    let package = Package { name: "golden".to_owned(), wrappers: Vec::new() };
    // cargo takes from the lock what this crate does not need, so the original is kept beside it to see changes.
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    if fs::read_to_string(target.join("original.lock")).is_ok_and(|original| original != lock) || !folder.join("Cargo.lock").exists() {
        put(&folder.join("Cargo.lock"), &lock);
    }
    put(&target.join("original.lock"), &lock);
    let golden = CASES.iter().map(|(name, _)| format!("golden/{name}/health.yaml"));
    for specification in golden.chain(["obstacles/health.yaml".to_owned()]) {
        let workspace = workspace(&read(&specification), &[]);
        let (sources, ir) = build(workspace.path()).unwrap_or_else(|findings| panic!("{findings}"));
        let files = emit::package::emit(&ir, &sources, root(), &package).unwrap();
        for file in &files {
            put(&folder.join(&file.path), &file.text);
        }
        for path in files_below(&folder.join("src")) {
            if !files.iter().any(|file| folder.join(&file.path) == path) {
                fs::remove_file(path).unwrap();
            }
        }
        let output = Command::new(env!("CARGO"))
            .current_dir(&folder)
            .args(["check", "--offline", "--quiet", "--features", "blocking"])
            .env("CARGO_TARGET_DIR", &target)
            .output()
            .unwrap();
        assert!(output.status.success(), "{specification} gives code that does not compile:\n{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Writes a file unless it says the same already: an unchanged file is not compiled again.
fn put(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}
