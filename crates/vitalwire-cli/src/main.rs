#![forbid(unsafe_code)]
//! The program `vitalwire`: `vitalwire demo` walks the whole service with synthetic people, `vitalwire sandbox` serves them.

mod cli;
mod commands;
mod failure;
mod output;
mod render;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return failure::usage(&error),
    };
    cli.color.apply();
    match commands::run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
