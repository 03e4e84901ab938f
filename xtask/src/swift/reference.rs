//! Reference pages of the modules that applications import, by DocC: all modules in one archive, with one search.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::layout::FOLDER;
use super::products::products;
use super::test_build::COMPILER;
use super::toolchain::{Toolchain, missing};
use crate::build::target;
use crate::folder;
use crate::language::Reference;
use crate::process::execute;

pub(super) const REFERENCE: Reference = Reference { name: "swift", missing: missing_tool, build: pages };

/// Script that runs DocC with its own arguments. DocC is beside the compiler, but need not be on PATH.
const DOCC: &str = "if command -v xcrun >/dev/null; then exec xcrun docc \"$@\"; fi
docc=$(command -v docc || echo \"$(dirname \"$(readlink -f \"$(command -v swift)\")\")/docc\")
exec \"$docc\" \"$@\"";

/// The symbol that exists only on Apple's systems.
const APPLE_ONLY: &str = "log(to:)";

/// Folder of the server in which DocC expects the pages. `relocatable` replaces this folder in links.
const BASE: &str = "vitalwire-reference";

fn missing_tool(root: &Path) -> anyhow::Result<Option<&'static str>> {
    if let Some(what) = missing(root)? {
        return Ok(Some(what));
    }
    let found = Toolchain::Stable.command(root).args(["bash", "-c", DOCC, "docc", "merge", "--help"]).output()?.status.success();
    Ok((!found).then_some(
        "the Swift toolchain has no DocC with `docc merge`; use Swift 6.0 or newer, or delete ~/.cache/vitalwire/swift and run this again",
    ))
}

fn pages(root: &Path, work: &Path) -> anyhow::Result<PathBuf> {
    let (modules, graphs) = (products(root)?, work.join("graphs"));
    fs::create_dir_all(&graphs)?;
    let mut archives: Vec<PathBuf> = Vec::new();
    for module in &modules {
        emit_symbol_graphs(root, work, module, &graphs)?;
        archives.push(convert(root, work, module, &graphs, archives.first())?);
    }
    let (merged, pages) = (work.join("merged"), work.join("pages"));
    execute(docc(root, work)?.arg("merge").args(&archives).arg("--output-path").arg(&merged))?;
    let mut transform = docc(root, work)?;
    transform.args(["process-archive", "transform-for-static-hosting", "--hosting-base-path", BASE]);
    execute(transform.arg(&merged).arg("--output-path").arg(&pages))?;
    for file in folder::files(&pages)?.iter().filter(|file| file.ends_with("index.html")) {
        let depth = file.strip_prefix(&pages)?.components().count() - 1;
        fs::write(file, relocatable(&fs::read_to_string(file)?, depth))?;
    }
    Ok(pages)
}

/// Compiles a module. The compiler writes the symbol graphs of the module and its dependencies.
fn emit_symbol_graphs(root: &Path, work: &Path, module: &str, graphs: &Path) -> anyhow::Result<()> {
    let mut swift = command(root)?;
    swift.args(["swift", "build", "--package-path"]).arg(root.join(FOLDER)).arg("--scratch-path").arg(work.join("build"));
    swift.args(["--target", module]);
    let graphs = graphs.to_str().context("the target folder's path is not UTF-8")?;
    let emit = ["-emit-symbol-graph", "-emit-symbol-graph-dir", graphs, "-symbol-graph-minimum-access-level", "public"];
    // `VitalwireTesting` extends types of `Vitalwire`, whose pages need symbols of extension blocks.
    let emit = emit.into_iter().chain(["-emit-extension-block-symbols"]);
    swift.args(COMPILER.into_iter().chain(emit).flat_map(|option| ["-Xswiftc", option]));
    execute(&mut swift).map(drop)
}

/// Converts a module's symbol graphs and articles into an archive. `first` is the archive of the module that the others extend.
///
/// # Errors
/// If a link or the markup of a comment or an article is invalid.
fn convert(root: &Path, work: &Path, module: &str, graphs: &Path, first: Option<&PathBuf>) -> anyhow::Result<PathBuf> {
    let own = work.join("modules").join(module);
    fs::create_dir_all(&own)?;
    for graph in folder::files(graphs)? {
        let name = folder::relative_name(&graph, graphs)?;
        if name.split(['@', '.']).next() == Some(module) {
            fs::copy(&graph, own.join(name))?;
        }
    }
    let mut convert = docc(root, work)?;
    convert.arg("convert");
    let articles = root.join(FOLDER).join("Sources").join(module).join(module).with_extension("docc");
    if articles.is_dir() {
        convert.arg(articles);
    }
    let (archive, found) = (work.join(module).with_extension("doccarchive"), work.join(module).with_extension("json"));
    convert.arg("--additional-symbol-graph-dir").arg(own).arg("--output-path").arg(&archive).arg("--diagnostics-file").arg(&found);
    convert.args(["--fallback-display-name", module, "--fallback-bundle-identifier", &format!("dev.vitalwire.{module}")]);
    // Without this option, an archive cannot be a dependency.
    convert.arg("--enable-experimental-external-link-support");
    if let Some(first) = first {
        convert.arg("--dependency").arg(first);
    }
    execute(&mut convert)?;
    let findings = findings(&serde_json::from_str(&fs::read_to_string(&found)?)?, &root.join(FOLDER));
    ensure!(findings.is_empty(), "DocC reports about {module}:\n{}", findings.join("\n"));
    Ok(archive)
}

/// Returns DocC's findings about our sources. Others are about modules without pages, such as the standard library.
fn findings(written: &Value, package: &Path) -> Vec<String> {
    let all = written["diagnostics"].as_array().into_iter().flatten();
    let ours = all.filter_map(|found| {
        let (source, text) = (found["source"].as_str()?, found["summary"].as_str()?);
        let file = source.split_once(package.to_str()?).map_or(source, |(_, file)| file.trim_start_matches('/'));
        Some(format!("{file}:{}: {text}", found["range"]["start"]["line"]))
    });
    ours.filter(|text| cfg!(target_vendor = "apple") || !text.contains(APPLE_ONLY)).collect()
}

/// Makes the links of a page relative, so that the site can be served from any folder. `depth` is the number of folders above the page.
fn relocatable(page: &str, depth: usize) -> String {
    let up = "../".repeat(depth);
    let page = page.replace(&format!("baseUrl = \"/{BASE}/\""), &format!("baseUrl = new URL(\"./{up}\", location.href).pathname"));
    page.replace(&format!("\"/{BASE}/"), &format!("\"./{up}"))
}

fn docc(root: &Path, work: &Path) -> anyhow::Result<Command> {
    let mut command = command(root)?;
    command.current_dir(work).args(["bash", "-c", DOCC, "docc"]);
    Ok(command)
}

fn command(root: &Path) -> anyhow::Result<Command> {
    let mut command = Toolchain::Stable.command(root);
    // The target folder may be outside the workspace, so with-swift must mount it.
    command.env("VITALWIRE_SWIFT_BINDS", target(root)?);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_page_has_no_absolute_links() {
        let page = "<link href=\"/vitalwire-reference/a.css\"><script>var baseUrl = \"/vitalwire-reference/\"</script>";
        let expected = "<link href=\"./../../a.css\"><script>var baseUrl = new URL(\"./../../\", location.href).pathname</script>";
        assert_eq!(relocatable(page, 2), expected);
        assert_eq!(relocatable("<link href=\"/vitalwire-reference/a.css\">", 0), "<link href=\"./a.css\">");
    }

    #[test]
    fn findings_about_our_sources_are_reported() {
        let found = |source: Value, text: &str| json!({ "source": source, "summary": text, "range": { "start": { "line": 7 } } });
        let written = json!({ "diagnostics": [
            found(json!("file:///w/bindings/swift/Sources/A.swift"), "'b' is ambiguous at '/A'"),
            found(Value::Null, "Symbol with identifier 's:SH' was referenced"),
        ] });
        assert_eq!(findings(&written, Path::new("/w/bindings/swift")), ["Sources/A.swift:7: 'b' is ambiguous at '/A'"]);
    }
}
