//! `vitalwire completions` and `vitalwire licenses`, which print facts about the program itself.

use clap_complete::Shell;

use super::session::write;
use crate::completion;
use crate::failure::Failure;
use crate::output::Destination;

/// Licences of the dependencies, written by `cargo xtask notices`.
const NOTICES: &str = include_str!("../../THIRD-PARTY-NOTICES.txt");

/// One of the two licences of this project. The text of the other is among the notices.
const MIT: &str = include_str!("../../LICENSE-MIT");

pub(crate) fn completions(shell: Shell, destination: &Destination) -> Result<(), Failure> {
    let script =
        completion::registration_script(&shell.to_string()).map_err(|error| Failure::Local("the script cannot be written", Some(error)))?;
    write(String::from_utf8_lossy(&script).trim_end(), destination)
}

/// Prints the licences of the program, then the notices of the libraries linked into it.
pub(crate) fn licenses(destination: &Destination) -> Result<(), Failure> {
    write(&[MIT, NOTICES.trim_end()].join("\n"), destination)
}
