//! A project outside the workspace that uses the unpacked package.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use super::compilers::Compiler;
use crate::process::execute;
use crate::steps::run_and_show;

/// System libraries that programs with the static library may need.
const SYSTEM_LIBRARIES: [&str; 9] =
    ["ld-linux", "libSystem", "libc.", "libdl.", "libgcc_s.", "libm.", "libpthread.", "librt.", "libstdc++."];

/// Folder of macOS's frameworks, which are part of the system too.
const FRAMEWORKS: &str = "/System/Library/Frameworks/";

/// A user of the unpacked package.
pub(super) struct Consumer<'a> {
    /// Build folder of programs.
    pub(super) folder: &'a Path,
    /// The unpacked package.
    pub(super) prefix: PathBuf,
    pub(super) project: PathBuf,
    /// The folder with Meson and ninja.
    pub(super) tools: PathBuf,
}

impl Consumer<'_> {
    /// Builds with CMake and returns the folder of the programs.
    pub(super) fn cmake(&self, compiler: &Compiler) -> anyhow::Result<PathBuf> {
        let build = self.folder.join(format!("cmake-{}", compiler.name));
        execute(&mut self.configure(compiler, &build))?;
        execute(Command::new("cmake").arg("--build").arg(&build))?;
        Ok(build)
    }

    fn configure(&self, compiler: &Compiler, build: &Path) -> Command {
        let mut configure = Command::new("cmake");
        let define = |name: &str, path: &Path| [OsString::from(format!("-D{name}=")), path.into()].into_iter().collect::<OsString>();
        configure.current_dir(self.folder).arg("-S").arg(&self.project).arg("-B").arg(build).arg(define("CMAKE_PREFIX_PATH", &self.prefix));
        configure.arg(define("CMAKE_C_COMPILER", &compiler.c)).arg(define("CMAKE_CXX_COMPILER", &compiler.cpp));
        configure
    }

    /// Builds with Meson and returns the folder of the programs.
    pub(super) fn meson(&self, compiler: &Compiler) -> anyhow::Result<PathBuf> {
        let build = self.folder.join(format!("meson-{}", compiler.name));
        let mut meson = self.meson_command(compiler)?;
        meson.arg("setup").arg(&build).arg(&self.project).arg("--pkg-config-path").arg(self.pkg_config_path());
        execute(&mut meson)?;
        execute(self.meson_command(compiler)?.args(["compile", "-C"]).arg(&build))?;
        Ok(build)
    }

    fn meson_command(&self, compiler: &Compiler) -> anyhow::Result<Command> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(self.tools.clone()).chain(std::env::split_paths(&path)))?;
        let mut meson = Command::new(self.tools.join("meson"));
        // Meson tests compilers in the temporary folder, which a compiler in a container cannot see.
        meson.current_dir(self.folder).env("TMPDIR", self.folder).env("PATH", path).env("CC", &compiler.c).env("CXX", &compiler.cpp);
        Ok(meson)
    }

    /// Builds with a shell script and pkg-config, and returns the folder of the programs.
    pub(super) fn pkg_config(&self, compiler: &Compiler) -> anyhow::Result<PathBuf> {
        let build = self.folder.join(format!("pkg-config-{}", compiler.name));
        fs::create_dir_all(&build)?;
        for name in ["app.c", "app.cpp", "build.sh"] {
            fs::copy(self.project.join(name), build.join(name))?;
        }
        let mut sh = Command::new("sh");
        sh.current_dir(&build).arg("build.sh").env("VITALWIRE", &self.prefix).env("CC", &compiler.c).env("CXX", &compiler.cpp);
        execute(&mut sh)?;
        Ok(build)
    }

    pub(super) fn pkg_config_path(&self) -> PathBuf {
        self.prefix.join("lib/pkgconfig")
    }

    /// Links a program with every member of this and another Rust library, so that any duplicate name is an error. Returns whether it runs.
    pub(super) fn runs_beside_another_library(&self, compiler: &Compiler) -> anyhow::Result<bool> {
        let (other, program) = (self.folder.join("libbeside.a"), self.folder.join(format!("beside-{}", compiler.name)));
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition", "2024", "-O", "--crate-type", "staticlib"]).arg(self.project.join("two_libraries.rs"));
        execute(rustc.arg("-o").arg(&other))?;
        let ours = self.prefix.join("lib/libvitalwire.a");
        let mut compile = Command::new(&compiler.c);
        compile.current_dir(self.folder).arg(self.project.join("two_libraries.c")).arg("-I").arg(self.prefix.join("include"));
        if cfg!(target_os = "macos") {
            compile.args(["-Xlinker", "-force_load", "-Xlinker"]).arg(&ours).args(["-Xlinker", "-force_load", "-Xlinker"]).arg(&other);
        } else {
            compile.arg("-Wl,--whole-archive").arg(&ours).arg(&other).arg("-Wl,--no-whole-archive");
        }
        let flags =
            execute(Command::new("pkg-config").args(["--libs", "vitalwire-static"]).env("PKG_CONFIG_PATH", self.pkg_config_path()))?;
        execute(compile.args(flags.split_whitespace().skip(1)).arg("-o").arg(&program))?;
        self.runs_as_expected(compiler, "static", &program)
    }

    /// Whether a program runs and needs only expected libraries: the system's, and ours if it was linked with the shared library.
    pub(super) fn runs_as_expected(&self, compiler: &Compiler, kind: &str, program: &Path) -> anyhow::Result<bool> {
        let mut run = compiler.run(program);
        run.current_dir(self.folder);
        if kind == "shared" {
            run.env(if cfg!(target_os = "macos") { "DYLD_LIBRARY_PATH" } else { "LD_LIBRARY_PATH" }, self.prefix.join("lib"));
        }
        let ran = run_and_show(&mut run)?.success;
        let needed = needed_libraries(program)?;
        let (ours, other): (Vec<&String>, _) = needed.iter().partition(|name| name.contains("vitalwire"));
        let strange: Vec<&&String> = other.iter().filter(|name| !is_system_library(name)).collect();
        let exact = ours.iter().all(|name| name.contains(env!("CARGO_PKG_VERSION")));
        let fits = ran && ours.len() == usize::from(kind == "shared") && exact && strange.is_empty();
        let shown = program.strip_prefix(self.folder).unwrap_or(program).display();
        crate::print_line(&format!("{shown}: {}, needs {}", if fits { "ok" } else { "FAILED" }, needed.join(" ")));
        Ok(fits)
    }

    /// Whether CMake rejects another version of the package.
    pub(super) fn rejects_another_version(&self, compilers: &[Compiler]) -> anyhow::Result<bool> {
        let build = self.folder.join("cmake-another");
        let mut configure = self.configure(compilers.first().context("no compiler")?, &build);
        let refused = execute(configure.arg("-DWANTED=0.0.9"));
        Ok(refused.is_err_and(|error| error.to_string().contains("0.0.9")))
    }
}

fn is_system_library(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    name.starts_with(FRAMEWORKS) || SYSTEM_LIBRARIES.iter().any(|start| file.starts_with(start)) || file.starts_with("libc++.")
}

fn needed_libraries(program: &Path) -> anyhow::Result<Vec<String>> {
    if cfg!(target_os = "macos") {
        let text = execute(Command::new("otool").arg("-L").arg(program))?;
        return Ok(text.lines().skip(1).filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect());
    }
    let text = execute(Command::new("readelf").args(["--dynamic", "--wide"]).arg(program).env("LC_ALL", "C"))?;
    let named = text.lines().filter(|line| line.contains("(NEEDED)")).filter_map(|line| line.split(['[', ']']).nth(1));
    Ok(named.map(str::to_owned).collect())
}
