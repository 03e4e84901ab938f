//! Schemathesis tests a sandbox against the specifications: valid and invalid requests, every status and every body. The requests are the
//! same in every run.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;

use anyhow::Context as _;
use serde_json::Value;

use crate::pypi::{self, environment};
use crate::steps::{Context, Count, Outcome, Sandbox, run_and_show};

/// Configuration of Schemathesis, with a reason for each disabled check.
const CONFIGURATION: &str = "crates/vitalwire-sandbox/tests/schemathesis/schemathesis.toml";

/// Examples per operation in a run of less than a minute.
const FEW: &str = "12";
/// Examples per operation in a run of less than three minutes.
const MANY: &str = "60";

/// Runs Schemathesis on both services.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    run_with_examples(context, FEW)
}

/// Runs Schemathesis with more examples.
pub(super) fn deep(context: &Context) -> anyhow::Result<Outcome> {
    run_with_examples(context, MANY)
}

fn run_with_examples(context: &Context, examples: &str) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let tools = environment(&context.root, &context.target, "schemathesis")?;
    let folder = context.target.join("schemathesis");
    std::fs::create_dir_all(&folder)?;
    let sources = vitalwire_spec::load(&context.root, &[]).map_err(|findings| anyhow::anyhow!("{findings}"))?;
    // Use a separate sandbox, because the requests delete records and connect providers.
    let sandbox = Sandbox::start(&context.root)?;
    let variables = Variables::from_sandbox(&sandbox)?;
    let mut count = Count::default();
    for spec in &sources.specs {
        let document = folder.join(format!("{}.json", spec.service));
        std::fs::write(&document, serde_json::to_vec(&spec.document)?)?;
        let (base, token) = if spec.service == "care" { ("CARE_BASE_URL", "CARE_TOKEN") } else { ("BASE_URL", "TOKEN") };
        let mut command = Command::new(tools.join("bin/st"));
        command.current_dir(&folder).envs(variables.0.iter().cloned()).env("VITALWIRE_TOKEN", variables.get(token)?);
        command.arg("--config-file").arg(context.root.join(CONFIGURATION)).args(["--no-color", "run"]).arg(&document);
        command.args(["--url", variables.get(base)?, "--max-examples", examples]);
        for id in documented_only(&spec.document, variables.get(base)?, variables.get(token)?)? {
            crate::print_line(&format!("{id}: skipped, the sandbox has no handler"));
            command.args(["--exclude-operation-id", &id]);
        }
        let printed = run_and_show(&mut command)?;
        let mut found = Count::schemathesis(&printed.output);
        found.failed = found.failed.max(usize::from(!printed.success));
        count += found;
    }
    sandbox.stop()?;
    Ok(Outcome::Ran(count))
}

/// Environment variables of the configuration.
struct Variables(Vec<(String, String)>);

impl Variables {
    fn from_sandbox(sandbox: &Sandbox) -> anyhow::Result<Self> {
        let mut all = Self(sandbox.environment().map(|(name, value)| (name.to_owned(), value)).collect());
        for (name, path) in [("VITALWIRE_MEAL_ID", "/v3/nutrition_records"), ("VITALWIRE_REPORT_ID", "/v3/lab_reports")] {
            let id = last_id(all.get("BASE_URL")?, path, all.get("TOKEN")?)?;
            all.0.push((name.to_owned(), id));
        }
        Ok(all)
    }

    fn get(&self, name: &str) -> anyhow::Result<&str> {
        let found = self.0.iter().find(|(known, _)| known.strip_prefix("VITALWIRE_") == Some(name));
        found.map(|(_, value)| value.as_str()).with_context(|| format!("the sandbox does not print its {name}"))
    }
}

/// Returns the operations for which the sandbox has only an example and responds with 501.
fn documented_only(document: &Value, base: &str, token: &str) -> anyhow::Result<Vec<String>> {
    let mut ids = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let Some(id) = operation["operationId"].as_str() else { continue };
            // No record has this id, so the request changes nothing.
            let path = path.replace('{', "%7B").replace('}', "%7D");
            if request(&method.to_uppercase(), base, &path, token)?.split(' ').nth(1) == Some("501") {
                ids.push(id.to_owned());
            }
        }
    }
    Ok(ids)
}

/// Returns the response to a request without a body.
fn request(method: &str, base: &str, path: &str, token: &str) -> anyhow::Result<String> {
    let base = base.strip_prefix("http://").context("the base URL must begin with http://")?;
    let (address, before) = base.split_at(base.find('/').unwrap_or(base.len()));
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "{method} {before}{path} HTTP/1.0\r\nhost: {address}\r\nauthorization: Bearer {token}\r\ncontent-length: 0\r\n\r\n")?;
    let mut response = String::new();
    stream.read_to_string(&mut response)?;
    Ok(response)
}

/// Returns the id of the last record in a list.
fn last_id(base: &str, path: &str, token: &str) -> anyhow::Result<String> {
    let response = request("GET", base, path, token)?;
    let (_, body) = response.split_once("\r\n\r\n").context("the response has no end of headers")?;
    let list: Value = serde_json::from_str(body)?;
    let id = list.as_array().and_then(|list| list.last()?["record_id"].as_str());
    id.map(str::to_owned).with_context(|| format!("{path} must list a record"))
}
