//! New files and folders for health data and credentials. Only their owner can read them, within the umask.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::path::Path;

/// Mode of a new file.
pub const FILE_MODE: u32 = 0o600;

/// Mode of a new folder.
pub const FOLDER_MODE: u32 = 0o700;

/// Returns options that create a file which only its owner can read, if it does not exist. An existing file keeps its mode.
#[must_use]
pub fn create_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, FILE_MODE);
    options
}

/// Creates a folder and the folders above it, unless they exist.
///
/// # Errors
/// If a folder cannot be created.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, FOLDER_MODE);
    builder.create(path)
}

/// Owner, group and mode of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// User id (uid) of the owner.
    pub owner: u32,
    /// Group id (gid).
    pub group: u32,
    /// Permission bits.
    pub mode: u32,
}

#[cfg(unix)]
impl From<&std::fs::Metadata> for Access {
    fn from(file: &std::fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self { owner: file.uid(), group: file.gid(), mode: file.mode() }
    }
}

impl Access {
    /// Gives a private file the group and mode of the file that it replaces, if that file belongs to the same user. The mode of a file that
    /// another user has put there is ignored. If this process must not set the group, the group and others get only the permissions that
    /// both had.
    ///
    /// # Errors
    /// If the mode cannot be set.
    #[cfg(unix)]
    pub fn apply(self, file: &std::fs::File) -> io::Result<()> {
        if Self::from(&file.metadata()?).owner != self.owner {
            return Ok(());
        }
        let has_group = std::os::unix::fs::fchown(file, None, Some(self.group)).is_ok();
        let mode = if has_group { self.mode & 0o7777 } else { self.mode_without_group() };
        file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))
    }

    /// Returns the mode for a file of another group.
    #[cfg(unix)]
    fn mode_without_group(self) -> u32 {
        let common = self.mode & (self.mode >> 3) & 0o7;
        self.mode & 0o700 | common << 3 | common
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn without_its_group_a_file_is_not_more_readable() {
        for (mode, expected) in
            [(0o100_640, 0o600), (0o660, 0o600), (0o644, 0o644), (0o664, 0o644), (0o604, 0o600), (0o2755, 0o755), (0o400, 0o400)]
        {
            assert_eq!(Access { owner: 0, group: 0, mode }.mode_without_group(), expected, "{mode:o}");
        }
    }

    /// Root can set any group. Group 1 belongs to the system, so others must not set it.
    #[test]
    fn a_replacement_has_the_group_and_mode_of_the_file_or_fewer_rights() {
        let path = std::env::temp_dir().join(format!("vitalwire-access-{}", std::process::id()));
        let file = create_options().write(true).create_new(true).open(&path).expect("a file");
        std::fs::remove_file(&path).expect("a file");
        let before = Access::from(&file.metadata().expect("metadata"));
        let other = Access { owner: before.owner, group: 1, mode: 0o100_640 };
        other.apply(&file).expect("a mode");
        let after = Access::from(&file.metadata().expect("metadata"));
        let expected = if before.owner == 0 { other } else { Access { mode: 0o100_600, ..before } };
        assert_eq!(after, expected);
        Access { mode: 0o100_660, ..before }.apply(&file).expect("a mode");
        assert_eq!(Access::from(&file.metadata().expect("metadata")), Access { mode: 0o100_660, ..before });
    }
}
