//! Parser for Apple's static libraries: the platform of each member, and the names that it defines and needs. The checks of a real library
//! fail if it overlooks one of these.

use std::collections::BTreeSet;

use anyhow::Context as _;
use object::Endianness;
use object::macho::{MachHeader64, Nlist64};
use object::read::archive::ArchiveFile;
use object::read::macho::{MachHeader as _, MachOFile64, Nlist as _, Section as _, Segment as _};
use object::read::{Object as _, ObjectSection as _};

/// `N_EXT`: the name is visible to other files.
const EXTERNAL: u8 = 1;

/// An object file in a library.
#[derive(Clone, Debug, Default)]
pub(super) struct Member {
    pub(super) name: String,
    /// Platform and minimum version in `LC_BUILD_VERSION`.
    pub(super) built_for: Option<(u32, Version)>,
    /// Segment and section, separated by a comma.
    pub(super) sections: BTreeSet<String>,
    /// Names that other members and libraries can use.
    pub(super) defined: BTreeSet<String>,
    pub(super) undefined: BTreeSet<String>,
}

/// Major and minor version.
pub(super) type Version = (u32, u32);

/// Returns every object file of a library for one processor.
///
/// # Errors
/// If the file is not such a library.
pub(super) fn members(library: &[u8]) -> anyhow::Result<Vec<Member>> {
    let archive = ArchiveFile::parse(library).context("the file is not a static library")?;
    let mut members = Vec::new();
    for member in archive.members() {
        let member = member?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let data = member.data(library)?;
        let header = MachHeader64::<Endianness>::parse(data, 0).with_context(|| format!("{name} is not a Mach-O object file"))?;
        members.push(read(name.clone(), header, data).with_context(|| format!("reading {name}"))?);
    }
    anyhow::ensure!(!members.is_empty(), "the library has no object file");
    Ok(members)
}

/// Returns the code of a linked library.
///
/// # Errors
/// If the file is not such a library.
pub(super) fn code(image: &[u8]) -> anyhow::Result<&[u8]> {
    let file = MachOFile64::<Endianness>::parse(image).context("the file is not a linked library")?;
    Ok(file.section_by_name("__text").context("the library has no code")?.data()?)
}

fn read(name: String, header: &MachHeader64<Endianness>, data: &[u8]) -> anyhow::Result<Member> {
    let endian: Endianness = header.endian()?;
    let mut member = Member { name, ..Member::default() };
    let mut commands = header.load_commands(endian, data, 0)?;
    while let Some(command) = commands.next()? {
        if let Some((version, _tools)) = command.build_version(endian)? {
            let oldest = version.minos.get(endian).0;
            member.built_for = Some((version.platform.get(endian).0, (oldest >> 16, (oldest >> 8) & 0xff)));
        }
        if let Some((segment, rest)) = command.segment_64()? {
            for section in segment.sections(endian, rest)? {
                let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
                member.sections.insert(format!("{},{}", text(section.segment_name()), text(section.name())));
            }
        }
        if let Some(table) = command.symtab()? {
            let symbols = table.symbols::<MachHeader64<Endianness>, _>(endian, data)?;
            for symbol in symbols.iter().filter(|symbol| is_global(symbol)) {
                let name = String::from_utf8_lossy(symbol.name(endian, symbols.strings())?).into_owned();
                let names = if symbol.is_undefined() { &mut member.undefined } else { &mut member.defined };
                names.insert(name);
            }
        }
    }
    Ok(member)
}

fn is_global(symbol: &Nlist64<Endianness>) -> bool {
    !symbol.is_stab() && symbol.n_type().0 & EXTERNAL != 0
}
