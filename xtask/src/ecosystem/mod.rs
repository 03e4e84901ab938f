//! The interface of an ecosystem: how its packages are built, and how its clients install and use them.

mod registry;
mod shown_night;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::native::System;
use crate::process::execute;
pub(crate) use registry::Registry;
pub(crate) use shown_night::{NIGHT, show_night};

/// An ecosystem, such as PyPI. Languages supply them.
pub(crate) struct Ecosystem {
    /// Name in the table, in `--only`, and of its folder in the registries.
    pub(crate) name: &'static str,
    /// Builds the packages and publishes them in the local registry.
    pub(crate) build: fn(&Build) -> anyhow::Result<()>,
    /// Publishes prebuilt packages from a folder. `None` if `--packages` does not support the ecosystem.
    pub(crate) publish: Option<fn(&Build, &Path) -> anyhow::Result<()>>,
    /// Clients that install the packages by name.
    pub(crate) clients: &'static [Client],
}

/// The checkout that packages are built from.
pub(crate) struct Build<'a> {
    /// A clean clone with the tag.
    pub(crate) source: &'a Path,
    /// Cargo's target folder, shared by all ecosystems.
    pub(crate) target: &'a Path,
    pub(crate) version: &'a str,
    /// Whether to build packages for this system only.
    pub(crate) native: bool,
    /// The local registry of the ecosystem.
    pub(crate) registry: Registry<'a>,
}

impl Build<'_> {
    /// Returns the systems to build packages for: this one and, on Linux on x86-64, `others` with Debian's cross compilers, unless only
    /// native packages are built. A release builds each package on its target system instead.
    pub(crate) fn systems(&self, others: &'static [System]) -> impl Iterator<Item = System> {
        let cross = !self.native && cfg!(all(target_os = "linux", target_arch = "x86_64"));
        std::iter::once(System::Native).chain(others.iter().copied().filter(move |_| cross))
    }
}

/// A package manager or build tool that installs the packages of an ecosystem, as a new user does.
pub(crate) struct Client {
    /// Name in the table, such as `pip`.
    pub(crate) name: &'static str,
    /// Returns the missing tool with the remedy, if any.
    pub(crate) missing: fn() -> Option<&'static str>,
    /// Installs the packages by their names into the visit's folder, which is empty.
    pub(crate) install: fn(&Visit) -> anyhow::Result<()>,
    /// Runs the first example of the package's README against a sandbox, and returns its output.
    pub(crate) first_night: fn(&Visit) -> anyhow::Result<String>,
    /// Text that the output must contain.
    pub(crate) expected: &'static str,
}

/// Environment in which a client installs and uses packages: an empty folder, the registries and a sandbox.
pub(crate) struct Visit<'a> {
    /// Folder outside of the workspace.
    pub(crate) folder: &'a Path,
    /// The clone, for the code in its documents and for tools. The clients do not read it.
    pub(crate) source: &'a Path,
    pub(crate) target: &'a Path,
    /// Address of the ecosystem's registry, without a slash at its end.
    pub(crate) address: String,
    /// Folder of the ecosystem's registry.
    pub(crate) registry: PathBuf,
    pub(crate) version: &'a str,
    /// Variables with the address and the tokens of the sandbox.
    pub(crate) sandbox: &'a [(&'static str, String)],
}

impl Visit<'_> {
    /// Returns a command in the folder, without variables that change how compilers build and from where clients install.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = crate::cargo::clean_command(program);
        command.current_dir(self.folder).env_remove("RUSTC_WORKSPACE_WRAPPER").env_remove("CARGO_TARGET_DIR").env_remove("LD_LIBRARY_PATH");
        remove_registry_variables(&mut command);
        command
    }

    /// Runs a program with the sandbox's variables and returns its output.
    ///
    /// # Errors
    /// If it fails.
    pub(crate) fn use_sandbox(&self, command: &mut Command) -> anyhow::Result<String> {
        execute(command.envs(self.sandbox.iter().map(|(name, value)| (*name, value))))
    }

    /// Writes a file into the folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(&self, path: &str, text: &str) -> anyhow::Result<()> {
        let path = self.folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(self.folder))?;
        Ok(std::fs::write(path, text)?)
    }

    /// Downloads a file of the registry into the folder.
    ///
    /// # Errors
    /// If the registry has no such file.
    pub(crate) fn download(&self, path: &str) -> anyhow::Result<PathBuf> {
        let to = self.folder.join(path.rsplit('/').next().unwrap_or(path));
        let script = "import sys, urllib.request; urllib.request.urlretrieve(sys.argv[1], sys.argv[2])";
        execute(self.command("python3").args(["-I", "-c", script]).arg(format!("{}/{path}", self.address)).arg(&to))?;
        Ok(to)
    }

    /// Returns the first code blocks of a language in a document of the clone.
    ///
    /// # Errors
    /// If there are fewer.
    pub(crate) fn code(&self, document: &str, language: &str, count: usize) -> anyhow::Result<String> {
        first_code(&std::fs::read_to_string(self.source.join(document))?, language, count)
            .ok_or_else(|| anyhow::anyhow!("{document} must have {count} code blocks in {language}"))
    }
}

/// Removes variables that can make a client install from another registry, unless the command sets them itself.
pub(crate) fn remove_registry_variables(command: &mut Command) {
    let own: Vec<_> = command.get_envs().map(|(name, _)| name.to_owned()).collect();
    for (name, _) in std::env::vars_os().filter(|(name, _)| chooses_registry(&name.to_string_lossy()) && !own.contains(name)) {
        command.env_remove(name);
    }
}

/// Returns whether an environment variable can make a client install from another registry.
fn chooses_registry(variable: &str) -> bool {
    let starts = ["CARGO_REGISTRIES_", "CARGO_SOURCE_", "PIP_", "PKG_CONFIG_", "UV_"];
    starts.iter().any(|start| variable.starts_with(start)) || ["CMAKE_PREFIX_PATH", "MAVEN_ARGS", "MAVEN_OPTS"].contains(&variable)
}

fn first_code(text: &str, language: &str, count: usize) -> Option<String> {
    let opening = |line: &str| line.strip_prefix("```").is_some_and(|rest| rest.split(',').next() == Some(language));
    let mut lines = text.lines();
    let mut code = String::new();
    for _ in 0..count {
        lines.find(|line| opening(line))?;
        for line in lines.by_ref().take_while(|line| *line != "```") {
            code.push_str(line);
            code.push('\n');
        }
    }
    Some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_taken_from_the_first_blocks_of_a_language() {
        let text = "```sh\nls\n```\n```rust,no_run\na\n\nb\n```\ntext\n```rust\nc\n```\n";
        assert_eq!(first_code(text, "rust", 1).unwrap(), "a\n\nb\n");
        assert_eq!(first_code(text, "rust", 2).unwrap(), "a\n\nb\nc\n");
        assert_eq!(first_code(text, "rust", 3), None);
    }
}
