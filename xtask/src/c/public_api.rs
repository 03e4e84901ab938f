//! The public API in the headers for C and C++, which libclang reads. A test compares the exported functions of the library with the
//! headers.

use std::path::Path;
use std::process::Command;

use anyhow::Context as _;

use crate::build::target;
use crate::process::{execute, has};
use crate::public_api::{self, Change, Checkouts, Name, Names, PublicApi};
use crate::pypi;

pub(super) const PUBLIC_API: PublicApi = PublicApi { name: "C and C++", compiles: false, missing, changes };

const FOLDER: &str = "bindings/c/include";
/// Headers that programs include, with options for libclang.
const HEADERS: [(&str, [&str; 2]); 2] = [("vitalwire.h", ["-xc", "-std=c11"]), ("vitalwire.hpp", ["-xc++", "-std=c++17"])];
/// Script that prints the names in a header.
const SCRIPT: &str = include_str!("public_api.py");

fn missing(_: &Path) -> anyhow::Result<Option<&'static str>> {
    let compiler = (!has("cc") || !has("c++")).then_some("a C++ compiler is missing; on Debian: apt install g++");
    Ok(compiler.or_else(pypi::missing))
}

fn changes(checkouts: &Checkouts) -> anyhow::Result<Vec<Change>> {
    let environment = pypi::environment(checkouts.after, &target(checkouts.after)?, "api")?;
    // The package of libclang lacks the headers of the compiler, such as stddef.h.
    let system = execute(Command::new("cc").arg("-print-file-name=include"))?;
    let mut changes = Vec::new();
    for (header, options) in HEADERS {
        let names = |root: &Path| {
            let mut python = Command::new(environment.join("bin/python"));
            python.args(["-I", "-c", SCRIPT]).arg(root.join(FOLDER)).arg(header).args(options).args(["-isystem", system.trim()]);
            parse(&execute(&mut python)?)
        };
        changes.extend(public_api::compare(&names(checkouts.before)?, &names(checkouts.after)?));
    }
    Ok(changes)
}

/// Parses lines of three columns: name, text, and the type that cannot gain this name.
fn parse(printed: &str) -> anyhow::Result<Names> {
    let mut names = Names::new();
    for line in printed.lines() {
        let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
        let [name, text, closed] = columns.try_into().ok().with_context(|| format!("a name must have three columns: `{line}`"))?;
        names.insert(name, Name { text, closed_type: Some(closed).filter(|closed| !closed.is_empty()) });
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A struct, an enum and a function, as the script prints them.
    const BEFORE: &str = "type s\t8 bytes, aligned to 8\t\ns::a\tint at bit 0\ttype s\ntype e\tenum of int\t\ne::A\t0\t\nf\tvoid (int)\t\n";

    fn changes(after: &str) -> Vec<Change> {
        public_api::compare(&parse(BEFORE).unwrap(), &parse(after).unwrap())
    }

    #[test]
    fn fields_break_and_constants_do_not() {
        assert_eq!(changes(BEFORE), []);
        assert_eq!(changes(&format!("{BEFORE}e::B\t1\t\n")), [Change::addition("e::B")]);
        assert_eq!(changes(&format!("{BEFORE}s::b\tint at bit 32\ttype s\n")), [Change::breaking("s::b was added to type s")]);
    }

    #[test]
    fn layouts_and_values_break() {
        let layout = changes(&BEFORE.replace("int at bit 0", "int at bit 32"));
        assert_eq!(layout, [Change::breaking("s::a was `int at bit 0` and is `int at bit 32`")]);
        assert_eq!(changes(&BEFORE.replace("e::A\t0", "e::A\t1")), [Change::breaking("e::A was `0` and is `1`")]);
        assert_eq!(changes(&BEFORE.replace("f\tvoid (int)\t\n", "")), [Change::breaking("f was removed")]);
    }

    #[test]
    fn lines_without_columns_are_errors() {
        assert!(parse("error").is_err());
    }
}
