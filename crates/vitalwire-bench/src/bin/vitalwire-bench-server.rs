//! Serves the payloads to benchmarks in other languages. Writes them to files, prints one line of JSON with the base URLs, and answers
//! requests over loopback until standard input ends. `pieces_url` is the base URL of a server that sends a body in pieces.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use bytes::Bytes;
use clap::Parser;
use vitalwire_bench::measure::{pieces, server};
use vitalwire_bench::payload::{self, Unknown};

#[derive(Debug, Parser)]
struct Options {
    /// Folder for the payloads, each written as `NAME.json`.
    #[arg(long, value_name = "FOLDER")]
    payloads: PathBuf,
}

/// Returns each payload with its name and path.
fn payloads() -> [(&'static str, &'static str, Vec<u8>); 8] {
    let none = Unknown::None;
    [
        ("daily", "/v3/queries/statistics/daily", payload::daily(none)),
        ("interval", "/v3/queries/statistics/interval", payload::interval(none)),
        ("sleep", "/v3/queries/sleeps/00000000-0000-4000-8000-000000000001", payload::sleep(none)),
        ("sleep_small", "/v3/queries/sleeps/00000000-0000-4000-8000-000000000002", payload::sleep_small(none)),
        ("sleep_long", "/v3/queries/sleeps/00000000-0000-4000-8000-000000000003", payload::sleep_long(none)),
        ("labs", "/v3/lab_reports", payload::labs(none)),
        ("nutrition", "/v3/nutrition_records", payload::nutrition(none)),
        ("userinfo", "/v3/userinfo", payload::user_info()),
    ]
}

fn main() -> Result<()> {
    let options = Options::parse();
    std::fs::create_dir_all(&options.payloads).context("no folder for the payloads")?;
    let mut bodies = HashMap::new();
    for (name, path, body) in payloads() {
        std::fs::write(options.payloads.join(format!("{name}.json")), &body).with_context(|| format!("cannot write {name}.json"))?;
        bodies.insert(path, Bytes::from(body));
    }
    let address = server::start_with(Arc::new(move |path| bodies.get(path).cloned()), None)?;
    let in_pieces = pieces::start_server()?;
    let urls = serde_json::json!({ "base_url": format!("http://{address}"), "pieces_url": format!("http://{in_pieces}/0") });
    writeln!(std::io::stdout(), "{urls}")?;
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
