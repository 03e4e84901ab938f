#![forbid(unsafe_code)]
//! The program `vitalwire`: calls the service, demonstrates it with synthetic people (`demo`), and runs a local service (`sandbox`).

mod cli;
mod commands;
mod completion;
mod config;
mod days;
mod environment;
mod failure;
mod nearest;
mod output;
mod progress;
mod render;
mod screen;
mod shell;
mod view;

use std::process::ExitCode;

fn main() -> ExitCode {
    match completion::print_candidates() {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => return failure::report_usage(&error),
    }
    let cli = match cli::Cli::parse_arguments() {
        Ok(cli) => cli,
        Err(error) => return failure::report_usage(&error),
    };
    cli.apply_color();
    let error_style = cli.connection.error_style();
    match commands::run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(error_style),
    }
}
