//! Parser for Apple's static libraries: the platform of each member, and the names that it defines and needs.

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

#[cfg(test)]
mod tests {
    use super::*;

    fn words(numbers: &[u32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// A text in a field of fixed length.
    fn padded(text: &str, length: usize, with: u8) -> Vec<u8> {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(length, with);
        bytes
    }

    /// An object file for iOS 16.2 with a section and three names: one defined, one undefined, one private.
    fn object() -> Vec<u8> {
        let names = "\0_seen\0_open\0_local\0";
        let commands = 152 + 24 + 24;
        let after = 32 + commands;
        let mut bytes = words(&[0xfeed_facf, 0x0100_000c, 0, 1, 3, commands, 0, 0]);
        // LC_SEGMENT_64 with one section.
        bytes.extend(words(&[0x19, 152]));
        bytes.extend([0; 16 + 4 * 8 + 2 * 4]);
        bytes.extend(words(&[1, 0]));
        bytes.extend(padded("__bitcode", 16, 0));
        bytes.extend(padded("__LLVM", 16, 0));
        bytes.extend([0; 2 * 8 + 8 * 4]);
        // LC_BUILD_VERSION, LC_SYMTAB.
        bytes.extend(words(&[0x32, 24, 2, 0x0010_0200, 0, 0]));
        bytes.extend(words(&[0x02, 24, after, 3, after + 3 * 16, u32::try_from(names.len()).unwrap()]));
        for (name, kind, section) in [(1, 0x0f, 1), (7, 0x01, 0), (13, 0x0e, 1)] {
            bytes.extend(words(&[name]));
            bytes.extend([kind, section, 0, 0]);
            bytes.extend([0; 8]);
        }
        bytes.extend(names.as_bytes());
        bytes
    }

    /// An archive without alignment.
    fn library(member: &[u8]) -> Vec<u8> {
        let mut bytes = b"!<arch>\n".to_vec();
        for (name, content) in [("x.o/", object()), ("a.o/", member.to_vec())] {
            let head = [padded(name, 16, b' '), padded("0", 12, b' '), padded("0", 6, b' '), padded("0", 6, b' '), padded("644", 8, b' ')];
            bytes.extend(head.concat());
            bytes.extend(padded(&content.len().to_string(), 10, b' '));
            bytes.extend(b"`\n");
            bytes.extend(&content);
            bytes.resize(bytes.len().next_multiple_of(2), b'\n');
        }
        bytes
    }

    #[test]
    fn a_member_is_read() {
        let members = members(&library(&object())).unwrap();
        let set = |name: &str| [name.to_owned()].into();
        for (member, name) in members.iter().zip(["x.o", "a.o"]) {
            assert_eq!((member.name.as_str(), member.built_for), (name, Some((2, (16, 2)))));
            assert_eq!(member.sections, set("__LLVM,__bitcode"));
            assert_eq!((&member.defined, &member.undefined), (&set("_seen"), &set("_open")));
        }
        assert_eq!(members.len(), 2);
    }

    /// Rejects members of an unknown format, because they cannot be checked.
    #[test]
    fn a_member_of_another_format_is_an_error() {
        let error = members(&library(b"\x7fELF")).unwrap_err();
        assert!(error.to_string().starts_with("a.o is not a Mach-O object file"), "{error}");
        assert!(members(b"no archive").is_err() && members(b"!<arch>\n").is_err());
    }
}
