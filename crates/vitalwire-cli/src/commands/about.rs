//! `vitalwire completions` and `vitalwire man`: what a shell and `man` want to know of the command line, made from its definition.
//! `vitalwire licenses`: what is linked into the program.

use std::io;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::output::{Destination, Output};

/// The program's name, as it is called.
const NAME: &str = "vitalwire";

/// What is linked in and its licences; `cargo xtask notices` writes it.
const NOTICES: &str = include_str!("../../THIRD-PARTY-NOTICES.txt");

/// One of our own licences; the text of the other is among the notices.
const MIT: &str = include_str!("../../LICENSE-MIT");

/// Prints a shell's completions.
pub(crate) fn completions(shell: Shell, destination: &Destination) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), NAME, &mut script);
    print(&script, destination)
}

/// Prints the program's page, or writes it and those of all its commands into a directory.
pub(crate) fn man(directory: Option<&Path>, destination: &Destination) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::Local("the pages cannot be written", Some(error));
    if let Some(directory) = directory {
        return clap_mangen::generate_to(Cli::command(), directory).map_err(failed);
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page).map_err(failed)?;
    print(&page, destination)
}

/// Prints the licences of the program, then the notices of what is linked into it.
pub(crate) fn licenses(destination: &Destination) -> Result<(), Failure> {
    let mut out = Output::to(destination)?;
    out.line(MIT)?;
    out.line(NOTICES.trim_end())?;
    out.finish()
}

fn print(text: &[u8], destination: &Destination) -> Result<(), Failure> {
    let mut out = Output::to(destination)?;
    out.line(String::from_utf8_lossy(text).trim_end())?;
    out.finish()
}
