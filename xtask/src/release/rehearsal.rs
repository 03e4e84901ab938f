//! Rehearses a release: builds every package from a clean clone, publishes them in local registries, and installs and uses each one by its
//! name, as a new user does.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

use super::comparison::{self, Comparison};
use super::server::Server;
use super::{inspection, source, tag};
use crate::build::target;
use crate::cargo;
use crate::digest::sha256;
use crate::ecosystem::{Build, Client, Ecosystem, Registry, Visit};
use crate::folder;
use crate::git::git;
use crate::language::Language;
use crate::languages;
use crate::paths::PrivatePaths;
use crate::process::execute;
use crate::steps::Sandbox;

/// Folder of the rehearsal below the target folder.
const FOLDER: &str = "rehearsal";

/// File with the checksums of all packages, in the format of `sha256sum`.
const CHECKSUMS: &str = "SHA256SUMS";

/// Folder with one file per ecosystem. The file states the commit and the options of complete packages, and is empty until then.
const COMPLETE: &str = "complete";

/// Folder of the second build, below that of the first.
const AGAIN: &str = "again";

/// Configuration of cargo for a quick rehearsal. Optimization takes more than half of the time and only changes sizes and speed.
const QUICK: &str =
    "[profile.mobile]\ncodegen-units = 16\nlto = false\n\n[profile.wheel]\ncodegen-units = 16\nlto = false\nopt-level = 1\n";

/// Options of a rehearsal.
pub(super) struct Options<'a> {
    /// Whether to build only packages for this system.
    pub(super) native: bool,
    /// Whether to build with [`QUICK`].
    pub(super) quick: bool,
    /// Whether to build everything a second time and compare.
    pub(super) twice: bool,
    pub(super) only: &'a [String],
    /// Folder of packages that were built before, with a folder for each ecosystem.
    pub(super) packages: Option<&'a Path>,
}

impl Options<'_> {
    /// Returns the ecosystems to rehearse.
    ///
    /// # Errors
    /// If `--packages` has no folder for a chosen ecosystem, or does not support it.
    fn chosen(&self) -> anyhow::Result<Vec<&'static Ecosystem>> {
        let wanted = |ecosystem: &&Ecosystem| match self.only {
            [] => self.packages.is_none() || ecosystem.publish.is_some(),
            only => only.iter().any(|name| name == ecosystem.name),
        };
        let chosen: Vec<_> = ecosystems().filter(wanted).collect();
        let Some(packages) = self.packages else { return Ok(chosen) };
        for ecosystem in &chosen {
            ensure!(ecosystem.publish.is_some(), "--packages does not support {}; leave it out of --only", ecosystem.name);
            let folder = packages.join(ecosystem.name);
            ensure!(folder.is_dir(), "{} must be a folder of packages; choose other ecosystems with --only", folder.display());
        }
        Ok(chosen)
    }

    /// Returns the commit and the options of packages.
    fn describe(&self, commit: &str) -> String {
        format!("{} native={} quick={}", commit.trim(), self.native, self.quick)
    }
}

/// Returns all ecosystems, in the order of publishing.
fn ecosystems() -> impl Iterator<Item = &'static Ecosystem> {
    languages::ALL.iter().flat_map(|language| language.ecosystems())
}

/// Returns the names of all ecosystems.
pub(super) fn names() -> Vec<&'static str> {
    ecosystems().map(|ecosystem| ecosystem.name).collect()
}

/// Rehearses the release of the commit that is checked out at `root`.
///
/// # Errors
/// If the checkout is not clean, or an ecosystem fails. The other ecosystems are completed first.
pub(super) fn run(root: &Path, tag: &str, options: &Options) -> anyhow::Result<()> {
    check_variables(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()))?;
    let folder = target(root)?.join(FOLDER);
    let chosen = options.chosen()?;
    let rehearsal = Rehearsal::new(root, tag, &folder, options)?;
    let mut report = Report::default();
    for (name, rows) in rehearsal.build_all(&chosen) {
        report.add(name, "build", rows);
    }
    rehearsal.write_checksums()?;
    if let Err(error) = rehearsal.visit(&chosen, &mut report) {
        // The table is printed anyway.
        report.failures.push(format!("  installations: {error:#}"));
    }
    if options.twice {
        let again = Rehearsal::new(root, tag, &folder.join(AGAIN), options)?;
        for (name, rows) in again.build_all(&chosen) {
            report.add(name, "second build", rows.map(|_| Vec::new()));
        }
        for ecosystem in &chosen {
            let registry = |rehearsal: &Rehearsal| rehearsal.registries.join(ecosystem.name);
            report.add_comparison(ecosystem.name, &comparison::compare(&registry(&rehearsal), &registry(&again))?);
        }
    }
    crate::print_line(&report.table);
    ensure!(
        report.failures.is_empty(),
        "the release must not be published:\n{}\nto rehearse one ecosystem again and keep the packages of the others, add --only to the same options",
        report.failures.join("\n")
    );
    let complete = !options.native && options.only.is_empty() && options.packages.is_none();
    let subject = if complete { "all packages of" } else { "these packages of" };
    crate::print_line(&format!("{subject} {tag} can be released: {} packages, {} installations", report.packages, report.installations));
    Ok(())
}

/// Writes the configuration that cargo finds above the clone.
fn write_configuration(folder: &Path, quick: bool) -> anyhow::Result<()> {
    let configuration = folder.join(".cargo");
    folder::remove(&configuration)?;
    if quick {
        std::fs::create_dir(&configuration)?;
        std::fs::write(configuration.join("config.toml"), QUICK)?;
    }
    Ok(())
}

/// Checks that no environment variable changes what the profiles of the workspace build.
fn check_variables(mut names: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let changed = names.find(|name| name.starts_with("CARGO_PROFILE_"));
    changed.map_or(Ok(()), |name| Err(anyhow::anyhow!("unset {name}, which changes the packages")))
}

/// A row of the table.
struct Row {
    /// File name of a package, or name of a client.
    name: String,
    bytes: Option<u64>,
    time: Duration,
    /// Time from the start of the installation to the output of the first example.
    first_night: Option<Duration>,
}

impl Row {
    fn line(&self, ecosystem: &str) -> String {
        let size = self.bytes.map_or(String::new(), |bytes| format!("{:.0}", bytes as f64 / 1e3));
        let night = self.first_night.map_or(String::new(), |time| format!("{:.1}", time.as_secs_f64()));
        let seconds = self.time.as_secs_f64();
        format!("{ecosystem:<10} {:<62} {size:>9} {seconds:>8.1} {night:>11}", self.name)
    }
}

/// Prints what happened in an ecosystem at once, because the rest of a rehearsal can take long or be interrupted.
fn print_result(ecosystem: &str, what: &str, rows: &anyhow::Result<Vec<Row>>) {
    match rows {
        Ok(rows) => rows.iter().for_each(|row| crate::print_line(&row.line(ecosystem))),
        Err(error) => crate::print_line(&format!("== {ecosystem}, {what} failed: {error:#}")),
    }
}

#[derive(Default)]
struct Report {
    table: String,
    failures: Vec<String>,
    packages: usize,
    installations: usize,
}

impl Report {
    /// Adds the packages of two builds that differ as failures.
    fn add_comparison(&mut self, ecosystem: &str, comparison: &Comparison) {
        let _ = writeln!(
            self.table,
            "{ecosystem}: {} packages of a second build, in another folder, are identical",
            comparison.identical.len()
        );
        for (name, files) in &comparison.different {
            self.failures.push(format!("  {name} is not reproducible: {} differ", files.join(", ")));
        }
    }

    fn add(&mut self, ecosystem: &str, what: &str, rows: anyhow::Result<Vec<Row>>) {
        if self.table.is_empty() {
            let _ =
                writeln!(self.table, "{:<10} {:<62} {:>9} {:>8} {:>11}", "ecosystem", "package or client", "kB", "seconds", "first night");
        }
        let rows = rows.unwrap_or_else(|error| {
            self.failures.push(format!("  {ecosystem}, {what}: {error:#}"));
            Vec::new()
        });
        for row in rows {
            self.packages += usize::from(row.bytes.is_some());
            self.installations += usize::from(row.first_night.is_some());
            let _ = writeln!(self.table, "{}", row.line(ecosystem));
        }
    }
}

struct Rehearsal<'a> {
    root: &'a Path,
    version: &'a str,
    native: bool,
    packages: Option<&'a Path>,
    /// Folder of the clone, the target folder and the registries.
    folder: PathBuf,
    source: PathBuf,
    target: PathBuf,
    registries: PathBuf,
    /// The commit and the options of the packages.
    description: String,
    /// Lock against a second rehearsal, which would remove the files of this one.
    _lock: File,
}

impl<'a> Rehearsal<'a> {
    /// Clones the checkout below a folder, and prepares its registries. They keep complete packages of the same
    /// commit.
    fn new(root: &'a Path, tag: &'a str, folder: &Path, options: &Options<'a>) -> anyhow::Result<Self> {
        tag::check_manifests(root, tag)?;
        std::fs::create_dir_all(folder)?;
        let lock = File::create(folder.join("lock"))?;
        ensure!(lock.try_lock().is_ok(), "only one rehearsal can run in a checkout; wait until the other has ended");
        let source = source::clone_with_tag(root, tag, folder)?;
        write_configuration(folder, options.quick)?;
        tag::check(&source, tag)?;
        tag::check_header(&source, tag)?;
        let rehearsal = Self {
            root,
            version: tag.trim_start_matches('v'),
            native: options.native,
            packages: options.packages,
            folder: folder.to_path_buf(),
            target: folder.join("target"),
            registries: folder.join("registries"),
            description: options.describe(&execute(git(&source).args(["rev-parse", "HEAD"]))?),
            source,
            _lock: lock,
        };
        std::fs::create_dir_all(&rehearsal.target)?;
        for name in names() {
            let described = std::fs::read_to_string(rehearsal.complete(name)).is_ok_and(|before| before == rehearsal.description);
            // Prebuilt packages can change without a change of the options.
            if !described || options.packages.is_some() {
                folder::remove(&rehearsal.registries.join(name))?;
            }
        }
        std::fs::create_dir_all(&rehearsal.registries)?;
        std::fs::create_dir_all(folder.join(COMPLETE))?;
        Ok(rehearsal)
    }

    /// Builds the packages of these ecosystems. Builds the languages in parallel, because linkers use only one processor.
    fn build_all(&self, chosen: &[&'static Ecosystem]) -> Vec<(&'static str, anyhow::Result<Vec<Row>>)> {
        let build_language = |language: &'static dyn Language| {
            let wanted = language.ecosystems().iter().filter(|ecosystem| chosen.iter().any(|other| other.name == ecosystem.name));
            wanted
                .map(|ecosystem| {
                    let rows = self.build(ecosystem);
                    print_result(ecosystem.name, "build", &rows);
                    (ecosystem.name, rows)
                })
                .collect::<Vec<_>>()
        };
        std::thread::scope(|scope| {
            let threads = languages::ALL.map(|language| scope.spawn(move || build_language(language)));
            threads.into_iter().flat_map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        })
    }

    /// Builds and checks the packages of an ecosystem. The first row has the time of the build.
    fn build(&self, ecosystem: &Ecosystem) -> anyhow::Result<Vec<Row>> {
        crate::print_line(&format!("== build {}", ecosystem.name));
        let (registry, complete) = (self.registries.join(ecosystem.name), self.complete(ecosystem.name));
        std::fs::write(&complete, "")?;
        folder::remove(&registry)?;
        std::fs::create_dir_all(&registry)?;
        let started = Instant::now();
        let build = Build {
            source: &self.source,
            target: &self.target,
            version: self.version,
            native: self.native,
            registry: Registry { folder: &registry },
        };
        match (self.packages, ecosystem.publish) {
            (Some(packages), Some(publish)) => publish(&build, &packages.join(ecosystem.name))?,
            _ => (ecosystem.build)(&build)?,
        }
        let mut time = started.elapsed();
        let private = PrivatePaths::new(self.root, &self.folder)?;
        let (mut rows, mut problems) = (Vec::new(), Vec::new());
        for file in folder::files(&registry)? {
            let name = folder::relative_name(&file, &registry)?;
            let found = inspection::problems(&file, &name, self.version, &private).with_context(|| name.clone())?;
            problems.extend(found.into_iter().map(|problem| format!("{name}: {problem}")));
            if is_package(&name) {
                let name = name.rsplit('/').next().unwrap_or(&name).to_owned();
                rows.push(Row { name, bytes: Some(std::fs::metadata(&file)?.len()), time, first_night: None });
                time = Duration::ZERO;
            }
        }
        ensure!(problems.is_empty(), "{}", problems.join("\n    "));
        ensure!(!rows.is_empty(), "the build must publish a package");
        if self.packages.is_none() {
            std::fs::write(complete, &self.description)?;
        }
        Ok(rows)
    }

    /// Returns the path of the file that describes the packages of an ecosystem. It is empty or missing until they are complete.
    fn complete(&self, ecosystem: &str) -> PathBuf {
        self.folder.join(COMPLETE).join(ecosystem)
    }

    /// Installs and uses the packages with each client.
    fn visit(&self, chosen: &[&Ecosystem], report: &mut Report) -> anyhow::Result<()> {
        let server = Server::start(&self.registries)?;
        let sandbox = self.start_sandbox(chosen)?;
        let variables: Vec<(&'static str, String)> = sandbox.environment().collect();
        for ecosystem in chosen {
            for client in ecosystem.clients {
                let rows = self.visit_with(ecosystem, client, &server, &variables).map(|row| vec![row]);
                print_result(ecosystem.name, client.name, &rows);
                report.add(ecosystem.name, client.name, rows);
            }
        }
        sandbox.stop()
    }

    /// Starts the sandbox of the released program if it was built, because another build takes minutes.
    fn start_sandbox(&self, chosen: &[&Ecosystem]) -> anyhow::Result<Sandbox> {
        let package = format!("vitalwire-{}-{}", self.version, cargo::host_triple()?);
        let program = self.target.join("program").join(package).join("bin/vitalwire");
        if chosen.iter().any(|ecosystem| ecosystem.name == "program") && program.exists() {
            return Sandbox::start_released(&program);
        }
        Sandbox::start(self.root)
    }

    fn visit_with(
        &self,
        ecosystem: &Ecosystem,
        client: &Client,
        server: &Server,
        sandbox: &[(&'static str, String)],
    ) -> anyhow::Result<Row> {
        crate::print_line(&format!("== install with {}", client.name));
        if let Some(missing) = (client.missing)() {
            anyhow::bail!("{missing}");
        }
        // Outside of the workspace, so that clients do not find its files.
        let folder = tempfile::Builder::new().prefix("vitalwire-visit-").tempdir()?;
        let project = folder.path().ancestors().find(|above| above.join("Cargo.toml").exists());
        ensure!(project.is_none(), "the temporary folder must not be below a Cargo.toml; set TMPDIR");
        let visit = Visit {
            folder: folder.path(),
            source: &self.source,
            target: &self.target,
            address: format!("{}/{}", server.address, ecosystem.name),
            registry: self.registries.join(ecosystem.name),
            version: self.version,
            sandbox,
        };
        let started = Instant::now();
        (client.install)(&visit).context("installing")?;
        let time = started.elapsed();
        let printed = (client.first_night)(&visit).context("the first example of the README")?;
        ensure!(printed.contains(client.expected), "the first example must print `{}`, but printed:\n{printed}", client.expected);
        Ok(Row { name: client.name.to_owned(), bytes: None, time, first_night: Some(started.elapsed()) })
    }

    /// Writes the checksums of all packages.
    fn write_checksums(&self) -> anyhow::Result<()> {
        let mut lines = String::new();
        for (name, bytes) in folder::contents(&self.registries)?.iter().filter(|(name, _)| is_package(name)) {
            let _ = writeln!(lines, "{}  {name}", sha256(bytes));
        }
        Ok(std::fs::write(self.registries.join(CHECKSUMS), lines)?)
    }
}

/// Returns whether a file of a registry is a package. Indexes, signatures and checksums are not.
pub(super) fn is_package(name: &str) -> bool {
    [".crate", ".whl", ".gz", ".jar", ".aar", ".zip", ".deb", ".tar"].iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::super::tag::tests::ready;
    use super::*;
    use crate::docs::install;
    use crate::versions::CHANGES;

    const OPTIONS: Options = Options { native: false, quick: false, twice: false, only: &[], packages: None };

    /// Commits all files of a checkout.
    fn commit(checkout: &Path) {
        let run = |arguments: &[&str]| {
            let author = ["-c", "user.name=a", "-c", "user.email=a@localhost"];
            execute(git(checkout).args(author).args(arguments)).unwrap()
        };
        run(&["init", "--quiet"]);
        run(&["add", "."]);
        run(&["commit", "--quiet", "--message", "a"]);
    }

    /// Returns a checkout with unreleased changes.
    fn checkout() -> tempfile::TempDir {
        let checkout = ready();
        let write = |path: &str, text: &str| std::fs::write(checkout.path().join(path), text).unwrap();
        std::fs::create_dir(checkout.path().join("docs")).unwrap();
        write(install::DATA, "released = false\n\n[a]\ntoday = \"no\"\nreleased = \"{version}\"\n");
        write(CHANGES, "# Changelog\n\n## Unreleased\n\n* News\n");
        commit(checkout.path());
        checkout
    }

    #[test]
    fn a_tag_of_another_version_is_rejected_with_the_places() {
        let (checkout, folder) = (checkout(), tempfile::tempdir().unwrap());
        let error = format!("{:#}", Rehearsal::new(checkout.path(), "v1.2.4", folder.path(), &OPTIONS).err().unwrap());
        let expected = "v1.2.4 cannot be released:\n  Cargo.toml: the version must be `1.2.4`, not `1.2.3`\n";
        assert!(error.starts_with(expected), "{error}");
        assert!(error.ends_with("\nset the version with `cargo xtask release --prepare`, or choose another tag"), "{error}");
        assert!(error.contains("bindings/c/CMakeLists.txt: the version must be `1.2.4`, not `1.2.3`"), "{error}");
        assert!(folder.path().read_dir().unwrap().next().is_none());
    }

    /// An ecosystem with one package, in which a licence is missing if its folder, or the target folder, has a file `rejected`.
    const INVENTED: Ecosystem = Ecosystem { name: "c", build: |build| invent(build, build.target), publish: Some(invent), clients: &[] };

    fn invent(build: &Build, packages: &Path) -> anyhow::Result<()> {
        let licences = [("LICENSE-APACHE".to_owned(), b"a".to_vec()), ("LICENSE-MIT".to_owned(), b"m".to_vec())];
        let kept = if packages.join("rejected").exists() { 1 } else { 2 };
        build.registry.publish_bytes(&crate::archive::zip::archive(&licences[..kept])?, "vitalwire-1.2.3.zip")
    }

    #[test]
    fn registries_keep_complete_packages_of_the_same_commit() {
        let (checkout, folder, packages) = (checkout(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::create_dir(packages.path().join("c")).unwrap();
        let prebuilt = Options { packages: Some(packages.path()), ..OPTIONS };
        let rehearse = |options| Rehearsal::new(checkout.path(), "v1.2.3", folder.path(), options).unwrap();
        let kept = |options| rehearse(options).registries.join("c/vitalwire-1.2.3.zip").exists();
        let build = || rehearse(&OPTIONS).build(&INVENTED);
        assert_eq!(build().unwrap().len(), 1);
        assert!(kept(&OPTIONS));
        assert!(!kept(&Options { quick: true, ..OPTIONS }), "packages of other options must go");
        rehearse(&prebuilt).build(&INVENTED).unwrap();
        assert!(!kept(&prebuilt) && !kept(&OPTIONS), "prebuilt packages must go");
        build().unwrap();
        std::fs::write(checkout.path().join("new"), "").unwrap();
        commit(checkout.path());
        assert!(!kept(&OPTIONS), "packages of another commit must go");
        build().unwrap();
        std::fs::write(folder.path().join("target/rejected"), "").unwrap();
        let error = build().err().unwrap().to_string();
        assert_eq!(error, "vitalwire-1.2.3.zip: LICENSE-MIT is missing; add it where the package is built");
        assert!(!kept(&OPTIONS), "rejected packages must go");
    }

    #[test]
    fn packages_of_every_ecosystem_must_be_there() {
        let folder = tempfile::tempdir().unwrap();
        let chosen = |only: &[&str]| {
            let only: Vec<String> = only.iter().map(|name| (*name).to_owned()).collect();
            let chosen = Options { packages: Some(folder.path()), only: &only, ..OPTIONS }.chosen();
            chosen.map(|chosen| chosen.iter().map(|ecosystem| ecosystem.name).collect::<Vec<_>>()).map_err(|error| error.to_string())
        };
        let missing = format!("{} must be a folder of packages; choose other ecosystems with --only", folder.path().join("pypi").display());
        assert_eq!(chosen(&[]), Err(missing.clone()));
        std::fs::create_dir(folder.path().join("c")).unwrap();
        assert_eq!(chosen(&[]), Err(missing));
        assert_eq!(chosen(&["c"]).unwrap(), ["c"]);
        let error = "--packages does not support crates; leave it out of --only";
        assert_eq!(chosen(&["crates", "c"]).unwrap_err(), error);
    }

    #[test]
    fn a_quick_rehearsal_uses_other_profiles() {
        let folder = tempfile::tempdir().unwrap();
        let configuration = folder.path().join(".cargo/config.toml");
        write_configuration(folder.path(), true).unwrap();
        let profiles: toml::Table = std::fs::read_to_string(&configuration).unwrap().parse().unwrap();
        let workspace: toml::Table =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")).unwrap().parse().unwrap();
        for profile in ["mobile", "wheel"] {
            assert!(workspace["profile"][profile]["lto"].as_str() == Some("fat"), "{profile}");
            assert_eq!(profiles["profile"][profile]["lto"].as_bool(), Some(false), "{profile}");
        }
        write_configuration(folder.path(), false).unwrap();
        assert!(!configuration.exists());
    }

    #[test]
    fn a_profile_in_the_environment_is_rejected() {
        let check = |names: &[&str]| check_variables(names.iter().map(|name| (*name).to_owned()));
        assert!(check(&["PATH", "CARGO_HOME", "CARGO_TERM_COLOR"]).is_ok());
        let error = check(&["PATH", "CARGO_PROFILE_RELEASE_LTO"]).unwrap_err().to_string();
        assert_eq!(error, "unset CARGO_PROFILE_RELEASE_LTO, which changes the packages");
    }

    #[test]
    fn a_failure_does_not_hide_other_ecosystems() {
        let mut report = Report::default();
        report.add("pypi", "build", Err(anyhow::anyhow!("no compiler")));
        let row = Row { name: "a-1.2.3.crate".to_owned(), bytes: Some(2000), time: Duration::from_secs(3), first_night: None };
        report.add("crates", "build", Ok(vec![row]));
        assert_eq!(report.failures, ["  pypi, build: no compiler"]);
        assert!(report.table.lines().nth(1).is_some_and(|line| line.starts_with("crates") && line.contains("a-1.2.3.crate")));
        assert_eq!((report.packages, report.installations), (1, 0));
    }
}
