//! An integrator's own client: a crate written by `codegen --overlay --out`, in a separate program that calls the sandbox.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::codegen::Codegen;
use crate::folder;
use crate::steps::{Context, Count, Outcome, Sandbox, run_and_show};

/// The overlay of `openapi/README.md`, with other providers and without deprecated metrics, and one with header parameters.
const OVERLAYS: [&str; 2] =
    ["crates/vitalwire-codegen/tests/fixtures/overlays/own-service.yaml", "crates/vitalwire-codegen/tests/fixtures/overlays/headers.yaml"];

const MANIFEST: &str = r#"[package]
name = "stranger"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
own-health = { path = "../client" }
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
"#;

/// Calls the sandbox, uses only the overlay's providers, and sends header parameters to its own server.
const PROGRAM: &str = r#"use std::io::{Read, Write};
use std::net::TcpListener;

use own_health::open_sets::ProviderSlug;
use own_health::value::OpenSet;
use own_health::{Client, ErrorKind};

/// Responds to one request and returns its head.
fn head(listener: &TcpListener) -> String {
    let (mut stream, _) = listener.accept().unwrap();
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() > 0 {
        head.push(byte[0]);
    }
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}").unwrap();
    String::from_utf8(head).unwrap().to_lowercase()
}

#[tokio::main]
async fn main() -> Result<(), own_health::Error> {
    let client = Client::from_env()?;
    let user = client.user().info().await?;
    let providers = client.user().properties().await?;
    assert_eq!(ProviderSlug::KNOWN, ["acme_ring", "acme_scale"]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let client = Client::builder().base_url(url).token("t").no_proxy().build()?;
    let server = std::thread::spawn(move || [head(&listener), head(&listener)]);
    client.user().info().x_clinic("clinic-7").x_sample_seconds(5).await?;
    client.user().info().await?;
    let [given, absent] = server.join().unwrap();
    assert!(given.contains("\r\nx-clinic: clinic-7\r\n") && given.contains("\r\nx-sample-seconds: 5\r\n"), "{given}");
    assert!(!absent.contains("\r\nx-"), "{absent}");
    // Invalid header values and values below the minimum are rejected before a request is sent.
    for call in [client.user().info().x_clinic("a\nb"), client.user().info().x_sample_seconds(0)] {
        assert_eq!(call.await.unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    println!("{} {}", user.metadata().status, providers.metadata().status);
    Ok(())
}
"#;

/// Writes the crate, builds the program with it, and calls a sandbox.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let folder = context.target.join("own-client");
    folder::remove(&folder)?;
    let client = folder.join("client");
    Codegen::for_overlay("own-health", OVERLAYS.map(PathBuf::from).to_vec(), &client).run(&context.root)?;
    let user = folder.join("stranger");
    write_file(&user.join("Cargo.toml"), MANIFEST)?;
    write_file(&user.join("src/main.rs"), PROGRAM)?;
    fs::copy(context.root.join("Cargo.lock"), user.join("Cargo.lock"))?;
    let sandbox = Sandbox::start(&context.root)?;
    let mut program = context.cargo();
    program.current_dir(&user).args(["run", "--quiet"]).env("CARGO_TARGET_DIR", context.target.join("own-client-target"));
    program.envs(sandbox.environment());
    let printed = run_and_show(&mut program)?;
    sandbox.stop()?;
    Ok(Outcome::Ran(Count::from_check(printed.success && printed.output.contains("200 200"))))
}

fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::create_dir_all(path.parent().context("the file has no folder")?)?;
    fs::write(path, text)?;
    Ok(())
}
