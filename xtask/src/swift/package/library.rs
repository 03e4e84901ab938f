//! A slice's library: what cargo made, with nothing in it that an application does not need, and no name that could meet another library's.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::checks::{self, Expected};
use super::macho::{self, Version};
use super::slices::{Slice, Target};
use super::stand_ins;
use super::toolchain::{LIBRARY, Toolchain};
use crate::process::must;
use crate::swift::places::PRIVACY;

/// What names of ours begin with that no application calls.
pub(super) const PREFIX: &str = "_vitalwire_own_";

/// What the names of a stranger's library begin with, in the test of two libraries in one application.
const STRANGER: &str = "_stranger_";

/// Sections that linkers make nothing of: LLVM's bitcode and how it was compiled, which older readers cannot read.
const BITCODE: [&str; 2] = ["__LLVM,__bitcode", "__LLVM,__cmdline"];

/// A library as it is shipped.
pub(crate) struct Library {
    pub(super) slice: &'static Slice,
    /// For all processors.
    pub(super) file: PathBuf,
    pub(crate) sizes: Sizes,
}

/// Bytes: of the largest processor's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Of the library.
    pub(crate) shipped: u64,
    /// Of what an application gains.
    pub(crate) linked: u64,
}

/// Where a library is made.
pub(super) struct Workshop<'a> {
    pub(super) root: &'a Path,
    /// A folder for what is made on the way.
    pub(super) folder: &'a Path,
    pub(super) toolchain: &'a Toolchain,
    /// Functions that Swift calls, as linkers know them.
    pub(super) exported: &'a BTreeSet<String>,
}

impl Workshop<'_> {
    /// Builds a slice and looks through it.
    ///
    /// # Errors
    /// Where it cannot be built, or something is wrong with it: a line for each.
    pub(super) fn make(&self, slice: &'static Slice, oldest: Version) -> anyhow::Result<Library> {
        let (mut files, mut sizes) = (Vec::new(), Sizes::default());
        for target in slice.targets {
            let folder = self.folder.join(target.triple);
            fs::create_dir_all(&folder)?;
            crate::say(&format!("{}: {}", slice.identifier, target.triple));
            let (file, of_target) = self.for_target(slice, target, oldest, &folder).with_context(|| target.triple.to_owned())?;
            sizes = Sizes { shipped: sizes.shipped.max(of_target.shipped), linked: sizes.linked.max(of_target.linked) };
            files.push(file);
        }
        let joined = self.folder.join(slice.identifier);
        fs::create_dir_all(&joined)?;
        let file = joined.join(LIBRARY);
        if let [only] = &files[..] {
            fs::copy(only, &file)?;
        } else {
            self.toolchain.join(&files, &file)?;
        }
        Ok(Library { slice, file, sizes })
    }

    fn for_target(&self, slice: &Slice, target: &Target, oldest: Version, folder: &Path) -> anyhow::Result<(PathBuf, Sizes)> {
        let built = self.toolchain.build(slice.platform, target, oldest)?;
        let file = folder.join(LIBRARY);
        self.reduce(&built, PREFIX, &file, folder)?;

        let bytes = fs::read(&file)?;
        let members = macho::members(&bytes)?;
        let declared = fs::read_to_string(self.root.join(PRIVACY)).with_context(|| format!("reading {PRIVACY}"))?;
        let expected = Expected {
            platform: slice.platform.number,
            oldest,
            exported: self.exported,
            prefix: PREFIX,
            frameworks: slice.platform.frameworks,
            known: &stand_ins::frameworks(self.root)?,
            privacy: &declared,
        };
        let mut findings = checks::members(&members, &expected);
        findings.extend(checks::bytes(&bytes));

        let exports = folder.join("exports.txt");
        fs::write(&exports, lines(self.exported))?;
        let image = folder.join("linked.dylib");
        let linked_for = (slice.platform, target, oldest);
        self.toolchain.link(linked_for, &[&file], &exports, &image).context("linking it")?;
        let sizes = Sizes { shipped: fs::metadata(&file)?.len(), linked: fs::metadata(&image)?.len() };
        findings.extend(checks::size(sizes.linked));

        // Another library of the same compiler, with names as it leaves them, and both in one application.
        let stranger = folder.join("libstranger.a");
        self.rename(&built, self.exported.iter(), STRANGER, &stranger, folder)?;
        let both = folder.join("both.dylib");
        self.toolchain.link(linked_for, &[&file, &stranger], &exports, &both).context("linking it beside another library in Rust")?;

        anyhow::ensure!(findings.is_empty(), "the library is not fit to be shipped:\n  {}", findings.join("\n  "));
        Ok((file, sizes))
    }

    /// Takes bitcode and debug information away, and gives names that Swift does not call a prefix that no other library has.
    fn reduce(&self, built: &Path, prefix: &str, out: &Path, folder: &Path) -> anyhow::Result<()> {
        let members = macho::members(&fs::read(built)?)?;
        let own = members.iter().flat_map(|member| &member.defined).filter(|name| !self.exported.contains(*name));
        self.rename(built, own, prefix, out, folder)?;
        // -S alone: what -x makes of an archive is taken by no linker.
        must(self.toolchain.llvm("strip").args(["-S", "-D"]).arg(out)).map(drop)
    }

    /// Copies a library without bitcode, these names of its with a prefix.
    fn rename<'n>(
        &self,
        from: &Path,
        names: impl Iterator<Item = &'n String>,
        prefix: &str,
        out: &Path,
        folder: &Path,
    ) -> anyhow::Result<()> {
        let list = folder.join("names.txt");
        let names: BTreeSet<String> = names.map(|name| format!("{name} {prefix}{}", name.trim_start_matches('_'))).collect();
        fs::write(&list, lines(&names))?;
        let mut copy = self.toolchain.llvm("objcopy");
        copy.args(BITCODE.map(|section| format!("--remove-section={section}")));
        must(copy.arg(format!("--redefine-syms={}", list.display())).arg(from).arg(out)).map(drop)
    }
}

fn lines(names: &BTreeSet<String>) -> String {
    names.iter().map(|name| format!("{name}\n")).collect()
}
