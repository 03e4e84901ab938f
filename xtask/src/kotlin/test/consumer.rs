//! A JVM project outside the workspace that uses the artifacts in the repository of `cargo xtask package jvm`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use tempfile::TempDir;

use crate::folder;
use crate::kotlin::maven::{local_repository, maven, missing};
use crate::kotlin::package::jvm::package;
use crate::once::Once;
use crate::process::{execute, has};
use crate::steps::{CommandOutput, Context, Outcome, run_and_show};
use crate::versions;

/// Folder of the project.
const PROJECT: &str = "bindings/kotlin/installed";

/// A program of the project and its expected output.
pub(super) type Program = (&'static str, &'static str);

/// Programs of the project.
pub(super) const PROGRAMS: [Program; 2] = [
    (
        "stranger.KotlinConsumer",
        "SleepRecord(..) with stages\nstatus 404\nmeal, 2 parts\nsearch ended\ntoken provider cancelled\nKotlin ended\n",
    ),
    JAVA,
];
pub(super) const JAVA: Program =
    ("stranger.JavaConsumer", "SleepRecord(..) with stages\nstatus 404\nwebhook verified, 64 digits\nJava ended\n");

/// The compiled project.
pub(super) struct Consumer {
    folder: TempDir,
    /// Class path of the project: its classes and their dependencies.
    pub(super) paths: Vec<PathBuf>,
}

impl Consumer {
    /// Returns a skipped outcome if a tool is missing.
    pub(super) fn missing() -> Option<Outcome> {
        if let Some(what) = missing() {
            return Some(Outcome::Missing(format!("{what}; install a JDK 17 and Maven")));
        }
        (!has("jar")).then(|| Outcome::Missing("the program jar is missing; install a JDK 17".to_owned()))
    }

    /// Creates the repository and compiles the project with its artifacts.
    ///
    /// # Errors
    /// If something does not compile.
    pub(super) fn build(context: &Context) -> anyhow::Result<Self> {
        let mut consumer = Self::create(context, PROJECT)?;
        consumer.paths = consumer.compile(&context.root, &[])?;
        Ok(consumer)
    }

    /// Creates the repository and copies a project of the workspace beside it.
    ///
    /// # Errors
    /// If an artifact cannot be built.
    pub(super) fn create(context: &Context, project: &str) -> anyhow::Result<Self> {
        // Share one build between parallel steps.
        static CACHE: Once<PathBuf> = Once::new();
        let made = CACHE.get(|| {
            let made = context.target.join("jvm-package/repository");
            package(&context.root, &context.target, &made, None, None)?;
            Ok(made)
        })?;
        // Use a folder outside the workspace, so that tools do not find files of the workspace.
        let folder = tempfile::Builder::new().prefix("vitalwire-jvm-").tempdir()?;
        folder::copy(&made, &folder.path().join("repository"))?;
        folder::copy(&context.root.join(project), &folder.path().join("project"))?;
        Ok(Self { folder, paths: Vec::new() })
    }

    /// Returns the repository.
    pub(super) fn repository(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    /// Returns the project's own folder.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a program on a JVM with these arguments. Returns whether its output is as expected.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(super) fn prints_expected(
        &self,
        context: &Context,
        java: &Path,
        arguments: &[OsString],
        (_, expected): Program,
    ) -> anyhow::Result<bool> {
        let printed = self.run(context, java, arguments)?;
        Ok(printed.success && printed.output.replace("\r\n", "\n") == expected)
    }

    /// Runs a JVM with these arguments and the address of the sandbox. Returns its output.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(super) fn run(&self, context: &Context, java: &Path, arguments: &[OsString]) -> anyhow::Result<CommandOutput> {
        let mut java = Command::new(java);
        java.current_dir(self.folder.path()).env_remove("LD_LIBRARY_PATH").args(arguments);
        run_and_show(context.with_sandbox(&mut java)?)
    }

    /// Returns a Maven command for the project that uses our repository.
    ///
    /// # Errors
    /// If its local repository cannot be created.
    pub(super) fn maven(&self, root: &Path) -> anyhow::Result<Command> {
        let mut maven = maven(&self.project());
        maven.arg(format!("-Dvitalwire.repository=file://{}", self.repository().display()));
        maven.arg(format!("-Dvitalwire.version={}", versions::workspace(root)?));
        maven.arg(format!("-Dmaven.repo.local={}", local_repository(self.folder.path())?.display()));
        Ok(maven)
    }

    /// Returns the folder of the project's sources.
    pub(super) fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// Compiles the project with further arguments of Maven, and returns the class path of its programs.
    ///
    /// # Errors
    /// If something does not compile.
    pub(super) fn compile(&self, root: &Path, arguments: &[&str]) -> anyhow::Result<Vec<PathBuf>> {
        let project = self.project();
        let list = project.join("classpath");
        let mut build = self.maven(root)?;
        build.args(arguments).args(["compile", "dependency:build-classpath"]);
        execute(build.arg(format!("-Dmdep.outputFile={}", list.display())))?;
        let paths = fs::read_to_string(&list).context("Maven wrote no class path")?;
        ensure!(paths.contains("jna"), "the artifacts must depend on JNA");
        Ok(std::iter::once(project.join("target/classes")).chain(std::env::split_paths(paths.trim())).collect())
    }
}
