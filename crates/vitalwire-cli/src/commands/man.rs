//! `vitalwire man`: manual pages, generated from the definition of the command line.

use std::fs;
use std::io;
use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::cli::{Cli, examples};
use crate::environment::{FILES, VARIABLES};
use crate::failure::{Failure, exit_codes};
use crate::output::Destination;
use crate::render::style::clean_path;

/// Prints the page of the program, or writes one page per command into a directory.
pub(crate) fn run(directory: Option<&Path>, destination: &Destination) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::Local("the pages cannot be written", Some(error));
    let mut program = Cli::definition().disable_help_subcommand(true);
    program.build();
    match directory {
        Some(directory) => fs::create_dir_all(directory).and_then(|()| write_pages(program, "", directory)).map_err(|error| {
            let text = format!("the pages cannot be written to {}: {error}", clean_path(directory));
            Failure::File(text, "name another folder".to_owned())
        }),
        None => super::session::write(String::from_utf8_lossy(&page(program, "").map_err(failed)?).trim_end(), destination),
    }
}

fn write_pages(command: Command, path: &str, directory: &Path) -> io::Result<()> {
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        let path = if path.is_empty() { subcommand.get_name().to_owned() } else { format!("{path} {}", subcommand.get_name()) };
        write_pages(subcommand.clone(), &path, directory)?;
    }
    let name = Man::new(command.clone()).get_filename();
    fs::write(directory.join(name), page(command, path)?)
}

/// Renders a page. Exit codes, variables and files are on the page of the program, which the other pages refer to.
fn page(command: Command, path: &str) -> io::Result<Vec<u8>> {
    let has_commands = command.get_subcommands().any(|command| !command.is_hide_set());
    let page = Man::new(command);
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    if has_commands {
        page.render_subcommands_section(&mut text)?;
    }
    let mut more = Roff::new();
    more.control("SH", ["EXAMPLES"]);
    add_preformatted(&mut more, examples(path));
    if path.is_empty() {
        more.control("SH", ["ENVIRONMENT"]);
        VARIABLES.iter().for_each(|(name, meaning)| add_definition(&mut more, name, meaning));
        more.control("SH", ["FILES"]);
        FILES.iter().for_each(|(name, meaning)| add_definition(&mut more, name, meaning));
        more.control("SH", ["EXIT STATUS"]);
        add_preformatted(&mut more, exit_codes().lines().skip(1).map(str::trim_start));
    } else {
        more.control("SH", ["SEE ALSO"]);
        more.text([roman("vitalwire(1) lists environment variables, files and exit codes.")]);
    }
    more.to_writer(&mut text)?;
    Ok(text)
}

/// Adds lines without formatting.
fn add_preformatted<'a>(page: &mut Roff, lines: impl IntoIterator<Item = &'a str>) {
    page.control("nf", []);
    lines.into_iter().for_each(|line| {
        page.text([roman(line)]);
    });
    page.control("fi", []);
}

/// Adds a name with its description below it.
fn add_definition(page: &mut Roff, name: &str, meaning: &str) {
    page.control("TP", []);
    page.text([roman(name)]);
    page.text([roman(meaning)]);
}
