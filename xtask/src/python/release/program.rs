//! The program `vitalwire` as an archive and a Debian package. Both contain the program of the sandbox's wheel.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::packages::released_program;
use crate::archive::{tar, unpack};
use crate::cargo;
use crate::ecosystem::{Build, Client, Ecosystem, NIGHT, Visit, show_night};
use crate::folder;
use crate::native::System;
use crate::notices;
use crate::process::{execute, has, on_ci};

pub(super) const PROGRAM: Ecosystem = Ecosystem { name: "program", build, publish: None, clients: &[ARCHIVE, APT] };

const ARCHIVE: Client =
    Client { name: "tar", missing: || (!has("tar")).then_some("tar is missing"), install: install_archive, first_night, expected: NIGHT };
const APT: Client = Client { name: "apt", missing: missing_apt, install: install_debian, first_night, expected: NIGHT };

/// Folder of the wheel's package, which has licences, notices and the bill of materials.
const PACKAGE: &str = "bindings/python/sandbox";
const BILL: &str = "vitalwire-sandbox.cyclonedx.json";

/// Shells, and the paths of their completions below `/usr`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/vitalwire"),
    ("fish", "share/fish/vendor_completions.d/vitalwire.fish"),
    ("zsh", "share/zsh/vendor-completions/_vitalwire"),
];

/// Installs a Debian package on an overlay of the machine, and copies its files into the current folder.
const ON_OVERLAY: &str = "
mkdir overlay
mount -t tmpfs tmpfs overlay
for changed in etc usr var; do
    mkdir -p overlay/$changed/new overlay/$changed/work
    mount -t overlay overlay -o lowerdir=/$changed,upperdir=overlay/$changed/new,workdir=overlay/$changed/work /$changed
done
DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 apt-get install --yes --reinstall --allow-downgrades \"$1\"
dpkg --listfiles vitalwire > files
while read -r file; do if [ -f \"$file\" ]; then cp --parents \"$file\" .; fi; done < files
chown --recursive --reference=. usr
";

fn build(build: &Build) -> anyhow::Result<()> {
    let folder = build.target.join("program");
    folder::remove(&folder)?;
    let own = released_program(build, System::Native, &folder.join("wheel"))?;
    for system in build.systems(&[System::LinuxArm64]) {
        let triple = system.triple()?;
        let (program, debug) = match system {
            System::Native => own.clone(),
            other => released_program(build, other, &folder.join(&triple))?,
        };
        let tree = folder.join(format!("vitalwire-{}-{}", build.version, triple));
        write_tree(build.source, &program, &own.0, &tree)?;
        if let Some(debug) = debug {
            build.registry.publish(&debug, &format!("vitalwire-debug-{}-{triple}.tar.gz", build.version))?;
        }
        let archive = tar::archive(&tree)?;
        build.registry.publish_bytes(&archive, &format!("{}.tar.gz", tree.file_name().unwrap_or_default().display()))?;
        if cfg!(target_os = "linux") && has("dpkg-deb") {
            let package = debian_package(build, &tree, &folder, architecture(system))?;
            build.registry.publish(&package, &package.file_name().unwrap_or_default().to_string_lossy())?;
        }
    }
    Ok(())
}

/// Writes the files in the layout of `/usr`. Man pages and completions are written by this system's program, `own`.
fn write_tree(source: &Path, program: &Path, own: &Path, tree: &Path) -> anyhow::Result<()> {
    let place = |path: &str| -> anyhow::Result<PathBuf> {
        let place = tree.join(path);
        fs::create_dir_all(place.parent().unwrap_or(tree))?;
        Ok(place)
    };
    fs::copy(program, place("bin/vitalwire")?)?;
    execute(Command::new(own).args(["man", "--dir"]).arg(tree.join("share/man/man1")))?;
    for (shell, path) in COMPLETIONS {
        fs::write(place(path)?, execute(Command::new(own).args(["completions", shell]))?)?;
    }
    for file in notices::FILES.iter().chain(&[BILL]) {
        fs::copy(source.join(PACKAGE).join(file), place(&format!("share/doc/vitalwire/{file}"))?)
            .with_context(|| format!("copying {file}"))?;
    }
    fs::copy(source.join("crates/vitalwire-cli/README.md"), place("share/doc/vitalwire/README.md")?)?;
    Ok(())
}

/// Returns Debian's name of a system's processor.
fn architecture(system: System) -> &'static str {
    match system.processor() {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

/// Builds the Debian package from the tree of the archive.
fn debian_package(build: &Build, tree: &Path, folder: &Path, architecture: &str) -> anyhow::Result<PathBuf> {
    let root = folder.join("debian").join(architecture);
    folder::copy(tree, &root.join("usr"))?;
    let control = format!(
        "Package: vitalwire\nVersion: {}\nArchitecture: {architecture}\nMaintainer: The Vitalwire contributors <{}/issues>\n\
         Depends: libc6 (>= 2.17), libgcc-s1\nSection: utils\nPriority: optional\nHomepage: {}\n\
         Description: Client and sandbox of a health data service\n Reads sleep, statistics, lab reports and meals, uploads meals and lab reports,\n\
         \x20and runs a local sandbox with synthetic people.\n",
        build.version,
        env!("CARGO_PKG_REPOSITORY"),
        env!("CARGO_PKG_REPOSITORY"),
    );
    fs::create_dir_all(root.join("DEBIAN"))?;
    fs::write(root.join("DEBIAN/control"), control)?;
    let package = folder.join(format!("vitalwire_{}_{architecture}.deb", build.version));
    // A fixed time, so that the same files give the same bytes.
    let mut deb = Command::new("dpkg-deb");
    deb.args(["--root-owner-group", "-Zxz", "--build"]).arg(&root).arg(&package).env("SOURCE_DATE_EPOCH", "0");
    execute(&mut deb)?;
    Ok(package)
}

fn missing_apt() -> Option<&'static str> {
    (!has("apt-get") || !has("dpkg-deb")).then_some("apt-get or dpkg-deb is missing; they are part of Debian")
}

fn install_archive(visit: &Visit) -> anyhow::Result<()> {
    let triple = cargo::host_triple()?;
    let name = format!("vitalwire-{}-{}", visit.version, triple);
    unpack(&visit.download(&format!("{name}.tar.gz"))?, visit.folder)?;
    Ok(fs::rename(visit.folder.join(name), visit.folder.join("usr"))?)
}

/// Installs the package with apt and copies the installed files into the folder. A rehearsal must not change the machine, so the
/// installation is on an overlay. A user who may not mount one gets a simulation, which checks the dependencies.
fn install_debian(visit: &Visit) -> anyhow::Result<()> {
    let package = visit.download(&format!("vitalwire_{}_{}.deb", visit.version, architecture(System::Native)))?;
    for words in [&["unshare", "--mount"][..], &["sudo", "--non-interactive", "unshare", "--mount"]] {
        let unshare = || {
            let mut unshare = visit.command(words[0]);
            unshare.args(&words[1..]);
            unshare
        };
        if execute(unshare().arg("true")).is_ok() {
            return execute(unshare().args(["sh", "-euc", ON_OVERLAY, "sh"]).arg(&package)).map(drop);
        }
    }
    ensure!(!on_ci(), "apt needs an overlay mount; run as root, or with sudo without a password");
    crate::print_line("== apt only simulates the installation: this user may not mount an overlay");
    execute(visit.command("apt-get").args(["install", "--simulate", "--no-download"]).arg(&package))?;
    execute(visit.command("dpkg-deb").arg("--extract").arg(&package).arg(visit.folder)).map(drop)
}

fn first_night(visit: &Visit) -> anyhow::Result<String> {
    let program = visit.folder.join("usr/bin/vitalwire");
    let version = execute(visit.command(&program).arg("--version"))?;
    ensure!(version.contains(visit.version), "the program must have the version {}, not {}", visit.version, version.trim());
    show_night(&mut visit.command(program))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_has_its_own_names_of_processors() {
        assert_eq!([System::LinuxArm64, System::Windows].map(architecture), ["arm64", "amd64"]);
    }
}
