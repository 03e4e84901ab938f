//! The public API of the published libraries, which cargo-public-api prints from the JSON of rustdoc.

use std::path::{Path, PathBuf};

use super::reference::is_published_library;
use crate::cargo;
use crate::process::execute;
use crate::public_api::{self, Checkouts, Name, Names, PublicApi};

pub(super) const PUBLIC_API: PublicApi = PublicApi { name: "Rust", compiles: true, missing: |_| Ok(None), changes };

/// Version of cargo-public-api. Each version reads the JSON of certain Rust versions, so update it together with Rust.
const VERSION: &str = "0.52.0";

/// Beginnings of lines that declare a type. Programs match, construct or implement these types, so a new part breaks programs.
const CLOSED: [&str; 3] = ["pub enum ", "pub struct ", "pub trait "];
/// Attribute of types that may gain parts.
const OPEN: &str = "#[non_exhaustive] ";

fn changes(checkouts: &Checkouts) -> anyhow::Result<Vec<public_api::Change>> {
    let tool = install(checkouts)?;
    Ok(public_api::compare(&names(checkouts.before, checkouts.work, &tool)?, &names(checkouts.after, checkouts.work, &tool)?))
}

fn install(checkouts: &Checkouts) -> anyhow::Result<PathBuf> {
    let folder = checkouts.work.join("tools");
    crate::print_line(&format!("Rust: installing cargo-public-api {VERSION}, which takes minutes the first time"));
    let mut install = cargo::command();
    install.env_remove("RUSTC_WORKSPACE_WRAPPER").args(["install", "--quiet", "--locked", "--debug", "--root"]).arg(&folder);
    execute(install.arg(format!("cargo-public-api@{VERSION}")))?;
    Ok(folder.join("bin/cargo-public-api"))
}

fn names(root: &Path, work: &Path, tool: &Path) -> anyhow::Result<Names> {
    let members = cargo::members(root)?;
    let crates: Vec<&str> = members.iter().filter(|member| is_published_library(member)).map(|member| member.name.as_str()).collect();
    let mut rustdoc = cargo::command();
    rustdoc.current_dir(root).env_remove("RUSTC_WORKSPACE_WRAPPER").env("CARGO_TARGET_DIR", work.join("rust"));
    // The JSON of rustdoc is an unstable feature. Only this tool reads it.
    rustdoc.env("RUSTC_BOOTSTRAP", "1").env("RUSTDOCFLAGS", "-Zunstable-options --output-format json --cap-lints allow");
    rustdoc.args(["doc", "--lib", "--no-deps", "--all-features", "--locked"]);
    execute(rustdoc.args(crates.iter().flat_map(|name| ["--package", *name])))?;
    let mut names = Names::new();
    for name in crates {
        let description = work.join("rust/doc").join(name.replace('-', "_")).with_extension("json");
        let printed =
            execute(cargo::clean_command(tool).args(["public-api", "--omit", "blanket-impls", "--rustdoc-json"]).arg(description))?;
        names.append(&mut parse(&printed));
    }
    Ok(names)
}

/// Parses printed lines. The name of a type is its path. Other names are whole lines.
fn parse(printed: &str) -> Names {
    let mut names = Names::new();
    let declares_type = |line: &&str| CLOSED.iter().any(|start| line.trim_start_matches(OPEN).starts_with(start));
    for line in printed.lines().filter(declares_type) {
        names.insert(path(line).to_owned(), Name { text: line.to_owned(), closed_type: None });
    }
    for line in printed.lines().filter(|line| !declares_type(line)) {
        let closed_type = closed_type(line, &names);
        names.insert(line.to_owned(), Name { text: String::new(), closed_type });
    }
    names
}

/// Returns the type that cannot gain this line without breaking programs, such as the enum of a variant.
fn closed_type(line: &str, names: &Names) -> Option<String> {
    let (parent, _) = path(line).rsplit_once("::")?;
    // Functions and constants break programs only in traits.
    let is_field = line.strip_prefix("pub ").is_some_and(|rest| path(line) == until_end_of_path(rest));
    if let Some(found) = names.get(parent) {
        let is_part = found.text.starts_with("pub trait ") || is_field && !found.text.starts_with(OPEN);
        return is_part.then(|| parent.to_owned());
    }
    let (of_variant, _) = parent.rsplit_once("::")?;
    let is_variant = names.get(of_variant).is_some_and(|found| found.text.contains("pub enum "));
    (is_field && is_variant).then(|| format!("pub {parent}"))
}

/// Returns the path that a line declares, such as `a::E::B` of `pub a::E::B(u8)` and `a::f` of `pub const fn a::f()`.
fn path(line: &str) -> &str {
    let mut words = line.trim_start_matches(OPEN).split(' ');
    until_end_of_path(words.find(|word| word.contains("::")).unwrap_or_default())
}

fn until_end_of_path(text: &str) -> &str {
    let end = text.find(['(', '<', ' ', '=']).unwrap_or(text.len());
    text[..end].trim_end_matches(':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::public_api::Effect;

    const BEFORE: &str = "pub mod a\npub enum a::E\npub a::E::A\npub a::E::A::x: u8\n#[non_exhaustive] pub enum a::O\npub a::O::A\npub struct a::S<T>\n\
                          pub a::S::x: a::E\nimpl<T> a::S<T>\npub const fn a::S<T>::new(x: a::E) -> Self\npub trait a::T\npub fn a::T::f(&self)\n";

    fn effects(after: &str) -> Vec<Effect> {
        public_api::compare(&parse(BEFORE), &parse(after)).iter().map(|change| change.effect).collect()
    }

    #[test]
    fn paths_are_read() {
        assert_eq!(path("pub a::S::x: a::E"), "a::S::x");
        assert_eq!(path("pub const fn a::S<T>::new(x: a::E) -> Self"), "a::S");
        assert_eq!(path("#[non_exhaustive] pub enum a::O"), "a::O");
        assert_eq!(path("pub a::E::A(a::S)"), "a::E::A");
    }

    #[test]
    fn new_parts_of_closed_types_break() {
        assert_eq!(effects(BEFORE), []);
        for part in
            ["pub a::E::B", "pub a::E::B(a::S<u8>)", "pub a::E::A::y: u8", "pub a::S::y: u8", "pub fn a::T::g(&self)", "pub type a::T::X"]
        {
            assert_eq!(effects(&format!("{BEFORE}{part}\n")), [Effect::Breaking], "{part}");
        }
    }

    #[test]
    fn other_new_names_are_additions() {
        let parts = ["pub a::O::B", "pub fn a::S<T>::len(&self)", "pub fn a::E::b()", "pub fn a::g()", "impl a::T for a::E"];
        for part in parts {
            assert_eq!(effects(&format!("{BEFORE}{part}\n")), [Effect::Addition], "{part}");
        }
        let new_type = "pub enum a::New\npub a::New::A\npub a::New::A::x: u8\npub trait a::Also\npub fn a::Also::f(&self)\n";
        assert!(effects(&format!("{BEFORE}{new_type}")).iter().all(|effect| *effect == Effect::Addition));
    }

    #[test]
    fn changed_signatures_and_types_break() {
        assert_eq!(effects(&BEFORE.replace("f(&self)", "f(&self, x: u8)")), [Effect::Breaking, Effect::Breaking]);
        assert_eq!(effects(&BEFORE.replace("new(x: a::E)", "new(y: u8)")), [Effect::Breaking, Effect::Addition]);
        assert_eq!(effects(&BEFORE.replace("pub enum a::E", "#[non_exhaustive] pub enum a::E")), [Effect::Breaking]);
    }
}
