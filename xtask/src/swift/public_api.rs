//! The public API of the modules that applications import, which swift-api-digester compares.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use serde_json::Value;

use super::layout::{FOLDER, MODULE};
use super::products::products;
use super::toolchain::{Toolchain, missing};
use crate::folder;
use crate::process::execute;
use crate::public_api::{Change, Checkouts, PublicApi};

pub(super) const PUBLIC_API: PublicApi = PublicApi { name: "Swift", compiles: true, missing, changes };

/// Module of generated code that the products import.
const LOWER_MODULE: &str = "VitalwireFFI";

/// Script that compiles the interfaces of the modules, without function bodies, and dumps the interfaces of the products. The digester is
/// in the folder of the compiler, which need not be on PATH.
const DUMP: &str = r#"set -euo pipefail
out=$1 c=$2 lower=$3
shift 3
emit() {
  find "Sources/$1" -name '*.swift' -print0 | xargs -0 swiftc -emit-module -module-name "$1" -swift-version "$2" -parse-as-library \
    -package-name vitalwire -suppress-warnings -Xfrontend -experimental-skip-all-function-bodies -I "Sources/$c" -I "$out" \
    -emit-module-path "$out/$1.swiftmodule"
}
emit "$lower" 5
for module; do
  emit "$module" 6
  "$(dirname "$(readlink -f "$(command -v swift)")")/swift-api-digester" -dump-sdk -module "$module" -I "Sources/$c" -I "$out" \
    -avoid-location -avoid-tool-args -o "$out/$module.json"
done"#;

/// Script that compares two dumps.
const DIAGNOSE: &str = r#"exec "$(dirname "$(readlink -f "$(command -v swift)")")/swift-api-digester" -diagnose-sdk \
  -input-paths "$1" -input-paths "$2""#;

fn changes(checkouts: &Checkouts) -> anyhow::Result<Vec<Change>> {
    let (before, after) = (dump(checkouts, checkouts.before, "before")?, dump(checkouts, checkouts.after, "after")?);
    let (old, new) = (products(checkouts.before)?, products(checkouts.after)?);
    let removed = old.iter().filter(|module| !new.contains(module));
    let mut changes: Vec<Change> = removed.map(|module| Change::breaking(format!("{module} was removed"))).collect();
    for module in new {
        let [old_dump, new_dump] = [&before, &after].map(|folder| folder.join(&module).with_extension("json"));
        if !old.contains(&module) {
            changes.push(Change::addition(module));
            continue;
        }
        let mut diagnose = command(checkouts, checkouts.after);
        diagnose.args(["bash", "-c", DIAGNOSE, "diagnose"]).args([&old_dump, &new_dump]);
        changes.extend(breaking(&execute(&mut diagnose)?));
        changes.extend(additions(&names(&read(&old_dump)?), &names(&read(&new_dump)?)));
    }
    Ok(changes)
}

/// Dumps the products of a checkout into a folder, and returns the folder.
fn dump(checkouts: &Checkouts, root: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let out = checkouts.work.join("swift").join(name);
    folder::remove(&out)?;
    std::fs::create_dir_all(&out)?;
    let mut swift = command(checkouts, root);
    swift.args(["bash", "-c", DUMP, "dump"]).arg(&out).args([MODULE, LOWER_MODULE]).args(products(root)?);
    execute(&mut swift)?;
    Ok(out)
}

/// Returns a command of Swift in the package of a checkout.
fn command(checkouts: &Checkouts, root: &Path) -> Command {
    let mut command = Toolchain::Stable.command(checkouts.after);
    command.current_dir(root.join(FOLDER)).env("VITALWIRE_SWIFT_BINDS", checkouts.work);
    command
}

fn read(dump: &Path) -> anyhow::Result<Value> {
    Ok(serde_json::from_str(&std::fs::read_to_string(dump).with_context(|| format!("reading {}", dump.display()))?)?)
}

/// Parses the differences that the digester prints below headings in comments. The digester reports no additions.
fn breaking(printed: &str) -> impl Iterator<Item = Change> {
    printed.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("/*")).map(Change::breaking)
}

/// Returns the declarations that only the second dump has.
fn additions(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<Change> {
    new.iter().filter(|(id, _)| !old.contains_key(*id)).map(|(_, name)| Change::addition(name)).collect()
}

/// Returns the declarations in a dump by their mangled names, because overloads have the same plain name.
fn names(dump: &Value) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    collect(&dump["ABIRoot"], "", &mut names);
    names
}

fn collect(parent: &Value, path: &str, names: &mut BTreeMap<String, String>) {
    for child in parent["children"].as_array().into_iter().flatten() {
        if let (Some(name), Some(id)) = (child["printedName"].as_str(), child["usr"].as_str().filter(|_| child["kind"] != "TypeNominal")) {
            let name = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            collect(child, &name, names);
            names.insert(id.to_owned(), name);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn headings_are_not_differences() {
        let printed = "\n/* Removed Decls */\nVar A.b has been removed\n\n/* Renamed Decls */\n";
        assert_eq!(breaking(printed).collect::<Vec<_>>(), [Change::breaking("Var A.b has been removed")]);
    }

    #[test]
    fn new_declarations_are_additions() {
        let dump = |names: &[&str]| {
            let function = |name: &&str| json!({ "kind": "Function", "printedName": name, "usr": format!("s:{name}") });
            let result = json!({ "kind": "TypeNominal", "printedName": "Swift.Int", "usr": "s:Si" });
            let mut children: Vec<Value> = names.iter().map(function).collect();
            children.push(result);
            json!({ "ABIRoot": { "children": [{ "kind": "TypeDecl", "printedName": "A", "usr": "s:A", "children": children }] } })
        };
        let (old, new) = (names(&dump(&["a()"])), names(&dump(&["a()", "b(of:)"])));
        assert_eq!(additions(&old, &new), [Change::addition("A.b(of:)")]);
        assert_eq!(additions(&new, &new), []);
    }
}
