//! Checks of the specifications with third-party tools. An overlay tool must create the same documents as ours. A validator and a linter
//! check the resolved specifications. A client generator makes a client that has every field and calls a sandbox. The specifications must
//! explain every place in a conformance case with an unknown field or value.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;

use crate::process::has;
use crate::steps::{Context, Count, Outcome, Sandbox, run_and_show};
use crate::{judge, npm, pypi, redocly};

use vitalwire_spec::Sources;

/// npm package of the overlay tool.
const OVERLAYS: &str = "openapi-overlays-js@0.2.0";
/// The linter's rules.
const RULES: &str = "tests/contract/redocly.yaml";
const CLIENT_CHECK: &str = "tests/contract/foreign_client.py";
/// Compares the places in conformance cases with the resolved specifications.
const PLACES: &str = "tests/contract/places.py";

/// Counts each file once per tool.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    if !has("npm") || !has("node") {
        return Ok(Outcome::Missing("no npm with node; on Debian: apt install npm".to_owned()));
    }
    let tools = pypi::environment(&context.root, &context.target, "contract")?.join("bin");
    let overlayjs = overlayjs(context)?;
    let sources = vitalwire_spec::load(&context.root, &[]).map_err(|findings| anyhow::anyhow!("{findings}"))?;
    let ir = serde_json::to_vec(&vitalwire_codegen::read::build(&sources).map_err(|findings| anyhow::anyhow!("{findings}"))?)?;
    let sandbox = Sandbox::start(&context.root)?;
    let mut count = Count::default();
    for spec in &sources.specs {
        let name = spec.path.rsplit('/').next().unwrap_or(spec.path);
        let file = context.root.join("openapi/resolved").join(name);
        count += Count::from_check(run_and_show(Command::new(tools.join("openapi-spec-validator")).arg(&file))?.success);
        let mut lint = redocly::command(&context.target)?;
        count += Count::from_check(run_and_show(lint.arg("lint").arg(&file).arg("--config").arg(context.root.join(RULES)))?.success);
        let client = context.target.join("contract").join(format!("{}_client", spec.service));
        count += Count::from_check(
            generate_client(&tools, &file, &client)? && check_client(context, &tools, spec.service, &client, &ir, &sandbox)?,
        );
    }
    sandbox.stop()?;
    count += Count::from_check(compare_overlays(context, &overlayjs, &sources)?);
    count += Count::from_check(compare_places(context, &tools)?);
    Ok(Outcome::Ran(count))
}

/// Compares the places in conformance cases with the specifications.
fn compare_places(context: &Context, tools: &Path) -> anyhow::Result<bool> {
    let cases = context.target.join("contract/cases.json");
    let output = Command::new(judge::program(&context.root)?).arg("--root").arg(&context.root).arg("cases").output()?;
    anyhow::ensure!(output.status.success(), "the cases cannot be read:\n{}", String::from_utf8_lossy(&output.stderr));
    std::fs::write(&cases, output.stdout)?;
    Ok(run_and_show(Command::new(tools.join("python")).arg(context.root.join(PLACES)).arg(&context.root).arg(cases))?.success)
}

/// Installs the tools, if possible.
///
/// # Errors
/// If pip or npm fails.
pub(super) fn download(context: &Context) -> anyhow::Result<()> {
    pypi::environment(&context.root, &context.target, "contract")?;
    if has("npm") && has("node") { redocly::command(&context.target).and_then(|_| overlayjs(context)).map(drop) } else { Ok(()) }
}

fn overlayjs(context: &Context) -> anyhow::Result<PathBuf> {
    npm::program(&context.target.join("npm"), OVERLAYS, "overlayjs")
}

/// Applies our overlays with a third-party tool. Returns whether its documents equal ours.
fn compare_overlays(context: &Context, overlayjs: &Path, sources: &Sources) -> anyhow::Result<bool> {
    let folder = context.target.join("contract");
    let mut texts = Vec::new();
    for spec in &sources.specs {
        let name = spec.path.rsplit('/').next().unwrap_or(spec.path);
        let ours = sources.overlays.iter().filter(|(path, _)| path.ends_with(&format!(".{name}")));
        let mut document = context.root.join(spec.path);
        for (number, (overlay, _)) in ours.enumerate() {
            let mut tool = Command::new(overlayjs);
            let applied = tool.arg("--openapi").arg(&document).arg("--overlay").arg(context.root.join(overlay)).output()?;
            // Check standard error too, because the tool continues after errors.
            if !applied.status.success() || !applied.stderr.is_empty() {
                crate::print_line(&format!("{overlay}: {OVERLAYS} says {}", String::from_utf8_lossy(&applied.stderr)));
                return Ok(false);
            }
            document = folder.join(format!("{number}.{name}"));
            std::fs::write(&document, applied.stdout)?;
        }
        texts.push(std::fs::read_to_string(&document)?);
    }
    let texts = texts.try_into().ok().context("there must be one document per service")?;
    let theirs = vitalwire_spec::from_texts(texts, Vec::new()).map_err(|findings| anyhow::anyhow!("{findings}"))?;
    let differing: Vec<&str> =
        sources.specs.iter().zip(&theirs.specs).filter(|(our, their)| our.document != their.document).map(|(our, _)| our.path).collect();
    crate::print_line(&format!(
        "{OVERLAYS} wrote {} documents, {} of them different from ours: {}",
        theirs.specs.len(),
        differing.len(),
        differing.join(", ")
    ));
    Ok(differing.is_empty())
}

fn generate_client(tools: &Path, file: &Path, client: &PathBuf) -> anyhow::Result<bool> {
    std::fs::create_dir_all(client.parent().context("the client has no folder")?)?;
    let mut generator = Command::new(tools.join("openapi-python-client"));
    // The generator's formatter is installed with it and must be on PATH.
    let path = std::env::var_os("PATH").unwrap_or_default();
    generator.env("PATH", std::env::join_paths(std::iter::once(tools.to_path_buf()).chain(std::env::split_paths(&path)))?);
    generator
        .args(["generate", "--meta", "none", "--overwrite", "--fail-on-warning"])
        .arg("--path")
        .arg(file)
        .arg("--output-path")
        .arg(client);
    Ok(run_and_show(&mut generator)?.success)
}

/// Counts the client's fields and calls the sandbox with it.
fn check_client(context: &Context, tools: &Path, service: &str, client: &Path, ir: &[u8], sandbox: &Sandbox) -> anyhow::Result<bool> {
    let mut foreign = Command::new(tools.join("python"));
    foreign.arg(context.root.join(CLIENT_CHECK)).arg(service).arg(client).envs(sandbox.environment()).stdin(Stdio::piped());
    let mut foreign = foreign.spawn().context("python cannot be started")?;
    foreign.stdin.take().context("python has no input")?.write_all(ir)?;
    Ok(foreign.wait()?.success())
}
